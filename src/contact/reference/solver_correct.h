#ifndef HERTZIAN_CONTACT_SOLVER_CORRECT_H
#define HERTZIAN_CONTACT_SOLVER_CORRECT_H

#include "solver_private.h"

/**
   What Papetti, Avanzini and Rocchesso add to a scheme of a mass on a wall (their section 4.2): the compression never exceeds x_max
   (4), and the impact ends with v_out (7), (8), both from the speed with which it began.

   That speed is the one at the wall, not at the sample before, and v_out is had at the wall: under gravity neither gains nor loses
   energy on the way between sample and wall. A mass pressed on by a constant force may be pushed in as far as that force alone
   can, (alpha+1) m a = K x^alpha, where (4) says less: it would be held there for ever.
*/
typedef struct {
  bool wanted; ///< [config]
  bool inside; ///< [state] in an impact that was seen to begin
  double x_max, v_out;
} correction;

/**
   Before the force at the new compression `x` is taken.

   @param met a force acted on the way there: an impact may begin and end within the step
   @return x, or what is left of it
*/
HTZ_RT double htz_correct_compression(correction* c, const htz_solver* solver, double fall, double x, bool met);

/** At the end of the step. `fall`: constant acceleration towards the wall. */
HTZ_RT void htz_correct_release(correction* c, htz_solver* solver, double fall);

#endif
