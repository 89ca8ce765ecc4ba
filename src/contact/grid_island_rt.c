#include "grid_island.h"

#include <math.h>

static const double two_pi = 6.28318530717958647693;
static const double retire_gap_m = 2e-3; // a mallet this far away does not come back
static const double retire_age_s = 0.25; // the hand takes it away after this
static const double quiet_level = 1e-6;  // -120 dBFS, as the engine has it
static const double quiet_s = 1.0;       // nothing is heard for so long: nothing will be, bounces included
static const double fade_s = 0.1;        // the bound on what is still heard falls behind the sound with this time constant
static const double pluck_share = 0.8;   // of the pull is the way there, slowly at both ends

static grid_island* of(htz_island* island) {
  return (grid_island*)island;
}

static const grid_island* of_const(const htz_island* island) {
  return (const grid_island*)island;
}

static double energy_of(const grid_island* g) {
  return htz_grid_network_energy(g->desc.net);
}

// What a key does.

static double eta_of(const grid_island* g, uint32_t contact) {
  return htz_grid_network_contact(g->desc.net, contact)->eta;
}

static void take_away(grid_island* g) {
  htz_grid* mallet = g->desc.bodies[g->desc.mallet];
  htz_grid_network_enable(g->desc.net, g->desc.contact, false);
  htz_grid_reset(mallet);
  g->flying = false;
}

/** The mallet starts where it touches the body, below it, with its speed. */
static void throw_mallet(grid_island* g, const htz_strike* strike) {
  const htz_grid_island_desc* d = &g->desc;
  htz_grid* body = d->bodies[d->body];
  htz_grid* mallet = d->bodies[d->mallet];
  if (g->flying) {
    take_away(g);
    ++g->gone.reused;
  }
  htz_grid_place(body, d->point, strike->at, isnan(strike->at_y) ? 0.5 : strike->at_y);
  const htz_grid_mass_desc load = {.mass = strike->mass};
  htz_grid_mass_load(mallet, &load);
  htz_grid_bend(mallet, 0.5, 0.5, 0.5, htz_grid_now(body, d->point));
  htz_grid_kick(mallet, 0.5, 0.5, 0.5, strike->speed);
  htz_grid_network_set_law(d->net, d->contact, strike->stiffness, strike->exponent, strike->viscosity);
  htz_grid_network_enable(d->net, d->contact, true);
  htz_grid_network_reread(d->net);
  g->flying = true;
  g->age = 0.0;
}

/** A mass of the network is taken back by `height` and thrown. */
static void throw_mass(grid_island* g, const htz_strike* strike) {
  const htz_grid_island_desc* d = &g->desc;
  htz_grid* mass = d->bodies[d->body];
  if (d->height > 0.0) {
    htz_grid_reset(mass);
    htz_grid_bend(mass, 0.5, 0.5, 0.5, -d->toward * d->height);
  }
  htz_grid_kick(mass, 0.5, 0.5, 0.5, d->toward * strike->speed);
  htz_grid_network_reread(d->net);
}

static void kick(grid_island* g, const htz_strike* strike) {
  const htz_grid_island_desc* d = &g->desc;
  htz_grid_kick(d->bodies[d->body], strike->at, isnan(strike->at_y) ? 0.5 : strike->at_y, d->width, strike->speed);
  htz_grid_network_reread(d->net);
}

/** A hand takes the string where it is; it is pulled from here on. */
static void take_hold(grid_island* g, const htz_strike* strike) {
  const htz_grid_island_desc* d = &g->desc;
  htz_grid* string = d->bodies[d->body];
  htz_grid_network_enable(d->net, d->contact, false);
  htz_grid_place(string, d->point, strike->at, 0.5);
  htz_grid_network_reread(d->net);
  g->rest = htz_grid_now(string, d->point);
  htz_grid_network_set_gap(d->net, d->contact, g->rest);
  htz_grid_network_enable(d->net, d->contact, true);
  g->height = strike->speed;
  g->pulling = true;
  g->age = 0.0;
}

static void island_strike(htz_island* island, const htz_strike* strike) {
  grid_island* g = of(island);
  g->quiet = 0.0;
  ++g->strikes;
  if (g->desc.excite == HTZ_EXCITE_BOW) {
    htz_grid_hands_bow_on(g);
    return;
  }
  if (!(strike->speed > 0.0)) {
    return;
  }
  const double before = energy_of(g);
  switch (g->desc.excite) {
  case HTZ_EXCITE_MALLET:
    throw_mallet(g, strike);
    break;
  case HTZ_EXCITE_THROW:
    throw_mass(g, strike);
    break;
  case HTZ_EXCITE_KICK:
    kick(g, strike);
    break;
  default:
    take_hold(g, strike);
    break;
  }
  grid_bring(g, energy_of(g) - before);
}

