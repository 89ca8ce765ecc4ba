#ifndef HERTZIAN_CONTACT_BRIDGE_PRIVATE_H
#define HERTZIAN_CONTACT_BRIDGE_PRIVATE_H

#include "hertzian/contact/bridge.h"
#include "network_private.h"
#include "struck.h"

/** What a key in flight goes back to when a sample has to be gone through again. */
typedef struct {
  double* modal;     // q and v of every struck body, one after the other
  contact* contacts; // [n_contacts]
  htz_network_counters counters;
  double mallets[HTZ_STRUCK_MALLETS_MAX][2]; // displacement and velocity
} snapshot;

/** A key's rest on the bridge. */
typedef struct {
  struck* s;        // [config]
  uint32_t point;   // it rests on this point of the board and the next
  double share[2];  // W
  double tension;   // [derived] T/L of its strings together [N/m]
  double stiffness; // G [N/m]
  double yield;     // sum kappa^2 b_q [N/m]
  bool stale;       // those and `feel` are to be worked out anew
  bool awake;       // [state]
  double feel;      // S of the sample to come [N]
  double given[2];  // what contacts added to S in the last two samples [N]
  double free_feel; // S without them, in the present sample
  double pull;      // sum kappa q at its start
  double used;      // w_ it went through the present sample with [m]
  snapshot before;
  // The same strings in turning coordinates, one after the other, while nothing strikes them.
  size_t padded; // modes of all, to a multiple of HTZ_TURN_LANES
  htz_turn_table table;
  float *x, *y;
  double* turn[HTZ_STRUCK_UNISON_MAX];
  size_t first[HTZ_STRUCK_UNISON_MAX]; // where in x and y each string begins
  bool turns;                          // [derived] the tables are those of the present tuning and damper
  uint32_t still;                      // [state] runs since they changed
  bool turning;                        // x and y hold the state now
} rest;

struct htz_bridge {
  htz_modal* board; // [config]
  size_t n_points;
  const htz_kernels* kernels;
  double tolerance;
  bool exact; // no turning coordinates: double precision throughout
  size_t n_rests;
  rest* rests[HTZ_BRIDGE_KEYS_MAX];
  uint8_t number[HTZ_BRIDGE_KEYS_MAX];                              // 1 + index into rests, 0: not attached
  double compliance[HTZ_BRIDGE_POINTS_MAX * HTZ_BRIDGE_POINTS_MAX]; // [derived] C of a sample step [m/N]
  double load[HTZ_BRIDGE_POINTS_MAX * HTZ_BRIDGE_POINTS_MAX];       // W^T G W [N/m]
  double inverse[HTZ_BRIDGE_POINTS_MAX * HTZ_BRIDGE_POINTS_MAX];    // of I + C W^T G W/2
  bool factored;
  unsigned epoch;                     // of the board when it was
  double w[HTZ_BRIDGE_POINTS_MAX];    // [state] displacement of the points [m]
  double rise[HTZ_BRIDGE_POINTS_MAX]; // free increment over the present sample [m]
  double feel[HTZ_BRIDGE_POINTS_MAX]; // W^T S [N]
  double mean[HTZ_BRIDGE_POINTS_MAX]; // w_ [m]
  double largest;                     // |w_| since it was last at rest [m]
  htz_bridge_counters counters;
};

/** Where a key rests: `at`, 0 .. n_points - 1, is shared by the point below it and the next. */
static inline void rest_place(rest* r, size_t n_points, double at) {
  const uint32_t low = (uint32_t)at;
  r->point = n_points > 1 && low + 1 == n_points ? low - 1 : low;
  r->share[1] = at - r->point;
  r->share[0] = 1.0 - r->share[1];
}

#endif
