#include "links.h"

static bool needed(const htz_modal_island_desc* d) {
  bool any = d->n_link_joins + d->n_link_contacts > 0;
  for (uint32_t f = 0; f < d->n_feeds; ++f) {
    any = any || d->feeds[f].to < htz_modal_island_in_network(d);
  }
  return any;
}

/** Body `index` of the description in the network: the ground once one is needed. */
static uint32_t node_of(uint32_t index, uint32_t ground) {
  return index == HTZ_LINK_GROUND ? ground : index;
}

static link_end end_of(const modal_island* s, uint32_t body, uint32_t point) {
  const htz_modal_island_desc* d = &s->desc;
  bool joined = d->prepared.n > 0;
  for (uint32_t i = 0; i < d->n_link_joins; ++i) {
    joined = joined || d->link_joins[i].body_a == body || d->link_joins[i].body_b == body;
  }
  return (link_end){.body = body == HTZ_LINK_GROUND ? NULL : d->bodies[body], .point = point, .joined = joined};
}

static bool good_end(const htz_modal_island_desc* d, uint32_t body, uint32_t point) {
  return body == HTZ_LINK_GROUND ? point == 0
                                 : body < htz_modal_island_in_network(d) && point < htz_modal_body(d->bodies[body])->n_points;
}

static bool valid(const htz_modal_island_desc* d) {
  bool good = d->n_link_joins <= HTZ_ISLAND_LINKS_MAX && d->n_link_contacts <= HTZ_ISLAND_CONTACTS_MAX;
  for (uint32_t i = 0; i < d->n_link_joins && good; ++i) {
    const htz_join_desc* j = &d->link_joins[i];
    good = good_end(d, j->body_a, j->point_a) && good_end(d, j->body_b, j->point_b);
  }
  for (uint32_t i = 0; i < d->n_link_contacts && good; ++i) {
    const htz_contact_desc* c = &d->link_contacts[i];
    good = good_end(d, c->body_a, c->point_a) && good_end(d, c->body_b, c->point_b);
  }
  for (uint32_t f = 0; f < d->n_feeds && good; ++f) {
    const htz_feed* feed = &d->feeds[f];
    good = feed->from != feed->to &&
           (feed->to >= htz_modal_island_in_network(d) || feed->from < htz_modal_island_in_network(d)) &&
           feed->point < htz_modal_body(d->bodies[feed->to])->n_points;
  }
  return good;
}

static void add_links(links* l, modal_island* s, uint32_t ground, network_plan* plan) {
  const htz_modal_island_desc* d = &s->desc;
  for (uint32_t i = 0; i < d->n_link_joins; ++i) {
    htz_join_desc join = d->link_joins[i];
    join.body_a = node_of(join.body_a, ground);
    join.body_b = node_of(join.body_b, ground);
    htz_plan_join(plan, &join);
  }
  for (uint32_t i = 0; i < d->n_link_contacts; ++i) {
    htz_contact_desc contact = d->link_contacts[i];
    const double shape = d->link_shapes ? d->link_shapes[i] : 0.0, built = contact.gap - shape;
    contact.gap = built + shape;
    l->contacts[l->n_contacts++] =
        (link_contact){.end = {end_of(s, contact.body_a, contact.point_a), end_of(s, contact.body_b, contact.point_b)},
                       .one_sided = contact.law.cls->one_sided,
                       .gap_by = d->link_gaps ? d->link_gaps[i] : (htz_moved_by){0, 0},
                       .built = built,
                       .shape = shape,
                       .gap = contact.gap,
                       .wanted = contact.gap};
    l->along = l->along || contact.whole_steps;
    contact.body_a = node_of(contact.body_a, ground);
    contact.body_b = node_of(contact.body_b, ground);
    htz_plan_contact(plan, &contact);
  }
}

static bool gaps_move(const links* l) {
  bool any = false;
  for (uint32_t i = 0; i < l->n_contacts; ++i) {
    any = any || l->contacts[i].gap_by.kind || l->contacts[i].gap_by.own;
  }
  return any;
}

htz_status htz_links_new(modal_island* s, htz_arena* arena, network_plan* plan) {
  const htz_modal_island_desc* d = &s->desc;
  if (!needed(d)) {
    return HTZ_OK;
  }
  if (!valid(d)) {
    return HTZ_BAD_VALUE;
  }
  links* l = htz_arena_alloc(arena, 1, sizeof *l);
  htz_body* wall;
  const htz_status st = htz_barrier_new(arena, &wall);
  if (!l || st) {
    return HTZ_NO_MEMORY;
  }
  l->contacts = htz_arena_alloc(arena, d->n_link_contacts + 1, sizeof *l->contacts);
  l->within = htz_arena_alloc(arena, d->n_link_contacts + 1, sizeof *l->within);
  if (!l->contacts || !l->within) {
    return HTZ_NO_MEMORY;
  }
  l->base.island = s;
  l->base.n_bodies = htz_modal_island_in_network(d);
  l->base.contact = (uint32_t)plan->n_contacts;
  l->base.join = (uint32_t)plan->n_joins;
  l->n_joins = d->n_link_joins;
  add_links(l, s, htz_plan_body(plan, wall, true), plan);
  for (uint32_t f = 0; f < d->n_feeds; ++f) {
    const htz_feed* feed = &d->feeds[f];
    if (feed->to < htz_modal_island_in_network(d)) {
      l->feeds[l->n_feeds++] = (link_feed){d->bodies[feed->from], d->bodies[feed->to], feed->pickup, feed->point};
    }
  }
  l->base.cls = gaps_move(l) ? (l->n_feeds ? &htz_gesture_moved_feeds : &htz_gesture_moved_links)
                : l->n_feeds ? &htz_gesture_feeds
                : l->along   ? &htz_gesture_links_along
                             : &htz_gesture_links;
  s->tied = htz_links_tie(l);
  s->gestures[s->n_gestures++] = &l->base;
  return HTZ_OK;
}
