#include "check.h"

#include "hertzian/dsp/linalg.h"
#include "hertzian/model/plate.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double pi = 3.14159265358979323846;

static const double young = 2e11, nu = 0.3, rho = 7850.0, h = 1e-3;

/** A steel plate of these edges and sides. */
static htz_plate_desc steel(htz_plate_edges edges, double a, double b) {
  return (htz_plate_desc){.edges = edges,
                          .length = a,
                          .width = b,
                          .thickness = h,
                          .density = rho,
                          .young = young,
                          .young_across = young,
                          .shear = young / (2.0 * (1.0 + nu)),
                          .poisson = nu,
                          .support_loss = 5.0,
                          .loss = {.loss0 = 1.0},
                          .line = {0.0, 0.5, 1.0, 0.5}};
}

static htz_modes make(const htz_plate_desc* desc, double limit_hz, size_t most, htz_arena* arena) {
  htz_modes modes;
  htz_arena_measure(arena);
  assert_int_equal(htz_modes_plate(desc, limit_hz, most, arena, &modes), HTZ_OK);
  return modes;
}

/** omega a^2 sqrt(rho h/D) */
static double number(const htz_modes* modes, size_t k, double a) {
  const double stiffness = young * h * h * h / (12.0 * (1.0 - nu * nu));
  return modes->omega[k] * a * a * sqrt(rho * h / stiffness);
}

static int ascending(const void* a, const void* b) {
  const double x = *(const double*)a, y = *(const double*)b;
  return x < y ? -1 : x > y;
}

static void a_supported_plate_has_its_first_thirty_modes(void** state) {
  (void)state;
  enum { GRID = 40, MODES = 30 };
  static const double sides[][2] = {{0.5, 0.5}, {0.6, 0.4}, {1.0, 0.05}};
  static double theory[GRID * GRID * 2];
  for (size_t s = 0; s < 3; ++s) {
    const double a = sides[s][0], b = sides[s][1];
    const htz_plate_desc desc = steel(HTZ_PLATE_SUPPORTED, a, b);
    htz_arena arena;
    const htz_modes modes = make(&desc, 1e5, MODES, &arena);
    size_t n = 0;
    for (int i = 1; i <= 2 * GRID; ++i) {
      for (int j = 1; j <= GRID; ++j) {
        theory[n++] = pi * pi * (i * i + a * a / (b * b) * j * j);
      }
    }
    qsort(theory, n, sizeof theory[0], ascending);
    for (size_t k = 0; k < MODES; ++k) {
      check_close(number(&modes, k, a), theory[k], cents(0.001));
      check_close(modes.mass[k], 0.25 * rho * h * a * b, 1e-13);
    }
    htz_arena_free(&arena);
  }
}

/** By Ritz with 256 products of Legendre polynomials; the square ones agree with those Leissa gives (Vibration of Plates, 1969). */
static void clamped_and_free_plates_agree_with_the_tables(void** state) {
  (void)state;
  enum { KNOWN = 12 };
  static const struct {
    htz_plate_edges edges;
    double aspect, lambda[KNOWN];
  } known[] = {
      {HTZ_PLATE_CLAMPED,
       1.0,
       {35.9852, 73.3938, 73.3938, 108.2165, 131.5808, 132.2048, 165.0004, 165.0004, 210.5218, 210.5218, 220.0327, 242.1539}},
      {HTZ_PLATE_CLAMPED,
       1.5,
       {60.7611, 93.8335, 148.7797, 149.6742, 179.5611, 226.8240, 232.0307, 281.9148, 306.1792, 311.9323, 324.4533, 362.7552}},
      {HTZ_PLATE_FREE,
       1.0,
       {13.4682, 19.5961, 24.2702, 34.8009, 34.8009, 61.0932, 61.0932, 63.6861, 69.2654, 77.1717, 105.4604, 105.4604}},
      {HTZ_PLATE_FREE,
       1.5,
       {20.0955, 21.4133, 46.3470, 49.9099, 57.7135, 67.0297, 85.8548, 98.8337, 120.0281, 135.1039, 146.0678, 147.9322}},
  };
  static const size_t caps[] = {15, 64}; // what else is asked for must not matter
  for (size_t i = 0; i < sizeof known / sizeof known[0]; ++i) {
    for (size_t c = 0; c < 2; ++c) {
      const htz_plate_desc desc = steel(known[i].edges, 0.6, 0.6 / known[i].aspect);
      const size_t rigid = known[i].edges == HTZ_PLATE_FREE ? 3 : 0;
      htz_arena arena;
      const htz_modes modes = make(&desc, 1e5, caps[c], &arena);
      assert_int_equal(modes.n, caps[c]);
      for (size_t k = 0; k < KNOWN; ++k) {
        check_close(number(&modes, rigid + k, 0.6), known[i].lambda[k], 5e-6); // of both, and five digits
      }
      htz_arena_free(&arena);
    }
  }
}

