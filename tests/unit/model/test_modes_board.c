#include "check.h"
#include "modes_private.h"

#include "hertzian/model/bodies.h"
#include "hertzian/model/modes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double pi = 3.14159265358979323846;

/** Spruce, 1.4 m along the grain, 1 m across. */
static const htz_board_desc spruce = {.length = 1.4,
                                      .width = 1.0,
                                      .thickness = 9e-3,
                                      .density = 440.0,
                                      .young = 15.9e9,
                                      .young_across = 0.69e9,
                                      .shear = 0.62e9,
                                      .poisson = 0.37,
                                      .q = 50.0,
                                      .line = {0.2, 0.3, 0.8, 0.7}};

static htz_modes make(const htz_board_desc* desc, double limit_hz, size_t most, htz_arena* arena) {
  htz_modes modes;
  htz_arena_measure(arena);
  assert_int_equal(htz_modes_board(desc, limit_hz, most, arena, &modes), HTZ_OK);
  return modes;
}

/** Half waves along and across of mode k, as the shapes have them. */
static void numbers_of(const htz_modes* modes, size_t k, double* m, double* n) {
  const double* number = modes->data + 4 + 2 * k;
  *m = number[0];
  *n = number[1];
}

/** The closed form, written as it stands in the books. */
static double plate_hz(const htz_board_desc* d, double m, double n) {
  const double h = d->thickness, a = d->length, b = d->width;
  const double nu_yx = d->poisson * d->young_across / d->young;
  const double dx = d->young * h * h * h / (12.0 * (1.0 - d->poisson * nu_yx));
  const double dy = d->young_across * h * h * h / (12.0 * (1.0 - d->poisson * nu_yx));
  const double mixed = dx * nu_yx + 2.0 * d->shear * h * h * h / 12.0;
  const double sum = dx * pow(m / a, 4.0) + 2.0 * mixed * pow(m * n / (a * b), 2.0) + dy * pow(n / b, 4.0);
  return 0.5 * pi * sqrt(sum / (d->density * h));
}

static void frequencies_are_those_of_the_closed_form(void** state) {
  (void)state;
  htz_arena arena;
  const htz_modes modes = make(&spruce, 2000.0, 1024, &arena);
  assert_true(modes.n > 100 && modes.n < 1024);
  for (size_t k = 0; k < modes.n; ++k) {
    double m, n;
    numbers_of(&modes, k, &m, &n);
    check_close(modes.omega[k] / (2.0 * pi), plate_hz(&spruce, m, n), 1e-12);
    assert_true(k == 0 || modes.omega[k] >= modes.omega[k - 1]);
    check_close(modes.mass[k], 440.0 * 9e-3 * 1.4 * 1.0 / 4.0, 1e-13);
    check_close(modes.sigma[k], modes.omega[k] / (2.0 * 50.0), 1e-13);
    assert_true(modes.audible[k] && !modes.end_force);
  }
  htz_arena_free(&arena);
}

/** A brute-force list of every mode below a frequency must be the same list: none is missed, none is there twice. */
static void none_is_missed(void** state) {
  (void)state;
  enum { GRID = 200 };
  static const double limits[] = {100.0, 700.0, 3000.0};
  for (size_t i = 0; i < sizeof limits / sizeof limits[0]; ++i) {
    htz_arena arena;
    const htz_modes modes = make(&spruce, limits[i], HTZ_BOARD_MODES_MAX, &arena);
    size_t below = 0;
    double sum = 0.0, sum_found = 0.0;
    for (int m = 1; m <= GRID; ++m) {
      for (int n = 1; n <= GRID; ++n) {
        const double hz = plate_hz(&spruce, m, n);
        below += hz <= limits[i];
        sum += hz <= limits[i] ? hz : 0.0;
      }
    }
    for (size_t k = 0; k < modes.n; ++k) {
      sum_found += modes.omega[k] / (2.0 * pi);
    }
    assert_int_equal(modes.n, below);
    check_close(sum_found, sum, 1e-12);
    htz_arena_free(&arena);
  }
}

/** With a cap the modes are the lowest ones. */
static void a_cap_keeps_the_lowest(void** state) {
  (void)state;
  htz_arena all, some;
  const htz_modes many = make(&spruce, 40e3, 2000, &all);
  static const size_t caps[] = {1, 2, 7, 100, 352, 1024};
  for (size_t i = 0; i < sizeof caps / sizeof caps[0]; ++i) {
    const htz_modes few = make(&spruce, 40e3, caps[i], &some);
    assert_int_equal(few.n, caps[i]);
    for (size_t k = 0; k < few.n; ++k) {
      assert_true(few.omega[k] == many.omega[k]);
    }
    htz_arena_free(&some);
  }
  htz_arena_free(&all);
}

