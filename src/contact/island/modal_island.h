#ifndef HERTZIAN_CONTACT_MODAL_ISLAND_PRIVATE_H
#define HERTZIAN_CONTACT_MODAL_ISLAND_PRIVATE_H

#include "gesture.h"
#include "network/network_plan.h"
#include "signals.h"

#include "hertzian/contact/modal_island.h"
#include "hertzian/contact/port.h"

/**
   A resonator's share of the coupling: with x its mode's (q, v) and y_m those of mode m of the struck body,
   x' = x - sum_m P_m y_m runs free while the struck body does. Rows of `pi` are [padded modes of the struck body].
*/
typedef struct {
  size_t n;     // modes of the resonator
  double* pi;   // [n][4][padded]: P11, P12, P21, P22 of each mode of the struck body
  double* ears; // [pickups][2][padded]: and the row by which what an ear holds of the forces at once goes with (q, v) of each
} coupling;

/** One output line in free running: signal coefficients of a body, and what follows from them. */
typedef struct {
  double* aq; // [padded]
  double* av;
  double bound; // |signal| <= bound sqrt(energy)
} line;

/** What a sample on a moving support goes back to when it has to be gone through again. */
typedef struct {
  double* modal;                 // q and v of every body in the network, one after the other
  htz_network_snapshot* network; // NULL: the bodies stand on nothing that moves
} snapshot;

/** The struck bodies in turning coordinates, one after the other; or the modes of them with what is fixed to them. */
typedef struct {
  htz_port_turn port;
  size_t first[HTZ_PORT_ENDS_MAX + 1]; // [config] where each body begins, and where the last one ends
  double linear_below;                 // [derived] energy below which every body is linear [J]
  double loud[HTZ_PORT_ENDS_MAX];      // what all lines give of a body is below that times the root of its energy
  double* way;                         // [8][modes] of each body [derived] there and back (htz_modal_turn_derive)
  float *xx, *xy, *yy;                 // energy of a mode: xx x^2 + xy x y + yy y^2 [J]
  float* loss;                         // what joins take of a mode: loss (x^2 + y^2) [W]
  bool of_fold;                        // all that is of the modes of a fold
  bool derived;
  bool holds; // [state] x and y are what moves
} turning;

/** A pickup that hears what a body presses with on all that stands. */
typedef struct {
  uint32_t body, pickup;
  double gain;
  double mean;   // [state] of what it heard, over some time: what stands still is not heard
  double lately; // largest magnitude of what it heard of links; halved every quarter of a second
} reaction;

enum { GESTURES_MAX = 16 };

typedef struct modal_island {
  htz_island base;            // must be first: the engine holds a pointer to it
  htz_modal_island_desc desc; // [config]
  bool couples;               // every resonator is fed by the struck body alone
  bool tied;                  // links hold bodies while nothing touches, here or to other islands
  double period;
  htz_network* net; // the struck bodies come first
  uint32_t n_gestures;
  gesture* gestures[GESTURES_MAX];
  uint32_t n_reactions;
  reaction* reactions;                       // [n_reactions]; most islands have none
  double reaction_share;                     // by which its mean follows in a sample
  struct mallet_pool* pool;                  // the one of them that throws mallets; NULL: none does
  coupling couplings[HTZ_ISLAND_BODIES_MAX]; // [derived]
  line (*lines)[HTZ_ISLAND_PICKUPS_MAX];     // [n_bodies]
  htz_free_weights (*weights)[HTZ_ISLAND_PICKUPS_MAX];
  unsigned epochs[HTZ_ISLAND_BODIES_MAX]; // of the bodies when this was derived
  double derived_level;
  bool derived;
  double level; // [state] resonator level now, and where it is going
  double level_wanted;
  struct fold* fold;  // [config] modes of the bodies with what is fixed to them; NULL: not to be had, or nothing is
  bool unfolded;      // something is, and they are not to be had
  bool folded;        // these move, and not the bodies'
  double fold_lost;   // in joins while they did [J]
  bool coupled;       // resonators hold x', not x
  uint32_t still;     // quanta since anything was changed or struck
  bool flown;         // gestures moved what the network has not seen yet
  bool resting;       // nothing has moved since all was put to rest
  double moving_peak; // energy that moves, at its greatest over the last quanta [J]
  double work;        // potential energy of the static deflection when it was settled, booked as external work [J]
  double reported;    // of all external work so far [J]
  uint64_t reused;    // mallets thrown again in flight
  uint32_t n_ends;    // [config] of the bodies the first so many stand on something that may move
  snapshot kept;
  turning turn;
} modal_island;

extern const htz_island_class htz_modal_island_class;
extern const htz_port_class htz_modal_island_port;

/** Room for the snapshot and for turning coordinates, when the struck bodies stand on something that moves. Set-up thread. */
htz_status htz_modal_island_port_new(modal_island* s, htz_arena* arena);

/** As htz_port_class.retune. Audio thread. */
HTZ_RT void htz_modal_island_retune(htz_island* island, double ratio, double loss, double w);

// Turning coordinates (modal_island_turn_rt.c), hooks of the port. Audio thread.
HTZ_RT bool htz_modal_island_steady(htz_island* island);
HTZ_RT bool htz_modal_island_turn_derive(htz_island* island);
HTZ_RT bool htz_modal_island_turn(htz_island* island);
HTZ_RT void htz_modal_island_turned(htz_island* island, uint32_t frames);

