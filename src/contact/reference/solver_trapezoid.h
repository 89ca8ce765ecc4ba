#ifndef HERTZIAN_CONTACT_SOLVER_TRAPEZOID_H
#define HERTZIAN_CONTACT_SOLVER_TRAPEZOID_H

#include "solver_private.h"

/*
   The linear part of a step under a mean force F, the same for the trapezoidal and the midpoint rule: with h the step and bars for
   means of both ends, per mode

     q+ - q = h p_,   p+ - p = h (-omega^2 q_ - 2 sigma p_ + weight F/m)

     p_ = (p - h omega^2 q/2 + h weight F/(2 m))/D,   D = 1 + sigma h + omega^2 h^2/4

   and for the hammer x+ - x = h v_, v_ = v + h (fall - F/mass)/2. The penetration goes on by s = s_free - C F.
*/
typedef struct {
  double s_free;     ///< increment of the penetration without force [m]
  double compliance; ///< C = h^2/(2 mass) + sum h^2 weight^2/(2 m D) [m/N]
} trapezoid;

/** Look ahead. `f_ext` as in htz_solver_class.step. */
HTZ_RT trapezoid htz_trapezoid_predict(const htz_solver* solver, double f_ext);

/** Take the step under the mean force `force`. */
HTZ_RT void htz_trapezoid_commit(htz_solver* solver, double f_ext, double force);

#endif
