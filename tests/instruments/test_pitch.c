/*
   Pitch and decay of every partial that can be heard of an uncoupled body, from rendered audio.

   Theory is written out here and not taken from the program: equal temperament on A4 = 440 Hz, the ratios a bar is cut to, those
   of a uniform bar, the stiff string; decay rates from the instrument file's own times. Only the higher modes of the cut bar,
   which have no closed form, are those of the model (its own test checks them against a finer solution).

   Tolerances, 0.5 cent and 5 % of T60, are what a listener cannot hear; the scheme itself is exact and the fit's own error is
   below a hundredth of that (test_analysis).
*/
#include "check.h"
#include "sound/partials.h"
#include "sound/render.h"
#include "sound/theory.h"

#include "hertzian/model/bodies.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double pi = 3.14159265358979323846;

static const double cents_allowed = 0.5;
static const double t60_allowed = 0.05;
static const double velocity = 100.0;
static const double settle_s = 0.050;  // measured from here on, or from the last contact
static const double floor_db = -80.0;  // partials weaker than this, to the strongest, are not asked for
static const double node_share = 0.05; // nor those struck or heard at a node: less than this of the mode's maximum
static const double hearing_hz = 20000.0;
static const double rate_share = 0.45;
static const double shortest_fall_s = 0.010; // a fall of 20 dB faster than this is measured on the body's free response
static const partial_window window_at_1_hz = {.rate_hz = 1.0, .drop_db = 20.0, .longest_s = 1.0};
enum { PARTIALS_MAX = 1024 };

/** Everything known of one key's struck body. */
typedef struct {
  const char* what;
  int key;
  double rate_hz;
  htz_modes modes;
  size_t n; // partials: modes that are heard below the limits of hearing
  size_t mode[PARTIALS_MAX];
  partial p[PARTIALS_MAX];
  bool fast[PARTIALS_MAX]; // too fast for audio
  double level_db[PARTIALS_MAX];
  double strike, heard;
} subject;

typedef struct {
  bool quiet; // failures are expected
  size_t checked, fast, failed;
  double worst_cents, worst_t60;
} tally;

static partial_window window_at(double rate_hz) {
  partial_window w = window_at_1_hz;
  w.rate_hz = rate_hz;
  return w;
}

/** Decay rate of a bar's partial: a line in frequency through the file's two times, at the first partial and at ten times it. */
static double bar_sigma(const htz_spec* spec, int key, double hz) {
  const double first = 3.0 * log(10.0) / property(spec, "t60", key);
  const double tenth = 3.0 * log(10.0) / property(spec, "t60_high", key);
  return first + (tenth - first) * (hz / pitch(key) - 1.0) / 9.0;
}

/** Bending mode k = 1, 2, ... of a uniform free bar over the first: squares of the roots of cos x cosh x = 1. */
static double uniform_bar_ratio(size_t k) {
  double root[2];
  for (size_t i = 0; i < 2; ++i) {
    double low = ((double)(i ? k : 1) + 0.25) * pi, high = low + 0.5 * pi;
    for (size_t step = 0; step < 60; ++step) { // bisection to the last bit
      const double x = 0.5 * (low + high);
      // cos x - 1/cosh x changes sign once between (k + 1/4) pi and (k + 3/4) pi
      const bool below = (cos(x) - 1.0 / cosh(x) < 0.0) == (cos(low) - 1.0 / cosh(low) < 0.0);
      *(below ? &low : &high) = x;
    }
    root[i] = low;
  }
  return root[1] * root[1] / (root[0] * root[0]);
}

/** Expected frequency and decay of bending mode k = 1, 2, ... of a bar; `modes` only for what has no closed form. */
static void bar_theory(const subject* s, const htz_spec* spec, size_t mode, partial* p) {
  static const double cut[] = {1.0, 4.0, 10.0};
  size_t rigid = 0;
  while (!s->modes.audible[rigid]) {
    ++rigid;
  }
  const size_t k = mode - rigid + 1;
  if (strcmp(s->what, "glockenspiel") == 0) {
    p->hz = pitch(s->key) * uniform_bar_ratio(k);
  } else {
    p->hz = k <= 3 ? pitch(s->key) * cut[k - 1] : s->modes.omega[mode] / (2.0 * pi);
  }
  p->sigma = bar_sigma(spec, s->key, p->hz);
}