/** Means of phi_j phi_k over the plate by Gauss's rule. */
static void shapes_are_orthogonal(void** state) {
  (void)state;
  enum { NODES = 48, MODES = 60 };
  static double sum[MODES][MODES];
  double node[NODES], weight[NODES], phi[MODES];
  htz_gauss_legendre(NODES, node, weight);
  static const double across[] = {1.0, 0.05};
  for (int e = HTZ_PLATE_CLAMPED; e <= HTZ_PLATE_FREE; ++e) {
    for (size_t o = 0; o < 2; ++o) {
      htz_plate_desc desc = steel((htz_plate_edges)e, 0.6, 0.4);
      desc.young_across *= across[o];
      htz_arena arena;
      const htz_modes modes = make(&desc, 1e5, MODES, &arena);
      assert_int_equal(modes.n, MODES);
      memset(sum, 0, sizeof sum);
      for (size_t i = 0; i < NODES; ++i) {
        for (size_t j = 0; j < NODES; ++j) {
          modes.shape_xy(&modes, 0.5 + 0.5 * node[i], 0.5 + 0.5 * node[j], phi);
          for (size_t p = 0; p < MODES; ++p) {
            const double part = 0.25 * weight[i] * weight[j] * phi[p];
            for (size_t q = 0; q < MODES; ++q) {
              sum[p][q] += part * phi[q];
            }
          }
        }
      }
      for (size_t p = 0; p < MODES; ++p) {
        for (size_t q = 0; q < MODES; ++q) {
          check_near(sum[p][q], p == q ? 1.0 : 0.0, 1e-10);
        }
        check_close(modes.mass[p], rho * h * 0.6 * 0.4, 1e-13);
      }
      htz_arena_free(&arena);
    }
  }
}

/** Deflection of the middle of a square plate under an even load q, in q a^4/D; Timoshenko and Woinowsky-Krieger, tables 8 and 35. */
static void static_deflections_are_those_of_the_tables(void** state) {
  (void)state;
  enum { NODES = 48, MODES = 120 };
  static const struct {
    htz_plate_edges edges;
    double deflection;
  } known[] = {{HTZ_PLATE_SUPPORTED, 0.00406235}, {HTZ_PLATE_CLAMPED, 0.00126532}};
  double node[NODES], weight[NODES], phi[MODES], mean[MODES];
  htz_gauss_legendre(NODES, node, weight);
  for (size_t c = 0; c < 2; ++c) {
    const double a = 0.5;
    const htz_plate_desc desc = steel(known[c].edges, a, a);
    htz_arena arena;
    const htz_modes modes = make(&desc, 1e5, MODES, &arena);
    memset(mean, 0, sizeof mean);
    for (size_t i = 0; i < NODES; ++i) {
      for (size_t j = 0; j < NODES; ++j) {
        modes.shape_xy(&modes, 0.5 + 0.5 * node[i], 0.5 + 0.5 * node[j], phi);
        for (size_t k = 0; k < modes.n; ++k) {
          mean[k] += 0.25 * weight[i] * weight[j] * phi[k];
        }
      }
    }
    modes.shape_xy(&modes, 0.5, 0.5, phi);
    double sum = 0.0;
    for (size_t k = 0; k < modes.n; ++k) {
      sum += phi[k] * mean[k] * a * a / (modes.mass[k] * modes.omega[k] * modes.omega[k]);
    }
    const double stiffness = young * h * h * h / (12.0 * (1.0 - nu * nu));
    // The series falls like the fifth power of the wave number; 120 modes reach half wave 11 or so.
    check_close(sum * stiffness / (a * a * a * a), known[c].deflection, 1e-4);
    htz_arena_free(&arena);
  }
}

