// The draw of a stroke: the same for the same stroke, of the sizes said, never two alike in a row.
#include "check.h"

#include "human.h"

#include <math.h>
#include <string.h>

enum { MANY = 4096, ROW = 8 };

static const double usual = 0.3;
// What human_rt.c says of a hand of `human` 1.
static const double effort_most = 0.25, place_most = 0.008, felt_most = 0.1, angle_most = 0.35;

static const htz_strike meant = {.speed = 2.0,
                                 .mass = 0.02,
                                 .stiffness = 1e8,
                                 .exponent = 2.0,
                                 .viscosity = 0.3,
                                 .at = 0.12,
                                 .at_y = 0.8,
                                 .travel = 0.5,
                                 .lift = 1e-3};

static htz_strike drawn(uint32_t seed, uint32_t part, uint32_t key, uint32_t stroke, double human) {
  const htz_human_which which = {seed, part, key, stroke};
  htz_strike strike = meant;
  htz_human_vary(&which, human, &strike);
  return strike;
}

static bool same(const htz_strike* a, const htz_strike* b) {
  return a->speed == b->speed && a->stiffness == b->stiffness && a->at == b->at && a->at_y == b->at_y && a->lift == b->lift &&
         a->travel == b->travel;
}

static void nought_changes_no_bit(void** state) {
  (void)state;
  const htz_strike strike = drawn(1, 2, 3, 4, 0.0);
  assert_memory_equal(&strike, &meant, sizeof meant);
  assert_true(htz_human_effort(&(htz_human_which){1, 2, 3, 4}, 0.0) == 1.0);
}

static void one_stroke_is_one_draw(void** state) {
  (void)state;
  const htz_strike first = drawn(1, 2, 3, 4, usual), again = drawn(1, 2, 3, 4, usual);
  assert_true(same(&first, &again));
  const htz_strike others[] = {drawn(2, 2, 3, 4, usual), drawn(1, 3, 3, 4, usual), drawn(1, 2, 4, 4, usual),
                               drawn(1, 2, 3, 5, usual), drawn(2, 1, 3, 4, usual)};
  for (size_t i = 0; i < sizeof others / sizeof others[0]; ++i) {
    assert_true(others[i].speed != first.speed && others[i].stiffness != first.stiffness && others[i].at != first.at);
  }
}

/** Mean and spread of x [n], and its largest magnitude. */
static void moments(const double* x, double* mean, double* deviation, double* most) {
  double sum = 0.0, squares = 0.0;
  *most = 0.0;
  for (size_t i = 0; i < MANY; ++i) {
    sum += x[i];
    squares += x[i] * x[i];
    *most = fabs(x[i]) > *most ? fabs(x[i]) : *most;
  }
  *mean = sum / MANY;
  *deviation = sqrt(squares / MANY - *mean * *mean);
}

static void as_far_as_said(void** state) {
  (void)state;
  static double speed[MANY], felt[MANY], at[MANY], across[MANY];
  for (uint32_t i = 0; i < MANY; ++i) {
    const htz_strike s = drawn(7, 0, 60, i, 1.0);
    speed[i] = s.speed / meant.speed - 1.0;
    felt[i] = s.stiffness / meant.stiffness - 1.0;
    at[i] = s.at / meant.at - 1.0;
    across[i] = (s.at_y - meant.at_y) / (1.0 - meant.at_y);
    check_close(s.lift / meant.lift, s.speed / meant.speed, 1e-15);
    check_close(s.travel / meant.travel, s.speed / meant.speed, 1e-15);
    check_below(fabs(s.tilt), 1e-4);
    assert_true(s.mass == meant.mass && s.exponent == meant.exponent && s.viscosity == meant.viscosity);
  }
  const double* of[] = {felt, at, across};
  const double size[] = {felt_most, place_most, place_most};
  // Four standard errors of n draws: deviation / sqrt(n) of a mean, and of a deviation 1/sqrt(2n) (less: tails are short).
  const double error = 4.0 / sqrt(MANY), bell = 1.0 / sqrt(12.0); // sum of four uniform ones over 2: sqrt(4/12)/2
  double mean, deviation, most;
  for (size_t i = 0; i < 3; ++i) {
    moments(of[i], &mean, &deviation, &most);
    check_below(fabs(mean), bell * size[i] * error);
    check_close(deviation, bell * size[i], error);
    check_below(most, size[i]);
  }
  // Even over its range; the angle takes cos(a) of it, 1 - a^2/2 on the mean.
  moments(speed, &mean, &deviation, &most);
  check_below(fabs(mean + 0.5 * bell * bell * angle_most * angle_most), effort_most * error);
  check_close(deviation, effort_most / sqrt(3.0), error);
  check_below(most, 1.0 - (1.0 - effort_most) * cos(angle_most));
}

static void no_two_of_eight_alike(void** state) {
  (void)state;
  // The golden ratio's multiples 1 to 7 are no nearer to whole numbers than that of 5: 0.0902 of the range, which is twice effort_most.
  const double least = 0.0901 * 2.0 * effort_most * usual;
  for (uint32_t key = 0; key < 128; ++key) {
    double effort[ROW + 40];
    for (uint32_t i = 0; i < ROW + 40; ++i) {
      effort[i] = htz_human_effort(&(htz_human_which){0, 0, key, i}, usual);
      for (uint32_t j = i > ROW - 1 ? i - (ROW - 1) : 0; j < i; ++j) {
        check_above(fabs(effort[i] - effort[j]), least);
      }
    }
  }
}

static void stays_on_the_body(void** state) {
  (void)state;
  const double places[] = {0.0, 0.001, 0.5, 0.999, 1.0};
  for (size_t p = 0; p < sizeof places / sizeof places[0]; ++p) {
    for (uint32_t i = 0; i < 100; ++i) {
      htz_strike s = meant;
      s.at = places[p];
      s.at_y = (double)NAN;
      htz_human_vary(&(htz_human_which){0, 0, 1, i}, 1.0, &s);
      assert_true(s.at >= 0.0 && s.at <= 1.0);
      assert_true(isnan(s.at_y)); // along the body's line as before
    }
  }
}

static void wanders_smoothly(void** state) {
  (void)state;
  static const double step_s = 64.0 / 48000.0;
  const uint64_t bits = htz_human_bits(&(htz_human_which){0, 0, 60, 0});
  double last = htz_human_wander(bits, 0, 0.0), low = last, high = last, apart = 0.0;
  for (uint32_t i = 1; i < MANY * 4; ++i) {
    const double now = htz_human_wander(bits, 0, i * step_s), other = htz_human_wander(bits, 1, i * step_s);
    // Steepest where it goes from end to end between two knots: 1.5 times 2 over 0.14 s, for 0.3 of it, and over 0.45 s for the rest.
    check_below(fabs(now - last), step_s * 1.5 * 2.0 * (0.3 / 0.14 + 0.7 / 0.45) * 1.001);
    low = now < low ? now : low;
    high = now > high ? now : high;
    apart = fabs(now - other) > apart ? fabs(now - other) : apart;
    last = now;
  }
  check_below(high, 1.0);
  check_above(low, -1.0);
  check_above(high - low, 1.0);
  check_above(apart, 0.5);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(nought_changes_no_bit), cmocka_unit_test(one_stroke_is_one_draw), cmocka_unit_test(as_far_as_said),
      cmocka_unit_test(no_two_of_eight_alike), cmocka_unit_test(stays_on_the_body),      cmocka_unit_test(wanders_smoothly),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
