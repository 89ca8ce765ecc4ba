#include "check.h"

#include "hertzian/dsp/linalg.h"

#include <float.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

enum { N_MAX = 48 };

static const double pi = 3.14159265358979323846;

/** Repeatable numbers in [-1, 1): a 64-bit linear congruential generator, upper bits. */
static double next_random(uint64_t* state) {
  *state = *state * 6364136223846793005u + 1442695040888963407u;
  return (double)(*state >> 11) * 0x1p-52 - 1.0;
}

/** A random symmetric matrix, or with `shift` > n a positive definite one. */
static void random_symmetric(size_t n, double shift, uint64_t* state, double* a) {
  for (size_t i = 0; i < n; ++i) {
    for (size_t j = 0; j <= i; ++j)
      a[i * n + j] = a[j * n + i] = next_random(state);
    a[i * n + i] += shift;
  }
}

static double product(size_t n, const double* x, const double* a, const double* y) {
  double sum = 0.0;
  for (size_t i = 0; i < n; ++i) {
    for (size_t j = 0; j < n; ++j)
      sum += x[i] * a[i * n + j] * y[j];
  }
  return sum;
}

// The fixed-fixed chain of n masses: eigenvalues 4 sin^2(k pi/(2 (n + 1))). Backward stability bounds the error by a small
// multiple of n eps times the largest eigenvalue, 4.
static void test_chain_has_its_closed_form(void** state) {
  (void)state;
  for (size_t n = 1; n <= N_MAX; n = 2 * n + 1) {
    double k[N_MAX * N_MAX] = {0.0};
    double m[N_MAX * N_MAX] = {0.0};
    double lambda[N_MAX];
    double vectors[N_MAX * N_MAX];
    for (size_t i = 0; i < n; ++i) {
      m[i * n + i] = 1.0;
      k[i * n + i] = 2.0;
      if (i > 0)
        k[i * n + i - 1] = k[(i - 1) * n + i] = -1.0;
    }
    assert_int_equal(htz_eigen_symmetric(n, k, m, lambda, vectors), HTZ_OK);
    for (size_t i = 0; i < n; ++i) {
      const double s = sin((double)(i + 1) * pi / (2.0 * (double)(n + 1)));
      check_near(lambda[i], 4.0 * s * s, 10.0 * (double)n * DBL_EPSILON);
    }
  }
}

static void test_vectors_diagonalise_both_matrices(void** state) {
  (void)state;
  uint64_t seed = 7;
  for (size_t n = 1; n <= N_MAX; n += 9) {
    double k[N_MAX * N_MAX];
    double m[N_MAX * N_MAX];
    double lambda[N_MAX];
    double v[N_MAX * N_MAX];
    random_symmetric(n, 0.0, &seed, k);
    random_symmetric(n, 1.5 * (double)n, &seed, m);
    assert_int_equal(htz_eigen_symmetric(n, k, m, lambda, v), HTZ_OK);
    // |K| <= n, M well conditioned: residuals of some tens of n eps.
    const double tolerance = 50.0 * (double)n * DBL_EPSILON;
    for (size_t i = 0; i < n; ++i) {
      if (i > 0)
        assert_true(lambda[i] >= lambda[i - 1]);
      for (size_t j = 0; j < n; ++j) {
        check_near(product(n, v + i * n, m, v + j * n), i == j ? 1.0 : 0.0, tolerance);
        check_near(product(n, v + i * n, k, v + j * n), i == j ? lambda[i] : 0.0, tolerance);
      }
    }
  }
}

static void test_equal_and_zero_eigenvalues(void** state) {
  (void)state;
  enum { N = 6 };
  double ones[N * N];
  double unit[N * N] = {0.0};
  double lambda[N];
  double v[N * N];
  for (size_t i = 0; i < N * N; ++i)
    ones[i] = 1.0;
  for (size_t i = 0; i < N; ++i)
    unit[i * N + i] = 1.0;
  assert_int_equal(htz_eigen_symmetric(N, ones, unit, lambda, v), HTZ_OK);
  for (size_t i = 0; i + 1 < N; ++i)
    check_near(lambda[i], 0.0, 1e-14);
  check_near(lambda[N - 1], (double)N, 1e-14);
  assert_int_equal(htz_eigen_symmetric(N, unit, unit, lambda, v), HTZ_OK);
  for (size_t i = 0; i < N; ++i)
    check_near(lambda[i], 1.0, 1e-15);
  for (size_t i = 0; i < N; ++i) {
    for (size_t j = 0; j < N; ++j)
      check_near(product(N, v + i * N, unit, v + j * N), i == j ? 1.0 : 0.0, 1e-14);
  }
}

static void test_unfit_matrices_are_refused(void** state) {
  (void)state;
  const double unit[4] = {1.0, 0.0, 0.0, 1.0};
  const double indefinite[4] = {1.0, 2.0, 2.0, 1.0};
  const double singular[4] = {0.0, 0.0, 0.0, 1.0};
  const double broken[4] = {1.0, NAN, NAN, 1.0};
  double lambda[2];
  double v[4];
  assert_int_equal(htz_eigen_symmetric(2, unit, indefinite, lambda, v), HTZ_BAD_VALUE);
  assert_int_equal(htz_eigen_symmetric(2, unit, singular, lambda, v), HTZ_BAD_VALUE);
  assert_int_equal(htz_eigen_symmetric(2, unit, broken, lambda, v), HTZ_BAD_VALUE);
  assert_int_equal(htz_eigen_symmetric(2, broken, unit, lambda, v), HTZ_BAD_VALUE);
  assert_int_equal(htz_eigen_symmetric(0, unit, unit, lambda, v), HTZ_BAD_VALUE);
  assert_int_equal(htz_eigen_symmetric(2, indefinite, unit, lambda, v), HTZ_OK);
  check_near(lambda[0], -1.0, 1e-15);
  check_near(lambda[1], 3.0, 1e-15);
}

