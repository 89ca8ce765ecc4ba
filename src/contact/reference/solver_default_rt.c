#include "solver_default.h"

#include "solver_gradient.h"

#include <float.h>
#include <math.h>

static default_solver* default_solver_of(htz_solver* solver) {
  return (default_solver*)solver;
}

void htz_default_shape(const htz_modes* modes, double x, double* phi) {
  (void)x;
  for (size_t k = 0; k < modes->n; ++k) {
    phi[k] = modes->data[k];
  }
}

static void report(default_solver* w) {
  htz_solver* s = &w->base;
  const htz_contact_account* account = htz_network_account(w->net, 0);
  s->x = w->hammer->cls->displacement(w->hammer, 0);
  s->v = w->hammer->cls->velocity(w->hammer, 0);
  s->force = account->force_mean;
  s->stored = account->stored;
  s->touching = htz_network_touching(w->net);
}

/** Book what the network counted since `before`; equations are solved one by one, so the most of one is known only in the mean. */
static void count(default_solver* w, const htz_network_counters* before) {
  htz_solver* s = &w->base;
  const htz_network_counters* now = htz_network_count(w->net);
  const uint64_t solves = now->contact_steps - before->contact_steps;
  const uint64_t iterations = now->iterations - before->iterations;
  const uint64_t mean = solves ? (iterations + solves - 1) / solves : 0;
  s->solves += solves;
  s->iterations += iterations;
  s->iterations_most = mean > s->iterations_most ? mean : s->iterations_most;
  s->unconverged += now->unconverged - before->unconverged;
}

void htz_default_place(htz_solver* s, double x, double v) {
  default_solver* w = default_solver_of(s);
  w->hammer->cls->set_motion(w->hammer, x, v);
  htz_network_reset(w->net);
  const double u = htz_solver_surface(s);
  if (x - u <= (double)(s->system.n_modes + 4) * DBL_EPSILON * (fabs(x) + fabs(u))) {
    htz_network_reread(w->net); // on the surface, whatever rounding says
  }
  report(w);
}

static void load(default_solver* w, double stiffness) {
  const htz_solver_system* y = &w->base.system;
  const htz_law law = {&htz_law_hunt_crossley, {stiffness, y->exponent, y->viscosity}};
  htz_network_enable(w->net, 0, &law);
  htz_network_reread(w->net); // only ever between contacts
}

void htz_default_strike_with(htz_solver* s, double mass, double stiffness, double exponent, double viscosity) {
  default_solver* w = default_solver_of(s);
  htz_solver_strike_with(s, mass, stiffness, exponent, viscosity);
  htz_mass_set(w->hammer, mass);
  load(w, stiffness);
}

/** On a wall: when this step is going to close the contact, give it the stiffness for its speed. */
static void correct(default_solver* w, double f_ext) {
  htz_solver* s = &w->base;
  const double ahead = s->x + s->period * (s->v + 0.5 * s->period * htz_solver_fall(s, f_ext));
  if (s->x > 0.0 || !(ahead > 0.0)) {
    return;
  }
  const double stiffness = htz_stiffness_by_steps(s, htz_speed_at_wall(s, htz_solver_fall(s, f_ext)));
  s->refused += stiffness > 0.0 ? 0 : 1;
  load(w, stiffness > 0.0 ? stiffness : s->system.stiffness);
}

void htz_default_step(htz_solver* s, double f_ext) {
  default_solver* w = default_solver_of(s);
  if (w->by_steps) {
    correct(w, f_ext);
  }
  const htz_network_counters before = *htz_network_count(w->net);
  htz_mass_push(w->hammer, f_ext);
  htz_network_step(w->net);
  count(w, &before);
  report(w);
}
