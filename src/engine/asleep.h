#ifndef HERTZIAN_ENGINE_ASLEEP_H
#define HERTZIAN_ENGINE_ASLEEP_H

#include "hertzian/contact/island.h"
#include "hertzian/engine/engine.h"

/**
   A key or board of which no more than this sample value (-120 dBFS) is heard sleeps: what its output can reach at all is less, by its energy,
   or, looked at now and then, a sine of the power that its output has. What swings free only gets softer.
*/
#define HTZ_ASLEEP_BELOW 1e-6

/**
   Whether it is number `which`'s turn to be looked at closely, `quanta` after it woke, which are counted: every 32nd, not all at once.
   What is played again sleeps where it did, whenever that is.
*/
static inline bool htz_looks_closely(uint32_t* quanta, uint32_t which) {
  enum { EVERY = 32 };
  return (++*quanta + which) % EVERY == 0;
}

/**
   What key `which` is held against that to know whether it sleeps, as a sample value: `loudness`, the bound, or, when it is its turn and the
   island knows, `factor` times the amplitude of what it gives. Audio thread.
*/
static inline double htz_lasting(const htz_island* island, uint32_t* quanta, uint32_t which, double factor, double loudness) {
  const bool closely = island->cls->level && loudness >= HTZ_ASLEEP_BELOW && htz_looks_closely(quanta, which);
  return closely ? factor * island->cls->level(island) : loudness;
}

/** The board sounds from now on. Audio thread. */
HTZ_RT void htz_part_wake_board(struct htz_part* p);

#endif
