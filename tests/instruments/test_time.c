/*
   Time: a note starts where it was asked to, to the sample; the same performance gives the same samples; another stroke on a
   ringing bar adds to it and leaves no step.
*/
#include "check.h"
#include "sound/render.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double rate_hz = 48000.0;
enum { NOTES = 1000, SPAN = 4096 };

/** A small generator, so that the positions are the same on every machine. */
static uint32_t next_random(uint32_t* seed) {
  *seed = *seed * 1664525u + 1013904223u;
  return *seed >> 8;
}

static void open_instrument(const char* name, sound* s) {
  char path[HTZ_PATH_MAX];
  instrument_path(name, path);
  assert_true(sound_open(s, path, rate_hz));
}

/** Strikes given as absolute frames are posted in the quantum they lie in, as a player does. */
typedef struct {
  uint64_t frame;
  unsigned key;
  double velocity;
} stroke;

/** Play `strokes` in order from frame `from` on, into mono [frames]. */
static void play(sound* s, const stroke* strokes, size_t count, size_t frames, double* mono) {
  const uint64_t from = htz_engine_now(s->engine);
  size_t next = 0;
  for (uint64_t at = from; at < from + frames; at += HTZ_QUANTUM) {
    float left[HTZ_QUANTUM], right[HTZ_QUANTUM];
    while (next < count && from + strokes[next].frame < at + HTZ_QUANTUM) {
      htz_engine_strike(s->engine, 0, strokes[next].key, strokes[next].velocity, from + strokes[next].frame);
      ++next;
    }
    htz_engine_quantum(s->engine, left, right);
    for (size_t i = 0; i < HTZ_QUANTUM && at - from + i < frames; ++i) {
      mono[at - from + i] = (double)left[i] + (double)right[i];
    }
  }
}

static void check_starts(const char* name) {
  sound s;
  uint32_t seed = 1;
  uint64_t least = UINT64_MAX, most = 0;
  double* x = calloc(SPAN, sizeof *x);
  assert_non_null(x);
  open_instrument(name, &s);
  for (size_t i = 0; i < NOTES; ++i) {
    const unsigned range = (unsigned)(s.spec->key_high - s.spec->key_low + 1);
    const stroke one = {.frame = next_random(&seed) % (SPAN / 2),
                        .key = (unsigned)s.spec->key_low + next_random(&seed) % range,
                        .velocity = 1.0 + next_random(&seed) % 127};
    sound_rest(&s);
    assert_true(htz_engine_asleep(s.engine));
    play(&s, &one, 1, SPAN, x);
    const uint64_t heard = first_sound(x, SPAN);
    assert_true(heard >= one.frame);
    least = heard - one.frame < least ? heard - one.frame : least;
    most = heard - one.frame > most ? heard - one.frame : most;
  }
  print_message("%s: %d notes start %u..%u samples after their event\n", name, NOTES, (unsigned)least, (unsigned)most);
  assert_true(most <= 1);
  free(x);
  sound_close(&s);
}

static void notes_start_within_a_sample(void** state) {
  (void)state;
  check_starts("marimba");
  check_starts("glockenspiel");
}

/** The same dense performance, twice: on the same engine after a rest, and on another. */
static void performance_repeats_to_the_bit(void** state) {
  enum { STROKES = 200, FRAMES = 96000 };
  static const char* const names[] = {"marimba", "glockenspiel"};
  double* x[3];
  (void)state;
  for (size_t i = 0; i < 3; ++i) {
    x[i] = calloc(FRAMES, sizeof **x);
    assert_non_null(x[i]);
  }
  for (size_t n = 0; n < 2; ++n) {
    stroke strokes[STROKES];
    uint32_t seed = 7;
    uint64_t frame = 0;
    for (size_t i = 0; i < STROKES; ++i) {
      frame += next_random(&seed) % 700;
      strokes[i] = (stroke){frame, 60 + next_random(&seed) % 40, 1.0 + next_random(&seed) % 127};
    }
    sound s;
    open_instrument(names[n], &s);
    play(&s, strokes, STROKES, FRAMES, x[0]);
    sound_rest(&s);
    play(&s, strokes, STROKES, FRAMES, x[1]);
    sound_close(&s);
    open_instrument(names[n], &s);
    play(&s, strokes, STROKES, FRAMES, x[2]);
    sound_close(&s);
    assert_true(peak_of(x[0], FRAMES) > 0.0);
    assert_memory_equal(x[0], x[1], FRAMES * sizeof **x);
    assert_memory_equal(x[0], x[2], FRAMES * sizeof **x);
  }
  for (size_t i = 0; i < 3; ++i) {
    free(x[i]);
  }
}

/**
   A second stroke while the bar rings. Up to its frame nothing differs; from there on it only adds what a mallet can do in the
   time: no sample steps away from the undisturbed sound by more than the force times the time allows.
*/
static void second_stroke_adds_without_a_step(void** state) {
  enum { FRAMES = 48000, SECOND = 9601, KEY = 60 };
  static const stroke strokes[2] = {{0, KEY, 100.0}, {SECOND, KEY, 100.0}};
  double* once = calloc(FRAMES, sizeof *once);
  double* twice = calloc(FRAMES, sizeof *twice);
  double* alone = calloc(FRAMES, sizeof *alone);
  sound s;
  (void)state;
  assert_true(once && twice && alone);
  open_instrument("marimba", &s);
  play(&s, strokes, 1, FRAMES, once);
  sound_rest(&s);
  play(&s, strokes, 2, FRAMES, twice);
  sound_rest(&s);
  play(&s, &strokes[1], 1, FRAMES, alone);
  // The free kernel sums in single precision and the contact steps in double: alike to float's rounding of the peak.
  const double rounding = 1e-6 * peak_of(once, FRAMES);
  double steepest = 0.0, worst = 0.0;
  for (size_t i = 1; i < FRAMES; ++i) {
    steepest = fmax(steepest, fabs(alone[i] - alone[i - 1]));
  }
  for (size_t i = 0; i < SECOND; ++i) {
    check_near(twice[i], once[i], rounding);
  }
  for (size_t i = SECOND; i < FRAMES; ++i) {
    const double now = twice[i] - once[i], before = twice[i - 1] - once[i - 1];
    worst = fmax(worst, fabs(now - before));
  }
  print_message("second stroke: steepest change %.2f of a first one's\n", worst / steepest);
  // The ringing bar can come towards the mallet, at most about as fast as it was set going: twice the speed at contact.
  check_below(worst, 2.0 * steepest);
  check_above(peak_of(twice + SECOND, FRAMES - SECOND), peak_of(once + SECOND, FRAMES - SECOND));
  free(once);
  free(twice);
  free(alone);
  sound_close(&s);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(notes_start_within_a_sample),
      cmocka_unit_test(performance_repeats_to_the_bit),
      cmocka_unit_test(second_stroke_adds_without_a_step),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
