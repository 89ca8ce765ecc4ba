/*
   Plates and timpani: level and evenness, where they are struck is heard, the drums' ratios and their pedal, extremes.
*/
#include "check.h"
#include "sound/loudness.h"
#include "sound/partials.h"
#include "sound/render.h"
#include "sound/spectrum.h"

#include <math.h>

static const double rate_hz = 48000.0;
static const char* const names[] = {"plate", "timpani"};
enum { NAMES = 2, HOPS_PER_SECOND = 100 };

static void open_instrument(const char* name, double rate, sound* s) {
  char path[HTZ_PATH_MAX];
  instrument_path(name, path);
  assert_true(sound_open(s, path, rate));
}

static void keys_are_equally_loud(void** state) {
  (void)state;
  const double even_db = 2.0;
  for (size_t i = 0; i < NAMES; ++i) {
    sound s;
    double softest = HUGE_VAL, loudest = -HUGE_VAL;
    open_instrument(names[i], rate_hz, &s);
    for (int key = s.spec->key_low; key <= s.spec->key_high; ++key) {
      note n;
      sound_note(&s, (unsigned)key, 80.0, 0, (size_t)rate_hz, &n);
      const double lufs = loudness_momentary_max(n.left, n.right, n.frames, rate_hz, (size_t)rate_hz / HOPS_PER_SECOND);
      softest = fmin(softest, lufs);
      loudest = fmax(loudest, lufs);
      check_below(decibels(worst_mean(n.mono, n.frames, rate_hz)), -80.0);
      note_free(&n);
    }
    print_message("%s: %.1f..%.1f LUFS at velocity 80\n", names[i], softest, loudest);
    check_below(loudest - softest, even_db);
    sound_close(&s);
  }
}

static void fortissimo_has_the_calibrated_peak(void** state) {
  (void)state;
  const double level_db = -20.0, tolerance_db = 2.0;
  for (size_t i = 0; i < NAMES; ++i) {
    sound s;
    note n;
    open_instrument(names[i], rate_hz, &s);
    sound_note(&s, (unsigned)(s.spec->key_low + s.spec->key_high) / 2, 127.0, 0, (size_t)rate_hz, &n);
    check_near(decibels(fmax(peak_of(n.left, n.frames), peak_of(n.right, n.frames))), level_db, tolerance_db);
    note_free(&n);
    sound_close(&s);
  }
}

/** Amplitude of a drum's partial at `hz`, its pitch, over half a second, the round ones (0,1) and (0,2) beside it being in the model. */
static double pitch_amplitude(sound* s, unsigned key, double hz) {
  const partial_window window = {.rate_hz = rate_hz, .drop_db = 40.0, .longest_s = 0.5};
  partial p[3] = {{.hz = 0.85 * hz, .sigma = 15.0}, {.hz = hz, .sigma = 2.4, .wanted = true}, {.hz = 1.68 * hz, .sigma = 15.0}};
  note n;
  sound_note(s, key, 60.0, 0, (size_t)rate_hz, &n);
  const size_t from = (size_t)(0.05 * rate_hz); // after the contact
  partials_measure(n.mono + from, n.frames - from, &window, p, 3);
  note_free(&n);
  return p[1].found.amplitude;
}

/** Struck on its middle a drum has no pairs at all; (1, 1) is there anywhere else. */
static void a_skin_struck_in_the_middle_has_no_pitch(void** state) {
  (void)state;
  sound s;
  open_instrument("timpani", rate_hz, &s);
  const double hz = htz_key_hz(48);
  const double usual = pitch_amplitude(&s, 48, hz);
  assert_true(sound_set(&s, "mallet.at", 0.5));
  check_below(decibels(pitch_amplitude(&s, 48, hz) / usual), -30.0); // what leaks in from the round modes beside it
  // A quarter of a turn away the stick excites the other of the pair, which this ear at 168 degrees hears by its sine.
  assert_true(sound_set(&s, "mallet.at_y", 0.86));
  check_near(decibels(pitch_amplitude(&s, 48, hz) / usual), decibels(tan(0.2087)), 1.5);
  sound_close(&s);
}

