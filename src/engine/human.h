#ifndef HERTZIAN_ENGINE_HUMAN_H
#define HERTZIAN_ENGINE_HUMAN_H

#include "hertzian/base/rt.h"
#include "hertzian/contact/island.h"

#include <stdint.h>

/*
   No two strokes alike. What a player's hand adds to a stroke is drawn once, at the note-on, from a hash of which stroke it is: the
   same part, key and number give the same draw on every machine, in any block size, live and rendered. Integers only until the last step.
*/

/** Which stroke: all that the draw depends on. */
typedef struct {
  uint32_t seed;   ///< of the performance
  uint32_t player; ///< whose hand
  uint32_t key;    ///< 0..127
  uint32_t stroke; ///< of that key since its part was made, from 0
} htz_human_which;

/** Bits of the stroke that its slow movements are drawn from. Audio thread; so is all below. */
HTZ_RT uint64_t htz_human_bits(const htz_human_which* which);

/** Factor on how hard this stroke is; 1 with `human` 0. */
HTZ_RT double htz_human_effort(const htz_human_which* which, double human);

/** Scatter speed, direction, tilt, place and felt of `strike` as a hand of `human` 0..1 would; 0 changes no bit. */
HTZ_RT void htz_human_vary(const htz_human_which* which, double human, htz_strike* strike);

/**
   A slow movement, `seconds` into the stroke of `bits`: smooth, between -1 and 1, within half a second anything of that. Movements of
   different `line` have nothing to do with each other.
*/
HTZ_RT double htz_human_wander(uint64_t bits, uint32_t line, double seconds);

#endif
