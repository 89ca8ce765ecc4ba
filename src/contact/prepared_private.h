#ifndef HERTZIAN_CONTACT_PREPARED_PRIVATE_H
#define HERTZIAN_CONTACT_PREPARED_PRIVATE_H

#include "struck.h"

/*
   What is fixed to the struck bodies and lies on them. The coordinate of a loose mass points away from the bodies, as the mallet pushes
   them: contact b closes when u_b - q - gap > 0.
*/

/** Contact of loose thing `which` with struck body `body`, in the network. */
static inline uint32_t contact_of(const struck* s, uint32_t which, uint32_t body) {
  return s->prepared.contacts + which * s->desc.n_struck + body;
}

static inline double displacement_of(const htz_body* body) {
  return body->cls->displacement(body, 0);
}

static inline double velocity_of(const htz_body* body) {
  return body->cls->velocity(body, 0);
}

static inline double energy_of(const htz_body* body) {
  return body->cls->energy(body);
}

/** Mass that a loose thing has now [kg]. */
static inline double present(const htz_loose_desc* d, const loose_state* l) {
  return d->mass * l->factor;
}

/** Something fixed is on its way to where or what it is to be. */
static inline bool places_differ(const prepared_state* p) {
  return p->easing || p->screw_factor != p->screw_factor_wanted || p->rubber_factor != p->rubber_factor_wanted ||
         p->screw_at != p->screw_wanted || p->rubber_at != p->rubber_wanted || p->loose[0].at != p->loose[0].at_wanted ||
         p->loose[1].at != p->loose[1].at_wanted;
}

#endif
