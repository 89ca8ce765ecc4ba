#include "struck.h"

#include <math.h>

/*
   What is fixed to the struck bodies and lies on them. The coordinate of a loose mass points away from the bodies, as the mallet pushes
   them: contact b closes when u_b - q - gap > 0.
*/

static const double two_pi = 6.28318530717958647693;
static const double nothing = 1e-6;    // of a mass: less is none
static const double place_step = 0.004;     // of the length, by quantum: a full move takes a third of a second
static const double place_near = 1e-6; // of it: arrived
static const double gap_glide_s = 0.02;
static const double gap_near = 1e-10;       // [m] arrived
static const double swing_keep = 0.95;      // by quantum: a mode of 20 Hz moves fastest twice before half is forgotten
static const double ease_share = 0.1;       // by quantum: a rubber that was moved rests in its new place after some 20 ms...
static const uint32_t ease_quanta = 200;    // ...and has nothing left to give way by after this
enum { REST_ROUNDS = 8 };                   // the spring is weak against the contact: each is nearer by more than a digit

static uint32_t contact_of(const struck* s, uint32_t which, uint32_t body) {
  return s->prepared.contacts + which * s->desc.n_struck + body;
}

static double displacement_of(const htz_body* body) {
  return body->cls->displacement(body, 0);
}

static double velocity_of(const htz_body* body) {
  return body->cls->velocity(body, 0);
}

static double energy_of(const htz_body* body) {
  return body->cls->energy(body);
}

static double present(const htz_loose_desc* d, const loose_state* l) {
  return d->mass * l->factor;
}

static double stiffness_of(const htz_loose_desc* d, const loose_state* l) {
  const double omega = two_pi * d->spring_hz;
  return present(d, l) * omega * omega;
}

/** The screw is joined to body `b`. */
static bool carries(const struck* s, uint32_t b) {
  const uint32_t n = s->desc.n_struck;
  return !s->desc.prepared.screw.outer || n < 3 || b == 0 || b + 1 == n;
}

// At rest.

/** Where the loose mass is when all is still, and what it presses each body with. */
static double rest_of(const struck* s, uint32_t which, double* force) {
  const htz_loose_desc* d = &s->desc.prepared.loose[which];
  const loose_state* l = &s->prepared.loose[which];
  const uint32_t n = s->desc.n_struck;
  const double weight = present(d, l) * d->gravity, k = stiffness_of(d, l);
  const double hangs = k > 0.0 ? -weight / k : -HUGE_VAL;
  *force = 0.0;
  if (hangs >= -l->gap_wanted) {
    return hangs;
  }
  // At the bodies' surface the spring bears a part of the weight, if any.
  double q = -l->gap_wanted;
  for (int round = 0; round < REST_ROUNDS; ++round) {
    const double f = (weight + k * q) / n;
    if (!(f > 0.0)) {
      break;
    }
    double stored = 0.0;
    const double give = htz_modal_rest_compliance(s->desc.bodies[0], s->prepared.point + which, s->prepared.point + which);
    q = -htz_network_rest(s->net, contact_of(s, which, 0), f, &stored) - (give < HUGE_VAL ? give * f : 0.0);
    *force = give < HUGE_VAL ? f : 0.0;
  }
  return q;
}

void htz_prepared_rest(struck* s) {
  prepared_state* p = &s->prepared;
  p->lies = false;
  p->swing = 0.0;
  p->easing = 0;
  p->resting = true;
  for (uint32_t b = 0; b < s->desc.n_struck; ++b) {
    htz_body* body = htz_modal_body(s->desc.bodies[b]);
    body->cls->reset(body);
  }
  p->screw->cls->set_motion(p->screw, 0.0, 0.0);
  for (uint32_t i = 0; i < HTZ_LOOSE_MAX; ++i) {
    loose_state* l = &p->loose[i];
    if (!l->there) {
      continue;
    }
    for (uint32_t b = 0; b < s->desc.n_struck; ++b) {
      l->gap[b] = l->gap_wanted;
      htz_network_set_gap(s->net, contact_of(s, i, b), l->gap_wanted);
    }
    double force = 0.0;
    l->body->cls->set_motion(l->body, rest_of(s, i, &force), 0.0);
    p->lies = p->lies || force > 0.0;
    for (uint32_t b = 0; b < s->desc.n_struck && force > 0.0; ++b) {
      htz_modal_sag(s->desc.bodies[b], p->point + i, -force);
    }
  }
  htz_network_reset(s->net);
  s->flown = false;
  const double energy = htz_network_energy(s->net);
  s->work += energy;
}

