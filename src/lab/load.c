#include "hertzian/lab/load.h"

#include "bench_stage.h"
#include "bench_timer.h"

#include <stdlib.h>

enum { NOTES = 10, FRAMES_MOST = 8192 };

static const double length_s = 4.0;
static const double chord_s = 0.5;
static const double velocity = 110.0;
static const double room_for_more = 2.0 / 3.0; // share of a block's time: drivers, other programs and a fuller chord want some

// What a quantum took [ns]: of this thread, and by the clock.
typedef struct {
  double own, clock;
} taken;

static void chord(htz_bench_stage* s, const htz_spec* spec, unsigned number) {
  const int span = spec->key_high - spec->key_low;
  for (int n = 0; n < NOTES; ++n) {
    // Moved up with every chord, so that more and more keys ring.
    const int above = span > 0 ? (n * span / (NOTES - 1) + 2 * (int)number) % (span + 1) : 0;
    const uint32_t key = (uint32_t)(spec->key_low + above);
    htz_engine_hold(s->engine, s->part, key, true, htz_engine_now(s->engine));
    htz_engine_strike(s->engine, s->part, key, velocity, htz_engine_now(s->engine));
  }
}

static void play(htz_bench_stage* s, const htz_spec* spec, taken* quantum, size_t n) {
  const size_t between = (size_t)(chord_s * s->instrument->rate_hz / HTZ_QUANTUM);
  htz_rt_flush_denormals();
  for (size_t q = 0; q < n; ++q) {
    if (q % between == 0) {
      chord(s, spec, (unsigned)(q / between));
    }
    const double own = htz_bench_cpu_ns(), clock = htz_bench_now_ns();
    htz_engine_quantum(s->engine, s->left, s->right);
    quantum[q] = (taken){htz_bench_cpu_ns() - own, htz_bench_now_ns() - clock};
  }
}

// Of blocks of `frames`; in a smaller one than a quantum a whole one may be due, though not in the next.
static taken worst_of(const taken* quantum, size_t n, unsigned frames) {
  const size_t together = frames > HTZ_QUANTUM ? frames / HTZ_QUANTUM : 1;
  taken worst = {0};
  for (size_t q = 0; q + together <= n; q += together) {
    taken sum = {0};
    for (size_t i = 0; i < together; ++i) {
      sum.own += quantum[q + i].own;
      sum.clock += quantum[q + i].clock;
    }
    worst.own = sum.own > worst.own ? sum.own : worst.own;
    worst.clock = sum.clock > worst.clock ? sum.clock : worst.clock;
  }
  return worst;
}

static double block_ns(double rate_hz, unsigned frames) {
  return 1e9 * (frames > HTZ_QUANTUM ? frames : HTZ_QUANTUM) / rate_hz;
}

htz_status htz_load_measure(const htz_spec* spec, double rate_hz, unsigned frames, htz_load* out, const char** why) {
  htz_bench_stage s;
  const size_t n = (size_t)(length_s * rate_hz / HTZ_QUANTUM);
  *out = (htz_load){0};
  taken* quantum = calloc(n, sizeof *quantum);
  if (!quantum) {
    return HTZ_NO_MEMORY;
  }
  const htz_status st = htz_bench_stage_open(&s, spec, rate_hz, why);
  if (!st) {
    play(&s, spec, quantum, n);
    for (size_t q = 0; q < n; ++q) {
      out->mean += quantum[q].own / (double)n / block_ns(rate_hz, HTZ_QUANTUM);
    }
    const taken worst = worst_of(quantum, n, frames);
    out->worst = worst.own / block_ns(rate_hz, frames);
    out->disturbed = worst.clock / block_ns(rate_hz, frames);
    out->ringing = htz_engine_count(s.engine).ringing;
    for (unsigned f = HTZ_QUANTUM; f <= FRAMES_MOST && out->frames == 0; f *= 2) {
      out->frames = worst_of(quantum, n, f).own / block_ns(rate_hz, f) <= room_for_more ? f : 0;
    }
  }
  htz_bench_stage_close(&s);
  free(quantum);
  return st;
}
