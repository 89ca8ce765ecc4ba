#include "bowed.h"

#include "signals.h"

#include <math.h>

// Without a bow the string runs freely, whole quanta at a time, once nothing has changed for so many advances: the tables of free running
// cost more than a quantum's samples.
static const uint32_t settle = 1;

enum { FINGER = 2 }; // its point; 0 and 1 are the bow's

static bowed* bowed_of(htz_island* island) {
  return (bowed*)island;
}

static const bowed* bowed_of_const(const htz_island* island) {
  return (const bowed*)island;
}

/** The bow presses, however lightly. */
static bool lies(const bowed* b) {
  return b->on || b->pressed > 0.0;
}

static bool fingered(const bowed* b) {
  return b->finger > 0.0 || !isnan(b->now.finger);
}

/** For the next samples: the bow goes some way towards where it is wanted. */
static void start_moving(bowed* b, uint32_t frames) {
  htz_modal* string = b->desc.net.bodies[0];
  const double wanted = bow_wanted_at(b->now.bow_at);
  if (isnan(b->at)) {
    b->at = wanted;
    htz_modal_place(string, b->here, b->at);
  }
  const double way = bow_slip(b->at, wanted, frames);
  b->way = 0.0;
  b->way_step = 0.0;
  if (way != 0.0) {
    b->at += way;
    htz_modal_place(string, 1 - b->here, b->at);
    b->way_step = 1.0 / frames;
  }
}

static void end_moving(bowed* b) {
  if (b->way_step > 0.0) {
    b->here = 1 - b->here;
    b->way = 0.0;
    b->way_step = 0.0;
  }
}

static double toward(double value, double step, double low, double high) {
  const double next = value + step;
  return next < low ? low : next > high ? high : next;
}

/** The bow's hand and the finger, one sample on. */
static void move_hands(bowed* b) {
  if (b->on) {
    b->speed += b->pace.smooth * (b->now.bow_speed - b->speed);
    b->force += b->pace.smooth * (b->now.bow_force - b->force);
  }
  b->pressed = toward(b->pressed, b->on ? b->pace.touch : -b->pace.lift, 0.0, 1.0);
  b->way += b->way_step;
  // A finger that is wanted elsewhere leaves the string first.
  const bool there = b->finger_at == b->now.finger;
  if (b->finger == 0.0 && !there) {
    b->finger_at = b->now.finger;
    if (!isnan(b->finger_at)) {
      htz_modal_place(b->desc.net.bodies[0], FINGER, b->finger_at);
    }
  }
  b->finger = toward(b->finger, there && !isnan(b->finger_at) ? b->pace.touch : -b->pace.touch, 0.0, 1.0);
}

/** What one sample's forces meet: the bow's and the finger's points. */
typedef struct {
  size_t n;
  size_t point[HTZ_BOWED_POINTS];
  double share[HTZ_BOWED_POINTS]; // of the bow's force
  double force[HTZ_BOWED_POINTS];
} touches;

static touches bow_touches(const bowed* b) {
  touches t = {.n = 1, .point = {b->here}, .share = {1.0}};
  if (b->way_step > 0.0) {
    t.n = 2;
    t.point[1] = 1 - b->here;
    t.share[0] = 1.0 - b->way;
    t.share[1] = b->way;
  }
  return t;
}