static void test_dense_solve_leaves_a_small_residual(void** state) {
  (void)state;
  enum { STRIDE = N_MAX + 3 };
  uint64_t seed = 11;
  for (size_t n = 1; n <= N_MAX; n += 5) {
    double a[N_MAX * STRIDE];
    double kept[N_MAX * STRIDE];
    double b[N_MAX];
    double x[N_MAX];
    for (size_t i = 0; i < N_MAX * STRIDE; ++i)
      a[i] = next_random(&seed);
    for (size_t i = 0; i < n; ++i)
      b[i] = x[i] = next_random(&seed);
    memcpy(kept, a, sizeof a);
    assert_true(htz_solve_dense(n, STRIDE, a, x));
    double largest = 1.0;
    for (size_t i = 0; i < n; ++i)
      largest = fmax(largest, fabs(x[i]));
    for (size_t i = 0; i < n; ++i) {
      double left = 0.0;
      for (size_t j = 0; j < n; ++j)
        left += kept[i * STRIDE + j] * x[j];
      // Elimination is backward stable: residual of order n eps |A| |x|, whatever the condition.
      check_near(left, b[i], 10.0 * (double)n * DBL_EPSILON * largest);
    }
    for (size_t i = 0; i + 1 < n; ++i) { // nothing outside the n columns is touched
      assert_memory_equal(a + i * STRIDE + n, kept + i * STRIDE + n, (STRIDE - n) * sizeof *a);
    }
  }
}

static void test_dense_solve_needs_pivots(void** state) {
  (void)state;
  double a[4] = {0.0, 2.0, 4.0, 0.0};
  double b[2] = {6.0, 8.0};
  assert_true(htz_solve_dense(2, 2, a, b));
  check_near(b[0], 2.0, 0.0);
  check_near(b[1], 3.0, 0.0);
  // Without exchanging rows this one loses all digits.
  double tiny[4] = {1e-20, 1.0, 1.0, 1.0};
  double c[2] = {1.0, 2.0};
  assert_true(htz_solve_dense(2, 2, tiny, c));
  check_near(c[0], 1.0, 1e-15);
  check_near(c[1], 1.0, 1e-15);
}

static void test_dense_solve_sees_singular(void** state) {
  (void)state;
  double zero[4] = {0.0};
  double dependent[9] = {1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0};
  double broken[4] = {NAN, 1.0, 1.0, 1.0};
  double small[4] = {1e-200, 0.0, 0.0, 2e-200}; // small numbers alone are not singular
  double b[3] = {1.0, 2.0, 3.0};
  assert_false(htz_solve_dense(2, 2, zero, b));
  assert_false(htz_solve_dense(3, 3, dependent, b));
  assert_false(htz_solve_dense(2, 2, broken, b));
  b[0] = b[1] = 1e-200;
  assert_true(htz_solve_dense(2, 2, small, b));
  check_near(b[0], 1.0, 1e-15);
  check_near(b[1], 0.5, 1e-15);
  assert_true(htz_solve_dense(0, 0, zero, b));
}

static void test_quadrature_is_exact_to_its_degree(void** state) {
  (void)state;
  double x[160];
  double w[160];
  htz_gauss_legendre(2, x, w);
  check_near(x[1], 1.0 / sqrt(3.0), 1e-15);
  check_near(w[0], 1.0, 1e-15);
  htz_gauss_legendre(5, x, w);
  check_near(x[2], 0.0, 0.0);
  check_near(x[4], sqrt(5.0 + 2.0 * sqrt(10.0 / 7.0)) / 3.0, 1e-15);
  check_near(w[2], 128.0 / 225.0, 1e-15);
  check_near(w[4], (322.0 - 13.0 * sqrt(70.0)) / 900.0, 1e-15);
  for (size_t n = 1; n <= 160; n += 3) {
    htz_gauss_legendre(n, x, w);
    for (size_t i = 1; i < n; ++i)
      assert_true(x[i] > x[i - 1]);
    const size_t degrees[] = {0, n & ~(size_t)1, 2 * n - 2};
    for (size_t d = 0; d < 3; ++d) {
      double sum = 0.0;
      for (size_t i = 0; i < n; ++i)
        sum += w[i] * pow(x[i], (double)degrees[d]);
      check_near(sum, 2.0 / ((double)degrees[d] + 1.0), 1e-14);
    }
    // One degree more cannot be exact: the rule misses x^(2n) by 2 k_n^2 > 0, visible for small n.
    if (n < 10) {
      double sum = 0.0;
      for (size_t i = 0; i < n; ++i)
        sum += w[i] * pow(x[i], 2.0 * (double)n);
      check_above(2.0 / (2.0 * (double)n + 1.0) - sum, 1e-8);
    }
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_chain_has_its_closed_form),           cmocka_unit_test(test_vectors_diagonalise_both_matrices),
      cmocka_unit_test(test_equal_and_zero_eigenvalues),          cmocka_unit_test(test_unfit_matrices_are_refused),
      cmocka_unit_test(test_dense_solve_leaves_a_small_residual), cmocka_unit_test(test_dense_solve_needs_pivots),
      cmocka_unit_test(test_dense_solve_sees_singular),           cmocka_unit_test(test_quadrature_is_exact_to_its_degree),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
