#include "grid_private.h"

static const double pi = 3.14159265358979323846;
static const double highest = 0.9; // of half the sample rate

htz_status htz_grid_modes_new(const htz_modes* modes, double rate_hz, size_t n_points, htz_arena* arena, htz_grid** out,
                              const char** why) {
  size_t n = 0;
  while (n < modes->n && n < HTZ_GRID_REACH && modes->omega[n] < highest * pi * rate_hz) {
    ++n;
  }
  *why = n > 0 ? NULL : "modes: all of them are above what the sample rate can hold";
  if (n == 0) {
    return HTZ_UNSUPPORTED;
  }
  grid_modes* m = htz_arena_alloc(arena, 1, sizeof *m);
  if (!m) {
    return HTZ_NO_MEMORY;
  }
  m->lattice.columns = n;
  m->lattice.rows = m->lattice.stride = 1;
  m->modes = modes;
  m->phi = htz_arena_alloc(arena, modes->n, sizeof *m->phi);
  double** derived[] = {&m->ahead, &m->behind, &m->weight, &m->spread, &m->stiff};
  for (size_t i = 0; i < sizeof derived / sizeof derived[0]; ++i) {
    *derived[i] = htz_arena_alloc(arena, n, sizeof(double));
  }
  const htz_status status =
      arena->failed ? HTZ_NO_MEMORY : htz_grid_lattice_init(&m->lattice, &htz_grid_modes_class, 1.0 / rate_hz, n_points, arena);
  if (status) {
    return status;
  }
  if (!m->lattice.ease) { // one mode alone
    m->lattice.ease = htz_arena_alloc(arena, n, sizeof *m->lattice.ease);
    if (!m->lattice.ease) {
      return HTZ_NO_MEMORY;
    }
  }
  m->lattice.base.ease = m->lattice.ease;
  m->lattice.base.ratio_most = 0.5 * rate_hz * 2.0 * pi / (modes->omega[n - 1] > 0.0 ? modes->omega[n - 1] : 1.0);
  htz_grid_lattice_finish(&m->lattice);
  *out = &m->lattice.base;
  return HTZ_OK;
}
