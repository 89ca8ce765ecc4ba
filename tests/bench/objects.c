/*
  For makers of kits: what every object of an instrument costs while it sounds, and what those named cost together.

      bench_objects NAME [KEY...]

  A line for each object of instruments/NAME.yaml: its lowest key is struck four times a second at velocity 100 for two seconds; processor
  time of that thread as a share of the time that it lasts (100 %: a core), of the first half second, of all, and of the second after it, in
  which nothing is struck. Then the keys named together, one after the other in sixteenths at 120 beats a minute, for four seconds.
  Dry: without a room. An idle machine tells; a busy one tells too much. Instructions in place of times:
  valgrind --tool=callgrind --toggle-collect=htz_engine_quantum.
*/
#include "sound/render.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#ifdef HTZ_CALLGRIND // by hand
#include <valgrind/callgrind.h>
#else
#define CALLGRIND_START_INSTRUMENTATION
#define CALLGRIND_STOP_INSTRUMENTATION
#define CALLGRIND_ZERO_STATS
#define CALLGRIND_DUMP_STATS_AT(name) (void)(name)
#endif

static const double rate_hz = 48000.0;
static const double velocity = 100.0;

enum { KEYS_MAX = 32, SECOND = 750, BEFORE = 2, STROKES = 4, TOGETHER = 8 }; // quanta; seconds; a second

static double now_s(void) {
  struct timespec t;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/** Strike `keys` in turn every SECOND/`strokes` quanta, or nothing. @return share of a core */
static double play(sound* s, const int* keys, size_t n_keys, size_t quanta, size_t strokes) {
  float left[HTZ_QUANTUM], right[HTZ_QUANTUM];
  size_t next = 0, turn = 0;
  const double began = now_s();
  for (size_t q = 0; q < quanta; ++q) {
    if (n_keys > 0 && q == next * SECOND / strokes) {
      htz_engine_strike(s->engine, 0, (uint32_t)keys[turn], velocity, htz_engine_now(s->engine));
      turn = (turn + 1) % n_keys;
      ++next;
    }
    htz_engine_quantum(s->engine, left, right);
  }
  return (now_s() - began) / ((double)quanta * HTZ_QUANTUM / rate_hz);
}

static void measure(const char* path, const char* name, const int* keys, size_t n_keys, size_t strokes, size_t seconds) {
  uint64_t some[HTZ_KEYS / 64] = {0};
  sound s;
  for (size_t i = 0; i < n_keys; ++i) {
    some[keys[i] / 64] |= UINT64_C(1) << (keys[i] % 64);
  }
  if (!sound_open_keys(&s, path, rate_hz, some)) {
    return;
  }
  if (sound_set(&s, "room", 0.0)) {
    CALLGRIND_START_INSTRUMENTATION;
    CALLGRIND_ZERO_STATS;
    const double first = play(&s, keys, n_keys, SECOND / 2, strokes);
    const double rest = play(&s, keys, n_keys, seconds * SECOND - SECOND / 2, strokes);
    CALLGRIND_DUMP_STATS_AT(name);
    const double after = play(&s, keys, 0, SECOND, strokes);
    CALLGRIND_STOP_INSTRUMENTATION;
    const double all = (0.5 * first + ((double)seconds - 0.5) * rest) / (double)seconds;
    printf("%-16s %3d  %6.2f %% %6.2f %% %6.2f %%\n", name, keys[0], 100.0 * first, 100.0 * all, 100.0 * after);
    fflush(stdout);
  }
  sound_close(&s);
}

int main(int argc, char** argv) {
  char path[HTZ_PATH_MAX];
  int keys[KEYS_MAX];
  size_t n = 0;
  if (argc < 2) {
    fprintf(stderr, "bench_objects NAME [KEY...]\n");
    return 2;
  }
  for (int i = 2; i < argc && n < KEYS_MAX; ++i) {
    const long key = strtol(argv[i], NULL, 10);
    if (key < 0 || key >= HTZ_KEYS) {
      fprintf(stderr, "bench_objects: %s is no key\n", argv[i]);
      return 2;
    }
    keys[n++] = (int)key;
  }
  instrument_path(argv[1], path);
  htz_spec* spec = NULL;
  htz_diags diags;
  htz_diags_init(&diags, path);
  if (htz_spec_load(path, &spec, &diags)) {
    htz_diags_print(&diags, stderr);
    return 1;
  }
  printf("%-16s %3s  %8s %8s %8s\n", "object", "key", "first", "all", "after");
  for (size_t o = 0; o < spec->n_objects; ++o) {
    int key = 0;
    while (key < HTZ_KEYS && htz_spec_object(spec, key) != spec->objects[o]) {
      ++key;
    }
    if (key < HTZ_KEYS) {
      measure(path, spec->objects[o]->name ? spec->objects[o]->name : spec->name, &key, 1, STROKES, BEFORE);
    }
  }
  if (n > 0) {
    measure(path, "together", keys, n, TOGETHER, 2 * BEFORE);
  }
  htz_spec_free(spec);
  return 0;
}
