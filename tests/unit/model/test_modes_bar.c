#include "check.h"

#include "hertzian/dsp/linalg.h"
#include "hertzian/model/modes.h"

#include <math.h>
#include <stdio.h>

static const double pi = 3.14159265358979323846;
static const double nepers = 6.90775527898213705205; // 3 ln 10

// An aluminium bar of a vibraphone's size.
static const htz_bar_desc uniform = {
    .ends = HTZ_BAR_FREE,
    .length = 0.28,
    .width = 0.045,
    .thickness = 0.010,
    .density = 2700.0,
    .young = 68.9e9,
};

static double hz(const htz_modes* m, size_t k) {
  return m->omega[k] / (2.0 * pi);
}

static void build(const htz_bar_desc* d, double limit_hz, size_t max_modes, htz_arena* arena, htz_modes* m) {
  int true_shapes = -1;
  assert_int_equal(htz_modes_bar(d, limit_hz, max_modes, arena, m, &true_shapes), HTZ_OK);
  assert_int_equal(true_shapes, 1);
}

static void test_free_bar_frequencies(void** state) {
  (void)state;
  htz_arena arena;
  htz_modes m;
  htz_arena_measure(&arena);
  build(&uniform, 20000.0, 100, &arena, &m);
  // Roots of cos cosh = 1 to eight figures, as tabled in every text on vibration.
  const double beta[] = {4.7300407, 7.8532046, 10.9956078, 14.1371655, 17.2787597};
  const double f1 = 4.7300407449 * 4.7300407449 / (2.0 * pi * 0.28 * 0.28) * 0.010 * sqrt(68.9e9 / (12.0 * 2700.0));
  check_close(hz(&m, 2), f1, 1e-10);
  check_close(hz(&m, 2), 1.028 * 0.010 / (0.28 * 0.28) * sqrt(68.9e9 / 2700.0), 1e-3); // the handbook's four figures
  for (size_t k = 0; k < sizeof beta / sizeof *beta; ++k) {
    const double ratio = beta[k] / beta[0];
    check_close(hz(&m, 2 + k) / hz(&m, 2), ratio * ratio, 1e-7);
  }
  check_near(hz(&m, 3) / hz(&m, 2), 2.756, 1e-3);
  check_near(hz(&m, 4) / hz(&m, 2), 5.404, 1e-3);
  check_near(hz(&m, 5) / hz(&m, 2), 8.933, 1e-3);
  for (size_t k = 0; k < m.n; ++k)
    check_close(m.mass[k], 0.28 * 0.045 * 0.010 * 2700.0, 1e-14);
  assert_true(hz(&m, m.n - 1) <= 20000.0);
  htz_arena_free(&arena);
}

static void test_rigid_motions_come_first(void** state) {
  (void)state;
  htz_arena arena;
  htz_modes m;
  htz_bar_desc d = uniform;
  d.support_hz = 35.0;
  d.support_loss = 4.0;
  htz_arena_measure(&arena);
  build(&d, 20000.0, 100, &arena, &m);
  double phi[100];
  m.shape(&m, 0.8, phi);
  check_close(phi[0], 1.0, 0.0);
  check_close(phi[1], sqrt(12.0) * 0.3, 1e-14);
  for (size_t k = 0; k < 2; ++k) {
    check_close(hz(&m, k), 35.0, 1e-14);
    check_close(m.sigma[k], 4.0, 0.0);
    assert_int_equal(m.audible[k], 0);
  }
  assert_int_equal(m.audible[2], 1);
  d.support_hz = 0.0;
  build(&d, 20000.0, 100, &arena, &m);
  check_near(m.omega[0], 0.0, 0.0);
  check_near(m.omega[1], 0.0, 0.0);
  d.support_hz = 1e4; // above the first bending mode
  assert_int_equal(htz_modes_bar(&d, 20000.0, 100, &arena, &m, NULL), HTZ_BAD_VALUE);
  htz_arena_free(&arena);
}

