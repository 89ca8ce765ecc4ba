// The left hand on plucked strings: chords over several strings, hammer-ons and pull-offs, and what happens when no string is free.
#include "check.h"

#include "sound/render.h"
#include "sound/stage.h"

#include "hertzian/contact/modal_island.h"

#include <math.h>
#include <string.h>

static const double rate_hz = 48000.0;
static const double two_pi = 6.283185307179586;
static const char chords[] = "tests/fixtures/instruments/chords.yaml";
static const char melody[] = "tests/fixtures/instruments/guitar.yaml"; // the same without `chords` and `hammer_on`

enum { QUANTA = 300 }; // 0.4 s: neighbouring notes of the middle are far apart for it
static float left[QUANTA * HTZ_QUANTUM], right[QUANTA * HTZ_QUANTUM];

static void press(stage* s, uint32_t key, double velocity) {
  htz_engine_strike(s->engine, s->part, key, velocity, htz_engine_now(s->engine));
  htz_engine_hold(s->engine, s->part, key, true, htz_engine_now(s->engine));
}

static void release(stage* s, uint32_t key) {
  htz_engine_hold(s->engine, s->part, key, false, htz_engine_now(s->engine));
}

/** Amplitude of the fundamental of `key` over what was heard last, under a Hann window. */
static double fundamental(uint32_t key) {
  const size_t n = sizeof left / sizeof *left;
  const double w = two_pi * 440.0 * exp2(((double)key - 69.0) / 12.0) / rate_hz;
  double re = 0.0, im = 0.0;
  for (size_t i = 0; i < n; i++) {
    const double x = (double)left[i] * (0.5 - 0.5 * cos(two_pi * (double)i / (double)n));
    re += x * cos(w * (double)i);
    im += x * sin(w * (double)i);
  }
  return hypot(re, im) * 4.0 / (double)n;
}

static void listen(stage* s) {
  stage_run(s, 20, NULL, NULL); // the finger is there
  stage_run(s, QUANTA, left, right);
}

/** True when `key` sounds: its fundamental is within 26 dB of that of `other`. */
static bool sounds(uint32_t key, uint32_t other) {
  return fundamental(key) > 0.05 * fundamental(other);
}

static void a_chord_takes_a_string_for_each_note(void** state) {
  (void)state;
  static const uint32_t notes[] = {64, 66, 67}; // all three lie on the highest string when it is free
  for (int together = 0; together < 2; together++) {
    stage s;
    stage_open(&s, together ? chords : melody, rate_hz, 0);
    for (size_t i = 0; i < 3; i++) {
      press(&s, notes[i], 100.0);
    }
    listen(&s);
    assert_int_equal(htz_engine_count(s.engine).strikes, 3);
    assert_int_equal(htz_engine_count(s.engine).ringing, together ? 3 : 1);
    assert_int_equal(sounds(64, 67), together);
    assert_int_equal(sounds(66, 67), together);
    for (size_t i = 0; i < 3; i++) {
      release(&s, notes[i]);
    }
    stage_run(&s, 2000, NULL, NULL);
    stage_run(&s, QUANTA, left, right);
    check_below(fundamental(64) + fundamental(66) + fundamental(67), 1e-5);
    stage_close(&s);
  }
}

static void a_note_let_go_leaves_the_others(void** state) {
  (void)state;
  stage s;
  stage_open(&s, chords, rate_hz, 0);
  press(&s, 64, 100.0);
  press(&s, 67, 100.0);
  release(&s, 64);
  stage_run(&s, 400, NULL, NULL); // damped
  listen(&s);
  assert_false(sounds(64, 67));
  press(&s, 69, 100.0); // the highest string is free again
  listen(&s);
  assert_true(sounds(67, 69));
  stage_close(&s);
}

