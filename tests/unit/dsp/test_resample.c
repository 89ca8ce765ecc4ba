// Changing the sample rate: what is in the band stays as it is and where it is, what is not is gone.
#include "check.h"

#include "hertzian/dsp/resample.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double turn = 6.283185307179586;

enum { IN_FRAMES = 30000, OUT_ROOM = 200000, EDGE_TAPS = 300 };

static float in[IN_FRAMES], out[OUT_ROOM], again[OUT_ROOM];

// Everything in `in`, in pieces of `piece` frames. @return output frames
static size_t convert(uint32_t in_hz, uint32_t out_hz, size_t frames, size_t piece, float* to) {
  htz_resampler* r = NULL;
  assert_int_equal(htz_resampler_new(in_hz, out_hz, &r), HTZ_OK);
  size_t fed = 0, got = 0;
  for (;;) {
    const size_t n = htz_resampler_take(r, to + got, piece);
    got += n;
    if (n == piece) {
      continue;
    }
    if (fed == frames) {
      htz_resampler_end(r);
      size_t more;
      while ((more = htz_resampler_take(r, to + got, piece)) > 0) {
        got += more;
      }
      break;
    }
    size_t room = 0;
    float* place = htz_resampler_room(r, &room);
    assert_true(room > 0);
    const size_t now = room < frames - fed ? room : frames - fed;
    const size_t some = now < piece ? now : piece;
    memcpy(place, in + fed, some * sizeof *in);
    htz_resampler_feed(r, some);
    fed += some;
  }
  htz_resampler_free(r);
  assert_int_equal(got, htz_resampler_length(frames, in_hz, out_hz));
  return got;
}

static void sine(double hz, double rate_hz) {
  for (size_t i = 0; i < IN_FRAMES; ++i) {
    in[i] = (float)sin(turn * hz * (double)i / rate_hz + 0.3);
  }
}

// Largest departure from the same sine at the other rate, away from both ends, where the input begins and stops [].
static double departure(double hz, uint32_t in_hz, uint32_t out_hz, double amplitude) {
  sine(hz, in_hz);
  const size_t n = convert(in_hz, out_hz, IN_FRAMES, 1000, out);
  const size_t edge = (size_t)(EDGE_TAPS * (in_hz > out_hz ? 1.0 : (double)out_hz / in_hz)) + 1;
  double worst = 0.0;
  for (size_t i = edge; i + edge < n; ++i) {
    const double wanted = amplitude * sin(turn * hz * (double)i / out_hz + 0.3);
    worst = fmax(worst, fabs((double)out[i] - wanted));
  }
  return worst;
}

/*
   Kaiser's window for 120 dB has a ripple of 1e-6 in either band; the samples are single precision, 6e-8 each. Three times the sum.
*/
static void in_the_band_nothing_changes(void** state) {
  (void)state;
  static const struct {
    uint32_t in_hz, out_hz;
  } pairs[] = {{44100, 48000}, {48000, 44100}, {96000, 48000}, {22050, 48000}, {44101, 48000}, {47999, 192000}, {192000, 8000}};
  static const double shares[] = {0.02, 0.2, 0.46}; // of the lower rate; the band ends at 0.469
  for (size_t p = 0; p < sizeof pairs / sizeof pairs[0]; ++p) {
    const double lower = fmin(pairs[p].in_hz, pairs[p].out_hz);
    for (size_t s = 0; s < sizeof shares / sizeof shares[0]; ++s) {
      const double worst = departure(shares[s] * lower, pairs[p].in_hz, pairs[p].out_hz, 1.0);
      print_message("%u -> %u, %.0f Hz: %.2g\n", pairs[p].in_hz, pairs[p].out_hz, shares[s] * lower, worst);
      check_below(worst, 3e-6);
    }
  }
}

static void what_the_lower_rate_cannot_hold_is_gone(void** state) {
  (void)state;
  check_below(departure(24100.0, 96000, 48000, 0.0), 3e-6);
  check_below(departure(40000.0, 96000, 44100, 0.0), 3e-6);
  check_below(departure(4100.0, 44100, 8000, 0.0), 3e-6);
}

// Frame 0 stays frame 0 and any other is where it was in time: a click comes out even about its own position.
static void a_click_stays_where_it_is(void** state) {
  (void)state;
  memset(in, 0, sizeof in);
  in[4410] = 1.0f; // 0.1 s
  convert(44100, 48000, 9000, 777, out);
  for (size_t k = 1; k < 200; ++k) {
    check_near((double)out[4800 + k], (double)out[4800 - k], 1e-7);
    assert_true(out[4800 + k] < out[4800]);
  }
  memset(in, 0, sizeof in);
  in[0] = 1.0f;
  convert(44100, 88200, 9000, 777, out);
  check_near((double)out[0], 1.0, 0.1); // of c sinc(0), 0.97
  assert_true(fabsf(out[1]) < out[0]);
}

static void pieces_do_not_show(void** state) {
  (void)state;
  sine(1234.5, 44100);
  static const uint32_t rates[] = {48000, 44100, 47999, 8000};
  for (size_t i = 0; i < 4; ++i) {
    const size_t n = convert(44100, rates[i], 20000, 5000, out);
    assert_int_equal(convert(44100, rates[i], 20000, 37, again), n);
    assert_memory_equal(out, again, n * sizeof *out);
  }
}

static void equal_rates_change_no_bit(void** state) {
  (void)state;
  sine(23456.7, 48000);
  assert_int_equal(convert(48000, 48000, IN_FRAMES, 999, out), IN_FRAMES);
  assert_memory_equal(out, in, sizeof in);
}

static void ends_are_ends(void** state) {
  (void)state;
  assert_int_equal(convert(44100, 48000, 0, 64, out), 0);
  in[0] = 1.0f;
  assert_int_equal(convert(44100, 48000, 1, 64, out), 2); // at 0 and 0.919
  assert_int_equal(convert(48000, 8000, 7, 64, out), 2);
  htz_resampler* r;
  assert_int_equal(htz_resampler_new(999, 48000, &r), HTZ_BAD_VALUE);
  assert_int_equal(htz_resampler_new(48000, 768001, &r), HTZ_BAD_VALUE);
  // A day at 44.1 kHz, to the frame.
  assert_true(htz_resampler_length(UINT64_C(86400) * 44100 + 1, 44100, 48000) == UINT64_C(86400) * 48000 + 2);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(in_the_band_nothing_changes), cmocka_unit_test(what_the_lower_rate_cannot_hold_is_gone),
      cmocka_unit_test(a_click_stays_where_it_is),   cmocka_unit_test(pieces_do_not_show),
      cmocka_unit_test(equal_rates_change_no_bit),   cmocka_unit_test(ends_are_ends),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
