#include "mallets.h"

#include "departed.h"

#include <math.h>

/*
   A pool of mallets, and the gesture that throws them so that they fly off.
*/

double htz_mallet_nearest(const mallet_pool* p, uint32_t i) {
  double eta = -HUGE_VAL;
  for (uint32_t b = 0; b < p->base.n_bodies; ++b) {
    const double e = htz_network_penetration(p->base.island->net, mallet_contact(p, i, b));
    eta = p->mallets[i].skipped >> b & 1u || e < eta ? eta : e;
  }
  return eta;
}

void htz_mallet_retire(mallet_pool* p, uint32_t i) {
  htz_network* net = p->base.island->net;
  const htz_body* ball = p->mallets[i].body;
  // One that has sunk with what it lies on counts less than nothing; without it there is so much more energy, which who takes it away gives.
  const double sunk = ball->cls->energy(ball);
  p->base.work -= sunk < 0.0 ? sunk : 0.0;
  for (uint32_t b = 0; b < p->base.n_bodies; ++b) {
    htz_network_disable(net, mallet_contact(p, i, b));
  }
  htz_network_wake(net, p->mallets[i].node, false);
  p->mallets[i].flying = false;
  --p->flying;
}

bool htz_mallet_wanted(const mallet_pool* p, const htz_strike* strike) {
  return p->n > 0 && strike->gesture != HTZ_EXCITE_BOW && strike->speed > 0.0 && strike->mass > 0.0 && strike->stiffness > 0.0;
}

uint32_t htz_mallet_free(const mallet_pool* p) {
  uint32_t i = 0;
  while (i < p->n && p->mallets[i].flying) {
    ++i;
  }
  return i;
}

uint32_t htz_mallet_reuse(mallet_pool* p) {
  uint32_t farthest = 0;
  double least = HUGE_VAL;
  for (uint32_t i = 0; i < p->n; ++i) {
    const double eta = htz_mallet_nearest(p, i);
    if (eta < least) {
      least = eta;
      farthest = i;
    }
  }
  ++p->base.island->reused;
  htz_mallet_retire(p, farthest);
  return farthest;
}

static htz_law law_of(const htz_strike* s) {
  if (s->hysteresis > 0.0) {
    return (htz_law){.cls = &htz_law_stulov, .p = {s->stiffness, s->exponent, s->hysteresis, s->relaxation}};
  }
  if (s->core > 0.0) {
    return (htz_law){.cls = &htz_law_wound,
                     .p = {s->stiffness, s->exponent, s->viscosity, s->core, s->core_exponent, s->depth}};
  }
  return (htz_law){.cls = &htz_law_hunt_crossley, .p = {s->stiffness, s->exponent, s->viscosity}};
}

static htz_modal* body_of(const mallet_pool* p, uint32_t b) {
  return p->base.island->desc.bodies[p->base.body + b];
}

/** How far body `b` is behind the first that the face of mallet `m` meets when all are level [m]. */
static double behind(const mallet_pool* p, const mallet* m, uint32_t b) {
  if (p->base.n_bodies < 2) {
    return 0.0;
  }
  const double share = (double)b / (double)(p->base.n_bodies - 1);
  return m->tilt > 0.0 ? m->tilt * share : -m->tilt * (1.0 - share);
}

double htz_mallet_aim(mallet_pool* p, uint32_t i, const htz_strike* strike) {
  mallet* m = &p->mallets[i];
  m->skipped = strike->skipped;
  double surface = HUGE_VAL;
  for (uint32_t b = 0; b < p->base.n_bodies; ++b) {
    htz_body* body = htz_modal_body(body_of(p, b));
    htz_modal_place_xy(body_of(p, b), p->base.point + i, strike->at, strike->at_y);
    const double u = body->cls->displacement(body, p->base.point + i) + behind(p, m, b);
    surface = m->skipped >> b & 1u || u > surface ? surface : u;
  }
  if (surface == HUGE_VAL) {
    return surface;
  }
  // A pin comes up from where the body is at rest, unless that is on its way down to meet it.
  surface = strike->lift > 0.0 && surface > 0.0 ? 0.0 : surface;
  m->lift = strike->lift;
  htz_mass_set(m->body, strike->mass);
  m->body->cls->set_motion(m->body, surface, strike->speed);
  m->age = 0.0;
  return surface;
}

