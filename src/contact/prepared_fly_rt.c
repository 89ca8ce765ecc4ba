#include "prepared_private.h"

#include <math.h>

/*
   What is prepared, by the quantum: how much still moves, flights without touch, accounts.
*/

static const double swing_keep = 0.95; // by quantum: a mode of 20 Hz moves fastest twice before half is forgotten

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
  if (p->screwed || p->rubbed || frames != HTZ_QUANTUM || places_differ(p)) {
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
