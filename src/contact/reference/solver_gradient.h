#ifndef HERTZIAN_CONTACT_SOLVER_GRADIENT_H
#define HERTZIAN_CONTACT_SOLVER_GRADIENT_H

#include "hertzian/contact/law.h"

#include "solver_private.h"

/** The two-point and the three-point scheme, in which the force is a difference quotient of the contact's potential. */
typedef struct {
  htz_solver base;  // must be first: the public type is cast to it
  bool by_steps;    // [config] stiffness corrected by the steps per contact at every closure
  htz_law law;      // [state] with the stiffness it is given
  double way;       // [state] three-point: gone in the last sample [m]
  bool placed;      // [state] three-point: `way` is still to be told from x and v
  double potential; // [state] of the contact at x [J]
} gradient;

HTZ_RT void htz_gradient_place(htz_solver* solver, double x, double v);
HTZ_RT void htz_gradient_strike_with(htz_solver* solver, double mass, double stiffness, double exponent, double viscosity);
HTZ_RT void htz_two_point_step(htz_solver* solver, double f_ext);
HTZ_RT void htz_three_point_step(htz_solver* solver, double f_ext);

/**
   Stiffness with which a step of the two-point scheme gives the contact time of K: a scheme of N steps per contact is late by c/N^2,
   c = 0.46 + 0.365 alpha, and contact times go with K^(-1/(alpha+1)), so K_eff = K (1 + c/N^2)^(alpha+1). N from the elastic
   contact time at `speed` [m/s].

   @return K_eff, or 0 where N < 2
*/
HTZ_RT double htz_stiffness_by_steps(const htz_solver* solver, double speed);

extern const htz_solver_class htz_two_point_class;
extern const htz_solver_class htz_two_point_beta_class;
extern const htz_solver_class htz_two_point_stiffness_class;
extern const htz_solver_class htz_three_point_class;
extern const htz_solver_class htz_three_point_beta_class;

#endif
