#include "network_private.h"

#include "hertzian/base/arena.h"

static size_t padded(size_t n) {
  return (n + HTZ_LANES - 1) / HTZ_LANES * HTZ_LANES;
}

/** How many slots body `b` may come to have: as many as it has points, or as ends of links lie on it. */
static size_t slots_of(const htz_network* net, size_t b) {
  size_t ends = 0;
  for (size_t i = 0; i < net->n_contacts; ++i) {
    const htz_contact_desc* d = &net->contacts[i].desc;
    ends += (size_t)(d->body_a == b) + (size_t)(d->body_b == b);
  }
  for (size_t i = 0; i < net->n_joins; ++i) {
    const htz_join_desc* d = &net->joins[i].desc;
    ends += (size_t)(d->body_a == b) + (size_t)(d->body_b == b);
  }
  for (size_t i = 0; i < net->n_frictions; ++i) {
    ends += net->frictions[i].desc.body == b ? 2 : 0;
  }
  const size_t points = net->nodes[b].body->n_points;
  return ends < points ? ends : points;
}

htz_status htz_springs_reserve_wide(htz_network* net, htz_arena* arena) {
  double** wide = htz_arena_alloc(arena, net->n_nodes, sizeof *wide);
  for (size_t b = 0; b < net->n_nodes; ++b) {
    htz_body* body = net->nodes[b].body;
    htz_body_view view;
    const double* rows;
    if (body->cls->view && body->cls->view(body, &view, &rows)) {
      double* room = htz_arena_alloc(arena, view.n * padded(slots_of(net, b)), sizeof(double));
      if (wide) { // memory is not only measured
        wide[b] = room;
      }
    }
  }
  net->springs->wide = wide;
  return arena->failed ? HTZ_NO_MEMORY : HTZ_OK;
}

htz_status htz_springs_reserve(htz_network* net, htz_arena* arena) {
  network_springs* s = htz_arena_alloc(arena, 1, sizeof *s);
  if (!s) {
    return HTZ_NO_MEMORY;
  }
  const size_t n = padded(net->n_contacts + 1);
  size_t slots = HTZ_LANES, values = 0;
  for (size_t b = 0; b < net->n_nodes; ++b) {
    const size_t own = slots_of(net, b);
    slots += padded(own);
    values += padded(own) * own;
  }
  s->kernels = htz_kernels_select();
  s->contact = htz_arena_alloc(arena, n, sizeof(uint32_t));
  double** const arrays[] = {&s->half,          &s->quarter,       &s->damping,      &s->eta,     &s->s,
                             &s->force,         &s->past[0],       &s->past[1],      &s->past[2], &s->stored,
                             &s->work,          &s->lost,          &s->mean,         &s->most,    &s->free,
                             &s->past_taken[0], &s->past_taken[1], &s->past_taken[2]};
  for (size_t i = 0; i < sizeof arrays / sizeof *arrays; ++i) {
    *arrays[i] = htz_arena_alloc(arena, n, sizeof(double));
  }
  for (size_t e = 0; e < 2; ++e) {
    s->slot[e] = htz_arena_alloc(arena, n, sizeof(uint32_t));
  }
  for (size_t l = 0; l < NETWORK_LEVELS; ++l) {
    s->own[l] = htz_arena_alloc_cold(arena, n, sizeof(double));
    s->matrix[l] = htz_arena_alloc_cold(arena, values + 1, sizeof(double));
  }
  s->blocks = htz_arena_alloc(arena, net->n_nodes, sizeof *s->blocks);
  s->node = htz_arena_alloc(arena, net->n_nodes, sizeof(uint32_t));
  s->views = htz_arena_alloc(arena, net->n_nodes, sizeof *s->views);
  s->others = htz_arena_alloc(arena, net->n_nodes, sizeof *s->others);
  s->points = htz_arena_alloc(arena, slots, sizeof(size_t));
  s->rows = htz_arena_alloc(arena, slots, sizeof *s->rows);
  s->rise = htz_arena_alloc(arena, slots, sizeof(double));
  s->f = htz_arena_alloc(arena, slots, sizeof(double));
  s->x = htz_arena_alloc(arena, slots, sizeof(double));
  net->springs = s;
  return arena->failed ? HTZ_NO_MEMORY : HTZ_OK;
}
