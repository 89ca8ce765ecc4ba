#include "check.h"

#include "hertzian/dsp/linalg.h"
#include "hertzian/model/modes.h"

#include <math.h>
#include <string.h>

static const double pi = 3.14159265358979323846;

typedef struct {
  const char* name;
  double partials[3];
} ratio_set;

static const ratio_set sets[] = {
    {"marimba, vibraphone", {1.0, 4.0, 10.0}},
    {"xylophone", {1.0, 3.0, 6.0}},
    {"marimba, as measured", {1.0, 3.9, 9.2}},
    {"vibraphone, as measured", {1.0, 4.0, 9.8}},
};
enum { SETS = sizeof sets / sizeof *sets };

static double thickness(const htz_bar_shapes* s, double xi) {
  return 1.0 - s->depth * exp(-pow(fabs(xi) / s->half_width, (double)s->exponent));
}

static htz_bar_shapes find(size_t n, const double* partials) {
  htz_bar_shapes s;
  assert_int_equal(htz_bar_shapes_find(HTZ_BAR_FREE, n, partials, &s), HTZ_OK);
  return s;
}

static void test_ratios_are_met_by_the_bar_itself(void** state) {
  (void)state;
  for (size_t i = 0; i < SETS; ++i) {
    const htz_bar_shapes s = find(3, sets[i].partials);
    assert_int_equal(s.true_shapes, 1);
    check_close(s.number[1] / s.number[0], sets[i].partials[1], 1e-9);
    check_close(s.number[2] / s.number[0], sets[i].partials[2], 1e-9);
    for (size_t k = 1; k < s.n; ++k)
      assert_true(s.number[k] > s.number[k - 1]);
    for (double xi = 0.0; xi <= 1.0; xi += 0.01)
      assert_true(thickness(&s, xi) > 0.0 && thickness(&s, xi) <= 1.0);
  }
}

// The same bar by another road: integrate the four first-order equations of the beam from the free end (moment and shear zero)
// to the middle, for the two ways the end can move, and ask for the boundary conditions of an even or odd mode there. Lengths
// in half lengths, with E I = h^3, rho A = h, so omega = number/4.
typedef struct {
  double v[4]; // displacement, slope, moment, shear
} beam;

static beam slope_of(const htz_bar_shapes* s, double xi, const beam* y, double omega) {
  const double h = thickness(s, xi);
  return (beam){{y->v[1], y->v[2] / (h * h * h), y->v[3], omega * omega * h * y->v[0]}};
}

static beam moved(const beam* y, const beam* d, double step) {
  beam out;
  for (size_t i = 0; i < 4; ++i)
    out.v[i] = y->v[i] + step * d->v[i];
  return out;
}

static beam integrate(const htz_bar_shapes* s, beam y, double omega) {
  enum { STEPS = 4000 }; // fourth order: error of some (k/4000)^4, k <= 40 local wave numbers, ~ 1e-8 for the highest mode used
  const double step = -1.0 / STEPS;
  for (size_t i = 0; i < STEPS; ++i) {
    const double xi = 1.0 + step * (double)i;
    const beam d1 = slope_of(s, xi, &y, omega);
    const beam y2 = moved(&y, &d1, 0.5 * step);
    const beam d2 = slope_of(s, xi + 0.5 * step, &y2, omega);
    const beam y3 = moved(&y, &d2, 0.5 * step);
    const beam d3 = slope_of(s, xi + 0.5 * step, &y3, omega);
    const beam y4 = moved(&y, &d3, step);
    const beam d4 = slope_of(s, xi + step, &y4, omega);
    for (size_t j = 0; j < 4; ++j)
      y.v[j] += step / 6.0 * (d1.v[j] + 2.0 * d2.v[j] + 2.0 * d3.v[j] + d4.v[j]);
  }
  return y;
}

