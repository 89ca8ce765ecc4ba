// Round plates: frequencies of flat ones against the literature, of caps against the shell's, shapes, tuning, coupling against differences.
#include "check.h"

#include "hertzian/model/bending.h"
#include "hertzian/model/disc.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double pi = 3.14159265358979323846;

typedef struct {
  htz_arena arena;
  htz_disc_shapes shapes;
} rig;

static void find(rig* r, double poisson, double rise, size_t modes, size_t coupled, size_t reach) {
  htz_arena_measure(&r->arena);
  assert_int_equal(htz_disc_shapes_find(poisson, rise, modes, coupled, reach, &r->arena, &r->shapes), HTZ_OK);
}

static htz_disc_desc crash(double rise) {
  return (htz_disc_desc){.radius = 0.2,
                         .thickness = 1e-3,
                         .density = 8700.0,
                         .young = 1e11,
                         .poisson = 0.33,
                         .rise = rise,
                         .support_hz = 1.0,
                         .loss = {.loss0 = 0.5}};
}

/**
   Leissa, Vibration of Plates, NASA SP-160 (1969), table 2.6: omega a^2 sqrt(rho h/D) of a free disc, nu = 0.33, those printed to four digits
   (of (4, 0) and (5, 0) there are three, by another author).
*/
static void flat_discs_are_leissas(void** state) {
  static const struct {
    size_t mode; // after the rigid ones
    double number;
  } printed[] = {{0, 5.253}, {1, 5.253}, {2, 9.084},  {3, 12.23},  {4, 12.23},
                 {5, 20.52}, {6, 20.52}, {11, 35.25}, {12, 35.25}, {13, 38.55}};
  static const double rounding = 2e-3; // (2, 0) is printed 1.7e-3 too low, the others are as near as their last digit
  rig r;
  (void)state;
  find(&r, 0.33, 0.0, 40, 0, 0);
  for (size_t i = 0; i < sizeof printed / sizeof printed[0]; ++i) {
    check_close(r.shapes.number[HTZ_DISC_RIGID_MODES + printed[i].mode], printed[i].number, rounding);
  }
  htz_arena_free(&r.arena);
}

/** Of a cap the breathing mode is at sqrt(omega^2 + E/(rho R^2)), 4 epsilon H^2 in the units of the plate; (2, 0) hardly stretches it. */
static void caps_ring_higher(void** state) {
  static const double rises[] = {2.0, 5.0, 10.0};
  static const double shallow = 0.02; // the rim is free: the mode is not quite the flat one
  (void)state;
  for (size_t i = 0; i < 3; ++i) {
    rig r;
    find(&r, 0.3, rises[i], 60, 60, 0);
    const double epsilon = 12.0 * (1.0 - 0.09), wanted = sqrt(9.0031 * 9.0031 + 4.0 * epsilon * rises[i] * rises[i]);
    double nearest = HUGE_VAL;
    for (size_t k = HTZ_DISC_RIGID_MODES; k < r.shapes.n; ++k) {
      nearest = fmin(nearest, fabs(r.shapes.number[k] / wanted - 1.0));
    }
    check_below(nearest, shallow);
    check_below(fabs(r.shapes.number[HTZ_DISC_RIGID_MODES] - 5.3583), 0.25);
    check_above(r.shapes.number[HTZ_DISC_RIGID_MODES], 5.3583);
    htz_arena_free(&r.arena);
  }
}

static void shapes_are_orthogonal(void** state) {
  enum { RADII = 160, ANGLES = 96, MODES = 40 };
  static const double rule_limit = 2e-3; // of the midpoint rule below, and of the table's cubic
  static const double rises[] = {0.0, 8.0};
  (void)state;
  for (size_t i = 0; i < 2; ++i) {
    rig r;
    htz_modes modes;
    const htz_disc_desc desc = crash(rises[i]);
    find(&r, desc.poisson, desc.rise, MODES, 30, 0);
    assert_int_equal(htz_modes_disc(&r.shapes, &desc, 20000.0, MODES, &r.arena, &modes), HTZ_OK);
    double* gram = calloc(MODES * MODES, sizeof *gram);
    assert_non_null(gram);
    for (int a = 0; a < RADII; ++a) {
      for (int b = 0; b < ANGLES; ++b) {
        const double radius = (a + 0.5) / RADII, angle = 2.0 * pi * b / ANGLES;
        double phi[MODES];
        modes.shape_xy(&modes, 0.5 + 0.5 * radius * cos(angle), 0.5 + 0.5 * radius * sin(angle), phi);
        for (size_t p = 0; p < modes.n; ++p) {
          for (size_t q = 0; q < modes.n; ++q) {
            gram[p * MODES + q] += 2.0 * radius / RADII / ANGLES * phi[p] * phi[q];
          }
        }
      }
    }
    for (size_t p = 0; p < modes.n; ++p) {
      for (size_t q = 0; q < modes.n; ++q) {
        check_near(gram[p * MODES + q], p == q ? 1.0 : 0.0, rule_limit);
      }
      check_close(modes.mass[p], 8700.0 * 1e-3 * pi * 0.04, 1e-12);
    }
    free(gram);
    htz_arena_free(&r.arena);
  }
}

