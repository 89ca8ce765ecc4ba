#ifndef HERTZIAN_DSP_LIMITER_H
#define HERTZIAN_DSP_LIMITER_H

#include "hertzian/base/rt.h"

#include <stddef.h>
#include <stdint.h>

/**
   A safety limiter for loudspeakers and ears: stereo-linked, without delay.

   Samples up to the threshold pass untouched, to the last bit. Above it the gain follows the peak at once, so that nothing
   louder than the threshold leaves, is held for a moment and then let go slowly; from a second of quiet on, samples pass
   untouched again. Samples that are not finite become silence.
*/
typedef struct {
  float threshold;  ///< [config] magnitude, 1 is full scale
  uint32_t hold;    ///< [config] frames the gain stays
  float release;    ///< [config] factor on the envelope per frame
  float envelope;   ///< [state] peak followed, 0 when below the threshold
  uint32_t held;    ///< [state] frames of hold left
  uint64_t acted;   ///< frames that were turned down; only grows
  uint64_t broken;  ///< samples that were not finite; only grows
  float least_gain; ///< smallest gain so far
} htz_limiter;

/** Start from rest. @param threshold_db [dBFS] */
HTZ_RT void htz_limiter_init(htz_limiter* limiter, double rate_hz, double threshold_db);

/** Limit `frames` interleaved stereo frames in place. Audio thread. */
HTZ_RT void htz_limiter_run(htz_limiter* limiter, float* samples, size_t frames);

#endif
