#include "check.h"

#include "hertzian/dsp/bessel.h"
#include "hertzian/dsp/linalg.h"
#include "hertzian/model/bodies.h"
#include "hertzian/model/membrane.h"

#include <math.h>
#include <stdlib.h>

static const double pi = 3.14159265358979323846;
static const double nepers = 6.90775527898213705205; // 3 ln 10

/** A timpano's skin, in vacuo unless told. */
static const htz_membrane_desc skin = {.radius = 0.328, .area_density = 0.262, .tension = 3325.0, .loss = {.loss0 = 1.0}};

static htz_modes make(const htz_membrane_desc* desc, double limit_hz, size_t most, htz_arena* arena) {
  htz_modes modes;
  htz_arena_measure(arena);
  assert_int_equal(htz_modes_membrane(NULL, desc, limit_hz, most, arena, &modes), HTZ_OK);
  return modes;
}

static void first_thirty_modes_are_those_of_theory(void** state) {
  (void)state;
  // j_mn in ascending order, (m, n) from (0, 1); Abramowitz and Stegun, table 9.5, to its digits.
  static const struct {
    double x;
    unsigned m;
  } theory[] = {{2.40482556, 0}, {3.83171, 1},  {5.13562, 2},    {5.52007811, 0}, {6.38016, 3},    {7.01559, 1},
                {7.58834, 4},    {8.41724, 2},  {8.65372791, 0}, {8.77148, 5},    {9.76102, 3},    {9.93611, 6},
                {10.17347, 1},   {11.06471, 4}, {11.08637, 7},   {11.61984, 2},   {11.79153441, 0}};
  htz_arena arena;
  const htz_modes modes = make(&skin, 40e3, 30, &arena);
  assert_int_equal(modes.n, 30);
  const double speed = sqrt(3325.0 / 0.262);
  size_t entry = 0;
  for (size_t k = 0; k < 30; ++entry) {
    for (size_t pair = 0; pair < (theory[entry].m ? 2 : 1) && k < 30; ++pair, ++k) {
      check_close(modes.omega[k], theory[entry].x * speed / 0.328, cents(0.01));
      check_close(modes.sigma[k], 1.0, 1e-12);
      check_close(modes.mass[k], pi * 0.328 * 0.328 * 0.262, 1e-13);
    }
  }
  check_close(modes.omega[0] / (2.0 * pi), 131.46, 1e-3); // as published of this skin
  htz_arena_free(&arena);
}

static void pairs_are_equal_and_turned_by_a_quarter_wave(void** state) {
  (void)state;
  enum { MODES = 120 };
  double phi[MODES], turned[MODES];
  htz_arena arena;
  const htz_modes modes = make(&skin, 40e3, MODES, &arena);
  for (size_t k = 0; k < modes.n; ++k) {
    const unsigned m = (unsigned)modes.data[4 * k];
    if (m == 0) {
      continue;
    }
    assert_true(k + 1 < modes.n && modes.omega[k] == modes.omega[k + 1] && modes.mass[k] == modes.mass[k + 1]);
    const double angle = 0.4, r = 0.37, quarter = pi / (2.0 * m);
    modes.shape_xy(&modes, 0.5 + r * cos(angle), 0.5 + r * sin(angle), phi);
    modes.shape_xy(&modes, 0.5 + r * cos(angle + quarter), 0.5 + r * sin(angle + quarter), turned);
    check_near(turned[k + 1], phi[k], 1e-12);
    check_near(turned[k], -phi[k + 1], 1e-12);
    ++k;
  }
  htz_arena_free(&arena);
}

