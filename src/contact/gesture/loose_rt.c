#include "prepared.h"

#include <math.h>

/*
   Rattles and loose bridges.
*/

static const double two_pi = 6.28318530717958647693;
enum { REST_ROUNDS = 8 }; // the spring is weak against the contact: each is nearer by more than a digit

static loose* loose_of(gesture* g) {
  return (loose*)g;
}

static const loose* loose_of_const(const gesture* g) {
  return (const loose*)g;
}

/** Mass that it has now [kg]. */
static double present(const loose* l) {
  return l->desc.mass * l->factor;
}

static double stiffness_of(const loose* l) {
  const double omega = two_pi * l->desc.spring_hz;
  return present(l) * omega * omega;
}

// At rest.

/** Where the mass is when all is still, and what it presses each body with. */
static double rest_of(const loose* l, double* force) {
  const gesture* g = &l->base;
  const double weight = present(l) * l->desc.gravity, k = stiffness_of(l);
  const double hangs = k > 0.0 ? -weight / k : -HUGE_VAL;
  *force = 0.0;
  if (hangs >= -l->gap_wanted) {
    return hangs;
  }
  // At the bodies' surface the spring bears a part of the weight, if any.
  double q = -l->gap_wanted;
  for (int round = 0; round < REST_ROUNDS; ++round) {
    const double f = (weight + k * q) / g->n_bodies;
    if (!(f > 0.0)) {
      break;
    }
    double stored = 0.0;
    const double compliance = htz_modal_static_compliance(body_on(g, 0), g->point, g->point);
    q = -htz_network_static_penetration(g->island->net, g->contact, f, &stored) -
        (compliance < HUGE_VAL ? compliance * f : 0.0);
    *force = compliance < HUGE_VAL ? f : 0.0;
  }
  return q;
}

static double surface_at(const gesture* g) {
  const htz_body* body = htz_modal_body(body_on(g, 0));
  return body->cls->displacement(body, g->point);
}

/** Something else that lies on the same bodies, or NULL. */
static loose* lying_with(const gesture* g, uint32_t number) {
  gesture* other = g->island->gestures[number];
  loose* l = other != g && other->cls == &htz_gesture_loose && other->body == g->body ? loose_of(other) : NULL;
  return l && l->there && l->pressing > 0.0 ? l : NULL;
}

/** The bodies bend under it, and what lay there before goes along. */
static void bend(loose* l) {
  gesture* g = &l->base;
  double before[GESTURES_MAX];
  for (uint32_t i = 0; i < g->island->n_gestures; ++i) {
    const loose* other = lying_with(g, i);
    before[i] = other ? surface_at(&other->base) : 0.0;
  }
  for (uint32_t b = 0; b < g->n_bodies; ++b) {
    htz_modal_sag(body_on(g, b), g->point, -l->pressing);
  }
  for (uint32_t i = 0; i < g->island->n_gestures; ++i) {
    loose* other = lying_with(g, i);
    if (other) {
      const double moved = surface_at(&other->base) - before[i];
      other->body->cls->set_motion(other->body, displacement_of(other->body) + moved, 0.0);
    }
  }
}

static void loose_settle(gesture* g) {
  loose* l = loose_of(g);
  l->at = l->at_wanted;
  for (uint32_t b = 0; b < g->n_bodies; ++b) {
    htz_modal_place_xy(body_on(g, b), g->point, l->at, l->desc.at_y);
  }
  if (!l->there) {
    return;
  }
  for (uint32_t b = 0; b < g->n_bodies; ++b) {
    l->gap[b] = l->gap_wanted;
    htz_network_set_gap(g->island->net, g->contact + b, l->gap_wanted);
  }
  const double q = rest_of(l, &l->pressing);
  l->body->cls->set_motion(l->body, q + (l->pressing > 0.0 ? surface_at(g) : 0.0), 0.0);
  if (l->pressing > 0.0) {
    bend(l);
  }
}

// What acts.

/** Set down where it belongs, or taken away. */
static void appear(loose* l, bool there) {
  gesture* g = &l->base;
  l->there = there;
  if (there) {
    const double k = stiffness_of(l);
    const double hangs = k > 0.0 ? -present(l) * l->desc.gravity / k : 0.0;
    l->body->cls->set_motion(l->body, hangs, 0.0);
    for (uint32_t b = 0; b < g->n_bodies; ++b) {
      // If the body is displaced past the gap, widen the gap so that the contact opens with zero penetration.
      const htz_body* body = htz_modal_body(body_on(g, b));
      const double above = body->cls->displacement(body, g->point) - hangs;
      l->gap[b] = above > l->gap_wanted ? above : l->gap_wanted;
      htz_network_set_gap(g->island->net, g->contact + b, l->gap[b]);
    }
  }
  htz_network_wake(g->island->net, l->node, there);
}

