#include "stay.h"

htz_status htz_mallets_add(mallet_pool* p, modal_island* s, double rate_hz, htz_arena* arena, network_plan* plan) {
  p->n = s->desc.n_mallets;
  p->mallets = htz_arena_alloc(arena, p->n, sizeof *p->mallets);
  if (!p->mallets) {
    return HTZ_NO_MEMORY;
  }
  p->base.island = s;
  p->base.n_bodies = s->desc.n_struck;
  p->base.contact = (uint32_t)plan->n_contacts;
  for (uint32_t i = 0; i < p->n; ++i) {
    const htz_mass_desc unit = {.mass = 1.0}; // every strike brings its own mass
    const htz_status st = htz_mass_new(&unit, rate_hz, arena, &p->mallets[i].body);
    if (st) {
      return st;
    }
    p->mallets[i].node = htz_plan_body(plan, p->mallets[i].body, false);
    for (uint32_t b = 0; b < p->base.n_bodies; ++b) {
      const htz_contact_desc contact = {.law = {.cls = &htz_law_hunt_crossley, .p = {1.0, 1.0, 0.0}},
                                        .body_a = p->mallets[i].node,
                                        .body_b = b,
                                        .point_b = i,
                                        .direction = 1.0};
      htz_plan_contact(plan, &contact);
    }
  }
  s->pool = p;
  s->gestures[s->n_gestures++] = &p->base;
  return HTZ_OK;
}

htz_status htz_throw_new(modal_island* s, double rate_hz, htz_arena* arena, network_plan* plan) {
  mallet_pool* p = htz_arena_alloc(arena, 1, sizeof *p);
  if (!p) {
    return HTZ_NO_MEMORY;
  }
  p->base.cls = &htz_gesture_throw;
  return htz_mallets_add(p, s, rate_hz, arena, plan);
}

htz_status htz_stay_new(modal_island* s, double rate_hz, htz_arena* arena, network_plan* plan) {
  stay* t = htz_arena_alloc(arena, 1, sizeof *t);
  if (!t) {
    return HTZ_NO_MEMORY;
  }
  t->pool.base.cls = &htz_gesture_stay;
  t->desc = s->desc.stay;
  t->control = stay_control_at(s->period);
  return htz_mallets_add(&t->pool, s, rate_hz, arena, plan);
}
