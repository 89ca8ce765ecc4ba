#include "lumped.h"

static htz_status lumped_new(const htz_body_class* cls, const htz_mass_desc* desc, double period, htz_arena* arena,
                             htz_body** out) {
  lumped_mass* m = htz_arena_alloc(arena, 1, sizeof *m);
  if (!m) {
    return HTZ_NO_MEMORY;
  }
  m->base = (htz_body){cls, 1};
  m->desc = *desc;
  m->period = period;
  *out = &m->base;
  return HTZ_OK;
}

htz_status htz_mass_new(const htz_mass_desc* desc, double rate_hz, htz_arena* arena, htz_body** out) {
  if (!(desc->mass > 0.0) || !(desc->stiffness >= 0.0) || !(desc->damping >= 0.0) || !(rate_hz > 0.0)) {
    return HTZ_BAD_VALUE;
  }
  return lumped_new(&htz_mass_class, desc, 1.0 / rate_hz, arena, out);
}

htz_status htz_barrier_new(htz_arena* arena, htz_body** out) {
  return lumped_new(&htz_barrier_class, &(htz_mass_desc){0}, 0.0, arena, out);
}

htz_status htz_driven_new(double rate_hz, htz_arena* arena, htz_body** out) {
  if (!(rate_hz > 0.0)) {
    return HTZ_BAD_VALUE;
  }
  return lumped_new(&htz_driven_class, &(htz_mass_desc){0}, 1.0 / rate_hz, arena, out);
}
