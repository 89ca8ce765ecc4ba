#include "bench_stage.h"
#include "bench_timer.h"

static void strike_range(htz_bench_stage* s, const htz_spec* spec, double velocity) {
  for (int k = spec->key_low; k <= spec->key_high; ++k) {
    htz_engine_hold(s->engine, s->part, (uint32_t)k, true, htz_engine_now(s->engine));
    htz_engine_strike(s->engine, s->part, (uint32_t)k, velocity, htz_engine_now(s->engine));
  }
}

/** All keys ringing freely, mallets gone: cost per key and sample. */
static htz_bench_time time_ringing(htz_bench_stage* s, const htz_spec* spec) {
  htz_bench_stage_set(s, HTZ_PARAM_DECAY, htz_bench_longer);
  strike_range(s, spec, 127.0);
  htz_bench_stage_run(s, htz_bench_flight_s);
  const htz_bench_time t = htz_bench_measure(htz_bench_stage_work, s, HTZ_QUANTUM);
  const double keys = (double)htz_engine_count(s->engine).ringing;
  return (htz_bench_time){t.ns / keys, t.ratio / keys};
}

/** Mean solver steps of a strike, over every key and five velocities. */
static double count_steps(htz_bench_stage* s, const htz_spec* spec) {
  static const double velocities[] = {20.0, 50.0, 80.0, 110.0, 127.0};
  for (size_t v = 0; v < sizeof velocities / sizeof velocities[0]; ++v) {
    strike_range(s, spec, velocities[v]);
    htz_bench_stage_run(s, htz_bench_flight_s);
  }
  const htz_engine_counters c = htz_engine_count(s->engine);
  return (double)c.contact_steps / (double)c.strikes;
}

/** Median over many chords of the worst quantum within 20 ms of ten simultaneous fortissimo strikes. */
static double chord_load(htz_bench_stage* s, const htz_spec* spec) {
  enum { CHORDS = 21, NOTES = 10, QUANTA = 15 };
  double worst[CHORDS];
  const double deadline = 1e9 * HTZ_QUANTUM / s->instrument->rate_hz;
  const int span = spec->key_high - spec->key_low;
  for (int c = 0; c < CHORDS; ++c) {
    for (int n = 0; n < NOTES; ++n) {
      const uint32_t key = (uint32_t)(spec->key_low + n * span / (NOTES - 1));
      htz_engine_strike(s->engine, s->part, key, 127.0, htz_engine_now(s->engine));
    }
    worst[c] = 0.0;
    for (int q = 0; q < QUANTA; ++q) {
      const double start = htz_bench_cpu_ns();
      htz_engine_quantum(s->engine, s->left, s->right);
      const double load = (htz_bench_cpu_ns() - start) / deadline;
      worst[c] = load > worst[c] ? load : worst[c];
    }
    htz_bench_stage_run(s, 0.1);
  }
  return htz_bench_median(CHORDS, worst);
}

htz_status htz_bench_run_instrument(const htz_spec* spec, double rate_hz, htz_bench_instrument* out, const char** why) {
  htz_bench_stage s;
  const double start = htz_bench_now_ns();
  htz_status st = htz_bench_stage_open(&s, spec, rate_hz, why);
  *out = (htz_bench_instrument){.build_ms = (htz_bench_now_ns() - start) * 1e-6};
  if (!st) {
    out->memory = s.arena.used;
    out->modes_per_key = (double)s.instrument->n_modes / (double)htz_spec_count_keys(spec);
    htz_rt_flush_denormals();
    out->steps_per_strike = count_steps(&s, spec);
    out->chord_load = chord_load(&s, spec);
    out->ringing = time_ringing(&s, spec);
    out->keys_sustained = 1e9 / (out->ringing.ns * rate_hz);
  }
  htz_bench_stage_close(&s);
  return st;
}