/** Without contraction a free plate bends along x as a beam, exactly; cos cosh = 1. */
static void a_long_free_plate_is_a_beam(void** state) {
  (void)state;
  enum { MODES = 40 };
  static const double beam[] = {22.373285, 61.672823, 120.903392, 199.859448};
  static const double sides[][2] = {{1.0, 1.0}, {1.0, 0.05}, {0.05, 1.0}};
  for (size_t s = 0; s < 3; ++s) {
    htz_plate_desc desc = steel(HTZ_PLATE_FREE, sides[s][0], sides[s][1]);
    desc.poisson = 0.0;
    desc.shear = 0.5 * young;
    htz_arena arena;
    const htz_modes modes = make(&desc, 1e6, MODES, &arena);
    const double longer = sides[s][0] > sides[s][1] ? sides[s][0] : sides[s][1];
    for (size_t i = 0; i < 4; ++i) {
      double nearest = 0.0;
      for (size_t k = 3; k < modes.n; ++k) {
        const double lambda = modes.omega[k] * longer * longer / (h * sqrt(young / (12.0 * rho)));
        nearest = fabs(lambda - beam[i]) < fabs(nearest - beam[i]) ? lambda : nearest;
      }
      check_close(nearest, beam[i], 1e-6);
    }
    htz_arena_free(&arena);
  }
}

/** Turning plate and grain by a quarter changes nothing but the shapes' x and y. */
static void grain_and_sides_turn_together(void** state) {
  (void)state;
  enum { MODES = 40 };
  for (int e = HTZ_PLATE_SUPPORTED; e <= HTZ_PLATE_FREE; ++e) {
    htz_plate_desc desc = steel((htz_plate_edges)e, 0.6, 0.4);
    desc.young_across = 0.1 * young;
    desc.shear = 0.06 * young;
    htz_plate_desc turned = desc;
    turned.length = desc.width;
    turned.width = desc.length;
    turned.young = desc.young_across;
    turned.young_across = desc.young;
    turned.poisson = nu * 0.1; // nu_yx
    double here[MODES], there[MODES];
    htz_arena first, second;
    const htz_modes one = make(&desc, 1e5, MODES, &first);
    const htz_modes two = make(&turned, 1e5, MODES, &second);
    one.shape_xy(&one, 0.13, 0.84, here);
    two.shape_xy(&two, 0.84, 0.13, there);
    for (size_t k = 0; k < MODES; ++k) {
      check_close(two.omega[k] + 1.0, one.omega[k] + 1.0, 1e-8);
      check_near(fabs(there[k]), fabs(here[k]), e == HTZ_PLATE_FREE && (k == 1 || k == 2) ? 10.0 : 1e-5); // the two rotations
    }
    htz_arena_free(&first);
    htz_arena_free(&second);
  }
}

static void edges_and_corners(void** state) {
  (void)state;
  enum { MODES = 60 };
  double phi[MODES], near_edge[MODES], line[MODES];
  static const double edge[][2] = {{0.0, 0.3}, {1.0, 0.3}, {0.3, 0.0},  {0.3, 1.0},
                                   {0.0, 0.0}, {1.0, 1.0}, {-2.0, 0.4}, {NAN, 0.4}};
  for (int e = HTZ_PLATE_SUPPORTED; e <= HTZ_PLATE_FREE; ++e) {
    htz_plate_desc desc = steel((htz_plate_edges)e, 0.6, 0.4);
    const double slant[] = {0.1, 0.2, 0.7, 0.9};
    memcpy(desc.line, slant, sizeof slant);
    htz_arena arena;
    const htz_modes modes = make(&desc, 1e5, MODES, &arena);
    for (size_t i = 0; i < sizeof edge / sizeof edge[0]; ++i) {
      modes.shape_xy(&modes, edge[i][0], edge[i][1], phi);
      for (size_t k = 0; k < MODES; ++k) {
        if (e == HTZ_PLATE_FREE) {
          check_below(fabs(phi[k]), 8.0); // 4 on the corners of products of beams, some more of plates
        } else {
          check_near(phi[k], 0.0, 1e-10);
        }
      }
    }
    modes.shape_xy(&modes, 1e-5, 0.37, near_edge);
    for (size_t k = 0; k < MODES && e == HTZ_PLATE_CLAMPED; ++k) {
      check_below(fabs(near_edge[k]), 1e-5); // no slope either: some (k pi)^2 x^2, not k pi x
    }
    modes.shape(&modes, 0.25, line);
    modes.shape_xy(&modes, 0.25, 0.375, phi);
    for (size_t k = 0; k < MODES; ++k) {
      check_near(line[k], phi[k], 1e-12);
    }
    htz_arena_free(&arena);
  }
}