/** Mass and speed with which each struck body meets the screw. */
typedef struct {
  double own[HTZ_STRUCK_UNISON_MAX]; // 0: it does not [kg]
  double speed[HTZ_STRUCK_UNISON_MAX];
  double mass, momentum; // of all of them
} meeting;

static meeting meet_screw(const struck* s) {
  const uint32_t point = s->prepared.point + HTZ_LOOSE_MAX;
  meeting m = {.mass = 0.0};
  for (uint32_t b = 0; b < s->desc.n_struck; ++b) {
    const htz_body* body = htz_modal_body(s->desc.bodies[b]);
    const double quick = htz_modal_quickness(s->desc.bodies[b], point);
    m.own[b] = carries(s, b) && quick > 0.0 ? 1.0 / quick : 0.0;
    m.speed[b] = body->cls->velocity(body, point);
    m.momentum += m.own[b] * m.speed[b];
    m.mass += m.own[b];
  }
  return m;
}

/** The hand that moves the screw, or puts it in, gives it the speed of what it comes to. */
static void follow(struck* s) {
  const meeting m = meet_screw(s);
  if (m.mass > 0.0) {
    s->prepared.screw->cls->set_motion(s->prepared.screw, displacement_of(s->prepared.screw), m.momentum / m.mass);
  }
}

// What acts.

/** Set `which` down where it belongs, or take it away. */
static void appear(struck* s, uint32_t which, bool there) {
  loose_state* l = &s->prepared.loose[which];
  const htz_loose_desc* d = &s->desc.prepared.loose[which];
  l->there = there;
  if (there) {
    const double k = stiffness_of(d, l);
    const double hangs = k > 0.0 ? -present(d, l) * d->gravity / k : 0.0;
    l->body->cls->set_motion(l->body, hangs, 0.0);
    for (uint32_t b = 0; b < s->desc.n_struck; ++b) {
      // Where a body is just then higher, the thing comes down on it, and not into it.
      const htz_body* body = htz_modal_body(s->desc.bodies[b]);
      const double above = body->cls->displacement(body, s->prepared.point + which) - hangs;
      l->gap[b] = above > l->gap_wanted ? above : l->gap_wanted;
      htz_network_set_gap(s->net, contact_of(s, which, b), l->gap[b]);
    }
  }
  htz_network_wake(s->net, l->node, there);
}

static void weigh(struck* s, uint32_t which, double factor) {
  loose_state* l = &s->prepared.loose[which];
  const htz_loose_desc* d = &s->desc.prepared.loose[which];
  const bool there = d->mass > 0.0 && factor > nothing;
  l->factor = there ? factor : 0.0;
  if (there) {
    const double mass = present(d, l);
    const htz_mass_desc load = {.mass = mass,
                                .stiffness = stiffness_of(d, l),
                                .damping = 2.0 * d->damping * mass * two_pi * d->spring_hz,
                                .gravity = -d->gravity};
    htz_mass_load(l->body, &load);
  }
  s->prepared.lies = s->prepared.lies || (there && d->gravity > 0.0);
  if (there != l->there) {
    appear(s, which, there);
  } else if (there) {
    htz_network_refresh(s->net); // its compliance is another
  }
}

static void screw_in(struck* s, double factor) {
  prepared_state* p = &s->prepared;
  const bool there = s->desc.prepared.screw.mass > 0.0 && factor > nothing;
  p->screw_factor = factor;
  if (there) {
    htz_mass_set(p->screw, s->desc.prepared.screw.mass * factor);
  }
  if (there && !p->screwed) {
    follow(s);
  }
  if (there != p->screwed) {
    p->screwed = there;
    for (uint32_t b = 0; b < s->desc.n_struck; ++b) {
      htz_network_enable_join(s->net, b, there && carries(s, b));
    }
    htz_network_wake(s->net, p->screw_node, there);
  } else {
    htz_network_refresh(s->net);
  }
}

static void stick_rubber(struck* s, double factor) {
  const htz_rubber_desc* d = &s->desc.prepared.rubber;
  s->prepared.rubber_factor = factor;
  for (uint32_t b = 0; b < s->desc.n_struck; ++b) {
    htz_network_set_join(s->net, s->desc.n_struck + b, d->stiffness * factor, d->damping * factor);
  }
}

static double or_built(double wanted, double built, double most) {
  const double x = isnan(wanted) ? built : wanted;
  return x < 0.0 ? 0.0 : x > most ? most : x;
}

static double factor_of(double wanted) {
  return wanted > 0.0 ? wanted : 0.0;
}

