#include "bow.h"

#include <math.h>

static bow* bow_of(gesture* g) {
  return (bow*)g;
}

static const bow* bow_of_const(const gesture* g) {
  return (const bow*)g;
}

static htz_modal* body_under(const gesture* g, uint32_t b) {
  return g->island->desc.bodies[g->body + b];
}

// The bow.

static void put(const bow* w, uint32_t which) {
  const htz_bow_desc* desc = &w->base.island->desc.bows[w->index];
  const double along_rim = 1.0, on = w->motion.at + w->turned;
  const double at = desc->rim > 0.0 ? on - floor(on) : on, at_y = desc->rim > 0.0 ? along_rim : desc->at_y;
  for (uint32_t b = 0; b < w->base.n_bodies; ++b) {
    htz_modal_place_xy(body_under(&w->base, b), w->base.point + which, at, at_y);
  }
}

/** How far round the rim it is drawn in `frames`, as a share of the way: no farther than half. */
static double round_in(const bow* w, uint32_t frames) {
  static const double most = 0.5;
  const double rim = w->base.island->desc.bows[w->index].rim;
  const double way = rim > 0.0 ? w->motion.speed * frames * w->base.island->period / rim : 0.0;
  return way > most ? most : way < -most ? -most : way;
}

/** A note that is bowed sets it on, a bow at rest, a wheel as it turns; speed and force come with the influence. Any other one lifts it. */
static void bow_start(gesture* g, const htz_strike* strike) {
  bow* w = bow_of(g);
  if (strike->gesture != HTZ_EXCITE_BOW) {
    w->motion.on = false;
    return;
  }
  bow_set_on(&w->motion, g->island->desc.bows[w->index].turns ? w->motion.wanted.speed : 0.0);
}

static void bow_influence(gesture* g, const htz_influence* influence) {
  bow* w = bow_of(g);
  bow_follow(&w->motion, &influence->bow[w->index], influence->held);
}

static bool bow_busy(const gesture* g) {
  return bow_lies(&bow_of_const(g)->motion);
}

static bool bow_clear(gesture* g) {
  return !bow_lies(&bow_of(g)->motion);
}

/** Where it went to is where it is. */
static void arrive(bow* w) {
  if (w->way_step > 0.0) {
    w->here = 1 - w->here;
    w->way = 0.0;
    w->way_step = 0.0;
  }
}

/** For the next samples: it goes some way towards where it is wanted. */
static void bow_before(gesture* g, uint32_t frames) {
  bow* w = bow_of(g);
  arrive(w);
  if (!bow_lies(&w->motion)) {
    w->motion.at = (double)NAN; // the next stroke may start anywhere
    return;
  }
  const double wanted = isnan(g->island->desc.bows[w->index].at_y) ? bow_wanted_at(w->motion.wanted.at)
                                                                   : 1.0 - bow_wanted_at(w->motion.wanted.at);
  if (isnan(w->motion.at)) {
    w->motion.at = wanted;
    w->turned = 0.0;
    put(w, w->here);
  }
  const double way = bow_slip(w->motion.at, wanted, frames), round = round_in(w, frames);
  if (way != 0.0 || round != 0.0) {
    w->motion.at += way;
    w->turned += round;
    w->turned -= floor(w->turned);
    put(w, 1 - w->here);
    w->way_step = 1.0 / frames;
  }
}

static void bow_sample(gesture* g) {
  bow* w = bow_of(g);
  if (!bow_lies(&w->motion)) {
    return;
  }
  const double force = bow_step(&w->motion);
  w->way += w->way_step;
  const double second = w->here ? 1.0 - w->way : w->way;
  for (uint32_t b = 0; b < g->n_bodies; ++b) {
    htz_network_rub(g->island->net, w->friction + b, w->motion.speed, force / g->n_bodies, second);
  }
}

static void bow_sampled(gesture* g) {
  const bow* w = bow_of(g);
  g->work = 0.0;
  for (uint32_t b = 0; b < g->n_bodies; ++b) {
    g->work += htz_network_friction(g->island->net, w->friction + b)->work;
  }
}

static void bow_reset(gesture* g) {
  bow* w = bow_of(g);
  bow_take_off(&w->motion);
  w->way = w->way_step = 0.0;
  for (uint32_t b = 0; b < g->n_bodies; ++b) {
    htz_network_rub(g->island->net, w->friction + b, 0.0, 0.0, 0.0);
  }
}

const gesture_class htz_gesture_bow = {.name = "bow",
                                       .start = bow_start,
                                       .influence = bow_influence,
                                       .busy = bow_busy,
                                       .holds = bow_busy,
                                       .before = bow_before,
                                       .sample = bow_sample,
                                       .sampled = bow_sampled,
                                       .clear = bow_clear,
                                       .reset = bow_reset};

// The finger.

static finger* finger_of(gesture* g) {
  return (finger*)g;
}

static const finger* finger_of_const(const gesture* g) {
  return (const finger*)g;
}

static void finger_influence(gesture* g, const htz_influence* influence) {
  finger_of(g)->wanted = influence->finger;
}

static bool finger_holds(const gesture* g) {
  return finger_of_const(g)->pressed > 0.0 || !isnan(finger_of_const(g)->wanted);
}

static bool finger_clear(gesture* g) {
  return !finger_holds(g);
}

static void finger_sample(gesture* g) {
  finger* f = finger_of(g);
  // One that is wanted elsewhere leaves the bodies first.
  const bool there = f->at == f->wanted;
  if (f->pressed == 0.0 && !there) {
    f->at = f->wanted;
    for (uint32_t b = 0; b < g->n_bodies && !isnan(f->at); ++b) {
      htz_modal_place(body_under(g, b), g->point, f->at);
    }
  }
  const double pressed = bow_press(f->pressed, there && !isnan(f->at) ? f->touch : -f->touch);
  if (pressed != f->pressed) {
    f->pressed = pressed;
    for (uint32_t b = 0; b < g->n_bodies; ++b) {
      htz_network_set_join(g->island->net, g->join + b, 0.0, pressed * f->damping[b]);
    }
  }
}

static void finger_reset(gesture* g) {
  finger* f = finger_of(g);
  f->pressed = 0.0;
  f->at = f->wanted = (double)NAN;
  for (uint32_t b = 0; b < g->n_bodies; ++b) {
    htz_network_set_join(g->island->net, g->join + b, 0.0, 0.0);
  }
}

const gesture_class htz_gesture_finger = {.name = "finger",
                                          .influence = finger_influence,
                                          .holds = finger_holds,
                                          .sample = finger_sample,
                                          .clear = finger_clear,
                                          .reset = finger_reset};

// For tests and listings.

void htz_modal_island_bow(const htz_island* island, uint32_t index, double* speed, double* force, double* at) {
  const modal_island* s = (const modal_island*)island;
  *speed = *force = 0.0;
  *at = (double)NAN;
  for (uint32_t i = 0; i < s->n_gestures; ++i) {
    const bow* w = bow_of_const(s->gestures[i]);
    if (s->gestures[i]->cls == &htz_gesture_bow && w->index == index) {
      *speed = bow_lies(&w->motion) ? w->motion.speed : 0.0;
      *force = w->motion.pressed * w->motion.force;
      *at = 1.0 - w->motion.at;
    }
  }
}
