#include "struck.h"

#include <math.h>

/*
   Mallets that stay: what acts on them, flights between touches, and when all is still. One struck body, contact i is that of mallet i.
*/

static const double two_pi = 6.28318530717958647693;
static const double lying_s = 0.02;       // no bounce stays on the body this long: what does, lies there
static const double still_speed = 1e-3;   // [m/s] a hammer on its arm slower than this is at hand
static const double open_gap = 1e-12;     // [m] rounding of heights must not put a mallet into the body it is set upon
static const double stop_speed = 1e-4;    // [m/s] and a ball slower than this stands
static const double settled_share = 1e-9; // of a surface's height: a glide that is this near has arrived

static const htz_contact_account* account_of(const struck* s, uint32_t i) {
  return htz_network_account(s->net, i);
}

static double displacement_of(const mallet* m) {
  return m->body->cls->displacement(m->body, 0);
}

static double velocity_of(const mallet* m) {
  return m->body->cls->velocity(m->body, 0);
}

static bool closed(const struck* s, uint32_t i) {
  return !s->flown && account_of(s, i)->eta > 0.0;
}

static bool lies(const struck* s, uint32_t i) {
  return closed(s, i) && account_of(s, i)->touch_s > lying_s && s->mallets[i].speed == 0.0;
}

bool htz_stay_keeps(const struck* s) {
  return s->desc.stay.spring_hz > 0.0 ? s->now.held : s->now.gravity > 0.0;
}

bool htz_stay_keeps_any(const htz_island* island) {
  return ((const struck*)island)->flying > 0;
}

// What acts.

/** Pull of gravity and of the arm, which hangs at rest at -now.rest, as one acceleration; the arm's spring besides. */
static void load(struck* s, mallet* m) {
  const double omega = two_pi * s->desc.stay.spring_hz;
  m->load.stiffness = m->load.mass * omega * omega;
  m->load.damping = 2.0 * s->desc.stay.damping * m->load.mass * omega;
  m->load.gravity = s->now.gravity - omega * omega * s->now.rest;
  htz_mass_load(m->body, &m->load);
}

void htz_stay_influence(htz_island* island, const htz_influence* influence) {
  struck* s = (struck*)island;
  const htz_influence was = s->now;
  if (s->prepared.given) {
    htz_prepared_influence(s, influence);
  }
  s->now = *influence;
  s->driven = 0;
  if (s->flying == 0) {
    s->gain = s->now.gain;
    s->roughness = s->now.roughness;
    s->asymmetry = s->now.asymmetry;
  }
  s->gain_step = s->now.gain != was.gain ? (s->now.gain - s->gain) / HTZ_QUANTUM : s->gain_step;
  if (!s->desc.stay.given || (s->now.gravity == was.gravity && s->now.rest == was.rest)) {
    return;
  }
  for (uint32_t i = 0; i < s->desc.n_mallets; ++i) {
    mallet* m = &s->mallets[i];
    if (m->flying) {
      const double before = m->body->cls->energy(m->body);
      load(s, m);
      s->work += m->body->cls->energy(m->body) - before;
    }
  }
}

bool htz_stay_stirred(const htz_island* island, const htz_influence* influence) {
  const struck* s = (const struck*)island;
  const htz_influence* a = &s->now;
  if (s->flying == 0) {
    return false;
  }
  for (uint32_t i = 0; influence->drive && i < HTZ_QUANTUM; ++i) {
    if (influence->drive[i] != 0.0f) {
      return true;
    }
  }
  return influence->gravity != a->gravity || influence->rest != a->rest || influence->held != a->held ||
         influence->pace != a->pace || influence->roughness != a->roughness || influence->asymmetry != a->asymmetry;
}

double htz_stay_brought(htz_island* island) {
  struck* s = (struck*)island;
  double sum = s->work + (s->prepared.given ? htz_prepared_driven(s) : 0.0);
  for (uint32_t i = 0; i < s->desc.n_mallets; ++i) {
    sum += account_of(s, i)->driven;
  }
  const double since = sum - s->reported;
  s->reported = sum;
  return since;
}

// Rolling.

/** How far the ball's middle is over where it would be on a smooth, even surface [m]: the profile and the ball's own asymmetry. */
static double height_at(const struck* s, mallet* m) {
  const double radius = s->desc.stay.radius;
  return s->roughness * htz_profile_height(&m->profile, m->travelled) +
         s->asymmetry * radius * sin(fmod(m->travelled / radius, two_pi));
}

static double towards(double now, double wanted, double share) {
  const double left = wanted - now;
  const double least = settled_share * (wanted > 0.0 ? wanted : now);
  return left < least && left > -least ? wanted : now + left * share;
}

/** A hand keeps the ball at the wanted speed; let go, it rolls on until rolling resistance has stopped it. */
static void roll(struck* s, mallet* m) {
  const double wanted = m->pace * s->now.pace;
  if (s->now.held) {
    m->speed += (wanted - m->speed) * s->hurry;
    m->speed = wanted < stop_speed && m->speed < stop_speed ? 0.0 : m->speed;
  } else {
    const double slower = m->speed - s->desc.stay.friction * s->now.gravity * s->period;
    m->speed = slower > stop_speed ? slower : 0.0;
  }
  m->travelled += m->speed * s->period;
}

