#include "hertzian/contact/transition.h"

#include "check.h"

#include <float.h>
#include <math.h>
#include <string.h>

static const double pi = 3.14159265358979323846;
static const double rate = 44100.0;

/** Make a general system; a failure ends the test. */
static htz_piecewise* general(const htz_piecewise_system* desc, htz_arena* arena) {
  htz_piecewise* s = NULL;
  const char* why = NULL;
  htz_arena_measure(arena);
  assert_int_equal(htz_piecewise_new(desc, rate, arena, &s, &why), HTZ_OK);
  return s;
}

static htz_solver* modal(const htz_solver_system* desc, htz_arena* arena) {
  htz_solver* s = NULL;
  const char* why = NULL;
  htz_arena_measure(arena);
  assert_int_equal(htz_transition_class.make(desc, rate, arena, &s, &why), HTZ_OK);
  return s;
}

/** The paper's bouncing mass: 10 g dropped from 5 cm onto modes of 220, 950 and 3500 Hz. */
static const double omegas[] = {220.0 * 6.283185307179586, 950.0 * 6.283185307179586, 3500.0 * 6.283185307179586};
static const double sigmas[] = {3.0, 5.0, 9.0};
static const double masses[] = {0.1, 0.1, 0.1};
static const double weights[] = {1.0, 0.8, 0.6};
static const htz_solver_system bounce = {.mass = 0.01,
                                         .stiffness = 2e6,
                                         .exponent = 1.0,
                                         .viscosity = 0.1,
                                         .gravity = 9.81,
                                         .n_modes = 3,
                                         .omega = omegas,
                                         .sigma = sigmas,
                                         .modal_mass = masses,
                                         .weight = weights};
static const double height = 0.05;

/** 20 s of it: no step gains, rods stay below one sample's way, and in the end it lies still where gravity presses it to. */
static void bouncing_mass_comes_to_rest(void** state) {
  (void)state;
  htz_arena arena;
  htz_solver* s = modal(&bounce, &arena);
  const htz_piecewise* inside = htz_transition_inside(s);
  s->cls->place(s, -height, 0.0);
  const double initial = htz_piecewise_energy(inside);
  double before = initial, gain = 0.0, fastest = 0.0;
  for (long i = 0; i < 20 * (long)rate; ++i) {
    s->cls->step(s, 0.0);
    const double energy = htz_piecewise_energy(inside);
    gain = energy - before > gain ? energy - before : gain;
    before = energy;
    fastest = fabs(s->v) > fastest ? fabs(s->v) : fastest;
  }
  print_message("energy gained in a step, at most: %.2g of the initial; rods: %llu, longest %.3g m, %.3f of |v|/fs\n",
                gain / initial, (unsigned long long)inside->rods.count, inside->rods.most, inside->rods.most_share);
  check_below(gain, 1e-14 * initial);
  check_above((double)inside->rods.count, 10.0);
  check_below(inside->rods.most, fastest / rate);
  check_below(inside->rods.most_share, 1.0);
  // Static balance: every mode under w m g, the spring under m g.
  const double load = bounce.mass * bounce.gravity;
  double sag = 0.0;
  for (int k = 0; k < 3; ++k) {
    sag += weights[k] * weights[k] * load / (masses[k] * omegas[k] * omegas[k]);
  }
  assert_true(s->touching);
  check_close(s->force, load, 1e-9);
  check_close(s->x + s->rod, sag + load / bounce.stiffness, 1e-9);
  check_below(fabs(s->v), 1e-9 * fastest);
  htz_arena_free(&arena);
}

/** On a wall every sample lies on the damped sine of a mass on a spring, and the loss is what the damper's rule says. */
static void wall_is_a_damped_sine(void** state) {
  (void)state;
  const htz_solver_system wall = {.mass = 0.01, .stiffness = 1e5, .exponent = 1.0, .viscosity = 0.2};
  htz_arena arena;
  htz_solver* s = modal(&wall, &arena);
  s->cls->place(s, 0.0, 1.0);
  const double omega = sqrt(wall.stiffness / wall.mass);
  const double sigma = htz_transition_damping(wall.mass, wall.stiffness, wall.viscosity) / (2.0 * wall.mass);
  const double w = sqrt(omega * omega - sigma * sigma);
  for (int i = 1; i * w / rate < pi; ++i) {
    const double t = i / rate;
    s->cls->step(s, 0.0);
    // A state of i steps has i roundings of each of its two coordinates.
    check_near(s->x, exp(-sigma * t) * sin(w * t) / w, 4.0 * i * DBL_EPSILON / w);
    check_near(s->v, exp(-sigma * t) * (cos(w * t) - sigma / w * sin(w * t)), 4.0 * i * DBL_EPSILON);
  }
  s->cls->step(s, 0.0);
  assert_false(s->touching);
  // exp(-pi sigma/w) = 1 - 2 mu v/3 + O(mu^2): the square of that is left over, and the end on a sample.
  const double loss = 2.0 / 3.0 * wall.viscosity * HTZ_TRANSITION_SPEED;
  check_near(-s->v, 1.0 - loss, loss * loss + w / rate * w / rate);
  htz_arena_free(&arena);
}

