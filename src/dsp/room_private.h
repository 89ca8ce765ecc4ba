#ifndef HERTZIAN_DSP_ROOM_PRIVATE_H
#define HERTZIAN_DSP_ROOM_PRIVATE_H

#include "hertzian/dsp/room.h"

/** Delays are moved by at most so many frames to be mutually prime. */
enum { HTZ_ROOM_SLACK = 32 };

/** Frames of a ring for delays up to `longest`. */
static inline uint32_t htz_room_ring_size(uint32_t longest) {
  return (longest / HTZ_ROOM_CHUNK + 2) * HTZ_ROOM_CHUNK;
}

/** Time between two passes of line `i` in a room of length `size` [m] [s]. */
HTZ_RT double htz_room_pass(double size, uint32_t i);

/** No first reflection comes later than this after the direct sound [s]. */
HTZ_RT double htz_room_latest(double size);

#endif
