#include "network_private.h"

htz_status htz_network_snapshot_new(const htz_network* net, size_t first, htz_arena* arena, htz_network_snapshot** out) {
  if (first > net->n_nodes) {
    return HTZ_BAD_VALUE;
  }
  htz_network_snapshot* s = htz_arena_alloc(arena, 1, sizeof *s);
  if (!s) {
    return HTZ_NO_MEMORY;
  }
  s->first = first;
  s->contacts = htz_arena_alloc(arena, net->n_contacts + 1, sizeof(contact));
  s->joins = htz_arena_alloc(arena, net->n_joins + 1, sizeof(join));
  s->frictions = htz_arena_alloc(arena, net->n_frictions + 1, sizeof(friction));
  s->motion = htz_arena_alloc(arena, net->n_nodes - first + 1, sizeof *s->motion);
  const size_t width = net->dense ? net->dense->width : 0;
  s->eta = htz_arena_alloc(arena, width + 1, sizeof(double));
  s->acting = htz_arena_alloc(arena, width + 1, sizeof(uint32_t));
  s->sounding = htz_arena_alloc(arena, width + 1, sizeof(uint32_t));
  *out = s;
  return arena->failed ? HTZ_NO_MEMORY : HTZ_OK;
}
