#include "check.h"

#include "hertzian/dsp/pow_rt.h"

#include "pow_table.h"

#include <float.h>
#include <math.h>
#include <stdio.h>

static const double promised = 1e-13; // relative error in the documented domain
static const double x_least = 1e-30, x_most = 1e10;
static const double exponents[] = {1.0, 1.25, 1.5, 1.7, 2.0, 2.3,  2.5,  2.9999, 3.0,
                                   3.2, 3.5,  4.2, 0.5, 0.0, -0.5, -2.0, 8.0,    -8.0};
enum { EXPONENTS = sizeof(exponents) / sizeof(exponents[0]) };

/** xorshift64*, in [0, 1) */
static double uniform(uint64_t* state) {
  *state ^= *state >> 12;
  *state ^= *state << 25;
  *state ^= *state >> 27;
  return (double)((*state * UINT64_C(0x2545f4914f6cdd1d)) >> 11) * 0x1p-53;
}

static double worst_error(double a, double low, double high, size_t count) {
  uint64_t seed = 12345;
  double worst = 0.0;
  for (size_t i = 0; i < count; ++i) {
    const double x = low * pow(high / low, uniform(&seed));
    const long double exact = powl((long double)x, (long double)a);
    const double error = (double)fabsl((long double)htz_pow_rt(x, a) / exact - 1.0L);
    worst = error > worst ? error : worst;
  }
  return worst;
}

static void agrees_with_long_double(void** state) {
  (void)state;
  for (size_t i = 0; i < EXPONENTS; ++i) {
    const double worst = worst_error(exponents[i], x_least, x_most, 200000);
    if (!(worst < promised)) {
      print_error("a = %g: relative error %g\n", exponents[i], worst);
    }
    assert_true(worst < promised);
  }
}

static void better_than_promised_in_contact(void** state) {
  // f is good to 2^-53, which a and ln 2 scale; the last sum and the table of 2^r add one 2^-53 each, the split of a nothing.
  (void)state;
  const double bound = 4.0 * 3.2 * 0x1p-53;
  assert_true(worst_error(2.3, 1e-12, 1e-2, 400000) < bound);
  assert_true(worst_error(3.2, 1e-12, 1e-2, 400000) < bound);
}

static void exact_where_it_can_be(void** state) {
  (void)state;
  uint64_t seed = 7;
  for (size_t i = 0; i < 10000; ++i) {
    const double x = x_least * pow(x_most / x_least, uniform(&seed));
    assert_true(htz_pow_rt(x, 1.0) == x);
    assert_true(htz_pow_rt(x, 2.0) == x * x);
    assert_true(htz_pow_rt(x, 0.0) == 1.0);
  }
  for (size_t i = 0; i < EXPONENTS; ++i) {
    assert_true(htz_pow_rt(1.0, exponents[i]) == 1.0);
  }
  assert_true(htz_pow_rt(4.0, 0.5) == 2.0);
}

/** Neighbouring doubles through every cell border of a binade: values may turn back by rounding only. */
static void monotone_to_rounding(void** state) {
  (void)state;
  for (size_t i = 0; i < EXPONENTS; ++i) {
    const double a = exponents[i];
    const double sign = a < 0.0 ? -1.0 : 1.0;
    for (int half_cell = 0; half_cell < 4 * HTZ_POW_CELLS; ++half_cell) {
      double x = 0.5 * (1.0 + half_cell / (2.0 * HTZ_POW_CELLS));
      for (int back = 0; back < 8; ++back) {
        x = nextafter(x, 0.0);
      }
      double before = htz_pow_rt(x, a);
      for (int step = 0; step < 16; ++step) {
        x = nextafter(x, 2.0 * x);
        const double now = htz_pow_rt(x, a);
        assert_true(sign * (now - before) >= -8.0 * DBL_EPSILON * before);
        assert_true(fabs(now - before) <= (8.0 + 2.0 * fabs(a)) * DBL_EPSILON * before);
        before = now;
      }
    }
  }
}

static void edges(void** state) {
  (void)state;
  for (size_t i = 0; i < EXPONENTS; ++i) {
    const double a = exponents[i];
    assert_true(htz_pow_rt(0.0, a) == 0.0);
    assert_true(htz_pow_rt(-0.0, a) == 0.0);
    assert_true(htz_pow_rt(-1.0, a) == 0.0);
    assert_true(htz_pow_rt(-INFINITY, a) == 0.0);
    assert_true(htz_pow_rt(DBL_MIN / 4, a) == 0.0);
    assert_true(isnan(htz_pow_rt((double)NAN, a))); // a fault must stay visible
    assert_true(isinf(htz_pow_rt((double)INFINITY, a)));
    if (a > 0.0) {
      const double small = htz_pow_rt(DBL_MIN, a);
      assert_true(small >= 0.0 && small <= 1e-150);
      assert_true(htz_pow_rt(DBL_MAX, a) > 1e150);
    }
  }
  assert_true(htz_pow_rt(1e-200, 3.7) == 0.0);
  assert_true(isinf(htz_pow_rt(1e200, 3.7)));
  assert_true(isnan(htz_pow_rt(2.0, (double)NAN)));
}

static void tables_are_right(void** state) {
  (void)state;
  for (int j = 0; j < HTZ_POW_CELLS; ++j) {
    // Cells are 1/128 wide below 1 and 1/64 above; the first starts at 0.70703125, its middle is 91/128.
    const int n = 91 + j;
    const long double c = n <= 128 ? n / 128.0L : (n - 64) / 64.0L;
    assert_true(fabs(htz_pow_log[j].inverse - (double)(1.0L / c)) <= DBL_EPSILON);
    assert_true(fabs(htz_pow_log[j].log2 - (double)log2l(c)) <= DBL_EPSILON / 4);
    assert_true(fabs(htz_pow_exp[j] - (double)exp2l(j / 64.0L)) <= DBL_EPSILON);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(agrees_with_long_double),
      cmocka_unit_test(better_than_promised_in_contact),
      cmocka_unit_test(exact_where_it_can_be),
      cmocka_unit_test(monotone_to_rounding),
      cmocka_unit_test(edges),
      cmocka_unit_test(tables_are_right),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
