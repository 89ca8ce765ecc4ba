#include "struck.h"

#include "signals.h"

#include <math.h>

static const double retire_gap_m = 2e-3; // a mallet this far away does not come back
static const double retire_age_s = 0.05; // nor does one that has flown this long
// Quanta without a change before the coupled form is derived: a bend in progress would make it stale at once.
static const uint32_t settle_quanta = 1;
static const double retire_pressing_s = 0.25; // a mallet still pressing after this is taken away by the hand

static struck* struck_of(htz_island* island) {
  return (struck*)island;
}

static const struck* struck_of_const(const htz_island* island) {
  return (const struck*)island;
}

static size_t contact_of(const struck* s, uint32_t mallet_number, uint32_t body) {
  return (size_t)mallet_number * s->desc.n_struck + body;
}

/** Penetration of the mallet into whatever it is deepest in, or closest to [m]. */
static double nearest(const struck* s, uint32_t i) {
  double eta = -HUGE_VAL;
  for (uint32_t b = 0; b < s->desc.n_struck; ++b) {
    const double e = htz_network_account(s->net, contact_of(s, i, b))->eta;
    eta = s->mallets[i].spare >> b & 1u || e < eta ? eta : e;
  }
  return eta;
}

static void retire(struck* s, uint32_t i) {
  for (uint32_t b = 0; b < s->desc.n_struck; ++b) {
    htz_network_disable(s->net, contact_of(s, i, b));
  }
  htz_network_wake(s->net, s->desc.n_struck + i, false);
  s->mallets[i].flying = false;
  --s->flying;
}

/** A pin lets go where it has lifted the body to; what the contact then still stores, it keeps. */
static bool lets_go(const mallet* m) {
  return m->body->cls->displacement(m->body, 0) >= m->lift || m->age > retire_pressing_s;
}

void htz_struck_retire_departed(struck* s) {
  for (uint32_t i = 0; i < s->desc.n_mallets; ++i) {
    mallet* m = &s->mallets[i];
    if (!m->flying) {
      continue;
    }
    m->age += s->period;
    if (s->desc.stay.given && htz_stay_keeps(s)) {
      continue;
    }
    const double eta = nearest(s, i);
    const double patience = eta > 0.0 ? retire_pressing_s : retire_age_s;
    if (eta < -retire_gap_m || (m->lift > 0.0 ? lets_go(m) : m->age > patience)) {
      retire(s, i);
    }
  }
}

/** Sample by sample: mallets in flight, or a piece of a quantum. */
static void run_samples(struck* s, uint32_t frames, island_signals* all) {
  const bool stay = s->desc.stay.given && s->flying;
  if (stay || s->prepared.given) {
    htz_stay_land(s);
  }
  uint32_t next = s->prepared.given ? 0 : frames;
  for (uint32_t i = 0; i < frames; ++i) {
    if (i == next) {
      next += htz_prepared_before(s, frames - i);
    }
    if (stay) {
      htz_stay_before(s);
    }
    htz_network_step(s->net);
    if (stay) {
      htz_stay_after(s);
    }
    if (s->flying) {
      htz_struck_retire_departed(s);
    }
    for (uint32_t b = 0; b < s->desc.n_struck; ++b) {
      htz_signals_hear(&s->desc, b, i, all);
    }
  }
  if (s->prepared.given) {
    htz_prepared_after(s, frames);
  }
}

/** A quantum alone: mallets that stay and what is loose. */
static void fly(struck* s) {
  if (s->flying) {
    htz_stay_fly(s);
  }
  if (s->prepared.given) {
    htz_prepared_fly(s);
  }
}

/** Body after body: contacts, pieces of a quantum, anything that changes meanwhile. */
static void run_bodies(struck* s, uint32_t frames, bool clear, float* const* lines) {
  island_signals all;
  // Right after a change the free-running tables are stale and may be so again soon: samples cost less than new tables.
  const bool by_quantum = clear && frames == HTZ_QUANTUM && s->still >= settle_quanta;
  const bool resonating = s->level > 0.0 || s->level_wanted > 0.0;
  if (!by_quantum) {
    run_samples(s, frames, &all);
  } else {
    fly(s);
  }
  for (uint32_t b = by_quantum ? 0 : s->desc.n_struck; b < s->desc.n_bodies; ++b) {
    if (b < s->desc.n_struck) {
      float* to[HTZ_ISLAND_PICKUPS_MAX];
      htz_signals_clear(&s->desc, b, frames, &all, to);
      htz_modal_free_quantum(s->desc.bodies[b], to);
    } else {
      htz_signals_resonate(&s->desc, b, frames, resonating, &all);
    }
  }
  htz_signals_mix(&s->desc, frames, &all, s->level, s->level_wanted, lines);
}

