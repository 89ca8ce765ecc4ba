#include "solver_transition.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double pi = 3.14159265358979323846;

double htz_transition_damping(double mass, double stiffness, double viscosity) {
  return 4.0 / (3.0 * pi) * viscosity * HTZ_TRANSITION_SPEED * sqrt(stiffness * mass);
}

/** Modes as matrices of eq. 3. `memory` [3 n n], zeroed. */
static void fill_matrices(const htz_solver_system* from, double* memory, htz_piecewise_system* to) {
  const size_t n = from->n_modes;
  double* m = memory;
  double* k = m + n * n;
  double* c = k + n * n;
  for (size_t i = 0; i < n; ++i) {
    const size_t at = i * n + i;
    m[at] = from->modal_mass[i];
    k[at] = from->modal_mass[i] * from->omega[i] * from->omega[i];
    c[at] = from->modal_mass[i] * 2.0 * from->sigma[i];
  }
  *to = (htz_piecewise_system){.n = n,
                               .m = m,
                               .k = k,
                               .c = c,
                               .weight = from->weight,
                               .mass = from->mass,
                               .stiffness = from->stiffness,
                               .damping = htz_transition_damping(from->mass, from->stiffness, from->viscosity),
                               .gravity = from->gravity};
}

static const double* copy(htz_arena* arena, size_t n, const double* from) {
  double* to = htz_arena_alloc(arena, n ? n : 1, sizeof(double));
  if (to && n) {
    memcpy(to, from, n * sizeof(double));
  }
  return to;
}

static htz_status make(const htz_solver_system* system, double rate_hz, htz_arena* arena, htz_solver** out, const char** why) {
  if (system->exponent != 1.0) {
    *why = "transition matrices are of linear phases: the exponent must be 1";
    return HTZ_UNSUPPORTED;
  }
  const size_t n = system->n_modes;
  if (n > HTZ_PIECEWISE_MAX) {
    *why = "more modes than the full matrix of the contact phase can serve (512)";
    return HTZ_UNSUPPORTED;
  }
  transition* s = htz_arena_alloc(arena, 1, sizeof *s);
  double* memory = calloc(3 * n * n + 1, sizeof *memory);
  if (!s || !memory) {
    free(memory);
    return HTZ_NO_MEMORY;
  }
  htz_piecewise_system inner;
  fill_matrices(system, memory, &inner);
  const htz_status st = htz_piecewise_new(&inner, rate_hz, arena, &s->inside, why);
  free(memory);
  if (st) {
    return st;
  }
  s->base = (htz_solver){.cls = &htz_transition_class, .system = *system, .period = 1.0 / rate_hz};
  s->base.system.omega = copy(arena, n, system->omega);
  s->base.system.sigma = copy(arena, n, system->sigma);
  s->base.system.modal_mass = copy(arena, n, system->modal_mass);
  s->base.system.weight = copy(arena, n, system->weight);
  s->base.q = s->inside->q;
  s->base.p = s->inside->p;
  *out = &s->base;
  return arena->failed ? HTZ_NO_MEMORY : HTZ_OK;
}

const htz_solver_class htz_transition_class = {
    .name = "transition",
    .about = "exact transition matrices of the contact and the free phase, linear contact with a damper, offset rods",
    .source =
        "Rath, Energy-stable modelling of contacting modal objects with piece-wise linear interaction force, eqs. 3 to 20",
    .real_time = true,
    .body = true,
    .linear = true,
    .make = make,
    .place = htz_transition_place,
    .strike_with = NULL, // another hammer is another matrix
    .step = htz_transition_step};
