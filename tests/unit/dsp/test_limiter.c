// The safety limiter: transparent below its threshold, never above it, back to transparent after a while.
#include "check.h"

#include "hertzian/dsp/limiter.h"

#include <math.h>
#include <string.h>

static const double rate_hz = 48000.0;

enum { FRAMES = 48000 };
static float samples[2 * FRAMES], before[2 * FRAMES];

static void sine(double amplitude, double hz) {
  for (size_t i = 0; i < FRAMES; ++i) {
    samples[2 * i] = (float)(amplitude * sin(6.283185307179586 * hz * (double)i / rate_hz));
    samples[2 * i + 1] = 0.5f * samples[2 * i];
  }
  memcpy(before, samples, sizeof samples);
}

static double peak(size_t from, size_t to) {
  double m = 0.0;
  for (size_t i = 2 * from; i < 2 * to; ++i) {
    m = fabs((double)samples[i]) > m ? fabs((double)samples[i]) : m;
  }
  return m;
}

static void below_the_threshold_not_a_bit_changes(void** state) {
  (void)state;
  htz_limiter limiter;
  htz_limiter_init(&limiter, rate_hz, -1.0);
  sine(0.891, 100.0); // -1 dBFS is 0.89125
  htz_limiter_run(&limiter, samples, FRAMES);
  assert_memory_equal(samples, before, sizeof samples);
  assert_int_equal(limiter.acted, 0);
}

static void nothing_gets_above_it(void** state) {
  (void)state;
  for (double amplitude = 0.9; amplitude < 200.0; amplitude *= 2.3) {
    htz_limiter limiter;
    htz_limiter_init(&limiter, rate_hz, -1.0);
    sine(amplitude, 997.0);
    htz_limiter_run(&limiter, samples, FRAMES);
    // The product of a rounded quotient: two roundings, of 6e-8 each, above the threshold at most.
    check_below(peak(0, FRAMES), (double)limiter.threshold * (1.0 + 1.3e-7));
    assert_true(limiter.acted > 0);
    check_close((double)limiter.least_gain, (double)limiter.threshold / amplitude, 1e-3);
    // The sides keep their ratio, so that nothing moves in the stereo image.
    for (size_t i = 0; i < FRAMES; ++i) {
      check_near((double)samples[2 * i + 1], 0.5 * (double)samples[2 * i], 1e-7);
    }
  }
}

static void it_lets_go_again(void** state) {
  (void)state;
  htz_limiter limiter;
  htz_limiter_init(&limiter, rate_hz, -1.0);
  sine(0.5, 440.0);
  samples[0] = 1.5f; // one sample 4.5 dB over
  memcpy(before, samples, sizeof samples);
  htz_limiter_run(&limiter, samples, FRAMES);
  check_below((double)samples[2 * 100], (double)fabsf(before[2 * 100]) + 1e-9);
  // 10 ms of hold and 0.52 time constants of 80 ms until the envelope, 1.5 at first, is below the threshold: 52 ms.
  assert_memory_equal(samples + 2 * 2880, before + 2 * 2880, sizeof samples - 2 * 2880 * sizeof samples[0]);
  check_near((double)limiter.acted / rate_hz, 0.010 + 0.080 * log(1.5 / (double)limiter.threshold), 0.001);
}

static void what_is_not_a_number_becomes_silence(void** state) {
  (void)state;
  htz_limiter limiter;
  htz_limiter_init(&limiter, rate_hz, -1.0);
  sine(0.1, 440.0);
  samples[10] = (float)NAN;
  samples[13] = (float)INFINITY;
  samples[15] = -(float)INFINITY;
  memcpy(before, samples, sizeof samples);
  htz_limiter_run(&limiter, samples, FRAMES);
  assert_int_equal(limiter.broken, 3);
  assert_true(samples[10] == 0.0f && samples[13] == 0.0f && samples[15] == 0.0f);
  assert_memory_equal(samples + 16, before + 16, sizeof samples - 16 * sizeof samples[0]);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(below_the_threshold_not_a_bit_changes),
      cmocka_unit_test(nothing_gets_above_it),
      cmocka_unit_test(it_lets_go_again),
      cmocka_unit_test(what_is_not_a_number_becomes_silence),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
