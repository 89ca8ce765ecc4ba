#include "hertzian/dsp/bessel.h"

#include <float.h>
#include <math.h>

static const double pi = 3.14159265358979323846;

/** The one zero of J_m between `low` and `high`: Newton's step where it stays inside the bracket, else half of it. */
static double zero_between(unsigned m, double low, double high) {
  enum { STEPS_MAX = 100 }; // four to six are typical, halving alone takes 52
  const double sign = htz_bessel_j(m, low) < 0.0 ? -1.0 : 1.0;
  double x = 0.5 * (low + high);
  for (unsigned i = 0; i < STEPS_MAX; ++i) {
    const htz_bessel_pair at = htz_bessel_j_pair(m, x);
    if (sign * at.here > 0.0) {
      low = x;
    } else {
      high = x;
    }
    const double slope = m / x * at.here - at.next; // of J_m
    const double newton = x - at.here / slope;
    const double next = newton > low && newton < high ? newton : 0.5 * (low + high);
    const double moved = fabs(next - x);
    x = next;
    if (moved <= 2.0 * DBL_EPSILON * x) {
      break;
    }
  }
  return x;
}

size_t htz_bessel_zeros(double limit, size_t most, htz_bessel_zero* list) {
  enum { ROW_MAX = HTZ_BESSEL_X_MAX / 3 }; // zeros of J_0 are more than 3 apart
  double row[ROW_MAX];                     // of the order before
  size_t in_row = 0;
  size_t count = 0;
  const double top = limit > 0.0 ? (limit < HTZ_BESSEL_X_MAX ? limit : HTZ_BESSEL_X_MAX) : 0.0;
  for (unsigned m = 0; m < HTZ_BESSEL_ORDER_MAX && (m == 0 || in_row > 0); ++m) {
    const size_t before = m == 0 ? ROW_MAX : in_row;
    size_t n = 0;
    for (; n < before; ++n) {
      const double low = m == 0 ? ((double)n + 0.5) * pi : row[n];
      const double x = low < top ? zero_between(m, low, low + 0.5 * pi) : HUGE_VAL;
      if (!(x <= top)) {
        break;
      }
      row[n] = x;
      if (list && count < most) {
        list[count] = (htz_bessel_zero){m, (unsigned)n + 1, x};
      }
      ++count;
    }
    in_row = n;
  }
  return count;
}
