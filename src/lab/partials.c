#include "partials.h"

#include <math.h>

static const double two_pi = 6.28318530717958648;

void htz_partials_window(size_t n, double* x) {
  const double a[] = {0.35875, 0.48829, 0.14128, 0.01168}; // Harris, 1978
  for (size_t i = 0; i < n; ++i) {
    const double phase = two_pi * ((double)i + 0.5) / (double)n;
    x[i] *= (a[0] - a[1] * cos(phase) + a[2] * cos(2.0 * phase) - a[3] * cos(3.0 * phase)) / a[0];
  }
}

/** Amplitude of a sine of that frequency. */
static double height(size_t n, const double* x, double rate_hz, double hz) {
  const double turn = two_pi * hz / rate_hz, c = cos(turn), s = sin(turn);
  double re = 1.0, im = 0.0, sum_re = 0.0, sum_im = 0.0;
  for (size_t i = 0; i < n; ++i) {
    const double was = re;
    sum_re += x[i] * re;
    sum_im += x[i] * im;
    re = c * re - s * im;
    im = c * im + s * was;
  }
  return 2.0 * sqrt(sum_re * sum_re + sum_im * sum_im) / (double)n;
}

double htz_partials_find(size_t n, const double* x, double rate_hz, double near_hz, double reach, double* level) {
  enum { STEPS = 22 };                     // 2 golden^22 = 5e-5 of the reach
  const double golden = 0.618033988749895; // (sqrt 5 - 1)/2
  double lo = near_hz - reach, hi = near_hz + reach;
  double a = hi - golden * (hi - lo), b = lo + golden * (hi - lo);
  double at_a = height(n, x, rate_hz, a), at_b = height(n, x, rate_hz, b);
  for (int i = 0; i < STEPS; ++i) {
    if (at_a > at_b) {
      hi = b;
      b = a;
      at_b = at_a;
      a = hi - golden * (hi - lo);
      at_a = height(n, x, rate_hz, a);
    } else {
      lo = a;
      a = b;
      at_a = at_b;
      b = lo + golden * (hi - lo);
      at_b = height(n, x, rate_hz, b);
    }
  }
  const double at = 0.5 * (a + b);
  if (level) {
    *level = height(n, x, rate_hz, at);
  }
  return at;
}

double htz_partials_cents(double a, double b) {
  const double cents = 1200.0;
  return cents * log2(b / a);
}