/** A square steel plate: f = (pi/2) sqrt(D/(rho h)) (m^2 + n^2)/a^2, G = E/(2 (1 + nu)) making it isotropic; pairs coincide. */
static void an_even_square_plate_is_isotropic(void** state) {
  (void)state;
  const double young = 2e11, nu = 0.3, rho = 7850.0, h = 1e-3, a = 0.5;
  const htz_board_desc steel = {.length = a,
                                .width = a,
                                .thickness = h,
                                .density = rho,
                                .young = young,
                                .young_across = young,
                                .shear = young / (2.0 * (1.0 + nu)),
                                .poisson = nu,
                                .q = 1000.0};
  htz_arena arena;
  const htz_modes modes = make(&steel, 5000.0, 1024, &arena);
  const double d = young * h * h * h / (12.0 * (1.0 - nu * nu));
  const double unit = 0.5 * pi * sqrt(d / (rho * h)) / (a * a);
  for (size_t k = 0; k < modes.n; ++k) {
    double m, n;
    numbers_of(&modes, k, &m, &n);
    check_close(modes.omega[k] / (2.0 * pi), unit * (m * m + n * n), 1e-12);
  }
  // 2, 5, 5, 8, 10, 10, 13, 13, 17, 17, 18 ...
  static const double first[] = {2.0, 5.0, 5.0, 8.0, 10.0, 10.0, 13.0, 13.0, 17.0, 17.0, 18.0};
  for (size_t k = 0; k < sizeof first / sizeof first[0]; ++k) {
    check_close(modes.omega[k] / (2.0 * pi), unit * first[k], 1e-12);
  }
  htz_arena_free(&arena);
}

/** Mean of phi_j phi_k over the plate, by the midpoint rule: exact for sines of fewer half waves than points. */
static void shapes_are_orthogonal(void** state) {
  (void)state;
  enum { POINTS = 64, MODES = 40 };
  htz_arena arena;
  const htz_modes modes = make(&spruce, 40e3, MODES, &arena);
  double sum[MODES][MODES] = {{0.0}}, phi[MODES];
  for (int i = 0; i < POINTS; ++i) {
    for (int j = 0; j < POINTS; ++j) {
      modes.shape_xy(&modes, (i + 0.5) / POINTS, (j + 0.5) / POINTS, phi);
      for (size_t p = 0; p < MODES; ++p) {
        for (size_t q = 0; q < MODES; ++q) {
          sum[p][q] += phi[p] * phi[q] / (POINTS * POINTS);
        }
      }
    }
  }
  for (size_t p = 0; p < MODES; ++p) {
    for (size_t q = 0; q < MODES; ++q) {
      check_near(sum[p][q], p == q ? 0.25 : 0.0, 1e-12);
    }
  }
  htz_arena_free(&arena);
}

static void shapes_vanish_at_the_edges_and_follow_the_line(void** state) {
  (void)state;
  enum { MODES = 60 };
  htz_arena arena;
  const htz_modes modes = make(&spruce, 40e3, MODES, &arena);
  double at_line[MODES], at_point[MODES];
  static const double edge[][2] = {{0.0, 0.3}, {1.0, 0.3}, {0.3, 0.0}, {0.3, 1.0}, {-5.0, 0.4}, {0.4, 7.0}, {NAN, 0.5}};
  for (size_t i = 0; i < sizeof edge / sizeof edge[0]; ++i) {
    modes.shape_xy(&modes, edge[i][0], edge[i][1], at_point);
    for (size_t k = 0; k < MODES; ++k) {
      check_near(at_point[k], 0.0, 1e-13);
    }
  }
  for (int i = 0; i <= 10; ++i) {
    const double x = 0.1 * i;
    modes.shape(&modes, x, at_line);
    modes.shape_xy(&modes, 0.2 + 0.6 * x, 0.3 + 0.4 * x, at_point);
    for (size_t k = 0; k < MODES; ++k) {
      check_near(at_line[k], at_point[k], 1e-13);
    }
  }
  htz_arena_free(&arena);
}

