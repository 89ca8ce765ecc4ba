#include "solved.h"

#include "departed.h"

#include <string.h>

static solved* solved_of(gesture* g) {
  return (solved*)g;
}

static const solved* solved_of_const(const gesture* g) {
  return (const solved*)g;
}

static htz_modal* body_of(const solved* s) {
  return s->base.island->desc.bodies[s->base.body];
}

/** Damper and tuning of the body as they are now. */
static void derive(solved* s) {
  const htz_solver_system* y = &s->solver->system;
  const double* omega = htz_modal_omega(body_of(s));
  s->keep = htz_modal_damper(body_of(s));
  s->stretch = 1.0;
  for (size_t k = 0; k < y->n_modes; ++k) {
    if (y->omega[k] > 0.0 && omega[k] > 0.0) {
      s->stretch = y->omega[k] / omega[k];
      return;
    }
  }
}

/** Displacement of mode `k` in the body per that in the solver: each mode keeps its energy. */
static double stretch(const solved* s, size_t k) {
  return s->solver->system.omega[k] > 0.0 ? s->stretch : 1.0;
}

static void modes_to_solver(solved* s) {
  htz_modal* body = body_of(s);
  for (size_t k = 0; k < s->solver->system.n_modes; ++k) {
    s->solver->q[k] = htz_modal_q(body)[k] / stretch(s, k);
    s->solver->p[k] = htz_modal_v(body)[k];
  }
}

static void modes_to_body(const solved* s) {
  htz_modal* body = body_of(s);
  for (size_t k = 0; k < s->solver->system.n_modes; ++k) {
    htz_modal_q(body)[k] = s->solver->q[k] * stretch(s, k);
    htz_modal_v(body)[k] = s->solver->p[k];
  }
  htz_modal_moved(body);
}

static void solved_start(gesture* g, const htz_strike* strike) {
  solved* s = solved_of(g);
  htz_solver* solver = s->solver;
  if (!(strike->speed > 0.0) || !(strike->mass > 0.0) || !(strike->stiffness > 0.0)) {
    return;
  }
  g->island->reused += s->flying;
  derive(s);
  modes_to_solver(s);
  s->flying = true;
  s->age = 0.0;
  // Away first, since it may be changed only where it does not touch.
  solver->cls->place(solver, htz_solver_surface(solver) - departed_gap_m, 0.0);
  if (solver->cls->strike_with) {
    solver->cls->strike_with(solver, strike->mass, strike->stiffness, strike->exponent, strike->viscosity);
  }
  solver->cls->place(solver, htz_solver_surface(solver), strike->speed);
}

static bool solved_busy(const gesture* g) {
  return solved_of_const(g)->flying;
}

static bool solved_clear(gesture* g) {
  return !solved_of(g)->flying;
}

static void solved_before(gesture* g, uint32_t frames) {
  (void)frames;
  if (solved_of(g)->flying) {
    derive(solved_of(g));
  }
}

static void solved_sampled(gesture* g) {
  solved* s = solved_of(g);
  htz_solver* solver = s->solver;
  if (!s->flying) {
    return;
  }
  const bool touched = solver->touching;
  for (size_t k = 0; s->keep < 1.0 && k < solver->system.n_modes; ++k) {
    solver->p[k] *= s->keep;
  }
  solver->cls->step(solver, 0.0);
  modes_to_body(s);
  s->age += g->island->period;
  s->contact_steps += touched || solver->touching;
  s->closures += touched && !solver->touching;
  s->flying = !departed(htz_solver_penetration(solver), solver->touching, s->age);
}

/** Of hammer and contact: the modes are the body's. */
static double solved_energy(const gesture* g) {
  const solved* s = solved_of_const(g);
  const htz_body* body = htz_modal_body(body_of(s));
  return s->flying ? htz_solver_energy(s->solver) - body->cls->energy(body) : 0.0;
}

static void solved_count(const gesture* g, htz_island_counters* to) {
  const solved* s = solved_of_const(g);
  to->contact_steps += s->contact_steps;
  to->closures += s->closures;
  to->bounds += s->solver->unconverged;
}

static void solved_reset(gesture* g) {
  solved* s = solved_of(g);
  const size_t n = s->solver->system.n_modes;
  memset(s->solver->q, 0, n * sizeof(double));
  memset(s->solver->p, 0, n * sizeof(double));
  s->solver->cls->place(s->solver, -departed_gap_m, 0.0);
  s->flying = false;
}

const gesture_class htz_gesture_solved = {.name = "solved",
                                          .start = solved_start,
                                          .busy = solved_busy,
                                          .holds = solved_busy,
                                          .before = solved_before,
                                          .sampled = solved_sampled,
                                          .clear = solved_clear,
                                          .moving = solved_energy,
                                          .energy = solved_energy,
                                          .count = solved_count,
                                          .reset = solved_reset};
