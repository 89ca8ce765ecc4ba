#include "check.h"

#include "hertzian/dsp/bessel.h"

#include <math.h>

static const double pi = 3.14159265358979323846;

/** J_m(x) = mean over a turn of cos(m t - x sin t): the midpoint rule is exact but for terms J_(N - m), nothing for N well above x + m. */
static double by_integral(unsigned m, double x) {
  enum { POINTS = 512 };
  double sum = 0.0;
  for (unsigned i = 0; i < POINTS; ++i) {
    const double t = 2.0 * pi * (i + 0.5) / POINTS;
    sum += cos(m * t - x * sin(t));
  }
  return sum / POINTS;
}

static void values_are_those_of_the_integral(void** state) {
  (void)state;
  static const unsigned orders[] = {0, 1, 2, 3, 7, 20, 63, 120};
  for (size_t o = 0; o < sizeof orders / sizeof orders[0]; ++o) {
    for (double x = 0.0; x < 150.0; x += x < 4.0 ? 0.0625 : 1.37) {
      // Rounding of the mean of 512 terms, and of their argument, which is up to 270.
      check_near(htz_bessel_j(orders[o], x), by_integral(orders[o], x), 5e-14);
    }
  }
}

static void ends_of_the_range_are_safe(void** state) {
  (void)state;
  assert_true(htz_bessel_j(0, 0.0) == 1.0 && htz_bessel_j(1, 0.0) == 0.0 && htz_bessel_j(512, 0.0) == 0.0);
  assert_true(htz_bessel_j(0, NAN) == 1.0 && htz_bessel_j(0, -3.0) == 1.0);
  assert_true(htz_bessel_j(512, 1e-300) == 0.0 && htz_bessel_j(3, 1e-200) == 0.0);
  check_near(htz_bessel_j(0, 512.0), htz_bessel_j(0, 1e300), 0.0);
  check_below(fabs(htz_bessel_j(512, 512.0)), 0.1); // 0.447/512^(1/3) = 0.056
  check_above(fabs(htz_bessel_j(512, 512.0)), 0.04);
  // (x/2)^m/m! while x is small.
  check_close(htz_bessel_j(4, 1e-3), pow(5e-4, 4.0) / 24.0, 1e-7);
}

/** e^-x I_m(x) = mean over half a turn of e^(x (cos t - 1)) cos(m t), as exact. */
static double modified_by_integral(unsigned m, double x) {
  enum { POINTS = 1024 };
  double sum = 0.0;
  for (unsigned i = 0; i < POINTS; ++i) {
    const double t = pi * (i + 0.5) / POINTS;
    sum += exp(x * (cos(t) - 1.0)) * cos(m * t);
  }
  return sum / POINTS;
}

static void pairs_are_of_two_orders(void** state) {
  (void)state;
  static const unsigned orders[] = {0, 1, 2, 7, 40, 119, 511};
  for (size_t o = 0; o < sizeof orders / sizeof orders[0]; ++o) {
    const unsigned m = orders[o];
    for (double x = 0.0; x < 150.0; x += x < 4.0 ? 0.0625 : 1.37) {
      const htz_bessel_pair j = htz_bessel_j_pair(m, x), i = htz_bessel_i_pair(m, x);
      assert_true(j.here == htz_bessel_j(m, x) && i.here == htz_bessel_i_scaled(m, x));
      check_near(j.next, htz_bessel_j(m + 1, x), 1e-14);
      check_near(i.next, htz_bessel_i_scaled(m + 1, x), 1e-14);
      if (m < 511) {
        check_near(j.next, by_integral(m + 1, x), 5e-14);
        check_near(i.next, modified_by_integral(m + 1, x), 1e-13);
      }
    }
  }
}

