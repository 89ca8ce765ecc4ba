#include "grid_island.h"

#include <math.h>

static const double quiet_level = 1e-6; // -120 dBFS, as the engine has it
static const double quiet_s = 1.0;      // nothing is heard for so long: nothing will be, bounces included
static const double fade_s = 0.1;       // the bound on what is still heard falls behind the sound with this time constant

static grid_island* of(htz_island* island) {
  return (grid_island*)island;
}

static const grid_island* of_const(const htz_island* island) {
  return (const grid_island*)island;
}

static double energy_of(const grid_island* g) {
  return htz_grid_network_energy(g->desc.net);
}

static void island_strike(htz_island* island, const htz_strike* strike) {
  grid_island* g = of(island);
  g->quiet = 0.0;
  ++g->strikes;
  htz_grid_gestures_begin(g, strike);
}

static void island_advance(htz_island* island, uint32_t frames, float* const* lines) {
  grid_island* g = of(island);
  if (frames == 0) {
    return;
  }
  g->peak *= exp(-(double)frames * g->period / fade_s);
  float driven[HTZ_GRID_RESONATORS_MAX][HTZ_QUANTUM] = {{0.0f}};
  htz_grid_control_before(g, frames);
  for (uint32_t i = 0; i < frames; ++i) {
    htz_grid_gestures_before(g);
    htz_grid_control_step(g);
    htz_grid_network_step(g->desc.net);
    htz_grid_gestures_after(g);
    htz_grid_listen(g, i, lines, driven);
  }
  htz_grid_resonate(g, frames, lines, driven);
  g->moved = true;
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
  if (htz_grid_gestures_busy(g) || !(before > 0.0) || !(after > 0.0) || after == before ||
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
  for (size_t r = 0; r < g->desc.n_resonators; ++r) {
    htz_modal_retune(g->desc.resonators[r], g->ratio, g->loss, false);
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
    grid_add_work(g, energy_of(g) - before);
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
  grid_island* g = of(island);
  g->level_wanted = level > 0.0 ? level : 0.0;
  g->level = g->moved ? g->level : g->level_wanted; // nothing sounds that it could go from evenly
}

static double island_energy(const htz_island* island, double* loudness) {
  const grid_island* g = of_const(island);
  const double floor = g->quiet < quiet_s ? 2.0 * quiet_level : 0.0;
  const double resonating = htz_grid_resonating(g);
  *loudness = (g->peak > floor ? g->peak : floor) + resonating;
  return isfinite(resonating) ? energy_of(g) : resonating;
}

static void island_left_over(htz_island* island, double* lines) {
  htz_grid_left_over(of(island), lines);
}

static bool island_busy(const htz_island* island) {
  const grid_island* g = of_const(island);
  return htz_grid_gestures_busy(g) || grid_bows_lie(g);
}

static void island_reset(htz_island* island) {
  grid_island* g = of(island);
  const htz_grid_counters* c = htz_grid_network_count(g->desc.net);
  g->gone.contact_steps += c->solves;
  g->gone.bounds += c->unconverged + c->crowded;
  for (size_t b = 0; b < g->desc.n_bodies; ++b) {
    htz_grid_reset(g->desc.bodies[b]);
  }
  htz_grid_gestures_reset(g);
  htz_grid_control_reset(g);
  htz_grid_network_reset(g->desc.net);
  htz_grid_hear_reset(g);
  g->moved = false;
  // What presses on each other at rest holds energy that nobody brings.
  g->work = g->reported = 0.0;
  grid_add_work(g, energy_of(g));
  g->bowed = 0.0;
}

static htz_island_counters island_count(const htz_island* island) {
  const grid_island* g = of_const(island);
  const htz_grid_counters* c = htz_grid_network_count(g->desc.net);
  const bool bows = g->desc.n_gestures == 1 && g->desc.gestures[0].kind == HTZ_EXCITE_BOW;
  return (htz_island_counters){.contact_steps = g->gone.contact_steps + c->solves,
                               .closures = bows ? g->catches : g->strikes,
                               .bounds = g->gone.bounds + c->unconverged + c->crowded,
                               .reused = g->gone.reused};
}

static void island_influence(htz_island* island, const htz_influence* influence) {
  grid_island* g = of(island);
  htz_grid_stay_influence(g, influence);
  htz_grid_control_influence(g, influence);
}

static bool island_disturbed(const htz_island* island, const htz_influence* influence) {
  return htz_grid_stay_disturbed(of_const(island), influence);
}

static bool island_retains(const htz_island* island) {
  const grid_island* g = of_const(island);
  bool there = false;
  for (size_t i = 0; i < g->desc.n_mallets; ++i) {
    there = there || g->mallets[i].flying;
  }
  return there && htz_grid_stay_retains(g);
}

static double island_external_work(htz_island* island) {
  grid_island* g = of(island);
  const double bowed = htz_grid_network_bowed(g->desc.net);
  grid_add_work(g, bowed - g->bowed);
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
                                                .disturbed = island_disturbed,
                                                .retains = island_retains,
                                                .external_work = island_external_work};

const htz_grid_network* htz_grid_island_network(const htz_island* island) {
  return of_const(island)->desc.net;
}
