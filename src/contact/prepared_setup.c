#include "struck.h"

#include <math.h>

static bool loose_good(const htz_loose_desc* d) {
  const bool held = d->spring_hz > 0.0 || d->gravity > 0.0;
  return d->mass == 0.0 || (d->mass > 0.0 && isfinite(d->gap) && d->spring_hz >= 0.0 && d->damping >= 0.0 &&
                            d->gravity >= 0.0 && held && d->stiffness > 0.0 && d->exponent >= 1.0 && d->viscosity >= 0.0);
}

static bool good(const struck* s) {
  const htz_prepared_desc* d = &s->desc.prepared;
  for (uint32_t b = 0; b < s->desc.n_struck; ++b) {
    if (htz_modal_body(s->desc.bodies[b])->n_points < s->desc.n_mallets + HTZ_PREPARED_POINTS) {
      return false;
    }
  }
  return loose_good(&d->loose[HTZ_LOOSE_RATTLE]) && loose_good(&d->loose[HTZ_LOOSE_BRIDGE]) && d->screw.mass >= 0.0 &&
         d->rubber.damping >= 0.0 && d->rubber.stiffness >= 0.0 && !s->desc.stay.given;
}

/** The mass of what is loose, and its contact with every struck body. */
static htz_status add_loose(struck* s, uint32_t which, double rate_hz, htz_arena* arena, size_t* n_contacts,
                            htz_contact_desc* contacts) {
  const htz_loose_desc* d = &s->desc.prepared.loose[which];
  loose_state* l = &s->prepared.loose[which];
  const htz_mass_desc unit = {.mass = d->mass > 0.0 ? d->mass : 1.0};
  l->at = l->at_wanted = d->at;
  l->gap_wanted = d->gap;
  l->factor = 0.0;
  for (uint32_t b = 0; b < s->desc.n_struck; ++b) {
    l->gap[b] = d->gap;
    htz_modal_place_xy(s->desc.bodies[b], s->prepared.point + which, d->at, d->at_y);
    contacts[(*n_contacts)++] =
        (htz_contact_desc){.law = {.cls = &htz_law_hunt_crossley, .p = {d->stiffness, d->exponent, d->viscosity}},
                           .body_a = l->node,
                           .body_b = b,
                           .point_b = s->prepared.point + which,
                           .direction = -1.0,
                           .gap = d->gap,
                           .enabled = true};
  }
  return htz_mass_new(&unit, rate_hz, arena, &l->body);
}

htz_status htz_prepared_new(struck* s, double rate_hz, htz_arena* arena, size_t* n_bodies, htz_body** bodies,
                            size_t* n_contacts, htz_contact_desc* contacts) {
  prepared_state* p = &s->prepared;
  const htz_prepared_desc* d = &s->desc.prepared;
  if (!good(s)) {
    return HTZ_BAD_VALUE;
  }
  p->given = true;
  p->point = s->desc.n_mallets;
  p->contacts = (uint32_t)*n_contacts;
  for (uint32_t i = 0; i < HTZ_LOOSE_MAX; ++i) {
    p->loose[i].node = (uint32_t)*n_bodies;
    const htz_status st = add_loose(s, i, rate_hz, arena, n_contacts, contacts);
    if (st) {
      return st;
    }
    bodies[(*n_bodies)++] = p->loose[i].body;
  }
  const htz_mass_desc screw = {.mass = d->screw.mass > 0.0 ? d->screw.mass : 1.0};
  htz_status st = htz_mass_new(&screw, rate_hz, arena, &p->screw);
  if (st) {
    return st;
  }
  p->screw_node = (uint32_t)*n_bodies;
  bodies[(*n_bodies)++] = p->screw;
  p->screw_at = p->screw_wanted = d->screw.at;
  p->rubber_at = p->rubber_wanted = d->rubber.at;
  for (uint32_t b = 0; b < s->desc.n_struck; ++b) {
    htz_modal_place(s->desc.bodies[b], p->point + HTZ_LOOSE_MAX, d->screw.at);
    htz_modal_place(s->desc.bodies[b], p->point + HTZ_LOOSE_MAX + 1, d->rubber.at);
  }
  st = htz_barrier_new(arena, &bodies[*n_bodies]);
  ++*n_bodies;
  return st;
}

htz_status htz_prepared_join(struck* s, uint32_t ground, htz_arena* arena) {
  prepared_state* p = &s->prepared;
  const htz_prepared_desc* d = &s->desc.prepared;
  const uint32_t n = s->desc.n_struck;
  htz_join_desc joins[2 * HTZ_STRUCK_UNISON_MAX];
  for (uint32_t b = 0; b < n; ++b) {
    joins[b] = (htz_join_desc){.body_a = b, .point_a = p->point + HTZ_LOOSE_MAX, .body_b = p->screw_node, .rigid = true};
    joins[n + b] = (htz_join_desc){.body_a = b, .point_a = p->point + HTZ_LOOSE_MAX + 1, .body_b = ground, .enabled = true};
    if (d->rubber.between && n > 1) {
      // A chain of neighbours; the last has no next one, and stays as it is: there is one rubber fewer than strings.
      joins[n + b].body_b = b + 1 < n ? b + 1 : b;
      joins[n + b].point_b = p->point + HTZ_LOOSE_MAX + 1;
      joins[n + b].enabled = b + 1 < n;
    }
  }
  const htz_status st = htz_network_add_joins(s->net, 2 * (size_t)n, joins, arena);
  if (st) {
    return st;
  }
  for (uint32_t i = 0; i < HTZ_LOOSE_MAX; ++i) {
    htz_network_wake(s->net, p->loose[i].node, false);
  }
  htz_network_wake(s->net, p->screw_node, false);
  // As built, until told otherwise.
  const htz_influence built = {.bridge_gap = d->loose[HTZ_LOOSE_BRIDGE].gap,
                               .bridge_mass = 1.0,
                               .rattle_gap = (double)NAN,
                               .rattle_mass = 1.0,
                               .rattle_at = (double)NAN,
                               .screw_mass = 1.0,
                               .screw_at = (double)NAN,
                               .rubber_loss = 1.0,
                               .rubber_at = (double)NAN};
  p->resting = true;
  htz_prepared_influence(s, &built);
  htz_prepared_rest(s);
  return HTZ_OK;
}