void htz_stay_throw(struck* s, uint32_t i, const htz_strike* strike, double surface) {
  mallet* m = &s->mallets[i];
  const htz_stay stay = s->desc.stay;
  double gap = 0.0;
  m->load = (htz_mass_desc){.mass = strike->mass};
  load(s, m);
  htz_mass_push(m->body, 0.0);
  if (stay.rolls) {
    if (m->profile.grain != stay.grain) {
      htz_profile_lay(&m->profile, stay.grain, stay.seed * HTZ_STRUCK_MALLETS_MAX + i);
    }
    m->pace = strike->travel;
    m->speed = m->pace * s->now.pace;
    gap = height_at(s, m);
    m->body->cls->set_motion(m->body, surface + gap - open_gap, strike->speed);
  }
  htz_network_set_gap(s->net, i, gap);
  // What it has there besides its speed, the hand that put it there gave it.
  s->work += m->body->cls->energy(m->body) - 0.5 * strike->mass * strike->speed * strike->speed;
}

// Sample by sample.

static double next_gain(const struck* s, double gain) {
  const double left = s->now.gain - gain;
  const bool arrives = s->gain_step >= 0.0 ? left <= s->gain_step : left >= s->gain_step;
  return arrives ? s->now.gain : gain + s->gain_step;
}

static double drive_at(const struck* s, uint32_t frame, double gain) {
  return s->now.drive && frame < HTZ_QUANTUM ? gain * (double)s->now.drive[frame] : 0.0;
}

void htz_stay_before(struck* s) {
  s->gain = next_gain(s, s->gain);
  s->force = drive_at(s, s->driven++, s->gain);
  if (s->desc.stay.rolls) {
    s->roughness = towards(s->roughness, s->now.roughness, s->glide);
    s->asymmetry = towards(s->asymmetry, s->now.asymmetry, s->glide);
  }
  for (uint32_t i = 0; i < s->desc.n_mallets; ++i) {
    mallet* m = &s->mallets[i];
    if (!m->flying) {
      continue;
    }
    htz_mass_push(m->body, s->force);
    m->from = displacement_of(m);
    if (s->desc.stay.rolls) {
      roll(s, m);
      htz_network_move_gap(s->net, i, height_at(s, m));
    }
  }
}

void htz_stay_after(struck* s) {
  for (uint32_t i = 0; i < s->desc.n_mallets && s->force != 0.0; ++i) {
    const mallet* m = &s->mallets[i];
    s->work += m->flying ? s->force * (displacement_of(m) - m->from) : 0.0;
  }
}

// By the quantum.

/** Fly mallet `m` alone; what it comes to is its plan. @return false when it comes nearer than `most`. */
static bool plan(const struck* s, mallet* m, double most) {
  htz_body* body = m->body;
  const double q0 = displacement_of(m), v0 = velocity_of(m);
  double q = q0, v = v0, gain = s->gain;
  bool clear = true;
  m->plan_work = 0.0;
  for (uint32_t i = 0; i < HTZ_QUANTUM && clear; ++i) {
    gain = next_gain(s, gain);
    const double force = drive_at(s, s->driven + i, gain);
    htz_mass_push(body, force);
    body->cls->commit(body, 0, 0, NULL, NULL);
    const double q1 = displacement_of(m), v1 = velocity_of(m);
    // Within the sample it is at most this far off the chord.
    const double bulge = 0.125 * s->period * fabs(v1 - v);
    clear = (q1 > q ? q1 : q) + bulge < most;
    m->plan_work += force * (q1 - q);
    q = q1;
    v = v1;
  }
  m->plan[0] = q;
  m->plan[1] = v;
  body->cls->set_motion(body, q0, v0);
  return clear;
}

/** The profile under the ball stands still. */
static bool stands(const struck* s, const mallet* m) {
  const bool wanted = s->now.held && m->pace * s->now.pace >= stop_speed;
  return m->speed == 0.0 && !wanted && s->roughness == s->now.roughness && s->asymmetry == s->now.asymmetry;
}

/** The body's surface at mallet `i` never comes nearer than this, whatever its modes do with its energy [m]. */
static double reach(const struck* s, uint32_t i) {
  const htz_body* body = htz_modal_body(s->desc.bodies[0]);
  const double energy = body->cls->energy(body);
  return sqrt(2.0 * (energy > 0.0 ? energy : 0.0) * htz_modal_rest_compliance(s->desc.bodies[0], i, i));
}

bool htz_stay_clear(struck* s, uint32_t frames) {
  if (frames != HTZ_QUANTUM) {
    return false;
  }
  for (uint32_t i = 0; i < s->desc.n_mallets; ++i) {
    mallet* m = &s->mallets[i];
    if (m->flying && (closed(s, i) || (s->desc.stay.rolls && !stands(s, m)))) {
      return false;
    }
  }
  for (uint32_t i = 0; i < s->desc.n_mallets; ++i) {
    mallet* m = &s->mallets[i];
    if (m->flying && !plan(s, m, (s->desc.stay.rolls ? height_at(s, m) : 0.0) - reach(s, i))) {
      return false;
    }
  }
  return true;
}

