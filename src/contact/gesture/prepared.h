#ifndef HERTZIAN_CONTACT_PREPARED_GESTURES_H
#define HERTZIAN_CONTACT_PREPARED_GESTURES_H

#include "flight.h"
#include "island/modal_island.h"
#include "network/network_plan.h"

#include <math.h>

/*
   What is fixed to the bodies of an island and lies on them, each a gesture of its own. The coordinate of a loose mass points away from
   the bodies, as the mallet pushes them: its contact with body b closes when u_b - q - gap > 0.
*/

/** Something loose: a mass and its contacts. */
typedef struct {
  gesture base; // must be first
  htz_moved_by control[HTZ_THING_FIELDS];
  htz_loose_desc desc; // [config]
  htz_body* body;
  uint32_t node; // of the network
  bool there;    // [state]
  double factor; // on the mass
  double at, at_wanted;
  double pressing;                   // each body with, when all is at rest [N]
  double gap_wanted;                 // [m]
  double gap[HTZ_ISLAND_UNISON_MAX]; // of its contacts, on its way there
  htz_flight flight;
} loose;

/** A mass that the bodies carry; join b with body b. */
typedef struct {
  gesture base; // must be first
  htz_moved_by control[HTZ_THING_FIELDS];
  htz_screw_desc desc;
  htz_body* body;
  uint32_t node;
  bool there; // [state]
  double factor, factor_wanted, at, at_wanted;
} screw;

/** A damper and spring; join b of body b. */
typedef struct {
  gesture base; // must be first
  htz_moved_by control[HTZ_THING_FIELDS];
  htz_rubber_desc desc;
  bool there; // [state]
  double factor, factor_wanted, at, at_wanted;
  uint32_t easing; // steps in which it still gives way after a move
} rubber;

extern const gesture_class htz_gesture_loose, htz_gesture_screw, htz_gesture_rubber;

// What moves while it sounds moves in steps of MOVE_STEP samples, small enough not to be heard one by one.
enum { MOVE_STEP = 16 };
static const double place_step = 4e-4;  // of the length: a full move takes 0.8 s
static const double factor_step = 0.01; // of what the file says
static const double nothing = 1e-6;     // of a mass: less is none

static inline htz_modal* body_on(const gesture* g, uint32_t b) {
  return g->island->desc.bodies[g->body + b];
}

static inline double displacement_of(const htz_body* body) {
  return body->cls->displacement(body, 0);
}

static inline double velocity_of(const htz_body* body) {
  return body->cls->velocity(body, 0);
}

/** One step from `at` towards `wanted`. @return false when it is there */
static inline bool step_to(double* at, double wanted, double step) {
  const double left = wanted - *at;
  const bool arrives = left < step && left > -step;
  *at = arrives ? wanted : *at + (left > 0.0 ? step : -step);
  return left != 0.0;
}

static const double most_gap = 1.0;     // [m] anything is out of reach there
static const double gap_glide_s = 0.02; // time constant
static const double gap_near = 1e-10;   // [m] arrived

/** The gap of a contact goes on to where it is wanted, over `frames` of `period` [s]. */
static inline void gap_to(htz_network* net, size_t contact, double* gap, double wanted, uint32_t frames, double period) {
  const double left = wanted - *gap;
  if (left == 0.0) {
    return;
  }
  if (left < gap_near && left > -gap_near) {
    *gap = wanted;
    htz_network_set_gap(net, contact, *gap);
    return;
  }
  *gap += -expm1(-(double)frames * period / gap_glide_s) * left;
  htz_network_glide_gap(net, contact, *gap, frames);
}

/** What a player wants, 0 .. most. */
static inline double wanted_within(double x, double most) {
  return x < 0.0 ? 0.0 : x > most ? most : x;
}

static inline double wanted_factor(double wanted) {
  return wanted > 0.0 ? wanted : 0.0;
}

/** After a change of what is wanted, work `done` on it: while nothing has moved yet, it can simply be there. Audio thread. */
HTZ_RT void htz_prepared_changed(gesture* g, double done);

/** What is prepared, as gestures of the island. Set-up thread. */
htz_status htz_prepared_new(modal_island* s, double rate_hz, htz_arena* arena, network_plan* plan);

#endif
