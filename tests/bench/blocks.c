// What the blocks of an instrument cost that is played at random: percentiles of the processor time of 64 frames, as shares of their length.
// With keys held, strokes are of all kinds that the file knows, and bows go on until their key is let go. With keys together, all strokes
// of that many are fortissimo, spread evenly over the range: chords.
#include "hertzian/base/rt.h"
#include "hertzian/engine/engine.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
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

static void chord(const htz_spec* spec, htz_engine* engine, uint32_t part, unsigned keys, unsigned* seed) {
  const unsigned span = (unsigned)(spec->key_high - spec->key_low) + 1, first = draw(seed) % (span / keys + 1);
  for (unsigned i = 0; i < keys; ++i) {
    const unsigned key = first + i * span / keys;
    htz_engine_strike(engine, part, (uint32_t)spec->key_low + (key < span ? key : span - 1), 127.0, htz_engine_now(engine));
  }
}

/** How it is played. */
typedef struct {
  double seconds, strokes;
  unsigned held, together;
  bool pedal; // every key is free to ring
} playing;

static int play(const htz_spec* spec, htz_engine* engine, uint32_t part, const playing* p) {
  const size_t quanta = (size_t)(p->seconds * rate_hz / HTZ_QUANTUM);
  const size_t apart = (size_t)(rate_hz / HTZ_QUANTUM / p->strokes), every = apart > 0 ? apart : 1;
  double* cost = malloc(quanta * sizeof *cost);
  unsigned seed = 1, ringing = 0;
  hands h = {.most = p->held < HELD_MAX ? p->held : HELD_MAX};
  for (int key = spec->key_low; p->pedal && key <= spec->key_high; ++key) {
    htz_engine_hold(engine, part, (uint32_t)key, true, htz_engine_now(engine));
  }
  for (size_t q = 0; cost && q < quanta; ++q) {
    float left[HTZ_QUANTUM], right[HTZ_QUANTUM];
    const double start = now_s();
    if (q % every == 0 && p->together > 0) {
      chord(spec, engine, part, p->together, &seed);
    } else if (q % every == 0) {
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
  printf("%s: %zu blocks, up to %u keys: mean %.1f %%, 10 %% %.1f %%, median %.1f %%, 99 %% %.1f %%, 99.9 %% %.1f %%, worst "
         "%.1f %% of "
         "their length; resets %llu\n",
         spec->id, quanta, ringing, 100.0 * sum / (double)quanta, 100.0 * cost[quanta / 10], 100.0 * cost[quanta / 2],
         100.0 * cost[quanta * 99 / 100], 100.0 * cost[quanta * 999 / 1000], 100.0 * cost[quanta - 1],
         (unsigned long long)htz_engine_count(engine).resets);
  free(cost);
  return 0;
}

static int usage(const char* program) {
  fprintf(stderr, "usage: %s FILE [SECONDS [STROKES A SECOND [KEYS HELD]]] [-c KEYS TOGETHER] [-p] [-s NAME=VALUE]...\n",
          program);
  return 2;
}

/** A parameter by its name, to a number or a word of it. @return false when there is no such thing */
static bool apply(const htz_spec* spec, htz_engine* engine, uint32_t part, char* setting) {
  char* value = strchr(setting, '=');
  if (!value) {
    return false;
  }
  *value++ = 0;
  const size_t param = htz_spec_param_find(spec, setting);
  if (param == htz_spec_n_params(spec)) {
    return false;
  }
  const char* const* words = htz_spec_param_words(spec, param);
  for (size_t i = 0; words && words[i]; ++i) {
    if (strcmp(words[i], value) == 0) {
      set(engine, part, param, (double)i);
      return true;
    }
  }
  char* end;
  const double number = strtod(value, &end);
  if (*value == 0 || *end != 0) {
    return false;
  }
  set(engine, part, param, number);
  return true;
}

int main(int argc, char** argv) {
  playing p = {.seconds = 10.0, .strokes = 8.0};
  char* settings[16];
  size_t n_settings = 0, n_words = 0;
  const char* words[4];
  for (int i = 1; i < argc; ++i) {
    if (strcmp(argv[i], "-c") == 0 && i + 1 < argc) {
      p.together = (unsigned)atoi(argv[++i]);
    } else if (strcmp(argv[i], "-s") == 0 && i + 1 < argc && n_settings < 16) {
      settings[n_settings++] = argv[++i];
    } else if (strcmp(argv[i], "-p") == 0) {
      p.pedal = true;
    } else if (argv[i][0] != '-' && n_words < 4) {
      words[n_words++] = argv[i];
    } else {
      return usage(argv[0]);
    }
  }
  if (n_words == 0) {
    return usage(argv[0]);
  }
  p.seconds = n_words > 1 ? atof(words[1]) : p.seconds;
  p.strokes = n_words > 2 ? atof(words[2]) : p.strokes;
  p.held = n_words > 3 ? (unsigned)atoi(words[3]) : 0;
  htz_spec* spec = NULL;
  htz_diags diags;
  htz_arena memory;
  htz_instrument* instrument;
  htz_engine* engine;
  uint32_t part;
  const char* why = "";
  if (htz_spec_load(words[0], &spec, &diags)) {
    htz_diags_print(&diags, stderr);
    return 1;
  }
  htz_rt_flush_denormals();
  const double start = now_s();
  if (htz_instrument_build(spec, rate_hz, htz_kernels_select(), NULL, &memory, &instrument, &why) ||
      htz_engine_new(&(htz_engine_desc){.rate_hz = rate_hz}, &engine) || htz_engine_add_part(engine, instrument, &part)) {
    fprintf(stderr, "%s: %s\n", words[0], why);
    return 1;
  }
  printf("built in %.0f ms; ", 1e3 * (now_s() - start));
  int failed = 0;
  for (size_t i = 0; i < n_settings && !failed; ++i) {
    if (!apply(spec, engine, part, settings[i])) {
      failed = usage(argv[0]);
    }
  }
  failed = failed ? failed : play(spec, engine, part, &p);
  htz_engine_free(engine);
  htz_arena_free(&memory);
  htz_spec_free(spec);
  return failed;
}
