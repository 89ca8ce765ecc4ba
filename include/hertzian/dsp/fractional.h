#ifndef HERTZIAN_DSP_FRACTIONAL_H
#define HERTZIAN_DSP_FRACTIONAL_H

#include "hertzian/base/arena.h"
#include "hertzian/base/rt.h"

/**
   A stream read between its samples, band-limited: y(t) = sum_k x(k) h(t - delay - k), h(t) = c sinc(c t) w(t) with w Kaiser's window of 32
   samples of the lower rate to each side, c = 0.9 min(1, out/in). Up to 0.41 of the lower rate nothing changes by more than 1e-4; what lies
   above 0.49 of it is 80 dB down. `delay` is those 32 samples.
*/
typedef struct {
  size_t delay; ///< [input samples]
  size_t taps;  ///< 2 delay: so many input samples are read for one
  float* table; ///< [phases + 1][taps]
} htz_fractional;

/** @return HTZ_OK, HTZ_BAD_VALUE (rates not positive, or more than a factor of 64 apart), HTZ_NO_MEMORY. Set-up thread. */
htz_status htz_fractional_new(double in_hz, double out_hz, htz_arena* arena, htz_fractional* out);

/** y at `part` 0..1 of a sample after the last of x[taps]. Audio thread. */
HTZ_RT float htz_fractional_read(const htz_fractional* f, const float* x, double part);

#endif
