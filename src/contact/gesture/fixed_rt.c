#include "prepared.h"

/*
   Screws and rubbers.
*/

static const double ease_share = 0.03;  // by step: a rubber that was moved rests in its new place after some 20 ms...
static const uint32_t ease_steps = 600; // ...and has nothing left to give way by after this

static void place(const gesture* g, double at) {
  for (uint32_t b = 0; b < g->n_bodies; ++b) {
    htz_modal_place(body_on(g, b), g->point, at);
  }
}

/** Where and how much of it is wanted from now on. */
static void want(gesture* g, double at, double factor, double* at_wanted, double* factor_wanted) {
  if (at != *at_wanted || factor != *factor_wanted) {
    *at_wanted = at;
    *factor_wanted = factor;
    htz_prepared_changed(g, 0.0);
  }
}

// Screws.

static screw* screw_of(gesture* g) {
  return (screw*)g;
}

static const screw* screw_of_const(const gesture* g) {
  return (const screw*)g;
}

/** It is joined to body `b`. */
static bool carries(const screw* w, uint32_t b) {
  const uint32_t n = w->base.n_bodies;
  return !w->desc.outer || n < 3 || b == 0 || b + 1 == n;
}

/** Mass and speed with which each body meets the screw. */
typedef struct {
  double own[HTZ_ISLAND_UNISON_MAX]; // 0: it does not [kg]
  double speed[HTZ_ISLAND_UNISON_MAX];
  double mass, momentum; // of all of them
} meeting;

static meeting meet(const screw* w) {
  const gesture* g = &w->base;
  meeting m = {.mass = 0.0};
  for (uint32_t b = 0; b < g->n_bodies; ++b) {
    const htz_body* body = htz_modal_body(body_on(g, b));
    const double quick = htz_modal_inverse_mass(body_on(g, b), g->point);
    m.own[b] = carries(w, b) && quick > 0.0 ? 1.0 / quick : 0.0;
    m.speed[b] = body->cls->velocity(body, g->point);
    m.momentum += m.own[b] * m.speed[b];
    m.mass += m.own[b];
  }
  return m;
}

/** The hand that moves the screw, or puts it in, gives it the speed of what it comes to. */
static void follow(screw* w) {
  const meeting m = meet(w);
  if (m.mass > 0.0) {
    w->body->cls->set_motion(w->body, displacement_of(w->body), m.momentum / m.mass);
  }
}

static void screw_in(screw* w, double factor) {
  htz_network* net = w->base.island->net;
  const bool there = factor > nothing;
  w->factor = factor;
  if (there) {
    htz_mass_set(w->body, w->desc.mass * factor);
  }
  if (there && !w->there) {
    follow(w);
  }
  if (there != w->there) {
    w->there = there;
    for (uint32_t b = 0; b < w->base.n_bodies; ++b) {
      htz_network_enable_join(net, w->base.join + b, there && carries(w, b));
    }
    htz_network_wake(net, w->node, there);
  } else {
    htz_network_refresh(net);
  }
}

static void screw_settle(gesture* g) {
  screw* w = screw_of(g);
  screw_in(w, w->factor_wanted);
  w->at = w->at_wanted;
  place(g, w->at);
  w->body->cls->set_motion(w->body, 0.0, 0.0);
}

static void screw_influence(gesture* g, const htz_influence* a) {
  screw* w = screw_of(g);
  const double at = wanted_within(htz_influence_wanted(a, w->control[HTZ_THING_AT], w->desc.at), 1.0);
  const double factor = wanted_factor(htz_influence_factor(a, w->control[HTZ_THING_FACTOR]));
  want(g, at, factor, &w->at_wanted, &w->factor_wanted);
}

static bool screw_holds(const gesture* g) {
  return screw_of_const(g)->there;
}

static double screw_moving(const gesture* g) {
  const screw* w = screw_of_const(g);
  return w->there ? w->body->cls->energy(w->body) : 0.0;
}

static bool screw_differs(const screw* w) {
  return w->factor != w->factor_wanted || w->at != w->at_wanted;
}

static bool screw_linear(const gesture* g) {
  const screw* w = screw_of_const(g);
  return w->there && !screw_differs(w) && w->factor == 1.0 && w->at == w->desc.at;
}

static uint32_t screw_stride(const gesture* g, uint32_t frames) {
  return screw_differs(screw_of_const(g)) && frames > MOVE_STEP ? MOVE_STEP : frames;
}

static void move_screw(screw* w) {
  htz_network* net = w->base.island->net;
  const double before = htz_network_energy(net);
  double factor = w->factor;
  if (step_to(&factor, w->factor_wanted, factor_step)) {
    screw_in(w, factor);
  }
  if (step_to(&w->at, w->at_wanted, place_step)) {
    place(&w->base, w->at);
    if (w->there) {
      follow(w);
    }
    htz_network_refresh(net);
  }
  w->base.work += htz_network_energy(net) - before;
}

