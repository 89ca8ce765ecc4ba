// The delay-locked loop: the card's rate found, jitter averaged away, gaps survived.
#include "check.h"

#include "hertzian/midi/clock.h"

#include <math.h>

static const double rate_hz = 48000.0;

static uint32_t seed;

// Uniform in 0..1, by the usual congruential generator of Numerical Recipes.
static double chance(void) {
  seed = seed * 1664525u + 1013904223u;
  return (seed >> 8) / 16777216.0;
}

static void exact_blocks_give_exact_frames(void** state) {
  (void)state;
  htz_clock clock;
  htz_clock_init(&clock, rate_hz);
  for (uint64_t block = 0; block < 1000; ++block) {
    htz_clock_block(&clock, block * 128, 10.0 + (double)block * 128.0 / rate_hz);
  }
  // A stamp's frame to a hundredth of one: times of 10 s and more have 2e-15 s of rounding.
  check_near(htz_clock_frame(&clock, 10.0 + 12345.0 / rate_hz), 12345.0, 0.01);
  assert_int_equal(clock.restarts, 0);
}

// Late by up to a whole block, as threads are woken, on a card that is 200 ppm fast.
static double worst_jitter(uint32_t frames, double seconds) {
  htz_clock clock;
  const double card_hz = rate_hz * 1.0002;
  double sum = 0.0, squares = 0.0, n = 0.0;
  htz_clock_init(&clock, rate_hz);
  seed = 1;
  for (uint64_t block = 0; (double)(block * frames) < seconds * rate_hz; ++block) {
    const double true_time = (double)(block * frames) / card_hz;
    htz_clock_block(&clock, block * frames, true_time + chance() * frames / rate_hz);
    if (true_time > seconds / 2) {
      const double error = (htz_clock_frame(&clock, true_time) - (double)(block * frames)) / rate_hz;
      sum += error;
      squares += error * error;
      n += 1.0;
    }
  }
  assert_int_equal(clock.restarts, 0);
  return sqrt(squares / n - sum / n * (sum / n));
}

static void jitter_is_averaged_away(void** state) {
  (void)state;
  // A uniform jitter of one block has a deviation of 6.2 ms at 1024 frames. What is heard has to be within 1 ms; by the loop's
  // noise bandwidth (about 2 Hz of the 23 Hz of blocks' Nyquist rate) it is 6.2 sqrt(2/23 ...) ~ 1 ms at most.
  check_below(worst_jitter(1024, 60.0), 1e-3);
  check_below(worst_jitter(128, 60.0), 1e-4);
  check_below(worst_jitter(64, 60.0), 0.5e-4);
}

static void a_gap_starts_it_again(void** state) {
  (void)state;
  htz_clock clock;
  htz_clock_init(&clock, rate_hz);
  double time_s = 5.0;
  uint64_t frame = 0;
  for (int block = 0; block < 500; ++block, frame += 128, time_s += 128 / rate_hz) {
    htz_clock_block(&clock, frame, time_s);
  }
  time_s += 0.5; // the stream stood still
  htz_clock_block(&clock, frame, time_s);
  assert_int_equal(clock.restarts, 1);
  check_near(htz_clock_frame(&clock, time_s), (double)frame, 1e-6);
  check_near(htz_clock_frame(&clock, time_s + 0.001), (double)frame + 48.0, 0.01);
}

static void a_wrong_rate_is_not_believed(void** state) {
  (void)state;
  htz_clock clock;
  htz_clock_init(&clock, rate_hz);
  for (uint64_t block = 0; block < 2000; ++block) {
    htz_clock_block(&clock, block * 64, (double)block * 64 / rate_hz * 1.5);
  }
  check_close(clock.seconds_per_frame, 1.0 / rate_hz, 0.0101);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(exact_blocks_give_exact_frames),
      cmocka_unit_test(jitter_is_averaged_away),
      cmocka_unit_test(a_gap_starts_it_again),
      cmocka_unit_test(a_wrong_rate_is_not_believed),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
