#include "solver_transition.h"

static htz_piecewise* inside_of(htz_solver* solver) {
  return ((transition*)solver)->inside;
}

/** Modes are shared; the rest of the common head is what the inside says. */
static void report(htz_solver* solver) {
  const htz_piecewise* inside = inside_of(solver);
  solver->x = inside->x;
  solver->v = inside->v;
  solver->force = inside->force;
  solver->stored = htz_piecewise_stored(inside);
  solver->rod = inside->rod;
  solver->touching = inside->touching;
}

void htz_transition_place(htz_solver* solver, double x, double v) {
  htz_piecewise_place(inside_of(solver), x, v);
  report(solver);
}

void htz_transition_step(htz_solver* solver, double f_ext) {
  htz_piecewise_step(inside_of(solver), f_ext);
  report(solver);
}

const htz_piecewise* htz_transition_inside(const htz_solver* solver) {
  return ((const transition*)solver)->inside;
}
