#include "group.h"

/** True when the end is one that there is. */
static bool good_end(const htz_group_desc* d, const htz_group_end* end) {
  if (end->unit == HTZ_GROUP_GROUND) {
    return end->body == 0 && end->point == 0;
  }
  if (end->unit >= d->n_islands + d->n_shared) {
    return false;
  }
  if (end->unit >= d->n_islands) {
    return end->body == 0 && end->point < htz_modal_body(d->shared[end->unit - d->n_islands])->n_points;
  }
  const struct modal_island* s = (const struct modal_island*)d->islands[end->unit];
  return end->body < htz_modal_island_in_network(&s->desc) && end->point < htz_modal_body(s->desc.bodies[end->body])->n_points;
}

static htz_status check(const htz_group_desc* d) {
  if (d->n_islands > HTZ_GROUP_ISLANDS_MAX || d->n_shared > HTZ_GROUP_SHARED_MAX || d->n_links > HTZ_GROUP_LINKS_MAX ||
      d->n_islands + d->n_shared == 0) {
    return HTZ_BAD_VALUE;
  }
  for (size_t i = 0; i < d->n_islands; ++i) {
    if (d->islands[i]->cls != &htz_modal_island_class) {
      return HTZ_UNSUPPORTED;
    }
  }
  for (size_t l = 0; l < d->n_links; ++l) {
    const htz_group_link* link = &d->links[l];
    if (!good_end(d, &link->end[0]) || !good_end(d, &link->end[1]) || (!link->rigid && !link->law.cls)) {
      return HTZ_BAD_VALUE;
    }
  }
  return HTZ_OK;
}

static group_end end_of(const htz_group* g, const htz_group_end* end) {
  if (end->unit == HTZ_GROUP_GROUND) {
    return (group_end){end->unit, NULL, 0};
  }
  const bool own = end->unit < g->n_islands;
  return (group_end){end->unit, own ? g->islands[end->unit]->desc.bodies[end->body] : g->shared[end->unit - g->n_islands],
                     end->point};
}

/** Contacts and joins of the links, in the numbering of the whole. */
typedef struct {
  size_t n_contacts, n_joins;
  htz_contact_desc* contacts;
  htz_join_desc* joins;
} laid;

/** The body at the end, in that numbering: the ground comes last. */
static uint32_t node_of(const htz_group* g, const htz_group_end* end) {
  return (uint32_t)g->first_node[end->unit == HTZ_GROUP_GROUND ? g->n_islands + g->n_shared : end->unit] + end->body;
}

static void lay_links(htz_group* g, const htz_group_desc* d, laid* out) {
  for (size_t l = 0; l < d->n_links; ++l) {
    const htz_group_link* link = &d->links[l];
    const uint32_t a = node_of(g, &link->end[0]), b = node_of(g, &link->end[1]);
    g->links[g->n_links++] =
        (group_link){{end_of(g, &link->end[0]), end_of(g, &link->end[1])}, link->rigid, link->law, link->gap};
    if (link->rigid) {
      out->joins[out->n_joins++] = (htz_join_desc){.body_a = a,
                                                   .point_a = link->end[0].point,
                                                   .body_b = b,
                                                   .point_b = link->end[1].point,
                                                   .rigid = true,
                                                   .enabled = true};
    } else {
      out->contacts[out->n_contacts++] = (htz_contact_desc){.law = link->law,
                                                            .body_a = a,
                                                            .point_a = link->end[0].point,
                                                            .body_b = b,
                                                            .point_b = link->end[1].point,
                                                            .direction = link->direction,
                                                            .gap = link->gap,
                                                            .enabled = true};
    }
  }
}

