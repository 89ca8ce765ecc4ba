#include "solver_private.h"

#include <math.h>
#include <string.h>

#define HTZ_SOLVER(symbol, source) extern const htz_solver_class symbol;
#include "solvers.def"
#undef HTZ_SOLVER

#define HTZ_SOLVER(symbol, source) &symbol,
static const htz_solver_class* const registry[] = {
#include "solvers.def"
};
#undef HTZ_SOLVER

enum { COUNT = sizeof registry / sizeof registry[0] };

const htz_solver_class* htz_solver_at(size_t index) {
  return index < COUNT ? registry[index] : NULL;
}

const htz_solver_class* htz_solver_find(const char* name) {
  for (size_t i = 0; i < COUNT; ++i) {
    if (strcmp(registry[i]->name, name) == 0) {
      return registry[i];
    }
  }
  return NULL;
}

static const char* fault_of(const htz_solver_system* s, double rate_hz) {
  const bool finite = isfinite(s->mass) && isfinite(s->stiffness) && isfinite(s->exponent) && isfinite(s->viscosity) &&
                      isfinite(s->gravity) && isfinite(rate_hz);
  if (!finite || !(s->mass > 0.0) || !(s->stiffness > 0.0) || !(s->exponent >= 1.0) || !(s->viscosity >= 0.0) ||
      !(rate_hz > 0.0)) {
    return "mass, stiffness and rate must be positive, the exponent at least 1, the viscosity not negative";
  }
  for (size_t k = 0; k < s->n_modes; ++k) {
    if (!(s->omega[k] >= 0.0) || !(s->sigma[k] >= 0.0) || !(s->modal_mass[k] > 0.0) ||
        !isfinite(s->omega[k] + s->sigma[k] + s->modal_mass[k] + s->weight[k])) {
      return "modes need frequencies and losses that are not negative and positive masses";
    }
  }
  return NULL;
}

htz_status htz_solver_new(const htz_solver_class* cls, const htz_solver_system* system, double rate_hz, htz_arena* arena,
                          htz_solver** out, const char** why) {
  *out = NULL;
  *why = fault_of(system, rate_hz);
  if (*why) {
    return HTZ_BAD_VALUE;
  }
  if (system->n_modes > 0 && !cls->body) {
    *why = "this solver is for a rigid wall only";
    return HTZ_UNSUPPORTED;
  }
  if (system->exponent != 1.0 && cls->linear) {
    *why = "this solver is for linear contacts only: the exponent must be 1";
    return HTZ_UNSUPPORTED;
  }
  return cls->make(system, rate_hz, arena, out, why);
}

static const double* copy(htz_arena* arena, size_t n, const double* from) {
  double* to = htz_arena_alloc(arena, n ? n : 1, sizeof(double));
  if (to && n) {
    memcpy(to, from, n * sizeof(double));
  }
  return to;
}

htz_status htz_solver_init(htz_solver* s, const htz_solver_class* cls, const htz_solver_system* system, double rate_hz,
                           htz_arena* arena) {
  const size_t n = system->n_modes;
  *s = (htz_solver){.cls = cls, .system = *system, .period = 1.0 / rate_hz};
  s->system.omega = copy(arena, n, system->omega);
  s->system.sigma = copy(arena, n, system->sigma);
  s->system.modal_mass = copy(arena, n, system->modal_mass);
  s->system.weight = copy(arena, n, system->weight);
  s->q = htz_arena_alloc(arena, n ? n : 1, sizeof(double));
  s->p = htz_arena_alloc(arena, n ? n : 1, sizeof(double));
  return arena->failed ? HTZ_NO_MEMORY : HTZ_OK;
}
