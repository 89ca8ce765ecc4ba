#ifndef HERTZIAN_CONTACT_MALLETS_H
#define HERTZIAN_CONTACT_MALLETS_H

#include "flight.h"
#include "island/modal_island.h"
#include "network/network_plan.h"
#include "stay_control.h"

typedef struct {
  htz_body* body;
  uint32_t node; // of the network
  bool flying;
  uint32_t skipped; // bit b: struck body b is left alone
  double age;       // since it was thrown [s]
  double lift;      // > 0: a pin that lets go here [m]
  double met;       // displacement of what it is about to meet or touches, before that is moved from outside [m]
  double tilt;      // of its face: by how much later it meets the last body than the first [m]
  // Of one that stays:
  htz_mass_desc load; // what it is, and what presses it on
  double height;      // of its middle over where it would be on a smooth, even surface [m]
  double from;        // displacement at the start of the present sample [m]
  htz_flight flight;
  stay_ball ball;
} mallet;

/** Mallets that are thrown at the struck bodies: mallet i has point i of each, and a contact there. */
typedef struct mallet_pool {
  gesture base;    // must be first
  uint32_t n;      // [config]
  mallet* mallets; // [n] [state]
  uint32_t flying;
} mallet_pool;

static inline uint32_t mallet_contact(const mallet_pool* p, uint32_t i, uint32_t body) {
  return p->base.contact + i * p->base.n_bodies + body;
}

/** Penetration of mallet `i` into whatever it is deepest in, or closest to [m]. Audio thread; so is all below. */
HTZ_RT double htz_mallet_nearest(const mallet_pool* p, uint32_t i);

/** A mallet at hand for the next throw; n when there is none. */
HTZ_RT uint32_t htz_mallet_free(const mallet_pool* p);

/** The one that is farthest away, taken back in flight. */
HTZ_RT uint32_t htz_mallet_reuse(mallet_pool* p);

/** The strike throws one of them. */
HTZ_RT bool htz_mallet_wanted(const mallet_pool* p, const htz_strike* strike);

/** Take a mallet back. */
HTZ_RT void htz_mallet_retire(mallet_pool* p, uint32_t i);

/** Set mallet `i` to where it touches the first body it meets, about to be thrown. @return that surface [m], HUGE_VAL when it meets none */
HTZ_RT double htz_mallet_aim(mallet_pool* p, uint32_t i, const htz_strike* strike);

/** Let it go. */
HTZ_RT void htz_mallet_throw(mallet_pool* p, uint32_t i, const htz_strike* strike);

/** `seconds` have gone by. */
HTZ_RT void htz_mallets_age(mallet_pool* p, double seconds);

/** Take back those that will not come back. */
HTZ_RT void htz_mallets_retire_departed(mallet_pool* p);

HTZ_RT void htz_mallets_reset(gesture* g);

/** What they are about to meet or touch is moved from outside: they go along (gesture_class). */
HTZ_RT void htz_mallets_moving_bodies(gesture* g);
HTZ_RT void htz_mallets_moved_bodies(gesture* g);

extern const gesture_class htz_gesture_throw, htz_gesture_stay;

/** Mallets that fly off. Set-up thread; so are all below. */
htz_status htz_throw_new(modal_island* s, double rate_hz, htz_arena* arena, network_plan* plan);

/** Mallets that stay: gravity, an arm, a drive, a roll. */
htz_status htz_stay_new(modal_island* s, double rate_hz, htz_arena* arena, network_plan* plan);

/** Bodies and contacts of the pool, which becomes a gesture of the island. */
htz_status htz_mallets_add(mallet_pool* p, modal_island* s, double rate_hz, htz_arena* arena, network_plan* plan);

#endif
