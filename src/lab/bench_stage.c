#include "bench_stage.h"

#include <string.h>

htz_status htz_bench_stage_open(htz_bench_stage* s, const htz_spec* spec, double rate_hz, const char** why) {
  memset(s, 0, sizeof *s);
  const htz_engine_desc desc = {.rate_hz = rate_hz};
  htz_status st = htz_engine_new(&desc, &s->engine);
  st = st ? st : htz_instrument_build(spec, rate_hz, htz_kernels_select(), NULL, &s->arena, &s->instrument, why);
  if (st) {
    return st;
  }
  s->instrument->params[HTZ_PARAM_ROOM] = 0.0; // what is measured is the instrument
  return htz_engine_add_part(s->engine, s->instrument, &s->part);
}

void htz_bench_stage_close(htz_bench_stage* s) {
  htz_engine_free(s->engine);
  htz_arena_free(&s->arena);
}

void htz_bench_stage_set(htz_bench_stage* s, htz_param_index index, double value) {
  const htz_param_change change = {
      .value = value, .part = (uint16_t)s->part, .key = HTZ_KEY_ALL, .index = index, .frame = htz_engine_now(s->engine)};
  htz_engine_change(s->engine, &change);
}

void htz_bench_stage_work(void* context) {
  htz_bench_stage* s = context;
  htz_engine_quantum(s->engine, s->left, s->right);
}

void htz_bench_stage_run(htz_bench_stage* s, double seconds) {
  for (double t = 0.0; t < seconds; t += HTZ_QUANTUM / s->instrument->rate_hz) {
    htz_bench_stage_work(s);
  }
}
