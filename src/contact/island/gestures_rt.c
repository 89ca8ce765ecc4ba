#include "modal_island.h"

#include <math.h>

/*
   The gestures of an island together.
*/

static const double moving_peak_decay = 0.95; // by quantum: a mode of 20 Hz moves fastest twice before half is forgotten

static modal_island* island_of(htz_island* island) {
  return (modal_island*)island;
}

static const modal_island* island_of_const(const htz_island* island) {
  return (const modal_island*)island;
}

void htz_modal_island_sync(modal_island* s) {
  if (s->flown) {
    htz_network_reread(s->net);
    s->flown = false;
  }
}

// Sample by sample.

uint32_t htz_gestures_before(modal_island* s, uint32_t frames) {
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

void htz_gestures_sample(modal_island* s) {
  for (uint32_t i = 0; i < s->n_gestures; ++i) {
    gesture* g = s->gestures[i];
    if (g->cls->sample) {
      g->cls->sample(g);
    }
  }
}

void htz_gestures_sampled(modal_island* s) {
  for (uint32_t i = 0; i < s->n_gestures; ++i) {
    gesture* g = s->gestures[i];
    if (g->cls->sampled) {
      g->cls->sampled(g);
    }
  }
}

void htz_gestures_moving_bodies(modal_island* s) {
  for (uint32_t i = 0; i < s->n_gestures; ++i) {
    gesture* g = s->gestures[i];
    if (g->cls->moving_bodies) {
      g->cls->moving_bodies(g);
    }
  }
}

void htz_gestures_moved_bodies(modal_island* s) {
  for (uint32_t i = 0; i < s->n_gestures; ++i) {
    gesture* g = s->gestures[i];
    if (g->cls->moved_bodies) {
      g->cls->moved_bodies(g);
    }
  }
}

bool htz_gestures_idle(const modal_island* s) {
  bool idle = true;
  for (uint32_t i = 0; i < s->n_gestures && idle; ++i) {
    const gesture* g = s->gestures[i];
    const gesture_class* cls = g->cls;
    const bool there = (cls->busy && cls->busy(g)) || (cls->retains && cls->retains(g)) || (cls->holds && cls->holds(g));
    idle = !cls->before && !cls->stride && (!there || !(cls->sample || cls->sampled));
  }
  return idle;
}

bool htz_gestures_let_be(const modal_island* s, const gesture* but) {
  bool others = false;
  for (uint32_t i = 0; i < s->n_gestures && !others; ++i) {
    const gesture* g = s->gestures[i];
    const bool holds = g->cls->linear ? !g->cls->linear(g) : g->cls->holds && g->cls->holds(g);
    others = g != but && (holds || (g->cls->busy && g->cls->busy(g)));
  }
  return !others;
}

// How much still moves.

static bool pressed(const modal_island* s) {
  bool any = false;
  for (uint32_t i = 0; i < s->n_gestures && !any; ++i) {
    const gesture* g = s->gestures[i];
    any = g->cls->presses && g->cls->presses(g);
  }
  return any;
}

/** Energy of the struck bodies, or what of it is kinetic, and of what the gestures move. */
static double moving(const modal_island* s, bool kinetic) {
  double sum = 0.0;
  for (uint32_t b = 0; b < htz_modal_island_in_network(&s->desc); ++b) {
    const htz_body* body = htz_modal_body(s->desc.bodies[b]);
    sum += kinetic ? htz_modal_kinetic(s->desc.bodies[b]) : body->cls->energy(body);
  }
  for (uint32_t i = 0; i < s->n_gestures; ++i) {
    const gesture* g = s->gestures[i];
    sum += g->cls->moving ? g->cls->moving(g) : 0.0;
  }
  return sum;
}

void htz_gestures_after(modal_island* s, uint32_t frames) {
  if (pressed(s)) {
    const double now = moving(s, true);
    const double kept = s->moving_peak * (frames == HTZ_QUANTUM ? moving_peak_decay : 1.0);
    s->moving_peak = now > kept ? now : kept;
  }
}

// Bodies that something joins may hand each other all they have; one bent by the weight of what lies on it sounds no more for that.
double htz_gestures_audible(const modal_island* s, uint32_t body) {
  const htz_body* own = htz_modal_body(s->desc.bodies[body]);
  return !htz_gestures_hold(s) ? own->cls->energy(own) : pressed(s) ? s->moving_peak : moving(s, false);
}

double htz_gestures_energy(const modal_island* s) {
  double sum = 0.0;
  for (uint32_t i = 0; i < s->n_gestures; ++i) {
    const gesture* g = s->gestures[i];
    sum += g->cls->energy ? g->cls->energy(g) : 0.0;
  }
  return sum;
}

void htz_gestures_count(const modal_island* s, htz_island_counters* to) {
  for (uint32_t i = 0; i < s->n_gestures; ++i) {
    const gesture* g = s->gestures[i];
    if (g->cls->count) {
      g->cls->count(g, to);
    }
  }
}

// By the quantum.

bool htz_gestures_clear(modal_island* s, uint32_t frames) {
  bool clear = true;
  for (uint32_t i = 0; i < s->n_gestures && clear; ++i) {
    gesture* g = s->gestures[i];
    const bool holds = g->cls->holds && g->cls->holds(g);
    clear = !holds || frames == HTZ_QUANTUM;
    clear = clear && (!g->cls->clear || g->cls->clear(g));
  }
  return clear;
}

bool htz_gestures_linear(const modal_island* s) {
  bool linear = true;
  for (uint32_t i = 0; i < s->n_gestures && linear; ++i) {
    const gesture* g = s->gestures[i];
    const bool holds = g->cls->holds && g->cls->holds(g);
    linear = g->cls->linear ? g->cls->linear(g) : !holds; // what was folded in has to be there
  }
  return linear;
}

void htz_gestures_fly(modal_island* s) {
  for (uint32_t i = 0; i < s->n_gestures; ++i) {
    gesture* g = s->gestures[i];
    if (g->cls->fly) {
      g->cls->fly(g);
    }
  }
  s->resting = false;
  htz_gestures_after(s, HTZ_QUANTUM);
}

bool htz_gestures_hold(const modal_island* s) {
  bool any = false;
  for (uint32_t i = 0; i < s->n_gestures && !any; ++i) {
    const gesture* g = s->gestures[i];
    any = g->cls->holds && g->cls->holds(g);
  }
  return any;
}

// At rest.

bool htz_modal_island_plays(const modal_island* s, const gesture* but) {
  bool any = false;
  for (uint32_t i = 0; i < s->n_gestures && !any; ++i) {
    const gesture* g = s->gestures[i];
    any = g != but && ((g->cls->busy && g->cls->busy(g)) || (g->cls->retains && g->cls->retains(g)));
  }
  return any;
}

void htz_modal_island_settle(modal_island* s) {
  for (uint32_t b = 0; b < htz_modal_island_in_network(&s->desc); ++b) {
    htz_body* body = htz_modal_body(s->desc.bodies[b]);
    body->cls->reset(body);
  }
  for (uint32_t i = 0; i < s->n_gestures; ++i) {
    gesture* g = s->gestures[i];
    if (g->cls->settle) {
      g->cls->settle(g);
    }
  }
  htz_network_reset(s->net);
  s->flown = false;
  s->resting = true;
  s->moving_peak = 0.0;
}

void htz_gestures_reset(modal_island* s) {
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
  modal_island* s = island_of(island);
  htz_modal_island_uncouple(s);
  for (uint32_t i = 0; i < s->n_gestures; ++i) {
    gesture* g = s->gestures[i];
    if (g->cls->start) {
      g->cls->start(g, strike);
    }
  }
}

void htz_gestures_influence(htz_island* island, const htz_influence* influence) {
  modal_island* s = island_of(island);
  for (uint32_t i = 0; i < s->n_gestures; ++i) {
    gesture* g = s->gestures[i];
    if (g->cls->influence) {
      g->cls->influence(g, influence);
    }
  }
}

bool htz_gestures_disturbed(const htz_island* island, const htz_influence* influence) {
  const modal_island* s = island_of_const(island);
  bool any = false;
  for (uint32_t i = 0; i < s->n_gestures && !any; ++i) {
    const gesture* g = s->gestures[i];
    any = g->cls->disturbed && g->cls->disturbed(g, influence);
  }
  return any;
}

bool htz_gestures_busy(const htz_island* island) {
  const modal_island* s = island_of_const(island);
  bool any = false;
  for (uint32_t i = 0; i < s->n_gestures && !any; ++i) {
    const gesture* g = s->gestures[i];
    any = g->cls->busy && g->cls->busy(g);
  }
  return any;
}

bool htz_gestures_retain(const htz_island* island) {
  const modal_island* s = island_of_const(island);
  bool any = false;
  for (uint32_t i = 0; i < s->n_gestures && !any; ++i) {
    const gesture* g = s->gestures[i];
    any = g->cls->retains && g->cls->retains(g);
  }
  return any;
}

double htz_gestures_external_work(htz_island* island) {
  modal_island* s = island_of(island);
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