/** Means of phi_j phi_k over the skin: Gauss's rule along the radius, equal steps around. */
static void shapes_are_orthogonal(void** state) {
  (void)state;
  enum { RADII = 40, ANGLES = 64, MODES = 60 };
  double node[RADII], weight[RADII], phi[MODES];
  static double sum[MODES][MODES];
  htz_arena arena;
  const htz_modes modes = make(&skin, 40e3, MODES, &arena);
  assert_true(modes.n == MODES || modes.n == MODES - 1);
  htz_gauss_legendre(RADII, node, weight);
  for (size_t i = 0; i < RADII; ++i) {
    const double r = 0.5 * (1.0 + node[i]);
    for (size_t a = 0; a < ANGLES; ++a) {
      const double angle = 2.0 * pi * ((double)a + 0.3) / ANGLES;
      modes.shape_xy(&modes, 0.5 + 0.5 * r * cos(angle), 0.5 + 0.5 * r * sin(angle), phi);
      for (size_t p = 0; p < modes.n; ++p) {
        for (size_t q = 0; q < modes.n; ++q) {
          sum[p][q] += 0.5 * weight[i] * r * 2.0 / ANGLES * phi[p] * phi[q];
        }
      }
    }
  }
  for (size_t p = 0; p < modes.n; ++p) {
    for (size_t q = 0; q < modes.n; ++q) {
      check_near(sum[p][q], p == q ? 1.0 : 0.0, 1e-10);
    }
  }
  htz_arena_free(&arena);
}

/** Under an even pressure p the middle gives way by p a^2/(4 T), and at radius r by that times 1 - r^2/a^2. */
static void static_deflection_is_that_of_the_closed_form(void** state) {
  (void)state;
  enum { RADII = 200 };
  double node[RADII], weight[RADII];
  htz_arena arena;
  const htz_modes modes = make(&skin, 1e5, 2000, &arena);
  double* phi = malloc(modes.n * sizeof *phi);
  double* mean = calloc(modes.n, sizeof *mean); // over the skin
  assert_true(phi && mean);
  htz_gauss_legendre(RADII, node, weight);
  for (size_t i = 0; i < RADII; ++i) {
    const double r = 0.5 * (1.0 + node[i]);
    modes.shape(&modes, 0.5 + 0.5 * r, phi); // theta = 0: of modes with m > 0 the mean is 0
    for (size_t k = 0; k < modes.n; ++k) {
      mean[k] += modes.data[4 * k] == 0.0 ? weight[i] * r * phi[k] : 0.0;
    }
  }
  const double area = pi * 0.328 * 0.328;
  static const double radii[] = {0.0, 0.3, 0.7};
  for (size_t i = 0; i < 3; ++i) {
    double sum = 0.0;
    modes.shape(&modes, 0.5 + 0.5 * radii[i], phi);
    for (size_t k = 0; k < modes.n; ++k) {
      sum += phi[k] * mean[k] * area / (modes.mass[k] * modes.omega[k] * modes.omega[k]);
    }
    // Terms fall like j^-2.5 with changing signs: what is cut off after 29 of them is about half of (j_01/j_(0,30))^2.5 = 1e-4.
    check_close(sum, 0.328 * 0.328 / (4.0 * 3325.0) * (1.0 - radii[i] * radii[i]), 1e-4);
  }
  free(phi);
  free(mean);
  htz_arena_free(&arena);
}

static void rim_middle_and_outside(void** state) {
  (void)state;
  enum { MODES = 100 };
  double phi[MODES], line[MODES];
  htz_arena arena;
  const htz_modes modes = make(&skin, 40e3, MODES, &arena);
  static const double still[][2] = {{0.0, 0.5}, {1.0, 0.5},  {0.5, 1.0},      {0.0, 0.0},
                                    {1.0, 0.9}, {-3.0, 0.5}, {0.5, INFINITY}, {NAN, NAN}};
  for (size_t i = 0; i < sizeof still / sizeof still[0]; ++i) {
    modes.shape_xy(&modes, still[i][0], still[i][1], phi);
    for (size_t k = 0; k < modes.n; ++k) {
      check_near(phi[k], 0.0, 1e-12);
    }
  }
  modes.shape_xy(&modes, 0.5, 0.5, phi);
  for (size_t k = 0; k < modes.n; ++k) {
    const bool round = modes.data[4 * k] == 0.0;
    assert_true(round ? phi[k] > 1.0 : phi[k] == 0.0);
  }
  modes.shape(&modes, 0.81, line);
  modes.shape_xy(&modes, 0.81, 0.5, phi);
  for (size_t k = 0; k < modes.n; ++k) {
    assert_true(line[k] == phi[k]);
  }
  htz_arena_free(&arena);
}

