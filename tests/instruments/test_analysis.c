// The measuring tools of these tests, on signals whose answer is known.
#include "check.h"
#include "sound/loudness.h"
#include "sound/partials.h"
#include "sound/spectrum.h"

#include <math.h>
#include <stdlib.h>

static const double pi = 3.14159265358979323846;
static const double rate_hz = 48000.0;

static double* tone(size_t n, double hz, double amplitude) {
  double* x = calloc(n, sizeof *x);
  assert_non_null(x);
  for (size_t i = 0; i < n; ++i) {
    x[i] = amplitude * sin(2.0 * pi * hz * (double)(i + 1) / rate_hz);
  }
  return x;
}

static void weighting_has_the_printed_coefficients(void** state) {
  (void)state;
  // ITU-R BS.1770-4, tables 1 and 2, at 48 kHz.
  static const double b[3] = {1.53512485958697, -2.69169618940638, 1.19839281085285};
  static const double a[2] = {-1.69065929318241, 0.73248077421585};
  static const double high_pass[2] = {-1.99004745483398, 0.99007225036621};
  const k_weighting k = k_weighting_at(rate_hz);
  for (size_t i = 0; i < 3; ++i) {
    check_near(k.b[0][i], b[i], 1e-9);
  }
  for (size_t i = 0; i < 2; ++i) {
    check_near(k.a[0][1 + i], a[i], 1e-9);
    check_near(k.a[1][1 + i], high_pass[i], 1e-9);
  }
}

static void sine_has_the_loudness_the_recommendation_says(void** state) {
  (void)state;
  // A 997 Hz full-scale sine on one channel reads -3.01 LUFS, on both 3.01 more.
  static const double rates[] = {44100.0, 48000.0, 96000.0};
  for (size_t r = 0; r < 3; ++r) {
    const size_t n = (size_t)rates[r];
    double* x = calloc(n, sizeof *x);
    double* silence = calloc(n, sizeof *silence);
    for (size_t i = 0; i < n; ++i) {
      x[i] = sin(2.0 * pi * 997.0 * (double)i / rates[r]);
    }
    check_near(loudness_momentary_max(x, silence, n, rates[r], n / 100), -3.01, 0.02);
    check_near(loudness_momentary_max(x, x, n, rates[r], n / 100), 0.0, 0.02);
    free(x);
    free(silence);
  }
}

static void short_sound_is_averaged_over_the_window(void** state) {
  (void)state;
  // 40 ms of a tone are a tenth of the window: 10 dB below the steady tone, but for what the onset adds.
  const size_t n = (size_t)rate_hz;
  double* x = tone(n, 997.0, 1.0);
  double* silence = calloc(n, sizeof *silence);
  for (size_t i = n / 25; i < n; ++i) {
    x[i] = 0.0;
  }
  check_near(loudness_momentary_max(x, silence, n, rate_hz, n / 100), -13.01, 0.1);
  free(x);
  free(silence);
}

static void centroid_of_two_tones_lies_between_by_power(void** state) {
  (void)state;
  const size_t n = (size_t)(0.1 * rate_hz);
  double* x = tone(n, 1000.0, 1.0);
  double* y = tone(n, 5000.0, 0.5);
  for (size_t i = 0; i < n; ++i) {
    x[i] += y[i];
  }
  check_near(spectral_centroid(x, n, rate_hz), (1000.0 + 0.25 * 5000.0) / 1.25, 2.0);
  free(x);
  free(y);
}

static void mean_is_taken_per_second(void** state) {
  (void)state;
  const size_t second = (size_t)rate_hz;
  double* x = calloc(2 * second + 10, sizeof *x);
  for (size_t i = 0; i < second; ++i) {
    x[second + i] = -1e-3;
  }
  x[2 * second] = 1.0; // beyond the last whole second
  check_near(worst_mean(x, 2 * second + 10, rate_hz), 1e-3, 1e-15);
  free(x);
}

/** x += a exp(-sigma t) cos(2 pi f t + phase). */
static void add_partial(double* x, size_t n, double a, double hz, double sigma, double phase) {
  for (size_t i = 0; i < n; ++i) {
    const double t = (double)i / rate_hz;
    x[i] += a * exp(-sigma * t) * cos(2.0 * pi * hz * t + phase);
  }
}

