/*
   When a key falls asleep: its modes swing freely then, and what it gives is noise or a few partials at -120 dBFS, neither more, which would
   be heard to end, nor so much less that it had rung on for seconds unheard.
*/
#include "check.h"

#include "sound/render.h"

#include <math.h>

static const double rate_hz = 48000.0;
static const double velocity = 100.0;
static const double asleep_below = 1e-6; // amplitude of a sine of the power that the key's lines have in all
static const double patience_s = 90.0;   // twice the longest decay of them by 120 dB
static const double split_db = -6.0;     // two lines and two sides: what one side has of it may be so much less
static const double between_looks_db =
    -8.0;            // and it is looked at every 32 quanta, of which the fastest decay here, 0.5 s, takes 5 dB
enum { LATELY = 4 }; // quanta whose power is taken: 5 ms, less than between two looks

/** Strike the key and let it ring until it sleeps. @return rms of the louder side over the last quanta before */
static double before_sleep(const char* name, unsigned key, double* after_s) {
  char path[HTZ_PATH_MAX];
  sound s;
  uint64_t keys[HTZ_KEYS / 64] = {0};
  keys[key / 64] |= UINT64_C(1) << (key % 64);
  instrument_path(name, path);
  assert_true(sound_open_keys(&s, path, rate_hz, keys));
  assert_true(sound_set(&s, "room", 0.0));
  htz_engine_strike(s.engine, 0, key, velocity, htz_engine_now(s.engine));
  htz_engine_hold(s.engine, 0, key, true, htz_engine_now(s.engine));
  double power[2][LATELY] = {{0.0}};
  size_t quanta = 0;
  const size_t most = (size_t)(patience_s * rate_hz / HTZ_QUANTUM);
  do {
    float left[HTZ_QUANTUM], right[HTZ_QUANTUM];
    htz_engine_quantum(s.engine, left, right);
    double sum[2] = {0.0, 0.0};
    for (size_t i = 0; i < HTZ_QUANTUM; ++i) {
      sum[0] += (double)left[i] * left[i];
      sum[1] += (double)right[i] * right[i];
    }
    power[0][quanta % LATELY] = sum[0];
    power[1][quanta % LATELY] = sum[1];
    ++quanta;
  } while (htz_engine_sounds(s.engine, 0, key) && quanta < most);
  assert_false(htz_engine_sounds(s.engine, 0, key));
  assert_int_equal(htz_engine_count(s.engine).resets, 0);
  double sums[2] = {0.0, 0.0};
  for (size_t i = 0; i < LATELY; ++i) {
    sums[0] += power[0][i];
    sums[1] += power[1][i];
  }
  *after_s = (double)quanta * HTZ_QUANTUM / rate_hz;
  sound_close(&s);
  return sqrt(fmax(sums[0], sums[1]) / (LATELY * HTZ_QUANTUM));
}

/** Cymbals: hundreds of modes, of which at last the lowest swing, which are heard least. */
static void keys_ring_as_long_as_they_are_heard(void** state) {
  static const struct {
    const char* name;
    unsigned key;
  } notes[] = {{"drum-kit", 49}, {"drum-kit", 51}, {"drum-kit", 55}, {"drum-kit", 53}, {"glockenspiel", 84}};
  (void)state;
  for (size_t i = 0; i < sizeof notes / sizeof notes[0]; ++i) {
    double after_s;
    const double rms = before_sleep(notes[i].name, notes[i].key, &after_s);
    const double db = 20.0 * log10(rms * sqrt(2.0) / asleep_below);
    print_message("%s, key %u: sleeps after %.1f s, %.1f dB beside the threshold\n", notes[i].name, notes[i].key, after_s, db);
    check_below(db, 3.0); // the partials that there are may add up over 5 ms
    check_above(db, split_db + between_looks_db);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(keys_ring_as_long_as_they_are_heard),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
