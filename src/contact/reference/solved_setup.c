#include "solved.h"

static bool valid(const htz_modal_island_desc* d, double rate_hz) {
  if (d->n_struck != 1 || d->n_mallets != 1 || d->n_bodies < 1 || d->n_bodies > HTZ_ISLAND_BODIES_MAX ||
      d->n_feeds > HTZ_ISLAND_FEEDS_MAX || d->n_outputs > HTZ_ISLAND_OUTPUTS_MAX || d->n_lines > HTZ_ISLAND_PICKUPS_MAX ||
      !(rate_hz > 0.0) || htz_modal_body(d->bodies[0])->n_points < 1) {
    return false;
  }
  for (uint32_t i = 0; i < d->n_feeds; ++i) {
    if (d->feeds[i].from >= d->feeds[i].to || d->feeds[i].to >= d->n_bodies) {
      return false;
    }
  }
  for (uint32_t i = 0; i < d->n_outputs; ++i) {
    if (d->outputs[i].body >= d->n_bodies || d->outputs[i].line >= d->n_lines) {
      return false;
    }
  }
  return true;
}

htz_status htz_solved_new(const htz_modal_island_desc* desc, const double* modal_mass, const htz_solver_class* cls,
                          const htz_strike* hammer, double rate_hz, htz_arena* arena, htz_island** out, const char** why) {
  if (!valid(desc, rate_hz)) {
    return HTZ_BAD_VALUE;
  }
  if (!cls->real_time || !cls->body) {
    *why = "this solver is not one that an instrument can have";
    return HTZ_UNSUPPORTED;
  }
  if (desc->stay.given) {
    *why = "only the house's solver has mallets that stay";
    return HTZ_UNSUPPORTED;
  }
  if (!cls->strike_with && htz_modal_count(desc->bodies[0]) > HTZ_SOLVED_FIXED_MODES) {
    *why = "a solver that holds matrices made ahead takes at most 32 modes";
    return HTZ_BAD_VALUE;
  }
  solved* s = htz_arena_alloc(arena, 1, sizeof *s);
  if (!s) {
    return HTZ_NO_MEMORY;
  }
  const htz_modal* body = desc->bodies[0];
  const htz_solver_system system = {.mass = hammer->mass,
                                    .stiffness = hammer->stiffness,
                                    .exponent = hammer->exponent,
                                    .viscosity = hammer->viscosity,
                                    .n_modes = htz_modal_count(body),
                                    .omega = htz_modal_omega(body),
                                    .sigma = htz_modal_sigma(body),
                                    .modal_mass = modal_mass,
                                    .weight = htz_modal_phi(body, 0)};
  s->base = (htz_island){&htz_solved_class, desc->n_lines};
  s->desc = *desc;
  s->period = 1.0 / rate_hz;
  s->keep = 1.0;
  s->stretch = 1.0;
  s->level = 1.0;
  s->level_wanted = 1.0;
  const htz_status st = htz_solver_new(cls, &system, rate_hz, arena, &s->solver, why);
  if (st || arena->failed) {
    return st ? st : HTZ_NO_MEMORY;
  }
  *out = &s->base;
  return HTZ_OK;
}