static void without_a_free_string_the_finger_moves(void** state) {
  (void)state;
  static const uint32_t notes[] = {64, 61, 58, 53, 46, 41}; // one for each string, no partials where others are looked for
  stage s;
  stage_open(&s, chords, rate_hz, 0);
  for (size_t i = 0; i < sizeof notes / sizeof *notes; i++) {
    press(&s, notes[i], 100.0);
  }
  press(&s, 66, 100.0);
  listen(&s);
  assert_int_equal(htz_engine_count(s.engine).ringing, 6);
  assert_false(sounds(64, 66));
  assert_true(sounds(61, 66));
  stage_close(&s);
}

static void a_soft_key_hammers_on_and_pulls_off(void** state) {
  (void)state;
  stage s;
  stage_open(&s, chords, rate_hz, 0);
  press(&s, 64, 100.0);
  stage_run(&s, 40, NULL, NULL);
  press(&s, 67, 15.0);
  listen(&s);
  assert_int_equal(htz_engine_count(s.engine).strikes, 1); // nothing was plucked
  assert_false(sounds(64, 67));
  check_above(fundamental(67), 1e-4);
  release(&s, 67);
  listen(&s);
  assert_false(sounds(67, 64));
  check_above(fundamental(64), 1e-4);
  release(&s, 64);
  press(&s, 60, 15.0); // nothing is held: it is a soft pluck
  listen(&s);
  assert_int_equal(htz_engine_count(s.engine).strikes, 2);
  stage_close(&s);
}

/** Twelve frets: two notes that only the highest string has are played on it, one after the other. */
static void no_string_is_stopped_beyond_its_frets(void** state) {
  (void)state;
  for (uint32_t low = 0; low < 2; ++low) { // the lower of the two is within reach of the next string, or not
    const uint32_t second = low ? 71 : 74;
    stage s;
    stage_open(&s, chords, rate_hz, 0);
    press(&s, 76, 100.0);
    press(&s, second, 100.0);
    listen(&s);
    assert_int_equal(htz_engine_count(s.engine).ringing, low ? 2 : 1);
    assert_true(sounds(second, 76));
    stage_close(&s);
  }
}

/** A mallet and a bow on different strings of a key, the finger across both: of either the octave is left and the open string is not. */
static void a_light_finger_lies_across_all_that_is_played(void** state) {
  enum { OPEN = 45, OCTAVE = 57, FRAMES = 48000 };
  (void)state;
  for (unsigned bowed = 0; bowed < 2; ++bowed) {
    for (unsigned key = OPEN; key <= OCTAVE; key += OCTAVE - OPEN) {
      sound s;
      note n;
      assert_true(sound_open(&s, HTZ_SOURCE_DIR "/tests/fixtures/instruments/flageolet-beside.yaml", 48000.0));
      assert_true(sound_set(&s, "gesture", bowed));
      htz_engine_hold(s.engine, 0, key, true, 0);
      sound_note(&s, key, 100.0, 0, FRAMES, &n);
      htz_modal* string = htz_modal_island_body(s.instrument->keys[OPEN].island, bowed);
      double swing[2];
      for (size_t k = 0; k < 2; ++k) {
        swing[k] = hypot(htz_modal_v(string)[k], htz_modal_omega(string)[k] * htz_modal_q(string)[k]);
      }
      print_message("%s, key %u: first partial %.2g m/s, second %.2g m/s\n", bowed ? "bowed" : "plucked", key, swing[0],
                    swing[1]);
      assert_true(key == OPEN ? swing[0] > 0.2 * swing[1] : swing[1] > 5.0 * swing[0]);
      assert_int_equal(htz_engine_count(s.engine).resets, 0);
      note_free(&n);
      sound_close(&s);
    }
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_chord_takes_a_string_for_each_note),          cmocka_unit_test(a_note_let_go_leaves_the_others),
      cmocka_unit_test(a_light_finger_lies_across_all_that_is_played), cmocka_unit_test(without_a_free_string_the_finger_moves),
      cmocka_unit_test(a_soft_key_hammers_on_and_pulls_off),           cmocka_unit_test(no_string_is_stopped_beyond_its_frets),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
