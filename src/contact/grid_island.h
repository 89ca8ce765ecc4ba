#ifndef HERTZIAN_CONTACT_GRID_ISLAND_PRIVATE_H
#define HERTZIAN_CONTACT_GRID_ISLAND_PRIVATE_H

#include "bow_hand.h"

#include "hertzian/contact/grid_island.h"

/** Two high passes of first order in series: what stands still is not heard, and a step leaves nothing behind on the whole. */
typedef struct {
  double in[2], out[2];
} grid_still;

typedef struct {
  htz_island base;           // must be first: the engine holds a pointer to it
  htz_grid_island_desc desc; // [config]
  double period;
  double keep;               // of the high pass: what it keeps per sample
  htz_influence now;         // [state]
  double ratio, loss, sigma; // tuning, decay factor, damper [1/s]
  double work, reported;     // brought to the network so far, losses left out [J]
  double bowed;              // of that by the bow, as the network counts it
  htz_island_counters gone;  // what was counted before the last reset
  uint64_t strikes;
  // A mallet in flight, or a string being pulled.
  bool flying, pulling;
  double age;    // since then [s]
  double height; // to which it is pulled [m]
  double rest;   // displacement of the string when it was touched [m]
  // A bow.
  bool on;
  double pressed; // share of its force, while it is set on and lifted
  double speed, force, at;
  bow_pace pace;
  double finger_at;
  bool sticks;      // the string to the bow, one sample ago
  uint64_t catches; // times the bow has caught it
  // What the player moves: now, of each role.
  double gap[HTZ_GRID_ISLAND_ROLES_MAX], place[HTZ_GRID_ISLAND_ROLES_MAX], factor[HTZ_GRID_ISLAND_ROLES_MAX];
  double velocity[HTZ_GRID_ISLAND_HEARS_MAX]; // one sample ago, for acceleration
  grid_still still[HTZ_GRID_ISLAND_HEARS_MAX];
  double peak;  // of the output of late, as a sample value
  double quiet; // for so long it has been inaudible [s]
} grid_island;

extern const htz_island_class htz_grid_island_class;

/** The bow's hand, the light finger, and what the player's parameters move. Audio thread. */
HTZ_RT void htz_grid_hands_before(grid_island* g, uint32_t frames);
HTZ_RT void htz_grid_hands_step(grid_island* g);
HTZ_RT void htz_grid_hands_reset(grid_island* g);
HTZ_RT void htz_grid_hands_bow_on(grid_island* g);

/** Energy was brought; losses are left out. */
static inline void grid_bring(grid_island* g, double energy) {
  g->work += energy > 0.0 ? energy : 0.0;
}

#endif
