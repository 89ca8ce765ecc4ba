#include "solver_explicit.h"

/*
   Velocity Verlet, Heun's method as printed and Runge and Kutta's fourth-order method for x'' = a(x, x', F), hammer and modes alike.
   Verlet and Heun carry the force they found with the predicted velocity into the next step, as those who printed them did; what a
   mode does by itself is worked out anew.
*/

static explicit_solver* explicit_of(htz_solver* solver) {
  return (explicit_solver*)solver;
}

/** Acceleration of mode `k` [m/s^2]. */
static double swing(const htz_solver* s, size_t k, double q, double p, double force) {
  const htz_solver_system* y = &s->system;
  return y->weight[k] * force / y->modal_mass[k] - y->omega[k] * y->omega[k] * q - 2.0 * y->sigma[k] * p;
}

static double sum(const htz_solver* s, const double* values) {
  double total = 0.0;
  for (size_t k = 0; k < s->system.n_modes; ++k) {
    total += s->system.weight[k] * values[k];
  }
  return total;
}

static void finish(explicit_solver* e, double fall, double force, double law) {
  htz_solver* s = &e->base;
  e->law = law;
  htz_correct_release(&e->correct, s, fall);
  const double eta = htz_solver_penetration(s);
  s->force = force;
  s->stored = htz_solver_law_stored(s, eta);
  s->touching = eta > 0.0;
}

void htz_explicit_place(htz_solver* s, double x, double v) {
  explicit_solver* e = explicit_of(s);
  s->x = x;
  s->v = v;
  e->correct.inside = false;
  finish(e, 0.0, 0.0, htz_solver_law_force(s, htz_solver_penetration(s), v - htz_solver_surface_speed(s)));
}

void htz_verlet_step(htz_solver* s, double f_ext) {
  explicit_solver* e = explicit_of(s);
  const double half = 0.5 * s->period;
  const double fall = htz_solver_fall(s, f_ext);
  const double m = s->system.mass;
  const double v = s->v + half * (fall - e->law / m);
  s->x = htz_correct_compression(&e->correct, s, fall, s->x + s->period * v, false);
  for (size_t k = 0; k < s->system.n_modes; ++k) {
    s->p[k] += half * swing(s, k, s->q[k], s->p[k], e->law);
    s->q[k] += s->period * s->p[k];
  }
  const double law = htz_solver_law_force(s, htz_solver_penetration(s), v - sum(s, s->p));
  s->v = v + half * (fall - law / m);
  for (size_t k = 0; k < s->system.n_modes; ++k) {
    s->p[k] += half * swing(s, k, s->q[k], s->p[k], law);
  }
  finish(e, fall, 0.5 * (e->law + law), law);
}

void htz_heun_step(htz_solver* s, double f_ext) {
  explicit_solver* e = explicit_of(s);
  const double h = s->period;
  const double fall = htz_solver_fall(s, f_ext);
  const double m = s->system.mass;
  double* predicted = e->scratch[0];
  double* first = e->scratch[1];
  const double a = fall - e->law / m;
  const double v = s->v + h * a;
  s->x = htz_correct_compression(&e->correct, s, fall, s->x + 0.5 * h * (s->v + v), false);
  for (size_t k = 0; k < s->system.n_modes; ++k) {
    first[k] = swing(s, k, s->q[k], s->p[k], e->law);
    predicted[k] = s->p[k] + h * first[k];
    s->q[k] += 0.5 * h * (s->p[k] + predicted[k]);
  }
  const double law = htz_solver_law_force(s, htz_solver_penetration(s), v - sum(s, predicted));
  s->v += 0.5 * h * (a + fall - law / m);
  for (size_t k = 0; k < s->system.n_modes; ++k) {
    s->p[k] += 0.5 * h * (first[k] + swing(s, k, s->q[k], predicted[k], law));
  }
  finish(e, fall, 0.5 * (e->law + law), law);
}

/** A stage of Runge and Kutta's method: where the slopes are taken, and the slopes summed so far. */
typedef struct {
  double x, v, dx, dv, force;
  double *q, *p, *dq, *dp;
} stage;

/** Slopes at the present point go into the sums with `weight`, and to the next point at `share` of the step from the start. */
static void advance_stage(htz_solver* s, stage* at, double fall, double weight, double share) {
  const double h = s->period;
  const double force = htz_solver_law_force(s, at->x - sum(s, at->q), at->v - sum(s, at->p));
  const double a = fall - force / s->system.mass;
  at->force += weight * force;
  at->dx += weight * at->v;
  at->dv += weight * a;
  at->x = s->x + share * h * at->v;
  at->v = s->v + share * h * a;
  for (size_t k = 0; k < s->system.n_modes; ++k) {
    const double swings = swing(s, k, at->q[k], at->p[k], force);
    at->dq[k] += weight * at->p[k];
    at->dp[k] += weight * swings;
    at->q[k] = s->q[k] + share * h * at->p[k];
    at->p[k] = s->p[k] + share * h * swings;
  }
}

void htz_rk4_step(htz_solver* s, double f_ext) {
  explicit_solver* e = explicit_of(s);
  const double h = s->period;
  const double fall = htz_solver_fall(s, f_ext);
  stage at = {s->x, s->v, 0.0, 0.0, 0.0, e->scratch[0], e->scratch[1], e->scratch[2], e->scratch[3]};
  for (size_t k = 0; k < s->system.n_modes; ++k) {
    at.q[k] = s->q[k];
    at.p[k] = s->p[k];
    at.dq[k] = 0.0;
    at.dp[k] = 0.0;
  }
  static const double weight[] = {1.0 / 6.0, 1.0 / 3.0, 1.0 / 3.0, 1.0 / 6.0};
  static const double share[] = {0.5, 0.5, 1.0, 0.0};
  for (int i = 0; i < 4; ++i) {
    advance_stage(s, &at, fall, weight[i], share[i]);
  }
  const double x = htz_correct_compression(&e->correct, s, fall, s->x + h * at.dx, at.force != 0.0);
  s->x = x;
  s->v += h * at.dv;
  for (size_t k = 0; k < s->system.n_modes; ++k) {
    s->q[k] += h * at.dq[k];
    s->p[k] += h * at.dp[k];
  }
  finish(e, fall, at.force, 0.0);
}
