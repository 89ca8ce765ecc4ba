#include "network_private.h"

htz_status htz_network_solve_jointly(htz_network* net, htz_arena* arena) {
  const size_t n = net->n_contacts + 1;
  network_dense* w = htz_arena_alloc(arena, 1, sizeof *w);
  if (!w) {
    return HTZ_NO_MEMORY;
  }
  double** const rows[] = {&w->s, &w->start, &w->residual, &w->move, &w->root};
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; ++i) {
    *rows[i] = htz_arena_alloc(arena, n, sizeof(double));
  }
  for (size_t l = 0; l < NETWORK_LEVELS; ++l) {
    w->pair[l] = htz_arena_alloc_cold(arena, n * n, sizeof(double));
  }
  w->compliance = htz_arena_alloc(arena, n * n, sizeof(double));
  w->factor = htz_arena_alloc(arena, n * n, sizeof(double));
  w->pressed = htz_arena_alloc(arena, n, sizeof(uint32_t));
  const htz_status st = htz_springs_reserve(net, arena); // its slots
  if (st || arena->failed) {
    return HTZ_NO_MEMORY;
  }
  net->dense = w;
  htz_network_refresh(net);
  return HTZ_OK;
}
