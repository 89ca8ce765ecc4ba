#include "loudness.h"

#include <math.h>
#include <stdlib.h>

static const double pi = 3.14159265358979323846;

// Analog parameters behind the 48 kHz coefficients of BS.1770-4, tables 1 and 2.
static const double shelf_hz = 1681.974450955533;
static const double shelf_q = 0.7071752369554196;
static const double shelf_high = 1.584864701130855;  // gain at infinity: 10^(3.99984 / 20)
static const double shelf_band = 1.2587209302325617; // gain of the middle term: shelf_high^0.49967
static const double high_pass_hz = 38.13547087602444;
static const double high_pass_q = 0.5003270373238773;

static const double momentary_s = 0.4;
static const double offset_lufs = -0.691; // makes a 997 Hz full-scale sine on one channel -3.01 LUFS

k_weighting k_weighting_at(double rate_hz) {
  k_weighting k;
  const double s = tan(pi * shelf_hz / rate_hz);
  const double s0 = 1.0 + s / shelf_q + s * s;
  k.b[0][0] = (shelf_high + shelf_band * s / shelf_q + s * s) / s0;
  k.b[0][1] = 2.0 * (s * s - shelf_high) / s0;
  k.b[0][2] = (shelf_high - shelf_band * s / shelf_q + s * s) / s0;
  k.a[0][0] = 1.0;
  k.a[0][1] = 2.0 * (s * s - 1.0) / s0;
  k.a[0][2] = (1.0 - s / shelf_q + s * s) / s0;
  const double h = tan(pi * high_pass_hz / rate_hz);
  const double h0 = 1.0 + h / high_pass_q + h * h;
  k.b[1][0] = 1.0; // the recommendation leaves the numerator unscaled
  k.b[1][1] = -2.0;
  k.b[1][2] = 1.0;
  k.a[1][0] = 1.0;
  k.a[1][1] = 2.0 * (h * h - 1.0) / h0;
  k.a[1][2] = (1.0 - h / high_pass_q + h * h) / h0;
  return k;
}

void k_weight(const k_weighting* k, const double* x, size_t n, double* y) {
  double state[2][2] = {{0.0, 0.0}, {0.0, 0.0}};
  for (size_t i = 0; i < n; ++i) {
    double v = x[i];
    for (size_t stage = 0; stage < 2; ++stage) { // transposed direct form II
      const double* b = k->b[stage];
      const double* a = k->a[stage];
      const double out = b[0] * v + state[stage][0];
      state[stage][0] = b[1] * v - a[1] * out + state[stage][1];
      state[stage][1] = b[2] * v - a[2] * out;
      v = out;
    }
    y[i] = v;
  }
}

/** sum[i] += energy of the weighted x up to frame i, exclusive; sum is [n + 1]. */
static void add_energy(const k_weighting* k, const double* x, size_t n, double* work, double* sum) {
  k_weight(k, x, n, work);
  double total = 0.0;
  for (size_t i = 0; i < n; ++i) {
    sum[i] += total;
    total += work[i] * work[i];
  }
  sum[n] += total;
}

double loudness_momentary_max(const double* left, const double* right, size_t n, double rate_hz, size_t hop) {
  return loudness_max(left, right, n, rate_hz, momentary_s, hop);
}

double loudness_max(const double* left, const double* right, size_t n, double rate_hz, double window_s, size_t hop) {
  const k_weighting k = k_weighting_at(rate_hz);
  const size_t window = (size_t)lround(window_s * rate_hz);
  double* sum = calloc(n + 1, sizeof *sum);
  double* work = calloc(n, sizeof *work);
  if (!sum || !work) {
    abort();
  }
  add_energy(&k, left, n, work, sum);
  add_energy(&k, right, n, work, sum);
  double most = 0.0;
  for (size_t end = hop; end <= n; end += hop) {
    most = fmax(most, sum[end] - sum[end > window ? end - window : 0]);
  }
  free(sum);
  free(work);
  return offset_lufs + 10.0 * log10(most / (double)window);
}
