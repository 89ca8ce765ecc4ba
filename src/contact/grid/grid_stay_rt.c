#include "gesture/stay_control.h"
#include "grid_island.h"

#include <math.h>

// Mallets that stay on a grid: balls that fall back, hammers on an arm driven by a signal, balls that roll.

static const double two_pi = 6.28318530717958647693;

static htz_grid* mallet_of(const grid_island* g, size_t i) {
  return g->desc.bodies[grid_gesture(g, HTZ_EXCITE_MALLET)->mallet + i];
}

bool htz_grid_stay_retains(const grid_island* g) {
  return g->desc.stay.given && (g->desc.stay.spring_hz > 0.0 ? g->now.held : g->now.gravity > 0.0);
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

/** How far the ball's middle is over where it would be on a smooth, even surface [m]: the profile and the ball's own asymmetry. */
static double height_at(grid_island* g, size_t i) {
  grid_mallet* m = &g->mallets[i];
  const double radius = g->desc.stay.radius;
  return g->stay.roughness * htz_profile_height(&m->profile, m->rolled) +
         g->stay.asymmetry * radius * sin(fmod(m->rolled / radius, two_pi));
}

static uint32_t contact_of(const grid_island* g, size_t i) {
  return grid_gesture(g, HTZ_EXCITE_MALLET)->contact + (uint32_t)i;
}

void htz_grid_stay_throw(grid_island* g, size_t i, const htz_strike* strike) {
  grid_mallet* m = &g->mallets[i];
  const htz_stay* stay = &g->desc.stay;
  g->work += load(g, i);
  htz_grid_mass_push(mallet_of(g, i), 0.0);
  if (!stay->rolls) {
    return;
  }
  if (m->profile.grain != stay->grain) {
    htz_profile_lay(&m->profile, stay->grain, stay->seed * HTZ_GRID_MALLETS_MAX + i);
  }
  m->roll_speed = strike->travel;
  m->speed = m->roll_speed * g->now.roll_factor;
  const double gap = height_at(g, i);
  htz_grid_bend(mallet_of(g, i), 0.5, 0.5, 0.5, gap);
  htz_grid_network_set_gap(g->desc.net, contact_of(g, i), gap);
}

void htz_grid_stay_before(grid_island* g) {
  grid_stay* s = &g->stay;
  s->gain = stay_ramp(s->gain, g->now.gain, s->gain_step);
  s->force = g->now.drive && s->driven < HTZ_QUANTUM ? s->gain * (double)g->now.drive[s->driven] : 0.0;
  ++s->driven;
  s->roughness = stay_glide(s->roughness, g->now.roughness, s->glide);
  s->asymmetry = stay_glide(s->asymmetry, g->now.asymmetry, s->glide);
  for (size_t i = 0; i < g->desc.n_mallets; ++i) {
    grid_mallet* m = &g->mallets[i];
    if (!m->flying) {
      continue;
    }
    htz_grid_mass_push(mallet_of(g, i), s->force);
    m->from = htz_grid_before(mallet_of(g, i), 0);
    if (g->desc.stay.rolls) {
      m->speed = stay_rolls_on(m->speed, m->roll_speed * g->now.roll_factor, s->speed_share, g->now.held,
                               g->desc.stay.friction * g->now.gravity * g->period);
      m->rolled += m->speed * g->period;
      g->work += htz_grid_network_set_gap(g->desc.net, contact_of(g, i), height_at(g, i));
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

void htz_grid_stay_influence(grid_island* g, const htz_influence* influence) {
  const stay_wanted was = g->now;
  bool flying = false;
  for (size_t i = 0; i < g->desc.n_mallets; ++i) {
    flying = flying || g->mallets[i].flying;
  }
  g->now = stay_wanted_of(&g->desc.stay, influence);
  g->stay.driven = 0;
  if (!flying) {
    g->stay.gain = g->now.gain;
    g->stay.roughness = g->now.roughness;
    g->stay.asymmetry = g->now.asymmetry;
  }
  if (g->now.gain != was.gain) {
    g->stay.gain_step = (g->now.gain - g->stay.gain) / HTZ_QUANTUM;
  }
  for (size_t i = 0; i < g->desc.n_mallets && (g->now.gravity != was.gravity || g->now.rest_height != was.rest_height); ++i) {
    if (g->mallets[i].flying) {
      g->work += load(g, i);
    }
  }
}

bool htz_grid_stay_disturbed(const grid_island* g, const htz_influence* influence) {
  const stay_wanted now = stay_wanted_of(&g->desc.stay, influence);
  bool flying = false;
  for (size_t i = 0; i < g->desc.n_mallets; ++i) {
    flying = flying || g->mallets[i].flying;
  }
  return flying && stay_sets_going(&g->now, &now);
}
