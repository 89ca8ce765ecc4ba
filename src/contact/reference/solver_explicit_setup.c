#include "solver_explicit.h"

// Highest omega T at which the free motion of an undamped mode stays bounded: 2 for Verlet, and for Heun's method as printed, which is
// the same thing where no velocity enters; 2 sqrt(2) for Runge and Kutta's. Damping costs reach: sigma T is added.
static const double verlet_reach = 2.0;
static const double rk4_reach = 2.8284;

static htz_status make_as(const htz_solver_class* cls, const htz_solver_system* system, double rate_hz, htz_arena* arena,
                          htz_solver** out, const char** why) {
  const bool rk4 = cls->step == htz_rk4_step;
  for (size_t k = 0; k < system->n_modes; ++k) {
    if (!((system->omega[k] + system->sigma[k]) / rate_hz < (rk4 ? rk4_reach : verlet_reach))) {
      *why = rk4 ? "a mode is too fast for this explicit rule: (omega + sigma) T must be below 2.83"
                 : "a mode is too fast for this explicit rule: (omega + sigma) T must be below 2";
      return HTZ_UNSUPPORTED;
    }
  }
  explicit_solver* e = htz_arena_alloc(arena, 1, sizeof *e);
  if (!e) {
    return HTZ_NO_MEMORY;
  }
  e->correct.wanted = !cls->body;
  for (size_t i = 0; i < EXPLICIT_SCRATCH; ++i) {
    e->scratch[i] = htz_arena_alloc(arena, system->n_modes + 1, sizeof(double));
  }
  *out = &e->base;
  return htz_solver_init(&e->base, cls, system, rate_hz, arena);
}

#define MAKE(id)                                                                                                               \
  static htz_status make_##id(const htz_solver_system* system, double rate_hz, htz_arena* arena, htz_solver** out,             \
                              const char** why) {                                                                              \
    return make_as(&htz_##id##_class, system, rate_hz, arena, out, why);                                                       \
  }
MAKE(verlet)
MAKE(heun)
MAKE(rk4)
MAKE(verlet_corrected)
MAKE(heun_corrected)
MAKE(rk4_corrected)

#define PAPER "Papetti, Avanzini and Rocchesso, Energy and accuracy issues, "

const htz_solver_class htz_verlet_class = {.name = "verlet",
                                           .about = "velocity Verlet, the force from the predicted velocity",
                                           .source = PAPER "eq. 21",
                                           .real_time = true,
                                           .body = true,
                                           .make = make_verlet,
                                           .place = htz_explicit_place,
                                           .strike_with = htz_solver_strike_with,
                                           .step = htz_verlet_step};

const htz_solver_class htz_heun_class = {.name = "heun",
                                         .about = "Heun's method, position and force from the predicted velocity",
                                         .source = PAPER "eq. 22",
                                         .real_time = true,
                                         .body = true,
                                         .make = make_heun,
                                         .place = htz_explicit_place,
                                         .strike_with = htz_solver_strike_with,
                                         .step = htz_heun_step};

const htz_solver_class htz_rk4_class = {.name = "rk4",
                                        .about = "Runge and Kutta's fourth-order method",
                                        .source = PAPER "eq. 23",
                                        .real_time = true,
                                        .body = true,
                                        .make = make_rk4,
                                        .place = htz_explicit_place,
                                        .strike_with = htz_solver_strike_with,
                                        .step = htz_rk4_step};

#define CORRECTED " on a wall, compression clipped to its maximum and the rebound imposed"

const htz_solver_class htz_verlet_corrected_class = {.name = "verlet-corrected",
                                                     .about = "verlet" CORRECTED,
                                                     .source = PAPER "eqs. 21, 4, 7, 8",
                                                     .real_time = true,
                                                     .make = make_verlet_corrected,
                                                     .place = htz_explicit_place,
                                                     .strike_with = htz_solver_strike_with,
                                                     .step = htz_verlet_step};

const htz_solver_class htz_heun_corrected_class = {.name = "heun-corrected",
                                                   .about = "heun" CORRECTED,
                                                   .source = PAPER "eqs. 22, 4, 7, 8",
                                                   .real_time = true,
                                                   .make = make_heun_corrected,
                                                   .place = htz_explicit_place,
                                                   .strike_with = htz_solver_strike_with,
                                                   .step = htz_heun_step};

const htz_solver_class htz_rk4_corrected_class = {.name = "rk4-corrected",
                                                  .about = "rk4" CORRECTED,
                                                  .source = PAPER "eqs. 23, 4, 7, 8",
                                                  .real_time = true,
                                                  .make = make_rk4_corrected,
                                                  .place = htz_explicit_place,
                                                  .strike_with = htz_solver_strike_with,
                                                  .step = htz_rk4_step};
