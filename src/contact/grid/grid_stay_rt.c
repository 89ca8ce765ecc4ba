#include "grid_island.h"

#include <math.h>

// Mallets that stay on a grid: balls that fall back, hammers on an arm driven by a signal, balls that roll.

static const double two_pi = 6.28318530717958647693;

static htz_grid* mallet_of(const grid_island* g, size_t i) {
  return g->desc.bodies[grid_gesture(g, HTZ_EXCITE_MALLET)->mallet + i];
}

bool htz_grid_stay_retains(const grid_island* g) {
  return stay_retains(&g->desc.stay, &g->now);
}

/** Pull of gravity and of the arm, which hangs at rest at -now.rest. @return energy that the change adds [J] */
static double load(grid_island* g, size_t i) {
  htz_grid* mallet = mallet_of(g, i);
  const double omega = two_pi * g->desc.stay.spring_hz;
  const htz_grid_mass_desc d = {.mass = g->mallets[i].mass,
                                .hz = g->desc.stay.spring_hz,
                                .loss = 2.0 * g->desc.stay.damping * omega,
                                .gravity = g->now.gravity - omega * omega * g->now.rest_height};
  const double before = mallet->cls->energy(mallet);
  htz_grid_mass_load(mallet, &d);
  return mallet->cls->energy(mallet) - before;
}

static uint32_t contact_of(const grid_island* g, size_t i) {
  return grid_gesture(g, HTZ_EXCITE_MALLET)->contact + (uint32_t)i;
}

void htz_grid_stay_throw(grid_island* g, size_t i, const htz_strike* strike) {
  g->work += load(g, i);
  htz_grid_mass_push(mallet_of(g, i), 0.0);
  if (!g->desc.stay.rolls) {
    return;
  }
  const double gap = stay_set_rolling(&g->stay, &g->desc.stay, &g->now, &g->mallets[i].ball, i, strike->travel);
  htz_grid_bend(mallet_of(g, i), 0.5, 0.5, 0.5, gap);
  htz_grid_network_set_gap(g->desc.net, contact_of(g, i), gap);
}

void htz_grid_stay_before(grid_island* g) {
  stay_step(&g->stay, &g->desc.stay, &g->now);
  for (size_t i = 0; i < g->desc.n_mallets; ++i) {
    grid_mallet* m = &g->mallets[i];
    if (!m->flying) {
      continue;
    }
    htz_grid_mass_push(mallet_of(g, i), g->stay.force);
    m->from = htz_grid_before(mallet_of(g, i), 0);
    if (g->desc.stay.rolls) {
      const double gap = stay_roll(&g->stay, &g->desc.stay, &g->now, &m->ball, g->period);
      g->work += htz_grid_network_set_gap(g->desc.net, contact_of(g, i), gap);
    }
  }
}

void htz_grid_stay_after(grid_island* g) {
  for (size_t i = 0; g->stay.force != 0.0 && i < g->desc.n_mallets; ++i) {
    if (g->mallets[i].flying) {
      g->work += 0.5 * g->stay.force * (htz_grid_now(mallet_of(g, i), 0) - g->mallets[i].from);
    }
  }
}

static bool any_flying(const grid_island* g) {
  bool flying = false;
  for (size_t i = 0; i < g->desc.n_mallets; ++i) {
    flying = flying || g->mallets[i].flying;
  }
  return flying;
}

void htz_grid_stay_influence(grid_island* g, const htz_influence* influence) {
  const stay_wanted was = g->now;
  g->now = stay_wanted_of(&g->desc.stay, influence);
  stay_follow(&g->stay, &was, &g->now, any_flying(g));
  for (size_t i = 0; i < g->desc.n_mallets && (g->now.gravity != was.gravity || g->now.rest_height != was.rest_height); ++i) {
    if (g->mallets[i].flying) {
      g->work += load(g, i);
    }
  }
}

bool htz_grid_stay_disturbed(const grid_island* g, const htz_influence* influence) {
  const stay_wanted now = stay_wanted_of(&g->desc.stay, influence);
  return any_flying(g) && stay_sets_going(&g->now, &now);
}
