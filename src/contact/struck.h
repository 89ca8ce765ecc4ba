#ifndef HERTZIAN_CONTACT_STRUCK_PRIVATE_H
#define HERTZIAN_CONTACT_STRUCK_PRIVATE_H

#include "hertzian/contact/port.h"
#include "hertzian/contact/struck.h"
#include "profile.h"

typedef struct {
  htz_body* body;
  bool flying;
  uint32_t spare; // bit b: struck body b is left alone
  double age;     // since it was thrown [s]
  double lift;    // > 0: a pin that lets go here [m]
  // Of one that stays:
  htz_mass_desc load; // what it is, and what presses it on
  double pace;        // speed it was set rolling with [m/s]
  double speed;       // and rolls with now
  double travelled;   // how far it has rolled [m]
  double from;        // displacement at the start of the present sample [m]
  double plan[2];     // displacement and velocity after a quantum without touch
  double plan_work;   // done on it by the drive over that [J]
  htz_profile profile;
} mallet;

/** Something loose: a mass and its contacts. */
typedef struct {
  htz_body* body;
  uint32_t node; // of the network
  bool there;
  double factor; // on the mass
  double at, at_wanted;
  double gap_wanted;                 // [m]
  double gap[HTZ_STRUCK_UNISON_MAX]; // of its contacts, on its way there
  double plan[2];                    // displacement and velocity after a quantum without touch
} loose_state;

/** What is fixed to the struck bodies and lies on them. */
typedef struct {
  bool given;
  bool lies;         // gravity presses something on the bodies: they are bent even at rest
  bool rubbed;       // there is a rubber
  uint32_t contacts; // index of the first contact of what is loose
  uint32_t point;    // and the first point
  loose_state loose[HTZ_LOOSE_MAX];
  htz_body* screw;
  uint32_t screw_node;
  bool screwed;
  double screw_factor, screw_factor_wanted, screw_at, screw_wanted;
  double rubber_factor, rubber_factor_wanted, rubber_at, rubber_wanted;
  uint32_t easing; // steps in which the rubber still gives way after a move
  double lost;     // where bodies and screw were brought to one speed [J]
  double swing;    // energy that moves, at its greatest over the last quanta [J]
  bool resting;    // nothing has moved since all was put to rest
} prepared_state;

/**
   A resonator's share of the coupling: with x its mode's (q, v) and y_m those of mode m of the struck body,
   x' = x - sum_m P_m y_m runs free while the struck body does. Rows of `pi` are [padded modes of the struck body].
*/
typedef struct {
  size_t n;   // modes of the resonator
  double* pi; // [n][4][padded]: P11, P12, P21, P22 of each mode of the struck body
} coupling;

/** One output line in free running: signal coefficients of a body, and what follows from them. */
typedef struct {
  double* aq; // [padded]
  double* av;
  double bound; // |signal| <= bound sqrt(energy)
} line;

/** What a sample on a moving support goes back to when it has to be gone through again. */
typedef struct {
  double* modal;                 // q and v of every struck body, one after the other
  htz_network_snapshot* network; // NULL: the bodies stand on nothing that moves
} snapshot;

typedef struct {
  htz_island base;      // must be first: the engine holds a pointer to it
  htz_struck_desc desc; // [config]
  bool couples;         // every resonator is fed by the struck body alone
  double period;
  htz_network* net;                          // node 0 the struck body, then the mallets; contact i: mallet i on point i
  coupling couplings[HTZ_STRUCK_BODIES_MAX]; // [derived]
  line lines[HTZ_STRUCK_BODIES_MAX][HTZ_ISLAND_PICKUPS_MAX];
  htz_free_weights weights[HTZ_STRUCK_BODIES_MAX][HTZ_ISLAND_PICKUPS_MAX];
  unsigned epochs[HTZ_STRUCK_BODIES_MAX]; // of the bodies when this was derived
  double derived_level;
  bool derived;
  mallet mallets[HTZ_STRUCK_MALLETS_MAX]; // [state]
  uint32_t flying;
  uint64_t reused;
  double level; // resonator level now, and where it is going
  double level_wanted;
  bool coupled;   // resonators hold x', not x
  uint32_t still; // quanta since anything was changed or struck
  // Mallets that stay.
  htz_influence now;
  double gain;      // of the drive [N] on its way to now.gain
  double gain_step; // per sample
  uint32_t driven;  // samples of the present drive used up
  double force;     // of it over the present sample [N]
  double roughness; // [m] on its way to now.roughness
  double asymmetry; // likewise
  double glide;     // share of that way per sample
  double hurry;     // share of the way from a rolling ball's speed to the wanted one per sample
  double work;      // done on mallets so far [J]
  double reported;  // of that and of the work of moved gaps [J]
  bool flown;       // the network has not seen where the mallets flew
  prepared_state prepared;
  snapshot kept;
} struck;

