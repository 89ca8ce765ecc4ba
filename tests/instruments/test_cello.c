// The cello: every string falls into Helmholtz motion, in tune, soon after the bow is set on.
#include "check.h"

#include "sound/render.h"

#include <math.h>

static const double rate_hz = 48000.0;

enum { HALF = 375 }; // quanta in half a second

static float out[HALF * HTZ_QUANTUM];

static void run(sound* s, size_t quanta) {
  float right[HTZ_QUANTUM];
  for (size_t q = 0; q < quanta; ++q) {
    htz_engine_quantum(s->engine, out + q * HTZ_QUANTUM, right);
  }
}

static double rms(size_t first, size_t n) {
  double sum = 0.0;
  for (size_t i = first; i < first + n; ++i) {
    sum += (double)out[i] * (double)out[i];
  }
  return sqrt(sum / (double)n);
}

/** Pitch of `out`, near `hz`: the lag of many periods at which it is most like itself. */
static double pitch(double hz) {
  const double periods = floor(0.2 * hz);
  const size_t n = (size_t)HALF * HTZ_QUANTUM, near = (size_t)(periods * rate_hz / hz);
  const size_t reach = (size_t)(0.4 * rate_hz / hz); // not to the next period
  double best = -HUGE_VAL, at = 0.0, before = 0.0, last = 0.0;
  for (size_t l = near - reach; l <= near + reach; ++l) {
    double value = 0.0;
    for (size_t i = 0; i + l < n; i += 2) { // every other product is as good
      value += (double)out[i] * (double)out[i + l];
    }
    if (last > best && last >= before && last >= value) {
      best = last;
      at = (double)l - 1.0 + 0.5 * (before - value) / (before - 2.0 * last + value);
    }
    before = last;
    last = value;
  }
  return periods * rate_hz / at;
}

static void every_string_speaks_in_tune(void** unused) {
  (void)unused;
  static const struct {
    int key;
    double velocity;
  } notes[] = {{36, 64.0}, {41, 100.0}, {43, 64.0}, {47, 30.0}, {50, 100.0}, {57, 10.0}, {60, 80.0}, {69, 127.0}, {81, 64.0}};
  sound s;
  char path[HTZ_PATH_MAX];
  instrument_path("cello", path);
  assert_true(sound_open(&s, path, rate_hz));
  assert_true(sound_set(&s, "room", 0.0));
  for (size_t i = 0; i < sizeof notes / sizeof notes[0]; ++i) {
    const uint32_t key = (uint32_t)notes[i].key;
    const double hz = htz_key_hz(key);
    sound_rest(&s);
    htz_engine_strike(s.engine, 0, key, notes[i].velocity, htz_engine_now(s.engine));
    htz_engine_hold(s.engine, 0, key, true, htz_engine_now(s.engine));
    run(&s, HALF);
    const double early = rms((size_t)(0.1 * rate_hz), (size_t)(0.05 * rate_hz));
    run(&s, HALF);
    const uint64_t caught = htz_engine_count(s.engine).closures;
    run(&s, HALF);
    print_message("%u: %.2f cents, %.3f catches a period, %.1f dB after 100 ms\n", key, 1200.0 * log2(pitch(hz) / hz),
                  (double)(htz_engine_count(s.engine).closures - caught) / (0.5 * hz),
                  decibels(early / rms(0, (size_t)HALF * HTZ_QUANTUM)));
    check_close(pitch(hz), hz, cents(5.0));
    // The bow catches the string once a period, to one at each end of the half second.
    check_near((double)(htz_engine_count(s.engine).closures - caught), 0.5 * hz, 1.5 + 0.01 * hz);
    if (notes[i].velocity >= 64.0) {
      check_above(decibels(early / rms(0, (size_t)HALF * HTZ_QUANTUM)), -6.0); // it speaks within 100 ms
    }
    htz_engine_hold(s.engine, 0, key, false, htz_engine_now(s.engine));
  }
  assert_int_equal(htz_engine_count(s.engine).solver_bounds, 0);
  assert_int_equal(htz_engine_count(s.engine).resets, 0);
  sound_close(&s);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(every_string_speaks_in_tune)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
