#ifndef HERTZIAN_CONTACT_SOLVER_PRIVATE_H
#define HERTZIAN_CONTACT_SOLVER_PRIVATE_H

#include "hertzian/contact/solver.h"

// What the schemes share.

/** Fill the common head: own copies of the arrays, everything at rest. Set-up thread. */
htz_status htz_solver_init(htz_solver* solver, const htz_solver_class* cls, const htz_solver_system* system, double rate_hz,
                           htz_arena* arena);

/** Hunt and Crossley's force at penetration `eta` and its rate, as written: it pulls where rate < -1/mu [N]. */
HTZ_RT double htz_solver_law_force(const htz_solver* solver, double eta, double rate);

/** K eta^(alpha+1)/(alpha+1) [J]. */
HTZ_RT double htz_solver_law_stored(const htz_solver* solver, double eta);

/** htz_solver_class.strike_with of schemes that keep nothing derived from these. */
HTZ_RT void htz_solver_strike_with(htz_solver* solver, double mass, double stiffness, double exponent, double viscosity);

/** Speed at which a hammer off the wall, under the constant acceleration `fall`, is going to meet it [m/s]. */
HTZ_RT double htz_speed_at_wall(const htz_solver* solver, double fall);

/** Book one implicit equation. */
HTZ_RT void htz_solver_counted(htz_solver* solver, unsigned iterations, bool converged);

/** Constant acceleration of the hammer while nothing touches it [m/s^2]. */
static inline double htz_solver_fall(const htz_solver* s, double f_ext) {
  return s->system.gravity + f_ext / s->system.mass;
}

#endif