/** The hand that pulls a string goes its way in a raised cosine and lets go at its end. */
static void pull(grid_island* g) {
  const htz_grid_island_desc* d = &g->desc;
  g->age += g->period;
  if (g->age >= d->time) {
    htz_grid_network_enable(d->net, d->contact, false);
    g->pulling = false;
    return;
  }
  const double x = g->age / (pluck_share * d->time);
  const double share = x < 1.0 ? 0.5 * (1.0 - cos(0.5 * two_pi * x)) : 1.0;
  grid_bring(g, htz_grid_network_set_gap(d->net, d->contact, g->rest + share * (g->height - g->rest)));
}

static void watch_mallet(grid_island* g) {
  g->age += g->period;
  if (eta_of(g, g->desc.contact) < -retire_gap_m || g->age > retire_age_s) {
    take_away(g);
  }
}

// What is heard.

static double quantity(grid_island* g, size_t i) {
  const htz_grid_hear* h = &g->desc.hears[i];
  if (h->what == HTZ_GRID_HEAR_CONTACT) {
    return htz_grid_network_contact(g->desc.net, h->of)->force;
  }
  if (h->what == HTZ_GRID_HEAR_STRETCH) {
    return htz_grid_network_stretch(g->desc.net, h->of)->force;
  }
  const htz_grid* body = g->desc.bodies[h->of];
  if (h->what == HTZ_GRID_HEAR_END) {
    return h->pull[0] * body->now[h->next[0]] + h->pull[1] * body->now[h->next[1]];
  }
  const double u = htz_grid_now(body, h->point);
  if (h->what == HTZ_GRID_HEAR_DISPLACEMENT) {
    return u;
  }
  const double v = (u - htz_grid_before(body, h->point)) / g->period;
  const double was = g->velocity[i];
  g->velocity[i] = v;
  return h->what == HTZ_GRID_HEAR_VELOCITY ? v : (v - was) / g->period;
}

static double moving(grid_still* s, double keep, double x) {
  for (size_t i = 0; i < 2; ++i) {
    s->out[i] = keep * (s->out[i] + x - s->in[i]);
    s->in[i] = x;
    x = s->out[i];
  }
  return x;
}

static void hear(grid_island* g, uint32_t frame, float* const* lines) {
  for (size_t i = 0; i < g->desc.n_hears; ++i) {
    grid_still* s = &g->still[i];
    const double x = g->desc.hears[i].gain * quantity(g, i);
    const double y = moving(s, g->keep, x);
    lines[g->desc.hears[i].line][frame] += (float)y;
    const double size = fabs(y);
    g->peak = size > g->peak ? size : g->peak;
  }
}

static void island_advance(htz_island* island, uint32_t frames, float* const* lines) {
  grid_island* g = of(island);
  if (frames == 0) {
    return;
  }
  g->peak *= exp(-(double)frames * g->period / fade_s);
  htz_grid_hands_before(g, frames);
  for (uint32_t i = 0; i < frames; ++i) {
    if (g->pulling) {
      pull(g);
    }
    htz_grid_hands_step(g);
    htz_grid_network_step(g->desc.net);
    if (g->flying) {
      watch_mallet(g);
    }
    hear(g, i, lines);
  }
  g->quiet = g->peak > quiet_level ? 0.0 : g->quiet + frames * g->period;
}

static double bodies_energy(const grid_island* g) {
  double sum = 0.0;
  for (size_t b = 0; b < g->desc.n_bodies; ++b) {
    sum += g->desc.bodies[b]->cls->energy(g->desc.bodies[b]);
  }
  return sum;
}

/** Everything moves `factor` times as far. */
static void scale(grid_island* g, double factor) {
  for (size_t b = 0; b < g->desc.n_bodies; ++b) {
    htz_grid_scale(g->desc.bodies[b], factor);
  }
  htz_grid_network_reread(g->desc.net);
}

/**
   Tuning keeps the energy, as that of modal bodies does: a player who bends up and down in time with the vibration would pump it without
   end. Not where something touches: that holds the bodies where they are. Nor may they come to touch by it.
*/
static void keep_energy(grid_island* g, double before) {
  const double after = bodies_energy(g);
  if (g->flying || g->pulling || !(before > 0.0) || !(after > 0.0) || after == before ||
      htz_grid_network_touching(g->desc.net)) {
    return;
  }
  const double factor = sqrt(before / after);
  scale(g, factor);
  if (factor > 1.0 && htz_grid_network_touching(g->desc.net)) {
    scale(g, 1.0 / factor);
  }
}

static void tune(grid_island* g) {
  const double before = bodies_energy(g);
  for (size_t b = 0; b < g->desc.n_bodies; ++b) {
    htz_grid* body = g->desc.bodies[b];
    if (body->cls->tune) {
      body->cls->tune(body, g->desc.follows[b] ? g->ratio : 1.0, g->loss, g->desc.damped[b] ? g->sigma : 0.0);
    }
  }
  htz_grid_network_reread(g->desc.net);
  keep_energy(g, before);
}

