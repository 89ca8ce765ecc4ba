#include "solver_private.h"

#include <math.h>

double htz_solver_surface(const htz_solver* s) {
  double sum = 0.0;
  for (size_t k = 0; k < s->system.n_modes; ++k) {
    sum += s->system.weight[k] * s->q[k];
  }
  return sum;
}

double htz_solver_surface_speed(const htz_solver* s) {
  double sum = 0.0;
  for (size_t k = 0; k < s->system.n_modes; ++k) {
    sum += s->system.weight[k] * s->p[k];
  }
  return sum;
}

double htz_solver_penetration(const htz_solver* s) {
  return s->x - htz_solver_surface(s) + s->rod;
}

double htz_solver_energy(const htz_solver* s) {
  const htz_solver_system* y = &s->system;
  double sum = y->mass * (0.5 * s->v * s->v - y->gravity * s->x) + s->stored;
  for (size_t k = 0; k < y->n_modes; ++k) {
    const double w = y->omega[k] * s->q[k];
    sum += 0.5 * y->modal_mass[k] * (s->p[k] * s->p[k] + w * w);
  }
  return sum;
}

double htz_solver_law_force(const htz_solver* s, double eta, double rate) {
  return eta > 0.0 ? s->system.stiffness * pow(eta, s->system.exponent) * (1.0 + s->system.viscosity * rate) : 0.0;
}

double htz_solver_law_stored(const htz_solver* s, double eta) {
  const double a1 = s->system.exponent + 1.0;
  return eta > 0.0 ? s->system.stiffness / a1 * pow(eta, a1) : 0.0;
}

void htz_solver_strike_with(htz_solver* s, double mass, double stiffness, double exponent, double viscosity) {
  s->system.mass = mass;
  s->system.stiffness = stiffness;
  s->system.exponent = exponent;
  s->system.viscosity = viscosity;
}

void htz_solver_counted(htz_solver* s, unsigned iterations, bool converged) {
  ++s->solves;
  s->iterations += iterations;
  s->iterations_most = iterations > s->iterations_most ? iterations : s->iterations_most;
  s->unconverged += !converged;
}

double htz_speed_at_wall(const htz_solver* s, double fall) {
  const double squared = s->v * s->v - 2.0 * fall * s->x;
  return squared > 0.0 ? sqrt(squared) : 0.0;
}
