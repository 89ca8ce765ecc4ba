#include "bow.h"

#include <math.h>

static htz_status add_bow(modal_island* s, uint32_t index, uint32_t point, htz_arena* arena, network_plan* plan) {
  const htz_bow_desc* d = &s->desc.bows[index];
  bow* w = htz_arena_alloc(arena, 1, sizeof *w);
  if (!w) {
    return HTZ_NO_MEMORY;
  }
  w->base = (gesture){.cls = &htz_gesture_bow, .island = s, .body = d->body, .point = point};
  w->base.n_bodies = d->n_bodies ? d->n_bodies : s->desc.n_struck;
  w->index = index;
  w->friction = (uint32_t)plan->n_frictions;
  w->motion = bow_motion_at_rest(s->period);
  for (uint32_t b = 0; b < w->base.n_bodies; ++b) {
    const htz_friction_link_desc link = {
        .law = d->law, .body = d->body + b, .point = {point, point + 1}, .twist = d->twist, .spring = d->spring};
    htz_plan_friction(plan, &link);
  }
  s->gestures[s->n_gestures++] = &w->base;
  return HTZ_OK;
}

static htz_status add_finger(modal_island* s, uint32_t point, htz_arena* arena, network_plan* plan) {
  finger* f = htz_arena_alloc(arena, 1, sizeof *f);
  htz_body* ground;
  if (!f || htz_barrier_new(arena, &ground)) {
    return HTZ_NO_MEMORY;
  }
  const uint32_t node = htz_plan_body(plan, ground, true);
  f->base = (gesture){.cls = &htz_gesture_finger,
                      .island = s,
                      .n_bodies = htz_modal_island_played(&s->desc),
                      .point = point,
                      .join = (uint32_t)plan->n_joins};
  for (uint32_t b = 0; b < f->base.n_bodies; ++b) {
    f->damping[b] = s->desc.finger[b];
  }
  f->touch = bow_rates_at(s->period).touch;
  f->wanted = f->at = (double)NAN;
  for (uint32_t b = 0; b < f->base.n_bodies; ++b) {
    const htz_join_desc hold = {.body_a = b, .point_a = point, .body_b = node, .enabled = true};
    htz_plan_join(plan, &hold);
  }
  s->gestures[s->n_gestures++] = &f->base;
  return HTZ_OK;
}

uint32_t htz_bows_point(const htz_modal_island_desc* desc, uint32_t index) {
  return desc->n_mallets + index * HTZ_BOW_POINTS;
}

htz_status htz_bows_new(modal_island* s, htz_arena* arena, network_plan* plan) {
  htz_status st = HTZ_OK;
  for (uint32_t i = 0; i < s->desc.n_bows && !st; ++i) {
    st = add_bow(s, i, htz_bows_point(&s->desc, i), arena, plan);
  }
  return st || !htz_modal_island_fingered(&s->desc) ? st : add_finger(s, htz_bows_point(&s->desc, s->desc.n_bows), arena, plan);
}