void htz_mallet_throw(mallet_pool* p, uint32_t i, const htz_strike* strike) {
  htz_network* net = p->base.island->net;
  mallet* m = &p->mallets[i];
  const htz_law law = law_of(strike);
  m->flying = true;
  ++p->flying;
  htz_network_wake(net, m->node, true);
  for (uint32_t b = 0; b < p->base.n_bodies; ++b) {
    if (!(m->skipped >> b & 1u)) {
      htz_network_enable(net, mallet_contact(p, i, b), &law);
    }
  }
}

/** Displacement of the first body that a mallet can meet, at its place [m]. */
static double met_by(const mallet_pool* p, uint32_t i) {
  uint32_t b = 0;
  while (b + 1 < p->base.n_bodies && p->mallets[i].skipped >> b & 1u) {
    ++b;
  }
  const htz_body* body = htz_modal_body(body_of(p, b));
  return body->cls->displacement(body, p->base.point + i);
}

void htz_mallets_moving_bodies(gesture* g) {
  mallet_pool* p = (mallet_pool*)g;
  for (uint32_t i = 0; i < p->n; ++i) {
    p->mallets[i].met = p->mallets[i].flying ? met_by(p, i) : 0.0;
  }
}

void htz_mallets_moved_bodies(gesture* g) {
  mallet_pool* p = (mallet_pool*)g;
  for (uint32_t i = 0; i < p->n; ++i) {
    mallet* m = &p->mallets[i];
    if (m->flying) {
      const double by = met_by(p, i) - m->met;
      m->body->cls->set_motion(m->body, m->body->cls->displacement(m->body, 0) + by, m->body->cls->velocity(m->body, 0));
      m->lift += m->lift > 0.0 ? by : 0.0;
    }
  }
}

void htz_mallets_age(mallet_pool* p, double seconds) {
  for (uint32_t i = 0; i < p->n; ++i) {
    p->mallets[i].age += p->mallets[i].flying ? seconds : 0.0;
  }
}

/** A pin lets go where it has lifted the body to; what the contact then still stores, it keeps. */
static bool lets_go(const mallet* m) {
  return m->body->cls->displacement(m->body, 0) >= m->lift || m->age > departed_pressing_s;
}

void htz_mallets_retire_departed(mallet_pool* p) {
  for (uint32_t i = 0; i < p->n; ++i) {
    const mallet* m = &p->mallets[i];
    if (!m->flying) {
      continue;
    }
    const double eta = htz_mallet_nearest(p, i);
    if (m->lift > 0.0 ? eta < -departed_gap_m || lets_go(m) : departed(eta, eta > 0.0, m->age)) {
      htz_mallet_retire(p, i);
    }
  }
}

void htz_mallets_reset(gesture* g) {
  mallet_pool* p = (mallet_pool*)g;
  for (uint32_t i = 0; i < p->n; ++i) {
    if (p->mallets[i].flying) {
      htz_mallet_retire(p, i);
    }
    p->mallets[i].body->cls->reset(p->mallets[i].body);
  }
}

// Mallets that fly off.

static void throw_start(gesture* g, const htz_strike* strike) {
  mallet_pool* p = (mallet_pool*)g;
  if (!htz_mallet_wanted(p, strike)) {
    return;
  }
  uint32_t i = htz_mallet_free(p);
  i = i < p->n ? i : htz_mallet_reuse(p);
  p->mallets[i].tilt = strike->tilt;
  for (uint32_t b = 0; b < g->n_bodies; ++b) {
    htz_network_set_gap(g->island->net, mallet_contact(p, i, b), behind(p, &p->mallets[i], b));
  }
  if (htz_mallet_aim(p, i, strike) < HUGE_VAL) {
    htz_mallet_throw(p, i, strike);
  }
}

static bool throw_busy(const gesture* g) {
  return ((const mallet_pool*)g)->flying > 0;
}

static bool throw_clear(gesture* g) {
  return ((const mallet_pool*)g)->flying == 0;
}

static void throw_sampled(gesture* g) {
  mallet_pool* p = (mallet_pool*)g;
  if (p->flying) {
    htz_mallets_age(p, g->island->period);
    htz_mallets_retire_departed(p);
  }
}

const gesture_class htz_gesture_throw = {.name = "throw",
                                         .start = throw_start,
                                         .busy = throw_busy,
                                         .holds = throw_busy,
                                         .sampled = throw_sampled,
                                         .moving_bodies = htz_mallets_moving_bodies,
                                         .moved_bodies = htz_mallets_moved_bodies,
                                         .clear = throw_clear,
                                         .reset = htz_mallets_reset};
