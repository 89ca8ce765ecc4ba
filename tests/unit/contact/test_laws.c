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
    {&htz_law_wound, {1e6, 1.5, 0.0, 1e9, 1.5, 2e-5}},
    {&htz_law_wound, {3e7, 2.3, 0.4, 2e8, 1.0, 1e-8}},
    {&htz_law_wound, {1e6, 1.5, 0.2, 1e9, 1.5, 1e-3}},
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
  if (law->cls == &htz_law_wound) {
    const htz_law winding = {&htz_law_hunt_crossley, {law->p[0], law->p[1]}},
                  core = {&htz_law_hunt_crossley, {law->p[3], law->p[4]}};
    return stored(&winding, eta) + stored(&core, eta - (long double)law->p[5]);
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
        if (laws[l].p[2] == 0.0 && (laws[l].cls->one_sided || laws[l].p[1] == 0.0)) {
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

/** A core out of reach is none: the winding's law to the bit, and its contact time; a core at once is the two side by side. */
static void a_core_is_met_at_its_depth(void** state) {
  (void)state;
  const htz_law winding = {&htz_law_hunt_crossley, {3e6, 1.5, 0.3}}, core = {&htz_law_hunt_crossley, {4e8, 1.5, 0.3}};
  const htz_law far = {&htz_law_wound, {3e6, 1.5, 0.3, 4e8, 1.5, 1e-3}},
                near = {&htz_law_wound, {3e6, 1.5, 0.3, 4e8, 1.5, 0.0}};
  for (size_t i = 0; i < 40; ++i) {
    const double eta = 2e-5 * (double)i, s = 1e-6 * (i & 1u ? -1.0 : 1.0);
    const htz_law_state of[4] = {winding.cls->at(&winding, eta), core.cls->at(&core, eta), far.cls->at(&far, eta),
                                 near.cls->at(&near, eta)};
    const htz_law_value to[4] = {winding.cls->over(&winding, &of[0], s, d), core.cls->over(&core, &of[1], s, d),
                                 far.cls->over(&far, &of[2], s, d), near.cls->over(&near, &of[3], s, d)};
    assert_true(of[2].stored == of[0].stored && to[2].force == to[0].force && to[2].stiffness == to[0].stiffness);
    check_close(of[3].force, of[0].force + of[1].force, 1e-14);
    check_near(to[3].force, to[0].force + to[1].force, 1e-14 * to[3].force);
  }
  // 20 g at 0.2 m/s are stopped by the winding; at 4 m/s they get to the core, which is over sooner.
  check_close(far.cls->duration(&far, 0.02, 0.2), winding.cls->duration(&winding, 0.02, 0.2), 1e-14);
  check_below(far.cls->duration(&far, 0.02, 4.0), 0.5 * winding.cls->duration(&winding, 0.02, 4.0));
  check_above(far.cls->duration(&far, 0.02, 4.0), core.cls->duration(&core, 0.02, 4.0));
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
  assert_ptr_equal(htz_law_find("wound"), &htz_law_wound);
  assert_int_equal(n, 5);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(discrete_gradient), cmocka_unit_test(slope_is_the_derivative),
                                     cmocka_unit_test(branches_meet), cmocka_unit_test(a_core_is_met_at_its_depth),
                                     cmocka_unit_test(registry)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
