#ifndef HTZ_TEST_STAGE_H
#define HTZ_TEST_STAGE_H

#include "hertzian/engine/engine.h"

/** An engine playing one instrument from the source tree, for tests. */
typedef struct {
  htz_spec* spec;
  htz_arena memory;
  htz_instrument* instrument;
  htz_engine* engine;
  uint32_t part;
} stage;

/** Load `path` (below the source folder), build it at `rate_hz` and make it part 0 of an engine with `rings` rings. */
void stage_open(stage* s, const char* path, double rate_hz, size_t rings);
void stage_close(stage* s);

/** Advance by `quanta` quanta inside a real-time section, writing left and right when they are not NULL. */
void stage_run(stage* s, size_t quanta, float* left, float* right);

/** Change a parameter of the part at the next quantum. */
void stage_set(stage* s, htz_param_index index, double value);

#endif
