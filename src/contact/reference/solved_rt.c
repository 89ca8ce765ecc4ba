#include "solved.h"

#include "gesture/departed.h"
#include "island/settled.h"
#include "island/signals.h"

#include <math.h>
#include <string.h>

static solved* solved_of(htz_island* island) {
  return (solved*)island;
}

static const solved* solved_of_const(const htz_island* island) {
  return (const solved*)island;
}

/** Displacement of mode `k` in the body per that in the solver: each mode keeps its energy. */
static double stretch(const solved* s, size_t k) {
  return s->solver->system.omega[k] > 0.0 ? s->stretch : 1.0;
}

/** The solver takes the modes over. */
static void take(solved* s) {
  htz_modal* body = s->desc.bodies[0];
  for (size_t k = 0; k < s->solver->system.n_modes; ++k) {
    s->solver->q[k] = htz_modal_q(body)[k] / stretch(s, k);
    s->solver->p[k] = htz_modal_v(body)[k];
  }
}

/** The body has them as they are. */
static void lend(solved* s) {
  htz_modal* body = s->desc.bodies[0];
  for (size_t k = 0; k < s->solver->system.n_modes; ++k) {
    htz_modal_q(body)[k] = s->solver->q[k] * stretch(s, k);
    htz_modal_v(body)[k] = s->solver->p[k];
  }
}

/** And gives them back: the hammer is gone. */
static void give(solved* s) {
  lend(s);
  s->flying = false;
}

static void step_flying(solved* s) {
  htz_solver* solver = s->solver;
  const bool touched = solver->touching;
  for (size_t k = 0; s->keep < 1.0 && k < solver->system.n_modes; ++k) {
    solver->p[k] *= s->keep;
  }
  solver->cls->step(solver, 0.0);
  s->age += s->period;
  s->counters.contact_steps += touched || solver->touching;
  s->counters.closures += touched && !solver->touching;
  if (departed(htz_solver_penetration(solver), solver->touching, s->age)) {
    give(s);
  }
}

static double hear(const solved* s, size_t pickup) {
  const htz_modal* body = s->desc.bodies[0];
  if (!s->flying) {
    return htz_modal_hear(body, pickup);
  }
  const double *aq, *av;
  htz_modal_signal(body, pickup, &aq, &av);
  double sum = 0.0;
  for (size_t k = 0; k < s->solver->system.n_modes; ++k) {
    sum += aq[k] * s->solver->q[k] * stretch(s, k) + av[k] * s->solver->p[k];
  }
  return sum;
}

static void run_struck(solved* s, uint32_t frames, island_signals* all) {
  htz_modal* modal = s->desc.bodies[0];
  htz_body* body = htz_modal_body(modal);
  const size_t pickups = htz_modal_pickups(modal);
  if (!s->flying && frames == HTZ_QUANTUM && s->still >= settle_quanta) {
    float* to[HTZ_ISLAND_PICKUPS_MAX];
    htz_signals_clear(&s->desc, 0, frames, all, to);
    htz_modal_free_quantum(modal, to);
    return;
  }
  for (uint32_t i = 0; i < frames; ++i) {
    if (s->flying) {
      step_flying(s);
    } else {
      body->cls->commit(body, 0, 0, NULL, NULL);
    }
    for (size_t p = 0; p < pickups; ++p) {
      all->of[0][p][i] = (float)hear(s, p);
    }
  }
}

static void solved_advance(htz_island* island, uint32_t frames, float* const* lines) {
  solved* s = solved_of(island);
  if (frames == 0) {
    return;
  }
  island_signals all;
  run_struck(s, frames, &all);
  for (uint32_t b = 1; b < s->desc.n_bodies; ++b) {
    htz_signals_resonate(&s->desc, b, frames, s->level > 0.0 || s->level_wanted > 0.0, &all);
  }
  htz_signals_mix(&s->desc, frames, &all, s->level, s->level_wanted, lines);
  s->level = s->level_wanted;
  s->still += s->still < settle_quanta;
}

