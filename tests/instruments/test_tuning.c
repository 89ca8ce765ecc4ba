/*
   Tuned by the map, every kind of body sounds where the scale says: 31 equal steps of the octave.

   Measured against the same key untuned, on its strongest partial, whose pitch test_pitch.c has checked against theory: retuning
   multiplies every frequency of a body by the same factor, so the interval between the two is what the scale asks for. 0.5 cent is
   what a listener cannot hear.
*/
#include "check.h"
#include "sound/partials.h"
#include "sound/render.h"

#include "hertzian/dsp/fft.h"
#include "hertzian/midi/map.h"
#include "hertzian/midi/tuning.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double rate_hz = 48000.0;
static const double cents_allowed = 0.5;

enum { FRAMES = 1 << 17, SKIP = 1 << 13, KEYS_PER_INSTRUMENT = 4 };

typedef struct {
  htz_fft fft;
  htz_arena arena;
  double* work;  // [FRAMES][2]
  double* power; // [FRAMES / 2 + 1]
} spectrum;

static void spectrum_open(spectrum* s) {
  assert_int_equal(htz_arena_init(&s->arena, (size_t)FRAMES * 64), HTZ_OK);
  assert_int_equal(htz_fft_init(&s->fft, FRAMES, &s->arena), HTZ_OK);
  s->work = calloc(FRAMES, 2 * sizeof *s->work);
  s->power = calloc(FRAMES / 2 + 1, sizeof *s->power);
  assert_true(s->work && s->power);
}

static void spectrum_close(spectrum* s) {
  free(s->work);
  free(s->power);
  htz_arena_free(&s->arena);
}

// The strongest partial between two frequencies: top of the parabola through the logarithms of three bins of a Hann window.
static double strongest(spectrum* s, const double* x, double low_hz, double high_hz) {
  const double bin = rate_hz / FRAMES;
  htz_fft_power(&s->fft, x, s->work, s->power);
  size_t best = (size_t)(low_hz / bin) + 1;
  for (size_t i = best; i < (size_t)(high_hz / bin) && i < FRAMES / 2; ++i) {
    best = s->power[i] > s->power[best] ? i : best;
  }
  const double a = log(s->power[best - 1]), b = log(s->power[best]), c = log(s->power[best + 1]);
  return ((double)best + 0.5 * (a - c) / (a - 2.0 * b + c)) * bin;
}

static void hear(sound* s, int key, double velocity, double* x) {
  note n;
  sound_note(s, (unsigned)key, velocity, 0, FRAMES + SKIP, &n);
  memcpy(x, n.mono + SKIP, FRAMES * sizeof *x); // past the stroke
  note_free(&n);
}

static void untune(sound* s) {
  const htz_param_change change = {
      .frame = htz_engine_now(s->engine), .value = 0.0, .key = HTZ_KEY_ALL, .index = HTZ_PARAM_SCALE};
  htz_engine_change(s->engine, &change);
}

// By the map, as everything that plays does it.
static void tune(sound* s, const double* pitch) {
  htz_midi_map* map = malloc(sizeof *map);
  assert_non_null(map);
  htz_midi_map_init(map, s->engine);
  htz_midi_map_tune(map, pitch);
  assert_int_equal(htz_midi_map_add_part(map, 0, 1u, s->instrument), HTZ_OK);
  free(map);
}

static double worst_of(sound* s, const char* name, spectrum* spec) {
  double pitch[HTZ_TUNING_KEYS], worst = 0.0;
  htz_diags* diags = malloc(sizeof *diags);
  double* x = malloc(FRAMES * sizeof *x);
  assert_true(diags && x);
  const htz_tuning_wish wish = {.scale = "31-edo"};
  assert_int_equal(htz_tuning_make(&wish, pitch, diags), HTZ_OK);
  const int low = s->spec->key_low, high = s->spec->key_high;
  for (int i = 0; i < KEYS_PER_INSTRUMENT; ++i) {
    const int key = low + (high - low) * i / (KEYS_PER_INSTRUMENT > 1 ? KEYS_PER_INSTRUMENT - 1 : 1);
    untune(s);
    hear(s, key, 40.0, x);
    assert_true(peak_of(x, FRAMES) > 1e-6);
    const double from = strongest(spec, x, 20.0, 16000.0);
    const double ratio = exp2((pitch[key] - key) / 12.0);
    tune(s, pitch);
    hear(s, key, 40.0, x);
    const double to = strongest(spec, x, from * ratio * 0.97, from * ratio * 1.03);
    const double off = cents_between(to, from * ratio);
    print_message("  %s key %d: %.2f -> %.2f Hz, off %.3f cent\n", name, key, from, to, off);
    worst = fmax(worst, fabs(off));
  }
  free(x);
  free(diags);
  return worst;
}

