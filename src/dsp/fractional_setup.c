#include "hertzian/dsp/fractional.h"

#include "hertzian/dsp/bessel.h"

#include "fractional.h"

#include <math.h>

static const double pi = 3.14159265358979323846;
static const double half_width = 32.0;  // [samples of the lower rate]
static const double cut = 0.9;          // of half the lower rate
static const double window_shape = 8.0; // of Kaiser's window: -80 dB
static const double factor_most = 64.0;

/** exp(-x) I0(x) cancels but for a factor that both ends of the window share. */
static double window(double x) {
  const double at = window_shape * sqrt(1.0 - x * x);
  return exp(at - window_shape) * htz_bessel_i_scaled(0, at) / htz_bessel_i_scaled(0, window_shape);
}

htz_status htz_fractional_new(double in_hz, double out_hz, htz_arena* arena, htz_fractional* out) {
  if (!(in_hz > 0.0) || !(out_hz > 0.0) || in_hz > factor_most * out_hz || out_hz > factor_most * in_hz) {
    return HTZ_BAD_VALUE;
  }
  const double lower = out_hz < in_hz ? out_hz / in_hz : 1.0, c = cut * lower;
  *out = (htz_fractional){.delay = (size_t)ceil(half_width / lower)};
  out->taps = 2 * out->delay;
  out->table = htz_arena_alloc(arena, (FRACTIONAL_PHASES + 1) * out->taps, sizeof(float));
  if (!out->table) {
    return HTZ_NO_MEMORY;
  }
  for (size_t p = 0; p <= FRACTIONAL_PHASES / 2; ++p) { // h is even
    for (size_t k = 0; k < out->taps; ++k) {
      const double t = (double)out->taps - 1.0 - (double)k - (double)out->delay + (double)p / FRACTIONAL_PHASES;
      const double x = t / (double)out->delay, angle = pi * c * t;
      const double sinc = angle != 0.0 ? sin(angle) / angle : 1.0;
      const float h = (float)(x > -1.0 && x < 1.0 ? c * sinc * window(x) : 0.0);
      out->table[p * out->taps + k] = out->table[(FRACTIONAL_PHASES - p) * out->taps + out->taps - 1 - k] = h;
    }
  }
  return HTZ_OK;
}