/** As measured of timpani: the pairs nearly harmonic, the round modes elsewhere and short. */
static void ratios_given_are_kept(void** state) {
  (void)state;
  htz_membrane_desc d = {.radius = 0.328,
                         .area_density = 0.262,
                         .tuning_hz = 150.0,
                         .by_pair = 1,
                         .air = 1.2,
                         .n_pairs = 4,
                         .pairs = {1.0, 1.5, 1.99, 2.44},
                         .n_rounds = 1,
                         .rounds = {0.85},
                         .round_loss = 20.0,
                         .loss = {.t60_hz = {150.0, 1500.0}, .t60_s = {2.0, 0.5}}};
  htz_arena arena;
  htz_modes modes = make(&d, 40e3, 100, &arena);
  size_t pairs = 0;
  const double first = nepers / 2.0, slope = (nepers / 0.5 - first) / (1500.0 * 1500.0 - 150.0 * 150.0);
  for (size_t k = 0; k < modes.n; ++k) {
    const double* mode = modes.data + 4 * k;
    const double hz = modes.omega[k] / (2.0 * pi);
    const size_t m = (size_t)mode[0];
    htz_bessel_zero zeros[64];
    const bool lowest =
        m > 0 && htz_bessel_zeros(mode[1] + 1e-6, 64, zeros) > 0 && mode[1] < mode[0] + 1.86 * cbrt(mode[0]) + 1.1;
    if (lowest && m <= 4) {
      check_close(hz, 150.0 * d.pairs[m - 1], 1e-12);
      pairs += 1;
    }
    check_close(modes.sigma[k], m == 0 ? 20.0 : first + slope * (hz * hz - 150.0 * 150.0), 1e-9);
    assert_true(k == 0 || modes.omega[k] >= modes.omega[k - 1]);
    check_close(modes.mass[k], pi * 0.328 * 0.328 * (0.262 + 2.0 * 1.2 * 0.328 / mode[1]), 1e-12);
  }
  assert_int_equal(pairs, 8);
  check_close(modes.omega[0], 2.0 * pi * 150.0 * 0.85, 1e-12);
  htz_arena_free(&arena);
}

/** In air all modes are lower, the low ones most: (1, 1) of this skin by a quarter; tension and pitch go both ways. */
static void air_and_tension(void** state) {
  (void)state;
  htz_arena vacuum, air, tuned;
  htz_membrane_desc d = skin;
  const htz_modes bare = make(&d, 40e3, 40, &vacuum);
  d.air = 1.2;
  const htz_modes loaded = make(&d, 40e3, 40, &air);
  double before = 0.0;
  for (size_t k = 0; k < 40; ++k) {
    const double x = bare.data[4 * k + 1];
    check_close(loaded.omega[k] / bare.omega[k], 1.0 / sqrt(1.0 + 2.0 * 1.2 * 0.328 / (0.262 * x)), 1e-12);
    assert_true(loaded.omega[k] / bare.omega[k] >= before);
    before = loaded.omega[k] / bare.omega[k];
  }
  check_close(htz_membrane_pitch(&d), loaded.omega[0] / (2.0 * pi), 1e-12);
  check_close(htz_membrane_tension(&d), 3325.0, 1e-12);
  d.tuning_hz = htz_membrane_pitch(&d);
  d.tension = 0.0;
  check_close(htz_membrane_tension(&d), 3325.0, 1e-12);
  const htz_modes again = make(&d, 40e3, 40, &tuned);
  for (size_t k = 0; k < 40; ++k) {
    check_close(again.omega[k], loaded.omega[k], 1e-12);
  }
  d.by_pair = 1;
  check_close(htz_membrane_tension(&d) / 3325.0, pow(loaded.omega[0] / loaded.omega[1], 2.0), 1e-12);
  htz_arena_free(&vacuum);
  htz_arena_free(&air);
  htz_arena_free(&tuned);
}

/** Lugs tune the two of a pair apart, cos below and sin above; what goes with no pair stays. */
static void pairs_split_evenly(void** state) {
  (void)state;
  htz_arena whole_arena, split_arena;
  htz_membrane_desc d = skin;
  const htz_modes whole = make(&d, 40e3, 60, &whole_arena);
  d.split = 0.02;
  const htz_modes split = make(&d, 40e3, 60, &split_arena);
  assert_int_equal(split.n, whole.n);
  for (size_t k = 0; k < whole.n; ++k) {
    const double* mode = whole.data + 4 * k;
    check_close(split.omega[k] / whole.omega[k], mode[0] == 0.0 ? 1.0 : mode[3] > 0.0 ? 1.01 : 0.99, 1e-12);
  }
  htz_arena_free(&whole_arena);
  htz_arena_free(&split_arena);
}

