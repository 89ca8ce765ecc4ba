#include "stay.h"

#include <math.h>

/*
   Mallets that stay: what acts on them, flights between touches, and when all is still.
*/

static const double two_pi = 6.28318530717958647693;
static const double lying_s = 0.02;     // no bounce stays on the body this long: what does, lies there
static const double still_speed = 1e-3; // [m/s] a hammer on its arm slower than this is at hand
static const double open_gap = 1e-12;   // [m] rounding of heights must not put a mallet into the body it is set upon

static stay* stay_of(gesture* g) {
  return (stay*)g;
}

static const stay* stay_of_const(const gesture* g) {
  return (const stay*)g;
}

static htz_network* network_of(const stay* s) {
  return s->pool.base.island->net;
}

static htz_modal* body_of(const stay* s, uint32_t b) {
  return s->pool.base.island->desc.bodies[s->pool.base.body + b];
}

/** Contact of mallet `i` with body `b`. */
static const htz_contact_account* account_of(const stay* s, uint32_t i, uint32_t b) {
  return htz_network_account(network_of(s), mallet_contact(&s->pool, i, b));
}

static double displacement_of(const mallet* m) {
  return m->body->cls->displacement(m->body, 0);
}

static double velocity_of(const mallet* m) {
  return m->body->cls->velocity(m->body, 0);
}

static bool closed(const stay* s, uint32_t i) {
  return !s->pool.base.island->flown && htz_mallet_nearest(&s->pool, i) > 0.0;
}

/** It has touched one of the bodies for long enough. */
static bool lies(const stay* s, uint32_t i) {
  double longest = 0.0;
  for (uint32_t b = 0; b < s->pool.base.n_bodies; ++b) {
    const htz_contact_account* a = account_of(s, i, b);
    const bool touches = !(s->pool.mallets[i].skipped >> b & 1u) && a->eta > 0.0;
    longest = touches && a->touch_s > longest ? a->touch_s : longest;
  }
  return closed(s, i) && longest > lying_s && s->pool.mallets[i].ball.speed == 0.0;
}

/** Mallets stay now, however old or far. */
static bool retains(const stay* s) {
  return stay_retains(&s->desc, &s->now);
}

static bool some_there(const gesture* g) {
  return stay_of_const(g)->pool.flying > 0;
}

// What acts.

/** Pull of gravity and of the arm, which hangs at rest at -now.rest, as one acceleration; the arm's spring besides. */
static void load(const stay* s, mallet* m) {
  const double omega = two_pi * s->desc.spring_hz;
  m->load.stiffness = m->load.mass * omega * omega;
  m->load.damping = 2.0 * s->desc.damping * m->load.mass * omega;
  m->load.gravity = s->now.gravity - omega * omega * s->now.rest_height;
  htz_mass_load(m->body, &m->load);
}

static void stay_influence(gesture* g, const htz_influence* influence) {
  stay* s = stay_of(g);
  const stay_wanted was = s->now;
  s->now = stay_wanted_of(&s->desc, influence);
  stay_follow(&s->control, &was, &s->now, s->pool.flying > 0);
  if (s->now.gravity == was.gravity && s->now.rest_height == was.rest_height) {
    return;
  }
  for (uint32_t i = 0; i < s->pool.n; ++i) {
    mallet* m = &s->pool.mallets[i];
    if (m->flying) {
      const double before = m->body->cls->energy(m->body);
      load(s, m);
      g->work += m->body->cls->energy(m->body) - before;
    }
  }
}

static bool stay_disturbed(const gesture* g, const htz_influence* influence) {
  const stay* s = stay_of_const(g);
  const stay_wanted now = stay_wanted_of(&s->desc, influence);
  return s->pool.flying > 0 && stay_sets_going(&s->now, &now);
}

// Rolling.

/** The profile under the ball stands still. */
static bool stands(const stay* s, const mallet* m) {
  return stay_stands(&s->control, &s->now, &m->ball);
}

// Throws.