/** f_n = n f0 sqrt(1 + B n^2), f_1 in tune; B = pi^3 E d^4 / (64 T L^2), T from f0 = sqrt(T/mu)/2L. */
static void string_theory(const subject* s, const htz_spec* spec, size_t mode, partial* p) {
  static const double young = 205e9; // steel [Pa]
  const double length = property(spec, "length", s->key);
  const double density = property(spec, "lin_density", s->key);
  const double stiffness = pow(pi, 3.0) * young * pow(property(spec, "core_diameter", s->key), 4.0) / (64.0 * length * length);
  // f_1^2 = f0^2 (1 + B), B = stiffness / T and f0^2 = T / (4 L^2 mu): linear in T
  const double first = pitch(s->key);
  const double tension = 4.0 * length * length * density * first * first - stiffness;
  const double n = (double)(mode + 1);
  const double b = stiffness / tension;
  p->hz = n * first * sqrt((1.0 + b * n * n) / (1.0 + b));
  p->sigma = property(spec, "loss0", s->key) + property(spec, "loss1", s->key) * pow(n * pi / length, 2.0);
}

/** Mark the modes that are neither struck nor heard at a node. */
static void mark_heard(const subject* s, bool* heard) {
  enum { GRID = 400 };
  const size_t n = s->modes.n;
  double* row = calloc(3 * n, sizeof *row);
  assert_non_null(row);
  double *most = row + n, *at = row + 2 * n;
  for (size_t i = 0; i <= GRID; ++i) {
    s->modes.shape(&s->modes, (double)i / GRID, row);
    for (size_t k = 0; k < n; ++k) {
      most[k] = fmax(most[k], fabs(row[k]));
    }
  }
  s->modes.shape(&s->modes, s->strike, row);
  s->modes.shape(&s->modes, s->heard, at);
  for (size_t k = 0; k < n; ++k) {
    heard[k] = fabs(row[k]) > node_share * most[k] && fabs(at[k]) > node_share * most[k];
  }
  free(row);
}

static void subject_make(subject* s, const sound* from, const char* what, int key, htz_arena* arena) {
  const htz_spec* spec = from->spec;
  const char* why = NULL;
  bool heard[PARTIALS_MAX];
  *s = (subject){.what = what, .key = key, .rate_hz = from->rate_hz};
  s->strike = from->instrument->keys[key].at;
  s->heard = htz_table_at(&spec->pickups[0].at, key);
  htz_arena_measure(arena);
  assert_int_equal(htz_spec_modes(&spec->bodies[0], key, arena, &s->modes, &why), HTZ_OK);
  assert_true(s->modes.n <= PARTIALS_MAX);
  mark_heard(s, heard);
  const double limit = fmin(hearing_hz, rate_share * s->rate_hz);
  for (size_t k = 0; k < s->modes.n; ++k) {
    partial p = {0};
    if (!s->modes.audible[k]) {
      continue;
    }
    if (strcmp(what, "string") == 0) {
      string_theory(s, spec, k, &p);
    } else {
      bar_theory(s, spec, k, &p);
    }
    // A mode of natural frequency f rings a little lower; less than 0.03 cent on the instruments.
    p.hz = sqrt(p.hz * p.hz - pow(p.sigma / (2.0 * pi), 2.0));
    if (p.hz < hearing_hz) {
      const bool asked = heard[k] && p.hz < limit;
      const bool fast = t60_of(p.sigma) * 20.0 / 60.0 < shortest_fall_s;
      p.wanted = asked && !fast;
      s->fast[s->n] = asked && fast;
      s->mode[s->n] = k;
      s->p[s->n++] = p;
    }
  }
}

static void judge(const subject* s, const partial* p, const char* how, tally* t) {
  const double off = cents_between(p->found.hz, p->hz);
  const double decay = p->sigma / p->found.sigma - 1.0;
  ++t->checked;
  t->worst_cents = fmax(t->worst_cents, fabs(off));
  t->worst_t60 = fmax(t->worst_t60, fabs(decay));
  if (!(fabs(off) <= cents_allowed) || !(fabs(decay) <= t60_allowed)) {
    ++t->failed;
  }
  if (!t->quiet && (!(fabs(off) <= cents_allowed) || !(fabs(decay) <= t60_allowed))) {
    print_error("%s key %d at %g Hz, %s: partial of %.2f Hz, T60 %.3f s: off by %+.3f cent, T60 by %+.2f %%, noise %.1f dB\n",
                s->what, s->key, s->rate_hz, how, p->hz, t60_of(p->sigma), off, 100.0 * decay, decibels(p->found.noise));
  }
}

