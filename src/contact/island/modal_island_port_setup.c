#include "modal_island.h"

htz_status htz_modal_island_port_new(modal_island* s, htz_arena* arena) {
  size_t n = 0;
  while (s->n_ends < htz_modal_island_in_network(&s->desc) && htz_modal_joined(s->desc.bodies[s->n_ends])) {
    ++s->n_ends;
  }
  if (s->n_ends == 0 || s->n_ends > HTZ_PORT_ENDS_MAX) {
    return HTZ_OK;
  }
  for (uint32_t b = 0; b < htz_modal_island_in_network(&s->desc); ++b) {
    n += htz_modal_state_size(s->desc.bodies[b]);
  }
  s->kept.modal = htz_arena_alloc(arena, n, sizeof(double));
  return htz_network_snapshot_new(s->net, htz_modal_island_in_network(&s->desc), arena, &s->kept.network);
}
