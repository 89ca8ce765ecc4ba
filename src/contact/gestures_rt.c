#include "struck.h"

#include <math.h>

/*
   The gestures of an island together.
*/

static const double swing_keep = 0.95; // by quantum: a mode of 20 Hz moves fastest twice before half is forgotten

static struck* struck_of(htz_island* island) {
  return (struck*)island;
}

static const struck* struck_of_const(const htz_island* island) {
  return (const struck*)island;
}

void htz_struck_land(struck* s) {
  if (s->flown) {
    htz_network_reread(s->net);
    s->flown = false;
  }
}

// Sample by sample.

uint32_t htz_gestures_before(struck* s, uint32_t frames) {
  for (uint32_t i = 0; i < s->n_gestures; ++i) {
    const gesture* g = s->gestures[i];
    frames = g->cls->stride ? g->cls->stride(g, frames) : frames;
  }
  for (uint32_t i = 0; i < s->n_gestures; ++i) {
    gesture* g = s->gestures[i];
    if (g->cls->before) {
      g->cls->before(g, frames);
    }
  }
  s->resting = false;
  return frames;
}

void htz_gestures_sample(struck* s) {
  for (uint32_t i = 0; i < s->n_gestures; ++i) {
    gesture* g = s->gestures[i];
    if (g->cls->sample) {
      g->cls->sample(g);
    }
  }
}

void htz_gestures_sampled(struck* s) {
  for (uint32_t i = 0; i < s->n_gestures; ++i) {
    gesture* g = s->gestures[i];
    if (g->cls->sampled) {
      g->cls->sampled(g);
    }
  }
}

// How much still moves.

static bool pressed(const struck* s) {
  bool any = false;
  for (uint32_t i = 0; i < s->n_gestures && !any; ++i) {
    const gesture* g = s->gestures[i];
    any = g->cls->presses && g->cls->presses(g);
  }
  return any;
}

/** Energy of the struck bodies, or what of it is kinetic, and of what the gestures move. */
static double moving(const struck* s, bool kinetic) {
  double sum = 0.0;
  for (uint32_t b = 0; b < htz_struck_together(&s->desc); ++b) {
    const htz_body* body = htz_modal_body(s->desc.bodies[b]);
    sum += kinetic ? htz_modal_kinetic(s->desc.bodies[b]) : body->cls->energy(body);
  }
  for (uint32_t i = 0; i < s->n_gestures; ++i) {
    const gesture* g = s->gestures[i];
    sum += g->cls->moving ? g->cls->moving(g) : 0.0;
  }
  return sum;
}

void htz_gestures_after(struck* s, uint32_t frames) {
  if (pressed(s)) {
    const double now = moving(s, true);
    const double kept = s->swing * (frames == HTZ_QUANTUM ? swing_keep : 1.0);
    s->swing = now > kept ? now : kept;
  }
}

// Bodies that something joins may hand each other all they have; one bent by the weight of what lies on it sounds no more for that.
double htz_gestures_audible(const struck* s, uint32_t body) {
  const htz_body* own = htz_modal_body(s->desc.bodies[body]);
  return !htz_gestures_hold(s) ? own->cls->energy(own) : pressed(s) ? s->swing : moving(s, false);
}

// By the quantum.

bool htz_gestures_clear(struck* s, uint32_t frames) {
  bool clear = true;
  for (uint32_t i = 0; i < s->n_gestures && clear; ++i) {
    gesture* g = s->gestures[i];
    const bool holds = g->cls->holds && g->cls->holds(g);
    clear = !holds || frames == HTZ_QUANTUM;
    clear = clear && (!g->cls->clear || g->cls->clear(g));
  }
  return clear;
}

bool htz_gestures_linear(const struck* s) {
  bool linear = true;
  for (uint32_t i = 0; i < s->n_gestures && linear; ++i) {
    const gesture* g = s->gestures[i];
    const bool holds = g->cls->holds && g->cls->holds(g);
    linear = g->cls->linear ? g->cls->linear(g) : !holds; // what was folded in has to be there
  }
  return linear;
}

