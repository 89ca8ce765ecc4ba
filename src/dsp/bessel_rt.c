#include "hertzian/dsp/bessel.h"

#include <float.h>
#include <math.h>

/** sum (-x^2/4)^k/(k! (m + k)!) (x/2)^m, for x^2/4 <= m + 1: alternating terms that fall. */
static double series(unsigned m, double x) {
  enum { TERMS = 24 }; // the last is below (1/24!)^2 of the first even for m = 0
  const double quarter = 0.25 * x * x;
  double first = 1.0;
  for (unsigned k = 1; k <= m; ++k) {
    first *= 0.5 * x / k;
  }
  double term = first;
  double sum = first;
  for (unsigned k = 1; k < TERMS; ++k) {
    term *= -quarter / ((double)k * (double)(m + k));
    sum += term;
  }
  return sum;
}

static double backward(unsigned m, double x) {
  // Far above both order and argument J_k falls faster than any power; the transition is some x^(1/3) wide.
  static const double widths = 16.0;
  static const double least_margin = 24.0;
  static const double huge = 1e200; // scaled down before it overflows
  const double turn = x > m ? x : m;
  const unsigned top = 2u * (unsigned)(0.5 * (turn + widths * cbrt(turn) + least_margin));
  const double twice = 2.0 / x;
  double above = 0.0;
  double here = DBL_MIN * 1e20; // anything small: the sum tells what it was
  double sum = 0.0;
  double wanted = 0.0;
  for (unsigned k = top; k > 0; --k) {
    const double below = (double)k * twice * here - above;
    above = here;
    here = below;
    if (fabs(here) > huge) {
      here /= huge;
      above /= huge;
      sum /= huge;
      wanted /= huge;
    }
    const unsigned order = k - 1;
    wanted = order == m ? here : wanted;
    sum += order == 0 ? here : order % 2 == 0 ? 2.0 * here : 0.0;
  }
  return wanted / sum;
}

double htz_bessel_j(unsigned m, double x) {
  const unsigned order = m < HTZ_BESSEL_ORDER_MAX ? m : HTZ_BESSEL_ORDER_MAX;
  const double at = x > 0.0 ? (x < HTZ_BESSEL_X_MAX ? x : HTZ_BESSEL_X_MAX) : 0.0;
  return 0.25 * at * at <= order + 1.0 ? series(order, at) : backward(order, at);
}

double htz_bessel_i_scaled(unsigned m, double x) {
  static const double widths = 9.0;
  static const double least_margin = 40.0;
  static const double huge = 1e200;
  static const double tiny = 1e-60; // a step of the recurrence must not overflow
  const unsigned order = m < HTZ_BESSEL_ORDER_MAX ? m : HTZ_BESSEL_ORDER_MAX;
  const double at = x > 0.0 ? (x < HTZ_BESSEL_X_MAX ? x : HTZ_BESSEL_X_MAX) : 0.0;
  if (at < tiny) {
    return order == 0 ? 1.0 : 0.0;
  }
  // Above the order it falls by at least half of itself a step once k > x; up to there like a normal law of width sqrt(x).
  const unsigned top = order + (unsigned)(widths * sqrt(at) + least_margin);
  double above = 0.0;
  double here = DBL_MIN * 1e20;
  double sum = 0.0;
  double wanted = 0.0;
  for (unsigned k = top; k > 0; --k) {
    const double below = (double)k * 2.0 / at * here + above;
    above = here;
    here = below;
    if (here > huge) {
      here /= huge;
      above /= huge;
      sum /= huge;
      wanted /= huge;
    }
    wanted = k - 1 == order ? here : wanted;
    sum += k == 1 ? here : 2.0 * here;
  }
  return wanted / sum;
}