/**
   A rigid join holds what bodies move over a step, and leaves each a velocity of its own. Brought to one speed now and then, as by a
   collision that does not bounce, they cannot swing against each other from step to step; what that takes is lost.
*/
static void unite_speeds(screw* w) {
  const double mass = w->desc.mass * w->factor;
  const double v = velocity_of(w->body);
  const meeting m = meet(w);
  const double common = (mass * v + m.momentum) / (mass + m.mass);
  w->base.lost += 0.5 * mass * (v - common) * (v - common);
  w->body->cls->set_motion(w->body, displacement_of(w->body), common);
  for (uint32_t b = 0; b < w->base.n_bodies; ++b) {
    const double change = common - m.speed[b];
    if (m.own[b] > 0.0 && change != 0.0) {
      w->base.lost += 0.5 * m.own[b] * change * change;
      htz_modal_kick(body_on(&w->base, b), w->base.point, m.own[b] * change);
    }
  }
}

static void screw_before(gesture* g, uint32_t frames) {
  screw* w = screw_of(g);
  (void)frames;
  if (screw_differs(w)) {
    move_screw(w);
  }
  if (w->there) {
    unite_speeds(w);
  }
}

static bool screw_clear(gesture* g) {
  return !screw_of(g)->there && !screw_differs(screw_of(g));
}

const gesture_class htz_gesture_screw = {.name = "screw",
                                         .influence = screw_influence,
                                         .holds = screw_holds,
                                         .linear = screw_linear,
                                         .stride = screw_stride,
                                         .before = screw_before,
                                         .clear = screw_clear,
                                         .moving = screw_moving,
                                         .settle = screw_settle};

// Rubbers.

static rubber* rubber_of(gesture* g) {
  return (rubber*)g;
}

static const rubber* rubber_of_const(const gesture* g) {
  return (const rubber*)g;
}

static void stick(rubber* r, double factor) {
  r->factor = factor;
  r->there = factor > 0.0;
  for (uint32_t b = 0; b < r->base.n_bodies; ++b) {
    htz_network_set_join(r->base.island->net, r->base.join + b, r->desc.stiffness * factor, r->desc.damping * factor);
  }
}

static void rubber_settle(gesture* g) {
  rubber* r = rubber_of(g);
  stick(r, r->factor_wanted);
  r->at = r->at_wanted;
  r->easing = 0;
  place(g, r->at);
}

static void rubber_influence(gesture* g, const htz_influence* a) {
  rubber* r = rubber_of(g);
  const double at = wanted_within(htz_influence_wanted(a, r->control[HTZ_THING_AT], r->desc.at), 1.0);
  const double factor = wanted_factor(htz_influence_factor(a, r->control[HTZ_THING_FACTOR]));
  want(g, at, factor, &r->at_wanted, &r->factor_wanted);
}

static bool rubber_holds(const gesture* g) {
  return rubber_of_const(g)->there;
}

/** Its spring's energy is among that of the network; it has none of its own. */
static double rubber_moving(const gesture* g) {
  (void)g;
  return 0.0;
}

static bool rubber_differs(const rubber* r) {
  return r->easing || r->factor != r->factor_wanted || r->at != r->at_wanted;
}

static bool rubber_linear(const gesture* g) {
  const rubber* r = rubber_of_const(g);
  return r->there && !rubber_differs(r) && r->factor == 1.0 && r->at == r->desc.at;
}

static uint32_t rubber_stride(const gesture* g, uint32_t frames) {
  return rubber_differs(rubber_of_const(g)) && frames > MOVE_STEP ? MOVE_STEP : frames;
}

static void rubber_before(gesture* g, uint32_t frames) {
  rubber* r = rubber_of(g);
  htz_network* net = g->island->net;
  (void)frames;
  if (!rubber_differs(r)) {
    return;
  }
  const double before = htz_network_energy(net);
  double factor = r->factor;
  if (step_to(&factor, r->factor_wanted, factor_step)) {
    stick(r, factor);
  }
  if (step_to(&r->at, r->at_wanted, place_step)) {
    r->easing = ease_steps;
    place(g, r->at);
    htz_network_refresh(net);
  }
  for (uint32_t b = 0; b < g->n_bodies && r->easing; ++b) {
    htz_network_ease_join(net, g->join + b, ease_share);
  }
  r->easing -= r->easing > 0;
  g->work += htz_network_energy(net) - before;
}

static bool rubber_clear(gesture* g) {
  return !rubber_of(g)->there && !rubber_differs(rubber_of(g));
}

const gesture_class htz_gesture_rubber = {.name = "rubber",
                                          .influence = rubber_influence,
                                          .holds = rubber_holds,
                                          .linear = rubber_linear,
                                          .stride = rubber_stride,
                                          .before = rubber_before,
                                          .clear = rubber_clear,
                                          .moving = rubber_moving,
                                          .settle = rubber_settle};