static void loss_is_a_line_in_frequency(void** state) {
  (void)state;
  htz_board_desc d = spruce;
  d.q_high = 20.0;
  d.q_high_hz = 2500.0;
  htz_arena arena;
  htz_modes modes = make(&d, 5000.0, 1024, &arena);
  for (size_t k = 0; k < modes.n; ++k) {
    const double hz = modes.omega[k] / (2.0 * pi);
    const double inverse_q = 1.0 / 50.0 + (1.0 / 20.0 - 1.0 / 50.0) * hz / 2500.0;
    check_close(modes.sigma[k], 0.5 * modes.omega[k] * inverse_q, 1e-12);
  }
  htz_arena_free(&arena);
  // Losses that fall are held beyond the second point, so that none goes below zero.
  d.q_high = 500.0;
  modes = make(&d, 20000.0, 4000, &arena);
  for (size_t k = 0; k < modes.n; ++k) {
    assert_true(modes.sigma[k] >= 0.5 * modes.omega[k] / 500.0 * (1.0 - 1e-12));
  }
  htz_arena_free(&arena);
}

/**
   A board driven at two points and heard as acceleration at another, against the sum over modes of the response to a sinusoid,
   -w^2 phi_p phi_r/m / (w_k^2 - w^2 + 2 i sigma_k w): what the force does at once is part of it.
*/
static void driven_acceleration_is_the_whole(void** state) {
  (void)state;
  enum { MODES = 120, QUANTA = 1500 };
  const double rate_hz = 48000.0, drive_hz = 1234.0, gain = 0.5;
  htz_board_desc d = spruce;
  d.q = 20.0;
  htz_arena arena;
  const htz_modes modes = make(&d, 40e3, MODES, &arena);
  htz_modal* board;
  assert_int_equal(htz_modal_new(&modes, 2, 1, rate_hz, htz_kernels_select(), &arena, &board), HTZ_OK);
  htz_modal_listen_xy(board, 0, HTZ_HEAR_ACCELERATION, 0.37, 0.71, gain);
  htz_modal_place(board, 0, 0.25); // after the pickup: what it hears at once must follow
  htz_modal_place(board, 1, 0.75);
  double re = 0.0, im = 0.0, q_re = 0.0, q_im = 0.0, direct = 0.0;
  double low[MODES], high[MODES], heard[MODES];
  modes.shape(&modes, 0.25, low);
  modes.shape(&modes, 0.75, high);
  modes.shape_xy(&modes, 0.37, 0.71, heard);
  const double w = 2.0 * pi * drive_hz;
  for (size_t k = 0; k < MODES; ++k) {
    const double a = modes.omega[k] * modes.omega[k] - w * w, b = 2.0 * modes.sigma[k] * w;
    const double force = (low[k] - 0.5 * high[k]) * heard[k] * gain / modes.mass[k]; // 1 N at one, -0.5 N at the other
    direct += force;
    re += -w * w * force * a / (a * a + b * b);
    im += -w * w * force * -b / (a * a + b * b);
  }
  size_t frame = 0, counted = 0;
  for (size_t quantum = 0; quantum < QUANTA; ++quantum) {
    float drive[2][HTZ_QUANTUM], out[HTZ_QUANTUM] = {0.0F};
    const float* drives[2] = {drive[0], drive[1]};
    float* pickups[1] = {out};
    for (size_t i = 0; i < HTZ_QUANTUM; ++i) {
      // Held over the sample that ends at this frame: the force of its middle.
      const double f = cos(w * ((double)(frame + i) - 0.5) / rate_hz);
      drive[0][i] = (float)f;
      drive[1][i] = (float)(-0.5 * f);
    }
    htz_modal_drive_points(board, 2, drives, HTZ_QUANTUM, pickups);
    for (size_t i = 0; i < HTZ_QUANTUM; ++i, ++frame) {
      if (quantum >= QUANTA / 2) { // settled: the lowest mode's decay time is a small part of the first second
        q_re += 2.0 * (double)out[i] * cos(w * (double)frame / rate_hz);
        q_im -= 2.0 * (double)out[i] * sin(w * (double)frame / rate_hz);
        ++counted;
      }
    }
  }
  q_re /= (double)counted;
  q_im /= (double)counted;
  // The force is a staircase. At the end of a step it is w T/2 old: that is the error of what it does at once, to first order; of
  // what the modes make of it only 1 - sinc(w T/2) is lost, to second.
  const double lag = w / (2.0 * rate_hz), size = hypot(re, im);
  check_above(fabs(direct) / size, 0.1); // else the test would not notice
  check_below(hypot(q_re - re, q_im - im), lag * fabs(direct) + lag * lag / 3.0 * size);
  htz_arena_free(&arena);
}

