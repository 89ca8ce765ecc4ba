#include "grid_private.h"

#include <math.h>

static htz_status lumped_init(grid_mass* mass, const htz_grid_class* cls, double period, htz_arena* arena) {
  mass->lattice.columns = mass->lattice.rows = mass->lattice.stride = 1;
  const htz_status status = htz_grid_lattice_init(&mass->lattice, cls, period, HTZ_GRID_POINTS_MAX, arena);
  for (size_t p = 0; status == HTZ_OK && p < HTZ_GRID_POINTS_MAX; ++p) {
    htz_grid_place(&mass->lattice.base, p, 0.0, 0.0);
  }
  return status;
}

htz_status htz_grid_mass_new(const htz_grid_mass_desc* desc, double rate_hz, htz_arena* arena, htz_grid** out,
                             const char** why) {
  *why = rate_hz > 0.0 && isfinite(rate_hz) ? htz_grid_mass_fault(desc, 1.0 / rate_hz) : "rate: must be above 0 Hz";
  if (*why) {
    return HTZ_BAD_VALUE;
  }
  grid_mass* mass = htz_arena_alloc(arena, 1, sizeof *mass);
  if (!mass || lumped_init(mass, &htz_grid_mass_class, 1.0 / rate_hz, arena) != HTZ_OK) {
    return HTZ_NO_MEMORY;
  }
  *out = &mass->lattice.base;
  htz_grid_mass_load(*out, desc);
  return HTZ_OK;
}

htz_status htz_grid_barrier_new(htz_arena* arena, htz_grid** out) {
  grid_mass* barrier = htz_arena_alloc(arena, 1, sizeof *barrier);
  if (!barrier || lumped_init(barrier, &htz_grid_barrier_class, 0.0, arena) != HTZ_OK) {
    return HTZ_NO_MEMORY;
  }
  *out = &barrier->lattice.base;
  (*out)->ratio_most = HUGE_VAL;
  return HTZ_OK;
}
