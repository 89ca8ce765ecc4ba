#include "clocked.h"

#include "hertzian/dsp/kernels.h"

#include <math.h>

htz_status htz_clocked_new(htz_island* inner, double clock_hz, double rate_hz, const htz_fractional* reader, htz_arena* arena,
                           htz_island** out) {
  if (!(clock_hz > 0.0) || !(rate_hz > 0.0) || !reader->table || inner->n_pickups > HTZ_ISLAND_PICKUPS_MAX) {
    return HTZ_BAD_VALUE;
  }
  clocked* c = htz_arena_alloc(arena, 1, sizeof *c);
  if (!c) {
    return HTZ_NO_MEMORY;
  }
  c->base = (htz_island){&htz_clocked_class, inner->n_pickups};
  c->inner = inner;
  c->ratio = clock_hz / rate_hz;
  c->reader = *reader;
  c->room = reader->taps + (size_t)ceil(HTZ_QUANTUM * c->ratio) + 1 + HTZ_QUANTUM;
  c->heard = htz_arena_alloc(arena, (inner->n_pickups + 1) * c->room, sizeof(float));
  if (!c->heard) {
    return HTZ_NO_MEMORY;
  }
  *out = &c->base;
  return HTZ_OK;
}

htz_island* htz_clocked_inner(htz_island* island) {
  return island->cls == &htz_clocked_class ? ((clocked*)island)->inner : island;
}
