#include "hertzian/dsp/fractional.h"

#include "fractional.h"

float htz_fractional_read(const htz_fractional* f, const float* x, double part) {
  enum { LANES = 8 };
  const double at = part * FRACTIONAL_PHASES;
  size_t phase = (size_t)(at > 0.0 ? at : 0.0);
  phase = phase < FRACTIONAL_PHASES ? phase : FRACTIONAL_PHASES - 1;
  const float way = (float)(at - (double)phase);
  const float* restrict a = f->table + phase * f->taps;
  const float* restrict b = a + f->taps;
  float sum[LANES] = {0.0f};
  size_t k = 0;
  for (; way == 0.0f && k + LANES <= f->taps; k += LANES) { // on a row of the table, as at rates in simple proportion always
    for (size_t i = 0; i < LANES; ++i) {
      sum[i] += x[k + i] * a[k + i];
    }
  }
  for (; k + LANES <= f->taps; k += LANES) {
    for (size_t i = 0; i < LANES; ++i) {
      sum[i] += x[k + i] * (a[k + i] + way * (b[k + i] - a[k + i]));
    }
  }
  float all = 0.0f;
  for (; k < f->taps; ++k) {
    all += x[k] * (a[k] + way * (b[k] - a[k]));
  }
  for (size_t i = 0; i < LANES; ++i) {
    all += sum[i];
  }
  return all;
}
