#ifndef HERTZIAN_CONTACT_SOLVER_HOUSE_H
#define HERTZIAN_CONTACT_SOLVER_HOUSE_H

#include "hertzian/contact/network.h"
#include "hertzian/model/bodies.h"

#include "solver_private.h"

/** The solver of networks behind the interface of one impact. The modes are the body's own: q and p point into it. */
typedef struct {
  htz_solver base; // must be first: the public type is cast to it
  htz_network* net;
  htz_body* hammer;
  htz_modes modes; // of the body, if there is one
  bool by_steps;   // [config] stiffness corrected by the steps per contact at every closure
} default_solver;

/** htz_modes.shape: the weights, wherever one looks. */
HTZ_RT void htz_default_shape(const htz_modes* modes, double x, double* phi);

HTZ_RT void htz_default_place(htz_solver* solver, double x, double v);
HTZ_RT void htz_default_strike_with(htz_solver* solver, double mass, double stiffness, double exponent, double viscosity);
HTZ_RT void htz_default_step(htz_solver* solver, double f_ext);

extern const htz_solver_class htz_default_class;
extern const htz_solver_class htz_default_plain_class;
extern const htz_solver_class htz_default_stiffness_class;

#endif
