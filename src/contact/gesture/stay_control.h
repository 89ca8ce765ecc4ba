#ifndef HTZ_CONTACT_STAY_CONTROL_H
#define HTZ_CONTACT_STAY_CONTROL_H

#include <stdbool.h>

/*
   How a hand moves what a mallet that stays is driven and rolled by: sample by sample, without a step.
*/

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