void htz_stay_fly(struck* s) {
  for (uint32_t i = 0; i < s->desc.n_mallets; ++i) {
    mallet* m = &s->mallets[i];
    if (m->flying) {
      m->body->cls->set_motion(m->body, m->plan[0], m->plan[1]);
      m->age += s->period * (HTZ_QUANTUM - 1);
      s->work += m->plan_work;
    }
  }
  for (uint32_t i = 0; i < HTZ_QUANTUM; ++i) {
    s->gain = next_gain(s, s->gain);
  }
  s->driven += HTZ_QUANTUM;
  s->flown = true;
  if (!htz_stay_keeps(s)) {
    htz_stay_land(s);
  }
  htz_struck_retire_departed(s);
}

void htz_stay_land(struck* s) {
  if (s->flown) {
    htz_network_reread(s->net);
    s->flown = false;
  }
}

// At rest.

uint32_t htz_stay_pick(const struck* s) {
  for (uint32_t i = 0; i < s->desc.n_mallets; ++i) {
    const mallet* m = &s->mallets[i];
    const bool hangs = s->desc.stay.spring_hz > 0.0 && !closed(s, i) && fabs(velocity_of(m)) < still_speed;
    if (m->flying && (lies(s, i) || hangs)) {
      return i;
    }
  }
  return s->desc.n_mallets;
}

/** A hammer on its arm that swings too little to reach the body. */
static bool hangs_clear(const struck* s, uint32_t i) {
  const mallet* m = &s->mallets[i];
  const double k = m->load.stiffness, pull = m->load.mass * m->load.gravity;
  if (!(k > 0.0) || closed(s, i)) {
    return false;
  }
  const double middle = pull / k, edge = -reach(s, i);
  const double swing = m->body->cls->energy(m->body) + 0.5 * pull * middle;
  return middle < edge && swing < 0.5 * k * (edge - middle) * (edge - middle);
}

/** Potential energy of body, contacts and lying mallets when all is at rest [J]. */
static double rest_energy(const struck* s, const uint32_t* lying, uint32_t n) {
  // The arm is weak: how far the body gives way changes its push by next to nothing, and a few rounds by nothing.
  enum { ROUNDS = 4 };
  double force[HTZ_STRUCK_MALLETS_MAX], x[HTZ_STRUCK_MALLETS_MAX] = {0.0};
  double sum = 0.0;
  for (int round = 0; round < ROUNDS; ++round) {
    sum = 0.0;
    for (uint32_t a = 0; a < n; ++a) {
      const mallet* m = &s->mallets[lying[a]];
      force[a] = m->load.mass * m->load.gravity - m->load.stiffness * x[a];
      force[a] = force[a] > 0.0 ? force[a] : 0.0;
    }
    for (uint32_t a = 0; a < n; ++a) {
      const mallet* m = &s->mallets[lying[a]];
      double stored = 0.0;
      const double eta = htz_network_rest(s->net, lying[a], force[a], &stored);
      double given = 0.0;
      for (uint32_t b = 0; b < n; ++b) {
        given += htz_modal_rest_compliance(s->desc.bodies[0], lying[a], lying[b]) * force[b];
      }
      x[a] = given + eta;
      sum += stored + 0.5 * given * force[a] + (0.5 * m->load.stiffness * x[a] - m->load.mass * m->load.gravity) * x[a];
    }
  }
  return sum;
}

double htz_stay_excess(const struck* s) {
  uint32_t lying[HTZ_STRUCK_MALLETS_MAX];
  uint32_t n = 0;
  for (uint32_t i = 0; i < s->desc.n_mallets; ++i) {
    if (!s->mallets[i].flying) {
      continue;
    }
    if (lies(s, i)) {
      lying[n++] = i;
    } else if (!hangs_clear(s, i)) {
      return HUGE_VAL;
    }
  }
  const htz_body* body = htz_modal_body(s->desc.bodies[0]);
  double energy = body->cls->energy(body);
  for (uint32_t a = 0; a < n; ++a) {
    const mallet* m = &s->mallets[lying[a]];
    energy += m->body->cls->energy(m->body) + account_of(s, lying[a])->stored;
  }
  const double excess = energy - rest_energy(s, lying, n);
  return excess > 0.0 ? excess : 0.0;
}

htz_stay_account htz_struck_stay(const htz_island* island) {
  const struck* s = (const struck*)island;
  htz_stay_account out = {.work = s->work, .excess = htz_stay_excess(s)};
  for (uint32_t i = 0; i < s->desc.n_mallets; ++i) {
    out.contacts += account_of(s, i)->driven;
    out.lost += account_of(s, i)->dissipated;
  }
  return out;
}

bool htz_struck_mallet(const htz_island* island, uint32_t i, double* q, double* v) {
  const struck* s = (const struck*)island;
  *q = displacement_of(&s->mallets[i]);
  *v = velocity_of(&s->mallets[i]);
  return s->mallets[i].flying;
}