/** Largest deviation of the mean of phi_i phi_j over a uniform bar from 1 (i = j) and 0. */
static double gram_error(const htz_modes* m, size_t n) {
  enum { NODES = 160, N = 40 };
  double node[NODES];
  double weight[NODES];
  double phi[N];
  double gram[N][N] = {{0.0}};
  assert_true(n <= N && m->n <= N);
  htz_gauss_legendre(NODES, node, weight);
  for (size_t q = 0; q < NODES; ++q) {
    m->shape(m, 0.5 * (1.0 + node[q]), phi);
    for (size_t i = 0; i < n; ++i) {
      for (size_t j = 0; j < n; ++j)
        gram[i][j] += 0.5 * weight[q] * phi[i] * phi[j];
    }
  }
  double worst = 0.0;
  for (size_t i = 0; i < n; ++i) {
    for (size_t j = 0; j < n; ++j)
      worst = fmax(worst, fabs(gram[i][j] - (i == j ? 1.0 : 0.0)));
  }
  return worst;
}

// 160 nodes are exact for what matters up to mode 40; what remains is round-off of some beta eps.
static void test_shapes_are_orthonormal(void** state) {
  (void)state;
  htz_arena arena;
  htz_modes m;
  htz_bar_desc d = uniform;
  htz_arena_measure(&arena);
  build(&d, 1e9, 40, &arena, &m);
  assert_int_equal(m.n, 40);
  check_below(gram_error(&m, 40), 1e-12);
  d.ends = HTZ_BAR_CANTILEVER;
  build(&d, 1e9, 40, &arena, &m);
  assert_int_equal(m.n, 40);
  check_below(gram_error(&m, 40), 1e-12);
  htz_arena_free(&arena);
}

static void test_free_shapes_match_the_textbook_form(void** state) {
  (void)state;
  htz_arena arena;
  htz_modes m;
  htz_arena_measure(&arena);
  build(&uniform, 1e9, 6, &arena, &m);
  // cosh + cos - s (sinh + sin) of beta x from the left end; good to eps cosh(beta) ~ 1e-10 for beta <= 14.
  for (size_t k = 0; k < 4; ++k) {
    const double b = sqrt(m.omega[2 + k] / m.omega[2]) * 4.730040744862704;
    const double s = (cosh(b) - cos(b)) / (sinh(b) - sin(b));
    for (double x = 0.0; x <= 1.0; x += 0.0625) {
      double phi[6];
      m.shape(&m, x, phi);
      const double left = cosh(b * x) + cos(b * x) - s * (sinh(b * x) + sin(b * x));
      check_near(phi[2 + k], k & 1u ? -left : left, 1e-9);
    }
  }
  htz_arena_free(&arena);
}

/** Zero of shape k between a and b by bisection. */
static double node_of(const htz_modes* m, size_t k, double a, double b) {
  double phi[40];
  m->shape(m, a, phi);
  const double at_a = phi[k];
  for (int i = 0; i < 60; ++i) {
    const double middle = 0.5 * (a + b);
    m->shape(m, middle, phi);
    if (phi[k] * at_a > 0.0) {
      a = middle;
    } else {
      b = middle;
    }
  }
  return a;
}

static void test_nodes_and_ends(void** state) {
  (void)state;
  htz_arena arena;
  htz_modes m;
  htz_bar_desc d = uniform;
  htz_arena_measure(&arena);
  build(&d, 1e9, 40, &arena, &m);
  check_near(node_of(&m, 2, 0.0, 0.5), 0.22416, 1e-5); // where bars are hung
  check_near(node_of(&m, 2, 0.5, 1.0), 0.77584, 1e-5);
  check_near(node_of(&m, 3, 0.0, 0.3), 0.13211, 1e-5);
  double phi[40];
  m.shape(&m, 1.0, phi);
  for (size_t k = 2; k < 40; ++k)
    check_near(phi[k], 2.0, 1e-12);
  m.shape(&m, 0.0, phi);
  for (size_t k = 2; k < 40; ++k)
    check_near(phi[k], k & 1u ? -2.0 : 2.0, 1e-12);
  d.ends = HTZ_BAR_CANTILEVER;
  build(&d, 1e9, 40, &arena, &m);
  m.shape(&m, 0.0, phi);
  for (size_t k = 0; k < 40; ++k)
    check_near(phi[k], 0.0, 1e-12);
  m.shape(&m, 1.0, phi);
  for (size_t k = 0; k < 40; ++k)
    check_near(phi[k], 2.0, 1e-12);
  check_near(node_of(&m, 1, 0.3, 0.99), 0.78345, 1e-5);
  htz_arena_free(&arena);
}

