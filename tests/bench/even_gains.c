/*
  For makers of instruments: gain tables that make every key equally loud.

      bench_even_gains FILE.yaml [LEVEL [STEP]]

  Plays every key of the range at velocity 80, measures its largest momentary loudness (ITU-R BS.1770, 400 ms, stereo), and
  prints for each pickup of a key's own bodies, or where there is none for each drive, a table over keys, one point every STEP
  keys (12), to be put in the place of its `gain:`.
  With these tables the middle key peaks at LEVEL dBFS (-22) when struck at velocity 127.
  The last line foretells the spread of loudness that is left between the points of the tables.
*/
#include "sound/loudness.h"
#include "sound/render.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static const double rate_hz = 48000.0;
static const double heard_s = 1.0; // a note is loudest well before this
static const double even_velocity = 80.0;
static const double full_velocity = 127.0;
enum { HOPS_PER_SECOND = 100 };

/** One note with its key held to the end. */
static void play(sound* s, int key, double velocity, note* n) {
  htz_engine_hold(s->engine, 0, (uint32_t)key, true, htz_engine_now(s->engine));
  sound_note(s, (unsigned)key, velocity, 0, (size_t)(heard_s * rate_hz), n);
  htz_engine_hold(s->engine, 0, (uint32_t)key, false, htz_engine_now(s->engine));
}

static double loudness_of(sound* s, int key) {
  note n;
  play(s, key, even_velocity, &n);
  const double lufs = loudness_momentary_max(n.left, n.right, n.frames, rate_hz, (size_t)rate_hz / HOPS_PER_SECOND);
  note_free(&n);
  return lufs;
}

static double peak_db_of(sound* s, int key) {
  note n;
  play(s, key, full_velocity, &n);
  const double peak = fmax(peak_of(n.left, n.frames), peak_of(n.right, n.frames));
  note_free(&n);
  return decibels(peak);
}

typedef struct {
  int low, high, middle, step;
  double correction[HTZ_KEYS]; // [dB]
} plan;

static bool is_point(const plan* p, int key) {
  return key == p->high || (key - p->low) % p->step == 0;
}

static void print_table(const plan* p, const char* what, const char* of, const htz_table* gains) {
  enum { PER_LINE = 8 };
  printf("%s of %s: gain: {", what, of);
  unsigned n = 0;
  for (int key = p->low; key <= p->high; ++key) {
    if (is_point(p, key)) {
      const double gain = htz_table_at(gains, key) * pow(10.0, p->correction[key] / 20.0);
      printf("%s%d: %.3g", n == 0 ? "" : n % PER_LINE ? ", " : ",\n  ", key, gain);
      ++n;
    }
  }
  printf("}\n");
}

static void print_tables(const plan* p, const htz_spec* spec) {
  for (size_t i = 0; i < spec->n_pickups; ++i) {
    print_table(p, "pickup", spec->bodies[spec->pickups[i].of].name, &spec->pickups[i].gain);
  }
  for (size_t i = 0; i < spec->board.n_drives && spec->n_pickups == 0; ++i) {
    print_table(p, "drive", spec->bodies[spec->board.drives[i].from].name, &spec->board.drives[i].gain);
  }
}

/** What is left when the correction is a straight line from point to point. */
static double left_over(const plan* p) {
  double least = HUGE_VAL, most = -HUGE_VAL;
  int from = p->low;
  for (int key = p->low; key <= p->high; ++key) {
    from = is_point(p, key) ? key : from;
    int to = key;
    while (!is_point(p, to)) {
      ++to;
    }
    const double share = to > from ? (double)(key - from) / (to - from) : 0.0;
    const double line = p->correction[from] + share * (p->correction[to] - p->correction[from]);
    least = fmin(least, line - p->correction[key]);
    most = fmax(most, line - p->correction[key]);
  }
  return most - least;
}

int main(int argc, char** argv) {
  sound s;
  if (argc < 2 || !sound_open(&s, argv[1], rate_hz)) {
    fprintf(stderr, "usage: bench_even_gains FILE.yaml [LEVEL [STEP]]\n");
    return 2;
  }
  const bool damped = htz_spec_param_used(s.spec, HTZ_PARAM_DAMPER);
  if (damped && !sound_set(&s, "damper", 0.0)) { // as with the key held
    return 1;
  }
  const double level = argc > 2 ? atof(argv[2]) : -22.0;
  const int step = argc > 3 ? atoi(argv[3]) : 12;
  plan p = {s.spec->key_low, s.spec->key_high, (s.spec->key_low + s.spec->key_high) / 2, step > 0 ? step : 1, {0.0}};
  const double target = loudness_of(&s, p.middle) + level - peak_db_of(&s, p.middle);
  double softest = HUGE_VAL, loudest = -HUGE_VAL;
  for (int key = p.low; key <= p.high; ++key) {
    const double lufs = loudness_of(&s, key);
    softest = fmin(softest, lufs);
    loudest = fmax(loudest, lufs);
    p.correction[key] = target - lufs;
    printf("key %3d  %6.1f LUFS  correction %+5.1f dB\n", key, lufs, p.correction[key]);
  }
  printf("spread now %.1f dB\n", loudest - softest);
  print_tables(&p, s.spec);
  printf("spread then %.1f dB\n", left_over(&p));
  sound_close(&s);
  return 0;
}