static void solved_strike(htz_island* island, const htz_strike* strike) {
  solved* s = solved_of(island);
  htz_solver* solver = s->solver;
  if (!(strike->speed > 0.0) || !(strike->mass > 0.0) || !(strike->stiffness > 0.0)) {
    return;
  }
  if (s->flying) {
    ++s->counters.reused;
  } else {
    take(s);
  }
  s->flying = true;
  s->age = 0.0;
  s->still = 0;
  // Away first, since it may be changed only where it does not touch.
  solver->cls->place(solver, htz_solver_surface(solver) - departed_gap_m, 0.0);
  if (solver->cls->strike_with) {
    solver->cls->strike_with(solver, strike->mass, strike->stiffness, strike->exponent, strike->viscosity);
  }
  solver->cls->place(solver, htz_solver_surface(solver), strike->speed);
}

static void solved_damp(htz_island* island, double sigma) {
  solved* s = solved_of(island);
  s->keep = sigma > 0.0 ? exp(-2.0 * sigma * s->period) : 1.0;
  s->still = 0;
  htz_modal_damp(s->desc.bodies[0], sigma);
}

static void solved_retune(htz_island* island, double ratio, double loss) {
  solved* s = solved_of(island);
  s->still = 0;
  s->stretch = ratio > 0.0 ? 1.0 / ratio : s->stretch;
  for (uint32_t b = 0; b < s->desc.n_bodies; ++b) {
    // What the solver holds keeps its energy anyway: it is scaled when it is given back.
    htz_modal_retune(s->desc.bodies[b], ratio, loss, false);
  }
}

static void solved_resonate(htz_island* island, double level) {
  solved_of(island)->level_wanted = level > 0.0 ? level : 0.0;
}

static double solved_energy(const htz_island* island, double* loudness) {
  const solved* s = solved_of_const(island);
  const htz_body* struck = htz_modal_body(s->desc.bodies[0]);
  const double given = s->flying ? htz_solver_energy(s->solver) : struck->cls->energy(struck);
  double wrong = 0.0;
  double sum = 0.0;
  for (uint32_t b = 1; b < s->desc.n_bodies; ++b) {
    const htz_body* body = htz_modal_body(s->desc.bodies[b]);
    const double fed = body->cls->energy(body);
    wrong += isfinite(fed) ? 0.0 : fed;
  }
  for (uint32_t o = 0; o < s->desc.n_outputs; ++o) {
    const htz_output* out = &s->desc.outputs[o];
    const htz_body* body = htz_modal_body(s->desc.bodies[out->body]);
    const double energy = out->body == 0 ? given : body->cls->energy(body);
    const double level = out->body == 0 ? 1.0 : s->level;
    sum += level * htz_modal_loudness_bound(s->desc.bodies[out->body], out->pickup) * sqrt(energy > 0.0 ? energy : 0.0);
  }
  *loudness = sum;
  return given + wrong;
}

static void solved_left_over(htz_island* island, double* lines) {
  solved* s = solved_of(island);
  if (s->flying) {
    lend(s);
  }
  htz_signals_left_over(&s->desc, s->level, lines);
}

static bool solved_busy(const htz_island* island) {
  return solved_of_const(island)->flying;
}

static void solved_reset(htz_island* island) {
  solved* s = solved_of(island);
  const size_t n = s->solver->system.n_modes;
  memset(s->solver->q, 0, n * sizeof(double));
  memset(s->solver->p, 0, n * sizeof(double));
  s->solver->cls->place(s->solver, -departed_gap_m, 0.0);
  for (uint32_t b = 0; b < s->desc.n_bodies; ++b) {
    htz_body* body = htz_modal_body(s->desc.bodies[b]);
    body->cls->reset(body);
  }
  s->flying = false;
  s->still = 0;
}

static htz_island_counters solved_count(const htz_island* island) {
  const solved* s = solved_of_const(island);
  htz_island_counters counters = s->counters;
  counters.bounds = s->solver->unconverged;
  return counters;
}

const htz_island_class htz_solved_class = {.name = "solved",
                                           .advance = solved_advance,
                                           .strike = solved_strike,
                                           .damp = solved_damp,
                                           .retune = solved_retune,
                                           .resonate = solved_resonate,
                                           .energy = solved_energy,
                                           .left_over = solved_left_over,
                                           .busy = solved_busy,
                                           .reset = solved_reset,
                                           .count = solved_count};

htz_solver* htz_solved_solver(htz_island* island) {
  return solved_of(island)->solver;
}
