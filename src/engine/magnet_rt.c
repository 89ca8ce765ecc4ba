#include "engine_private.h"

#include <math.h>

/*
   A coil on a magnet beside which steel moves. The flux through it falls off with the cube of the distance to the pole, as from a small
   piece of steel that the magnet magnetises: with u how far beside the pole's middle it is, in distances, as (1 + u^2)^(-3/2). The voltage
   is the change of that: the velocity times a slope which has its maximum at u = 1/2, and is 0 before the middle of the pole.
*/

static const double steepest = 0.28621670111997307; // u (1 + u^2)^(-5/2) at u = 1/2
// What rounding adds to the movement's sum dies away within some seconds: so slowly that sum and velocity keep a quarter of a period apart.
// Otherwise their product has a mean, which pushes the loudspeaker.
static const double forgets_hz = 0.02;

/** Slope of the flux at `u` over that where it is steepest. */
static double slope(double u) {
  const double q = 1.0 + u * u;
  return u / (steepest * q * q * sqrt(q));
}

/** Flux at `u`: what slope() sums up to. */
static double flux(double u) {
  const double q = 1.0 + u * u;
  return -1.0 / (3.0 * steepest * q * sqrt(q));
}

void htz_key_induce(const htz_engine* engine, key_state* key, float signals[HTZ_ISLAND_PICKUPS_MAX][HTZ_QUANTUM]) {
  static const double two_pi = 6.283185307179586;
  const double keeps = 1.0 - two_pi * forgets_hz / engine->rate;
  for (uint32_t o = 0; o < key->plan->island->n_pickups; ++o) {
    const htz_key_magnet* magnet = &key->plan->magnet[o];
    if (magnet->reach == 0.0) {
      continue;
    }
    const double step = 1.0 / (magnet->reach * engine->rate);
    double moved = key->moved[o];
    for (uint32_t i = 0; i < HTZ_QUANTUM; ++i) {
      const double v = (double)signals[o][i], before = moved;
      moved = keeps * moved + step * v;
      signals[o][i] = (float)(v * slope(magnet->offset + 0.5 * (before + moved)));
    }
    key->moved[o] = moved;
  }
}

void htz_key_left_over(const key_state* key, double left_over[HTZ_ISLAND_PICKUPS_MAX]) {
  const htz_key* plan = key->plan;
  plan->island->cls->left_over(plan->island, left_over);
  for (uint32_t o = 0; o < plan->island->n_pickups; ++o) {
    const htz_key_magnet* magnet = &plan->magnet[o];
    if (magnet->reach != 0.0) {
      left_over[o] = magnet->reach * (flux(magnet->offset) - flux(magnet->offset + key->moved[o]));
    }
  }
}
