// Felt that relaxes: force and loop area against an independent integration, its limits, its account.
#include "check.h"

#include "hertzian/contact/network.h"
#include "hertzian/model/bodies.h"

#include <math.h>

static const double pi = 3.14159265358979323846;
static const double depth = 4e-4; // [m]

static htz_law felt(double hysteresis, double relaxation) {
  return (htz_law){.cls = &htz_law_stulov, .p = {1e10, 2.7, hysteresis, relaxation}};
}

/** Press in and let go, depth sin^2(pi t/T): what the law gives in `steps` steps. */
typedef struct {
  double area;     ///< work lost over the loop [J]
  double force[2]; ///< at a quarter and at three quarters of the time, halfway in and out [N]
  double least;    ///< least force [N]
} loop;

static double pressed(double t, double whole) {
  return depth * pow(sin(pi * t / whole), 2.0);
}

static loop march(const htz_law* law, double whole, int steps) {
  loop out = {.least = HUGE_VAL};
  double memory = 0.0;
  double before = 0.0;
  for (int n = 0; n < steps; ++n) {
    const double d = whole / steps;
    const double eta = pressed(n * d, whole);
    const double s = pressed((n + 1) * d, whole) - eta;
    htz_law_state from = law->cls->at(law, eta);
    from.memory = memory;
    const double force = law->cls->over(law, &from, s, d).force;
    const double remembered = law->cls->remember(law, &from, s, d, 0.0);
    // Told the force it says the same, to the rounding of what it is a difference of: u^p and the memory.
    const double sizes = pow(fmax(eta, eta + s), law->p[1]) + memory;
    check_near(law->cls->remember(law, &from, s, d, force), remembered, 1e-15 * sizes);
    memory = remembered;
    out.area += force * s;
    out.least = force < out.least ? force : out.least;
    // A force is the mean of its step: two of them make the value between.
    for (int k = 0; k < 2; ++k) {
      out.force[k] = 4 * n == (1 + 2 * k) * steps ? 0.5 * (before + force) : out.force[k];
    }
    before = force;
  }
  return out;
}

/** The same from Stulov's integral as printed, by Simpson's rule over 2 n intervals, in long double. */
static loop integral(const htz_law* law, double whole, int n) {
  const long double d = (long double)whole / n;
  const long double tau = (long double)law->p[3];
  const long double eps = (long double)law->p[2];
  const long double q0 = (long double)law->p[0];
  const long double fade = expl(-d / tau);
  const long double half = expl(-0.5L * d / tau);
  loop out = {.least = 0.0};
  long double memory = 0.0L; // int u^p exp((xi - t)/tau)/tau dxi
  long double f_before = 0.0L;
  long double area = 0.0L;
  for (int k = 0; k < n; ++k) {
    const long double g0 = powl((long double)pressed((double)(d * k), whole), (long double)law->p[1]);
    const long double g1 = powl((long double)pressed((double)(d * ((long double)k + 0.5L)), whole), (long double)law->p[1]);
    const long double g2 = powl((long double)pressed((double)(d * (k + 1)), whole), (long double)law->p[1]);
    memory = memory * fade + d / 6.0L * (g0 * fade + 4.0L * g1 * half + g2) / tau;
    const long double raw = q0 * (g2 - eps * memory);
    const long double f = raw > 0.0L ? raw : 0.0L;
    area += 0.5L * (f + f_before) *
            (long double)(pressed((double)(d * (k + 1)), whole) - pressed((double)(d * k), whole)); // second order: n is large
    f_before = f;
    for (int j = 0; j < 2; ++j) {
      out.force[j] = 4 * (k + 1) == (1 + 2 * j) * n ? (double)f : out.force[j];
    }
  }
  out.area = (double)area;
  return out;
}

static void loop_against_the_integral(void** state) {
  (void)state;
  static const double whole = 2e-3;
  static const double relaxations[] = {2e-5, 3e-4, 5e-3};
  static const double shares[] = {0.1, 0.5, 0.9};
  for (int r = 0; r < 3; ++r) {
    for (int e = 0; e < 3; ++e) {
      const htz_law law = felt(shares[e], relaxations[r]);
      const loop truth = integral(&law, whole, 40000);
      // Second order: at 256 steps (pi/256)^2 times some p (p - 1) of the force, and of the area where the felt is left within a
      // step; a quarter of it for half the step.
      double bound = 1e-3;
      for (int k = 0; k < 3; ++k, bound *= 0.25) {
        const loop got = march(&law, whole, 256 << k);
        assert_true(got.least >= 0.0);
        check_close(got.area, truth.area, bound);
        check_near(got.force[0], truth.force[0], bound * truth.force[0]);
        check_near(got.force[1], truth.force[1], bound * truth.force[0]);
      }
      assert_true(truth.area > 0.0);
    }
  }
}

