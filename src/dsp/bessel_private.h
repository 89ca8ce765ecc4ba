#ifndef HERTZIAN_DSP_BESSEL_PRIVATE_H
#define HERTZIAN_DSP_BESSEL_PRIVATE_H

#include "hertzian/dsp/bessel.h"

#include <math.h>
#include <stdbool.h>

/** Within the range; NaN is 0. */
static inline double htz_bessel_argument(double x) {
  return x > 0.0 ? (x < HTZ_BESSEL_X_MAX ? x : HTZ_BESSEL_X_MAX) : 0.0;
}

static inline bool htz_bessel_j_is_series(unsigned m, double x) {
  return 0.25 * x * x <= m + 1.0;
}

/** J_m as sum (-x^2/4)^k/(k! (m + k)!) (x/2)^m, for x^2/4 <= m + 1: alternating terms that fall. */
HTZ_RT double htz_bessel_j_series(unsigned m, double x);

/** Where the backward recurrence of J starts; even. */
static inline unsigned htz_bessel_j_top(unsigned m, double x) {
  // Far above both order and argument J_k falls faster than any power; the transition is some x^(1/3) wide.
  static const double widths = 16.0;
  static const double least_margin = 24.0;
  const double turn = x > m ? x : m;
  return 2u * (unsigned)(0.5 * (turn + widths * cbrt(turn) + least_margin));
}

/** And that of I: above the order it falls by at least half of itself a step once k > x; up to there like a normal law of width sqrt(x). */
static inline unsigned htz_bessel_i_top(unsigned m, double x) {
  static const double widths = 9.0;
  static const double least_margin = 40.0;
  return m + (unsigned)(widths * sqrt(x) + least_margin);
}

#endif