/**
   One sample. The finger is a damper, linear: with its force F_f = -R v_f eliminated, the bow is left with a smaller free speed
   and compliance.
*/
static void step(bowed* b) {
  htz_body* body = htz_modal_body(b->desc.net.bodies[0]);
  const double d = b->period;
  move_hands(b);
  touches t = bow_touches(b);
  double rise = 0.0, give = 0.0, cross = 0.0, yield = 0.0, finger_rise = 0.0;
  for (size_t i = 0; i < t.n; ++i) {
    rise += t.share[i] * body->cls->predict(body, 0, t.point[i]);
    for (size_t j = 0; j < t.n; ++j) {
      give += t.share[i] * t.share[j] * body->cls->compliance(body, 0, t.point[i], t.point[j]);
    }
  }
  const bool light = b->finger > 0.0;
  if (light) {
    for (size_t i = 0; i < t.n; ++i) {
      cross += t.share[i] * body->cls->compliance(body, 0, t.point[i], FINGER);
    }
    finger_rise = body->cls->predict(body, 0, FINGER);
    const double r = b->finger * b->desc.finger / d;
    yield = r / (1.0 + r * body->cls->compliance(body, 0, FINGER, FINGER));
    rise -= cross * yield * finger_rise;
    give -= cross * yield * cross;
  }
  const double turn = b->desc.twist > 0.0 ? 1.0 / (1.0 / b->desc.twist + 0.5 * d * b->desc.spring) : 0.0;
  const double speed = b->speed;
  const double normal = b->pressed * b->force;
  const bool stuck = b->friction.sticks;
  const double force = htz_friction_solve(&b->desc.law, &b->friction, rise / d - speed - turn * b->desc.spring * b->twist,
                                          give / d + turn, normal, d);
  b->catches += b->friction.sticks && !stuck;
  b->work -= force * speed * d;
  const double turning = -turn * (force + b->desc.spring * b->twist);
  b->twist += d * turning;
  b->lost += d * (force * b->friction.v + (turn > 0.0 ? turning * turning / b->desc.twist : 0.0));
  for (size_t i = 0; i < t.n; ++i) {
    t.force[i] = -force * t.share[i];
  }
  if (light) {
    t.point[t.n] = FINGER;
    t.force[t.n++] = -yield * (finger_rise - cross * force);
  }
  body->cls->commit(body, 0, t.n, t.point, t.force);
}

static void run_string(bowed* b, uint32_t frames, island_signals* all) {
  htz_modal* string = b->desc.net.bodies[0];
  htz_body* body = htz_modal_body(string);
  if (lies(b) || fingered(b)) {
    b->still = 0;
    start_moving(b, frames);
    for (uint32_t i = 0; i < frames; ++i) {
      step(b);
      htz_signals_hear(&b->desc.net, 0, i, all);
    }
    end_moving(b);
    return;
  }
  b->at = (double)NAN; // the next stroke may start anywhere
  b->twist = 0.0;      // and finds the string untwisted
  if (frames == HTZ_QUANTUM && b->still >= settle) {
    float* to[HTZ_ISLAND_PICKUPS_MAX];
    htz_signals_clear(&b->desc.net, 0, frames, all, to);
    htz_modal_free_quantum(string, to);
    return;
  }
  b->still += b->still < settle;
  for (uint32_t i = 0; i < frames; ++i) {
    body->cls->commit(body, 0, 0, NULL, NULL);
    htz_signals_hear(&b->desc.net, 0, i, all);
  }
}

static void bowed_advance(htz_island* island, uint32_t frames, float* const* lines) {
  bowed* b = bowed_of(island);
  if (frames == 0) {
    return;
  }
  island_signals all;
  run_string(b, frames, &all);
  for (uint32_t r = 1; r < b->desc.net.n_bodies; ++r) {
    htz_signals_resonate(&b->desc.net, r, frames, true, &all); // also at level 0: its tail is there when it is turned up
  }
  htz_signals_mix(&b->desc.net, frames, &all, b->level, b->level_wanted, lines);
  b->level = b->level_wanted;
}

/** The bow is set on, at rest; speed and force come with the influence. */
static void bowed_strike(htz_island* island, const htz_strike* strike) {
  bowed* b = bowed_of(island);
  (void)strike;
  if (!lies(b)) {
    b->speed = 0.0;
    b->force = b->now.bow_force;
  }
  b->on = true;
}

static void bowed_influence(htz_island* island, const htz_influence* influence) {
  bowed* b = bowed_of(island);
  b->now = *influence;
  b->now.drive = NULL;
  b->on = b->on && influence->held;
}

static void bowed_damp(htz_island* island, double sigma) {
  bowed* b = bowed_of(island);
  htz_modal_damp(b->desc.net.bodies[0], sigma);
  b->still = 0;
}