/** What acts on mallet `i`, aimed with `strike` at a surface displaced by `surface`. */
static void burden(stay* s, uint32_t i, const htz_strike* strike, double surface) {
  mallet* m = &s->pool.mallets[i];
  m->height = 0.0;
  m->load = (htz_mass_desc){.mass = strike->mass};
  load(s, m);
  htz_mass_push(m->body, 0.0);
  if (s->desc.rolls) {
    m->height = stay_set_rolling(&s->control, &s->desc, &s->now, &m->ball, i, strike->travel);
    m->body->cls->set_motion(m->body, surface + m->height - open_gap, strike->speed);
  }
  for (uint32_t b = 0; b < s->pool.base.n_bodies; ++b) {
    htz_network_set_gap(network_of(s), mallet_contact(&s->pool, i, b), m->height);
  }
  // Its potential energy there (gravity, the arm) is external work.
  s->pool.base.work += m->body->cls->energy(m->body) - 0.5 * strike->mass * strike->speed * strike->speed;
}

/** A mallet that lies or hangs still; n when there is none. */
static uint32_t at_hand(const stay* s) {
  for (uint32_t i = 0; i < s->pool.n; ++i) {
    const mallet* m = &s->pool.mallets[i];
    const bool hangs = s->desc.spring_hz > 0.0 && !closed(s, i) && fabs(velocity_of(m)) < still_speed;
    if (m->flying && (lies(s, i) || hangs)) {
      return i;
    }
  }
  return s->pool.n;
}

static uint32_t pick(stay* s) {
  if (s->pool.flying) {
    htz_modal_island_sync(s->pool.base.island);
    const uint32_t still = at_hand(s);
    if (still < s->pool.n) {
      htz_mallet_retire(&s->pool, still);
      return still;
    }
  }
  const uint32_t i = htz_mallet_free(&s->pool);
  return i < s->pool.n ? i : htz_mallet_reuse(&s->pool);
}

static void stay_start(gesture* g, const htz_strike* strike) {
  stay* s = stay_of(g);
  if (!htz_mallet_wanted(&s->pool, strike)) {
    return;
  }
  const uint32_t i = pick(s);
  const double surface = htz_mallet_aim(&s->pool, i, strike);
  if (surface < HUGE_VAL) {
    burden(s, i, strike, surface);
    htz_mallet_throw(&s->pool, i, strike);
  }
}

// Sample by sample.

static void stay_sample(gesture* g) {
  stay* s = stay_of(g);
  if (s->pool.flying == 0) {
    return;
  }
  stay_step(&s->control, &s->desc, &s->now);
  for (uint32_t i = 0; i < s->pool.n; ++i) {
    mallet* m = &s->pool.mallets[i];
    if (!m->flying) {
      continue;
    }
    htz_mass_push(m->body, s->control.force);
    m->from = displacement_of(m);
    if (s->desc.rolls) {
      m->height = stay_roll(&s->control, &s->desc, &s->now, &m->ball, g->island->period);
      for (uint32_t b = 0; b < g->n_bodies; ++b) {
        htz_network_move_gap(network_of(s), mallet_contact(&s->pool, i, b), m->height);
      }
    }
  }
}

static void retire_departed(stay* s) {
  if (!retains(s)) {
    htz_mallets_retire_departed(&s->pool);
  }
}

static void stay_sampled(gesture* g) {
  stay* s = stay_of(g);
  if (s->pool.flying == 0) {
    return;
  }
  for (uint32_t i = 0; i < s->pool.n && s->control.force != 0.0; ++i) {
    const mallet* m = &s->pool.mallets[i];
    g->work += m->flying ? s->control.force * (displacement_of(m) - m->from) : 0.0;
  }
  htz_mallets_age(&s->pool, g->island->period);
  retire_departed(s);
}

// By the quantum.

/** The bodies' surface at mallet `i` never comes nearer than this, whatever their modes do with their energy [m]. */
static double reach(const stay* s, uint32_t i) {
  double farthest = 0.0;
  for (uint32_t b = 0; b < s->pool.base.n_bodies; ++b) {
    const double r = htz_flight_reach(body_of(s, b), s->pool.base.point + i);
    farthest = r > farthest ? r : farthest;
  }
  return farthest;
}

static bool stay_clear(gesture* g) {
  stay* s = stay_of(g);
  for (uint32_t i = 0; i < s->pool.n; ++i) {
    const mallet* m = &s->pool.mallets[i];
    if (m->flying && (closed(s, i) || (s->desc.rolls && !stands(s, m)))) {
      return false;
    }
  }
  double force[HTZ_QUANTUM];
  double gain = s->control.gain;
  for (uint32_t i = 0; i < HTZ_QUANTUM && s->pool.flying; ++i) {
    gain = stay_next_gain(&s->control, &s->now, gain);
    force[i] = stay_drive_at(&s->now, s->control.driven + i, gain);
  }
  for (uint32_t i = 0; i < s->pool.n; ++i) {
    mallet* m = &s->pool.mallets[i];
    if (!m->flying) {
      continue;
    }
    if (!htz_flight_plan(m->body, 1.0, m->height - reach(s, i), g->island->period, force, &m->flight)) {
      return false;
    }
  }
  return true;
}

