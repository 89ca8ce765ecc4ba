#ifndef HERTZIAN_CONTACT_TRANSITION_H
#define HERTZIAN_CONTACT_TRANSITION_H

#include "hertzian/contact/piecewise.h"
#include "hertzian/contact/solver.h"

/**
   The solver "transition": a hammer on an abstract modal object (Rath, Energy-stable modelling of contacting modal objects with
   piece-wise linear interaction force, eqs. 16 to 20), by htz_piecewise.

   Its law is linear: spring k_con = K, exponent 1, and a damper, since a viscosity that grows with compression is not. The damper
   takes as much from a blow at HTZ_TRANSITION_SPEED as Hunt and Crossley's viscosity mu, to first order: of a mass on a wall the
   one leaves exp(-pi c/(2 sqrt(K m))) of the speed, the other 1 - 2 mu v/3, so that

     c_con = 4/(3 pi) mu v sqrt(K m),    v = HTZ_TRANSITION_SPEED.
*/
#define HTZ_TRANSITION_SPEED 1.0 ///< [m/s]

extern const htz_solver_class htz_transition_class;

/** c_con [N s/m] for a viscosity mu [s/m]. Any thread. */
double htz_transition_damping(double mass, double stiffness, double viscosity);

/** What is inside a solver of this class, with its rods. Any thread. */
HTZ_RT const htz_piecewise* htz_transition_inside(const htz_solver* solver);

#endif
