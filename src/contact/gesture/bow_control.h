#ifndef HTZ_CONTACT_BOW_CONTROL_H
#define HTZ_CONTACT_BOW_CONTROL_H

#include "hertzian/contact/island.h"
#include "hertzian/dsp/kernels.h"

#include <math.h>
#include <stdint.h>

/*
   How a bow follows the player: the same on strings of modes and on grids.
*/

/** Shares per sample. */
typedef struct {
  double smooth; ///< of the way to a wanted speed or force
  double lift;   ///< of its force that a bow being lifted loses
  double touch;  ///< and that a bow or finger coming on gains
} bow_rates;

static inline bow_rates bow_rates_at(double period) {
  static const double smooth_s = 0.008; // controllers come every few milliseconds: slower than that nothing is stepped
  static const double lift_s = 0.03;    // a bow leaves the string
  static const double touch_s = 0.01;   // it comes to its force, a finger lands
  return (bow_rates){-expm1(-period / smooth_s), period / lift_s, period / touch_s};
}

typedef struct {
  bow_rates rates;        // [config]
  htz_bow_control wanted; // [state] by the player
  bool on;                // drawn: since it was set on, as long as the key is held
  double pressed;         // share of its force with which it lies on the string, 0: it does not
  double speed;           // smoothed [m/s]
  double force;           // likewise [N]
  double at;              // where it lies, fraction of the length from the near end; NaN: nowhere
} bow_motion;

static inline bow_motion bow_motion_at_rest(double period) {
  return (bow_motion){.rates = bow_rates_at(period), .wanted = {.at = (double)NAN}, .at = (double)NAN};
}

/** It presses, however lightly. */
static inline bool bow_lies(const bow_motion* b) {
  return b->on || b->pressed > 0.0;
}

/** Set on, at `speed` unless it still lies there. */
static inline void bow_set_on(bow_motion* b, double speed) {
  if (!bow_lies(b)) {
    b->speed = speed;
    b->force = b->wanted.force;
  }
  b->on = true;
}

/** What the player wants from now on; it is lifted when the key is let go. */
static inline void bow_follow(bow_motion* b, const htz_bow_control* wanted, bool held) {
  b->wanted = *wanted;
  b->on = b->on && held;
}

/** A share of a force `step` on, within 0 and 1. */
static inline double bow_press(double pressed, double step) {
  const double next = pressed + step;
  return next < 0.0 ? 0.0 : next > 1.0 ? 1.0 : next;
}

/** One sample on. @return the force with which it presses [N] */
static inline double bow_step(bow_motion* b) {
  if (b->on) {
    b->speed += b->rates.smooth * (b->wanted.speed - b->speed);
    b->force += b->rates.smooth * (b->wanted.force - b->force);
  }
  b->pressed = bow_press(b->pressed, b->on ? b->rates.touch : -b->rates.lift);
  return b->pressed * b->force;
}

/** Off the string at once. */
static inline void bow_take_off(bow_motion* b) {
  b->on = false;
  b->pressed = b->speed = b->force = 0.0;
  b->at = (double)NAN;
}

/** Where the bow is wanted, as a fraction of the length from the near end; NaN from the far one: as built. */
static inline double bow_wanted_at(double from_far_end) {
  static const double usual = 0.12;
  return 1.0 - (isnan(from_far_end) ? usual : from_far_end);
}

/** How far it moves along the string towards `wanted` in `frames`, of its length: 0 when it is there. */
static inline double bow_slip(double at, double wanted, uint32_t frames) {
  static const double most = 0.0015; // in a quantum: across a tenth in a tenth of a second
  static const double near = 1e-6;   // closer than this it is there
  const double reach = most * frames / HTZ_QUANTUM, way = wanted - at;
  return !(fabs(way) > near) ? 0.0 : way > reach ? reach : way < -reach ? -reach : way;
}

#endif