static void limits(void** state) {
  (void)state;
  const htz_law hertz = {.cls = &htz_law_hunt_crossley, .p = {1e10, 2.7, 0.0}};
  const htz_law hard = felt(0.0, 1e-4);
  for (double s = -5e-5; s < 5e-5; s += 7.3e-7) {
    htz_law_state from = hard.cls->at(&hard, 3e-5);
    from.memory = 1e-12;
    assert_true(hard.cls->over(&hard, &from, s, 1e-6).force == hertz.cls->over(&hertz, &from, s, 1e-6).force);
  }
  // Pressed in a thousandth of the relaxation time it is its instantaneous stiffness, off by eps T/tau0 2^p at most; in a thousand
  // times it, that of relaxed felt, off by eps tau0 p 2 pi/T (what u^p changes in tau0, next to u^p at half depth) and its square.
  const double elastic = 1e10 * pow(0.5 * depth, 2.7);
  const htz_law slow_felt = felt(0.6, 1.0);
  const loop fast = march(&slow_felt, 1e-3, 1024);
  check_close(fast.force[0], elastic, 0.6e-3 * 6.5);
  check_close(fast.force[1], elastic, 0.6e-3 * 6.5);
  const htz_law quick_felt = felt(0.6, 1e-6);
  const loop slow = march(&quick_felt, 1e-3, 1024);
  check_close(slow.force[0], 0.4 * elastic, 1.03 * 0.6 / 0.4 * 2.7 * 6.3e-3);
  check_close(slow.force[1], 0.4 * elastic, 1.03 * 0.6 / 0.4 * 2.7 * 6.3e-3);
  assert_true(slow.force[0] > slow.force[1]); // a loop all the same
  // Steps far beyond the relaxation time.
  const htz_law instant = felt(0.6, 1e-7);
  check_close(march(&instant, 10.0, 1024).force[0], 0.4 * elastic, 1e-4);
}

static void energy_belongs_to_the_force(void** state) {
  (void)state;
  const htz_law law = felt(0.7, 1e-4);
  for (double u = 1e-5; u < depth; u *= 1.7) {
    for (double share = 0.0; share < 3.0; share += 0.23) {
      // d psi/du = F, clipped; psi never negative, and falling as the felt forgets.
      const double h = share * pow(u, 2.7);
      const double e = 1e-4 * u;
      const double slope = (law.cls->stored(&law, u + e, h) - law.cls->stored(&law, u - e, h)) / (2.0 * e);
      const double raw = 1e10 * (pow(u, 2.7) - 0.7 * h);
      check_near(slope, raw > 0.0 ? raw : 0.0, 1e-3 * 1e10 * pow(u, 2.7));
      check_above(law.cls->stored(&law, u, h), -1e-12 * 1e10 * pow(u, 3.7));
    }
  }
  check_near(law.cls->stored(&law, -1e-5, 0.0), 0.0, 0.0);
}

typedef struct {
  double v_out, ledger, rise, least;
} thrown;

static thrown throw_at_wall(const htz_law* law, double steps_per_contact) {
  thrown out = {.least = HUGE_VAL};
  htz_arena arena = {0};
  assert_int_equal(htz_arena_init(&arena, 1 << 16), HTZ_OK);
  htz_body* bodies[2];
  assert_int_equal(htz_mass_new(&(htz_mass_desc){.mass = 0.008}, 48000.0, &arena, &bodies[0]), HTZ_OK);
  assert_int_equal(htz_barrier_new(&arena, &bodies[1]), HTZ_OK);
  const htz_contact_desc wall = {.law = *law, .body_a = 0, .body_b = 1, .direction = 1.0, .enabled = true};
  htz_network* net;
  assert_int_equal(htz_network_new(2, bodies, 1, &wall, 48000.0, &arena, &net), HTZ_OK);
  htz_network_set_substeps(net, steps_per_contact, HTZ_LEVEL_MAX);
  bodies[0]->cls->set_motion(bodies[0], -1e-5, 2.0);
  htz_network_audit audit = {0};
  htz_network_set_audit(net, &audit);
  const double before = htz_network_energy(net);
  const htz_contact_account* a = htz_network_account(net, 0);
  for (int n = 0; n < 2000; ++n) {
    htz_network_step(net);
    out.least = a->force_mean < out.least ? a->force_mean : out.least;
  }
  assert_int_equal(a->closures, 1);
  out.v_out = bodies[0]->cls->velocity(bodies[0], 0);
  out.ledger = fabs(htz_network_energy(net) + a->dissipated - before) / before;
  out.rise = audit.rise_max / before;
  check_near(a->stored, 0.0, 1e-9 * before); // it has recovered by itself
  htz_arena_free(&arena);
  return out;
}

static void on_a_wall(void** state) {
  (void)state;
  static const double relaxations[] = {3e-6, 1e-4, 3e-3};
  for (int r = 0; r < 3; ++r) {
    const htz_law law = felt(0.6, relaxations[r]);
    const thrown coarse = throw_at_wall(&law, 64.0);
    const thrown mid = throw_at_wall(&law, 128.0);
    const thrown fine = throw_at_wall(&law, 256.0);
    assert_true(coarse.v_out < 0.0 && coarse.v_out > -2.0 && coarse.least >= 0.0);
    check_below(coarse.ledger, 1e-11);
    check_below(coarse.rise, 1e-5);
    check_below(fabs(fine.v_out / mid.v_out - 1.0), 0.5 * fabs(mid.v_out / coarse.v_out - 1.0) + 1e-6);
    check_close(coarse.v_out, fine.v_out, 1e-3);
  }
  // Without hysteresis, the same rebound as elastic felt, to the last bit.
  const htz_law hard = felt(0.0, 1e-4);
  const htz_law hertz = {.cls = &htz_law_hunt_crossley, .p = {1e10, 2.7, 0.0}};
  assert_true(throw_at_wall(&hard, 32.0).v_out == throw_at_wall(&hertz, 32.0).v_out);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(loop_against_the_integral), cmocka_unit_test(limits),
                                     cmocka_unit_test(energy_belongs_to_the_force), cmocka_unit_test(on_a_wall)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