/** Give the bodies, or the fold, their own coordinates back. @return false when nothing turned */
HTZ_RT bool htz_modal_island_turn_back(modal_island* s);

/** Energy of what turns [J], and in `loudness` a bound on what the lines can still give. */
HTZ_RT double htz_modal_island_turn_energy(const modal_island* s, double* loudness);

/** Power of what the lines give while the bodies turn, not the fold: as that of a sine, its amplitude squared. */
HTZ_RT double htz_modal_island_turn_power(const modal_island* s);

// What gestures ask of the island. Audio thread.

/** Give the network the positions that gestures reached in free flight. */
HTZ_RT void htz_modal_island_sync(modal_island* s);

/** Everything at rest, with the static deflection where weight lies on a body. */
HTZ_RT void htz_modal_island_settle(modal_island* s);

/** Some gesture other than `but` is busy or keeps something there. */
HTZ_RT bool htz_modal_island_plays(const modal_island* s, const gesture* but);

/** Contact points that each struck body needs for all gestures of `desc`. Set-up thread. */
uint32_t htz_gestures_points(const htz_modal_island_desc* desc);

/** Make the gestures of `s->desc`: into its list, and what they act through into `plan`. Set-up thread. */
htz_status htz_gestures_new(modal_island* s, double rate_hz, htz_arena* arena, network_plan* plan);

// The list of gestures (gestures_rt.c). Audio thread.

/** Before samples one by one, `frames` of them or fewer. @return for how many that is good */
HTZ_RT uint32_t htz_gestures_before(modal_island* s, uint32_t frames);

/** Before and after each of them. */
HTZ_RT void htz_gestures_sample(modal_island* s);
HTZ_RT void htz_gestures_sampled(modal_island* s);
HTZ_RT void htz_gestures_moving_bodies(modal_island* s);
HTZ_RT void htz_gestures_moved_bodies(modal_island* s);

/** After `frames`: how much still moves. */
HTZ_RT void htz_gestures_after(modal_island* s, uint32_t frames);

/** Plan `frames` in which no gesture touches or holds a body. @return false when one may, or when that is no whole quantum */
HTZ_RT bool htz_gestures_clear(modal_island* s, uint32_t frames);

/** No other than `but` is on its way, acts or holds the bodies but by what is linear and stands still. */
HTZ_RT bool htz_gestures_let_be(const modal_island* s, const gesture* but);

/** None is on its way, acts or is there that does anything from sample to sample; none starts to but by an event. */
HTZ_RT bool htz_gestures_idle(const modal_island* s);

/** No contact or join of theirs is in the network but such as may be folded into the bodies' modes. */
HTZ_RT bool htz_gestures_linear(const modal_island* s);

/** Let them go as planned. */
HTZ_RT void htz_gestures_fly(modal_island* s);

/** Some contact or join of theirs is in the network. */
HTZ_RT bool htz_gestures_hold(const modal_island* s);

/** How much can still be heard of struck body `body` [J]. */
HTZ_RT double htz_gestures_audible(const modal_island* s, uint32_t body);

/** Energy that gestures hold outside of the network [J]; and what solvers of their own have done. */
HTZ_RT double htz_gestures_energy(const modal_island* s);
HTZ_RT void htz_gestures_count(const modal_island* s, htz_island_counters* to);

HTZ_RT void htz_gestures_reset(modal_island* s);

HTZ_RT void htz_gestures_start(htz_island* island, const htz_strike* strike);
HTZ_RT void htz_gestures_influence(htz_island* island, const htz_influence* influence);
HTZ_RT bool htz_gestures_disturbed(const htz_island* island, const htz_influence* influence);
HTZ_RT bool htz_gestures_busy(const htz_island* island);
HTZ_RT bool htz_gestures_retain(const htz_island* island);
HTZ_RT double htz_gestures_external_work(htz_island* island);

/**
   Sample by sample, each in turn: begin; before and after every step of the network, from frame 0 of `frames`, `next` 0 at first; end,
   which runs what is fed and adds to each output line.
*/
HTZ_RT void htz_modal_island_begin(modal_island* s);
HTZ_RT void htz_modal_island_before(modal_island* s, uint32_t i, uint32_t frames, uint32_t* next);
HTZ_RT void htz_modal_island_after(modal_island* s, uint32_t i, island_signals* all);
HTZ_RT void htz_modal_island_end(modal_island* s, uint32_t frames, island_signals* all, float* const* lines);

/** Give bodies and resonators their own coordinates back, if they are folded or hold x'. Audio thread. */
HTZ_RT void htz_modal_island_uncouple(modal_island* s);

/**
   Let the resonators hold x', deriving what is needed for it first.

   @return false when it cannot be done: a resonator is fed in another way, or a mode of it decays like one of the struck body
*/
HTZ_RT bool htz_modal_island_couple(modal_island* s);

/** Advance a quantum in coupled coordinates, adding to each output line. Audio thread. */
HTZ_RT void htz_modal_island_free_quantum(modal_island* s, float* const* lines);

/**
   Energy of the struck bodies, [0], and of the resonators in their coordinates, [1]; coupled coordinates only. Audio thread.

   @return bound on what the output lines can give while nothing strikes
*/
HTZ_RT double htz_modal_island_free_energy(const modal_island* s, double energy[2]);

/** Power of what the lines give then, as that of a sine, its amplitude squared. Audio thread. */
HTZ_RT double htz_modal_island_free_power(const modal_island* s);

#endif
