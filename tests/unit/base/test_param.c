#include "check.h"

#include "hertzian/base/param.h"

#include <float.h>
#include <math.h>

static const htz_param_desc table[] = {
    {"mass", "kg", 0.001, 2.0, 0.02, HTZ_SCALE_LOG, "how heavy"},
    {"at", "", -1.0, 1.0, 0.25, HTZ_SCALE_LINEAR, "where"},
};
static const size_t table_n = sizeof table / sizeof *table;

static void travel_meets_both_ends_exactly(void** state) {
  (void)state;
  const htz_scale scales[] = {HTZ_SCALE_LINEAR, HTZ_SCALE_LOG};
  for (size_t i = 0; i < 2; ++i) {
    assert_true(htz_param_at(scales[i], 0.1, 0.7, 0.0) == 0.1);
    assert_true(htz_param_at(scales[i], 0.1, 0.7, 1.0) == 0.7);
    assert_true(htz_param_at(scales[i], 0.1, 0.7, -3.0) == 0.1);
    assert_true(htz_param_at(scales[i], 0.1, 0.7, INFINITY) == 0.7);
    assert_true(htz_param_at(scales[i], 0.1, 0.7, NAN) == 0.1);
    assert_true(htz_param_at(scales[i], 0.7, 0.1, 1.0) == 0.1); // a range may run backwards
  }
}

static void scales_divide_the_range(void** state) {
  (void)state;
  const double rounding = 8 * DBL_EPSILON; // pow is good to an ulp, its argument to another
  check_near(htz_param_at(HTZ_SCALE_LINEAR, -1.0, 3.0, 0.25), 0.0, DBL_EPSILON);
  check_close(htz_param_at(HTZ_SCALE_LINEAR, 1.0, 3.0, 0.25), 1.5, rounding);
  check_close(htz_param_at(HTZ_SCALE_LOG, 1e5, 1e9, 0.5), 1e7, rounding);
  check_close(htz_param_at(HTZ_SCALE_LOG, 1e9, 1e5, 0.25), 1e8, rounding);
  // Equal travel is an equal ratio.
  const double ratio = htz_param_at(HTZ_SCALE_LOG, 0.001, 2.0, 0.4) / htz_param_at(HTZ_SCALE_LOG, 0.001, 2.0, 0.3);
  check_close(htz_param_at(HTZ_SCALE_LOG, 0.001, 2.0, 0.9) / htz_param_at(HTZ_SCALE_LOG, 0.001, 2.0, 0.8), ratio, rounding);
  // A logarithmic scale from zero cannot be: it falls back to a linear one and stays finite.
  check_close(htz_param_at(HTZ_SCALE_LOG, 0.0, 2.0, 0.5), 1.0, rounding);
}

static void clamping_keeps_to_the_range(void** state) {
  (void)state;
  assert_true(htz_param_clamp(&table[0], 0.5) == 0.5);
  assert_true(htz_param_clamp(&table[0], 0.0) == 0.001);
  assert_true(htz_param_clamp(&table[0], 5.0) == 2.0);
  assert_true(htz_param_clamp(&table[0], -INFINITY) == 0.001);
  assert_true(htz_param_clamp(&table[0], INFINITY) == 2.0);
  assert_true(htz_param_clamp(&table[0], NAN) == 0.02);
}

static void names_are_found(void** state) {
  (void)state;
  assert_int_equal(htz_param_find(table, table_n, "mass"), 0);
  assert_int_equal(htz_param_find(table, table_n, "at"), 1);
  assert_int_equal(htz_param_find(table, table_n, "a"), table_n);
  assert_int_equal(htz_param_find(table, table_n, ""), table_n);
  assert_int_equal(htz_param_find(NULL, 0, "mass"), 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(travel_meets_both_ends_exactly),
      cmocka_unit_test(scales_divide_the_range),
      cmocka_unit_test(clamping_keeps_to_the_range),
      cmocka_unit_test(names_are_found),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
