#ifndef HTZ_TEST_COUNTED_H
#define HTZ_TEST_COUNTED_H

#include "check.h"
#include "sound/render.h"

/** Close it: no key was reset meanwhile, and no solver stopped at its bound. */
static inline void close_counted(sound* s) {
  const htz_engine_counters c = htz_engine_count(s->engine);
  assert_int_equal(c.resets, 0);
  assert_int_equal(c.solver_bounds, 0);
  sound_close(s);
}

#endif