static void a_pitch_makes_the_radius(void** state) {
  rig r;
  htz_modes modes;
  htz_disc_desc desc = crash(5.0), tuned;
  (void)state;
  find(&r, desc.poisson, desc.rise, 40, 0, 0);
  desc.tuning_hz = 110.0;
  assert_true(htz_disc_tune(&r.shapes, &desc, &tuned));
  check_close(htz_disc_first_hz(&r.shapes, &tuned), 110.0, 1e-12);
  assert_int_equal(htz_modes_disc(&r.shapes, &desc, 5000.0, 40, &r.arena, &modes), HTZ_OK);
  check_close(modes.omega[HTZ_DISC_RIGID_MODES], 2.0 * pi * 110.0, 1e-12);
  assert_null(modes.bending);
  desc.rise = 6.0;
  assert_false(htz_disc_tune(&r.shapes, &desc, &tuned));
  htz_arena_free(&r.arena);
}

static double noise(uint64_t* seed) {
  *seed = *seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
  return (double)(*seed >> 11) * 0x1p-52 - 1.0;
}

typedef struct {
  float* room;
  htz_bending_scratch scratch;
  double *x, *gradient;
} bent;

static void prepare(const htz_bending* b, bent* o) {
  const size_t bytes = (htz_bending_room(b) * sizeof(float) + 63) / 64 * 64;
  o->room = aligned_alloc(64, bytes);
  o->x = calloc(b->n, sizeof *o->x);
  o->gradient = calloc(b->n, sizeof *o->gradient);
  assert_true(o->room && o->x && o->gradient);
  memset(o->room, 0, bytes);
  o->scratch = htz_bending_lay(b, o->room);
}

static void forget(bent* o) {
  free(o->room);
  free(o->x);
  free(o->gradient);
}

/** V is a polynomial of fourth order along any line: five points give its slope exactly but for rounding. */
static void forces_are_the_gradient(void** state) {
  static const struct {
    size_t coupled, reach;
    double rise;
  } discs[] = {{20, 0, 0.0}, {80, 0, 0.0}, {80, 0, 10.0}, {200, 30, 5.0}};
  static const double single = 2e-4; // relative: differences of V in single precision over a tenth of the amplitudes
  (void)state;
  for (size_t i = 0; i < sizeof discs / sizeof discs[0]; ++i) {
    rig r;
    bent o;
    uint64_t seed = 11;
    find(&r, 0.33, discs[i].rise, 203, discs[i].coupled, discs[i].reach);
    const htz_bending* b = r.shapes.bending;
    prepare(b, &o);
    double* way = calloc(b->n, sizeof *way);
    assert_non_null(way);
    for (int turn = 0; turn < 4; ++turn) {
      for (size_t k = 0; k < b->n; ++k) {
        o.x[k] = noise(&seed) / (1.0 + (double)k);
        way[k] = noise(&seed) / (1.0 + (double)k);
      }
      htz_bending_look(b, htz_kernels_select(), &o.scratch, o.x, o.gradient);
      double along = 0.0, size = 0.0, v[5];
      for (size_t k = 0; k < b->n; ++k) {
        along += o.gradient[k] * way[k];
        size += fabs(o.gradient[k] * way[k]);
      }
      for (int p = -2; p <= 2; ++p) {
        for (size_t k = 0; k < b->n; ++k) {
          o.x[k] += 0.1 * p * way[k];
        }
        v[p + 2] = htz_bending_look(b, htz_kernels_select(), &o.scratch, o.x, NULL);
        for (size_t k = 0; k < b->n; ++k) {
          o.x[k] -= 0.1 * p * way[k];
        }
      }
      check_near((v[0] - 8.0 * v[1] + 8.0 * v[3] - v[4]) / 1.2, along, single * size);
    }
    free(way);
    forget(&o);
    htz_arena_free(&r.arena);
  }
}

/** A disc bent like a bowl, w = A r^2, from modes of order 0: V against the closed axisymmetric membrane energy. */
static void a_bowl_stretches_by_the_closed_form(void** state) {
  // w = A (1 - r^2) has curvature -2 A both ways: lap^2 F = -L(w, w)/2 = -4 A^2, F = -A^2 (1 - r^2)^2/16 at a free rim (the clamped
  // plate under even load), V = epsilon Int (lap F)^2/2 = epsilon/2 Int F lap^2 F = epsilon/2 A^4 pi/12.
  static const double truncated = 0.01; // the modes meet the rim's conditions and a bowl does not: 80 of them are this near
  rig r;
  bent o;
  (void)state;
  find(&r, 0.3, 0.0, 303, 300, 0);
  const htz_bending* b = r.shapes.bending;
  prepare(b, &o);
  htz_disc_desc desc = crash(0.0);
  desc.poisson = 0.3;
  htz_modes modes;
  assert_int_equal(htz_modes_disc(&r.shapes, &desc, 1e6, 303, &r.arena, &modes), HTZ_OK);
  enum { POINTS = 4000 };
  double phi[303];
  for (int i = 0; i < POINTS; ++i) {
    const double radius = (i + 0.5) / POINTS;
    modes.shape_xy(&modes, 0.5 + 0.5 * radius, 0.5, phi);
    for (size_t k = 0; k < b->n; ++k) {
      // Amplitudes go with shapes of unit integral of the square: phi/sqrt(pi). Cosines of higher orders integrate to 0.
      const bool round = b->at[k] % b->stride == 0 && b->at[k] < b->table.length;
      o.x[k] += round ? 2.0 * pi * radius / POINTS * (1.0 - radius * radius) * phi[b->mode[k]] / sqrt(pi) : 0.0;
    }
  }
  const double v = htz_bending_look(b, htz_kernels_select(), &o.scratch, o.x, NULL);
  check_close(v, 0.5 * 12.0 * (1.0 - 0.09) * pi / 12.0, truncated);
  forget(&o);
  htz_arena_free(&r.arena);
}

