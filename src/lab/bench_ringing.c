#include "bench_stage.h"
#include "bench_timer.h"

/** Let `struck` keys, spread over the range, ring. */
static htz_bench_ringing_point measure(htz_bench_stage* s, const htz_spec* spec, unsigned struck) {
  const unsigned span = (unsigned)(spec->key_high - spec->key_low);
  for (unsigned i = 0; i < struck; ++i) {
    const uint32_t key = (uint32_t)spec->key_low + (struck > 1 ? i * span / (struck - 1) : span / 2);
    htz_engine_hold(s->engine, s->part, key, true, htz_engine_now(s->engine));
    htz_engine_strike(s->engine, s->part, key, 127.0, htz_engine_now(s->engine));
  }
  htz_bench_stage_run(s, htz_bench_flight_s);
  htz_bench_ringing_point p = {.struck = struck};
  p.sample = htz_bench_measure(htz_bench_stage_work, s, HTZ_QUANTUM);
  p.ringing = htz_engine_count(s->engine).ringing;
  p.load = p.sample.ns * 1e-9 * s->instrument->rate_hz;
  return p;
}

htz_status htz_bench_run_ringing(const htz_spec* spec, double rate_hz, bool two_way, htz_bench_ringing* out, const char** why) {
  htz_bench_stage s;
  *out = (htz_bench_ringing){.two_way = two_way};
  const htz_status st = htz_bench_stage_open(&s, spec, rate_hz, why);
  const unsigned keys = (unsigned)(spec->key_high - spec->key_low) + 1;
  if (!st) {
    htz_rt_flush_denormals();
    htz_bench_stage_set(&s, HTZ_PARAM_BOARD, two_way ? 1.0 : 0.0);
    htz_bench_stage_set(&s, HTZ_PARAM_DECAY, htz_bench_longer);
    // Doubled each time, and all: those that rang before are struck again or go on.
    for (unsigned struck = 1; out->n < HTZ_BENCH_POINTS_MAX; struck = 2 * struck < keys ? 2 * struck : keys) {
      out->point[out->n++] = measure(&s, spec, struck);
      if (struck == keys) {
        break;
      }
    }
  }
  htz_bench_stage_close(&s);
  return st;
}
