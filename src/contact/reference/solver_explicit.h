#ifndef HERTZIAN_CONTACT_SOLVER_EXPLICIT_H
#define HERTZIAN_CONTACT_SOLVER_EXPLICIT_H

#include "solver_correct.h"

enum { EXPLICIT_SCRATCH = 4 }; // arrays of one double per mode that the longest scheme needs

typedef struct {
  htz_solver base; // must be first: the public type is cast to it
  correction correct;
  double law;                        // [state] force carried into the next step [N]
  double* scratch[EXPLICIT_SCRATCH]; // [n_modes] each
} explicit_solver;

HTZ_RT void htz_explicit_place(htz_solver* solver, double x, double v);
HTZ_RT void htz_verlet_step(htz_solver* solver, double f_ext);
HTZ_RT void htz_heun_step(htz_solver* solver, double f_ext);
HTZ_RT void htz_rk4_step(htz_solver* solver, double f_ext);

extern const htz_solver_class htz_verlet_class;
extern const htz_solver_class htz_heun_class;
extern const htz_solver_class htz_rk4_class;
extern const htz_solver_class htz_verlet_corrected_class;
extern const htz_solver_class htz_heun_corrected_class;
extern const htz_solver_class htz_rk4_corrected_class;

#endif
