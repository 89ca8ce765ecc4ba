// What the blocks of an instrument cost that is played at random: percentiles of the processor time of 64 frames, as shares of their length.
// With keys held, strokes are of all kinds that the file knows, and bows go on until their key is let go.
#include "hertzian/engine/engine.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static const double rate_hz = 48000.0;

static double now_s(void) {
  struct timespec t;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static int ascending(const void* a, const void* b) {
  const double x = *(const double*)a, y = *(const double*)b;
  return (x > y) - (x < y);
}

static unsigned draw(unsigned* state) {
  *state = *state * 1664525u + 1013904223u;
  return *state >> 8;
}

enum { HELD_MAX = 64 };

/** Keys that are held down: a stroke holds its key, and the one held longest is let go. */
typedef struct {
  unsigned n, most, first, keys[HELD_MAX];
} hands;

static void set(htz_engine* engine, uint32_t part, size_t param, double value) {
  const htz_param_change change = {
      .frame = htz_engine_now(engine), .value = value, .part = (uint16_t)part, .key = HTZ_KEY_ALL, .index = (uint32_t)param};
  htz_engine_change(engine, &change);
}

/** Whatever the file can do at a key, at random: bow, mallet or pin, and which mallet. */
static void choose(const htz_spec* spec, htz_engine* engine, uint32_t part, unsigned* seed) {
  if (htz_spec_param_used(spec, HTZ_PARAM_GESTURE)) {
    double value = draw(seed) % HTZ_EXCITES;
    while (!htz_spec_param_has(spec, HTZ_PARAM_GESTURE, value)) {
      value = draw(seed) % HTZ_EXCITES;
    }
    set(engine, part, HTZ_PARAM_GESTURE, value);
  }
  if (htz_spec_param_used(spec, HTZ_PARAM_MALLET_KIND)) {
    set(engine, part, HTZ_PARAM_MALLET_KIND, draw(seed) % 2);
  }
}

static void stroke(const htz_spec* spec, htz_engine* engine, uint32_t part, unsigned* seed, hands* h) {
  const uint64_t now = htz_engine_now(engine);
  const unsigned key = (unsigned)spec->key_low + draw(seed) % (unsigned)(spec->key_high - spec->key_low + 1);
  if (h->most > 0) {
    choose(spec, engine, part, seed);
  }
  htz_engine_strike(engine, part, key, 40.0 + draw(seed) % 88, now);
  if (h->n == h->most && h->n > 0) {
    htz_engine_hold(engine, part, h->keys[h->first], false, now);
    h->first = (h->first + 1) % h->most;
    --h->n;
  }
  if (h->most > 0) {
    h->keys[(h->first + h->n++) % h->most] = key;
    htz_engine_hold(engine, part, key, true, now);
  }
}

static int play(const htz_spec* spec, htz_engine* engine, uint32_t part, size_t quanta, size_t every, unsigned held) {
  double* cost = malloc(quanta * sizeof *cost);
  unsigned seed = 1, ringing = 0;
  hands h = {.most = held < HELD_MAX ? held : HELD_MAX};
  for (size_t q = 0; cost && q < quanta; ++q) {
    float left[HTZ_QUANTUM], right[HTZ_QUANTUM];
    const double start = now_s();
    if (q % every == 0) {
      stroke(spec, engine, part, &seed, &h);
    }
    htz_engine_quantum(engine, left, right);
    cost[q] = (now_s() - start) * rate_hz / HTZ_QUANTUM;
    const unsigned awake = htz_engine_count(engine).ringing;
    ringing = awake > ringing ? awake : ringing;
  }
  if (!cost) {
    return 1;
  }
  qsort(cost, quanta, sizeof *cost, ascending);
  double sum = 0.0;
  for (size_t q = 0; q < quanta; ++q) {
    sum += cost[q];
  }
  printf("%s: %zu blocks, up to %u keys: mean %.1f %%, median %.1f %%, 99 %% %.1f %%, 99.9 %% %.1f %% of their length; resets "
         "%llu\n",
         spec->id, quanta, ringing, 100.0 * sum / (double)quanta, 100.0 * cost[quanta / 2], 100.0 * cost[quanta * 99 / 100],
         100.0 * cost[quanta * 999 / 1000], (unsigned long long)htz_engine_count(engine).resets);
  free(cost);
  return 0;
}

int main(int argc, char** argv) {
  if (argc < 2) {
    fprintf(stderr, "usage: %s FILE [SECONDS [STROKES A SECOND [KEYS HELD]]]\n", argv[0]);
    return 2;
  }
  const double seconds = argc > 2 ? atof(argv[2]) : 10.0, strokes = argc > 3 ? atof(argv[3]) : 8.0;
  const double quanta = seconds * rate_hz / HTZ_QUANTUM, every = rate_hz / HTZ_QUANTUM / strokes;
  htz_spec* spec = NULL;
  htz_diags diags;
  htz_arena memory;
  htz_instrument* instrument;
  htz_engine* engine;
  uint32_t part;
  const char* why = "";
  if (htz_spec_load(argv[1], &spec, &diags)) {
    htz_diags_print(&diags, stderr);
    return 1;
  }
  if (htz_instrument_build(spec, rate_hz, htz_kernels_select(), NULL, &memory, &instrument, &why) ||
      htz_engine_new(&(htz_engine_desc){.rate_hz = rate_hz}, &engine) || htz_engine_add_part(engine, instrument, &part)) {
    fprintf(stderr, "%s: %s\n", argv[1], why);
    return 1;
  }
  const int failed =
      play(spec, engine, part, (size_t)quanta, every > 1.0 ? (size_t)every : 1, argc > 4 ? (unsigned)atoi(argv[4]) : 0);
  htz_engine_free(engine);
  htz_arena_free(&memory);
  htz_spec_free(spec);
  return failed;
}