static htz_status allocate(htz_group* g, const htz_group_desc* d, htz_arena* arena) {
  const size_t units = d->n_islands + d->n_shared;
  g->islands = htz_arena_alloc(arena, d->n_islands + 1, sizeof *g->islands);
  g->shared = htz_arena_alloc(arena, d->n_shared + 1, sizeof(htz_modal*));
  g->links = htz_arena_alloc(arena, d->n_links + 1, sizeof *g->links);
  g->first_node = htz_arena_alloc(arena, units + 1, sizeof *g->first_node);
  g->awake = htz_arena_alloc(arena, units, sizeof *g->awake);
  size_t taps = 1;
  for (size_t i = 0; i < d->n_islands; ++i) {
    const htz_modal_island_desc* island = &((const struct modal_island*)d->islands[i])->desc;
    for (uint32_t b = 0; b < htz_modal_island_in_network(island); ++b) {
      taps += htz_modal_pickups(island->bodies[b]);
    }
  }
  for (size_t i = 0; i < d->n_shared; ++i) {
    taps += htz_modal_pickups(d->shared[i]);
  }
  g->taps = htz_arena_alloc(arena, taps, sizeof *g->taps);
  g->forced = htz_arena_alloc(arena, taps, sizeof *g->forced);
  g->acting = htz_arena_alloc(arena, d->n_islands + 1, sizeof *g->acting);
  g->next = htz_arena_alloc(arena, d->n_islands + 1, sizeof *g->next);
  g->signals = htz_arena_alloc_cold(arena, d->n_islands + 1, sizeof *g->signals);
  return arena->failed ? HTZ_NO_MEMORY : HTZ_OK;
}

/** One network of all, with every unit asleep. */
static htz_status unite(htz_group* g, const htz_group_desc* d, double rate_hz, htz_arena* arena) {
  const size_t n = d->n_islands;
  htz_network** parts = htz_arena_alloc(arena, n + 1, sizeof *parts);
  htz_body** bodies = htz_arena_alloc(arena, d->n_shared + 1, sizeof *bodies); // and the ground
  laid out = {.contacts = htz_arena_alloc(arena, d->n_links + 1, sizeof *out.contacts),
              .joins = htz_arena_alloc(arena, d->n_links + 1, sizeof *out.joins)};
  if (arena->failed || htz_barrier_new(arena, &bodies[d->n_shared])) {
    return HTZ_NO_MEMORY;
  }
  size_t node = 0;
  for (size_t i = 0; i < n; ++i) {
    g->islands[i] = (struct modal_island*)d->islands[i];
    g->islands[i]->tied = true;
    parts[i] = g->islands[i]->net;
    g->first_node[i] = node;
    node += htz_network_bodies(parts[i]);
  }
  for (size_t i = 0; i < d->n_shared; ++i) {
    g->shared[i] = d->shared[i];
    bodies[i] = htz_modal_body(d->shared[i]);
    g->first_node[n + i] = node++;
  }
  g->first_node[n + d->n_shared] = node; // of the ground, which is always there
  g->n_islands = n;
  g->n_shared = d->n_shared;
  lay_links(g, d, &out);
  return htz_network_unite(n, parts, d->n_shared + 1, bodies, out.n_contacts, out.contacts, out.n_joins, out.joins, rate_hz,
                           arena, &g->net);
}

htz_status htz_group_new(const htz_group_desc* d, double rate_hz, htz_arena* arena, htz_group** out) {
  // As on a unison (modal_island_setup.c), 8 per elastic contact time are enough where each moves so much: here at any step length.
  static const unsigned coarse_level = 0;
  static const double coarse_steps = 8.0;
  htz_status st = check(d);
  if (st) {
    return st;
  }
  htz_group* g = htz_arena_alloc(arena, 1, sizeof *g);
  if (!g) {
    return HTZ_NO_MEMORY;
  }
  st = allocate(g, d, arena);
  st = st ? st : unite(g, d, rate_hz, arena);
  if (st) {
    return st;
  }
  g->kernels = htz_kernels_select();
  htz_group_bound(g);
  htz_network_set_coarse(g->net, coarse_level, coarse_steps);
  for (size_t unit = 0; unit < g->n_islands + g->n_shared; ++unit) {
    g->awake[unit] = true;
    htz_group_wake(g, unit, false);
  }
  *out = g;
  return HTZ_OK;
}

htz_network* htz_group_network(htz_group* g) {
  return g->net;
}