/*
   Every kind of body, each by itself: what rattles, buzzes or beats has no partial that stays where it is, and is made of these. Grids
   are moved as modal bodies are, by one factor on what is given for the key.
*/
static const char* const bodies[] = {"instruments/glockenspiel",
                                     "instruments/marimba",
                                     "instruments/music-box",
                                     "instruments/vibraphone",
                                     "instruments/tubular-bells",
                                     "instruments/timpani",
                                     "instruments/plate",
                                     "instruments/rattle-plate",
                                     "tests/fixtures/instruments/string",
                                     "tests/fixtures/instruments/guitar"};

// Strings on grids, stopped by fingers; bent as far as the scale goes in their range.
static const char grid[] =
    "format: 1\nfamily: grid\nname: x\nkeys: [50, 72]\nbend_range: 12\nper_key:\n"
    "  string: {body: string, length: 0.65, lin_density: 0.004, t60: 4, t60_high: 1}\n"
    "  wood: {body: barrier}\n"
    "contacts:\n  - {between: [wood, string], at: 0.5, stiffness: 1.0e+8, exponent: 1.3, gap: 0.05}\n"
    "pluck: {string: string, at: 0.2, height: [1.0e-4, 2.0e-4]}\npickups: [{of: string, quantity: force, at: 1}]\n";

static void a_31_tone_scale_is_in_tune_on_every_kind_of_body(void** state) {
  (void)state;
  spectrum s;
  spectrum_open(&s);
  for (size_t i = 0; i < sizeof bodies / sizeof bodies[0]; ++i) {
    char path[HTZ_PATH_MAX];
    sound played;
    snprintf(path, sizeof path, HTZ_SOURCE_DIR "/%s.yaml", bodies[i]);
    assert_true(sound_open(&played, path, rate_hz));
    const double worst = worst_of(&played, bodies[i], &s);
    sound_close(&played);
    print_message("%s: off by at most %.3f cent\n", bodies[i], worst);
    check_below(worst, cents_allowed);
  }
  sound played;
  assert_true(sound_open_text(&played, grid, rate_hz));
  check_below(worst_of(&played, "grid", &s), cents_allowed);
  sound_close(&played);
  spectrum_close(&s);
}

static const char bars[] = "format: 1\nname: Bars\nkeys: [60, 83]\nstrict: true\n"
                           "per_key:\n  bar: {body: bar, partials: [1, 4, 10], mass: 0.1, t60: 8, t60_high: 2, modes: 8}\n"
                           "mallet: {strikes: bar, mass: 0.01, speed: [0.1, 5], at: 0.42, contact: {stiffness: 1.0e+7}}\n"
                           "pickups:\n  - {of: bar, at: 0.03, gain: 0.05}\n";

// Notes beyond the instrument's keys are played whole octaves away: of where the scale has them.
static void notes_beyond_the_keys_are_in_tune_in_another_octave(void** state) {
  (void)state;
  enum { FIRST = 0, LAST = 127, STEP = 9 };
  static const double octave = 12.0; // [semitone]
  double pitch[HTZ_TUNING_KEYS];
  htz_diags* diags = malloc(sizeof *diags);
  double* x = malloc(FRAMES * sizeof *x);
  spectrum spec;
  sound s;
  assert_true(diags && x);
  spectrum_open(&spec);
  const htz_tuning_wish wish = {.scale = "31-edo"};
  assert_int_equal(htz_tuning_make(&wish, pitch, diags), HTZ_OK);
  assert_true(sound_open_text(&s, bars, rate_hz));
  tune(&s, pitch);
  unsigned moved = 0;
  for (int n = FIRST; n <= LAST; n += STEP) {
    const int key = s.instrument->plays[n];
    const double expected = pitch[n] + key - n;
    const double hz = 440.0 * exp2((expected - 69.0) / octave);
    moved += key != n;
    if (hz < 100.0) {
      continue; // the fundamental of a bar that long is not heard
    }
    hear(&s, n, 40.0, x);
    const double found = strongest(&spec, x, hz * 0.97, hz * 1.03);
    print_message("  note %d on key %d: %.2f Hz, off %.3f cent\n", n, key, found, cents_between(found, hz));
    check_near(cents_between(found, hz), 0.0, cents_allowed);
  }
  assert_true(moved > 3);
  sound_close(&s);
  spectrum_close(&spec);
  free(x);
  free(diags);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(a_31_tone_scale_is_in_tune_on_every_kind_of_body),
                                     cmocka_unit_test(notes_beyond_the_keys_are_in_tune_in_another_octave)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
