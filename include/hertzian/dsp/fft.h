#ifndef HERTZIAN_DSP_FFT_H
#define HERTZIAN_DSP_FFT_H

#include "hertzian/base/arena.h"
#include "hertzian/base/status.h"

#include <stddef.h>

/**
   A discrete Fourier transform of fixed power-of-two size, for analysis. Immutable once made: any number of threads may share
   it. Set-up threads only.
*/
typedef struct {
  size_t n;              ///< [config] points, a power of two >= 2
  const double* twiddle; ///< [derived] [n/2][2] cos and -sin of 2 pi k / n
} htz_fft;

/** Make a transform of `n` points in `arena`. @return HTZ_OK, HTZ_BAD_VALUE when n is not a power of two >= 2, HTZ_NO_MEMORY. */
htz_status htz_fft_init(htz_fft* fft, size_t n, htz_arena* arena);

/** Transform z [n][2] (real, imaginary) in place: Z_k = sum_j z_j exp(-2 pi i j k / n). */
void htz_fft_forward(const htz_fft* fft, double* z);

/**
   One-sided power spectrum of the real signal x [n] under a periodic Hann window.

   Scaled so that the sum over bins is the mean of x^2 weighted by the window squared: a sine of amplitude a away from both
   ends of the spectrum gives a^2/2 over its three bins or so. Bin k stands for the frequency k rate / n.

   @param work [n][2], overwritten
   @param power [n/2 + 1], unit of x squared
*/
void htz_fft_power(const htz_fft* fft, const double* x, double* work, double* power);

#endif
