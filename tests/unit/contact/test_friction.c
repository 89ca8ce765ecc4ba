// Friction of a bow: one speed in every step, on the branch it was on, and never a force that drives what it should brake.
#include "check.h"

#include "hertzian/contact/friction.h"

#include <math.h>
#include <stdint.h>

static const double step_s = 1.0 / 48000.0;
static const double normal = 0.8; // [N]

static const htz_friction curve = {.kind = HTZ_FRICTION_STATIC, .sharpness = 100.0};
static const htz_friction bristles = {
    HTZ_FRICTION_BRISTLES, .mu_static = 0.8, .mu_dynamic = 0.3, .stribeck = 0.1, .s0 = 1e4, .s1 = 0.1, .s2 = 0.4};

/** The same numbers everywhere, in [-1, 1). */
static double noise(uint32_t* seed) {
  *seed = *seed * 1664525u + 1013904223u;
  return (double)(*seed >> 8) / (double)(1u << 23) - 1.0;
}

/** What befalls a string under the bow: jumps from step to step, then drifting through all speeds. */
static double next_free(uint32_t* seed, int i, double free) {
  enum { STRETCH = 500 };
  const double r = noise(seed);
  return i / STRETCH % 2 ? free + 0.01 * r : 4.0 * r * r * r;
}

static void sweep(const htz_friction* law, double u) {
  enum { STEPS = 6000 };
  // Residuals are held to 1e-14 of the speeds in play; a step of the sum rounds a few times more.
  static const double rounding = 1e-13;
  const double gain = u / htz_friction_stiffness(law, 1.0, normal);
  htz_friction_state state = {0};
  uint32_t seed = 1;
  double free = 0.0;
  for (int i = 0; i < STEPS; ++i) {
    free = next_free(&seed, i, free);
    const double z = state.z;
    const double force = htz_friction_solve(law, &state, free, gain, normal, step_s);
    const double scale = fabs(free) + gain * normal;
    check_below(fabs(state.v - (free - gain * force)), rounding * scale);
    // What friction takes is not less than what the bristles store.
    const double stored = law->kind == HTZ_FRICTION_BRISTLES ? 0.5 * law->s0 * (state.z * state.z - z * z) : 0.0;
    check_above(force * state.v * step_s - stored, -1e-18);
    if (law->kind == HTZ_FRICTION_STATIC) {
      check_below(fabs(force), normal * (1.0 + rounding));
    }
  }
  assert_int_equal(state.unconverged, 0);
  check_below((double)state.iterations / (double)state.solves, 20.0);
}

static void always_finds_a_speed(void** unused) {
  (void)unused;
  for (double u = 0.1; u <= 20.0; u *= 1.7) {
    sweep(&curve, u);
    sweep(&bristles, u);
  }
}

/** Speed past the bow as what drives it rises slowly, then falls. @return where it jumped, up or down [m/s] */
static double jump(double u, bool rising) {
  enum { STEPS = 20000 };
  static const double fastest = 1.0, peak = 0.0707106781186548; // of the curve: 1/sqrt(2 a)
  const double gain = u / htz_friction_stiffness(&curve, 1.0, normal);
  htz_friction_state state = {0};
  htz_friction_solve(&curve, &state, rising ? 0.0 : fastest, gain, normal, step_s);
  for (int i = 0; i < STEPS; ++i) {
    const double share = (double)i / STEPS;
    const double free = fastest * (rising ? share : 1.0 - share);
    const bool slow = fabs(state.v) <= peak;
    htz_friction_solve(&curve, &state, free, gain, normal, step_s);
    if ((fabs(state.v) <= peak) != slow) {
      return free;
    }
  }
  return NAN;
}

static void stays_on_its_branch(void** unused) {
  (void)unused;
  // Below U = 2.24 there is one speed only: up and down turn at the same place, to the width of a step.
  check_near(jump(2.0, true), jump(2.0, false), 2e-4);
  // Above, sticking goes on up to the curve's peak, gain Fb and the speed there: the string is pulled off later than it is caught.
  const double u = 8.0, gain_normal = u / (1.6487212707 * sqrt(200.0));
  check_near(jump(u, true), gain_normal + 0.0707, 0.05 * gain_normal);
  check_below(jump(u, false), 0.8 * jump(u, true));
}

static void bad_laws_are_refused(void** unused) {
  (void)unused;
  const char* why;
  assert_true(htz_friction_valid(&curve, &why));
  assert_true(htz_friction_valid(&bristles, &why));
  htz_friction bad = curve;
  bad.sharpness = NAN;
  assert_false(htz_friction_valid(&bad, &why));
  assert_non_null(why);
  bad = bristles;
  bad.mu_dynamic = 0.9;
  assert_false(htz_friction_valid(&bad, &why));
  bad = bristles;
  bad.s1 = 1.0; // would drive the string where the curve falls
  assert_false(htz_friction_valid(&bad, &why));
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(always_finds_a_speed), cmocka_unit_test(stays_on_its_branch),
                                     cmocka_unit_test(bad_laws_are_refused)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