static void bad_values_are_refused(void** state) {
  (void)state;
  htz_arena arena;
  htz_modes modes;
  htz_arena_measure(&arena);
  for (size_t i = 0; i < 14; ++i) {
    htz_board_desc d = spruce;
    double* const field[] = {&d.length, &d.width, &d.thickness, &d.density, &d.young, &d.young_across, &d.shear, &d.q};
    static const double wrong[] = {0.0, -1.0, NAN, INFINITY};
    for (size_t v = 0; i < 8 && v < 4; ++v) {
      *field[i] = wrong[v];
      assert_int_equal(htz_modes_board(&d, 1e3, 10, &arena, &modes), HTZ_BAD_VALUE);
    }
    d = spruce;
    switch (i) {
    case 8:
      d.poisson = -0.1;
      break;
    case 9:
      d.poisson = NAN;
      break;
    case 10:
      d.poisson = 5.0; // 25 Ey/Ex > 1: no such material
      break;
    case 11:
      d.line[2] = 1.1;
      break;
    case 12:
      d.line[3] = NAN;
      break;
    case 13:
      d.q_high_hz = 1000.0; // and no q_high
      break;
    default:
      continue;
    }
    assert_int_equal(htz_modes_board(&d, 1e3, 10, &arena, &modes), HTZ_BAD_VALUE);
  }
  assert_int_equal(htz_modes_board(&spruce, 0.0, 10, &arena, &modes), HTZ_BAD_VALUE);
  assert_int_equal(htz_modes_board(&spruce, NAN, 10, &arena, &modes), HTZ_BAD_VALUE);
  assert_int_equal(htz_modes_board(&spruce, 1e3, 0, &arena, &modes), HTZ_BAD_VALUE);
  assert_int_equal(htz_modes_board(&spruce, 1e3, HTZ_BOARD_MODES_MAX + 1, &arena, &modes), HTZ_BAD_VALUE);
  // A limit below the first mode leaves that one.
  assert_int_equal(htz_modes_board(&spruce, 1.0, 10, &arena, &modes), HTZ_OK);
  assert_int_equal(modes.n, 1);
  htz_arena_free(&arena);
}

/**
   A beam along the middle of the plate, from edge to edge. Modes with a node there (n even) know nothing of it; those with n odd are coupled
   by one m at a time, each through one force along the line, so that what becomes of them are the roots of

     1 + sum_(n odd) (E I (m pi/l)^4 - mu w^2) l/2 / (M (w_mn^2 - w^2)) = 0,   M the modal mass.
*/
static double secular(const htz_board_desc* d, double m, unsigned n_most, double omega) {
  const double mass = 0.25 * d->density * d->thickness * d->length * d->width;
  const double k = m * pi / d->length;
  const double force = 0.5 * d->length * (d->beam_bending * k * k * k * k - d->beam_mass * omega * omega);
  double sum = 1.0;
  for (unsigned n = 1; n <= n_most; n += 2) {
    const double own = 2.0 * pi * plate_hz(d, m, n);
    sum += force / (mass * (own * own - omega * omega));
  }
  return sum;
}

/** The strongest product in mode k of a board with a beam, and the highest n there is with its m. */
static void strongest(const htz_modes* modes, size_t k, double* m, double* n, unsigned* n_most) {
  const size_t basis = htz_beamed_basis(modes);
  const double *number = htz_beamed_numbers(modes), *row = htz_beamed_row(modes, k);
  size_t best = 0;
  for (size_t j = 1; j < basis; ++j) {
    best = fabs(row[j]) > fabs(row[best]) ? j : best;
  }
  *m = number[2 * best];
  *n = number[2 * best + 1];
  *n_most = 0;
  for (size_t j = 0; j < basis; ++j) {
    *n_most = number[2 * j] == *m && number[2 * j + 1] > *n_most ? (unsigned)number[2 * j + 1] : *n_most;
  }
}

static void a_beam_across_the_middle_has_its_secular_equation(void** state) {
  (void)state;
  htz_board_desc d = spruce;
  d.line[0] = 0.0;
  d.line[2] = 1.0;
  d.line[1] = d.line[3] = 0.5;
  d.beam_mass = 1.1;
  d.beam_bending = 900.0;
  htz_arena arena;
  const htz_modes modes = make(&d, 2500.0, 200, &arena);
  size_t coupled = 0;
  for (size_t k = 0; k < modes.n; ++k) {
    double m, n;
    unsigned n_most;
    strongest(&modes, k, &m, &n, &n_most);
    if (fmod(n, 2.0) == 0.0) {
      check_close(modes.omega[k], 2.0 * pi * plate_hz(&d, m, n), 1e-9);
      continue;
    }
    // The sum passes through 0 at the root: it changes its sign within a millionth.
    const double low = secular(&d, m, n_most, modes.omega[k] * (1.0 - 1e-6)),
                 high = secular(&d, m, n_most, modes.omega[k] * (1.0 + 1e-6));
    assert_true(low * high < 0.0);
    ++coupled;
  }
  check_above((double)coupled, 40.0);
  htz_arena_free(&arena);
}