static void stay_fly(gesture* g) {
  stay* s = stay_of(g);
  if (s->pool.flying == 0) {
    return;
  }
  for (uint32_t i = 0; i < s->pool.n; ++i) {
    mallet* m = &s->pool.mallets[i];
    if (m->flying) {
      htz_flight_take(m->body, &m->flight);
      g->work += m->flight.work;
    }
  }
  for (uint32_t i = 0; i < HTZ_QUANTUM; ++i) {
    s->control.gain = stay_next_gain(&s->control, &s->now, s->control.gain);
  }
  s->control.driven += HTZ_QUANTUM;
  g->island->flown = true;
  htz_mallets_age(&s->pool, HTZ_QUANTUM * g->island->period);
  if (!retains(s)) {
    htz_modal_island_sync(g->island);
    retire_departed(s);
  }
}

// At rest.

/** A hammer on its arm that swings too little to reach the bodies. */
static bool hangs_clear(const stay* s, uint32_t i) {
  const mallet* m = &s->pool.mallets[i];
  const double k = m->load.stiffness, pull = m->load.mass * m->load.gravity;
  if (!(k > 0.0) || closed(s, i)) {
    return false;
  }
  const double middle = pull / k, edge = m->height - reach(s, i);
  const double swing = m->body->cls->energy(m->body) + 0.5 * pull * middle;
  return middle < edge && swing < 0.5 * k * (edge - middle) * (edge - middle);
}

static bool stay_busy(const gesture* g) {
  const stay* s = stay_of_const(g);
  bool busy = s->pool.flying > 0 && s->now.drive;
  for (uint32_t i = 0; i < s->pool.n && !busy; ++i) {
    const mallet* m = &s->pool.mallets[i];
    const bool still = !s->desc.rolls || stands(s, m);
    busy = m->flying && !(still && (lies(s, i) || hangs_clear(s, i)));
  }
  return busy;
}

/** Potential energy is left where it lies or hangs: only what it moves with can be heard. */
static double stay_moving(const gesture* g) {
  const stay* s = stay_of_const(g);
  double sum = 0.0;
  for (uint32_t i = 0; i < s->pool.n; ++i) {
    const mallet* m = &s->pool.mallets[i];
    sum += m->flying ? 0.5 * m->load.mass * velocity_of(m) * velocity_of(m) : 0.0;
  }
  return sum;
}

const gesture_class htz_gesture_stay = {.name = "stay",
                                        .start = stay_start,
                                        .influence = stay_influence,
                                        .disturbed = stay_disturbed,
                                        .busy = stay_busy,
                                        .retains = some_there,
                                        .holds = some_there,
                                        .sample = stay_sample,
                                        .sampled = stay_sampled,
                                        .moving_bodies = htz_mallets_moving_bodies,
                                        .moved_bodies = htz_mallets_moved_bodies,
                                        .clear = stay_clear,
                                        .fly = stay_fly,
                                        .presses = some_there,
                                        .moving = stay_moving,
                                        .reset = htz_mallets_reset};

htz_stay_account htz_modal_island_stay(const htz_island* island) {
  const modal_island* s = (const modal_island*)island;
  const mallet_pool* p = s->pool;
  htz_stay_account out = {.work = p->base.work, .excess = htz_gestures_busy(island) ? HUGE_VAL : htz_gestures_audible(s, 0)};
  for (uint32_t i = 0; i < p->n * p->base.n_bodies; ++i) {
    const htz_contact_account* a = htz_network_account(s->net, p->base.contact + i);
    out.contacts += a->driven;
    out.lost += a->dissipated;
  }
  return out;
}

bool htz_modal_island_mallet(const htz_island* island, uint32_t i, double* q, double* v) {
  const mallet_pool* p = ((const modal_island*)island)->pool;
  if (!p || i >= p->n) {
    return false;
  }
  const mallet* m = &p->mallets[i];
  *q = displacement_of(m);
  *v = velocity_of(m);
  return m->flying;
}