/** A finger moves, or the player retunes: energy is kept, as the bow's force does not depend on where the string is. */
static void bowed_retune(htz_island* island, double ratio, double loss) {
  bowed* b = bowed_of(island);
  htz_modal_retune(b->desc.net.bodies[0], ratio, loss, false);
  b->still = 0;
}

static void bowed_resonate(htz_island* island, double level) {
  bowed_of(island)->level_wanted = level > 0.0 ? level : 0.0;
}

static double bowed_energy(const htz_island* island, double* loudness) {
  const bowed* b = bowed_of_const(island);
  const htz_struck_desc* net = &b->desc.net;
  const htz_body* string = htz_modal_body(net->bodies[0]);
  double sum = 0.0;
  double energy = string->cls->energy(string) + 0.5 * b->desc.spring * b->twist * b->twist;
  for (uint32_t o = 0; o < net->n_outputs; ++o) {
    const htz_output* out = &net->outputs[o];
    const htz_body* body = htz_modal_body(net->bodies[out->body]);
    const double own = body->cls->energy(body);
    const double level = out->body == 0 ? 1.0 : b->level;
    sum += level * htz_modal_loudness_bound(net->bodies[out->body], out->pickup) * sqrt(own > 0.0 ? own : 0.0);
    energy = isfinite(own) ? energy : own;
  }
  *loudness = sum;
  return energy;
}

static void bowed_left_over(htz_island* island, double* lines) {
  const bowed* b = bowed_of(island);
  htz_signals_left_over(&b->desc.net, b->level, lines);
}

static bool bowed_busy(const htz_island* island) {
  return lies(bowed_of_const(island));
}

static void bowed_reset(htz_island* island) {
  bowed* b = bowed_of(island);
  for (uint32_t i = 0; i < b->desc.net.n_bodies; ++i) {
    htz_body* body = htz_modal_body(b->desc.net.bodies[i]);
    body->cls->reset(body);
  }
  b->on = false;
  b->pressed = 0.0;
  b->finger = 0.0;
  b->finger_at = (double)NAN;
  b->at = (double)NAN;
  b->twist = 0.0;
  b->still = 0;
  b->friction = (htz_friction_state){
      .solves = b->friction.solves, .iterations = b->friction.iterations, .unconverged = b->friction.unconverged};
  b->work = b->lost = b->reported = 0.0; // counted from here: a sum that goes on loses what a new stroke begins with
}

static htz_island_counters bowed_count(const htz_island* island) {
  const bowed* b = bowed_of_const(island);
  return (htz_island_counters){b->friction.solves, b->catches, b->friction.unconverged, 0};
}

static bool bowed_stirred(const htz_island* island, const htz_influence* influence) {
  (void)island;
  (void)influence;
  return false; // nothing lies there once the bow is off
}

static bool bowed_keeps(const htz_island* island) {
  return lies(bowed_of_const(island));
}

static double bowed_brought(htz_island* island) {
  bowed* b = bowed_of(island);
  const double brought = b->work - b->reported;
  b->reported = b->work;
  return brought;
}

const htz_island_class htz_bowed_class = {.name = "exact-hold, bowed",
                                          .advance = bowed_advance,
                                          .strike = bowed_strike,
                                          .damp = bowed_damp,
                                          .retune = bowed_retune,
                                          .resonate = bowed_resonate,
                                          .energy = bowed_energy,
                                          .left_over = bowed_left_over,
                                          .busy = bowed_busy,
                                          .reset = bowed_reset,
                                          .count = bowed_count,
                                          .influence = bowed_influence,
                                          .stirred = bowed_stirred,
                                          .keeps = bowed_keeps,
                                          .brought = bowed_brought};

const htz_friction_state* htz_bowed_friction(const htz_island* island) {
  return &bowed_of_const(island)->friction;
}

void htz_bowed_bow(const htz_island* island, double* speed, double* force, double* at) {
  const bowed* b = bowed_of_const(island);
  *speed = lies(b) ? b->speed : 0.0;
  *force = b->pressed * b->force;
  *at = 1.0 - b->at;
}
