#ifndef HERTZIAN_CONTACT_BRIDGE_PRIVATE_H
#define HERTZIAN_CONTACT_BRIDGE_PRIVATE_H

#include "hertzian/contact/bridge.h"
#include "hertzian/contact/port.h"

/** A key's rest on the bridge. */
typedef struct {
  htz_island* island; // [config]
  htz_port port;
  uint32_t drives;             // bit o: its line o is a force on the bridge [N]
  double drive;                // and a factor on it
  float (*lines)[HTZ_QUANTUM]; // [port.n_lines] what it gives to be heard by itself
  uint32_t point;              // it rests on this point of the board and the next
  double share[2];             // W
  double built_tension;        // [config] T/L of its strings together as they were attached [N/m]
  double tension;              // [derived] the same now
  double stiffness;            // G [N/m]
  double step_stiffness;       // sum kappa^2 b_q [N/m]
  bool stale;                  // those, `feel` and `pull` are to be worked out anew
  bool awake;                  // [state]
  uint32_t due;                // frame of the run at which what acts on it has to be seen to next
  double reaction;             // S of the sample to come [N]
  double next;                 // and of the one after it
  double given[2];             // what contacts added to S in the last two samples [N]
  double free_reaction;        // S without them, in the present sample
  double end_force;            // sum kappa q at its start
  double end_force_next;       // and at its end
  double used;                 // w_ it went through the present sample with [m]
  // The same in turning coordinates (port.turn) while all that acts on it is linear.
  float answer[HTZ_QUANTUM]; // [derived] S, l + 1 samples after w_ was 1 for one sample [N/m]
  bool turns;                // all that is that of the present tuning and damper
  bool counted;              // [state] its answer is in those of the bridge
  bool turning;              // goes through the present run so
  bool flying;               // something else acts on it
  double held;               // stiffness that the factored matrix has of it [N/m]
  uint32_t still;            // runs since they changed
} support;

struct htz_bridge {
  htz_modal* board; // [config]
  size_t n_points;
  const htz_kernels* kernels;
  double tolerance;
  bool exact; // no turning coordinates: double precision throughout
  size_t n_supports;
  support* supports[HTZ_BRIDGE_KEYS_MAX];
  uint8_t number[HTZ_BRIDGE_KEYS_MAX];                              // 1 + index into rests, 0: not attached
  double compliance[HTZ_BRIDGE_POINTS_MAX * HTZ_BRIDGE_POINTS_MAX]; // [derived] C of a sample step [m/N]
  double load[HTZ_BRIDGE_POINTS_MAX * HTZ_BRIDGE_POINTS_MAX];       // W^T G W [N/m]
  double inverse[HTZ_BRIDGE_POINTS_MAX * HTZ_BRIDGE_POINTS_MAX];    // of I + C W^T G W/2
  bool factored;
  bool moved_rest; // strings rest elsewhere since
  unsigned epoch;  // of the board when it was
  // Answers of the turning keys together, W^T answer W.
  float *own, *beside;          // [n_points][HTZ_ANSWER] a point's of itself, and of the next
  float* coming;                // [n_points][HTZ_ANSWER] [state] what turning keys will give in the frames of the run [N]
  float* moved;                 // [n_points][HTZ_QUANTUM] w_ in those gone by [m]
  htz_modal_ahead ahead;        // of the board
  float (*forces)[HTZ_QUANTUM]; // [n_points] [state] on it over the run [N]
  bool sees;                    // it goes through the run at once, when that is solved
  size_t n_turning; // keys that go through the present run in turning coordinates, and those that go sample by sample
  size_t n_stepping;
  support* turning[HTZ_BRIDGE_KEYS_MAX];
  support* stepping[HTZ_BRIDGE_KEYS_MAX];
  double w[HTZ_BRIDGE_POINTS_MAX];        // displacement of the points [m]
  double rise[HTZ_BRIDGE_POINTS_MAX];     // free increment over the present sample [m]
  double reaction[HTZ_BRIDGE_POINTS_MAX]; // W^T S [N]
  double mean[HTZ_BRIDGE_POINTS_MAX];     // w_ [m]
  double driven[HTZ_BRIDGE_POINTS_MAX];   // force of lines on the points in the sample to come [N]
  double push[HTZ_BRIDGE_POINTS_MAX];     // of that and of what drives it from elsewhere, in the present one [N]
  double external_work;                   // work of it since last asked [J]
  float (*drives)[HTZ_QUANTUM];           // from elsewhere, over the quantum; NULL: none
  uint32_t at;                            // frames since the lines were cleared
  double largest;                         // |w_| since it was last at rest [m]
  htz_bridge_counters counters;
};