/** Between blows the hammer falls as in vacuum, extra force included. */
static void falls_exactly(void** state) {
  (void)state;
  htz_arena arena;
  htz_solver* s = modal(&bounce, &arena);
  s->cls->place(s, -1.0, -0.5);
  const double push = -0.02;
  const double a = bounce.gravity + push / bounce.mass;
  enum { STEPS = 1000 };
  for (int i = 0; i < STEPS; ++i) {
    s->cls->step(s, push);
  }
  const double t = STEPS / rate;
  check_near(s->x, -1.0 - 0.5 * t + 0.5 * a * t * t, STEPS * DBL_EPSILON);
  check_near(s->v, -0.5 + a * t, STEPS * DBL_EPSILON);
  htz_arena_free(&arena);
}

enum { STRING = 50 };

/** 50 equal masses on a string fixed at both ends, and its exact modes. Matrices row-major. */
typedef struct {
  double m[STRING * STRING], k[STRING * STRING], c[STRING * STRING], weight[STRING];
  double omega[STRING], sigma[STRING], shape[STRING][STRING]; // of mode i at mass j
} string_of_masses;

static const double bead = 1e-4; // [kg]: a string of 5 g
static const double lowest_hz = 350.0;

static void fill_string(string_of_masses* s, size_t at) {
  const double half = 2.0 * sin(0.5 * pi / (STRING + 1));
  const double spring = bead * pow(2.0 * pi * lowest_hz / half, 2.0);
  const double ground = 2.0 * 1.5 * bead; // decay 1.5/s at all modes
  const double inner = 2e-8 * spring;     // and more with frequency
  memset(s, 0, sizeof *s);
  s->weight[at] = 1.0;
  for (size_t i = 0; i < STRING; ++i) {
    s->m[i * STRING + i] = bead;
    for (size_t j = 0; j < STRING; ++j) {
      const double shape = i == j ? 2.0 : i == j + 1 || j == i + 1 ? -1.0 : 0.0;
      s->k[i * STRING + j] = spring * shape;
      s->c[i * STRING + j] = inner * shape + (i == j ? ground : 0.0);
      s->shape[i][j] = sqrt(2.0 / (STRING + 1)) * sin(pi * (double)((i + 1) * (j + 1)) / (STRING + 1));
    }
    const double lambda = pow(2.0 * sin(0.5 * pi * (double)(i + 1) / (STRING + 1)), 2.0);
    s->omega[i] = sqrt(spring * lambda / bead);
    s->sigma[i] = 0.5 * (inner * lambda + ground) / bead;
  }
}

/** A free string let go from a pluck: mode after mode a damped cosine. */
static void string_rings_as_its_modes(void** state) {
  (void)state;
  static string_of_masses string;
  fill_string(&string, 12);
  const htz_piecewise_system desc = {
      STRING, string.m, string.k, string.c, string.weight, 0.01, 1e4, 0.0, 0.0,
  };
  htz_arena arena;
  htz_piecewise* s = general(&desc, &arena);
  htz_piecewise_place(s, -1.0, 0.0);
  double start[STRING] = {0};
  for (size_t j = 0; j < STRING; ++j) {
    s->q[j] = 1e-3 * ((double)j < 12.0 ? (double)(j + 1) / 13.0 : (double)(STRING - j) / (STRING - 12.0));
    for (size_t i = 0; i < STRING; ++i) {
      start[i] += string.shape[i][j] * s->q[j];
    }
  }
  enum { STEPS = 2205 };
  for (int i = 0; i < STEPS; ++i) {
    htz_piecewise_step(s, 0.0);
  }
  const double t = STEPS / rate;
  for (size_t j = 0; j < STRING; ++j) {
    double q = 0.0;
    for (size_t i = 0; i < STRING; ++i) {
      const double w = sqrt(string.omega[i] * string.omega[i] - string.sigma[i] * string.sigma[i]);
      q += string.shape[i][j] * start[i] * exp(-string.sigma[i] * t) * (cos(w * t) + string.sigma[i] / w * sin(w * t));
    }
    // Every step rounds each coordinate; a walk of 2205 such roundings of 1 mm, and as much in the phase of the closed form.
    check_near(s->q[j], q, STEPS * DBL_EPSILON * 1e-3);
  }
  htz_arena_free(&arena);
}

