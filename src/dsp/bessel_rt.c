#include "bessel_private.h"

#include <float.h>
#include <math.h>

double htz_bessel_j_series(unsigned m, double x) {
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

static htz_bessel_pair backward(unsigned m, double x) {
  static const double huge = 1e200; // scaled down before it overflows
  const double twice = 2.0 / x;
  double above = 0.0;
  double here = DBL_MIN * 1e20; // anything small: the sum tells what it was
  double sum = 0.0;
  htz_bessel_pair wanted = {0.0, 0.0};
  for (unsigned k = htz_bessel_j_top(m, x); k > 0; --k) {
    const double below = (double)k * twice * here - above;
    above = here;
    here = below;
    if (fabs(here) > huge) {
      here /= huge;
      above /= huge;
      sum /= huge;
      wanted.here /= huge;
      wanted.next /= huge;
    }
    const unsigned order = k - 1;
    wanted = order == m ? (htz_bessel_pair){here, above} : wanted;
    sum += order == 0 ? here : order % 2 == 0 ? 2.0 * here : 0.0;
  }
  return (htz_bessel_pair){wanted.here / sum, wanted.next / sum};
}

double htz_bessel_j(unsigned m, double x) {
  const unsigned order = m < HTZ_BESSEL_ORDER_MAX ? m : HTZ_BESSEL_ORDER_MAX;
  const double at = htz_bessel_argument(x);
  return htz_bessel_j_is_series(order, at) ? htz_bessel_j_series(order, at) : backward(order, at).here;
}

htz_bessel_pair htz_bessel_j_pair(unsigned m, double x) {
  const unsigned order = m < HTZ_BESSEL_ORDER_MAX ? m : HTZ_BESSEL_ORDER_MAX - 1;
  const double at = htz_bessel_argument(x);
  return htz_bessel_j_is_series(order, at)
             ? (htz_bessel_pair){htz_bessel_j_series(order, at), htz_bessel_j_series(order + 1, at)}
             : backward(order, at);
}

htz_bessel_pair htz_bessel_i_pair(unsigned m, double x) {
  static const double huge = 1e200;
  static const double tiny = 1e-60; // a step of the recurrence must not overflow
  const unsigned order = m < HTZ_BESSEL_ORDER_MAX ? m : HTZ_BESSEL_ORDER_MAX;
  const double at = htz_bessel_argument(x);
  if (at < tiny) {
    return (htz_bessel_pair){order == 0 ? 1.0 : 0.0, 0.0};
  }
  double above = 0.0;
  double here = DBL_MIN * 1e20;
  double sum = 0.0;
  htz_bessel_pair wanted = {0.0, 0.0};
  for (unsigned k = htz_bessel_i_top(order, at); k > 0; --k) {
    const double below = (double)k * 2.0 / at * here + above;
    above = here;
    here = below;
    if (here > huge) {
      here /= huge;
      above /= huge;
      sum /= huge;
      wanted.here /= huge;
      wanted.next /= huge;
    }
    wanted = k - 1 == order ? (htz_bessel_pair){here, above} : wanted;
    sum += k == 1 ? here : 2.0 * here;
  }
  return (htz_bessel_pair){wanted.here / sum, wanted.next / sum};
}

double htz_bessel_i_scaled(unsigned m, double x) {
  return htz_bessel_i_pair(m, x).here;
}