static void a_plate_sounds_as_it_is_struck(void** state) {
  (void)state;
  sound s;
  note a, b;
  open_instrument("plate", rate_hz, &s);
  // In its middle all modes odd in x or in y are silent: fewer and other partials.
  sound_note(&s, 60, 80.0, 0, (size_t)rate_hz, &a);
  assert_true(sound_set(&s, "mallet.at", 0.5) && sound_set(&s, "mallet.at_y", 0.5));
  sound_note(&s, 60, 80.0, 0, (size_t)rate_hz, &b);
  double difference = 0.0, sum = 0.0;
  for (size_t i = 0; i < a.frames; ++i) {
    difference += (a.mono[i] - b.mono[i]) * (a.mono[i] - b.mono[i]);
    sum += a.mono[i] * a.mono[i];
  }
  check_above(difference / sum, 0.1);
  note_free(&a);
  note_free(&b);
  sound_close(&s);
}

/** The drums' partials stand where measured ones do, and the pedal moves them all. */
static void timpani_are_tuned(void** state) {
  (void)state;
  static const double ratios[] = {1.0, 1.51, 1.99, 2.44};
  const partial_window window = {.rate_hz = rate_hz, .drop_db = 30.0, .longest_s = 0.6};
  sound s;
  open_instrument("timpani", rate_hz, &s);
  for (int bend = 0; bend <= 300; bend += 300) {
    assert_true(sound_set(&s, "tune", bend));
    for (unsigned key = 36; key <= 57; key += 7) {
      note n;
      const double pitch = htz_key_hz(key) * exp2(bend / 1200.0);
      const htz_modal* skin = htz_modal_island_body(s.instrument->keys[key].island, 0);
      sound_note(&s, key, 60.0, 0, (size_t)rate_hz, &n);
      for (size_t r = 0; r < 4; ++r) {
        bool there = false;
        for (size_t k = 0; k < htz_modal_count(skin); ++k) {
          there = there || fabs(htz_modal_omega(skin)[k] / (2.0 * acos(-1.0) * ratios[r] * pitch) - 1.0) < cents(0.01);
        }
        assert_true(there);
      }
      partial p[2] = {{.hz = 0.85 * pitch, .sigma = 15.0}, {.hz = pitch, .sigma = 2.3, .wanted = true}};
      const size_t from = (size_t)(0.2 * rate_hz); // the round modes are nearly gone
      partials_measure(n.mono + from, n.frames - from, &window, p, 2);
      check_near(cents_between(p[1].found.hz, pitch), 0.0, 0.5);
      note_free(&n);
    }
  }
  sound_close(&s);
}

static void extremes_are_finite(void** state) {
  (void)state;
  static const double rates[] = {8000.0, 44100.0, 192000.0};
  static const double places[] = {0.0, 0.5, 1.0};
  for (size_t i = 0; i < NAMES; ++i) {
    for (size_t r = 0; r < 3; ++r) {
      sound s;
      open_instrument(names[i], rates[r], &s);
      for (unsigned key = 0; key < HTZ_KEYS; key += 18) {
        for (size_t p = 0; p < 9; p += r == 1 ? 1 : 5) {
          note n;
          assert_true(sound_set(&s, "mallet.at", places[p % 3]));
          assert_true(sound_set(&s, "mallet.at_y", places[p / 3]));
          assert_true(sound_set(&s, "mallet.kind", (double)(p % 3)));
          sound_note(&s, key, 127.0, 3, (size_t)(0.1 * rates[r]), &n);
          check_below(decibels(fmax(peak_of(n.left, n.frames), peak_of(n.right, n.frames))), 6.0);
          note_free(&n);
        }
      }
      assert_int_equal(htz_engine_count(s.engine).resets, 0);
      sound_close(&s);
    }
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(keys_are_equally_loud),
      cmocka_unit_test(fortissimo_has_the_calibrated_peak),
      cmocka_unit_test(a_plate_sounds_as_it_is_struck),
      cmocka_unit_test(a_skin_struck_in_the_middle_has_no_pitch),
      cmocka_unit_test(timpani_are_tuned),
      cmocka_unit_test(extremes_are_finite),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