/** The same string struck, as masses and as a modal object with its shapes for weights: one motion. */
static void string_struck_as_masses_and_as_modes(void** state) {
  (void)state;
  static string_of_masses string;
  const size_t at = 12;
  fill_string(&string, at);
  const htz_piecewise_system desc = {STRING, string.m, string.k, string.c, string.weight, 3e-3, 2e4, 0.05, 0.0};
  double modal_m[STRING * STRING] = {0}, modal_k[STRING * STRING] = {0}, modal_c[STRING * STRING] = {0}, weight[STRING];
  for (size_t i = 0; i < STRING; ++i) {
    modal_m[i * STRING + i] = bead;
    modal_k[i * STRING + i] = bead * string.omega[i] * string.omega[i];
    modal_c[i * STRING + i] = bead * 2.0 * string.sigma[i];
    weight[i] = string.shape[i][at];
  }
  const htz_piecewise_system abstract = {STRING, modal_m, modal_k, modal_c, weight, 3e-3, 2e4, 0.05, 0.0};
  htz_arena arenas[2];
  htz_piecewise* beads = general(&desc, &arenas[0]);
  htz_piecewise* modes = general(&abstract, &arenas[1]);
  htz_piecewise_place(beads, -1.3e-5, 2.0);
  htz_piecewise_place(modes, -1.3e-5, 2.0);
  double before = htz_piecewise_energy(beads);
  const double initial = before;
  unsigned touched = 0;
  for (int i = 0; i < 1000; ++i) {
    htz_piecewise_step(beads, 0.0);
    htz_piecewise_step(modes, 0.0);
    const double energy = htz_piecewise_energy(beads);
    check_below(energy - before, 1e-14 * initial);
    before = energy;
    touched += beads->touching;
    assert_int_equal(beads->touching, modes->touching);
    // 100 roundings a step in sums of 102 terms, over a motion of some millimetres.
    check_near(htz_piecewise_surface(modes), htz_piecewise_surface(beads), 1e-11 * 1e-3);
    check_near(modes->v, beads->v, 1e-11 * 2.0);
  }
  check_above((double)touched, 20.0);
  check_below(beads->v, 0.0);
  htz_arena_free(&arenas[0]);
  htz_arena_free(&arenas[1]);
}

enum { ODD = 3, ODD_STATE = 2 * ODD + 2 };

/** A system whose matrices are full and do not commute, even without the contact. */
static const double odd_m[ODD * ODD] = {0.02, 0.004, 0.0, 0.004, 0.03, 0.002, 0.0, 0.002, 0.01};
static const double odd_k[ODD * ODD] = {9e4, -3e4, 0.0, -3e4, 2e5, -5e4, 0.0, -5e4, 6e4};
static const double odd_c[ODD * ODD] = {3.0, 0.0, -1.0, 0.0, 1.0, 0.5, -1.0, 0.5, 9.0};
static const double odd_weight[ODD] = {0.2, 1.0, -0.4};
static const htz_piecewise_system odd = {ODD, odd_m, odd_k, odd_c, odd_weight, 0.015, 4e4, 6.0, 9.81};

