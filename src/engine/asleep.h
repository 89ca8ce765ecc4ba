#ifndef HERTZIAN_ENGINE_ASLEEP_H
#define HERTZIAN_ENGINE_ASLEEP_H

#include "hertzian/engine/engine.h"

/**
   A key or board of which no more than this sample value (-120 dBFS) is heard sleeps: what its output can reach at all is less, by its energy,
   or, looked at now and then, a sine of the power that its output has. What swings free only gets softer.
*/
#define HTZ_ASLEEP_BELOW 1e-6

/** Whether it is number `which`'s turn to be looked at closely, in the quantum that begins at frame `now`: every 32nd, some each. */
static inline bool htz_looks_closely(uint64_t now, uint32_t which) {
  enum { EVERY = 32 };
  return (now / HTZ_QUANTUM + which) % EVERY == 0;
}

#endif
