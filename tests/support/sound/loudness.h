#ifndef HTZ_TEST_SOUND_LOUDNESS_H
#define HTZ_TEST_SOUND_LOUDNESS_H

#include <stddef.h>

/** The two filters in series of ITU-R BS.1770-4's K-weighting, at one sample rate. */
typedef struct {
  double b[2][3]; ///< [stage] numerator
  double a[2][3]; ///< [stage] denominator, a[.][0] = 1
} k_weighting;

/**
   K-weighting for `rate_hz`: a shelf of +4 dB above 1.7 kHz (the head), then a high-pass at 38 Hz (RLB).

   The recommendation prints coefficients for 48 kHz only. They are the bilinear transforms of two analog second-order filters,
   whose parameters are recovered from the printed numbers; here those are transformed at any rate. At 48 kHz the printed
   coefficients come out to 1e-9 or so.
*/
k_weighting k_weighting_at(double rate_hz);

/** Apply the weighting to x [n], from rest, into y [n] (may be x). */
void k_weight(const k_weighting* k, const double* x, size_t n, double* y);

/**
   Largest momentary loudness of a stereo signal [LUFS]: 400 ms windows, one every `hop` frames, starting 400 ms before the first
   frame (the silence before a note), L = -0.691 + 10 log10(mean square left + right). -infinity for silence.
*/
double loudness_momentary_max(const double* left, const double* right, size_t n, double rate_hz, size_t hop);

/** The same in windows of `window_s` seconds: short ones do not ask how long a note lasts. */
double loudness_max(const double* left, const double* right, size_t n, double rate_hz, double window_s, size_t hop);

#endif