/** Changes sign at a frequency of an even (odd) mode. */
static double mismatch(const htz_bar_shapes* s, double omega, bool odd) {
  const beam a = integrate(s, (beam){{1.0, 0.0, 0.0, 0.0}}, omega);
  const beam b = integrate(s, (beam){{0.0, 1.0, 0.0, 0.0}}, omega);
  return odd ? a.v[0] * b.v[2] - a.v[2] * b.v[0] : a.v[1] * b.v[3] - a.v[3] * b.v[1];
}

static void test_frequencies_agree_with_shooting(void** state) {
  (void)state;
  for (size_t i = 0; i < SETS; ++i) {
    const htz_bar_shapes s = find(3, sets[i].partials);
    for (size_t k = 0; k < 8; ++k) {
      // The first three carry the tuning, the others follow; 1e-6 is 0.002 cent.
      const double margin = k < 3 ? 1e-8 : 1e-6;
      const double omega = s.number[k] / 4.0;
      const double below = mismatch(&s, omega * (1.0 - margin), k & 1u);
      const double above = mismatch(&s, omega * (1.0 + margin), k & 1u);
      assert_true(below * above < 0.0);
    }
  }
}

/** A bar of unit mass and first frequency 1 Hz, all its modes. */
static htz_modes build(const htz_bar_shapes* s, htz_arena* arena) {
  const htz_bar_desc d = {.ends = HTZ_BAR_FREE, .mass = 1.0, .tuning_hz = 1.0};
  htz_modes m;
  assert_int_equal(htz_modes_bar_from(s, &d, 1e9, 1000, arena, &m), HTZ_OK);
  assert_int_equal(m.n, 2 + HTZ_BAR_MODES_MAX);
  return m;
}

static void test_shapes_are_orthonormal_in_the_mass(void** state) {
  (void)state;
  enum { NODES = 320, N = 2 + HTZ_BAR_MODES_MAX };
  double node[NODES];
  double weight[NODES];
  htz_gauss_legendre(NODES, node, weight);
  for (size_t i = 0; i < SETS; ++i) {
    htz_arena arena;
    htz_arena_measure(&arena);
    const htz_bar_shapes s = find(3, sets[i].partials);
    const htz_modes m = build(&s, &arena);
    double gram[N][N] = {{0.0}};
    double total = 0.0;
    for (size_t q = 0; q < NODES; ++q) {
      double phi[N];
      m.shape(&m, 0.5 * (1.0 + node[q]), phi);
      const double mass = weight[q] * thickness(&s, node[q]);
      total += mass;
      for (size_t a = 0; a < N; ++a) {
        for (size_t b = 0; b < N; ++b)
          gram[a][b] += mass * phi[a] * phi[b];
      }
    }
    check_close(s.mass_ratio, 0.5 * total, 1e-12);
    for (size_t a = 0; a < N; ++a) {
      for (size_t b = 0; b < N; ++b)
        check_near(gram[a][b] / total, a == b ? 1.0 : 0.0, 1e-10);
    }
    htz_arena_free(&arena);
  }
}

static void test_shapes_have_the_symmetry_and_nodes_of_a_bar(void** state) {
  (void)state;
  enum { N = 2 + HTZ_BAR_MODES_MAX, GRID = 2000 };
  for (size_t i = 0; i < SETS; ++i) {
    htz_arena arena;
    htz_arena_measure(&arena);
    const htz_bar_shapes s = find(3, sets[i].partials);
    const htz_modes m = build(&s, &arena);
    double left[N];
    double right[N];
    for (double x = 0.0; x <= 0.5; x += 0.03125) {
      m.shape(&m, x, left);
      m.shape(&m, 1.0 - x, right);
      for (size_t k = 0; k < N; ++k)
        check_near(left[k], k & 1u ? -right[k] : right[k], 1e-14);
    }
    m.shape(&m, 0.5, left);
    check_near(left[3], 0.0, 0.0); // the second bending mode cannot be struck in the middle
    check_above(fabs(left[2]), 0.5);
    m.shape(&m, 1.0, right);
    size_t changes[N] = {0};
    m.shape(&m, 0.0, left);
    for (size_t g = 1; g <= GRID; ++g) {
      double next[N];
      m.shape(&m, ((double)g - 0.5) / GRID, next);
      for (size_t k = 0; k < N; ++k)
        changes[k] += next[k] * left[k] < 0.0;
      memcpy(left, next, sizeof next);
    }
    for (size_t k = 0; k < N; ++k) {
      check_above(right[k], 0.5);
      assert_int_equal(changes[k], k); // mode k of a bar, rigid ones counted, has k nodes
    }
    htz_arena_free(&arena);
  }
}

