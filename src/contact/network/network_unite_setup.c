#include "network_private.h"

/** Everything that the whole has, while it is put together. */
typedef struct {
  size_t n_bodies, n_contacts, n_joins, n_frictions;
  htz_body** bodies;
  htz_contact_desc* contacts;
  htz_join_desc* joins;
  htz_friction_link_desc frictions[HTZ_FRICTIONS_MAX];
} sum;

static void add_part(sum* all, const htz_network* part) {
  const uint32_t first = (uint32_t)all->n_bodies;
  for (size_t b = 0; b < part->n_nodes; ++b) {
    all->bodies[all->n_bodies++] = part->nodes[b].body;
  }
  for (size_t i = 0; i < part->n_contacts; ++i) {
    htz_contact_desc* d = &all->contacts[all->n_contacts++];
    *d = part->contacts[i].desc;
    d->body_a += first;
    d->body_b += first;
  }
  for (size_t i = 0; i < part->n_joins; ++i) {
    htz_join_desc* d = &all->joins[all->n_joins++];
    *d = part->joins[i].desc;
    d->body_a += first;
    d->body_b += first;
  }
  for (size_t i = 0; i < part->n_frictions; ++i) {
    htz_friction_link_desc* d = &all->frictions[all->n_frictions++];
    *d = part->frictions[i].desc;
    d->body += first;
  }
}

/** Room for the springs and the rows of many contacts: with joins any contact may feel any other, else those that meet on a body. */
static htz_status reserve_rows(htz_network* net, htz_arena* arena) {
  if (net->n_contacts <= NEWTON_CONTACTS_MAX) {
    return htz_springs_reserve(net, arena);
  }
  network_rows* rows = htz_arena_alloc(arena, 1, sizeof *rows);
  if (!rows) {
    return HTZ_NO_MEMORY;
  }
  const size_t n = net->n_contacts;
  size_t meeting = n;
  for (size_t b = 0; b < net->n_nodes; ++b) {
    meeting += (size_t)net->nodes[b].n_contacts * net->nodes[b].n_contacts;
  }
  rows->room = net->n_joins || meeting > n * n ? n * n : meeting;
  rows->first = htz_arena_alloc(arena, n + 1, sizeof(uint32_t));
  rows->other = htz_arena_alloc(arena, rows->room, sizeof(uint32_t));
  rows->place = htz_arena_alloc(arena, n, sizeof(uint32_t));
  rows->force = htz_arena_alloc(arena, n, sizeof(double));
  for (size_t l = 0; l < NETWORK_LEVELS; ++l) {
    rows->value[l] = htz_arena_alloc_cold(arena, rows->room, sizeof(double));
  }
  net->rows = rows;
  return arena->failed ? HTZ_NO_MEMORY : htz_springs_reserve(net, arena);
}

/** From now on the parts are views of the whole, which is awake where they were. */
static void take_over(htz_network* net, size_t n_parts, htz_network* const* parts) {
  size_t bodies = 0, contacts = 0, joins = 0, frictions = 0;
  for (size_t p = 0; p < n_parts; ++p) {
    htz_network* part = parts[p];
    for (size_t b = 0; b < part->n_nodes; ++b) {
      net->nodes[bodies + b].wanted = part->nodes[b].wanted;
      net->nodes[bodies + b].awake = part->nodes[b].awake;
    }
    part->whole = net;
    part->first_node = bodies;
    part->first_contact = contacts;
    part->first_join = joins;
    part->first_friction = frictions;
    bodies += part->n_nodes;
    contacts += part->n_contacts;
    joins += part->n_joins;
    frictions += part->n_frictions;
  }
}

htz_status htz_network_unite(size_t n_parts, htz_network* const* parts, size_t n_bodies, htz_body* const* bodies,
                             size_t n_contacts, const htz_contact_desc* contacts, size_t n_joins, const htz_join_desc* joins,
                             double rate_hz, htz_arena* arena, htz_network** out) {
  sum all = {0};
  size_t total[4] = {n_bodies, n_contacts, n_joins, 0};
  for (size_t p = 0; p < n_parts; ++p) {
    if (parts[p]->whole != parts[p]) {
      return HTZ_BAD_VALUE;
    }
    total[0] += parts[p]->n_nodes;
    total[1] += parts[p]->n_contacts;
    total[2] += parts[p]->n_joins;
    total[3] += parts[p]->n_frictions;
  }
  if (total[3] > HTZ_FRICTIONS_MAX) {
    return HTZ_BAD_VALUE;
  }
  all.bodies = htz_arena_alloc(arena, total[0] + 1, sizeof *all.bodies);
  all.contacts = htz_arena_alloc(arena, total[1] + 1, sizeof *all.contacts);
  all.joins = htz_arena_alloc(arena, total[2] + 1, sizeof *all.joins);
  if (arena->failed) {
    return HTZ_NO_MEMORY;
  }
  for (size_t p = 0; p < n_parts; ++p) {
    add_part(&all, parts[p]);
  }
  for (size_t b = 0; b < n_bodies; ++b) {
    all.bodies[all.n_bodies++] = bodies[b];
  }
  for (size_t i = 0; i < n_contacts; ++i) {
    all.contacts[all.n_contacts++] = contacts[i];
  }
  for (size_t i = 0; i < n_joins; ++i) {
    all.joins[all.n_joins++] = joins[i];
  }
  htz_network* net;
  htz_status st = htz_network_new(all.n_bodies, all.bodies, all.n_contacts, all.contacts, rate_hz, arena, &net);
  if (!st && all.n_joins) {
    st = htz_network_add_joins(net, all.n_joins, all.joins, arena);
  }
  st = st ? st : htz_network_add_frictions(net, all.n_frictions, all.frictions, arena);
  st = st ? st : reserve_rows(net, arena);
  if (st) {
    return st;
  }
  take_over(net, n_parts, parts);
  htz_network_refresh(net);
  *out = net;
  return HTZ_OK;
}