/** Displacement of the support of `r`, from values at the points. */
static inline double bridge_at(const htz_bridge* b, const support* r, const double* values) {
  const size_t next = r->point + 1 < b->n_points ? r->point + 1 : r->point;
  return r->share[0] * values[r->point] + r->share[1] * values[next];
}

static inline void bridge_add_at(const htz_bridge* b, const support* r, double value, double* values) {
  const size_t next = r->point + 1 < b->n_points ? r->point + 1 : r->point;
  values[r->point] += r->share[0] * value;
  values[next] += r->share[1] * value;
}

/** Lay what holds the support of `r` with stiffness g [N/m] into `load` [n_points][n_points]. */
static inline void bridge_lay(const htz_bridge* b, const support* r, double g, double* load) {
  const size_t n = b->n_points;
  double shares[HTZ_BRIDGE_POINTS_MAX] = {0.0};
  bridge_add_at(b, r, 1.0, shares);
  for (size_t p = r->point; p < n && p <= r->point + 1; ++p) {
    for (size_t q = r->point; q < n && q <= r->point + 1; ++q) {
      load[p * n + q] += shares[p] * g * shares[q];
    }
  }
}

/** S and the end's force, from where the strings are. */
static inline double rest_feel(const support* r, double* end_force) {
  double reaction = 0.0, sum = 0.0;
  for (uint32_t i = 0; i < r->port.n_ends; ++i) {
    double one;
    reaction += htz_modal_join_reaction(r->port.ends[i], &one);
    sum += one;
  }
  *end_force = sum;
  return reaction;
}

/** Displacement of every point now. Audio thread; so are all below. */
HTZ_RT void htz_bridge_read_points(const htz_bridge* b, double* w);

/** Work out anew what has changed since the last run, for one of `frames`. */
HTZ_RT void htz_bridge_catch_up(htz_bridge* b, uint32_t frames);

/** Put a key to rest without waking anything else; its load on the bridge is put right at the next run. */
HTZ_RT void htz_bridge_expel(htz_bridge* b, support* r);

/** Before a run of `frames`: who goes through it how. Strings that turn hold their motion in turning coordinates. */
HTZ_RT void htz_bridge_sort(htz_bridge* b, uint32_t frames);

/** Then those go through it as if the bridge stood still, into `coming`. */
HTZ_RT void htz_bridge_turn(htz_bridge* b, uint32_t frames);

/** After it: they get what the bridge's movement made of them. */
HTZ_RT void htz_bridge_turn_back(htz_bridge* b, uint32_t frames);

/** Before a sample of a key in flight, frame `frame` of a run of `frames`: what it will probably give, its contacts going on as they went. */
HTZ_RT void htz_support_take_off(const htz_bridge* b, support* r, uint32_t frame, uint32_t frames);

/** Through the sample on a support displaced by `w`, once more when it is not the first trial; `feel` is then what it really gave. */
HTZ_RT void htz_support_fly(htz_bridge* b, support* r, double w, bool again);

/** The support was displaced by `w` instead: the strings follow; what the hammer would have felt of it is left out. */
HTZ_RT void htz_support_correct(htz_bridge* b, support* r, double w);

/** After the sample. */
HTZ_RT void htz_support_land(support* r);

/** What it gives to be heard by itself in this frame, and what of it drives the bridge. */
HTZ_RT void htz_support_hear(htz_bridge* b, support* r);

/** Where a key rests: `at`, 0 .. n_points - 1, is shared by the point below it and the next. */
static inline void support_place(support* r, size_t n_points, double at) {
  const uint32_t low = (uint32_t)at;
  r->point = n_points > 1 && low + 1 == n_points ? low - 1 : low;
  r->share[1] = at - r->point;
  r->share[0] = 1.0 - r->share[1];
}

#endif
