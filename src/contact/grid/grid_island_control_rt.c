#include "grid_island.h"

#include <math.h>

// What a player's hands do to a grid while it sounds: bow, light finger, and what is loose.

static const double glide_share = 0.1; // of the way to a wanted gap that is gone in a quantum: about 10 ms for all of it
static const double near = 1e-9;       // [m] closer than this it is there
static const double place_near = 1e-6; // fraction of the length, likewise

static double clamp(double x) {
  return x < 0.0 ? 0.0 : x > 1.0 ? 1.0 : x;
}

void htz_grid_control_bow_on(grid_island* g) {
  for (size_t b = 0; b < g->desc.n_bows; ++b) {
    bow_set_on(&g->bow[b], 0.0);
  }
}

/** Place on the grid of `share` of the length that speaks of the string under bow `b`. */
static double spoken(const grid_island* g, size_t b, double share) {
  const double* speaks = g->desc.bows[b].speaks;
  return speaks[0] + share * (speaks[1] - speaks[0]);
}

/** Bow `b` goes some way along its string towards where it is wanted. */
static void slip(grid_island* g, size_t b, uint32_t frames) {
  bow_motion* bow = &g->bow[b];
  const double wanted = spoken(g, b, bow_wanted_at(bow->wanted.at));
  const bool lands = isnan(bow->at);
  const double way = lands ? 0.0 : bow_slip(bow->at, wanted, frames);
  if (!lands && way == 0.0) {
    return;
  }
  bow->at = lands ? wanted : bow->at + way;
  htz_grid_place(g->desc.bodies[g->desc.bows[b].body], g->desc.bows[b].point, bow->at, 0.5);
  htz_grid_network_regroup(g->desc.net);
}

static bool same(double a, double b) {
  return a == b || (isnan(a) && isnan(b));
}

/** A finger leaves the string, or lies on it lightly somewhere else. */
static void touch(grid_island* g) {
  const uint32_t contact = g->desc.finger;
  if (contact == HTZ_GRID_NONE || same(g->finger_at, g->finger_wanted)) {
    return;
  }
  const double before = htz_grid_network_energy(g->desc.net);
  g->finger_at = g->finger_wanted;
  if (!isnan(g->finger_at)) {
    htz_grid_place(g->desc.bodies[g->desc.bows[0].body], g->desc.finger_point, spoken(g, 0, g->finger_at), 0.5);
  }
  htz_grid_network_enable(g->desc.net, contact, !isnan(g->finger_at));
  htz_grid_network_reread(g->desc.net);
  grid_add_work(g, htz_grid_network_energy(g->desc.net) - before);
}

/** The mass that takes part in a contact weighs `factor` of what the file says; without mass it is not there. */
static void weigh(grid_island* g, const htz_grid_moved* m, double factor) {
  if (m->role == HTZ_ROLE_RUBBER) {
    htz_grid_network_set_damping(g->desc.net, m->contact, factor * m->damping);
    htz_grid_network_enable(g->desc.net, m->contact, factor > 0.0);
    return;
  }
  htz_grid_mass_desc load = m->load;
  load.mass *= factor;
  if (m->mass != HTZ_GRID_NONE && load.mass > 0.0) {
    htz_grid* mass = g->desc.bodies[m->mass];
    htz_grid_mass_load(mass, &load);
    if (m->role == HTZ_ROLE_SCREW && !g->screwed[m - g->desc.roles]) { // put there anew, it goes with the string
      const htz_grid* string = g->desc.bodies[m->body];
      const double u = htz_grid_now(string, m->point), speed = (u - htz_grid_before(string, m->point)) / g->period;
      htz_grid_reset(mass);
      htz_grid_bend(mass, 0.5, 0.5, 0.5, u);
      htz_grid_kick(mass, 0.5, 0.5, 0.5, speed);
    }
    htz_grid_network_reread(g->desc.net);
  }
  g->screwed[m - g->desc.roles] = factor > 0.0;
  if (m->role == HTZ_ROLE_RATTLE || m->role == HTZ_ROLE_SCREW) {
    htz_grid_network_enable(g->desc.net, m->contact, factor > 0.0);
  }
}

