#ifndef HERTZIAN_CONTACT_GRID_ISLAND_PRIVATE_H
#define HERTZIAN_CONTACT_GRID_ISLAND_PRIVATE_H

#include "gesture/bow_control.h"
#include "gesture/departed.h"
#include "gesture/stay_control.h"

#include "hertzian/contact/grid_island.h"

/** Two high passes of first order in series: what stands still is not heard, and a step leaves nothing behind on the whole. */
typedef struct {
  double in[2], out[2];
} grid_still;

/** One of the mallets that a gesture throws. */
typedef struct {
  bool flying;
  double age;  // since it was thrown [s]
  double mass; // [kg]
  double from; // displacement one sample before the present one [m]
  double slow; // for so long it has hardly moved [s]
  stay_ball ball;
} grid_mallet;

typedef struct {
  htz_island base;           // must be first: the engine holds a pointer to it
  htz_grid_island_desc desc; // [config]
  double period;
  double keep;               // of the high pass: what it keeps per sample
  stay_wanted now;           // [state] of mallets that stay
  double ratio, loss, sigma; // tuning, decay factor, damper [1/s]
  double work, reported;     // external work on the network so far, dissipation excluded [J]
  double bowed;              // of that by the bow, as the network counts it
  htz_island_counters gone;  // what was counted before the last reset
  uint64_t strikes;
  grid_mallet mallets[HTZ_GRID_MALLETS_MAX];
  stay_control stay; // what acts on mallets that stay
  // A string being pulled.
  bool pulling;
  double age;    // since then [s]
  double height; // to which it is pulled [m]
  double rest;   // displacement of the string when it was touched [m]
  // Bows.
  bow_motion bow[HTZ_BOWS_MAX];
  double finger_at, finger_wanted;
  bool sticks[HTZ_BOWS_MAX]; // the string to the bow, one sample ago
  uint64_t catches;          // times that a bow has caught its string
  // What the player moves: now, of each role.
  double gap[HTZ_GRID_ISLAND_ROLES_MAX], place[HTZ_GRID_ISLAND_ROLES_MAX], factor[HTZ_GRID_ISLAND_ROLES_MAX];
  double wanted[HTZ_GRID_ISLAND_ROLES_MAX][HTZ_THING_FIELDS];
  bool screwed[HTZ_GRID_ISLAND_ROLES_MAX];    // is there
  double velocity[HTZ_GRID_ISLAND_HEARS_MAX]; // one sample ago, for acceleration
  grid_still still[HTZ_GRID_ISLAND_HEARS_MAX];
  double level, level_wanted; // of resonators
  bool moved;                 // since all was put to rest
  double peak;                // of the output of late, resonators left out, as a sample value
  double quiet;               // for so long it has been inaudible [s]
} grid_island;

extern const htz_island_class htz_grid_island_class;

/** The bow's hand, the light finger, and what the player's parameters move. Audio thread. */
HTZ_RT void htz_grid_control_influence(grid_island* g, const htz_influence* influence);
HTZ_RT void htz_grid_control_before(grid_island* g, uint32_t frames);
HTZ_RT void htz_grid_control_step(grid_island* g);
HTZ_RT void htz_grid_control_reset(grid_island* g);
HTZ_RT void htz_grid_control_bow_on(grid_island* g);

/** A bow lies on its string, or is coming to it. */
static inline bool grid_bows_lie(const grid_island* g) {
  bool lies = false;
  for (size_t b = 0; b < g->desc.n_bows; ++b) {
    lies = lies || bow_lies(&g->bow[b]);
  }
  return lies;
}

/** The gesture of this kind, or NULL. */
static inline const htz_grid_gesture* grid_gesture(const grid_island* g, htz_excite kind) {
  for (size_t i = 0; i < g->desc.n_gestures; ++i) {
    if (g->desc.gestures[i].kind == kind) {
      return &g->desc.gestures[i];
    }
  }
  return NULL;
}

/** A key is struck: gesture `strike->gesture` begins. What mallets and hands in flight do in every sample, before and after its step. */
HTZ_RT void htz_grid_gestures_begin(grid_island* g, const htz_strike* strike);
HTZ_RT void htz_grid_gestures_before(grid_island* g);
HTZ_RT void htz_grid_gestures_after(grid_island* g);
HTZ_RT void htz_grid_gestures_reset(grid_island* g);

/** A mallet is in flight, or a hand pulls; of mallets that stay: on its way to lie or hang there. */
HTZ_RT bool htz_grid_gestures_busy(const grid_island* g);

/** Mallets that stay. Thrown: what it is and what presses it on; then as the hooks of htz_island_class of these names. */
HTZ_RT void htz_grid_stay_throw(grid_island* g, size_t i, const htz_strike* strike);
HTZ_RT void htz_grid_stay_before(grid_island* g);
HTZ_RT void htz_grid_stay_after(grid_island* g);
HTZ_RT void htz_grid_stay_influence(grid_island* g, const htz_influence* influence);
HTZ_RT bool htz_grid_stay_disturbed(const grid_island* g, const htz_influence* influence);
HTZ_RT bool htz_grid_stay_retains(const grid_island* g);

/** What is heard: one sample of the grids, into lines and `driven` (each resonator's force [N]); then the resonators. */
HTZ_RT void htz_grid_listen(grid_island* g, uint32_t frame, float* const* lines, float driven[][HTZ_QUANTUM]);
HTZ_RT void htz_grid_resonate(grid_island* g, uint32_t frames, float* const* lines, float driven[][HTZ_QUANTUM]);
HTZ_RT void htz_grid_hear_reset(grid_island* g);

/** Bound on what resonators can still give, as a sample value; not finite when one of them has gone wrong. */
HTZ_RT double htz_grid_resonating(const grid_island* g);
HTZ_RT void htz_grid_left_over(const grid_island* g, double* lines);

/** Book external work; dissipation is excluded. */
static inline void grid_add_work(grid_island* g, double energy) {
  g->work += energy > 0.0 ? energy : 0.0;
}

#endif
