#include "flight.h"

#include <math.h>

double htz_flight_reach(htz_modal* modal, size_t point) {
  const htz_body* body = htz_modal_body(modal);
  const double energy = body->cls->energy(body);
  return sqrt(2.0 * (energy > 0.0 ? energy : 0.0) * htz_modal_static_compliance(modal, point, point));
}

bool htz_flight_plan(htz_body* mass, double side, double edge, double period, const double* force, htz_flight* flight) {
  const double q0 = mass->cls->displacement(mass, 0), v0 = mass->cls->velocity(mass, 0);
  double q = q0, v = v0;
  bool clear = true;
  flight->work = 0.0;
  for (uint32_t i = 0; i < HTZ_QUANTUM && clear; ++i) {
    const double push = force ? force[i] : 0.0;
    if (force) {
      htz_mass_push(mass, push);
    }
    mass->cls->commit(mass, 0, 0, NULL, NULL);
    const double q1 = mass->cls->displacement(mass, 0), v1 = mass->cls->velocity(mass, 0);
    // Within the sample it is at most this far off the chord.
    const double bulge = 0.125 * period * fabs(v1 - v);
    const double far = side * q1 > side * q ? side * q1 : side * q;
    clear = far + bulge < edge;
    flight->work += push * (q1 - q);
    q = q1;
    v = v1;
  }
  flight->q = q;
  flight->v = v;
  mass->cls->set_motion(mass, q0, v0);
  return clear;
}

void htz_flight_take(htz_body* mass, const htz_flight* flight) {
  mass->cls->set_motion(mass, flight->q, flight->v);
}