/** Nothing moves: what is to be elsewhere can simply be there. */
static void settle_at_once(struck* s) {
  prepared_state* p = &s->prepared;
  for (uint32_t b = 0; b < s->desc.n_struck; ++b) {
    htz_modal* body = s->desc.bodies[b];
    for (uint32_t i = 0; i < HTZ_LOOSE_MAX; ++i) {
      p->loose[i].at = p->loose[i].at_wanted;
      htz_modal_place_xy(body, p->point + i, p->loose[i].at, s->desc.prepared.loose[i].at_y);
    }
    p->screw_at = p->screw_wanted;
    p->rubber_at = p->rubber_wanted;
    htz_modal_place(body, p->point + HTZ_LOOSE_MAX, p->screw_at);
    htz_modal_place(body, p->point + HTZ_LOOSE_MAX + 1, p->rubber_at);
  }
  htz_prepared_rest(s);
}

void htz_prepared_influence(struck* s, const htz_influence* a) {
  prepared_state* p = &s->prepared;
  const htz_prepared_desc* d = &s->desc.prepared;
  const double most_gap = 1.0; // [m] anything is out of reach there
  const double factors[HTZ_LOOSE_MAX] = {factor_of(a->rattle_mass), factor_of(a->bridge_mass)};
  const double gaps[HTZ_LOOSE_MAX] = {or_built(a->rattle_gap, d->loose[0].gap, most_gap),
                                      or_built(a->bridge_gap, d->loose[1].gap, most_gap)};
  const double places[HTZ_LOOSE_MAX] = {or_built(a->rattle_at, d->loose[0].at, 1.0), d->loose[1].at};
  const double screw_at = or_built(a->screw_at, d->screw.at, 1.0), rubber_at = or_built(a->rubber_at, d->rubber.at, 1.0);
  const double screw = factor_of(a->screw_mass), rubber = factor_of(a->rubber_loss);
  bool weighs = screw != p->screw_factor || rubber != p->rubber_factor;
  bool moves = screw_at != p->screw_wanted || rubber_at != p->rubber_wanted;
  for (uint32_t i = 0; i < HTZ_LOOSE_MAX; ++i) {
    weighs = weighs || (d->loose[i].mass > 0.0 && factors[i] != p->loose[i].factor);
    moves = moves || gaps[i] != p->loose[i].gap_wanted || places[i] != p->loose[i].at_wanted;
    p->loose[i].gap_wanted = gaps[i];
    p->loose[i].at_wanted = places[i];
  }
  p->screw_wanted = screw_at;
  p->rubber_wanted = rubber_at;
  if (!weighs && !moves) {
    return;
  }
  if (weighs) {
    htz_struck_uncouple(s);
    htz_stay_land(s);
    const double before = htz_network_energy(s->net);
    for (uint32_t i = 0; i < HTZ_LOOSE_MAX; ++i) {
      if (factors[i] != p->loose[i].factor) {
        weigh(s, i, factors[i]);
      }
    }
    if (screw != p->screw_factor) {
      screw_in(s, screw);
    }
    if (rubber != p->rubber_factor) {
      stick_rubber(s, rubber);
    }
    const bool rubbed = rubber > 0.0 && (d->rubber.damping > 0.0 || d->rubber.stiffness > 0.0);
    p->holds = p->screwed || rubbed;
    s->work += htz_network_energy(s->net) - before;
  }
  if (p->resting && s->flying == 0) {
    settle_at_once(s);
  }
}

// Moves.

/** One quantum's step from `at` towards `wanted`. @return false when it is there */
static bool step_place(double* at, double wanted) {
  const double left = wanted - *at;
  if (left == 0.0) {
    return false;
  }
  const bool arrives = left < place_step && left > -place_step;
  *at = arrives || fabs(left) < place_near ? wanted : *at + (left > 0.0 ? place_step : -place_step);
  return true;
}

/** A loose thing moved along keeps its height over the body: what the body is higher or lower there, the gap gives, and makes up for later. */
static void move_loose(struck* s, uint32_t which) {
  loose_state* l = &s->prepared.loose[which];
  double eta[HTZ_STRUCK_UNISON_MAX];
  for (uint32_t b = 0; b < s->desc.n_struck; ++b) {
    eta[b] = htz_network_account(s->net, contact_of(s, which, b))->eta;
    htz_modal_place_xy(s->desc.bodies[b], s->prepared.point + which, l->at, s->desc.prepared.loose[which].at_y);
  }
  if (!l->there) {
    return;
  }
  htz_network_refresh(s->net);
  for (uint32_t b = 0; b < s->desc.n_struck; ++b) {
    const uint32_t c = contact_of(s, which, b);
    l->gap[b] += htz_network_account(s->net, c)->eta - eta[b];
    htz_network_set_gap(s->net, c, l->gap[b]);
  }
  htz_network_refresh(s->net);
}

