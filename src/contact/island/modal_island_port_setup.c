#include "modal_island.h"

htz_status htz_modal_island_port_new(modal_island* s, htz_arena* arena) {
  size_t n = 0;
  for (uint32_t b = 0; b < s->desc.n_struck; ++b) {
    if (!htz_modal_joined(s->desc.bodies[b])) {
      return HTZ_OK;
    }
    n += htz_modal_state_size(s->desc.bodies[b]);
  }
  s->kept.modal = htz_arena_alloc(arena, n, sizeof(double));
  return htz_network_snapshot_new(s->net, s->desc.n_struck, arena, &s->kept.network);
}