/** z' of (q, x, q', v) in contact, from the equations of motion as they stand; M^-1 by Cramer's rule. */
static void odd_slope(const long double* z, long double* out) {
  const long double* q = z;
  const long double* p = z + ODD + 1;
  long double eta = z[ODD], rate_of = p[ODD], f[ODD];
  for (int i = 0; i < ODD; ++i) {
    eta -= (long double)odd_weight[i] * q[i];
    rate_of -= (long double)odd_weight[i] * p[i];
  }
  const long double force = (long double)odd.stiffness * eta + (long double)odd.damping * rate_of;
  for (int i = 0; i < ODD; ++i) {
    f[i] = (long double)odd_weight[i] * force;
    for (int j = 0; j < ODD; ++j) {
      f[i] -= (long double)odd_k[i * ODD + j] * q[j] + (long double)odd_c[i * ODD + j] * p[j];
    }
  }
  const long double a = 0.02L, b = 0.004L, d = 0.03L, e = 0.002L, g = 0.01L;
  const long double det = a * (d * g - e * e) - b * b * g;
  memcpy(out, p, (ODD + 1) * sizeof *out);
  out[ODD + 1] = ((d * g - e * e) * f[0] - b * g * f[1] + b * e * f[2]) / det;
  out[ODD + 2] = (-b * g * f[0] + a * g * f[1] - a * e * f[2]) / det;
  out[ODD + 3] = (b * e * f[0] - a * e * f[1] + (a * d - b * b) * f[2]) / det;
  out[ODD + 4] = (long double)odd.gravity - force / (long double)odd.mass;
}

static void runge_kutta(long double* z, long double h) {
  long double k[4][ODD_STATE], at[ODD_STATE];
  static const long double part[4] = {0.0L, 0.5L, 0.5L, 1.0L};
  for (int s = 0; s < 4; ++s) {
    for (int i = 0; i < ODD_STATE; ++i) {
      at[i] = z[i] + (s ? part[s] * h * k[s - 1][i] : 0.0L);
    }
    odd_slope(at, k[s]);
  }
  for (int i = 0; i < ODD_STATE; ++i) {
    z[i] += h / 6.0L * (k[0][i] + 2.0L * k[1][i] + 2.0L * k[2][i] + k[3][i]);
  }
}

/** Full K and C that do not commute, struck: Runge and Kutta's rule in long double with 256 steps a sample. */
static void matrices_need_not_commute(void** state) {
  (void)state;
  htz_arena arena;
  htz_piecewise* s = general(&odd, &arena);
  s->q[0] = 2e-4;
  s->p[2] = 0.3;
  htz_piecewise_place(s, htz_piecewise_surface(s), 1.5);
  long double z[ODD_STATE] = {2e-4L, 0.0L, 0.0L, (long double)s->x, 0.0L, 0.0L, 0.3L, 1.5L};
  enum { FINE = 256 };
  int touched = 0;
  for (htz_piecewise_step(s, 0.0); s->touching; htz_piecewise_step(s, 0.0)) {
    ++touched;
    for (int i = 0; i < FINE; ++i) {
      runge_kutta(z, 1.0L / (44100.0L * FINE));
    }
    // The rule is off by (omega h)^4/120 of a turn: with omega = 3e3 and h = 9e-8 that is 5e-17; what is left is rounding.
    check_near(s->x, (double)z[ODD], 1e-13 * 1e-3 * touched);
    check_near(s->v, (double)z[ODD_STATE - 1], 1e-13 * 1.5 * touched);
    for (int i = 0; i < ODD; ++i) {
      check_near(s->q[i], (double)z[i], 1e-13 * 1e-3 * touched);
    }
  }
  check_above(touched, 20.0);
  htz_arena_free(&arena);
}

static void refuses_other_exponents(void** state) {
  (void)state;
  htz_solver_system hertz = bounce;
  hertz.exponent = 1.5;
  htz_solver* s = NULL;
  const char* why = NULL;
  htz_arena arena;
  htz_arena_measure(&arena);
  assert_int_equal(htz_transition_class.make(&hertz, rate, &arena, &s, &why), HTZ_UNSUPPORTED);
  assert_non_null(why);
  assert_null(strchr(why, '\n'));
  htz_piecewise_system wrong = odd;
  htz_piecewise* p = NULL;
  wrong.mass = (double)NAN;
  assert_int_equal(htz_piecewise_new(&wrong, rate, &arena, &p, &why), HTZ_BAD_VALUE);
  const double singular[ODD * ODD] = {1.0, 1.0, 0.0, 1.0, 1.0, 0.0, 0.0, 0.0, 1.0};
  wrong = odd;
  wrong.m = singular;
  assert_int_equal(htz_piecewise_new(&wrong, rate, &arena, &p, &why), HTZ_BAD_VALUE);
  htz_arena_free(&arena);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(bouncing_mass_comes_to_rest),
      cmocka_unit_test(wall_is_a_damped_sine),
      cmocka_unit_test(falls_exactly),
      cmocka_unit_test(string_rings_as_its_modes),
      cmocka_unit_test(string_struck_as_masses_and_as_modes),
      cmocka_unit_test(matrices_need_not_commute),
      cmocka_unit_test(refuses_other_exponents),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
