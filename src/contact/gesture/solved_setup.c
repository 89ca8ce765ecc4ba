#include "solved.h"

#include "hertzian/contact/solved.h"

htz_status htz_solved_make(const htz_modal* body, const double* modal_mass, const htz_solver_class* cls,
                           const htz_strike* hammer, double rate_hz, htz_arena* arena, htz_solver** out, const char** why) {
  if (!cls->real_time || !cls->body) {
    *why = "this solver is not one that an instrument can have";
    return HTZ_UNSUPPORTED;
  }
  if (!cls->strike_with && htz_modal_count(body) > HTZ_SOLVED_FIXED_MODES) {
    *why = "a solver that holds matrices made ahead takes at most 32 modes";
    return HTZ_BAD_VALUE;
  }
  const htz_solver_system system = {.mass = hammer->mass,
                                    .stiffness = hammer->stiffness,
                                    .exponent = hammer->exponent,
                                    .viscosity = hammer->viscosity,
                                    .n_modes = htz_modal_count(body),
                                    .omega = htz_modal_omega(body),
                                    .sigma = htz_modal_sigma(body),
                                    .modal_mass = modal_mass,
                                    .weight = htz_modal_phi(body, 0)};
  return htz_solver_new(cls, &system, rate_hz, arena, out, why);
}

htz_status htz_solved_new(modal_island* s, htz_arena* arena) {
  solved* m = htz_arena_alloc(arena, 1, sizeof *m);
  if (!m) {
    return HTZ_NO_MEMORY;
  }
  m->base = (gesture){.cls = &htz_gesture_solved, .island = s, .n_bodies = 1};
  m->solver = s->desc.solver;
  m->keep = m->stretch = 1.0;
  s->gestures[s->n_gestures++] = &m->base;
  return HTZ_OK;
}
