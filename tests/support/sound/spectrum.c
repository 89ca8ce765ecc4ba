#include "spectrum.h"

#include "hertzian/dsp/fft.h"

#include <math.h>
#include <stdlib.h>

static const double pi = 3.14159265358979323846;
static const double onset_s = 0.080;
static const double top_hz = 20000.0;

double spectral_centroid(const double* x, size_t n, double rate_hz) {
  const size_t window = (size_t)lround(onset_s * rate_hz);
  size_t start = 0;
  while (start < n && x[start] == 0.0) {
    ++start;
  }
  size_t points = 2;
  while (points < 2 * window) { // padded to twice the window, so that the power is sampled finely enough to integrate
    points *= 2;
  }
  htz_arena arena;
  htz_arena_measure(&arena);
  htz_fft fft;
  double* z = htz_arena_alloc(&arena, points, 2 * sizeof *z);
  if (!z || htz_fft_init(&fft, points, &arena)) {
    abort();
  }
  for (size_t i = 0; i < window && start + i < n; ++i) {
    z[2 * i] = x[start + i] * 0.5 * (1.0 - cos(2.0 * pi * (double)i / (double)window));
  }
  htz_fft_forward(&fft, z);
  double sum = 0.0, moment = 0.0;
  for (size_t k = 0; k <= points / 2; ++k) {
    const double hz = (double)k * rate_hz / (double)points;
    const double power = z[2 * k] * z[2 * k] + z[2 * k + 1] * z[2 * k + 1];
    if (hz <= top_hz) {
      sum += power;
      moment += hz * power;
    }
  }
  htz_arena_free(&arena);
  return sum > 0.0 ? moment / sum : 0.0;
}

double worst_mean(const double* x, size_t n, double rate_hz) {
  const size_t second = (size_t)lround(rate_hz);
  double worst = 0.0;
  for (size_t start = 0; start + second <= n; start += second) {
    double sum = 0.0;
    for (size_t i = 0; i < second; ++i) {
      sum += x[start + i];
    }
    worst = fmax(worst, fabs(sum / (double)second));
  }
  return worst;
}
