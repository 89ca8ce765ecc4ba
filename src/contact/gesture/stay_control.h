#ifndef HTZ_CONTACT_STAY_CONTROL_H
#define HTZ_CONTACT_STAY_CONTROL_H

#include "hertzian/contact/modal_island.h"

#include <stdbool.h>

/*
   How a hand moves what a mallet that stays is driven and rolled by: sample by sample, without a step.
*/

/** What acts on mallets that stay. */
typedef struct {
  double gravity, gain, rest_height, roll_factor, roughness, asymmetry; // as htz_stay_field
  const float* drive;                                                   // of this quantum, or NULL
  bool held;
} stay_wanted;

static inline stay_wanted stay_wanted_of(const htz_stay* stay, const htz_influence* a) {
  return (stay_wanted){.gravity = htz_influence_wanted(a, stay->control[HTZ_STAY_GRAVITY], 0.0),
                       .gain = htz_influence_wanted(a, stay->control[HTZ_STAY_GAIN], 0.0),
                       .rest_height = htz_influence_wanted(a, stay->control[HTZ_STAY_HEIGHT], 0.0),
                       .roll_factor = htz_influence_factor(a, stay->control[HTZ_STAY_SPEED]),
                       .roughness = htz_influence_wanted(a, stay->control[HTZ_STAY_ROUGHNESS], 0.0),
                       .asymmetry = htz_influence_wanted(a, stay->control[HTZ_STAY_ASYMMETRY], 0.0),
                       .drive = a->drive,
                       .held = a->held};
}

/** The drive sounds, or anything else than before is wanted: what lies or hangs still would be set going. */
static inline bool stay_sets_going(const stay_wanted* was, const stay_wanted* now) {
  bool sounds = false;
  for (uint32_t i = 0; now->drive && i < HTZ_QUANTUM; ++i) {
    sounds = sounds || now->drive[i] != 0.0f;
  }
  return sounds || now->gravity != was->gravity || now->rest_height != was->rest_height || now->held != was->held ||
         now->roll_factor != was->roll_factor || now->roughness != was->roughness || now->asymmetry != was->asymmetry;
}

static const double stay_stop_speed = 1e-4; // [m/s] a ball slower than this stands

/** `now` one step on towards `wanted`; it arrives and does not go past. */
static inline double stay_ramp(double now, double wanted, double step) {
  const double left = wanted - now;
  const bool arrives = step >= 0.0 ? left <= step : left >= step;
  return arrives ? wanted : now + step;
}

/** A share of the way to `wanted`, all of it when next to nothing is left. */
static inline double stay_glide(double now, double wanted, double share) {
  static const double settled_share = 1e-9;
  const double left = wanted - now;
  const double least = settled_share * (wanted > 0.0 ? wanted : now);
  return left < least && left > -least ? wanted : now + left * share;
}

/** Speed of a ball one sample on [m/s]: held, a hand brings it to `wanted`; let go, it loses `braked` until it stands. */
static inline double stay_rolls_on(double speed, double wanted, double speed_share, bool held, double braked) {
  if (held) {
    const double next = speed + (wanted - speed) * speed_share;
    return wanted < stay_stop_speed && next < stay_stop_speed ? 0.0 : next;
  }
  return speed - braked > stay_stop_speed ? speed - braked : 0.0;
}

#endif
