/*
   Extremes: whatever key, velocity, sample rate and setting, the sound stays finite and bounded, and no key has to be reset.
*/
#include "check.h"
#include "sound/render.h"

#include <math.h>

static const double most_db = 6.0; // peak [dBFS]
static const char* const names[] = {"marimba", "glockenspiel"};
enum { NAMES = sizeof names / sizeof names[0], STEP = 5 };

static void open_instrument(const char* name, double rate_hz, sound* s) {
  char path[HTZ_PATH_MAX];
  instrument_path(name, path);
  assert_true(sound_open(s, path, rate_hz));
}

/** One note, and what must hold of it. */
static void check_note(sound* s, int key, double velocity, double seconds) {
  note n;
  sound_note(s, (unsigned)key, velocity, 3, (size_t)(seconds * s->rate_hz), &n);
  for (size_t i = 0; i < n.frames; ++i) {
    if (!isfinite(n.left[i]) || !isfinite(n.right[i])) {
      print_error("%s: key %d, velocity %g, %g Hz: frame %zu is not finite\n", s->spec->id, key, velocity, s->rate_hz, i);
      fail();
    }
  }
  const double peak_db = decibels(fmax(peak_of(n.left, n.frames), peak_of(n.right, n.frames)));
  if (!(peak_db <= most_db)) {
    print_error("%s: key %d, velocity %g, %g Hz: %.1f dBFS\n", s->spec->id, key, velocity, s->rate_hz, peak_db);
    fail();
  }
  note_free(&n);
}

static void every_key_at_every_rate(void** state) {
  static const double rates[] = {8000.0, 11025.0, 22050.0, 44100.0, 48000.0, 96000.0, 192000.0};
  const double heard_s = 0.3; // past every contact and the loudest of the sound
  (void)state;
  for (size_t i = 0; i < NAMES; ++i) {
    for (size_t r = 0; r < sizeof rates / sizeof rates[0]; ++r) {
      sound s;
      open_instrument(names[i], rates[r], &s);
      for (int key = 0; key < HTZ_KEYS; ++key) {
        check_note(&s, key, 1.0, heard_s);
        check_note(&s, key, 127.0, heard_s);
      }
      assert_int_equal(htz_engine_count(s.engine).resets, 0);
      sound_close(&s);
    }
  }
}

static void every_parameter_at_both_ends(void** state) {
  static const double rates[] = {8000.0, 48000.0};
  const double heard_s = 1.0;
  (void)state;
  for (size_t i = 0; i < NAMES * 2; ++i) {
    sound s;
    open_instrument(names[i / 2], rates[i % 2], &s);
    for (size_t p = 0; p < HTZ_PARAM_NAMED; ++p) {
      const htz_param_desc* d = &htz_instrument_params[p];
      const double ends[2] = {d->minimum, d->maximum};
      for (size_t e = 0; e < 2; ++e) {
        assert_true(sound_set(&s, d->name, ends[e]));
        for (int key = 0; key < HTZ_KEYS; key += STEP) {
          check_note(&s, key, 1.0, heard_s);
          check_note(&s, key, 127.0, heard_s);
        }
      }
      assert_true(sound_set(&s, d->name, (double)NAN)); // back to what the instrument came with
      if (htz_engine_count(s.engine).resets) {
        print_error("%s: reset by %s\n", s.spec->id, d->name);
        fail();
      }
    }
    sound_close(&s);
  }
}

/** Settings moved from end to end every few milliseconds while bars ring and mallets touch. */
static void parameters_moved_in_flight(void** state) {
  const double heard_s = 1.0;
  (void)state;
  for (size_t i = 0; i < NAMES; ++i) {
    sound s;
    open_instrument(names[i], 48000.0, &s);
    for (size_t p = 0; p < HTZ_PARAM_NAMED; ++p) {
      const htz_param_desc* d = &htz_instrument_params[p];
      sound_rest(&s);
      for (uint64_t q = 0; q < (uint64_t)(heard_s * s.rate_hz) / HTZ_QUANTUM; ++q) {
        float left[HTZ_QUANTUM], right[HTZ_QUANTUM];
        if (q % 32 == 0) {
          for (uint32_t key = 0; key < HTZ_KEYS; key += 11) {
            htz_engine_strike(s.engine, 0, key, 127.0, htz_engine_now(s.engine) + q % HTZ_QUANTUM);
          }
        }
        if (q % 3 == 0) {
          assert_true(sound_set(&s, d->name, q % 2 ? d->minimum : d->maximum));
        }
        htz_engine_quantum(s.engine, left, right);
        for (size_t f = 0; f < HTZ_QUANTUM; ++f) {
          assert_true(isfinite(left[f]) && isfinite(right[f]));
        }
      }
      assert_true(sound_set(&s, d->name, (double)NAN));
      if (htz_engine_count(s.engine).resets) {
        print_error("%s: reset by %s\n", s.spec->id, d->name);
        fail();
      }
    }
    sound_close(&s);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_key_at_every_rate),
      cmocka_unit_test(every_parameter_at_both_ends),
      cmocka_unit_test(parameters_moved_in_flight),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
