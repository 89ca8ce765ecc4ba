#include "check.h"

#include "hertzian/dsp/linalg.h"
#include "hertzian/model/modes.h"

#include <math.h>

static const double pi = 3.14159265358979323846;
static const double nepers = 6.90775527898213705205; // 3 ln 10

// C4 of a grand piano: 0.62 m, 3.93 g, 670 N, core of 1 mm.
static const htz_string_desc piano_c4 = {
    .length = 0.62,
    .tension = 670.0,
    .core_diameter = 1.0e-3,
    .lin_density = 3.93e-3 / 0.62,
    .young = 2.0e11,
    .inharmonicity = -1.0,
    .loss = {.loss0 = 0.5, .loss1 = 2e-4},
};

static double hz(const htz_modes* m, size_t k) {
  return m->omega[k] / (2.0 * pi);
}

static void test_partials_follow_the_stiff_string_formula(void** state) {
  (void)state;
  htz_arena arena;
  htz_modes m;
  htz_arena_measure(&arena);
  assert_int_equal(htz_modes_string(&piano_c4, 20000.0, 1000, &arena, &m), HTZ_OK);
  // B = E I/(T) (pi/L)^2 with I = pi d^4/64, worked out here from the beam's bending stiffness.
  const double bending = 2.0e11 * pi * 1e-12 / 64.0;
  const double b = bending / 670.0 * (pi / 0.62) * (pi / 0.62);
  const double f0 = sqrt(670.0 * 0.62 / 3.93e-3) / (2.0 * 0.62);
  for (size_t k = 0; k < m.n; ++k) {
    const double n = (double)(k + 1);
    check_close(hz(&m, k), n * f0 * sqrt(1.0 + b * n * n), cents(1e-9));
    check_close(m.mass[k], 0.5 * 3.93e-3, 1e-14);
    check_close(m.sigma[k], 0.5 + 2e-4 * (n * pi / 0.62) * (n * pi / 0.62), 1e-12);
    assert_int_equal(m.audible[k], 1);
  }
  // All partials up to the limit and not one more.
  assert_true(hz(&m, m.n - 1) <= 20000.0);
  const double next = (double)(m.n + 1);
  check_above(next * f0 * sqrt(1.0 + b * next * next), 20000.0);
  htz_arena_free(&arena);
}

static void test_tuning_includes_stiffness(void** state) {
  (void)state;
  htz_string_desc d = piano_c4;
  d.tension = 0.0;
  d.tuning_hz = 261.6256;
  htz_arena arena;
  htz_modes m;
  htz_arena_measure(&arena);
  assert_int_equal(htz_modes_string(&d, 20000.0, 1000, &arena, &m), HTZ_OK);
  check_close(hz(&m, 0), 261.6256, 1e-14);
  htz_string_desc r;
  assert_int_equal(htz_string_resolve(&d, &r), HTZ_OK);
  // Completing a complete description changes nothing but the last digit.
  htz_string_desc again;
  assert_int_equal(htz_string_resolve(&r, &again), HTZ_OK);
  check_close(again.tuning_hz, 261.6256, 1e-14);
  check_close(again.tension, r.tension, 0.0);
  check_close(hz(&m, 9), 10.0 * 261.6256 * sqrt((1.0 + 100.0 * r.inharmonicity) / (1.0 + r.inharmonicity)), 1e-13);

  d.inharmonicity = 4e-4; // given directly: the core does not matter
  assert_int_equal(htz_string_resolve(&d, &r), HTZ_OK);
  check_close(r.inharmonicity, 4e-4, 0.0);
  check_close(sqrt(r.tension / d.lin_density * 1.0004) / (2.0 * d.length), 261.6256, 1e-14);
  htz_arena_free(&arena);
}

static void test_mass_may_come_from_the_core(void** state) {
  (void)state;
  htz_string_desc d = piano_c4;
  d.lin_density = 0.0;
  d.core_density = 7850.0;
  htz_string_desc r;
  assert_int_equal(htz_string_resolve(&d, &r), HTZ_OK);
  check_close(r.lin_density, 7850.0 * pi * 0.25e-6, 1e-14);
}