/**
   Int |grad w|^2 over a paraboloid h (1 - r^2/a^2) is 2 pi h^2, whatever a; its growth of the area is half of that. Round modes alone make
   it, with terms 64 pi/j_0n^4 of h^2: 28 of them leave out 64/(3 pi^3 28^3), or 3e-5 of it.
*/
static void growth_of_the_area_is_that_of_a_paraboloid(void** state) {
  enum { MODES = 2000, RADII = 300 };
  double node[RADII], weight[RADII];
  htz_arena arena;
  htz_membrane_desc d = skin;
  (void)state;
  d.stretch = 1e6;
  const htz_modes modes = make(&d, 1e5, MODES, &arena);
  double* phi = malloc(modes.n * sizeof *phi);
  double* q = calloc(modes.n, sizeof *q); // per unit of h
  assert_true(phi && q && modes.bend);
  htz_gauss_legendre(RADII, node, weight);
  for (size_t i = 0; i < RADII; ++i) {
    const double r = 0.5 * (1.0 + node[i]);
    modes.shape(&modes, 0.5 + 0.5 * r, phi);
    for (size_t k = 0; k < modes.n; ++k) {
      q[k] += modes.data[4 * k] == 0.0 ? weight[i] * r * phi[k] * (1.0 - r * r) : 0.0;
    }
  }
  double sum = 0.0;
  for (size_t k = 0; k < modes.n; ++k) {
    sum += modes.bend[k] * q[k] * q[k];
  }
  check_close(sum, 2.0 * pi, 4e-5);
  check_close(modes.stretch, 1e6 / (pi * 0.328 * 0.328), 1e-12);
  free(phi);
  free(q);
  htz_arena_free(&arena);
}

static void limits_and_what_they_leave_out(void** state) {
  (void)state;
  htz_arena arena;
  htz_modes modes = make(&skin, 2000.0, 2048, &arena);
  const size_t all = modes.n;
  assert_true(all > 100 && all < 2000 && modes.left_out == 0);
  check_below(modes.omega[all - 1], 2.0 * pi * 2000.0);
  htz_arena_free(&arena);
  static const size_t caps[] = {1, 2, 3, 4, 31, 64, 100};
  for (size_t i = 0; i < sizeof caps / sizeof caps[0]; ++i) {
    modes = make(&skin, 2000.0, caps[i], &arena);
    assert_true(modes.n <= caps[i] && modes.n + 1 >= caps[i]);
    // Weyl's law is what counts the rest beyond the zeros looked at.
    check_close((double)(modes.n + modes.left_out), (double)all, 0.05);
    assert_true(modes.n == 1 || modes.data[4 * (modes.n - 1)] == 0.0 || modes.omega[modes.n - 1] == modes.omega[modes.n - 2]);
    htz_arena_free(&arena);
  }
  modes = make(&skin, 1.0, 50, &arena); // a limit below all leaves the first
  assert_int_equal(modes.n, 1);
  htz_arena_free(&arena);
}

