#include "prepared.h"

#include <math.h>
#include <string.h>

static bool loose_good(const htz_loose_desc* d) {
  return d->mass > 0.0 && isfinite(d->gap) && d->spring_hz >= 0.0 && d->damping >= 0.0 && d->gravity >= 0.0 &&
         (d->spring_hz > 0.0 || d->gravity > 0.0) && d->stiffness > 0.0 && d->exponent >= 1.0 && d->viscosity >= 0.0;
}

static bool good(const modal_island* s, const htz_prepared_thing* t) {
  if (t->n_bodies == 0 || t->n_bodies > HTZ_ISLAND_UNISON_MAX ||
      t->body + t->n_bodies > htz_modal_island_in_network(&s->desc)) {
    return false;
  }
  for (uint32_t b = 0; b < t->n_bodies; ++b) {
    if (htz_modal_body(s->desc.bodies[t->body + b])->n_points <= t->point) {
      return false;
    }
  }
  switch (t->kind) {
  case HTZ_PREPARED_SCREW:
    return t->as.screw.mass > 0.0;
  case HTZ_PREPARED_RUBBER:
    return t->as.rubber.damping >= 0.0 && t->as.rubber.stiffness >= 0.0;
  default:
    return loose_good(&t->as.loose);
  }
}

/** The next gesture of the island, on the bodies of `t`. */
static void add(modal_island* s, gesture* g, const gesture_class* cls, const htz_prepared_thing* t, const network_plan* plan) {
  g->cls = cls;
  g->island = s;
  g->body = t->body;
  g->n_bodies = t->n_bodies;
  g->point = t->point;
  g->contact = (uint32_t)plan->n_contacts;
  g->join = (uint32_t)plan->n_joins;
  s->gestures[s->n_gestures++] = g;
}

static htz_status add_loose(modal_island* s, const htz_prepared_thing* t, double rate_hz, htz_arena* arena,
                            network_plan* plan) {
  const htz_loose_desc* d = &t->as.loose;
  const htz_mass_desc mass = {.mass = d->mass};
  loose* l = htz_arena_alloc(arena, 1, sizeof *l);
  const htz_status st = l ? htz_mass_new(&mass, rate_hz, arena, &l->body) : HTZ_NO_MEMORY;
  if (st) {
    return st;
  }
  add(s, &l->base, &htz_gesture_loose, t, plan);
  memcpy(l->control, t->control, sizeof l->control);
  l->desc = *d;
  l->at = l->at_wanted = d->at;
  l->gap_wanted = d->gap;
  l->node = htz_plan_body(plan, l->body, false);
  for (uint32_t b = 0; b < l->base.n_bodies; ++b) {
    l->gap[b] = d->gap;
    htz_modal_place_xy(body_on(&l->base, b), l->base.point, d->at, d->at_y);
    const htz_contact_desc contact = {.law = {.cls = &htz_law_hunt_crossley, .p = {d->stiffness, d->exponent, d->viscosity}},
                                      .body_a = l->node,
                                      .body_b = l->base.body + b,
                                      .point_b = l->base.point,
                                      .direction = -1.0,
                                      .gap = d->gap,
                                      .enabled = true};
    htz_plan_contact(plan, &contact);
  }
  return HTZ_OK;
}

static htz_status add_screw(modal_island* s, const htz_prepared_thing* t, double rate_hz, htz_arena* arena,
                            network_plan* plan) {
  const htz_screw_desc* d = &t->as.screw;
  const htz_mass_desc mass = {.mass = d->mass};
  screw* w = htz_arena_alloc(arena, 1, sizeof *w);
  const htz_status st = w ? htz_mass_new(&mass, rate_hz, arena, &w->body) : HTZ_NO_MEMORY;
  if (st) {
    return st;
  }
  add(s, &w->base, &htz_gesture_screw, t, plan);
  memcpy(w->control, t->control, sizeof w->control);
  w->desc = *d;
  w->at = w->at_wanted = d->at;
  w->node = htz_plan_body(plan, w->body, false);
  for (uint32_t b = 0; b < w->base.n_bodies; ++b) {
    const htz_join_desc join = {.body_a = w->base.body + b, .point_a = w->base.point, .body_b = w->node, .rigid = true};
    htz_modal_place(body_on(&w->base, b), w->base.point, d->at);
    htz_plan_join(plan, &join);
  }
  return HTZ_OK;
}

static htz_status add_rubber(modal_island* s, const htz_prepared_thing* t, htz_arena* arena, network_plan* plan) {
  const htz_rubber_desc* d = &t->as.rubber;
  rubber* r = htz_arena_alloc(arena, 1, sizeof *r);
  htz_body* ground;
  const htz_status st = r ? htz_barrier_new(arena, &ground) : HTZ_NO_MEMORY;
  if (st) {
    return st;
  }
  add(s, &r->base, &htz_gesture_rubber, t, plan);
  memcpy(r->control, t->control, sizeof r->control);
  r->desc = *d;
  r->at = r->at_wanted = d->at;
  const uint32_t node = htz_plan_body(plan, ground, true);
  const uint32_t n = r->base.n_bodies, point = r->base.point;
  for (uint32_t b = 0; b < n; ++b) {
    const uint32_t on = r->base.body + b;
    htz_join_desc join = {.body_a = on, .point_a = point, .body_b = node, .enabled = true};
    if (d->between && n > 1) {
      // A chain of neighbours; the last has no next one, and stays as it is: there is one rubber fewer than strings.
      join.body_b = b + 1 < n ? on + 1 : on;
      join.point_b = point;
      join.enabled = b + 1 < n;
    }
    htz_modal_place(body_on(&r->base, b), point, d->at);
    htz_plan_join(plan, &join);
  }
  return HTZ_OK;
}

htz_status htz_prepared_new(modal_island* s, double rate_hz, htz_arena* arena, network_plan* plan) {
  htz_status st = s->desc.prepared.n <= HTZ_PREPARED_MAX ? HTZ_OK : HTZ_BAD_VALUE;
  for (uint32_t i = 0; i < s->desc.prepared.n && !st; ++i) {
    const htz_prepared_thing* t = &s->desc.prepared.things[i];
    st = !good(s, t)                      ? HTZ_BAD_VALUE
         : t->kind == HTZ_PREPARED_SCREW  ? add_screw(s, t, rate_hz, arena, plan)
         : t->kind == HTZ_PREPARED_RUBBER ? add_rubber(s, t, arena, plan)
                                          : add_loose(s, t, rate_hz, arena, plan);
  }
  return st;
}