static void test_a_nearly_uniform_cut_gives_nearly_uniform_shapes(void** state) {
  (void)state;
  // 0.3 % away from a uniform bar's 2.756 the shapes of the two solutions, which share no code, must be close. That is where
  // the series' normalisation and sign are held against the closed form's.
  const double partials[] = {1.0, 2.765};
  const htz_bar_shapes cut = find(2, partials);
  const htz_bar_shapes uniform = find(0, NULL);
  const htz_bar_desc d = {.ends = HTZ_BAR_FREE, .mass = 1.0, .tuning_hz = 1.0};
  htz_arena arena;
  htz_modes a;
  htz_modes b;
  htz_arena_measure(&arena);
  assert_true(cut.n > 0 && uniform.n == 0);
  check_below(cut.depth, 0.01);
  assert_int_equal(htz_modes_bar_from(&cut, &d, 1e9, 12, &arena, &a), HTZ_OK);
  assert_int_equal(htz_modes_bar_from(&uniform, &d, 1e9, 12, &arena, &b), HTZ_OK);
  for (double x = 0.0; x <= 1.0; x += 0.03125) {
    double in_cut[12];
    double in_uniform[12];
    a.shape(&a, x, in_cut);
    b.shape(&b, x, in_uniform);
    // First order in the depth (< 1 %), times a few for the density of the higher modes.
    for (size_t k = 0; k < 12; ++k)
      check_near(in_cut[k], in_uniform[k], 0.02);
  }
  htz_arena_free(&arena);
}

static void test_given_and_following_partials(void** state) {
  (void)state;
  htz_bar_desc d = {
      .ends = HTZ_BAR_FREE, .mass = 0.5, .tuning_hz = 220.0, .n_partials = 5, .partials = {1.0, 4.0, 10.0, 30.0, 40.0}};
  htz_arena arena;
  htz_modes m;
  int true_shapes = 0;
  htz_arena_measure(&arena);
  assert_int_equal(htz_modes_bar(&d, 1e5, 100, &arena, &m, &true_shapes), HTZ_OK);
  assert_int_equal(true_shapes, 1);
  for (size_t k = 0; k < 5; ++k)
    check_close(m.omega[2 + k], 2.0 * pi * 220.0 * d.partials[k], 1e-14);
  for (size_t k = 3; k < m.n; ++k)
    assert_true(m.omega[k] > m.omega[k - 1]);
  const htz_bar_shapes s = find(3, d.partials);
  check_close(m.omega[7] / m.omega[6], s.number[5] / s.number[4], 1e-14);

  d.n_partials = 2; // one ratio: still a real bar
  assert_int_equal(htz_modes_bar(&d, 1e5, 100, &arena, &m, &true_shapes), HTZ_OK);
  assert_int_equal(true_shapes, 1);
  check_close(m.omega[3] / m.omega[2], 4.0, 1e-14);
  htz_arena_free(&arena);
}

