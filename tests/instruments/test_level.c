/*
   Level: every key of the range equally loud at equal velocity, a fortissimo note at the calibrated peak, keys placed from left
   to right, the tube heard.
*/
#include "check.h"
#include "sound/loudness.h"
#include "sound/render.h"

#include <math.h>

static const double rate_hz = 48000.0;
static const double heard_s = 1.0; // the loudest 400 ms lie well within
static const double even_db = 4.0; // from the softest to the loudest key
static const double even_velocity = 80.0;
static const double full_velocity = 127.0;
static const double level_db = -20.0; // peak of a fortissimo note on the middle key [dBFS]
static const double level_tolerance_db = 3.0;
static const double mean_most_db = -80.0; // mean over a second
enum { HOPS_PER_SECOND = 100 };

static void open_instrument(const char* name, sound* s) {
  char path[HTZ_PATH_MAX];
  instrument_path(name, path);
  assert_true(sound_open(s, path, rate_hz));
}

static void check_even(const char* name) {
  sound s;
  double softest = HUGE_VAL, loudest = -HUGE_VAL;
  open_instrument(name, &s);
  for (int key = s.spec->key_low; key <= s.spec->key_high; ++key) {
    note n;
    sound_note(&s, (unsigned)key, even_velocity, 0, (size_t)(heard_s * rate_hz), &n);
    const double lufs = loudness_momentary_max(n.left, n.right, n.frames, rate_hz, (size_t)rate_hz / HOPS_PER_SECOND);
    softest = fmin(softest, lufs);
    loudest = fmax(loudest, lufs);
    note_free(&n);
  }
  print_message("%s: %.1f..%.1f LUFS at velocity %g, spread %.2f dB\n", name, softest, loudest, even_velocity,
                loudest - softest);
  check_below(loudest - softest, even_db);
  sound_close(&s);
}

static void keys_are_equally_loud(void** state) {
  (void)state;
  check_even("marimba");
  check_even("glockenspiel");
}

static void check_level(const char* name) {
  sound s;
  note n;
  open_instrument(name, &s);
  const int middle = (s.spec->key_low + s.spec->key_high) / 2;
  sound_note(&s, (unsigned)middle, full_velocity, 0, (size_t)(heard_s * rate_hz), &n);
  const double peak_db = decibels(fmax(peak_of(n.left, n.frames), peak_of(n.right, n.frames)));
  print_message("%s: key %d at velocity %g peaks at %.2f dBFS\n", name, middle, full_velocity, peak_db);
  check_near(peak_db, level_db, level_tolerance_db);
  note_free(&n);
  sound_close(&s);
}

static void fortissimo_has_the_calibrated_peak(void** state) {
  (void)state;
  check_level("marimba");
  check_level("glockenspiel");
}

/** Level of the right channel over the left [dB]: of the energy, as two ears hear partials in different phase, and peaks say little. */
static double side_of(sound* s, int key) {
  note n;
  double energy[2] = {0.0, 0.0};
  sound_note(s, (unsigned)key, even_velocity, 0, (size_t)(heard_s * rate_hz), &n);
  for (size_t i = 0; i < n.frames; ++i) {
    energy[0] += n.left[i] * n.left[i];
    energy[1] += n.right[i] * n.right[i];
  }
  const double side = decibels(sqrt(energy[1] / energy[0]));
  note_free(&n);
  return side;
}

static void keys_go_from_left_to_right(void** state) {
  static const char* const names[] = {"marimba", "glockenspiel"};
  const double apart_db = 3.0; // between the outermost keys at least: a place one can hear
  (void)state;
  for (size_t i = 0; i < 2; ++i) {
    sound s;
    open_instrument(names[i], &s);
    const double first = side_of(&s, s.spec->key_low);
    double before = first;
    for (int key = s.spec->key_low + 1; key <= s.spec->key_high; ++key) {
      // Of two ears the one is always the earlier, though not always the louder: far to the side both are as far away.
      const uint32_t* late = s.instrument->keys[key].late[HTZ_EARS_PLAYER];
      const uint32_t* last = s.instrument->keys[key - 1].late[HTZ_EARS_PLAYER];
      const double side = side_of(&s, key);
      if (s.instrument->keys[key].n_ears > 0) {
        check_above((double)late[0] - (double)late[1] + 1.0, (double)last[0] - (double)last[1]); // whole frames
      } else {
        check_above(side, before);
      }
      before = side;
    }
    check_above(before - first, apart_db);
    assert_true(sound_set(&s, "width", 0.0));
    check_near(side_of(&s, s.spec->key_low), 0.0, 1e-4);
    sound_close(&s);
  }
}

static void tube_strengthens_the_tone(void** state) {
  const double audible_db = 3.0; // a tube that adds less would not be worth hanging
  sound s;
  (void)state;
  open_instrument("marimba", &s);
  for (int key = s.spec->key_low; key <= s.spec->key_high; key += 6) {
    note with, without;
    assert_true(sound_set(&s, "tube.level", 1.0));
    sound_note(&s, (unsigned)key, even_velocity, 0, (size_t)(heard_s * rate_hz), &with);
    assert_true(sound_set(&s, "tube.level", 0.0));
    sound_note(&s, (unsigned)key, even_velocity, 0, (size_t)(heard_s * rate_hz), &without);
    const size_t hop = (size_t)rate_hz / HOPS_PER_SECOND;
    check_above(loudness_momentary_max(with.left, with.right, with.frames, rate_hz, hop) -
                    loudness_momentary_max(without.left, without.right, without.frames, rate_hz, hop),
                audible_db);
    note_free(&with);
    note_free(&without);
  }
  sound_close(&s);
}

static void note_has_no_offset(void** state) {
  static const char* const names[] = {"marimba", "glockenspiel"};
  (void)state;
  for (size_t i = 0; i < 2; ++i) {
    sound s;
    open_instrument(names[i], &s);
    for (int key = s.spec->key_low; key <= s.spec->key_high; key += 3) {
      note n;
      sound_note(&s, (unsigned)key, full_velocity, 0, 2 * (size_t)rate_hz, &n);
      for (size_t start = 0; start + (size_t)rate_hz <= n.frames; start += (size_t)rate_hz) {
        double sum = 0.0;
        for (size_t f = 0; f < (size_t)rate_hz; ++f) {
          sum += n.mono[start + f];
        }
        check_below(decibels(fabs(sum / rate_hz)), mean_most_db);
      }
      note_free(&n);
    }
    sound_close(&s);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(keys_are_equally_loud),      cmocka_unit_test(fortissimo_has_the_calibrated_peak),
      cmocka_unit_test(keys_go_from_left_to_right), cmocka_unit_test(tube_strengthens_the_tone),
      cmocka_unit_test(note_has_no_offset),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