/** Partials that die away at once, on the body alone: every mode set off as by an impulse where the mallet strikes. */
static void check_free_response(subject* s, tally* t) {
  htz_arena arena;
  htz_modal* body = NULL;
  htz_arena_measure(&arena);
  assert_int_equal(htz_modal_new(&s->modes, 1, 1, s->rate_hz, htz_kernels_select(), &arena, &body), HTZ_OK);
  htz_modal_listen(body, 0, HTZ_HEAR_VELOCITY, s->heard, 1.0);
  s->modes.shape(&s->modes, s->strike, htz_modal_v(body));
  for (size_t k = 0; k < s->modes.n; ++k) {
    htz_modal_v(body)[k] /= s->modes.mass[k];
  }
  enum { QUANTA = 64 };
  static const size_t frames = QUANTA * HTZ_QUANTUM; // 43 ms at 96 kHz
  double x[QUANTA * HTZ_QUANTUM];
  for (size_t q = 0; q < QUANTA; ++q) {
    float out[HTZ_QUANTUM] = {0.0f};
    float* pickups[1] = {out};
    htz_modal_free_quantum(body, pickups);
    for (size_t i = 0; i < HTZ_QUANTUM; ++i) {
      x[q * HTZ_QUANTUM + i] = (double)out[i];
    }
  }
  for (size_t i = 0; i < s->n; ++i) {
    s->p[i].wanted = s->fast[i];
  }
  const partial_window w = window_at(s->rate_hz);
  partials_measure(x, frames, &w, s->p, s->n);
  for (size_t i = 0; i < s->n; ++i) {
    if (s->fast[i]) {
      ++t->fast;
      judge(s, &s->p[i], "free response", t);
    }
  }
  htz_arena_free(&arena);
}

/** Levels of the partials when the mallet has left, relative to the strongest. */
static void measure_levels(subject* s, const note* heard) {
  partial* p = calloc(s->n, sizeof *p);
  assert_non_null(p);
  double strongest = 0.0;
  for (size_t i = 0; i < s->n; ++i) {
    p[i] = (partial){.hz = s->p[i].hz, .sigma = s->p[i].sigma}; // amplitudes only
  }
  const partial_window w = window_at(s->rate_hz);
  partials_measure(heard->mono + heard->last_contact, heard->frames - heard->last_contact, &w, p, s->n);
  for (size_t i = 0; i < s->n; ++i) {
    strongest = fmax(strongest, p[i].found.amplitude);
  }
  for (size_t i = 0; i < s->n; ++i) {
    s->level_db[i] = decibels(p[i].found.amplitude / strongest);
  }
  free(p);
}

static void check_key(sound* from, const char* what, int key, tally* t) {
  htz_arena arena;
  note heard;
  subject* s = calloc(1, sizeof *s);
  assert_non_null(s);
  subject_make(s, from, what, key, &arena);
  const double rate = from->rate_hz;
  const double needed_s = settle_s + window_at_1_hz.longest_s + 0.05; // room for a late last contact
  sound_note(from, (unsigned)key, velocity, 0, (size_t)(needed_s * rate), &heard);
  const double last_s = (double)heard.last_contact / rate;
  const double start_s = last_s > settle_s ? last_s : settle_s;
  const size_t start = (size_t)ceil(start_s * rate);
  const partial_window w = window_at(rate);
  assert_true(heard.last_contact > 0 && start < heard.frames);
  partials_measure(heard.mono + start, heard.frames - start, &w, s->p, s->n);

  measure_levels(s, &heard);
  bool fast = false;
  for (size_t i = 0; i < s->n; ++i) {
    if (s->p[i].wanted && s->level_db[i] > floor_db) {
      judge(s, &s->p[i], "audio", t);
    }
    fast = fast || s->fast[i];
  }
  if (fast) {
    check_free_response(s, t);
  }
  note_free(&heard);
  htz_arena_free(&arena);
  free(s);
}