static void test_shapes_are_sines(void** state) {
  (void)state;
  enum { N = 600, NODES = 160 };
  htz_string_desc d = piano_c4;
  d.inharmonicity = 0.0;
  htz_arena arena;
  htz_modes m;
  htz_arena_measure(&arena);
  assert_int_equal(htz_modes_string(&d, 1e6, N, &arena, &m), HTZ_OK);
  assert_int_equal(m.n, N);
  double phi[N];
  for (double x = 0.0; x <= 1.0; x += 1.0 / 256.0) {
    m.shape(&m, x, phi);
    // x is a dyadic fraction: n x is exact, and so is its remainder. Rounding of the rotation grows like n eps.
    for (size_t k = 0; k < N; ++k)
      check_near(phi[k], sin(pi * fmod((double)(k + 1) * x, 2.0)), 1e-12);
  }
  m.shape(&m, 1.0, phi);
  for (size_t k = 0; k < N; ++k)
    check_near(phi[k], 0.0, 0.0);
  double below[N];
  m.shape(&m, NAN, phi);
  m.shape(&m, -3.0, below);
  assert_memory_equal(phi, below, sizeof phi);

  // Orthogonal, with a mean square of 1/2: that is why the modal mass is half the string's.
  double node[NODES];
  double weight[NODES];
  double gram[20][20] = {{0.0}};
  htz_gauss_legendre(NODES, node, weight);
  for (size_t q = 0; q < NODES; ++q) {
    m.shape(&m, 0.5 * (1.0 + node[q]), phi);
    for (size_t i = 0; i < 20; ++i) {
      for (size_t j = 0; j < 20; ++j)
        gram[i][j] += 0.5 * weight[q] * phi[i] * phi[j];
    }
  }
  for (size_t i = 0; i < 20; ++i) {
    for (size_t j = 0; j < 20; ++j)
      check_near(gram[i][j], i == j ? 0.5 : 0.0, 1e-13);
  }
  htz_arena_free(&arena);
}

static void test_decay_times_are_met(void** state) {
  (void)state;
  htz_arena arena;
  htz_modes m;
  htz_arena_measure(&arena);
  htz_string_desc d = piano_c4;
  assert_int_equal(htz_modes_string(&d, 20000.0, 1000, &arena, &m), HTZ_OK);
  d.loss = (htz_loss){.t60_hz = {hz(&m, 1), hz(&m, 19)}, .t60_s = {12.0, 0.8}};
  assert_int_equal(htz_modes_string(&d, 20000.0, 1000, &arena, &m), HTZ_OK);
  check_close(nepers / m.sigma[1], 12.0, 1e-12);
  check_close(nepers / m.sigma[19], 0.8, 1e-12);
  // Between them a line in k^2, that is in n^2.
  const double slope = (m.sigma[19] - m.sigma[1]) / (400.0 - 4.0);
  check_close(m.sigma[9], m.sigma[1] + slope * (100.0 - 4.0), 1e-12);

  d.loss.t60_s[1] = 30.0; // longer at high frequencies: held outside the two points
  assert_int_equal(htz_modes_string(&d, 20000.0, 1000, &arena, &m), HTZ_OK);
  check_close(nepers / m.sigma[1], 12.0, 1e-12);
  check_close(nepers / m.sigma[0], 12.0, 1e-12);
  check_close(nepers / m.sigma[19], 30.0, 1e-12);
  check_close(nepers / m.sigma[m.n - 1], 30.0, 1e-12);
  assert_true(m.sigma[9] < m.sigma[1] && m.sigma[9] > m.sigma[19]);

  d.loss = (htz_loss){.t60_hz = {2000.0, 4000.0}, .t60_s = {10.0, 0.1}}; // the line would be negative at partial 1
  assert_int_equal(htz_modes_string(&d, 20000.0, 1000, &arena, &m), HTZ_OK);
  check_close(nepers / m.sigma[0], 10.0, 1e-12);
  for (size_t k = 1; k < m.n; ++k)
    assert_true(m.sigma[k] >= m.sigma[k - 1]);

  d.loss = (htz_loss){.t60_hz = {440.0, 0.0}, .t60_s = {3.0, 0.0}};
  assert_int_equal(htz_modes_string(&d, 20000.0, 1000, &arena, &m), HTZ_OK);
  check_close(nepers / m.sigma[0], 3.0, 1e-14);
  check_close(nepers / m.sigma[m.n - 1], 3.0, 1e-14);
  htz_arena_free(&arena);
}

