#include "solver_am1.h"

static htz_status make_as(const htz_solver_class* cls, bool corrected, const htz_solver_system* system, double rate_hz,
                          htz_arena* arena, htz_solver** out) {
  am1* a = htz_arena_alloc(arena, 1, sizeof *a);
  if (!a) {
    return HTZ_NO_MEMORY;
  }
  a->correct.wanted = corrected;
  *out = &a->base;
  return htz_solver_init(&a->base, cls, system, rate_hz, arena);
}

static htz_status make_plain(const htz_solver_system* system, double rate_hz, htz_arena* arena, htz_solver** out,
                             const char** why) {
  (void)why;
  return make_as(&htz_am1_class, false, system, rate_hz, arena, out);
}

static htz_status make_corrected(const htz_solver_system* system, double rate_hz, htz_arena* arena, htz_solver** out,
                                 const char** why) {
  (void)why;
  return make_as(&htz_am1_corrected_class, true, system, rate_hz, arena, out);
}

const htz_solver_class htz_am1_class = {
    .name = "am1",
    .about = "trapezoidal rule (1-step Adams-Moulton) with the K method, Newton at every sample",
    .source = "Papetti, Avanzini and Rocchesso, Energy and accuracy issues, eq. 20; Avanzini, Modeling collision sounds, eq. 5",
    .real_time = true,
    .body = true,
    .make = make_plain,
    .place = htz_am1_place,
    .strike_with = htz_solver_strike_with,
    .step = htz_am1_step};

const htz_solver_class htz_am1_corrected_class = {
    .name = "am1-corrected",
    .about = "am1 on a wall, compression clipped to its maximum and the rebound imposed",
    .source = "Papetti, Avanzini and Rocchesso, Energy and accuracy issues, eqs. 20, 4, 7, 8",
    .real_time = true,
    .make = make_corrected,
    .place = htz_am1_place,
    .strike_with = htz_solver_strike_with,
    .step = htz_am1_step};