static void check_range(const char* what, const char* path, int low, int high, int step) {
  static const double rates[] = {44100.0, 48000.0, 96000.0};
  tally t = {0};
  for (size_t r = 0; r < sizeof rates / sizeof rates[0]; ++r) {
    sound s;
    assert_true(sound_open(&s, path, rates[r]));
    if (htz_spec_param_used(s.spec, HTZ_PARAM_RESONATOR)) {
      assert_true(sound_set(&s, "tube.level", 0.0));
    }
    for (int key = low ? low : s.spec->key_low; key <= (high ? high : s.spec->key_high); key += step) {
      check_key(&s, what, key, &t);
    }
    sound_close(&s);
  }
  print_message("%s: %zu partials (%zu by free response), worst %.4f cent, T60 %.3f %%\n", what, t.checked, t.fast,
                t.worst_cents, 100.0 * t.worst_t60);
  assert_true(t.checked > 0);
  assert_int_equal(t.failed, 0);
}

static void marimba_is_in_tune(void** state) {
  char path[HTZ_PATH_MAX];
  (void)state;
  instrument_path("marimba", path);
  check_range("marimba", path, 0, 0, 1);
}

static void glockenspiel_is_in_tune(void** state) {
  char path[HTZ_PATH_MAX];
  (void)state;
  instrument_path("glockenspiel", path);
  check_range("glockenspiel", path, 0, 0, 1);
}

static void string_is_in_tune(void** state) {
  enum { C2 = 36, C6 = 84, TWO_OCTAVES = 24 };
  (void)state;
  check_range("string", HTZ_SOURCE_DIR "/tests/fixtures/instruments/string.yaml", C2, C6, TWO_OCTAVES);
}

/** A block of wood whose upper partials are gone before audio could be measured. */
static void partials_too_short_for_audio_are_in_tune(void** state) {
  static const char block[] =
      "format: 1\nname: Block\nkeys: [60, 84]\n"
      "per_key:\n  bar: {body: bar, partials: [1, 4, 10], mass: 0.1, t60: 0.08, t60_high: 0.02, modes: 8}\n"
      "mallet: {strikes: bar, mass: 0.01, speed: [0.1, 5], at: 0.42, contact: {stiffness: 1.0e+9}}\n"
      "pickups:\n  - {of: bar, at: 0.03, gain: 0.05}\n";
  tally t = {0};
  sound s;
  (void)state;
  assert_true(sound_open_text(&s, block, 48000.0));
  for (int key = s.spec->key_low; key <= s.spec->key_high; ++key) {
    check_key(&s, "block", key, &t);
  }
  print_message("block: %zu partials (%zu by free response), worst %.4f cent, T60 %.3f %%\n", t.checked, t.fast, t.worst_cents,
                100.0 * t.worst_t60);
  assert_true(t.fast > 0);
  assert_int_equal(t.failed, 0);
  sound_close(&s);
}

/** The check itself: a bar half a cent and a bit off, or a twentieth and a bit too long, must be noticed. */
static void a_wrong_bar_is_noticed(void** state) {
  char path[HTZ_PATH_MAX];
  tally t = {.quiet = true};
  sound s;
  (void)state;
  instrument_path("marimba", path);
  assert_true(sound_open(&s, path, 48000.0));
  assert_true(sound_set(&s, "tube.level", 0.0));
  assert_true(sound_set(&s, "tune", 0.6));
  check_key(&s, "marimba", 60, &t);
  assert_true(t.checked > 0 && t.failed == t.checked);
  assert_true(sound_set(&s, "tune", 0.0));
  assert_true(sound_set(&s, "decay", 1.06));
  t = (tally){.quiet = true};
  check_key(&s, "marimba", 60, &t);
  assert_true(t.checked > 0 && t.failed == t.checked);
  sound_close(&s);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(marimba_is_in_tune),     cmocka_unit_test(glockenspiel_is_in_tune),
      cmocka_unit_test(string_is_in_tune),      cmocka_unit_test(partials_too_short_for_audio_are_in_tune),
      cmocka_unit_test(a_wrong_bar_is_noticed),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
