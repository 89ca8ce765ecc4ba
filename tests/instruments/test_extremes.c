/*
   Extremes: whatever key, velocity, sample rate and setting, the sound stays finite and bounded, and no key has to be reset. With names as
   arguments, the ends of the parameters of those files only.
*/
#include "check.h"
#include "sound/every.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double most_db = 6.0; // peak [dBFS]
static const char* const names[] = {"marimba", "glockenspiel"};
enum { NAMES = sizeof names / sizeof names[0] };

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

enum { PLACES = 5, RATES = 3 };

/** The keys at the ends of MIDI's range, and of the instrument's, and its middle. */
static void places_of(const htz_spec* spec, int places[PLACES]) {
  const int all[PLACES] = {0, spec->key_low, (spec->key_low + spec->key_high) / 2, spec->key_high, HTZ_KEYS - 1};
  memcpy(places, all, sizeof all);
}

static void open_places(const char* name, double at_hz, sound* s, int places[PLACES]) {
  char path[HTZ_PATH_MAX];
  htz_spec* spec = NULL;
  htz_diags diags;
  uint64_t keys[HTZ_KEYS / 64] = {0};
  instrument_path(name, path);
  htz_diags_init(&diags, path);
  if (htz_spec_load(path, &spec, &diags)) {
    htz_diags_print(&diags, stderr);
    fail();
  }
  places_of(spec, places);
  for (size_t i = 0; i < PLACES; ++i) {
    keys[(size_t)places[i] / 64] |= UINT64_C(1) << ((unsigned)places[i] % 64);
  }
  htz_spec_free(spec);
  assert_true(sound_open_keys(s, path, at_hz, keys));
}

/** Strike `key`, hold it half of the time and drive it, where the instrument can be driven, at full scale. @return true when sane */
static bool play_extreme(sound* s, int key, double seconds, const char* what, double end) {
  const size_t quanta = (size_t)(seconds * s->rate_hz) / HTZ_QUANTUM;
  float left[HTZ_QUANTUM], right[HTZ_QUANTUM], drive[HTZ_QUANTUM];
  double peak = 0.0;
  bool finite = true;
  for (size_t i = 0; i < HTZ_QUANTUM; ++i) {
    drive[i] = i < HTZ_QUANTUM / 2 ? 1.0f : -1.0f;
  }
  sound_rest(s);
  htz_engine_hold(s->engine, 0, (uint32_t)key, true, htz_engine_now(s->engine));
  htz_engine_strike(s->engine, 0, (uint32_t)key, 127.0, htz_engine_now(s->engine));
  for (size_t q = 0; q < quanta; ++q) {
    if (q == quanta / 2) {
      htz_engine_hold(s->engine, 0, (uint32_t)key, false, htz_engine_now(s->engine));
    }
    htz_engine_drive(s->engine, s->spec->mallet.driven ? drive : NULL);
    htz_engine_quantum(s->engine, left, right);
    for (size_t i = 0; i < HTZ_QUANTUM; ++i) {
      finite = finite && isfinite(left[i]) && isfinite(right[i]);
      peak = fmax(peak, fmax(fabs((double)left[i]), fabs((double)right[i])));
    }
  }
  const uint64_t resets = htz_engine_count(s->engine).resets;
  const double asked_db = strcmp(what, "level") == 0 ? end : 0.0; // a factor on the whole, and no more than that
  if (!finite || !(decibels(peak) - asked_db <= most_db) || resets > 0) {
    print_error("%s: key %d, %s=%g, %g Hz: %s, peak %.1f dBFS, %u resets\n", s->spec->id, key, what, end, s->rate_hz,
                finite ? "finite" : "not finite", decibels(peak), (unsigned)resets);
    return false;
  }
  return true;
}

/** Both ends of every parameter that does something on one file. @param first which rate and key come first @return faults */
static size_t both_ends(const char* name, size_t first) {
  static const double rates[RATES] = {22050.0, 48000.0, 192000.0};
  const bool thorough = getenv("HERTZIAN_LONG") != NULL;
  const double seconds = thorough ? 10.0 : 0.25; // past every contact and the loudest of the sound
  size_t faults = 0;
  for (size_t r = 0; r < RATES; ++r) {
    sound s;
    int places[PLACES];
    size_t turn = first;
    open_places(name, rates[r], &s, places);
    for (size_t p = 0; p < HTZ_PARAM_NAMED; ++p) {
      const htz_param_desc d = htz_spec_param(s.spec, (htz_param_index)p);
      if (!htz_spec_param_used(s.spec, (htz_param_index)p)) {
        continue;
      }
      for (size_t e = 0; e < 2; ++e, ++turn) {
        const double end = e ? d.maximum : d.minimum;
        for (size_t k = 0; k < PLACES; ++k) {
          if (s.instrument->keys[places[k]].island && (thorough || (turn % RATES == r && turn % PLACES == k))) {
            assert_true(sound_set(&s, d.name, end));
            faults += play_extreme(&s, places[k], seconds, d.name, end) ? 0 : 1;
          }
        }
      }
      assert_true(sound_set(&s, d.name, (double)NAN)); // back to what the instrument came with
    }
    sound_close(&s);
  }
  return faults;
}

/**
   Every parameter that does something on an instrument, at both ends, on every instrument file. Each end is heard at one of the
   rates on one of the keys, in turn: the numbers of both have no common divisor, so that over the parameters all pairs come up.
   With HERTZIAN_LONG set, each at every rate on every key, for 10 s (an hour or so).
*/
static void every_parameter_at_both_ends(void** state) {
  every_instrument all = every_list();
  size_t faults = 0;
  (void)state;
  for (size_t i = 0; i < all.n; ++i) {
    faults += both_ends(all.name[i], i); // instruments begin at different pairs
  }
  every_free(&all);
  assert_int_equal(faults, 0);
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
      if (!htz_spec_param_used(s.spec, (htz_param_index)p)) {
        continue;
      }
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

int main(int argc, char** argv) {
  size_t faults = 0;
  for (int i = 1; i < argc; ++i) {
    faults += both_ends(argv[i], (size_t)i - 1);
  }
  if (argc > 1) {
    return faults > 0;
  }
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_key_at_every_rate),
      cmocka_unit_test(every_parameter_at_both_ends),
      cmocka_unit_test(parameters_moved_in_flight),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