/** Mass lowers every mode, stiffness raises it (Courant and Fischer); shapes stay orthogonal under plate and beam together. */
static void a_beam_moves_all_modes_one_way(void** state) {
  enum { MODES = 60, LINE = 4000 };
  (void)state;
  htz_board_desc heavy = spruce, stiff = spruce;
  heavy.beam_mass = 1.0;
  stiff.beam_bending = 1000.0;
  htz_arena arena[3];
  const htz_modes bare = make(&spruce, 1e4, MODES, &arena[0]), low = make(&heavy, 1e4, MODES, &arena[1]);
  const htz_modes high = make(&stiff, 1e4, MODES, &arena[2]);
  assert_int_equal(low.n, MODES);
  assert_true(high.n < MODES); // those above the bare plate's highest are left out
  for (size_t k = 0; k < MODES; ++k) {
    assert_true(low.omega[k] <= bare.omega[k] * (1.0 + 1e-12));
    assert_true(k >= high.n || high.omega[k] >= bare.omega[k] * (1.0 - 1e-12));
    check_close(low.sigma[k], low.omega[k] / (2.0 * 50.0), 1e-13);
  }
  // Along the line what the beam's mass adds, by the midpoint rule; the plate's own share is M times the coefficients' product.
  const double length = hypot(0.6 * 1.4, 0.4);
  double sum[2] = {0.0, 0.0}, phi[MODES];
  for (size_t i = 0; i < LINE; ++i) {
    low.shape(&low, ((double)i + 0.5) / LINE, phi);
    sum[0] += 1.0 * phi[3] * phi[3] * length / LINE;
    sum[1] += 1.0 * phi[3] * phi[7] * length / LINE;
  }
  const double *third = htz_beamed_row(&low, 3), *seventh = htz_beamed_row(&low, 7);
  double own = 0.0, cross = 0.0;
  for (size_t j = 0; j < MODES; ++j) {
    own += third[j] * third[j];
    cross += third[j] * seventh[j];
  }
  check_close(low.mass[3] * own + sum[0], low.mass[3], 1e-5);
  check_near(low.mass[3] * cross + sum[1], 0.0, 1e-5 * low.mass[3]);
  for (size_t i = 0; i < 3; ++i) {
    htz_arena_free(&arena[i]);
  }
}

static void a_beam_without_length_or_of_too_many_modes_is_refused(void** state) {
  (void)state;
  htz_board_desc d = spruce;
  htz_arena arena;
  htz_modes modes;
  htz_arena_measure(&arena);
  d.beam_mass = 1.0;
  assert_int_equal(htz_modes_board(&d, 1e5, HTZ_BOARD_BEAM_MODES_MAX + 1, &arena, &modes), HTZ_BAD_VALUE);
  d.line[2] = d.line[0];
  d.line[3] = d.line[1];
  assert_int_equal(htz_modes_board(&d, 1e3, 20, &arena, &modes), HTZ_BAD_VALUE);
  d.beam_mass = -1.0;
  assert_int_equal(htz_modes_board(&d, 1e3, 20, &arena, &modes), HTZ_BAD_VALUE);
  htz_arena_free(&arena);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(frequencies_are_those_of_the_closed_form),
      cmocka_unit_test(none_is_missed),
      cmocka_unit_test(a_cap_keeps_the_lowest),
      cmocka_unit_test(an_even_square_plate_is_isotropic),
      cmocka_unit_test(shapes_are_orthogonal),
      cmocka_unit_test(shapes_vanish_at_the_edges_and_follow_the_line),
      cmocka_unit_test(loss_is_a_line_in_frequency),
      cmocka_unit_test(driven_acceleration_is_the_whole),
      cmocka_unit_test(bad_values_are_refused),
      cmocka_unit_test(a_beam_across_the_middle_has_its_secular_equation),
      cmocka_unit_test(a_beam_moves_all_modes_one_way),
      cmocka_unit_test(a_beam_without_length_or_of_too_many_modes_is_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
