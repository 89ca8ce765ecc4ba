#ifndef HERTZIAN_IO_AUDIO_ROUTE_H
#define HERTZIAN_IO_AUDIO_ROUTE_H

#include "hertzian/io/audio.h"

/* Which outputs of a device the two sides go to. */

typedef struct {
  unsigned outputs;     ///< channels that the device is opened with
  unsigned left, right; ///< of these, from 0; the same: the mean of both sides goes there
} htz_audio_route;

/**
   Route what is wished for to a device of `there` channels, 0: as many as it takes to try.

   @param why  one line when that cannot be: what is there
   @return HTZ_OK or HTZ_BAD_VALUE
*/
htz_status htz_audio_route_make(const htz_audio_wish* wish, const char* name, unsigned there, htz_audio_route* route, char* why,
                                size_t why_size);

/** Whether the device wants what there is: two channels, left and right. Audio thread. */
HTZ_RT bool htz_audio_route_plain(const htz_audio_route* route);

/** The outputs as htz_audio_format has them. */
void htz_audio_route_tell(const htz_audio_route* route, htz_audio_format* format);

/** Lay interleaved stereo frames into `out` [frames * outputs], silence on all other outputs. Audio thread. */
HTZ_RT void htz_audio_route_block(const htz_audio_route* route, const float* stereo, float* out, uint32_t frames);

/** One side of interleaved stereo frames, or the mean of both, into `out` [frames]. Audio thread. */
HTZ_RT void htz_audio_route_side(const htz_audio_route* route, bool right, const float* stereo, float* out, uint32_t frames);

#endif