// A comb of a music box: 25 x 0.9 mm of steel.
static void test_cantilever_table(void** state) {
  (void)state;
  htz_bar_desc d = {
      .ends = HTZ_BAR_CANTILEVER, .length = 0.025, .width = 2e-3, .thickness = 0.9e-3, .density = 7850.0, .young = 2.0e11};
  htz_arena arena;
  htz_modes m;
  htz_arena_measure(&arena);
  build(&d, 1e6, 8, &arena, &m);
  check_near(sqrt(2.0 * pi * hz(&m, 0) * 0.025 * 0.025 / (0.9e-3 * sqrt(2.0e11 / (12.0 * 7850.0)))), 1.8751041, 1e-7);
  check_close(hz(&m, 0), 0.1615 * 0.9e-3 / (0.025 * 0.025) * sqrt(2.0e11 / 7850.0), 5e-4); // the handbook's four figures
  check_near(sqrt(m.omega[1] / m.omega[0]) * 1.8751041, 4.6940911, 2e-7);
  check_near(hz(&m, 1) / hz(&m, 0), 6.267, 5e-4);
  check_near(hz(&m, 2) / hz(&m, 0), 17.547, 5e-4);
  assert_int_equal(m.audible[0], 1);
  htz_arena_free(&arena);
}

static void test_high_shapes_stay_finite(void** state) {
  (void)state;
  enum { N = 1000 };
  htz_bar_desc d = uniform;
  htz_arena arena;
  htz_modes m;
  double phi[N];
  htz_arena_measure(&arena);
  for (int ends = HTZ_BAR_FREE; ends <= HTZ_BAR_CANTILEVER; ++ends) {
    d.ends = (htz_bar_ends)ends;
    build(&d, 1e12, N, &arena, &m);
    assert_int_equal(m.n, N);
    for (double x = 0.0; x <= 1.0; x += 1.0 / 64.0) {
      m.shape(&m, x, phi);
      for (size_t k = 0; k < N; ++k)
        check_below(fabs(phi[k]), 2.0 + 1e-9);
    }
    for (size_t k = 1; k < N; ++k)
      assert_true(m.omega[k] > m.omega[k - 1] || (m.omega[k] == 0.0 && k == 1));
  }
  htz_arena_free(&arena);
}

static void test_losses(void** state) {
  (void)state;
  htz_arena arena;
  htz_modes m;
  htz_bar_desc d = uniform;
  htz_arena_measure(&arena);
  d.loss = (htz_loss){.loss0 = 0.3, .loss1 = 1e-3};
  build(&d, 20000.0, 100, &arena, &m);
  const double beta[] = {4.7300407, 7.8532046, 10.9956078};
  for (size_t k = 0; k < 3; ++k) {
    const double wave_number = beta[k] / 0.28;
    check_close(m.sigma[2 + k], 0.3 + 1e-3 * wave_number * wave_number, 1e-7);
  }
  d.loss = (htz_loss){.t60_hz = {hz(&m, 2), hz(&m, 4)}, .t60_s = {9.0, 1.5}};
  build(&d, 20000.0, 100, &arena, &m);
  check_close(nepers / m.sigma[2], 9.0, 1e-13);
  check_close(nepers / m.sigma[4], 1.5, 1e-13);
  const double middle = (hz(&m, 3) - hz(&m, 2)) / (hz(&m, 4) - hz(&m, 2)); // a line in f between them
  check_close(m.sigma[3], m.sigma[2] + middle * (m.sigma[4] - m.sigma[2]), 1e-12);
  d.loss.t60_s[1] = 20.0;
  build(&d, 20000.0, 100, &arena, &m);
  for (size_t k = 2; k < m.n; ++k)
    assert_true(m.sigma[k] >= nepers / 20.0 - 1e-12 && m.sigma[k] <= nepers / 9.0 + 1e-12);
  check_close(nepers / m.sigma[4], 20.0, 1e-13);

  d = uniform; // wave numbers need a length even where nothing else does
  d.length = 0.0;
  d.mass = 0.3;
  d.tuning_hz = 440.0;
  build(&d, 20000.0, 100, &arena, &m);
  check_close(hz(&m, 2), 440.0, 1e-15);
  d.loss.loss1 = 1e-3;
  assert_int_equal(htz_modes_bar(&d, 20000.0, 100, &arena, &m, NULL), HTZ_BAD_VALUE);
  htz_arena_free(&arena);
}