static void island_damp(htz_island* island, double sigma) {
  grid_island* g = of(island);
  if (sigma != g->sigma) {
    const double before = energy_of(g);
    g->sigma = sigma;
    tune(g);
    grid_bring(g, energy_of(g) - before);
  }
}

static void island_retune(htz_island* island, double ratio, double loss) {
  grid_island* g = of(island);
  if (ratio != g->ratio || loss != g->loss) {
    g->ratio = ratio;
    g->loss = loss;
    tune(g);
  }
}

static void island_resonate(htz_island* island, double level) {
  (void)island;
  (void)level;
}

static double island_energy(const htz_island* island, double* loudness) {
  const grid_island* g = of_const(island);
  const double floor = g->quiet < quiet_s ? 2.0 * quiet_level : 0.0;
  *loudness = g->peak > floor ? g->peak : floor;
  return energy_of(g);
}

/** Of the high passes in series the second is left with what the first has still to take back: both sum up to nothing in the end. */
static void island_left_over(htz_island* island, double* lines) {
  const grid_island* g = of(island);
  const double lasts = g->period * g->keep / (1.0 - g->keep);
  for (uint32_t l = 0; l < island->n_pickups; ++l) {
    lines[l] = 0.0;
  }
  for (size_t i = 0; i < g->desc.n_hears; ++i) {
    lines[g->desc.hears[i].line] += lasts * (g->still[i].out[1] - g->still[i].in[1]);
  }
}

static bool island_busy(const htz_island* island) {
  const grid_island* g = of_const(island);
  return g->flying || g->pulling || g->on || g->pressed > 0.0;
}

static void island_reset(htz_island* island) {
  grid_island* g = of(island);
  const htz_grid_counters* c = htz_grid_network_count(g->desc.net);
  g->gone.contact_steps += c->solves;
  g->gone.bounds += c->unconverged + c->crowded;
  for (size_t b = 0; b < g->desc.n_bodies; ++b) {
    htz_grid_reset(g->desc.bodies[b]);
  }
  if (g->desc.excite == HTZ_EXCITE_MALLET || g->desc.excite == HTZ_EXCITE_PLUCK) {
    htz_grid_network_enable(g->desc.net, g->desc.contact, false);
  }
  htz_grid_hands_reset(g);
  htz_grid_network_reset(g->desc.net);
  g->flying = g->pulling = false;
  g->peak = g->quiet = 0.0;
  for (size_t i = 0; i < HTZ_GRID_ISLAND_HEARS_MAX; ++i) {
    g->velocity[i] = 0.0;
    g->still[i] = (grid_still){{0.0, 0.0}, {0.0, 0.0}};
  }
  for (size_t i = 0; i < g->desc.n_hears; ++i) {
    g->still[i].in[0] = g->desc.hears[i].gain * quantity(g, i); // what presses at rest is not heard
  }
  // What presses on each other at rest holds energy that nobody brings.
  g->work = g->reported = 0.0;
  grid_bring(g, energy_of(g));
  g->bowed = 0.0;
}

static htz_island_counters island_count(const htz_island* island) {
  const grid_island* g = of_const(island);
  const htz_grid_counters* c = htz_grid_network_count(g->desc.net);
  return (htz_island_counters){.contact_steps = g->gone.contact_steps + c->solves,
                               .closures = g->desc.excite == HTZ_EXCITE_BOW ? g->catches : g->strikes,
                               .bounds = g->gone.bounds + c->unconverged + c->crowded,
                               .reused = g->gone.reused};
}

static void island_influence(htz_island* island, const htz_influence* influence) {
  grid_island* g = of(island);
  g->now = *influence;
  g->now.drive = NULL;
  g->on = g->on && influence->held;
}

static bool island_stirred(const htz_island* island, const htz_influence* influence) {
  (void)island;
  (void)influence;
  return false; // what lies there lies still
}

static bool island_keeps(const htz_island* island) {
  (void)island;
  return false;
}

static double island_brought(htz_island* island) {
  grid_island* g = of(island);
  const double bowed = htz_grid_network_bowed(g->desc.net);
  grid_bring(g, bowed - g->bowed);
  g->bowed = bowed;
  const double since = g->work - g->reported;
  g->reported = g->work;
  return since;
}

const htz_island_class htz_grid_island_class = {.name = "grid",
                                                .advance = island_advance,
                                                .strike = island_strike,
                                                .damp = island_damp,
                                                .retune = island_retune,
                                                .resonate = island_resonate,
                                                .energy = island_energy,
                                                .left_over = island_left_over,
                                                .busy = island_busy,
                                                .reset = island_reset,
                                                .count = island_count,
                                                .influence = island_influence,
                                                .stirred = island_stirred,
                                                .keeps = island_keeps,
                                                .brought = island_brought};

const htz_grid_network* htz_grid_island_network(const htz_island* island) {
  return of_const(island)->desc.net;
}