static void a_free_plate_swings_on_its_supports(void** state) {
  (void)state;
  htz_plate_desc desc = steel(HTZ_PLATE_FREE, 0.3, 0.2);
  desc.support_hz = 4.0;
  double phi[10];
  htz_arena arena;
  htz_modes modes = make(&desc, 1e5, 10, &arena);
  modes.shape_xy(&modes, 1.0, 0.5, phi);
  check_close(phi[0], 1.0, 0.0);
  check_close(phi[1], sqrt(3.0), 1e-15);
  check_near(phi[2], 0.0, 1e-15);
  for (size_t k = 0; k < 10; ++k) {
    assert_true(modes.audible[k] == (k >= 3));
    check_close(modes.sigma[k], k < 3 ? 5.0 : 1.0, 1e-12);
    assert_true(k < 3 ? modes.omega[k] == 8.0 * pi : modes.omega[k] > 8.0 * pi);
  }
  htz_arena_free(&arena);
  desc.support_hz = 0.0;
  modes = make(&desc, 1e5, 4, &arena);
  assert_true(modes.n == 4 && modes.omega[2] == 0.0 && modes.omega[3] > 0.0);
  htz_arena_free(&arena);
}

static void pairs_of_a_square_coincide(void** state) {
  (void)state;
  static const struct {
    htz_plate_edges edges;
    size_t pair[3];
  } known[] = {{HTZ_PLATE_CLAMPED, {1, 6, 8}}, {HTZ_PLATE_FREE, {3 + 3, 3 + 5, 3 + 10}}, {HTZ_PLATE_SUPPORTED, {1, 4, 6}}};
  for (size_t c = 0; c < 3; ++c) {
    const htz_plate_desc desc = steel(known[c].edges, 0.5, 0.5);
    htz_arena arena;
    const htz_modes modes = make(&desc, 1e5, 20, &arena);
    for (size_t i = 0; i < 3; ++i) {
      check_close(modes.omega[known[c].pair[i]], modes.omega[known[c].pair[i] + 1], 1e-10);
    }
    htz_arena_free(&arena);
  }
}

static void pitch_makes_thickness_or_size(void** state) {
  (void)state;
  for (int e = HTZ_PLATE_SUPPORTED; e <= HTZ_PLATE_FREE; ++e) {
    const size_t rigid = e == HTZ_PLATE_FREE ? 3 : 0;
    htz_plate_desc desc = steel((htz_plate_edges)e, 0.6, 0.4);
    htz_arena own, thick, large;
    const htz_modes before = make(&desc, 1e5, 20, &own);
    desc.tuning_hz = 440.0;
    const htz_modes size = make(&desc, 1e5, 20, &large);
    desc.thickness = 0.0;
    const htz_modes thickness = make(&desc, 1e5, 20, &thick);
    const double ratio = 2.0 * pi * 440.0 / before.omega[rigid];
    for (size_t k = rigid; k < 20; ++k) {
      check_close(size.omega[k], ratio * before.omega[k], 1e-12);
      check_close(thickness.omega[k], ratio * before.omega[k], 1e-12);
      check_close(thickness.mass[k], ratio * before.mass[k], 1e-12); // as thick
      check_close(size.mass[k], before.mass[k] / ratio, 1e-12);      // frequency goes with 1/area
    }
    htz_arena_free(&own);
    htz_arena_free(&thick);
    htz_arena_free(&large);
  }
}

