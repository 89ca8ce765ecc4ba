#include "fold.h"
#include "modal_island.h"

/** Turning coordinates for as many modes as strings, or they with what is fixed to them, have. */
static void allocate_turning(modal_island* s, htz_arena* arena) {
  enum { WAY_ROWS = 8, ROWS = HTZ_TURN_ROWS + 6 };
  turning* t = &s->turn;
  size_t n = 0;
  for (uint32_t b = 0; b < s->n_ends; ++b) {
    t->first[b] = n;
    n += htz_modal_padded(s->desc.bodies[b]);
  }
  t->first[s->n_ends] = n;
  const size_t folded = s->fold ? htz_modal_padded(s->fold->modes) : 0;
  n = folded > n ? folded : n;
  n = (n + HTZ_TURN_LANES - 1) / HTZ_TURN_LANES * HTZ_TURN_LANES;
  float* rows[ROWS];
  for (size_t i = 0; i < ROWS; ++i) {
    rows[i] = htz_arena_alloc(arena, n, sizeof(float));
  }
  float* powers = htz_arena_alloc(arena, 2 * HTZ_TURN_BLOCK * n, sizeof(float));
  t->way = htz_arena_alloc_cold(arena, WAY_ROWS * n, sizeof(double));
  t->port = (htz_port_turn){.n = n,
                            .table = {rows[0], rows[1], rows[2], rows[3], rows[4], rows[5], rows[6], rows[7], rows[8], rows[9],
                                      rows[10], rows[11], powers},
                            .x = rows[HTZ_TURN_ROWS],
                            .y = rows[HTZ_TURN_ROWS + 1]};
  t->xx = rows[HTZ_TURN_ROWS + 2];
  t->xy = rows[HTZ_TURN_ROWS + 3];
  t->yy = rows[HTZ_TURN_ROWS + 4];
  t->loss = rows[HTZ_TURN_ROWS + 5];
}

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
  allocate_turning(s, arena);
  s->kept.modal = htz_arena_alloc(arena, n, sizeof(double));
  return htz_network_snapshot_new(s->net, htz_modal_island_in_network(&s->desc), arena, &s->kept.network);
}
