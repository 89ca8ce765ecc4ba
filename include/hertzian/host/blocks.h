#ifndef HERTZIAN_HOST_BLOCKS_H
#define HERTZIAN_HOST_BLOCKS_H

#include "hertzian/base/rt.h"
#include "hertzian/dsp/kernels.h"

#include <stdbool.h>
#include <stdint.h>

/** Quanta in, blocks of any size out: what is left of a quantum waits for the next block. Interleaved stereo. Audio thread. */
typedef struct {
  uint32_t at, left; ///< [frame]
  float waiting[HTZ_QUANTUM * 2];
} htz_blocks;

/** Produces the next HTZ_QUANTUM interleaved frames. */
typedef void (*htz_blocks_source)(void* user, float* both);

/** Fill `frames` frames of `out`, asking `source` for as many quanta as it takes; whole ones go straight there. */
HTZ_RT void htz_blocks_fill(htz_blocks* blocks, htz_blocks_source source, void* user, float* out, uint32_t frames);

/** True when nothing is heard of what is left of a quantum. */
HTZ_RT bool htz_blocks_silent(const htz_blocks* blocks);

/**
   Frames of silence to begin with so that an event is never too late for its frame when every block has `frames` frames: quanta are
   computed whole, so the engine may be ahead of what was asked for. 0: blocks of any size. Any thread. @return 0..HTZ_QUANTUM - 1
*/
HTZ_RT uint32_t htz_blocks_ahead(uint32_t frames);

#endif
