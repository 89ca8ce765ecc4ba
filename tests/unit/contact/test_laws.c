// Contact laws: force and energy belong together, losses never give back.
#include "check.h"

#include "hertzian/contact/law.h"

#include <math.h>

static const double d = 1.0 / 48000.0;

static const htz_law laws[] = {
    {&htz_law_hunt_crossley, {1e7, 1.5, 0.0}},
    {&htz_law_hunt_crossley, {1e9, 1.5, 0.5}},
    {&htz_law_hunt_crossley, {4e8, 2.3, 0.1}},
    {&htz_law_hunt_crossley, {1e5, 1.0, 2.0}},
    {&htz_law_hunt_crossley, {1e12, 3.2, 0.0}},
    {&htz_law_spring, {1e6, 0.0}},
    {&htz_law_spring, {1e6, 12.0}},
    {&htz_law_cubic, {1e4, 1e12, 3.0}},
};
enum { LAWS = sizeof laws / sizeof laws[0] };

static const double etas[] = {-1e-4, -1e-9, 0.0, 1e-12, 1e-8, 3e-6, 2e-4};
static const double moves[] = {-3e-4, -1e-6, -1e-9, -1e-13, 1e-13, 1e-9, 1e-7, 1e-6, 1e-4};

/** Stored energy in long double, from the formula. */
static long double stored(const htz_law* law, long double eta) {
  if (law->cls == &htz_law_hunt_crossley) {
    const long double a = (long double)law->p[1];
    return eta > 0.0L ? (long double)law->p[0] / (a + 1.0L) * powl(eta, a + 1.0L) : 0.0L;
  }
  const long double k3 = law->cls == &htz_law_cubic ? (long double)law->p[1] : 0.0L;
  return 0.5L * (long double)law->p[0] * eta * eta + 0.25L * k3 * eta * eta * eta * eta;
}

static void discrete_gradient(void** state) {
  (void)state;
  for (size_t l = 0; l < LAWS; ++l) {
    for (size_t e = 0; e < sizeof etas / sizeof etas[0]; ++e) {
      for (size_t m = 0; m < sizeof moves / sizeof moves[0]; ++m) {
        const htz_law_state from = laws[l].cls->at(&laws[l], etas[e]);
        const htz_law_value to = laws[l].cls->over(&laws[l], &from, moves[m], d);
        // Work of the force = change of storage + loss, loss >= 0: compared with the formula in long double.
        const long double end = (long double)etas[e] + (long double)moves[m];
        const double change = (double)(stored(&laws[l], end) - stored(&laws[l], (long double)etas[e]));
        const double size = (double)(stored(&laws[l], end) + stored(&laws[l], (long double)etas[e]));
        const double work = to.force * moves[m];
        // eta + s is rounded once in double: its energy is then off by (alpha + 1) times that.
        check_above(work - change, -(1e-12 * fabs(change) + 8e-16 * size + 1e-300));
        if (laws[l].p[2] == 0.0 && (laws[l].cls == &htz_law_hunt_crossley || laws[l].p[1] == 0.0)) {
          check_near(work, change, 1e-12 * fabs(change) + 8e-16 * size + 1e-300);
        }
        if (laws[l].cls->one_sided) {
          assert_true(to.force >= 0.0);
        }
        assert_true(to.slope >= 0.0);
      }
    }
  }
}

static void slope_is_the_derivative(void** state) {
  (void)state;
  for (size_t l = 0; l < LAWS; ++l) {
    const htz_law_state from = laws[l].cls->at(&laws[l], 1e-5);
    for (double s = -8e-6; s < 1e-4; s += 3.7e-7) {
      const double h = 1e-10;
      const double up = laws[l].cls->over(&laws[l], &from, s + h, d).force;
      const double down = laws[l].cls->over(&laws[l], &from, s - h, d).force;
      const htz_law_value at = laws[l].cls->over(&laws[l], &from, s, d);
      if ((up > 0.0 && down > 0.0) || !laws[l].cls->one_sided) {
        // Central difference: h^2/s^2 truncation and eps F/h rounding.
        check_near(at.slope, (up - down) / (2.0 * h), 1e-4 * at.slope + 4e-6 * fabs(at.force) + 1e-12);
      }
    }
  }
}

static void branches_meet(void** state) {
  (void)state;
  // Across the change from series to difference of powers force and slope are continuous to rounding.
  const htz_law law = laws[1];
  const htz_law_state from = law.cls->at(&law, 1e-5);
  for (int side = -1; side <= 1; side += 2) {
    const double edge = side * 0.03 * 1e-5;
    const htz_law_value below = law.cls->over(&law, &from, edge * (1.0 - 1e-12), d);
    const htz_law_value above = law.cls->over(&law, &from, edge * (1.0 + 1e-12), d);
    check_close(above.force, below.force, 1e-11);
    check_close(above.slope, below.slope, 1e-9);
  }
}

static void registry(void** state) {
  (void)state;
  assert_ptr_equal(htz_law_find("hunt-crossley"), &htz_law_hunt_crossley);
  assert_ptr_equal(htz_law_find("cubic"), &htz_law_cubic);
  assert_null(htz_law_find("rubber"));
  size_t n = 0;
  for (; htz_law_at(n); ++n) {
    assert_true(htz_law_at(n)->n_params <= HTZ_LAW_PARAMS_MAX);
  }
  assert_ptr_equal(htz_law_find("stulov"), &htz_law_stulov);
  assert_int_equal(n, 4);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(discrete_gradient), cmocka_unit_test(slope_is_the_derivative),
                                     cmocka_unit_test(branches_meet), cmocka_unit_test(registry)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
