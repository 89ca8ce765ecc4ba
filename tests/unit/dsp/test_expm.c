#include "hertzian/dsp/expm.h"

#include "check.h"

#include <float.h>
#include <math.h>

// What a result may differ by from a closed form evaluated in double: a few roundings of the closed form itself.
static const double rounding = 4.0 * DBL_EPSILON;

static void expect(size_t n, const double* actual, const double* expected, double scale) {
  for (size_t i = 0; i < n * n; ++i) {
    check_near(actual[i], expected[i], rounding * scale);
  }
}

/** Moler and Van Loan's example: eigenvalues -1 and -17, where the power series loses everything. */
static void known_example(void** state) {
  (void)state;
  const double a[4] = {-49.0, 24.0, -64.0, 31.0};
  const double f = exp(-1.0), g = exp(-17.0);
  const double expected[4] = {-2.0 * f + 3.0 * g, 1.5 * f - 1.5 * g, -4.0 * f + 4.0 * g, 3.0 * f - 2.0 * g};
  double e[4];
  assert_int_equal(htz_expm(2, a, e), HTZ_OK);
  expect(2, e, expected, 2.0);
}

/** Defective, and far from normal: the second entry is as large as it is right. */
static void jordan_block(void** state) {
  (void)state;
  const double a[9] = {-1.0, 1e6, 0.0, 0.0, -1.0, 1.0, 0.0, 0.0, -1.0};
  const double f = exp(-1.0);
  const double expected[9] = {f, 1e6 * f, 0.5e6 * f, 0.0, f, f, 0.0, 0.0, f};
  double e[9];
  assert_int_equal(htz_expm(3, a, e), HTZ_OK);
  for (int i = 0; i < 9; ++i) {
    check_near(e[i], expected[i], rounding * expected[i]);
  }
}

/** One sample of damped oscillators, slow and fast, against cosine and sine; in unscaled units the norm is up to 1e10. */
static void oscillators(void** state) {
  (void)state;
  static const double omegas[] = {1e-3, 100.0, 1.2e4, 1.4e5, 2.0e6};
  const double t = 1.0 / 44100.0;
  for (size_t i = 0; i < sizeof omegas / sizeof omegas[0]; ++i) {
    const double omega = omegas[i];
    const double sigma = 0.05 * omega;
    const double w = sqrt((omega - sigma) * (omega + sigma));
    const double decay = exp(-sigma * t);
    const double c = decay * cos(w * t);
    const double s = decay * sin(w * t) / w;
    const double expected[4] = {c + sigma * s, s, -omega * omega * s, c - sigma * s};
    const double a[4] = {0.0, t, -omega * omega * t, -2.0 * sigma * t};
    double e[4];
    assert_int_equal(htz_expm(2, a, e), HTZ_OK);
    // The phase itself is only known to its rounding; each entry in units of its own row and column.
    const double known = rounding * (1.0 + omega * t);
    check_near(e[0], expected[0], known);
    check_near(e[1] * omega, expected[1] * omega, known);
    check_near(e[2] / omega, expected[2] / omega, known);
    check_near(e[3], expected[3], known);
  }
}

/** e^A e^-A = 1 for a full matrix, in place. */
static void inverse_is_of_minus(void** state) {
  (void)state;
  enum { N = 24 };
  double a[N * N], b[N * N];
  uint32_t seed = 1u;
  for (int i = 0; i < N * N; ++i) {
    seed = seed * 1664525u + 1013904223u;
    a[i] = (double)seed / 4294967296.0 - 0.5;
    b[i] = -a[i];
  }
  assert_int_equal(htz_expm(N, a, a), HTZ_OK);
  assert_int_equal(htz_expm(N, b, b), HTZ_OK);
  double largest = 0.0;
  for (int i = 0; i < N * N; ++i) {
    largest = fabs(a[i]) > largest ? fabs(a[i]) : largest;
    largest = fabs(b[i]) > largest ? fabs(b[i]) : largest;
  }
  for (int i = 0; i < N; ++i) {
    for (int j = 0; j < N; ++j) {
      double sum = 0.0;
      for (int k = 0; k < N; ++k) {
        sum += a[i * N + k] * b[k * N + j];
      }
      // Both factors are right to rounding, and so is a sum of N products.
      check_near(sum, i == j ? 1.0 : 0.0, 2.0 * N * DBL_EPSILON * largest * largest);
    }
  }
}

static void refuses_what_is_not_finite(void** state) {
  (void)state;
  const double wrong[1] = {(double)NAN};
  const double large[1] = {1e4};
  const double zero[4] = {0.0, 0.0, 0.0, 0.0};
  const double one[4] = {1.0, 0.0, 0.0, 1.0};
  double e[4];
  assert_int_equal(htz_expm(1, wrong, e), HTZ_BAD_VALUE);
  assert_int_equal(htz_expm(1, large, e), HTZ_BAD_VALUE);
  assert_int_equal(htz_expm(0, NULL, NULL), HTZ_OK);
  assert_int_equal(htz_expm(2, zero, e), HTZ_OK);
  expect(2, e, one, 0.0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(known_example),
      cmocka_unit_test(jordan_block),
      cmocka_unit_test(oscillators),
      cmocka_unit_test(inverse_is_of_minus),
      cmocka_unit_test(refuses_what_is_not_finite),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
