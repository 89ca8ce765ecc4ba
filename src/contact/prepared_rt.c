#include "prepared_private.h"

#include <math.h>

static const double two_pi = 6.28318530717958647693;
static const double nothing = 1e-6; // of a mass: less is none
// What moves while it sounds moves in steps of MOVE_STEP samples, small enough not to be heard one by one.
enum { MOVE_STEP = 16 };
static const double place_step = 4e-4;  // of the length: a full move takes 0.8 s
static const double factor_step = 0.01; // of what the file says
static const double gap_glide_s = 0.02; // time constant
static const double gap_near = 1e-10;   // [m] arrived
static const double ease_share = 0.03;  // by step: a rubber that was moved rests in its new place after some 20 ms...
static const uint32_t ease_steps = 600; // ...and has nothing left to give way by after this
enum { REST_ROUNDS = 8 };               // the spring is weak against the contact: each is nearer by more than a digit

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

/** Everything where it is when nothing moves. */
static void lie_down(struck* s) {
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
    p->lies = p->lies || s->desc.prepared.loose[i].gravity > 0.0;
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
  s->prepared.rubbed = factor > 0.0 && (d->damping > 0.0 || d->stiffness > 0.0);
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

// Nothing moves then: what is to be elsewhere can simply be there.
void htz_prepared_rest(struck* s) {
  prepared_state* p = &s->prepared;
  screw_in(s, p->screw_factor_wanted);
  stick_rubber(s, p->rubber_factor_wanted);
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
  lie_down(s);
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
  const double screw = d->screw.mass > 0.0 ? factor_of(a->screw_mass) : 0.0;
  const double rubber = d->rubber.damping > 0.0 || d->rubber.stiffness > 0.0 ? factor_of(a->rubber_loss) : 0.0;
  bool weighs = false;
  bool moves = screw_at != p->screw_wanted || rubber_at != p->rubber_wanted || screw != p->screw_factor_wanted ||
               rubber != p->rubber_factor_wanted;
  for (uint32_t i = 0; i < HTZ_LOOSE_MAX; ++i) {
    weighs = weighs || (d->loose[i].mass > 0.0 && factors[i] != p->loose[i].factor);
    moves = moves || gaps[i] != p->loose[i].gap_wanted || places[i] != p->loose[i].at_wanted;
    p->loose[i].gap_wanted = gaps[i];
    p->loose[i].at_wanted = places[i];
  }
  p->screw_wanted = screw_at;
  p->rubber_wanted = rubber_at;
  p->screw_factor_wanted = screw;
  p->rubber_factor_wanted = rubber;
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
    s->work += htz_network_energy(s->net) - before;
  }
  if (p->resting && s->flying == 0) {
    htz_prepared_rest(s);
  }
}

// Moves.

/** One step from `at` towards `wanted`. @return false when it is there */
static bool step_to(double* at, double wanted, double step) {
  const double left = wanted - *at;
  const bool arrives = left < step && left > -step;
  *at = arrives ? wanted : *at + (left > 0.0 ? step : -step);
  return left != 0.0;
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
  double factor = p->screw_factor;
  bool moved = false;
  if (step_to(&factor, p->screw_factor_wanted, factor_step)) {
    screw_in(s, factor);
  }
  factor = p->rubber_factor;
  if (step_to(&factor, p->rubber_factor_wanted, factor_step)) {
    stick_rubber(s, factor);
  }
  for (uint32_t i = 0; i < HTZ_LOOSE_MAX; ++i) {
    if (step_to(&p->loose[i].at, p->loose[i].at_wanted, place_step)) {
      move_loose(s, i);
    }
  }
  if (step_to(&p->screw_at, p->screw_wanted, place_step)) {
    moved = true;
    for (uint32_t b = 0; b < s->desc.n_struck; ++b) {
      htz_modal_place(s->desc.bodies[b], p->point + HTZ_LOOSE_MAX, p->screw_at);
    }
    if (p->screwed) {
      follow(s);
    }
  }
  if (step_to(&p->rubber_at, p->rubber_wanted, place_step)) {
    moved = true;
    p->easing = ease_steps;
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

uint32_t htz_prepared_before(struck* s, uint32_t frames) {
  prepared_state* p = &s->prepared;
  p->resting = false;
  if (places_differ(p)) {
    const double before = htz_network_energy(s->net);
    frames = frames < MOVE_STEP ? frames : MOVE_STEP;
    move_places(s);
    s->work += htz_network_energy(s->net) - before;
  }
  glide_gaps(s, frames);
  if (p->screwed) {
    unite_speeds(s);
  }
  return frames;
}
