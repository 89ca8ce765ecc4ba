#include "bench_stage.h"

#include "hertzian/lab/note.h"

#include <stdlib.h>

struct htz_lab_voice {
  htz_bench_stage stage;
};

htz_status htz_lab_voice_new(const htz_spec* spec, double rate_hz, bool dry, htz_lab_voice** out, const char** why) {
  htz_lab_voice* v = calloc(1, sizeof *v);
  *out = NULL;
  *why = NULL;
  if (!v) {
    return HTZ_NO_MEMORY;
  }
  const htz_status st = htz_bench_stage_open(&v->stage, spec, rate_hz, why);
  if (st) {
    htz_lab_voice_free(v);
    return st;
  }
  if (!dry && htz_spec_param_used(spec, HTZ_PARAM_ROOM)) {
    htz_bench_stage_set(&v->stage, HTZ_PARAM_ROOM, spec->params[HTZ_PARAM_ROOM]);
  }
  *out = v;
  return HTZ_OK;
}

void htz_lab_voice_set(htz_lab_voice* v, size_t param, double value) {
  htz_bench_stage_set(&v->stage, (htz_param_index)param, value);
}

static void rest(htz_bench_stage* s) {
  static const double patience_s = 10.0; // a room rings on after the keys
  htz_engine_silence(s->engine, s->part, htz_engine_now(s->engine));
  const uint64_t end = htz_engine_now(s->engine) + (uint64_t)(patience_s * s->instrument->rate_hz);
  do {
    htz_bench_stage_work(s);
  } while (!htz_engine_asleep(s->engine) && htz_engine_now(s->engine) < end);
}

void htz_lab_voice_note(htz_lab_voice* v, int key, double velocity, size_t held, size_t frames, float* out) {
  htz_bench_stage* s = &v->stage;
  rest(s);
  htz_engine_hold(s->engine, s->part, (uint32_t)key, true, htz_engine_now(s->engine));
  htz_engine_strike(s->engine, s->part, (uint32_t)key, velocity, htz_engine_now(s->engine));
  bool down = true;
  for (size_t at = 0; at + HTZ_QUANTUM <= frames; at += HTZ_QUANTUM) {
    if (down && at >= held) {
      htz_engine_hold(s->engine, s->part, (uint32_t)key, false, htz_engine_now(s->engine));
      down = false;
    }
    htz_bench_stage_work(s);
    for (size_t i = 0; i < HTZ_QUANTUM; ++i) {
      out[2 * (at + i)] = s->left[i];
      out[2 * (at + i) + 1] = s->right[i];
    }
  }
  if (down) {
    htz_engine_hold(s->engine, s->part, (uint32_t)key, false, htz_engine_now(s->engine));
  }
}

uint64_t htz_lab_voice_resets(const htz_lab_voice* v) {
  return htz_engine_count(v->stage.engine).resets;
}

void htz_lab_voice_free(htz_lab_voice* v) {
  if (v) {
    htz_bench_stage_close(&v->stage);
    free(v);
  }
}