static void bad_values_are_refused(void** state) {
  (void)state;
  htz_arena arena;
  htz_modes modes;
  htz_arena_measure(&arena);
  static const double wrong[] = {0.0, -1.0, NAN, INFINITY};
  for (size_t v = 0; v < 4; ++v) {
    for (size_t f = 0; f < 3; ++f) {
      htz_membrane_desc d = skin;
      *(f == 0 ? &d.radius : f == 1 ? &d.area_density : &d.tension) = wrong[v];
      assert_int_equal(htz_modes_membrane(NULL, &d, 1e3, 10, &arena, &modes), HTZ_BAD_VALUE);
    }
    assert_int_equal(htz_modes_membrane(NULL, &skin, wrong[v], 10, &arena, &modes), HTZ_BAD_VALUE);
  }
  for (size_t f = 0; f < 6; ++f) {
    htz_membrane_desc d = skin;
    d.air = f == 0 ? -1.0 : 0.0;
    d.tuning_hz = f == 1 ? (double)NAN : 0.0;
    d.n_pairs = f == 2 || f == 3 ? 2 : f == 4 ? HTZ_MEMBRANE_RATIOS_MAX + 1 : 0;
    d.pairs[0] = f == 2 ? 1.1 : 1.0;
    d.pairs[1] = f == 3 ? 1.0 : 2.0;
    d.loss.loss0 = f == 5 ? -1.0 : 1.0;
    assert_int_equal(htz_modes_membrane(NULL, &d, 1e3, 10, &arena, &modes), HTZ_BAD_VALUE);
  }
  for (size_t f = 0; f < 4; ++f) {
    htz_membrane_desc d = skin;
    d.stretch = f == 0 ? -1.0 : f == 1 ? INFINITY : 0.0;
    d.split = f == 2 ? -0.01 : f == 3 ? 1.01 * HTZ_MEMBRANE_SPLIT_MOST : 0.0;
    assert_int_equal(htz_modes_membrane(NULL, &d, 1e3, 10, &arena, &modes), HTZ_BAD_VALUE);
  }
  htz_membrane_zeros zeros;
  assert_int_equal(htz_membrane_zeros_find(0, &arena, &zeros), HTZ_BAD_VALUE);
  assert_int_equal(htz_membrane_zeros_find(10, &arena, &zeros), HTZ_OK);
  assert_int_equal(htz_modes_membrane(&zeros, &skin, 1e3, 10, &arena, &modes), HTZ_OK);
  assert_int_equal(htz_modes_membrane(&zeros, &skin, 1e3, 11, &arena, &modes), HTZ_BAD_VALUE); // not found for so many
  assert_int_equal(htz_modes_membrane(NULL, &skin, 1e3, 0, &arena, &modes), HTZ_BAD_VALUE);
  assert_int_equal(htz_modes_membrane(NULL, &skin, 1e3, HTZ_MEMBRANE_MODES_MAX + 1, &arena, &modes), HTZ_BAD_VALUE);
  htz_arena_free(&arena);
}

/** Points of a body go where they are told; without a y they are on the diameter. */
static void a_body_is_placed_anywhere(void** state) {
  (void)state;
  enum { MODES = 40 };
  double phi[MODES];
  htz_arena arena;
  const htz_modes modes = make(&skin, 40e3, MODES, &arena);
  htz_modal* body;
  assert_int_equal(htz_modal_new(&modes, 2, 0, 48000.0, htz_kernels_select(), &arena, &body), HTZ_OK);
  htz_modal_place_xy(body, 0, 0.3, 0.7);
  htz_modal_place_xy(body, 1, 0.3, NAN);
  modes.shape_xy(&modes, 0.3, 0.7, phi);
  double sum = 0.0;
  for (size_t k = 0; k < modes.n; ++k) {
    assert_true(htz_modal_phi(body, 0)[k] == phi[k]);
    sum += phi[k] * phi[k] * htz_modal_mode_step(body, k).b[0];
  }
  check_close(htz_modal_body(body)->cls->compliance(htz_modal_body(body), 0, 0, 0), sum, 1e-12);
  modes.shape(&modes, 0.3, phi);
  for (size_t k = 0; k < modes.n; ++k) {
    assert_true(htz_modal_phi(body, 1)[k] == phi[k]);
  }
  htz_arena_free(&arena);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(first_thirty_modes_are_those_of_theory),
      cmocka_unit_test(pairs_are_equal_and_turned_by_a_quarter_wave),
      cmocka_unit_test(shapes_are_orthogonal),
      cmocka_unit_test(static_deflection_is_that_of_the_closed_form),
      cmocka_unit_test(rim_middle_and_outside),
      cmocka_unit_test(ratios_given_are_kept),
      cmocka_unit_test(air_and_tension),
      cmocka_unit_test(pairs_split_evenly),
      cmocka_unit_test(growth_of_the_area_is_that_of_a_paraboloid),
      cmocka_unit_test(limits_and_what_they_leave_out),
      cmocka_unit_test(bad_values_are_refused),
      cmocka_unit_test(a_body_is_placed_anywhere),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