void htz_gestures_fly(struck* s) {
  for (uint32_t i = 0; i < s->n_gestures; ++i) {
    gesture* g = s->gestures[i];
    if (g->cls->fly) {
      g->cls->fly(g);
    }
  }
  s->resting = false;
  htz_gestures_after(s, HTZ_QUANTUM);
}

bool htz_gestures_hold(const struck* s) {
  bool any = false;
  for (uint32_t i = 0; i < s->n_gestures && !any; ++i) {
    const gesture* g = s->gestures[i];
    any = g->cls->holds && g->cls->holds(g);
  }
  return any;
}

// At rest.

bool htz_struck_plays(const struck* s, const gesture* but) {
  bool any = false;
  for (uint32_t i = 0; i < s->n_gestures && !any; ++i) {
    const gesture* g = s->gestures[i];
    any = g != but && ((g->cls->busy && g->cls->busy(g)) || (g->cls->keeps && g->cls->keeps(g)));
  }
  return any;
}

void htz_struck_rest(struck* s) {
  for (uint32_t b = 0; b < htz_struck_together(&s->desc); ++b) {
    htz_body* body = htz_modal_body(s->desc.bodies[b]);
    body->cls->reset(body);
  }
  for (uint32_t i = 0; i < s->n_gestures; ++i) {
    gesture* g = s->gestures[i];
    if (g->cls->rest) {
      g->cls->rest(g);
    }
  }
  htz_network_reset(s->net);
  s->flown = false;
  s->resting = true;
  s->swing = 0.0;
}

void htz_gestures_reset(struck* s) {
  for (uint32_t i = 0; i < s->n_gestures; ++i) {
    gesture* g = s->gestures[i];
    if (g->cls->reset) {
      g->cls->reset(g);
    }
    g->work = g->lost = 0.0;
  }
}

// Hooks of the island.

void htz_gestures_start(htz_island* island, const htz_strike* strike) {
  struck* s = struck_of(island);
  htz_struck_uncouple(s);
  for (uint32_t i = 0; i < s->n_gestures; ++i) {
    gesture* g = s->gestures[i];
    if (g->cls->start) {
      g->cls->start(g, strike);
    }
  }
}

void htz_gestures_influence(htz_island* island, const htz_influence* influence) {
  struck* s = struck_of(island);
  for (uint32_t i = 0; i < s->n_gestures; ++i) {
    gesture* g = s->gestures[i];
    if (g->cls->influence) {
      g->cls->influence(g, influence);
    }
  }
}

bool htz_gestures_stirred(const htz_island* island, const htz_influence* influence) {
  const struck* s = struck_of_const(island);
  bool any = false;
  for (uint32_t i = 0; i < s->n_gestures && !any; ++i) {
    const gesture* g = s->gestures[i];
    any = g->cls->stirred && g->cls->stirred(g, influence);
  }
  return any;
}

bool htz_gestures_busy(const htz_island* island) {
  const struck* s = struck_of_const(island);
  bool any = false;
  for (uint32_t i = 0; i < s->n_gestures && !any; ++i) {
    const gesture* g = s->gestures[i];
    any = g->cls->busy && g->cls->busy(g);
  }
  return any;
}

bool htz_gestures_keep(const htz_island* island) {
  const struck* s = struck_of_const(island);
  bool any = false;
  for (uint32_t i = 0; i < s->n_gestures && !any; ++i) {
    const gesture* g = s->gestures[i];
    any = g->cls->keeps && g->cls->keeps(g);
  }
  return any;
}

double htz_gestures_brought(htz_island* island) {
  struck* s = struck_of(island);
  size_t n_contacts, n_joins;
  double sum = s->work;
  htz_network_size(s->net, &n_contacts, &n_joins);
  for (uint32_t i = 0; i < s->n_gestures; ++i) {
    sum += s->gestures[i]->work;
  }
  for (size_t c = 0; c < n_contacts; ++c) {
    sum += htz_network_account(s->net, c)->driven;
  }
  const double since = sum - s->reported;
  s->reported = sum;
  return since;
}