static void losses(void** state) {
  (void)state;
  htz_plate_desc desc = steel(HTZ_PLATE_FREE, 0.6, 0.4);
  const double stiffness = young * h * h * h / (12.0 * (1.0 - nu * nu));
  htz_arena arena;
  desc.loss = (htz_loss){.loss0 = 0.5, .loss1 = 2e-3};
  desc.loss_factor = 1e-3;
  htz_modes modes = make(&desc, 1e5, 40, &arena);
  for (size_t k = 3; k < modes.n; ++k) {
    const double k2 = modes.omega[k] * sqrt(rho * h / stiffness);
    check_close(modes.sigma[k], 0.5 + 2e-3 * k2 + 0.5e-3 * modes.omega[k], 1e-12);
  }
  htz_arena_free(&arena);
  desc.loss = (htz_loss){.t60_hz = {100.0, 1000.0}, .t60_s = {4.0, 1.0}};
  desc.loss_factor = 0.0;
  modes = make(&desc, 1e5, 40, &arena);
  for (size_t k = 3; k < modes.n; ++k) {
    const double hz = modes.omega[k] / (2.0 * pi), first = 3.0 * log(10.0) / 4.0;
    check_close(modes.sigma[k], first * (1.0 + 3.0 * ((hz > 100.0 ? hz : 100.0) - 100.0) / 900.0), hz > 100.0 ? 1e-12 : 0.34);
  }
  htz_arena_free(&arena);
}

static void limits_and_what_they_leave_out(void** state) {
  (void)state;
  htz_arena arena;
  for (int e = HTZ_PLATE_SUPPORTED; e <= HTZ_PLATE_FREE; ++e) {
    const htz_plate_desc desc = steel((htz_plate_edges)e, 0.6, 0.4);
    htz_modes modes = make(&desc, 1000.0, 150, &arena);
    assert_true(modes.n > 40 && modes.n < 150 && modes.left_out == 0);
    const size_t all = modes.n;
    check_below(modes.omega[all - 1], 2000.0 * pi);
    htz_arena_free(&arena);
    modes = make(&desc, 1000.0, 20, &arena);
    assert_int_equal(modes.n, 20);
    // Counted by a supported plate: exact for that, else within what edges shift, which is half a row and column.
    check_close((double)(modes.n + modes.left_out), (double)all, e == HTZ_PLATE_SUPPORTED ? 0.0 : 0.4);
    htz_arena_free(&arena);
    modes = make(&desc, 1.0, 20, &arena);
    assert_int_equal(modes.n, e == HTZ_PLATE_FREE ? 4 : 1);
    htz_arena_free(&arena);
  }
  // EMT's plate, 2 m x 1 m x 0.5 mm: what everyone knows to be thousands of modes is capped, and said.
  htz_plate_desc reverb = steel(HTZ_PLATE_FREE, 2.0, 1.0);
  reverb.thickness = 0.5e-3;
  const htz_modes modes = make(&reverb, 20e3, 1024, &arena);
  assert_true(modes.n > 200 && modes.n <= HTZ_PLATE_RITZ_MODES + 3 && modes.left_out > 10000);
  htz_arena_free(&arena);
}

static void extremes_are_finite(void** state) {
  (void)state;
  static const double aspect[] = {0.02, 0.3, 50.0};
  static const double across[] = {1e-3, 1e-3, 9.0}; // nu^2 across < 1
  static double phi[16];
  for (int e = HTZ_PLATE_SUPPORTED; e <= HTZ_PLATE_FREE; ++e) {
    for (size_t i = 0; i < 3; ++i) {
      htz_plate_desc desc = steel((htz_plate_edges)e, aspect[i], 1.0);
      desc.young_across *= across[i];
      htz_arena arena;
      const htz_modes modes = make(&desc, 1e7, 16, &arena);
      assert_true(modes.n >= 8); // few where one side is 280 times the other, counted in half waves
      for (size_t k = 0; k < modes.n; ++k) {
        assert_true(isfinite(modes.omega[k]) && (k == 0 || modes.omega[k] >= modes.omega[k - 1]));
      }
      modes.shape_xy(&modes, 0.99, 0.01, phi);
      for (size_t k = 0; k < modes.n; ++k) {
        check_below(fabs(phi[k]), 30.0);
      }
      htz_arena_free(&arena);
    }
  }
}

