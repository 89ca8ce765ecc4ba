#include "stage.h"

#include "check.h"

#include <stdio.h>
#include <string.h>

void stage_open(stage* s, const char* path, double rate_hz, size_t rings) {
  char full[1024];
  htz_diags diags;
  const char* why = "";
  memset(s, 0, sizeof *s);
  snprintf(full, sizeof full, "%s/%s", HTZ_SOURCE_DIR, path);
  const htz_status st = htz_spec_load(full, &s->spec, &diags);
  if (st) {
    htz_diags_print(&diags, stderr);
  }
  assert_int_equal(st, HTZ_OK);
  assert_int_equal(htz_instrument_build(s->spec, rate_hz, htz_kernels_select(), NULL, &s->memory, &s->instrument, &why),
                   HTZ_OK);
  const htz_engine_desc desc = {.rate_hz = rate_hz, .rings = rings, .ring_capacity = 1024};
  assert_int_equal(htz_engine_new(&desc, &s->engine), HTZ_OK);
  assert_int_equal(htz_engine_add_part(s->engine, s->instrument, &s->part), HTZ_OK);
}

void stage_close(stage* s) {
  htz_engine_free(s->engine);
  htz_arena_free(&s->memory);
  htz_spec_free(s->spec);
}

void stage_run(stage* s, size_t quanta, float* left, float* right) {
  float l[HTZ_QUANTUM], r[HTZ_QUANTUM];
  htz_rt_enter();
  for (size_t q = 0; q < quanta; ++q) {
    htz_engine_quantum(s->engine, left ? left + q * HTZ_QUANTUM : l, right ? right + q * HTZ_QUANTUM : r);
  }
  htz_rt_leave();
}

void stage_set(stage* s, htz_param_index index, double value) {
  assert_true((int)index >= (int)HTZ_PARAM_NAMED || htz_spec_param_used(s->spec, index));
  const htz_param_change change = {
      .frame = htz_engine_now(s->engine), .value = value, .part = (uint16_t)s->part, .key = HTZ_KEY_ALL, .index = index};
  htz_engine_change(s->engine, &change);
}