static void struck_advance(htz_island* island, uint32_t frames, float* const* lines) {
  struck* s = struck_of(island);
  if (frames == 0) {
    return;
  }
  const bool clear = (s->flying == 0 || (s->desc.stay.given && htz_stay_clear(s, frames))) && htz_prepared_clear(s, frames);
  const bool free_run = clear && frames == HTZ_QUANTUM && s->level == s->level_wanted;
  if (free_run && s->still >= settle_quanta && htz_struck_couple(s)) {
    fly(s);
    htz_struck_free_quantum(s, lines);
    return;
  }
  const uint32_t still = s->still;
  htz_struck_uncouple(s);
  s->still = free_run ? still + 1 : 0;
  run_bodies(s, frames, clear, lines);
  s->level = s->level_wanted;
}

/** A mallet for the next throw: one at hand, else the one that is farthest away. */
static uint32_t pick_mallet(struck* s) {
  uint32_t farthest = 0;
  double least = HUGE_VAL;
  if (s->desc.stay.given && s->flying) {
    htz_stay_land(s);
    const uint32_t still = htz_stay_pick(s);
    if (still < s->desc.n_mallets) {
      retire(s, still);
      return still;
    }
  }
  for (uint32_t i = 0; i < s->desc.n_mallets; ++i) {
    if (!s->mallets[i].flying) {
      return i;
    }
    const double eta = nearest(s, i);
    if (eta < least) {
      least = eta;
      farthest = i;
    }
  }
  ++s->reused;
  retire(s, farthest);
  return farthest;
}

static htz_law law_of(const htz_strike* s) {
  if (s->hysteresis > 0.0) {
    return (htz_law){.cls = &htz_law_stulov, .p = {s->stiffness, s->exponent, s->hysteresis, s->relaxation}};
  }
  return (htz_law){.cls = &htz_law_hunt_crossley, .p = {s->stiffness, s->exponent, s->viscosity}};
}

static void struck_strike(htz_island* island, const htz_strike* strike) {
  struck* s = struck_of(island);
  if (!(strike->speed > 0.0) || !(strike->mass > 0.0) || !(strike->stiffness > 0.0)) {
    return;
  }
  htz_struck_uncouple(s);
  const uint32_t i = pick_mallet(s);
  mallet* m = &s->mallets[i];
  m->spare = strike->spare;
  // It comes from where it touches the first body it meets.
  double surface = HUGE_VAL;
  for (uint32_t b = 0; b < s->desc.n_struck; ++b) {
    htz_body* body = htz_modal_body(s->desc.bodies[b]);
    htz_modal_place_xy(s->desc.bodies[b], i, strike->at, strike->at_y);
    const double u = body->cls->displacement(body, i);
    surface = m->spare >> b & 1u || u > surface ? surface : u;
  }
  if (surface == HUGE_VAL) {
    return;
  }
  // A pin comes up from where the body is at rest, unless that is on its way down to meet it.
  surface = strike->lift > 0.0 && surface > 0.0 ? 0.0 : surface;
  m->lift = strike->lift;
  htz_mass_set(m->body, strike->mass);
  m->body->cls->set_motion(m->body, surface, strike->speed);
  m->flying = true;
  m->age = 0.0;
  ++s->flying;
  if (s->desc.stay.given) {
    htz_stay_throw(s, i, strike, surface);
  }
  htz_network_wake(s->net, s->desc.n_struck + i, true);
  const htz_law law = law_of(strike);
  for (uint32_t b = 0; b < s->desc.n_struck; ++b) {
    if (!(m->spare >> b & 1u)) {
      htz_network_enable(s->net, contact_of(s, i, b), &law);
    }
  }
}

static void struck_damp(htz_island* island, double sigma) {
  struck* s = struck_of(island);
  htz_struck_uncouple(s);
  for (uint32_t b = 0; b < s->desc.n_struck; ++b) {
    htz_modal_damp(s->desc.bodies[b], sigma);
  }
}

