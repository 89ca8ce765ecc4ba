#ifndef HTZ_TEST_SOUND_SPECTRUM_H
#define HTZ_TEST_SOUND_SPECTRUM_H

#include <stddef.h>

/**
   Power-weighted spectral centroid of the onset [Hz]: sum f P(f) / sum P(f) over 0..20 kHz, P the power spectrum of 80 ms from
   the first sample of x [n] that is not zero, under a Hann window. 0 for silence.
*/
double spectral_centroid(const double* x, size_t n, double rate_hz);

/**
   Largest magnitude of the mean of x [n] over any whole second, from a start on any whole second. A last piece of less than a
   second is left out.
*/
double worst_mean(const double* x, size_t n, double rate_hz);

#endif
