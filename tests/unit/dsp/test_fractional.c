// Reading a stream between its samples: what is in the band stays as it is, late by the delay; what cannot be said at the lower rate is gone.
#include "check.h"

#include "hertzian/dsp/fractional.h"

#include <math.h>
#include <stdio.h>

static const double turn = 6.283185307179586;

enum { FRAMES = 400, ROOM = 16384 };

/** Largest departure of a sine of `hz`, read from `in_hz` to `out_hz`, from `amplitude` times the same sine, late by the delay. */
static double departure(double hz, double in_hz, double out_hz, double amplitude) {
  static float x[ROOM];
  htz_arena arena;
  htz_fractional f;
  assert_int_equal(htz_arena_init(&arena, (size_t)1 << 22), HTZ_OK);
  assert_int_equal(htz_fractional_new(in_hz, out_hz, &arena, &f), HTZ_OK);
  for (size_t i = 0; i < ROOM; ++i) {
    x[i] = (float)sin(turn * hz / in_hz * (double)i);
  }
  double worst = 0.0;
  for (size_t i = 0; i < FRAMES; ++i) {
    const double at = (double)f.taps + (double)i * in_hz / out_hz;
    const size_t last = (size_t)at;
    assert_true(last < ROOM);
    const double got = (double)htz_fractional_read(&f, x + last - (f.taps - 1), at - (double)last);
    const double wanted = amplitude * sin(turn * hz / in_hz * (at - (double)f.delay));
    worst = fmax(worst, fabs(got - wanted));
  }
  htz_arena_free(&arena);
  return worst;
}

static const double rates[] = {22050.0, 44100.0, 48000.0, 88200.0, 96000.0, 192000.0};

/** Kaiser's window of 80 dB has a ripple of 1e-4 up to 0.41 of the lower rate. */
static void in_the_band_nothing_changes(void** state) {
  static const double shares[] = {0.0123, 0.11, 0.27, 0.41};
  (void)state;
  for (size_t r = 0; r < sizeof rates / sizeof rates[0]; ++r) {
    for (size_t s = 0; s < sizeof shares / sizeof shares[0]; ++s) {
      const double lower = fmin(96000.0, rates[r]), worst = departure(shares[s] * lower, 96000.0, rates[r], 1.0);
      check_below(worst, 2e-4);
    }
  }
}

/** 80 dB, and as much again for the tables' straight lines. */
static void above_it_nothing_is_left(void** state) {
  (void)state;
  for (size_t r = 0; rates[r] < 96000.0; ++r) {
    for (double share = 0.49; share * rates[r] < 48000.0; share += 0.37) {
      check_below(departure(share * rates[r], 96000.0, rates[r], 0.0), 2e-4);
    }
  }
}

static void rates_too_far_apart_are_refused(void** state) {
  (void)state;
  htz_arena arena;
  htz_fractional f;
  assert_int_equal(htz_arena_init(&arena, (size_t)1 << 20), HTZ_OK);
  assert_int_equal(htz_fractional_new(96000.0, 1000.0, &arena, &f), HTZ_BAD_VALUE);
  assert_int_equal(htz_fractional_new(1000.0, 96000.0, &arena, &f), HTZ_BAD_VALUE);
  assert_int_equal(htz_fractional_new(0.0, 96000.0, &arena, &f), HTZ_BAD_VALUE);
  assert_int_equal(htz_fractional_new(96000.0, (double)NAN, &arena, &f), HTZ_BAD_VALUE);
  htz_arena_free(&arena);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(in_the_band_nothing_changes),
      cmocka_unit_test(above_it_nothing_is_left),
      cmocka_unit_test(rates_too_far_apart_are_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
