#include "grid_island.h"

#include <math.h>

// What a key does to its grid: throws, kicks, plucks; the bow is in grid_island_control_rt.c.

static const double two_pi = 6.28318530717958647693;
static const double pluck_share = 0.8;  // of the pull is the way there, slowly at both ends
static const double still_speed = 1e-3; // [m/s] a mallet that stays and is slower than this...
static const double at_hand_s = 0.02;   // ...for so long is at hand for the next throw,
static const double settled_s = 0.1;    // and for so long lies or hangs still: longer than the turn of any flight or swing

static double energy_of(const grid_island* g) {
  return htz_grid_network_energy(g->desc.net);
}

static htz_grid* mallet_of(const grid_island* g, const htz_grid_gesture* throws, size_t i) {
  return g->desc.bodies[throws->mallet + i];
}

static double eta_of(const grid_island* g, const htz_grid_gesture* throws, size_t i) {
  return htz_grid_network_contact(g->desc.net, throws->contact + i)->eta;
}

static void take_away(grid_island* g, const htz_grid_gesture* throws, size_t i) {
  htz_grid* mallet = mallet_of(g, throws, i);
  htz_grid_network_enable(g->desc.net, throws->contact + i, false);
  htz_grid_mass_push(mallet, 0.0);
  htz_grid_reset(mallet);
  g->mallets[i].flying = false;
}

static double speed_of(const grid_island* g, const htz_grid* mallet) {
  return (htz_grid_now(mallet, 0) - htz_grid_before(mallet, 0)) / g->period;
}

/** A mallet that is there; else one that lies or hangs still, else that which is farthest off. */
static size_t pick(grid_island* g, const htz_grid_gesture* throws) {
  size_t farthest = 0;
  double least = HUGE_VAL;
  for (size_t i = 0; g->desc.stay.given && i < g->desc.n_mallets; ++i) {
    if (g->mallets[i].flying && g->mallets[i].ball.speed == 0.0 && g->mallets[i].slow > at_hand_s) {
      take_away(g, throws, i);
      return i;
    }
  }
  for (size_t i = 0; i < g->desc.n_mallets; ++i) {
    if (!g->mallets[i].flying) {
      return i;
    }
    const double eta = eta_of(g, throws, i);
    farthest = eta < least ? i : farthest;
    least = eta < least ? eta : least;
  }
  take_away(g, throws, farthest);
  ++g->gone.reused;
  return farthest;
}

/** The mallet starts where it touches the body, below it, with its speed. */
static void throw_mallet(grid_island* g, const htz_grid_gesture* throws, const htz_strike* strike) {
  const size_t i = pick(g, throws);
  const uint32_t contact = throws->contact + (uint32_t)i, point = throws->point + (uint32_t)i;
  htz_grid* body = g->desc.bodies[throws->body];
  htz_grid* mallet = mallet_of(g, throws, i);
  htz_grid_place(body, point, strike->at, isnan(strike->at_y) ? 0.5 : strike->at_y);
  const htz_grid_mass_desc load = {.mass = strike->mass};
  htz_grid_mass_load(mallet, &load);
  htz_grid_bend(mallet, 0.5, 0.5, 0.5, htz_grid_now(body, point));
  htz_grid_kick(mallet, 0.5, 0.5, 0.5, strike->speed);
  g->mallets[i].mass = strike->mass;
  g->mallets[i].flying = true;
  g->mallets[i].age = g->mallets[i].slow = 0.0;
  const bool felt = strike->hysteresis > 0.0; // not given: not a number
  const htz_grid_law law = {strike->stiffness, strike->exponent, felt ? 0.0 : strike->viscosity,
                            felt ? strike->hysteresis : 0.0, felt ? strike->relaxation : 0.0};
  htz_grid_network_set_law(g->desc.net, contact, &law);
  htz_grid_network_set_gap(g->desc.net, contact, 0.0);
  if (g->desc.stay.given) {
    htz_grid_stay_throw(g, i, strike);
  }
  htz_grid_network_enable(g->desc.net, contact, true);
  htz_grid_network_reread(g->desc.net);
}

/** A mass of the network is taken back by `height` and thrown. */
static void throw_mass(grid_island* g, const htz_grid_gesture* throws, const htz_strike* strike) {
  htz_grid* mass = g->desc.bodies[throws->body];
  if (throws->height > 0.0) {
    htz_grid_reset(mass);
    htz_grid_bend(mass, 0.5, 0.5, 0.5, -throws->toward * throws->height);
  }
  htz_grid_kick(mass, 0.5, 0.5, 0.5, throws->toward * strike->speed);
  htz_grid_network_reread(g->desc.net);
}

static void kick(grid_island* g, const htz_grid_gesture* kicks, const htz_strike* strike) {
  htz_grid_kick(g->desc.bodies[kicks->body], strike->at, isnan(strike->at_y) ? 0.5 : strike->at_y, kicks->width, strike->speed);
  htz_grid_network_reread(g->desc.net);
}