static void weigh(loose* l, double factor) {
  const bool there = l->desc.mass > 0.0 && factor > nothing;
  l->factor = there ? factor : 0.0;
  if (there) {
    const double mass = present(l);
    const htz_mass_desc load = {.mass = mass,
                                .stiffness = stiffness_of(l),
                                .damping = 2.0 * l->desc.damping * mass * two_pi * l->desc.spring_hz,
                                .gravity = -l->desc.gravity};
    htz_mass_load(l->body, &load);
  }
  if (there != l->there) {
    appear(l, there);
  } else if (there) {
    htz_network_refresh(l->base.island->net); // its compliance is another
  }
}

static void loose_influence(gesture* g, const htz_influence* a) {
  loose* l = loose_of(g);
  modal_island* s = g->island;
  const htz_moved_by gap_of = l->control[HTZ_THING_GAP];
  const double of_kind = htz_influence_value(a, gap_of.kind, (double)NAN) + l->desc.gap_more;
  const double gap_wanted = htz_influence_value(a, gap_of.own, of_kind == of_kind ? of_kind : l->desc.gap);
  const double factor = wanted_factor(htz_influence_factor(a, l->control[HTZ_THING_FACTOR]));
  const double gap = wanted_within(gap_wanted, most_gap);
  const double at = wanted_within(htz_influence_wanted(a, l->control[HTZ_THING_AT], l->desc.at), 1.0);
  const bool weighs = factor != l->factor;
  if (!weighs && gap == l->gap_wanted && at == l->at_wanted) {
    return;
  }
  l->gap_wanted = gap;
  l->at_wanted = at;
  double done = 0.0;
  if (weighs) {
    htz_modal_island_uncouple(s);
    htz_modal_island_sync(s);
    const double before = htz_network_energy(s->net);
    weigh(l, factor);
    done = htz_network_energy(s->net) - before;
  }
  htz_prepared_changed(g, done);
}

static bool loose_holds(const gesture* g) {
  return loose_of_const(g)->there;
}

static bool loose_presses(const gesture* g) {
  return loose_of_const(g)->there && loose_of_const(g)->desc.gravity > 0.0;
}

static double loose_moving(const gesture* g) {
  const loose* l = loose_of_const(g);
  const double v = velocity_of(l->body);
  return !l->there ? 0.0 : l->desc.gravity > 0.0 ? 0.5 * present(l) * v * v : l->body->cls->energy(l->body);
}

// Sample by sample.

static uint32_t loose_stride(const gesture* g, uint32_t frames) {
  const loose* l = loose_of_const(g);
  return l->at != l->at_wanted && frames > MOVE_STEP ? MOVE_STEP : frames;
}

/** Moved along, it keeps its height over the body: where the body is higher or lower there, the gap takes that up, and glides back. */
static void move(loose* l) {
  gesture* g = &l->base;
  htz_network* net = g->island->net;
  double eta[HTZ_ISLAND_UNISON_MAX];
  for (uint32_t b = 0; b < g->n_bodies; ++b) {
    eta[b] = htz_network_account(net, g->contact + b)->eta;
    htz_modal_place_xy(body_on(g, b), g->point, l->at, l->desc.at_y);
  }
  if (!l->there) {
    return;
  }
  htz_network_refresh(net);
  for (uint32_t b = 0; b < g->n_bodies; ++b) {
    l->gap[b] += htz_network_account(net, g->contact + b)->eta - eta[b];
    htz_network_set_gap(net, g->contact + b, l->gap[b]);
  }
  htz_network_refresh(net);
}

static void loose_before(gesture* g, uint32_t frames) {
  loose* l = loose_of(g);
  htz_network* net = g->island->net;
  const double before = l->at != l->at_wanted ? htz_network_energy(net) : 0.0;
  if (step_to(&l->at, l->at_wanted, place_step)) {
    move(l);
    g->work += htz_network_energy(net) - before;
  }
  for (uint32_t b = 0; b < g->n_bodies && l->there; ++b) {
    gap_to(net, g->contact + b, &l->gap[b], l->gap_wanted, frames, g->island->period);
  }
}

// By the quantum.

static bool loose_clear(gesture* g) {
  loose* l = loose_of(g);
  const modal_island* s = g->island;
  double highest = -HUGE_VAL;
  if (l->at != l->at_wanted) {
    return false;
  }
  for (uint32_t b = 0; b < g->n_bodies && l->there; ++b) {
    if (l->gap[b] != l->gap_wanted || (!s->flown && htz_network_account(s->net, g->contact + b)->eta > 0.0)) {
      return false;
    }
    const double height = htz_flight_reach(body_on(g, b), g->point) - l->gap[b];
    highest = height > highest ? height : highest;
  }
  return !l->there || htz_flight_plan(l->body, -1.0, -highest, s->period, NULL, &l->flight);
}

static void loose_fly(gesture* g) {
  loose* l = loose_of(g);
  if (l->there) {
    htz_flight_take(l->body, &l->flight);
    g->island->flown = true;
  }
}

const gesture_class htz_gesture_loose = {.name = "loose",
                                         .influence = loose_influence,
                                         .holds = loose_holds,
                                         .stride = loose_stride,
                                         .before = loose_before,
                                         .clear = loose_clear,
                                         .fly = loose_fly,
                                         .presses = loose_presses,
                                         .moving = loose_moving,
                                         .settle = loose_settle};