enum { BAR = 5 };
static const double bar_hz[BAR] = {220.0, 880.0, 2200.0, 3900.0, 6100.0};
static const double bar_sigma[BAR] = {3.5, 10.0, 25.0, 45.0, 75.0};
static const double bar_amplitude[BAR] = {1.0, 0.3, 0.01, 1e-3, 3e-4};

static const partial_window window = {.rate_hz = 48000.0, .drop_db = 20.0, .longest_s = 1.0};

static void bar_is_measured_from_a_wrong_guess(void** state) {
  (void)state;
  const size_t n = (size_t)(1.2 * rate_hz);
  double* x = calloc(n, sizeof *x);
  partial p[BAR];
  for (size_t k = 0; k < BAR; ++k) {
    add_partial(x, n, bar_amplitude[k], bar_hz[k], bar_sigma[k], (double)k);
    const double off = k % 2 ? 1.0 : -1.0; // a cent and a tenth of the decay away
    p[k] = (partial){.hz = bar_hz[k] * (1.0 + off * cents(1.0)), .sigma = bar_sigma[k] * (1.0 - 0.1 * off), .wanted = true};
  }
  partials_measure(x, n, &window, p, BAR);
  for (size_t k = 0; k < BAR; ++k) {
    check_close(p[k].found.hz, bar_hz[k], cents(0.001));
    check_close(p[k].found.sigma, bar_sigma[k], 1e-4);
    check_close(p[k].found.amplitude, bar_amplitude[k], 1e-3);
  }
  free(x);
}

static void detuning_of_half_a_cent_is_told_apart(void** state) {
  (void)state;
  const size_t n = (size_t)(1.2 * rate_hz);
  double* x = calloc(n, sizeof *x);
  partial p[BAR];
  for (size_t k = 0; k < BAR; ++k) {
    add_partial(x, n, bar_amplitude[k], bar_hz[k] * (1.0 + cents(0.5)), bar_sigma[k] * 1.05, 0.3);
    p[k] = (partial){.hz = bar_hz[k], .sigma = bar_sigma[k], .wanted = true};
  }
  partials_measure(x, n, &window, p, BAR);
  for (size_t k = 0; k < BAR; ++k) {
    check_near(cents_between(p[k].found.hz, p[k].hz), 0.5, 0.002);
    check_close(p[k].found.sigma, 1.05 * p[k].sigma, 1e-3);
  }
  free(x);
}

static void string_of_many_partials_is_measured_through_float_noise(void** state) {
  (void)state;
  enum { STRING = 195 };
  const size_t n = (size_t)(1.2 * rate_hz);
  double* x = calloc(n, sizeof *x);
  partial* p = calloc(STRING, sizeof *p);
  for (size_t k = 0; k < STRING; ++k) {
    const double number = (double)(k + 1);
    const double hz = 65.4 * number * sqrt(1.0 + 5e-5 * number * number) / 1.1;
    const double sigma = 0.8 + 3e-4 * number * number;
    add_partial(x, n, pow(10.0, -(double)k / 70.0), hz, sigma, number);
    p[k] = (partial){.hz = hz * (1.0 + (k % 3 ? cents(0.1) : 0.0)), .sigma = sigma * (k % 2 ? 1.02 : 0.98), .wanted = true};
  }
  for (size_t i = 0; i < n; ++i) {
    x[i] = (double)(float)x[i];
  }
  partials_measure(x, n, &window, p, STRING);
  for (size_t k = 0; k < STRING; ++k) {
    const double number = (double)(k + 1);
    check_close(p[k].found.hz, 65.4 * number * sqrt(1.0 + 5e-5 * number * number) / 1.1, cents(0.01));
    check_close(p[k].found.sigma, 0.8 + 3e-4 * number * number, 0.005);
  }
  free(p);
  free(x);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(weighting_has_the_printed_coefficients),
      cmocka_unit_test(sine_has_the_loudness_the_recommendation_says),
      cmocka_unit_test(short_sound_is_averaged_over_the_window),
      cmocka_unit_test(centroid_of_two_tones_lies_between_by_power),
      cmocka_unit_test(mean_is_taken_per_second),
      cmocka_unit_test(bar_is_measured_from_a_wrong_guess),
      cmocka_unit_test(detuning_of_half_a_cent_is_told_apart),
      cmocka_unit_test(string_of_many_partials_is_measured_through_float_noise),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