/** A hand takes the string where it is; it is pulled from here on. */
static void take_hold(grid_island* g, const htz_grid_gesture* plucks, const htz_strike* strike) {
  htz_grid* string = g->desc.bodies[plucks->body];
  htz_grid_network_enable(g->desc.net, plucks->contact, false);
  htz_grid_place(string, plucks->point, strike->at, 0.5);
  htz_grid_network_reread(g->desc.net);
  g->rest = htz_grid_now(string, plucks->point);
  htz_grid_network_set_gap(g->desc.net, plucks->contact, g->rest);
  htz_grid_network_enable(g->desc.net, plucks->contact, true);
  g->height = strike->speed;
  g->pulling = true;
  g->age = 0.0;
}

void htz_grid_gestures_begin(grid_island* g, const htz_strike* strike) {
  const htz_grid_gesture* own = grid_gesture(g, strike->gesture);
  const htz_grid_gesture* gesture = own ? own : &g->desc.gestures[0];
  if (gesture->kind == HTZ_EXCITE_BOW) {
    htz_grid_control_bow_on(g);
    return;
  }
  for (size_t b = 0; b < g->desc.n_bows; ++b) {
    g->bow[b].on = false; // whatever else begins, bows are lifted for it
  }
  if (!(strike->speed > 0.0)) {
    return;
  }
  const double before = energy_of(g);
  switch (gesture->kind) {
  case HTZ_EXCITE_MALLET:
    throw_mallet(g, gesture, strike);
    break;
  case HTZ_EXCITE_THROW:
    throw_mass(g, gesture, strike);
    break;
  case HTZ_EXCITE_KICK:
    kick(g, gesture, strike);
    break;
  default:
    take_hold(g, gesture, strike);
    break;
  }
  grid_add_work(g, energy_of(g) - before);
}

/** The hand that pulls a string goes its way in a raised cosine and lets go at its end. */
static void pull(grid_island* g) {
  const htz_grid_gesture* plucks = grid_gesture(g, HTZ_EXCITE_PLUCK);
  g->age += g->period;
  if (g->age >= plucks->time) {
    htz_grid_network_enable(g->desc.net, plucks->contact, false);
    g->pulling = false;
    return;
  }
  const double x = g->age / (pluck_share * plucks->time);
  const double share = x < 1.0 ? 0.5 * (1.0 - cos(0.5 * two_pi * x)) : 1.0;
  grid_add_work(g, htz_grid_network_set_gap(g->desc.net, plucks->contact, g->rest + share * (g->height - g->rest)));
}

void htz_grid_gestures_before(grid_island* g) {
  if (g->pulling) {
    pull(g);
  }
  if (g->desc.stay.given) {
    htz_grid_stay_before(g);
  }
}

void htz_grid_gestures_after(grid_island* g) {
  const htz_grid_gesture* throws = g->desc.n_mallets > 0 ? grid_gesture(g, HTZ_EXCITE_MALLET) : NULL;
  if (g->desc.stay.given) {
    htz_grid_stay_after(g);
  }
  for (size_t i = 0; i < g->desc.n_mallets; ++i) {
    if (!g->mallets[i].flying) {
      continue;
    }
    grid_mallet* m = &g->mallets[i];
    m->age += g->period;
    m->slow = fabs(speed_of(g, mallet_of(g, throws, i))) < still_speed ? m->slow + g->period : 0.0;
    const double eta = eta_of(g, throws, i);
    if (departed(eta, eta > 0.0, m->age) && !htz_grid_stay_retains(g)) {
      take_away(g, throws, i);
    }
  }
}

void htz_grid_gestures_reset(grid_island* g) {
  for (size_t i = 0; i < g->desc.n_gestures; ++i) {
    const htz_grid_gesture* gesture = &g->desc.gestures[i];
    for (size_t m = 0; gesture->kind == HTZ_EXCITE_MALLET && m < g->desc.n_mallets; ++m) {
      take_away(g, gesture, m);
      g->mallets[m].ball.speed = 0.0;
    }
    if (gesture->kind == HTZ_EXCITE_PLUCK) {
      htz_grid_network_enable(g->desc.net, gesture->contact, false);
    }
  }
  g->pulling = false;
}

bool htz_grid_gestures_busy(const grid_island* g) {
  const bool retains = htz_grid_stay_retains(g);
  bool busy = g->pulling;
  for (size_t i = 0; i < g->desc.n_mallets; ++i) {
    const grid_mallet* m = &g->mallets[i];
    busy = busy || (m->flying && (!retains || m->ball.speed != 0.0 || m->slow < settled_s));
  }
  return busy;
}

bool htz_grid_island_mallet(const htz_island* island, uint32_t index, double* q) {
  const grid_island* g = (const grid_island*)island;
  const htz_grid_gesture* throws = grid_gesture(g, HTZ_EXCITE_MALLET);
  if (!throws || index >= g->desc.n_mallets) {
    return false;
  }
  *q = htz_grid_now(mallet_of(g, throws, index), 0);
  return g->mallets[index].flying;
}
