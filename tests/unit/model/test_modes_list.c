#include "check.h"

#include "hertzian/model/modes.h"

#include <math.h>

static const double two_pi = 6.28318530717958647693;

static void test_values_are_kept_and_sorted(void** state) {
  (void)state;
  const double f[3] = {300.0, 100.0, 200.0};
  const double sigma[3] = {3.0, 1.0, 2.0};
  const double mass[3] = {0.3, 0.1, 0.2};
  const double phi[2][3] = {{30.0, 10.0, 20.0}, {-30.0, -10.0, -20.0}};
  htz_arena arena;
  htz_modes m;
  htz_arena_measure(&arena);
  assert_int_equal(htz_modes_list(3, f, sigma, mass, 2, &phi[0][0], &arena, &m), HTZ_OK);
  assert_int_equal(m.n, 3);
  for (size_t k = 0; k < 3; ++k) {
    const double number = (double)(k + 1);
    check_close(m.omega[k], two_pi * 100.0 * number, 1e-15);
    check_close(m.sigma[k], number, 0.0);
    check_close(m.mass[k], 0.1 * number, 1e-15);
    assert_int_equal(m.audible[k], 1);
    double at[3];
    m.shape(&m, 0.0, at);
    check_close(at[k], 10.0 * number, 0.0);
    m.shape(&m, 0.49, at);
    check_close(at[k], 10.0 * number, 0.0);
    m.shape(&m, 0.51, at);
    check_close(at[k], -10.0 * number, 0.0);
    m.shape(&m, 7.0, at);
    check_close(at[k], -10.0 * number, 0.0);
  }
  htz_arena_free(&arena);
}

static void test_each_point_has_its_row(void** state) {
  (void)state;
  enum { POINTS = 12 };
  const double f = 50.0;
  const double sigma = 0.0;
  const double mass = 1.0;
  double phi[POINTS];
  for (size_t p = 0; p < POINTS; ++p)
    phi[p] = (double)p;
  htz_arena arena;
  htz_modes m;
  htz_arena_measure(&arena);
  assert_int_equal(htz_modes_list(1, &f, &sigma, &mass, POINTS, phi, &arena, &m), HTZ_OK);
  for (size_t p = 0; p < POINTS; ++p) {
    double at = -1.0;
    m.shape(&m, (double)p / (POINTS - 1), &at);
    check_close(at, (double)p, 0.0);
  }
  htz_arena_free(&arena);
}

static void test_without_shapes_all_are_one(void** state) {
  (void)state;
  const double f[2] = {0.0, 100.0}; // a rigid motion is allowed
  const double sigma[2] = {0.0, 1.0};
  const double mass[2] = {1.0, 1.0};
  htz_arena arena;
  htz_modes m;
  htz_arena_measure(&arena);
  assert_int_equal(htz_modes_list(2, f, sigma, mass, 0, NULL, &arena, &m), HTZ_OK);
  double at[2] = {0.0, 0.0};
  m.shape(&m, 0.3, at);
  check_close(at[0], 1.0, 0.0);
  check_close(at[1], 1.0, 0.0);
  htz_arena_free(&arena);
}

/** Across a rim that bends w = cos n t or sin |n| t; along it, as it does not stretch, dv/dt = -w; a quarter of a right angle between them. */
static void test_a_rim_is_round(void** state) {
  (void)state;
  enum { MODES = 4, STEPS = 40 };
  const double f[MODES] = {100.0, 200.0, 300.0, 400.0}, sigma[MODES] = {0.0}, mass[MODES] = {1.0, 1.0, 1.0, 1.0};
  const double n[MODES] = {2.0, -2.0, 5.0, 0.0}, h = 1e-5;
  htz_arena arena;
  htz_modes m;
  htz_arena_measure(&arena);
  assert_int_equal(htz_modes_rim(MODES, f, sigma, mass, n, &arena, &m), HTZ_OK);
  assert_true(htz_modes_is_closed(&m) && !htz_modes_same_all_over(&m));
  for (size_t i = 0; i <= STEPS; ++i) {
    const double x = h + (1.0 - 2.0 * h) * (double)i / STEPS;
    double across[MODES], along[MODES], before[MODES], after[MODES], between[MODES];
    m.shape(&m, x, across);
    m.shape_xy(&m, x, 1.0, along);
    m.shape_xy(&m, x - h, 1.0, before);
    m.shape_xy(&m, x + h, 1.0, after);
    m.shape_xy(&m, x, 0.25, between);
    for (size_t k = 0; k < MODES; ++k) {
      check_near(across[k], n[k] < 0.0 ? sin(-n[k] * two_pi * x) : cos(n[k] * two_pi * x), 1e-12);
      // Central differences: an error of (n h 2 pi)^2/6.
      check_near((after[k] - before[k]) / (2.0 * h * two_pi), n[k] != 0.0 ? -across[k] : 0.0, 1e-7);
      check_near(between[k], cos(two_pi / 16.0) * across[k] + sin(two_pi / 16.0) * along[k], 1e-12);
    }
  }
  double first[MODES], last[MODES];
  m.shape(&m, 0.0, first);
  m.shape(&m, 1.0, last);
  for (size_t k = 0; k < MODES; ++k) {
    check_near(first[k], last[k], 1e-12);
  }
  htz_arena_free(&arena);
}

static void test_bad_values_are_refused(void** state) {
  (void)state;
  const double good = 1.0;
  const double bad[] = {-1.0, NAN, INFINITY};
  const double zero = 0.0;
  htz_arena arena;
  htz_modes m;
  htz_arena_measure(&arena);
  for (size_t i = 0; i < sizeof bad / sizeof *bad; ++i) {
    assert_int_equal(htz_modes_list(1, bad + i, &good, &good, 0, NULL, &arena, &m), HTZ_BAD_VALUE);
    assert_int_equal(htz_modes_list(1, &good, bad + i, &good, 0, NULL, &arena, &m), HTZ_BAD_VALUE);
    assert_int_equal(htz_modes_list(1, &good, &good, bad + i, 0, NULL, &arena, &m), HTZ_BAD_VALUE);
  }
  assert_int_equal(htz_modes_list(1, &good, &good, &zero, 0, NULL, &arena, &m), HTZ_BAD_VALUE);
  assert_int_equal(htz_modes_list(0, &good, &good, &good, 0, NULL, &arena, &m), HTZ_BAD_VALUE);
  assert_int_equal(htz_modes_list(1, &good, &good, &good, 0, &good, &arena, &m), HTZ_BAD_VALUE);
  assert_int_equal(htz_modes_list(1, &good, &good, &good, 1, bad + 1, &arena, &m), HTZ_BAD_VALUE);
  htz_arena_free(&arena);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_values_are_kept_and_sorted), cmocka_unit_test(test_each_point_has_its_row),
      cmocka_unit_test(test_without_shapes_all_are_one), cmocka_unit_test(test_a_rim_is_round),
      cmocka_unit_test(test_bad_values_are_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
