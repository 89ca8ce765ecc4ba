#include "solver_gradient.h"

#include <math.h>

static const double pi = 3.14159265358979323846;

static htz_status make_as(const htz_solver_class* cls, double stiffness, const htz_solver_system* system, double rate_hz,
                          htz_arena* arena, htz_solver** out) {
  gradient* g = htz_arena_alloc(arena, 1, sizeof *g);
  if (!g) {
    return HTZ_NO_MEMORY;
  }
  g->law = (htz_law){&htz_law_hunt_crossley, {stiffness, system->exponent, system->viscosity}};
  *out = &g->base;
  return htz_solver_init(&g->base, cls, system, rate_hz, arena);
}

static htz_status make_two_point(const htz_solver_system* system, double rate_hz, htz_arena* arena, htz_solver** out,
                                 const char** why) {
  (void)why;
  return make_as(&htz_two_point_class, system->stiffness, system, rate_hz, arena, out);
}

static htz_status make_three_point(const htz_solver_system* system, double rate_hz, htz_arena* arena, htz_solver** out,
                                   const char** why) {
  (void)why;
  return make_as(&htz_three_point_class, system->stiffness, system, rate_hz, arena, out);
}

/** Angle gone through in a step in contact, omega_c T. */
static double angle(const htz_solver_system* system, double rate_hz) {
  return sqrt(system->stiffness / system->mass) / rate_hz;
}

/** beta_2* (15) for beta_2 = K T^2/(4 m). */
static htz_status make_two_point_beta(const htz_solver_system* system, double rate_hz, htz_arena* arena, htz_solver** out,
                                      const char** why) {
  const double a = angle(system, rate_hz);
  if (!(a < pi)) {
    *why = "omega_c >= pi/T: a contact shorter than a sample cannot be made right (eq. 15)";
    return HTZ_UNSUPPORTED;
  }
  const double beta = (1.0 - cos(a)) / (1.0 + cos(a));
  return make_as(&htz_two_point_beta_class, 4.0 * system->mass * rate_hz * rate_hz * beta, system, rate_hz, arena, out);
}

/** beta_3* (16) for beta_3 = K T^2/(2 m). */
static htz_status make_three_point_beta(const htz_solver_system* system, double rate_hz, htz_arena* arena, htz_solver** out,
                                        const char** why) {
  const double a = angle(system, rate_hz);
  if (!(a < 0.5 * pi)) {
    *why = "omega_c >= pi/(2 T): a contact shorter than two samples cannot be made right (eq. 16)";
    return HTZ_UNSUPPORTED;
  }
  const double beta = (1.0 - cos(a)) / cos(a);
  return make_as(&htz_three_point_beta_class, 2.0 * system->mass * rate_hz * rate_hz * beta, system, rate_hz, arena, out);
}

static htz_status make_two_point_stiffness(const htz_solver_system* system, double rate_hz, htz_arena* arena, htz_solver** out,
                                           const char** why) {
  const htz_status st = make_as(&htz_two_point_stiffness_class, system->stiffness, system, rate_hz, arena, out);
  if (st) {
    return st;
  }
  ((gradient*)*out)->by_steps = true;
  // Only linear contacts last the same at any speed; others are looked at when they close.
  if (system->exponent == 1.0 && !(htz_stiffness_by_steps(*out, 1.0) > 0.0)) {
    *out = NULL;
    *why = "fewer than two steps per contact: the correction of the stiffness means nothing";
    return HTZ_UNSUPPORTED;
  }
  return HTZ_OK;
}

#define PAPER "Chatziioannou and van Walstijn, On the contact duration accuracy of discrete-time collision models, "

const htz_solver_class htz_two_point_class = {.name = "two-point",
                                              .about = "two-point scheme: discrete gradient of the contact, modes by the "
                                                       "midpoint rule",
                                              .source = PAPER "eq. 8",
                                              .real_time = true,
                                              .body = true,
                                              .make = make_two_point,
                                              .place = htz_gradient_place,
                                              .strike_with = htz_gradient_strike_with,
                                              .step = htz_two_point_step};

const htz_solver_class htz_two_point_beta_class = {.name = "two-point-beta",
                                                   .about = "two-point on a wall, linear contacts given their exact time",
                                                   .source = PAPER "eqs. 8, 15",
                                                   .real_time = true,
                                                   .linear = true,
                                                   .make = make_two_point_beta,
                                                   .place = htz_gradient_place,
                                                   .step = htz_two_point_step};

const htz_solver_class htz_two_point_stiffness_class = {
    .name = "two-point-stiffness",
    .about = "two-point on a wall, any exponent, the stiffness raised by the steps per contact",
    .source = PAPER "eq. 8, its correction carried on to alpha > 1",
    .real_time = true,
    .make = make_two_point_stiffness,
    .place = htz_gradient_place,
    .strike_with = htz_gradient_strike_with,
    .step = htz_two_point_step};

const htz_solver_class htz_three_point_class = {.name = "three-point",
                                                .about = "three-point scheme of a mass on a wall, discrete gradient over two "
                                                         "steps",
                                                .source = PAPER "eq. 7",
                                                .real_time = true,
                                                .make = make_three_point,
                                                .place = htz_gradient_place,
                                                .strike_with = htz_gradient_strike_with,
                                                .step = htz_three_point_step};

const htz_solver_class htz_three_point_beta_class = {.name = "three-point-beta",
                                                     .about = "three-point, linear contacts given their exact time",
                                                     .source = PAPER "eqs. 7, 16",
                                                     .real_time = true,
                                                     .linear = true,
                                                     .make = make_three_point_beta,
                                                     .place = htz_gradient_place,
                                                     .step = htz_three_point_step};