static void struck_retune(htz_island* island, double ratio, double loss) {
  struck* s = struck_of(island);
  htz_struck_uncouple(s);
  htz_stay_land(s);
  const bool touching = htz_network_touching(s->net);
  for (uint32_t b = 0; b < s->desc.n_bodies; ++b) {
    htz_modal_retune(s->desc.bodies[b], ratio, loss, touching && b < s->desc.n_struck);
  }
  if (s->flying || s->prepared.given) {
    htz_network_refresh(s->net);
  }
}

static void struck_resonate(htz_island* island, double level) {
  struck_of(island)->level_wanted = level > 0.0 ? level : 0.0;
}

static double struck_energy(const htz_island* island, double* loudness) {
  const struck* s = struck_of_const(island);
  const double given = htz_network_energy(s->net);
  double fed = 0.0;
  double sum = s->coupled ? htz_struck_free_loudness(s) : 0.0;
  // A body bent by the weight of what lies on it sounds no more for that.
  const double still = s->prepared.given                                ? htz_prepared_swing(s)
                       : s->desc.stay.given && s->flying && !s->coupled ? htz_stay_excess(s)
                                                                        : HUGE_VAL;
  for (uint32_t b = s->desc.n_struck; b < s->desc.n_bodies; ++b) {
    const htz_body* body = htz_modal_body(s->desc.bodies[b]);
    fed += body->cls->energy(body);
  }
  for (uint32_t o = 0; o < s->desc.n_outputs && !s->coupled; ++o) {
    const htz_output* out = &s->desc.outputs[o];
    const htz_body* body = htz_modal_body(s->desc.bodies[out->body]);
    const double level = out->body < s->desc.n_struck ? 1.0 : s->level;
    const double energy = out->body < s->desc.n_struck && still < HUGE_VAL ? still : body->cls->energy(body);
    sum += level * htz_modal_loudness_bound(s->desc.bodies[out->body], out->pickup) * sqrt(energy > 0.0 ? energy : 0.0);
  }
  *loudness = sum;
  return given + (isfinite(fed) ? 0.0 : fed);
}

static void struck_left_over(htz_island* island, double* lines) {
  struck* s = struck_of(island);
  htz_struck_uncouple(s);
  htz_signals_left_over(&s->desc, s->level, lines);
}

static bool struck_busy(const htz_island* island) {
  const struck* s = struck_of_const(island);
  return s->flying > 0 && !(s->desc.stay.given && !s->now.drive && htz_stay_excess(s) < HUGE_VAL);
}

static void struck_reset(htz_island* island) {
  struck* s = struck_of(island);
  for (uint32_t i = 0; i < s->desc.n_mallets; ++i) {
    if (s->mallets[i].flying) {
      retire(s, i);
    }
    s->mallets[i].body->cls->reset(s->mallets[i].body);
  }
  for (uint32_t b = 0; b < s->desc.n_bodies; ++b) {
    htz_body* body = htz_modal_body(s->desc.bodies[b]);
    body->cls->reset(body);
  }
  s->coupled = false;
  s->still = 0;
  s->flown = false;
  s->work = s->reported = 0.0;
  htz_network_reset(s->net);
  if (s->prepared.given) {
    htz_prepared_rest(s);
  }
}

static htz_island_counters struck_count(const htz_island* island) {
  const struck* s = struck_of_const(island);
  const htz_network_counters* c = htz_network_count(s->net);
  return (htz_island_counters){c->contact_steps, c->closures, c->unconverged + c->level_capped, s->reused};
}

const htz_island_class htz_struck_class = {.name = "exact-hold",
                                           .advance = struck_advance,
                                           .strike = struck_strike,
                                           .damp = struck_damp,
                                           .retune = struck_retune,
                                           .resonate = struck_resonate,
                                           .energy = struck_energy,
                                           .left_over = struck_left_over,
                                           .busy = struck_busy,
                                           .reset = struck_reset,
                                           .count = struck_count,
                                           .influence = htz_stay_influence,
                                           .stirred = htz_stay_stirred,
                                           .keeps = htz_stay_keeps_any,
                                           .brought = htz_stay_brought,
                                           .port = &htz_struck_port};

htz_network* htz_struck_network(htz_island* island) {
  return struck_of(island)->net;
}

htz_modal* htz_struck_body(htz_island* island, size_t index) {
  return struck_of(island)->desc.bodies[index];
}
