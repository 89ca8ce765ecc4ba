#ifndef HERTZIAN_MODEL_HOLD_H
#define HERTZIAN_MODEL_HOLD_H

#include "hertzian/base/rt.h"

/** One exact step of a damped oscillator under constant force; the fields are those of htz_step_table for one mode. */
typedef struct {
  double am, a12, a21, dm, bq, bv;
} htz_hold_step;

/**
   Exact-hold coefficients of q'' + 2 sigma q' + omega^2 q = F/mass over a step of d [s].

   With h the response of rest to a unit right-hand side: a11 - 1 = -omega^2 h, a12 = h', a21 = -omega^2 h',
   a22 - 1 = -2 sigma h' - omega^2 h, b_q = h/mass, b_v = h'/mass. Any damping, omega = 0 and sigma = 0 included.

   @param omega [rad/s] >= 0   @param sigma [1/s] >= 0   @param mass [kg] > 0   @param d [s] > 0
*/
HTZ_RT htz_hold_step htz_hold_coefficients(double omega, double sigma, double mass, double d);

#endif
