#ifndef HERTZIAN_CONTACT_SOLVE_H
#define HERTZIAN_CONTACT_SOLVE_H

#include "network_private.h"

#include <math.h>

/*
   What the solvers of one step share: how small is small, where to start, and which force to believe.
*/

static const double htz_solve_tolerance =
    1e-13; // relative to the displacements at hand: what rounding leaves of a force's digits
static const double htz_solve_nothing = 1e-300; // [m] keeps that test true when everything is zero

// Of a residual that falls no more, relative to the terms that it is a sum of: that is rounding.
static const double htz_solve_stagnation = 1e-12;

// A scalar Newton move this small, relative, is the last: what it leaves is its square, some 1e-16.
static const double htz_last_move = 1e-8;

// Or this small relative to the penetration it leads to: the force, a power of that, then changes by the square of it, some 1e-14.
static const double htz_last_share = 1e-7;

static inline htz_law_value htz_law_over_step(const contact* c, double s, double d) {
  return c->desc.law.cls->over(&c->desc.law, &c->from, s, d);
}

/** The force to start from: it goes on as it went over the last three steps, so that one or two Newton steps are enough. */
static inline double htz_expected_force(const contact* c) {
  const double force = 3.0 * (c->force_last - c->force_before) + c->force_first;
  return c->desc.law.cls->one_sided && force < 0.0 ? 0.0 : force;
}

/** At a stiff root the law's value has lost its digits; what the displacement says has not. */
static inline double htz_settle_force(const htz_law_value* value, double compliance, double s_free, double s, bool one_sided) {
  if (compliance * value->slope > 1.0) {
    const double force = (s_free - s) / compliance;
    return one_sided && force < 0.0 ? 0.0 : force;
  }
  return value->force;
}

/** What the law gives a little further on: each to the order that leaves out the square of a last move, relative. */
static inline void htz_law_follow(htz_law_value* value, double move) {
  value->stored += (value->elastic + 0.5 * value->stiffness * move) * move;
  value->elastic += value->stiffness * move;
  value->force += value->slope * move;
}

/** The largest magnitude among n values, NaN when one is. */
HTZ_RT double htz_solve_largest(size_t n, const double* values);

/** One contact: s - s_free + C F(s) = 0, increasing in s; Newton from `guess`. @return false when it does not settle */
HTZ_RT bool htz_network_solve_scalar(htz_network* net, contact* c, double compliance, double s_free, double d, double guess);

/**
   The contacts of one hammer with any number of bodies, each on its own, or of any number of hammers with one place of a body:
   C_ij = hub + (i == j) own_i, so that a Newton step costs as much as its n contacts.

   @return false when the active contacts are not of that kind, or Newton does not settle: nothing is decided then
*/
HTZ_RT bool htz_network_solve_star(htz_network* net, unsigned level, double d);

#endif
