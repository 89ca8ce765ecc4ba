// Bowed strings, one under each bow: every one falls into Helmholtz motion, in tune, soon after the bow is set on.
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

typedef struct {
  int key;
  double velocity;
} bowed_note;

static void speaks_in_tune(const char* name, const bowed_note* notes, size_t n) {
  sound s;
  char path[HTZ_PATH_MAX];
  instrument_path(name, path);
  assert_true(sound_open(&s, path, rate_hz));
  assert_true(sound_set(&s, "room", 0.0));
  for (size_t i = 0; i < n; ++i) {
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
    print_message("%s %u: %.2f cents, %.3f catches a period, %.1f dB after 100 ms\n", name, key, 1200.0 * log2(pitch(hz) / hz),
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

static void cello(void** unused) {
  (void)unused;
  static const bowed_note notes[] = {{36, 64.0}, {41, 100.0}, {43, 64.0},  {47, 30.0}, {50, 100.0},
                                     {57, 10.0}, {60, 80.0},  {69, 127.0}, {81, 64.0}};
  speaks_in_tune("cello", notes, sizeof notes / sizeof notes[0]);
}

static void viola(void** unused) {
  (void)unused;
  static const bowed_note notes[] = {{48, 64.0}, {53, 100.0}, {55, 30.0},  {61, 127.0}, {62, 80.0},
                                     {68, 64.0}, {69, 10.0},  {77, 100.0}, {88, 64.0}};
  speaks_in_tune("viola", notes, sizeof notes / sizeof notes[0]);
}

static void violin(void** unused) {
  (void)unused;
  static const bowed_note notes[] = {{55, 64.0}, {61, 100.0}, {62, 30.0},  {68, 127.0}, {69, 80.0},
                                     {75, 64.0}, {76, 10.0},  {88, 100.0}, {100, 64.0}};
  speaks_in_tune("violin", notes, sizeof notes / sizeof notes[0]);
}

/** Three strings a key that are not in unison: what they sound together beats, by as much as they are apart at most. */
static void section_beats(void** unused) {
  (void)unused;
  sound s;
  char path[HTZ_PATH_MAX];
  instrument_path("strings", path);
  assert_true(sound_open(&s, path, rate_hz));
  assert_true(sound_set(&s, "room", 0.0));
  assert_true(sound_set(&s, "human", 0.0));
  for (uint32_t key = 48; key <= 84; key += 12) {
    enum { BLOCKS = 16, BLOCK_QUANTA = 94 }; // an eighth of a second each
    double least = HUGE_VAL, most = 0.0;
    sound_rest(&s);
    htz_engine_strike(s.engine, 0, key, 100.0, htz_engine_now(s.engine));
    htz_engine_hold(s.engine, 0, key, true, htz_engine_now(s.engine));
    run(&s, HALF);
    check_close(pitch(htz_key_hz(key)), htz_key_hz(key), cents(12.0)); // the outermost strings are 6 cents from the key
    for (int b = 0; b < BLOCKS; ++b) {
      run(&s, BLOCK_QUANTA);
      const double level = rms(0, (size_t)BLOCK_QUANTA * HTZ_QUANTUM);
      least = fmin(least, level);
      most = fmax(most, level);
    }
    print_message("strings %u: level of eighths of a second within %.1f dB\n", key, decibels(most / least));
    check_above(decibels(most / least), 1.5); // one string under a steady bow: some 0.2 dB
    htz_engine_hold(s.engine, 0, key, false, htz_engine_now(s.engine));
  }
  assert_int_equal(htz_engine_count(s.engine).resets, 0);
  sound_close(&s);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(cello), cmocka_unit_test(viola), cmocka_unit_test(violin),
                                     cmocka_unit_test(section_beats)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
