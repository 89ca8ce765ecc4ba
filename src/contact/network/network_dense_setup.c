#include "network_private.h"

static void lay_touch(network_touch* t, htz_arena* arena) {
  double** const rows[] = {&t->stiffness, &t->exponent, &t->viscosity, &t->eta,       &t->stored,     &t->force,       &t->free,
                           &t->s,         &t->bears,    &t->slope,     &t->to_stored, &t->to_elastic, &t->to_stiffness};
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; ++i) {
    *rows[i] = htz_arena_alloc(arena, HTZ_TOUCH_MAX, sizeof(double));
  }
  t->compliance = htz_arena_alloc(arena, HTZ_TOUCH_MAX * HTZ_TOUCH_MAX, sizeof(double));
  t->table = (htz_touch_table){.compliance = t->compliance,
                               .eta = t->eta,
                               .stored = t->stored,
                               .force = t->force,
                               .stiffness = t->stiffness,
                               .exponent = t->exponent,
                               .viscosity = t->viscosity,
                               .free = t->free,
                               .s = t->s,
                               .bears = t->bears,
                               .slope = t->slope,
                               .to_stored = t->to_stored,
                               .to_elastic = t->to_elastic,
                               .to_stiffness = t->to_stiffness};
}

htz_status htz_network_solve_jointly(htz_network* net, htz_arena* arena) {
  const size_t n = net->n_contacts + 1, width = (net->n_contacts / HTZ_LANES + 1) * HTZ_LANES;
  network_dense* w = htz_arena_alloc(arena, 1, sizeof *w);
  if (!w) {
    return HTZ_NO_MEMORY;
  }
  w->width = width;
  double** const rows[] = {&w->eta, &w->s_free, &w->s_pushed, &w->s, &w->start, &w->residual, &w->move, &w->root};
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; ++i) {
    *rows[i] = htz_arena_alloc(arena, width, sizeof(double));
  }
  uint32_t** const numbers[] = {&w->slot[0], &w->slot[1], &w->acting, &w->sounding, &w->pressed};
  for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; ++i) {
    *numbers[i] = htz_arena_alloc(arena, width, sizeof(uint32_t));
  }
  for (size_t l = 0; l < NETWORK_LEVELS; ++l) {
    w->known[l] = htz_arena_alloc(arena, n, sizeof(bool));
    w->pair[l] = htz_arena_alloc_cold(arena, n * width, sizeof(double));
    w->taken[l] = htz_arena_alloc_cold(arena, net->n_joins * width + 1, sizeof(double));
  }
  w->s_now = w->s_free;
  w->row = htz_arena_alloc(arena, n, sizeof *w->row);
  w->compliance = htz_arena_alloc(arena, n * n, sizeof(double));
  w->factor = htz_arena_alloc(arena, n * n, sizeof(double));
  lay_touch(&w->touch, arena);
  htz_status st = htz_springs_reserve(net, arena); // its slots
  st = st ? st : htz_springs_reserve_wide(net, arena);
  if (st || arena->failed) {
    return HTZ_NO_MEMORY;
  }
  net->dense = w;
  htz_network_refresh(net);
  return HTZ_OK;
}
