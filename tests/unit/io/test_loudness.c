/* Loudness and true peak against what the recommendations print: ITU-R BS.1770-4's sine, and a peak between samples. */
#include "hertzian/io/loudness.h"

#include "check.h"

#include <math.h>
#include <stdlib.h>

static const double pi = 3.14159265358979323846;

/** A sine of `seconds` on the left channel of two. */
static htz_loudness* hear(double rate_hz, double hz, double phase, double seconds, htz_loudness_use use) {
  const size_t frames = (size_t)(seconds * rate_hz);
  float* x = calloc(2 * frames, sizeof *x);
  htz_loudness* l;
  assert_non_null(x);
  for (size_t i = 0; i < frames; ++i) {
    x[2 * i] = (float)sin(2.0 * pi * hz * (double)i / rate_hz + phase);
  }
  assert_int_equal(htz_loudness_new(rate_hz, 2, use, &l), HTZ_OK);
  const size_t piece = 640; // no divisor of the 10 ms between two momentary figures
  for (size_t at = 0; at < frames; at += piece) {
    assert_int_equal(htz_loudness_add(l, x + 2 * at, frames - at < piece ? frames - at : piece), HTZ_OK);
  }
  free(x);
  return l;
}

static void a_full_scale_sine_on_one_channel_has_the_printed_loudness(void** state) {
  static const double rates[] = {44100.0, 48000.0, 96000.0};
  (void)state;
  for (size_t i = 0; i < sizeof rates / sizeof rates[0]; ++i) {
    htz_loudness* l = hear(rates[i], 997.0, 0.0, 3.0, HTZ_LOUDNESS_NOTES);
    check_near(htz_loudness_whole(l), -3.01, 0.02); // printed with two digits
    check_near(htz_loudness_loudest(l), -3.01, 0.02);
    htz_loudness_free(l);
  }
}

static void a_short_note_counts_with_the_silence_before_it(void** state) {
  (void)state;
  htz_loudness* l = hear(48000.0, 997.0, 0.0, 0.2, HTZ_LOUDNESS_NOTES);
  check_near(htz_loudness_loudest(l), -3.01 - 10.0 * log10(2.0), 0.05); // half of the 400 ms; the filters' own start
  htz_loudness_free(l);
}

static void peaks_between_samples_are_found(void** state) {
  (void)state;
  // A quarter of the rate, 45 degrees on: every sample is at 0.707, the wave reaches 1.
  htz_loudness* l = hear(48000.0, 12000.0, pi / 4.0, 0.5, HTZ_LOUDNESS_PROGRAMME);
  check_near(20.0 * log10(htz_loudness_true_peak(l)), 0.0, 0.6); // four times the rate: within 0.6 dB (BS.1770-4, annex 2)
  htz_loudness_free(l);
}

static void silence_has_no_loudness(void** state) {
  (void)state;
  htz_loudness* l = hear(48000.0, 0.0, 0.0, 1.0, HTZ_LOUDNESS_NOTES);
  assert_true(isinf(htz_loudness_whole(l)) && isinf(htz_loudness_loudest(l)));
  assert_true(htz_loudness_true_peak(l) == 0.0);
  htz_loudness_free(l);
  htz_loudness_free(NULL);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(a_full_scale_sine_on_one_channel_has_the_printed_loudness),
                                     cmocka_unit_test(a_short_note_counts_with_the_silence_before_it),
                                     cmocka_unit_test(peaks_between_samples_are_found),
                                     cmocka_unit_test(silence_has_no_loudness)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
