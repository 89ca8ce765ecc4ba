#ifndef HERTZIAN_LAB_BENCH_STAGE_H
#define HERTZIAN_LAB_BENCH_STAGE_H

#include "hertzian/engine/engine.h"

// Longer than any mallet stays on what it strikes [s].
static const double htz_bench_flight_s = 0.06;

// Factor on all decay times: what rings still does when the timing ends.
static const double htz_bench_longer = 20.0;

/** An engine with one instrument, dry, to be measured. */
typedef struct {
  htz_engine* engine;
  htz_arena arena;
  htz_instrument* instrument;
  uint32_t part;
  float left[HTZ_QUANTUM], right[HTZ_QUANTUM];
} htz_bench_stage;

/** @return HTZ_OK or why it could not be built; to be closed in any case */
htz_status htz_bench_stage_open(htz_bench_stage* s, const htz_spec* spec, double rate_hz, const char** why);
void htz_bench_stage_close(htz_bench_stage* s);

/** Set a parameter of all keys, from the next quantum on. */
void htz_bench_stage_set(htz_bench_stage* s, htz_param_index index, double value);

void htz_bench_stage_run(htz_bench_stage* s, double seconds);

/** One quantum, for htz_bench_measure(). @param context a htz_bench_stage */
void htz_bench_stage_work(void* context);

#endif
