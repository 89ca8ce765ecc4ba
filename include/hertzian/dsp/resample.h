#ifndef HERTZIAN_DSP_RESAMPLE_H
#define HERTZIAN_DSP_RESAMPLE_H

#include "hertzian/base/status.h"

#include <stddef.h>
#include <stdint.h>

/**
   Band-limited change of the sample rate of a stream, by any ratio of whole rates, with no delay and no drift: output frame n is

     y(n) = sum_k x(k) h(n in/out - k),   h(t) = c sinc(c t) w(t),   c = 2 f_c,

   w Kaiser's window, x zero before and after the input. The position n in/out is exact at any length. What lies above half
   the lower rate is 120 dB down; up to 0.469 of it nothing changes by more than 3e-6. Equal rates pass unchanged, bit for bit. The
   result does not depend on how the stream is cut into pieces. Set-up threads only.
*/
typedef struct htz_resampler htz_resampler;

enum { HTZ_RESAMPLE_HZ_MIN = 1000, HTZ_RESAMPLE_HZ_MAX = 768000 };

/** @return HTZ_OK, HTZ_BAD_VALUE (a rate outside HTZ_RESAMPLE_HZ_MIN..MAX), HTZ_NO_MEMORY */
htz_status htz_resampler_new(uint32_t in_hz, uint32_t out_hz, htz_resampler** out);

/** NULL is allowed. */
void htz_resampler_free(htz_resampler* resampler);

/** Where the next input goes; `room` receives how many frames, more than 0 whenever htz_resampler_take() gave less than asked for. */
float* htz_resampler_room(htz_resampler* resampler, size_t* room);

/** So many frames were put there. */
void htz_resampler_feed(htz_resampler* resampler, size_t frames);

/** No more input will come: the output ends with htz_resampler_length() frames. */
void htz_resampler_end(htz_resampler* resampler);

/** Take up to `frames` frames. @return how many; fewer when input is wanted, or at the end */
size_t htz_resampler_take(htz_resampler* resampler, float* out, size_t frames);

/** Output frames of `frames` input frames: those at positions before the input's end. */
uint64_t htz_resampler_length(uint64_t frames, uint32_t in_hz, uint32_t out_hz);

#endif