static void bad_values_are_refused(void** state) {
  (void)state;
  htz_arena arena;
  htz_modes modes;
  htz_arena_measure(&arena);
  static const double wrong[] = {0.0, -1.0, NAN, INFINITY};
  for (int e = HTZ_PLATE_SUPPORTED; e <= HTZ_PLATE_FREE; ++e) {
    const htz_plate_desc good = steel((htz_plate_edges)e, 0.6, 0.4);
    for (size_t f = 0; f < 7; ++f) {
      for (size_t v = 0; v < 4; ++v) {
        htz_plate_desc d = good;
        double* const field[] = {&d.length, &d.width, &d.thickness, &d.density, &d.young, &d.young_across, &d.shear};
        *field[f] = wrong[v];
        assert_int_equal(htz_modes_plate(&d, 1e4, 10, &arena, &modes), HTZ_BAD_VALUE);
      }
    }
    for (size_t f = 0; f < 6; ++f) {
      htz_plate_desc d = good;
      double* const field[] = {&d.poisson, &d.tuning_hz, &d.support_loss, &d.loss_factor, &d.line[2], &d.loss.loss0};
      *field[f] = f % 2 ? (double)NAN : -0.1;
      assert_int_equal(htz_modes_plate(&d, 1e4, 10, &arena, &modes), HTZ_BAD_VALUE);
    }
    htz_plate_desc d = good;
    d.poisson = 1.5;
    assert_int_equal(htz_modes_plate(&d, 1e4, 10, &arena, &modes), HTZ_BAD_VALUE);
    assert_int_equal(htz_modes_plate(&good, NAN, 10, &arena, &modes), HTZ_BAD_VALUE);
    assert_int_equal(htz_modes_plate(&good, 1e4, e == HTZ_PLATE_FREE ? 3 : 0, &arena, &modes), HTZ_BAD_VALUE);
  }
  // Supports as fast as the plate bends; shapes of another plate.
  htz_plate_desc d = steel(HTZ_PLATE_FREE, 0.6, 0.4);
  d.support_hz = 1e3;
  assert_int_equal(htz_modes_plate(&d, 1e4, 10, &arena, &modes), HTZ_BAD_VALUE);
  d.support_hz = 0.0;
  htz_plate_shapes shapes;
  assert_int_equal(htz_plate_shapes_find(&d, 10, &arena, &shapes), HTZ_OK);
  assert_int_equal(htz_modes_plate_from(&shapes, &d, 1e4, 10, &arena, &modes), HTZ_OK);
  d.width = 0.5;
  assert_int_equal(htz_modes_plate_from(&shapes, &d, 1e4, 10, &arena, &modes), HTZ_BAD_VALUE);
  d.width = 0.4;
  d.poisson = 0.2;
  assert_int_equal(htz_modes_plate_from(&shapes, &d, 1e4, 10, &arena, &modes), HTZ_BAD_VALUE);
  htz_arena_free(&arena);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_supported_plate_has_its_first_thirty_modes),
      cmocka_unit_test(clamped_and_free_plates_agree_with_the_tables),
      cmocka_unit_test(shapes_are_orthogonal),
      cmocka_unit_test(static_deflections_are_those_of_the_tables),
      cmocka_unit_test(a_long_free_plate_is_a_beam),
      cmocka_unit_test(grain_and_sides_turn_together),
      cmocka_unit_test(edges_and_corners),
      cmocka_unit_test(a_free_plate_swings_on_its_supports),
      cmocka_unit_test(pairs_of_a_square_coincide),
      cmocka_unit_test(pitch_makes_thickness_or_size),
      cmocka_unit_test(losses),
      cmocka_unit_test(limits_and_what_they_leave_out),
      cmocka_unit_test(extremes_are_finite),
      cmocka_unit_test(bad_values_are_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
