/*
   A stroke right after everything was silenced (controller 120): it sounds as on a silent instrument, from its first sample on, while
   the old sound is gone within 20 ms and without a click.
*/
#include "check.h"
#include "sound/stage.h"

#include <math.h>

static const double rate_hz = 48000.0;
enum { QUANTA = 60, FRAMES = QUANTA * HTZ_QUANTUM, OLD_QUANTA = 150 };

typedef struct {
  float left[FRAMES], right[FRAMES];
} sound;

/** The largest step from a sample to the next in x [n]. */
static double roughness(const float* x, size_t n) {
  double most = 0.0;
  for (size_t i = 1; i < n; ++i) {
    most = fmax(most, fabs((double)x[i] - (double)x[i - 1]));
  }
  return most;
}

/** Old notes, still sounding when `old`, silenced; then key `key` is struck `wait` frames later. What came before is `before`. */
static void play(const char* path, double board, bool old, uint32_t key, uint64_t wait, sound* out, sound* before) {
  static const uint32_t chord[] = {60, 64, 67, 72};
  stage s;
  stage_open(&s, path, rate_hz, 0);
  if (htz_spec_two_way(s.spec)) {
    stage_set(&s, HTZ_PARAM_BOARD, board);
  }
  for (size_t i = 0; i < 4; ++i) {
    htz_engine_hold(s.engine, 0, chord[i], true, htz_engine_now(s.engine));
    htz_engine_strike(s.engine, 0, chord[i], 110.0, htz_engine_now(s.engine));
  }
  stage_run(&s, OLD_QUANTA / 2, NULL, NULL);
  if (!old) {
    htz_engine_silence(s.engine, 0, htz_engine_now(s.engine)); // long before: the same, at rest
  }
  stage_run(&s, OLD_QUANTA / 2, NULL, NULL);
  stage_run(&s, QUANTA, before->left, before->right);
  const uint64_t now = htz_engine_now(s.engine);
  htz_engine_silence(s.engine, 0, now);
  for (uint64_t q = 0; q < QUANTA; ++q) {
    if (wait / HTZ_QUANTUM == q) {
      htz_engine_hold(s.engine, 0, key, true, now + wait);
      htz_engine_strike(s.engine, 0, key, 80.0, now + wait);
    }
    stage_run(&s, 1, out->left + q * HTZ_QUANTUM, out->right + q * HTZ_QUANTUM);
  }
  assert_int_equal(htz_engine_count(s.engine).resets, 0);
  stage_close(&s);
}

static void check(const char* path, double board, uint32_t key, uint64_t wait) {
  static sound alone, both, before, nothing;
  static float rest[FRAMES];
  const size_t gone = (size_t)(0.020 * rate_hz), look = (size_t)(0.020 * rate_hz);
  double peak = 0.0, loud = 0.0;
  play(path, board, false, key, wait, &alone, &nothing);
  play(path, board, true, key, wait, &both, &before);
  for (size_t i = 0; i < FRAMES; ++i) {
    rest[i] = both.left[i] - alone.left[i];
    peak = fmax(peak, fabs((double)alone.left[i]));
    loud = fmax(loud, fabs((double)before.left[i]));
  }
  double late = 0.0, during = 0.0;
  for (size_t i = 0; i < FRAMES; ++i) {
    *(i < gone ? &during : &late) = fmax(i < gone ? during : late, fabs((double)rest[i]));
  }
  print_message("%s, board %g, key %u after %.1f ms: peak %.2g, old %.2g, left over %.2g, later %.2g\n", path, board, key,
                (double)wait * 1e3 / rate_hz, peak, loud, during, late);
  assert_true(peak > 1e-4 && loud > 1e-4);
  check_below(late, 1e-4 * peak);   // -80 dB: free strings answer in single precision
  check_below(during, 1.01 * loud); // no more than there was
  check_below(roughness(rest, gone), roughness(before.left + FRAMES - look, look) + 1e-3 * loud);
}

static void a_stroke_after_silence_is_whole(void** state) {
  static const uint64_t waits[] = {0, 20, 100, 240, 470};
  (void)state;
  for (size_t i = 0; i < sizeof waits / sizeof waits[0]; ++i) {
    check("instruments/piano.yaml", 0.0, 62, waits[i]);
    check("instruments/piano.yaml", 0.0, 60, waits[i]);
  }
  check("instruments/piano.yaml", 1.0, 62, 240);
  check("instruments/piano.yaml", 1.0, 60, 100);
  check("instruments/marimba.yaml", 0.0, 60, 240);
  check("instruments/vibraphone.yaml", 0.0, 62, 100);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_stroke_after_silence_is_whole),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