static void test_ratios_no_bar_has_keep_uniform_shapes(void** state) {
  (void)state;
  htz_arena arena;
  htz_modes m;
  htz_modes plain;
  int true_shapes = 1;
  htz_bar_desc d = {.ends = HTZ_BAR_FREE, .mass = 0.5, .tuning_hz = 220.0, .n_partials = 3, .partials = {1.0, 2.0, 3.0}};
  htz_arena_measure(&arena);
  assert_int_equal(htz_modes_bar(&d, 20000.0, 20, &arena, &m, &true_shapes), HTZ_OK);
  assert_int_equal(true_shapes, 0);
  check_close(m.omega[3] / m.omega[2], 2.0, 1e-14);
  check_close(m.omega[4] / m.omega[2], 3.0, 1e-14);
  for (size_t k = 3; k < m.n; ++k)
    assert_true(m.omega[k] > m.omega[k - 1]);
  d.n_partials = 0;
  assert_int_equal(htz_modes_bar(&d, 1e6, 20, &arena, &plain, &true_shapes), HTZ_OK);
  assert_int_equal(true_shapes, 1);
  double a[20];
  double b[20];
  m.shape(&m, 0.3, a);
  plain.shape(&plain, 0.3, b);
  assert_memory_equal(a, b, (m.n < plain.n ? m.n : plain.n) * sizeof *a);

  // A uniform bar's own ratios, written with four figures, are true; a cantilever cannot be cut to anything else.
  const double handbook[] = {1.0, 2.756, 5.404};
  check_near((double)find(3, handbook).true_shapes, 1.0, 0.0);
  htz_bar_shapes s;
  const double tine[] = {1.0, 6.267, 17.55};
  assert_int_equal(htz_bar_shapes_find(HTZ_BAR_CANTILEVER, 3, tine, &s), HTZ_OK);
  assert_int_equal(s.true_shapes, 1);
  assert_int_equal(htz_bar_shapes_find(HTZ_BAR_CANTILEVER, 3, sets[0].partials, &s), HTZ_OK);
  assert_int_equal(s.true_shapes, 0);
  htz_arena_free(&arena);
}

// A marimba's C3 bar, 46 x 6 x 2.35 cm of rosewood, frequency and mass from geometry and material alone.
static void test_frequency_and_mass_follow_from_the_block(void** state) {
  (void)state;
  htz_bar_desc d = {
      .ends = HTZ_BAR_FREE, .length = 0.46, .width = 0.06, .thickness = 0.0235, .density = 837.0, .young = 17.96e9};
  htz_arena arena;
  htz_modes block;
  htz_modes bar;
  htz_arena_measure(&arena);
  assert_int_equal(htz_modes_bar(&d, 20000.0, 100, &arena, &block, NULL), HTZ_OK);
  d.n_partials = 3;
  memcpy(d.partials, sets[0].partials, sizeof sets[0].partials);
  assert_int_equal(htz_modes_bar(&d, 20000.0, 100, &arena, &bar, NULL), HTZ_OK);
  const htz_bar_shapes s = find(3, sets[0].partials);
  check_close(block.mass[2], 0.46 * 0.06 * 0.0235 * 837.0, 1e-14);
  check_close(bar.mass[2], block.mass[2] * s.mass_ratio, 1e-14);
  check_below(s.mass_ratio, 1.0);
  // 4.73^2 is the number of the block; the cut bar's own was checked by shooting.
  check_close(bar.omega[2] / block.omega[2], s.number[0] / (4.730040744862704 * 4.730040744862704), 1e-12);
  htz_arena_free(&arena);
}

static void test_shapes_and_bar_must_match(void** state) {
  (void)state;
  const htz_bar_shapes s = find(0, NULL);
  const htz_bar_desc d = {.ends = HTZ_BAR_CANTILEVER, .mass = 0.5, .tuning_hz = 220.0};
  htz_arena arena;
  htz_modes m;
  htz_arena_measure(&arena);
  assert_int_equal(htz_modes_bar_from(&s, &d, 20000.0, 100, &arena, &m), HTZ_BAD_VALUE);
  htz_arena_free(&arena);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_ratios_are_met_by_the_bar_itself),
      cmocka_unit_test(test_frequencies_agree_with_shooting),
      cmocka_unit_test(test_shapes_are_orthonormal_in_the_mass),
      cmocka_unit_test(test_shapes_have_the_symmetry_and_nodes_of_a_bar),
      cmocka_unit_test(test_a_nearly_uniform_cut_gives_nearly_uniform_shapes),
      cmocka_unit_test(test_given_and_following_partials),
      cmocka_unit_test(test_ratios_no_bar_has_keep_uniform_shapes),
      cmocka_unit_test(test_frequency_and_mass_follow_from_the_block),
      cmocka_unit_test(test_shapes_and_bar_must_match),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