static void move_places(struck* s) {
  prepared_state* p = &s->prepared;
  bool moved = false;
  for (uint32_t i = 0; i < HTZ_LOOSE_MAX; ++i) {
    if (step_place(&p->loose[i].at, p->loose[i].at_wanted)) {
      move_loose(s, i);
    }
  }
  if (step_place(&p->screw_at, p->screw_wanted)) {
    moved = true;
    for (uint32_t b = 0; b < s->desc.n_struck; ++b) {
      htz_modal_place(s->desc.bodies[b], p->point + HTZ_LOOSE_MAX, p->screw_at);
    }
    if (p->screwed) {
      follow(s);
    }
  }
  if (step_place(&p->rubber_at, p->rubber_wanted)) {
    moved = true;
    p->easing = ease_quanta;
    for (uint32_t b = 0; b < s->desc.n_struck; ++b) {
      htz_modal_place(s->desc.bodies[b], p->point + HTZ_LOOSE_MAX + 1, p->rubber_at);
    }
  }
  if (moved) {
    htz_network_refresh(s->net);
  }
  for (uint32_t b = 0; b < s->desc.n_struck && p->easing; ++b) {
    htz_network_ease_join(s->net, s->desc.n_struck + b, ease_share);
  }
  p->easing -= p->easing > 0;
}

static bool places_differ(const prepared_state* p) {
  return p->easing || p->screw_at != p->screw_wanted || p->rubber_at != p->rubber_wanted ||
         p->loose[0].at != p->loose[0].at_wanted || p->loose[1].at != p->loose[1].at_wanted;
}

/** Gaps go where they are wanted, at an even rate over `frames`. */
static void glide_gaps(struck* s, uint32_t frames) {
  const double share = -expm1(-(double)frames * s->period / gap_glide_s);
  for (uint32_t i = 0; i < HTZ_LOOSE_MAX; ++i) {
    loose_state* l = &s->prepared.loose[i];
    for (uint32_t b = 0; b < s->desc.n_struck && l->there; ++b) {
      const double left = l->gap_wanted - l->gap[b];
      const uint32_t c = contact_of(s, i, b);
      if (left == 0.0) {
        continue;
      }
      if (left < gap_near && left > -gap_near) {
        l->gap[b] = l->gap_wanted;
        htz_network_set_gap(s->net, c, l->gap[b]);
        continue;
      }
      l->gap[b] += share * left;
      htz_network_glide_gap(s->net, c, l->gap[b], frames);
    }
  }
}

/**
   A rigid join holds what bodies move over a step, and leaves each a velocity of its own. Brought to one speed now and then, as by a
   collision that does not bounce, they cannot swing against each other from step to step; what that takes is lost.
*/
static void unite_speeds(struck* s) {
  prepared_state* p = &s->prepared;
  const double mass = s->desc.prepared.screw.mass * p->screw_factor;
  const double w = velocity_of(p->screw);
  const meeting m = meet_screw(s);
  const double common = (mass * w + m.momentum) / (mass + m.mass);
  p->lost += 0.5 * mass * (w - common) * (w - common);
  p->screw->cls->set_motion(p->screw, displacement_of(p->screw), common);
  for (uint32_t b = 0; b < s->desc.n_struck; ++b) {
    const double change = common - m.speed[b];
    if (m.own[b] > 0.0 && change != 0.0) {
      p->lost += 0.5 * m.own[b] * change * change;
      htz_modal_kick(s->desc.bodies[b], p->point + HTZ_LOOSE_MAX, m.own[b] * change);
    }
  }
}

void htz_prepared_before(struck* s, uint32_t frames) {
  prepared_state* p = &s->prepared;
  p->resting = false;
  if (places_differ(p)) {
    const double before = htz_network_energy(s->net);
    move_places(s);
    s->work += htz_network_energy(s->net) - before;
  }
  glide_gaps(s, frames);
  if (p->screwed) {
    unite_speeds(s);
  }
}

// What still moves.

static double moving(const struck* s, bool all) {
  const prepared_state* p = &s->prepared;
  double sum = p->screwed ? energy_of(p->screw) : 0.0;
  for (uint32_t b = 0; b < s->desc.n_struck; ++b) {
    sum += all ? energy_of(htz_modal_body(s->desc.bodies[b])) : htz_modal_kinetic(s->desc.bodies[b]);
  }
  for (uint32_t i = 0; i < HTZ_LOOSE_MAX; ++i) {
    const loose_state* l = &p->loose[i];
    const double v = velocity_of(l->body);
    const bool pulled = s->desc.prepared.loose[i].gravity > 0.0; // its energy is not 0 at rest
    sum += !l->there ? 0.0 : pulled ? 0.5 * present(&s->desc.prepared.loose[i], l) * v * v : energy_of(l->body);
  }
  return sum;
}