/** What is wanted of a role: gap, factor on its mass or loss, place. */
static void want_role(grid_island* g, size_t i, const htz_influence* a) {
  const htz_grid_moved* m = &g->desc.roles[i];
  const double at = htz_influence_wanted(a, m->control[HTZ_THING_AT], (double)NAN);
  g->wanted[i][HTZ_THING_GAP] = htz_influence_wanted(a, m->control[HTZ_THING_GAP], m->gap);
  g->wanted[i][HTZ_THING_FACTOR] = htz_influence_factor(a, m->control[HTZ_THING_FACTOR]);
  g->wanted[i][HTZ_THING_AT] = isnan(at) ? m->at : clamp(m->from + at * (m->to - m->from));
}

void htz_grid_control_influence(grid_island* g, const htz_influence* influence) {
  for (size_t b = 0; b < g->desc.n_bows; ++b) {
    bow_follow(&g->bow[b], &influence->bow[b], influence->held);
  }
  g->finger_wanted = influence->finger;
  for (size_t i = 0; i < g->desc.n_roles; ++i) {
    want_role(g, i, influence);
  }
}

/** Some way towards what the player wants, all of it when `at_once`. @return true when anything changed */
static void move_role(grid_island* g, size_t i, bool at_once) {
  const htz_grid_moved* m = &g->desc.roles[i];
  const double gap = g->wanted[i][HTZ_THING_GAP], place = g->wanted[i][HTZ_THING_AT];
  const double factor = g->wanted[i][HTZ_THING_FACTOR];
  if (factor != g->factor[i]) {
    g->factor[i] = factor;
    weigh(g, m, factor);
  }
  if (place != g->place[i] && m->body != HTZ_GRID_NONE) {
    const double way = place - g->place[i];
    g->place[i] = at_once || fabs(way) < place_near ? place : g->place[i] + glide_share * way;
    htz_grid_place(g->desc.bodies[m->body], m->point, g->place[i], m->at_y);
    htz_grid_network_reread(g->desc.net);
  }
  if (gap != g->gap[i]) {
    const double way = gap - g->gap[i];
    g->gap[i] = at_once || fabs(way) < near ? gap : g->gap[i] + glide_share * way;
    htz_grid_network_set_gap(g->desc.net, m->contact, g->gap[i]);
  }
}

static void move_roles(grid_island* g, bool at_once) {
  if (g->desc.n_roles == 0) {
    return;
  }
  const double before = htz_grid_network_energy(g->desc.net);
  for (size_t i = 0; i < g->desc.n_roles; ++i) {
    move_role(g, i, at_once);
  }
  grid_add_work(g, htz_grid_network_energy(g->desc.net) - before);
}

void htz_grid_control_before(grid_island* g, uint32_t frames) {
  move_roles(g, g->quiet == 0.0 && g->peak == 0.0);
  if (g->desc.n_bows > 0) {
    touch(g);
  }
  for (size_t b = 0; b < g->desc.n_bows; ++b) {
    if (bow_lies(&g->bow[b])) {
      slip(g, b, frames);
    } else {
      g->bow[b].at = (double)NAN;
    }
  }
}

/** Bristles that give may tremble while they hold: a catch is one after the string has come back past the bow. */
static void count_catch(grid_island* g, size_t b) {
  const double past = fabs(htz_grid_network_friction(g->desc.net, b)->v);
  const bool sticks = past < (g->sticks[b] ? 1.0 : 0.5) * fabs(g->bow[b].speed);
  g->catches += sticks && !g->sticks[b];
  g->sticks[b] = sticks;
}

void htz_grid_control_step(grid_island* g) {
  for (size_t b = 0; b < g->desc.n_bows; ++b) {
    const double force = bow_step(&g->bow[b]);
    htz_grid_network_bow(g->desc.net, b, g->bow[b].speed, force);
    count_catch(g, b);
  }
}

void htz_grid_control_reset(grid_island* g) {
  for (size_t b = 0; b < g->desc.n_bows; ++b) {
    bow_take_off(&g->bow[b]);
    g->sticks[b] = false;
    htz_grid_network_bow(g->desc.net, b, 0.0, 0.0);
  }
  g->finger_at = (double)NAN;
  if (g->desc.finger != HTZ_GRID_NONE) {
    htz_grid_network_enable(g->desc.net, g->desc.finger, false);
  }
}
