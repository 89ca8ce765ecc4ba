#ifndef HTZ_CONTACT_BOW_CONTROL_H
#define HTZ_CONTACT_BOW_CONTROL_H

#include "hertzian/dsp/kernels.h"

#include <math.h>
#include <stdint.h>

/*
   How a bow's hand follows what is asked of it: the same on strings of modes and on grids.
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

/** Where the bow is wanted, as a fraction of the length from the near end; NaN from the far one: nothing is said of it. */
static inline double bow_wanted_at(double from_far_end) {
  static const double usual = 0.12;
  return 1.0 - (isnan(from_far_end) ? usual : from_far_end);
}

/** How far it slips along the string towards `wanted` in `frames`, of its length: 0 when it is there. */
static inline double bow_slip(double at, double wanted, uint32_t frames) {
  static const double most = 0.0015; // in a quantum: across a tenth in a tenth of a second
  static const double near = 1e-6;   // closer than this it is there
  const double reach = most * frames / HTZ_QUANTUM, way = wanted - at;
  return !(fabs(way) > near) ? 0.0 : way > reach ? reach : way < -reach ? -reach : way;
}

#endif
