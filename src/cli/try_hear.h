#ifndef HERTZIAN_CLI_TRY_HEAR_H
#define HERTZIAN_CLI_TRY_HEAR_H

#include "options.h"

#include "hertzian/base/rt.h"
#include "hertzian/io/audio.h"

#include <stdatomic.h>

/** Sound in memory, on its way to an audio device. */
typedef struct {
  const float* samples; ///< [frames][2]
  size_t frames;
  atomic_size_t played; ///< frames handed to the device
} htz_heard;

/** An htz_audio_process; `context` is a htz_heard. After its end there is silence. */
HTZ_RT void htz_heard_process(void* context, float* out, uint32_t frames, const htz_audio_block* block);

/**
   Play [frames][2] at `rate_hz` on `-a`, or the default device, and wait until it was heard. Without `-a` it is no fault when there is no
   device.

   @return the exit code; what went wrong is said
*/
int htz_hear(const htz_options* options, double rate_hz, const float* samples, size_t frames);

#endif
