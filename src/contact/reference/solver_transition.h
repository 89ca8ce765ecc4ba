#ifndef HERTZIAN_CONTACT_SOLVER_TRANSITION_H
#define HERTZIAN_CONTACT_SOLVER_TRANSITION_H

#include "hertzian/contact/transition.h"

typedef struct {
  htz_solver base; // must be first: the public type is cast to it
  htz_piecewise* inside;
} transition;

HTZ_RT void htz_transition_place(htz_solver* solver, double x, double v);
HTZ_RT void htz_transition_step(htz_solver* solver, double f_ext);

#endif
