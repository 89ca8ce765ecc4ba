#include "solver_trapezoid.h"

/** Mean velocity of mode `k` over a step without force, and in `per_force` what a force adds to it. */
static double mean_velocity(const htz_solver* s, size_t k, double* per_force) {
  const htz_solver_system* y = &s->system;
  const double h = s->period;
  const double half = 0.5 * h * y->omega[k] * y->omega[k];
  const double d = 1.0 / (1.0 + h * (y->sigma[k] + 0.5 * half));
  *per_force = 0.5 * h * y->weight[k] / y->modal_mass[k] * d;
  return (s->p[k] - half * s->q[k]) * d;
}

trapezoid htz_trapezoid_predict(const htz_solver* s, double f_ext) {
  const htz_solver_system* y = &s->system;
  const double h = s->period;
  double rate = s->v + 0.5 * h * htz_solver_fall(s, f_ext);
  double compliance = 0.5 * h / y->mass;
  for (size_t k = 0; k < y->n_modes; ++k) {
    double per_force;
    rate -= y->weight[k] * mean_velocity(s, k, &per_force);
    compliance += y->weight[k] * per_force;
  }
  return (trapezoid){h * rate, h * compliance};
}

void htz_trapezoid_commit(htz_solver* s, double f_ext, double force) {
  const htz_solver_system* y = &s->system;
  const double h = s->period;
  const double mean = s->v + 0.5 * h * (htz_solver_fall(s, f_ext) - force / y->mass);
  s->x += h * mean;
  s->v = 2.0 * mean - s->v;
  for (size_t k = 0; k < y->n_modes; ++k) {
    double per_force;
    const double free_mean = mean_velocity(s, k, &per_force);
    const double p = free_mean + per_force * force;
    s->q[k] += h * p;
    s->p[k] = 2.0 * p - s->p[k];
  }
}