static void test_mode_count_is_bounded(void** state) {
  (void)state;
  htz_arena arena;
  htz_modes m;
  htz_arena_measure(&arena);
  assert_int_equal(htz_modes_string(&piano_c4, 1.0, 1000, &arena, &m), HTZ_OK); // limit below partial 1
  assert_int_equal(m.n, 1);
  assert_int_equal(htz_modes_string(&piano_c4, 20000.0, 7, &arena, &m), HTZ_OK);
  assert_int_equal(m.n, 7);
  htz_string_desc d = piano_c4;
  d.inharmonicity = 0.0;
  assert_int_equal(htz_modes_string(&d, 1e300, SIZE_MAX, &arena, &m), HTZ_OK);
  assert_int_equal(m.n, HTZ_MODES_MAX);
  htz_arena_free(&arena);
}

static void expect_bad(const htz_string_desc* d) {
  htz_arena arena;
  htz_modes m;
  htz_arena_measure(&arena);
  assert_int_equal(htz_modes_string(d, 20000.0, 100, &arena, &m), HTZ_BAD_VALUE);
  htz_arena_free(&arena);
}

static void test_bad_values_are_refused(void** state) {
  (void)state;
  const double bad[] = {-1.0, NAN, INFINITY};
  for (size_t i = 0; i < sizeof bad / sizeof *bad; ++i) {
    htz_string_desc d = piano_c4;
    d.length = bad[i];
    expect_bad(&d);
    d = piano_c4;
    d.tension = bad[i];
    expect_bad(&d);
    d = piano_c4;
    d.core_diameter = bad[i];
    expect_bad(&d);
    d = piano_c4;
    d.lin_density = bad[i];
    expect_bad(&d);
    d = piano_c4;
    d.young = bad[i];
    expect_bad(&d);
    d = piano_c4;
    d.loss.loss0 = bad[i];
    expect_bad(&d);
    d = piano_c4;
    d.loss.loss1 = bad[i];
    expect_bad(&d);
    d = piano_c4;
    d.tension = 0.0;
    d.tuning_hz = bad[i];
    expect_bad(&d);
    d = piano_c4;
    d.loss = (htz_loss){.t60_hz = {100.0, 1000.0}, .t60_s = {1.0, bad[i]}};
    expect_bad(&d);
    d.loss = (htz_loss){.t60_hz = {100.0, bad[i]}, .t60_s = {1.0, 1.0}};
    expect_bad(&d);
  }
  htz_string_desc d = piano_c4;
  d.length = 0.0;
  expect_bad(&d);
  d = piano_c4;
  d.inharmonicity = NAN;
  expect_bad(&d);
  d = piano_c4;
  d.lin_density = 0.0; // and no density of the core either
  expect_bad(&d);
  d = piano_c4;
  d.tension = 0.0;
  d.tuning_hz = 10.0; // stiffness alone is more than that
  d.core_diameter = 5e-3;
  expect_bad(&d);
  d = piano_c4;
  d.loss = (htz_loss){.t60_hz = {1000.0, 100.0}, .t60_s = {1.0, 1.0}};
  expect_bad(&d);
  htz_arena arena;
  htz_modes m;
  htz_arena_measure(&arena);
  assert_int_equal(htz_modes_string(&piano_c4, NAN, 100, &arena, &m), HTZ_BAD_VALUE);
  assert_int_equal(htz_modes_string(&piano_c4, 0.0, 100, &arena, &m), HTZ_BAD_VALUE);
  assert_int_equal(htz_modes_string(&piano_c4, 20000.0, 0, &arena, &m), HTZ_BAD_VALUE);
  htz_arena_free(&arena);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_partials_follow_the_stiff_string_formula),
      cmocka_unit_test(test_tuning_includes_stiffness),
      cmocka_unit_test(test_mass_may_come_from_the_core),
      cmocka_unit_test(test_shapes_are_sines),
      cmocka_unit_test(test_decay_times_are_met),
      cmocka_unit_test(test_mode_count_is_bounded),
      cmocka_unit_test(test_bad_values_are_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
