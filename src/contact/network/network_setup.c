#include "network_private.h"

#include <math.h>

static const double default_steps_per_contact = 32.0;

static bool contact_valid(const htz_contact_desc* c, size_t n_bodies, htz_body* const* bodies) {
  return c->law.cls && c->body_a < n_bodies && c->body_b < n_bodies && c->point_a < bodies[c->body_a]->n_points &&
         c->point_b < bodies[c->body_b]->n_points && (c->direction == 1.0 || c->direction == -1.0) && isfinite(c->gap);
}

/** Lists of the contacts on each body. */
static void attach(htz_network* net, htz_arena* arena) {
  for (size_t b = 0; b < net->n_nodes; ++b) {
    node* n = &net->nodes[b];
    for (size_t i = 0; i < net->n_contacts; ++i) {
      const htz_contact_desc* d = &net->contacts[i].desc;
      n->n_contacts += d->body_a == b || d->body_b == b;
    }
    n->contacts = htz_arena_alloc(arena, n->n_contacts, sizeof(uint32_t));
    if (!n->contacts) {
      n->n_contacts = 0;
      continue;
    }
    size_t at = 0;
    for (size_t i = 0; i < net->n_contacts; ++i) {
      const htz_contact_desc* d = &net->contacts[i].desc;
      if (d->body_a == b || d->body_b == b) {
        n->contacts[at++] = (uint32_t)i;
      }
    }
  }
}

void htz_network_make_room(htz_network* net, htz_arena* arena) {
  const size_t forces = 2 * (net->n_contacts + net->n_joins + net->n_frictions) + 1;
  net->points = htz_arena_alloc(arena, forces, sizeof(size_t));
  net->forces = htz_arena_alloc(arena, forces, sizeof(double));
}

htz_status htz_network_new(size_t n_bodies, htz_body* const* bodies, size_t n_contacts, const htz_contact_desc* contacts,
                           double rate_hz, htz_arena* arena, htz_network** out) {
  if (n_bodies == 0 || !(rate_hz > 0.0)) {
    return HTZ_BAD_VALUE;
  }
  for (size_t i = 0; i < n_contacts; ++i) {
    if (!contact_valid(&contacts[i], n_bodies, bodies)) {
      return HTZ_BAD_VALUE;
    }
  }
  htz_network* net = htz_arena_alloc(arena, 1, sizeof *net);
  if (!net) {
    return HTZ_NO_MEMORY;
  }
  net->whole = net;
  net->n_nodes = n_bodies;
  net->n_contacts = n_contacts;
  net->period = 1.0 / rate_hz;
  net->steps_per_contact = default_steps_per_contact;
  net->level_max = HTZ_LEVEL_MAX;
  net->coarse_level = NETWORK_LEVELS;
  net->nodes = htz_arena_alloc(arena, n_bodies, sizeof(node));
  net->contacts = htz_arena_alloc(arena, n_contacts + 1, sizeof(contact));
  net->joined = htz_arena_alloc(arena, n_contacts + 1, sizeof(uint32_t));
  net->active = htz_arena_alloc(arena, n_contacts + 1, sizeof(uint32_t));
  htz_network_make_room(net, arena);
  if (arena->failed) {
    return HTZ_NO_MEMORY;
  }
  for (unsigned l = 0; l < NETWORK_LEVELS; ++l) {
    net->share[l] = ldexp(1.0, -(int)l);
    net->step[l] = net->period * net->share[l];
  }
  for (size_t b = 0; b < n_bodies; ++b) {
    net->nodes[b].body = bodies[b];
    net->nodes[b].wanted = net->nodes[b].awake = true;
  }
  for (size_t i = 0; i < n_contacts; ++i) {
    net->contacts[i].desc = contacts[i];
  }
  attach(net, arena);
  if (arena->failed) {
    return HTZ_NO_MEMORY;
  }
  htz_network_refresh(net);
  *out = net;
  return HTZ_OK;
}

void htz_network_set_audit(htz_network* network, htz_network_audit* audit) {
  network->audit = audit;
}

void htz_network_set_substeps(htz_network* network, double steps_per_contact, unsigned level_max) {
  network->steps_per_contact = steps_per_contact > 0.0 ? steps_per_contact : default_steps_per_contact;
  network->level_max = level_max < HTZ_LEVEL_MAX ? level_max : HTZ_LEVEL_MAX;
}

void htz_network_set_coarse(htz_network* network, unsigned level, double steps) {
  network->coarse_level = level;
  network->coarse_steps = steps > 0.0 ? steps : default_steps_per_contact;
}