static void kernels_agree(void** state) {
  static const double single = 1e-5; // relative to the greatest: sums of some thousand terms in single precision
  rig r;
  bent o;
  uint64_t seed = 5;
  (void)state;
  find(&r, 0.33, 6.0, 153, 150, 0);
  const htz_bending* b = r.shapes.bending;
  prepare(b, &o);
  for (size_t k = 0; k < b->n; ++k) {
    o.x[k] = noise(&seed) / (1.0 + 0.1 * (double)k);
  }
  double* plain = calloc(b->n, sizeof *plain);
  assert_non_null(plain);
  const double v = htz_bending_look(b, htz_kernels_for(HTZ_ISA_SCALAR), &o.scratch, o.x, plain);
  double most = 0.0;
  for (size_t k = 0; k < b->n; ++k) {
    most = fmax(most, fabs(plain[k]));
  }
  for (int isa = HTZ_ISA_SCALAR + 1; isa < HTZ_ISA_COUNT; ++isa) {
    const htz_kernels* kernels = htz_kernels_for((htz_isa)isa);
    if (!kernels) {
      continue;
    }
    print_message("%s\n", kernels->name);
    check_close(htz_bending_look(b, kernels, &o.scratch, o.x, o.gradient), v, single);
    for (size_t k = 0; k < b->n; ++k) {
      check_near(o.gradient[k], plain[k], single * most);
    }
  }
  free(plain);
  forget(&o);
  htz_arena_free(&r.arena);
}

static void what_cannot_be_is_refused(void** state) {
  rig r;
  (void)state;
  htz_arena_measure(&r.arena);
  assert_int_equal(htz_disc_shapes_find(0.6, 0.0, 40, 0, 0, &r.arena, &r.shapes), HTZ_BAD_VALUE);
  assert_int_equal(htz_disc_shapes_find((double)NAN, 0.0, 40, 0, 0, &r.arena, &r.shapes), HTZ_BAD_VALUE);
  assert_int_equal(htz_disc_shapes_find(0.3, -1.0, 40, 0, 0, &r.arena, &r.shapes), HTZ_BAD_VALUE);
  assert_int_equal(htz_disc_shapes_find(0.3, 41.0, 40, 0, 0, &r.arena, &r.shapes), HTZ_BAD_VALUE);
  assert_int_equal(htz_disc_shapes_find(0.3, 0.0, 3, 0, 0, &r.arena, &r.shapes), HTZ_BAD_VALUE);
  assert_int_equal(htz_disc_shapes_find(0.3, 0.0, 40, 3, 0, &r.arena, &r.shapes), HTZ_BAD_VALUE);
  assert_int_equal(htz_disc_shapes_find(0.3, 0.0, 40, 401, 0, &r.arena, &r.shapes), HTZ_BAD_VALUE);
  assert_int_equal(htz_disc_shapes_find(0.3, 0.0, 40, 20, 0, &r.arena, &r.shapes), HTZ_OK);
  htz_modes modes;
  htz_disc_desc desc = crash(0.0);
  assert_int_equal(htz_modes_disc(&r.shapes, &desc, 1000.0, 40, &r.arena, &modes), HTZ_BAD_VALUE); // another Poisson's ratio
  desc.poisson = 0.3;
  assert_int_equal(htz_modes_disc(&r.shapes, &desc, 1000.0, 3, &r.arena, &modes), HTZ_BAD_VALUE);
  desc.radius = 0.0;
  assert_int_equal(htz_modes_disc(&r.shapes, &desc, 1000.0, 40, &r.arena, &modes), HTZ_BAD_VALUE);
  htz_arena_free(&r.arena);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(flat_discs_are_leissas),  cmocka_unit_test(caps_ring_higher),
      cmocka_unit_test(shapes_are_orthogonal),   cmocka_unit_test(a_pitch_makes_the_radius),
      cmocka_unit_test(forces_are_the_gradient), cmocka_unit_test(a_bowl_stretches_by_the_closed_form),
      cmocka_unit_test(kernels_agree),           cmocka_unit_test(what_cannot_be_is_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
