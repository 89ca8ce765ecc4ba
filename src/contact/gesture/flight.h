#ifndef HERTZIAN_CONTACT_FLIGHT_H
#define HERTZIAN_CONTACT_FLIGHT_H

#include "hertzian/model/bodies.h"

/** Displacement, velocity after a quantum in which nothing is touched, and work of what pushes until then. */
typedef struct {
  double q, v, work;
} htz_flight;

/** Point `point` of the body never gets farther than this from where it is at rest, whatever its modes do with its energy [m]. Audio thread. */
HTZ_RT double htz_flight_reach(htz_modal* body, size_t point);

/**
   Fly a mass alone for a quantum.

   @param side +1, -1: what it may touch lies where its coordinate is larger, or smaller
   @param edge where that begins, times side [m]
   @param force [HTZ_QUANTUM] that pushes it [N]; NULL: none
   @return false when it comes to the edge; the mass is where it was. Audio thread
*/
HTZ_RT bool htz_flight_plan(htz_body* mass, double side, double edge, double period, const double* force, htz_flight* flight);

/** Be where the flight ends. Audio thread. */
HTZ_RT void htz_flight_take(htz_body* mass, const htz_flight* flight);

#endif