/** Any number of arguments in any order, from both sides of where the series ends. */
static void rows_are_the_values_one_by_one(void** state) {
  (void)state;
  enum { MOST = 67 };
  static const unsigned orders[] = {0, 1, 5, 33, 200, 512};
  double x[MOST], j[MOST], i[MOST];
  for (size_t o = 0; o < sizeof orders / sizeof orders[0]; ++o) {
    for (size_t n = 0; n <= MOST; n += n < 20 ? 1 : 47) {
      for (size_t k = 0; k < n; ++k) {
        x[k] = k == 3 ? NAN : k == 4 ? 1e-80 : k == 5 ? 600.0 : 512.0 * (double)(k * k % 71) / 71.0;
      }
      htz_bessel_j_row(orders[o], n, x, j);
      htz_bessel_i_row(orders[o], n, x, i);
      for (size_t k = 0; k < n; ++k) {
        check_near(j[k], htz_bessel_j(orders[o], x[k]), 2e-14);
        check_near(i[k], htz_bessel_i_scaled(orders[o], x[k]), 2e-14);
      }
    }
  }
}

static void zeros_are_zeros_and_none_is_missed(void** state) {
  (void)state;
  enum { MOST = 1200 };
  const double limit = 64.0;
  static htz_bessel_zero list[MOST];
  const size_t n = htz_bessel_zeros(limit, MOST, list);
  assert_true(n < MOST && n == htz_bessel_zeros(limit, 0, NULL));
  for (size_t i = 0; i < n; ++i) {
    // The distance to the true zero is the value over the slope, which is |J_(m+1)| there.
    const double off = by_integral(list[i].m, list[i].x) / by_integral(list[i].m + 1, list[i].x);
    check_near(off / list[i].x, 0.0, 1e-12);
    if (i > 0 && list[i].m == list[i - 1].m) {
      assert_true(list[i].n == list[i - 1].n + 1 && list[i].x > list[i - 1].x);
    } else {
      assert_int_equal(list[i].n, 1);
    }
  }
  // Changes of sign between steps of 1/4, less than any distance of two zeros.
  size_t changes = 0;
  for (unsigned m = 0; m < 64; ++m) {
    double before = by_integral(m, 0.25 + (m > 2 ? 0.5 * m : 0.0)); // no zero below m
    for (double x = 0.5 + (m > 2 ? 0.5 * m : 0.0); x <= limit; x += 0.25) {
      const double here = by_integral(m, x);
      changes += (here < 0.0) != (before < 0.0) && fabs(before) > 1e-12;
      before = here;
    }
  }
  assert_int_equal(n, changes);
}

static void known_zeros(void** state) {
  (void)state;
  // Abramowitz and Stegun, table 9.5.
  static const struct {
    unsigned m, n;
    double x;
  } known[] = {{0, 1, 2.4048255577}, {1, 1, 3.83171}, {2, 1, 5.13562}, {0, 2, 5.5200781103}, {3, 1, 6.38016}, {1, 2, 7.01559}};
  htz_bessel_zero list[16];
  const size_t n = htz_bessel_zeros(7.1, 16, list);
  assert_int_equal(n, 6);
  for (size_t k = 0; k < 6; ++k) {
    double found = 0.0;
    for (size_t i = 0; i < n; ++i) {
      found = list[i].m == known[k].m && list[i].n == known[k].n ? list[i].x : found;
    }
    check_near(found, known[k].x, 5e-6);
  }
  assert_int_equal(htz_bessel_zeros(2.0, 16, list), 0);
  assert_int_equal(htz_bessel_zeros(NAN, 16, list), 0);
  assert_int_equal(htz_bessel_zeros(-1.0, 16, list), 0);
}

/** Weyl's x^2/8, pairs being one zero, and x: a bound, by which there is room before they are found. */
static void zeros_are_bounded(void** state) {
  (void)state;
  for (double limit = 1.0; limit <= 256.0; limit *= 1.2) {
    assert_true((double)htz_bessel_zeros(limit, 0, NULL) <= limit * limit / 8.0 + limit);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(values_are_those_of_the_integral),
      cmocka_unit_test(pairs_are_of_two_orders),
      cmocka_unit_test(rows_are_the_values_one_by_one),
      cmocka_unit_test(ends_of_the_range_are_safe),
      cmocka_unit_test(zeros_are_zeros_and_none_is_missed),
      cmocka_unit_test(known_zeros),
      cmocka_unit_test(zeros_are_bounded),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