extern const htz_island_class htz_struck_class;
extern const htz_port_class htz_struck_port;

/** Room for the snapshot, when the struck bodies stand on something that moves. Set-up thread. */
htz_status htz_struck_port_new(struck* s, htz_arena* arena);

/** After a sample: take mallets away that will not come back. Audio thread. */
HTZ_RT void htz_struck_retire_departed(struck* s);

/** Mallets that may stay do stay now, however old or far. Audio thread. */
HTZ_RT bool htz_stay_keeps(const struck* s);

/** The mallet has just been thrown with `strike` at a surface displaced by `surface`. Audio thread. */
HTZ_RT void htz_stay_throw(struck* s, uint32_t i, const htz_strike* strike, double surface);

/** Before and after a sample of the network: forces and gaps; the work they did. Audio thread. */
HTZ_RT void htz_stay_before(struck* s);
HTZ_RT void htz_stay_after(struck* s);

/** Plan a quantum in which no mallet touches. @return false when one may. Audio thread. */
HTZ_RT bool htz_stay_clear(struck* s, uint32_t frames);

/** Let the mallets fly as planned. Audio thread. */
HTZ_RT void htz_stay_fly(struck* s);

/** Show the network where they are. Audio thread. */
HTZ_RT void htz_stay_land(struck* s);

/** A mallet that lies or hangs still, for the next throw; or n_mallets. Audio thread. */
HTZ_RT uint32_t htz_stay_pick(const struck* s);

/** Energy of body, contacts and lying mallets above that of all at rest [J]; HUGE_VAL while one is on its way. Audio thread. */
HTZ_RT double htz_stay_excess(const struck* s);

HTZ_RT void htz_stay_influence(htz_island* island, const htz_influence* influence);
HTZ_RT bool htz_stay_stirred(const htz_island* island, const htz_influence* influence);
HTZ_RT bool htz_stay_keeps_any(const htz_island* island);
HTZ_RT double htz_stay_brought(htz_island* island);

/** Bodies, contacts and joins of what is prepared. Set-up thread. */
htz_status htz_prepared_new(struck* s, double rate_hz, htz_arena* arena, size_t* n_bodies, htz_body** bodies,
                            size_t* n_contacts, htz_contact_desc* contacts);
htz_status htz_prepared_join(struck* s, uint32_t ground, htz_arena* arena);

/** Everything at rest, and where weight lies on a body, bent by it. Audio thread. */
HTZ_RT void htz_prepared_rest(struck* s);

/** Where things are to be from now on. Audio thread. */
HTZ_RT void htz_prepared_influence(struck* s, const htz_influence* influence);

/**
   Before samples one by one, `frames` of them or fewer: what moves is moved, screws and strings go at one speed. After `frames`: how
   much still moves.

   @return for how many samples that is good. Audio thread.
*/
HTZ_RT uint32_t htz_prepared_before(struck* s, uint32_t frames);
HTZ_RT void htz_prepared_after(struck* s, uint32_t frames);

/** Plan a quantum in which nothing prepared touches or holds. @return false when something may. Audio thread. */
HTZ_RT bool htz_prepared_clear(struck* s, uint32_t frames);

/** Let what is loose fly as planned. Audio thread. */
HTZ_RT void htz_prepared_fly(struck* s);

/** Energy of the struck bodies and of what is prepared that can still be heard [J]. Audio thread. */
HTZ_RT double htz_prepared_swing(const struck* s);

/** Energy brought so far by what is gone on acting [J]; counterpart of htz_island_class.brought before what was reported. Audio thread. */
HTZ_RT double htz_prepared_driven(const struck* s);

/** Give the resonators their own coordinates x back, if they hold x'. Audio thread. */
HTZ_RT void htz_struck_uncouple(struck* s);

/**
   Let the resonators hold x', deriving what is needed for it first.

   @return false when it cannot be done: a resonator is fed in another way, or a mode of it decays like one of the struck body
*/
HTZ_RT bool htz_struck_couple(struck* s);

/** Advance a quantum in coupled coordinates, adding to each output line. Audio thread. */
HTZ_RT void htz_struck_free_quantum(struck* s, float* const* lines);

/** Bound on what the output lines can give while nothing strikes; coupled coordinates only. Audio thread. */
HTZ_RT double htz_struck_free_loudness(const struck* s);

#endif