void htz_prepared_after(struck* s, uint32_t frames) {
  prepared_state* p = &s->prepared;
  if (p->lies) {
    const double now = moving(s, false);
    const double kept = p->swing * (frames == HTZ_QUANTUM ? swing_keep : 1.0);
    p->swing = now > kept ? now : kept;
  }
}

double htz_prepared_swing(const struck* s) {
  return s->prepared.lies ? s->prepared.swing : moving(s, true);
}

// By the quantum.

static double reach(const struck* s, uint32_t which, uint32_t b) {
  const double energy = energy_of(htz_modal_body(s->desc.bodies[b]));
  const uint32_t point = s->prepared.point + which;
  return sqrt(2.0 * (energy > 0.0 ? energy : 0.0) * htz_modal_rest_compliance(s->desc.bodies[b], point, point));
}

/** Fly alone; @return false when it comes lower than `least`. */
static bool plan(const struck* s, loose_state* l, double least) {
  htz_body* body = l->body;
  const double q0 = displacement_of(body), v0 = velocity_of(body);
  double q = q0, v = v0;
  bool clear = true;
  for (uint32_t i = 0; i < HTZ_QUANTUM && clear; ++i) {
    body->cls->commit(body, 0, 0, NULL, NULL);
    const double q1 = displacement_of(body), v1 = velocity_of(body);
    // Within the sample it is at most this far off the chord.
    const double bulge = 0.125 * s->period * fabs(v1 - v);
    clear = (q1 < q ? q1 : q) - bulge > least;
    q = q1;
    v = v1;
  }
  l->plan[0] = q;
  l->plan[1] = v;
  body->cls->set_motion(body, q0, v0);
  return clear;
}

bool htz_prepared_clear(struck* s, uint32_t frames) {
  prepared_state* p = &s->prepared;
  if (!p->given) {
    return true;
  }
  if (p->holds || frames != HTZ_QUANTUM || places_differ(p)) {
    return false;
  }
  for (uint32_t i = 0; i < HTZ_LOOSE_MAX; ++i) {
    loose_state* l = &p->loose[i];
    double least = -HUGE_VAL;
    for (uint32_t b = 0; b < s->desc.n_struck && l->there; ++b) {
      if (l->gap[b] != l->gap_wanted || (!s->flown && htz_network_account(s->net, contact_of(s, i, b))->eta > 0.0)) {
        return false;
      }
      const double height = reach(s, i, b) - l->gap[b];
      least = height > least ? height : least;
    }
    if (l->there && !plan(s, l, least)) {
      return false;
    }
  }
  return true;
}

void htz_prepared_fly(struck* s) {
  for (uint32_t i = 0; i < HTZ_LOOSE_MAX; ++i) {
    loose_state* l = &s->prepared.loose[i];
    if (l->there) {
      l->body->cls->set_motion(l->body, l->plan[0], l->plan[1]);
    }
  }
  s->flown = true;
  s->prepared.resting = false;
  htz_prepared_after(s, HTZ_QUANTUM);
}

// Accounts.

double htz_prepared_driven(const struck* s) {
  double sum = 0.0;
  for (uint32_t c = 0; c < HTZ_LOOSE_MAX * s->desc.n_struck; ++c) {
    sum += htz_network_account(s->net, s->prepared.contacts + c)->driven;
  }
  return sum;
}

htz_prepared_account htz_struck_prepared(const htz_island* island) {
  const struck* s = (const struck*)island;
  htz_prepared_account out = {.work = s->work + htz_prepared_driven(s), .lost = s->prepared.lost};
  for (uint32_t c = 0; c < s->prepared.contacts + HTZ_LOOSE_MAX * s->desc.n_struck; ++c) {
    const htz_contact_account* a = htz_network_account(s->net, c);
    out.lost += a->dissipated;
    out.closures += c < s->prepared.contacts ? 0 : a->closures;
  }
  for (uint32_t j = 0; j < 2 * s->desc.n_struck; ++j) {
    out.lost += htz_network_join(s->net, j)->dissipated;
  }
  return out;
}

bool htz_struck_loose(const htz_island* island, htz_loose which, double* q, double* v) {
  const loose_state* l = &((const struck*)island)->prepared.loose[which];
  *q = displacement_of(l->body);
  *v = velocity_of(l->body);
  return l->there;
}