static void test_mode_count_is_bounded(void** state) {
  (void)state;
  htz_arena arena;
  htz_modes m;
  htz_bar_desc d = uniform;
  htz_arena_measure(&arena);
  build(&d, 1.0, 100, &arena, &m);
  assert_int_equal(m.n, 3); // one bending mode whatever the limit
  assert_int_equal(htz_modes_bar(&d, 20000.0, 2, &arena, &m, NULL), HTZ_BAD_VALUE);
  d.ends = HTZ_BAR_CANTILEVER;
  build(&d, 1.0, 1, &arena, &m);
  assert_int_equal(m.n, 1);
  assert_int_equal(htz_modes_bar(&d, 20000.0, 0, &arena, &m, NULL), HTZ_BAD_VALUE);
  htz_arena_free(&arena);
}

static void expect_bad(const htz_bar_desc* d) {
  htz_arena arena;
  htz_modes m;
  htz_arena_measure(&arena);
  assert_int_equal(htz_modes_bar(d, 20000.0, 100, &arena, &m, NULL), HTZ_BAD_VALUE);
  htz_arena_free(&arena);
}

static void test_bad_values_are_refused(void** state) {
  (void)state;
  const double bad[] = {-1.0, NAN, INFINITY};
  for (size_t i = 0; i < sizeof bad / sizeof *bad; ++i) {
    htz_bar_desc d = uniform;
    double* const fields[] = {&d.length,    &d.width,      &d.thickness,    &d.density,    &d.young,     &d.mass,
                              &d.tuning_hz, &d.support_hz, &d.support_loss, &d.loss.loss0, &d.loss.loss1};
    for (size_t f = 0; f < sizeof fields / sizeof *fields; ++f) {
      d = uniform;
      *fields[f] = bad[i];
      expect_bad(&d);
    }
  }
  htz_bar_desc d = uniform;
  d.length = 0.0;
  expect_bad(&d);
  d = uniform;
  d.ends = (htz_bar_ends)7;
  expect_bad(&d);
  const double lists[][3] = {{1.0, 4.0, 4.0},  {1.0, 4.0, 3.0},      {2.0, 4.0, 10.0},
                             {1.0, NAN, 10.0}, {1.0, 4.0, INFINITY}, {1.0, 0.5, 2.0}};
  for (size_t i = 0; i < sizeof lists / sizeof *lists; ++i) {
    d = uniform;
    d.n_partials = 3;
    for (size_t k = 0; k < 3; ++k)
      d.partials[k] = lists[i][k];
    expect_bad(&d);
  }
  d = uniform;
  d.n_partials = HTZ_BAR_PARTIALS_MAX + 1;
  expect_bad(&d);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_free_bar_frequencies),    cmocka_unit_test(test_rigid_motions_come_first),
      cmocka_unit_test(test_shapes_are_orthonormal),  cmocka_unit_test(test_free_shapes_match_the_textbook_form),
      cmocka_unit_test(test_nodes_and_ends),          cmocka_unit_test(test_cantilever_table),
      cmocka_unit_test(test_high_shapes_stay_finite), cmocka_unit_test(test_losses),
      cmocka_unit_test(test_mode_count_is_bounded),   cmocka_unit_test(test_bad_values_are_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
