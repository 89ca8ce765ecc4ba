#include "network_private.h"

#include <math.h>

static bool valid(const htz_network* net, const htz_join_desc* j) {
  return j->body_a < net->n_nodes && j->body_b < net->n_nodes && j->point_a < net->nodes[j->body_a].body->n_points &&
         j->point_b < net->nodes[j->body_b].body->n_points && j->stiffness >= 0.0 && isfinite(j->stiffness) &&
         j->damping >= 0.0 && isfinite(j->damping);
}

htz_status htz_network_add_joins(htz_network* net, size_t n_joins, const htz_join_desc* joins, htz_arena* arena) {
  if (n_joins > HTZ_JOINS_MAX || net->n_joins) {
    return HTZ_BAD_VALUE;
  }
  for (size_t i = 0; i < n_joins; ++i) {
    if (!valid(net, &joins[i])) {
      return HTZ_BAD_VALUE;
    }
  }
  if (n_joins == 0) {
    return HTZ_OK;
  }
  net->joins = htz_arena_alloc(arena, n_joins, sizeof(join));
  net->held = htz_arena_alloc(arena, n_joins, sizeof(uint32_t));
  net->join_levels = htz_arena_alloc(arena, NETWORK_LEVELS, sizeof(join_level));
  for (unsigned l = 0; net->join_levels && l < NETWORK_LEVELS; ++l) {
    join_level* t = &net->join_levels[l];
    t->inverse = htz_arena_alloc(arena, n_joins * n_joins, sizeof(double));
    t->compliance = htz_arena_alloc(arena, n_joins, sizeof(double));
    t->known = htz_arena_alloc(arena, net->n_contacts + 1, sizeof(bool));
    t->met = htz_arena_alloc(arena, (net->n_contacts + 1) * n_joins, sizeof(uint32_t));
    t->n_met = htz_arena_alloc(arena, net->n_contacts + 1, sizeof(uint32_t));
    t->cross = htz_arena_alloc(arena, (net->n_contacts + 1) * n_joins, sizeof(double));
    t->share = htz_arena_alloc(arena, (net->n_contacts + 1) * n_joins, sizeof(double));
  }
  net->n_joins = n_joins;
  htz_network_make_room(net, arena);
  if (arena->failed) {
    return HTZ_NO_MEMORY;
  }
  for (size_t i = 0; i < n_joins; ++i) {
    const htz_join_desc* d = &joins[i];
    net->joins[i].desc = *d;
    net->joins[i].between = (htz_contact_desc){
        .body_a = d->body_a, .point_a = d->point_a, .body_b = d->body_b, .point_b = d->point_b, .direction = 1.0};
  }
  htz_network_refresh(net);
  return HTZ_OK;
}
