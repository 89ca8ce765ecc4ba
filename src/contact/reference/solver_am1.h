#ifndef HERTZIAN_CONTACT_SOLVER_AM1_H
#define HERTZIAN_CONTACT_SOLVER_AM1_H

#include "solver_correct.h"

typedef struct {
  htz_solver base; // must be first: the public type is cast to it
  correction correct;
  double law; // [state] force at the end of the last sample [N]
} am1;

extern const htz_solver_class htz_am1_class;
extern const htz_solver_class htz_am1_corrected_class;

HTZ_RT void htz_am1_place(htz_solver* solver, double x, double v);
HTZ_RT void htz_am1_step(htz_solver* solver, double f_ext);

#endif
