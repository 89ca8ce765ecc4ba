#include "solver_default.h"

#include "solver_gradient.h"

static htz_status make_body(default_solver* w, double rate_hz, htz_arena* arena, htz_body** out) {
  htz_solver* s = &w->base;
  const size_t n = s->system.n_modes;
  if (n == 0) {
    return htz_barrier_new(arena, out);
  }
  // htz_modes keeps what it is given and changes nothing; the copies are this solver's own.
  unsigned char* audible = htz_arena_alloc(arena, n, sizeof *audible);
  double* copies = htz_arena_alloc(arena, 3 * n, sizeof *copies);
  if (!audible || !copies) {
    return HTZ_NO_MEMORY;
  }
  for (size_t k = 0; k < n; ++k) {
    copies[k] = s->system.omega[k];
    copies[n + k] = s->system.sigma[k];
    copies[2 * n + k] = s->system.modal_mass[k];
  }
  w->modes = (htz_modes){.n = n,
                         .omega = copies,
                         .sigma = copies + n,
                         .mass = copies + 2 * n,
                         .audible = audible,
                         .shape = htz_default_shape,
                         .data = s->system.weight,
                         .data_n = n};
  htz_modal* modal;
  const htz_status st = htz_modal_new(&w->modes, 1, 0, rate_hz, htz_kernels_select(), arena, &modal);
  if (!st) {
    s->q = htz_modal_q(modal);
    s->p = htz_modal_v(modal);
    *out = htz_modal_body(modal);
  }
  return st;
}

static htz_status make_as(const htz_solver_class* cls, bool substeps, const htz_solver_system* system, double rate_hz,
                          htz_arena* arena, htz_solver** out) {
  default_solver* w = htz_arena_alloc(arena, 1, sizeof *w);
  if (!w) {
    return HTZ_NO_MEMORY;
  }
  htz_status st = htz_solver_init(&w->base, cls, system, rate_hz, arena);
  htz_body* bodies[2];
  st = st ? st : make_body(w, rate_hz, arena, &bodies[1]);
  const htz_mass_desc hammer = {.mass = system->mass, .gravity = system->gravity};
  st = st ? st : htz_mass_new(&hammer, rate_hz, arena, &w->hammer);
  if (st) {
    return st;
  }
  bodies[0] = w->hammer;
  const htz_contact_desc contact = {.law = {&htz_law_hunt_crossley, {system->stiffness, system->exponent, system->viscosity}},
                                    .body_a = 0,
                                    .body_b = 1,
                                    .direction = 1.0,
                                    .enabled = true};
  st = htz_network_new(2, bodies, 1, &contact, rate_hz, arena, &w->net);
  if (st) {
    return st;
  }
  if (!substeps) {
    htz_network_set_substeps(w->net, 1.0, 0);
  }
  *out = &w->base;
  return HTZ_OK;
}

static htz_status make_default(const htz_solver_system* system, double rate_hz, htz_arena* arena, htz_solver** out,
                               const char** why) {
  (void)why;
  return make_as(&htz_default_class, true, system, rate_hz, arena, out);
}

static htz_status make_plain(const htz_solver_system* system, double rate_hz, htz_arena* arena, htz_solver** out,
                             const char** why) {
  (void)why;
  return make_as(&htz_default_plain_class, false, system, rate_hz, arena, out);
}

static htz_status make_stiffness(const htz_solver_system* system, double rate_hz, htz_arena* arena, htz_solver** out,
                                 const char** why) {
  const htz_status st = make_as(&htz_default_stiffness_class, false, system, rate_hz, arena, out);
  if (st) {
    return st;
  }
  ((default_solver*)*out)->by_steps = true;
  // Only linear contacts last the same at any speed; others are looked at when they close.
  if (system->exponent == 1.0 && !(htz_stiffness_by_steps(*out, 1.0) > 0.0)) {
    *out = NULL;
    *why = "fewer than two steps per contact: the correction of the stiffness means nothing";
    return HTZ_UNSUPPORTED;
  }
  return HTZ_OK;
}

#define SOURCE "Hertzian: exact-hold bodies, discrete gradient of the contact (docs/numerics.md)"

const htz_solver_class htz_default_class = {.name = "house",
                                            .about = "Hertzian's own: exact modes, discrete gradient, sub-steps in contact",
                                            .source = SOURCE,
                                            .real_time = true,
                                            .body = true,
                                            .make = make_default,
                                            .place = htz_default_place,
                                            .strike_with = htz_default_strike_with,
                                            .step = htz_default_step};

const htz_solver_class htz_default_plain_class = {.name = "house-plain",
                                                  .about = "house without sub-steps",
                                                  .source = SOURCE,
                                                  .real_time = true,
                                                  .body = true,
                                                  .make = make_plain,
                                                  .place = htz_default_place,
                                                  .strike_with = htz_default_strike_with,
                                                  .step = htz_default_step};

const htz_solver_class htz_default_stiffness_class = {
    .name = "house-stiffness",
    .about = "house on a wall without sub-steps, the stiffness raised by the steps per contact",
    .source = SOURCE,
    .real_time = true,
    .make = make_stiffness,
    .place = htz_default_place,
    .strike_with = htz_default_strike_with,
    .step = htz_default_step};
