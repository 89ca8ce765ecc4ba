#ifndef HERTZIAN_CONTACT_MODAL_ISLAND_H
#define HERTZIAN_CONTACT_MODAL_ISLAND_H

#include "hertzian/base/arena.h"
#include "hertzian/contact/island.h"
#include "hertzian/contact/network.h"
#include "hertzian/contact/prepared.h"
#include "hertzian/contact/solver.h"
#include "hertzian/model/bodies.h"

/**
   The exact-hold island of one key: modal bodies (a bar, the strings of a unison) struck together by a small pool of mallets, each
   mallet one mass with a contact on every one of them; bodies that links join to those, both ways; the other bodies (resonators)
   driven one way by what a pickup hears of an earlier body.
*/
enum {
  HTZ_ISLAND_BODIES_MAX = 16,
  HTZ_ISLAND_FEEDS_MAX = 16,
  HTZ_ISLAND_LINKS_MAX = 32,
  HTZ_ISLAND_CONTACTS_MAX = 96, ///< contacts of links
  HTZ_ISLAND_MALLETS_MAX = 16,
  HTZ_ISLAND_UNISON_MAX = 8, ///< bodies struck together
  HTZ_ISLAND_OUTPUTS_MAX = 64
};

enum { HTZ_LINK_GROUND = 0xffff }; ///< in place of a body's index: what never moves

/**
   One-way drive: force on body `to` at its point `point` [N] = pickup `pickup` of body `from`; from < to.

   Where `to` moves together with struck or linked ones, `from` is another of these, and the force over a sample is what the pickup
   hears at its start.
*/
typedef struct {
  uint32_t from, pickup, to, point;
} htz_feed;

/** What is heard: pickup `pickup` of body `body`, added to output line `line`. */
typedef struct {
  uint32_t body, pickup, line;
} htz_output;

/**
   Mallets that stay. A ball under gravity falls back until it lies; a hammer on a spring arm hangs over the body while its key is held,
   driven by a signal; a ball that rolls is lifted and dropped by the profile of what it rolls on.
*/
typedef enum {
  HTZ_STAY_GRAVITY = 0, ///< on every mallet, towards the body [m/s^2], >= 0
  HTZ_STAY_GAIN,        ///< force of the drive at full scale [N]
  HTZ_STAY_HEIGHT,      ///< over the body at which a hung hammer hangs when nothing else acts [m]; below 0: pressed on it
  HTZ_STAY_SPEED,       ///< factor on the speed a ball rolls with
  HTZ_STAY_ROUGHNESS,   ///< of what it rolls on, root mean square [m]
  HTZ_STAY_ASYMMETRY,   ///< how far its centre of mass is off the middle, share of the radius
  HTZ_STAY_FIELDS
} htz_stay_field;

/** Of a mallet that stays; what a player moves is 0 until it is wanted, the factor 1. */
typedef struct {
  htz_moved_by control[HTZ_STAY_FIELDS];
  bool given;       ///< false: a mallet flies off and is gone
  double spring_hz; ///< pitch of a hammer on its arm [Hz]; 0: not hung
  double damping;   ///< of that, as a share of the critical []
  bool rolls;
  double grain;    ///< coarsest grain of the profile [m], > 0 where it rolls
  double radius;   ///< of the ball [m], > 0 where it rolls
  double friction; ///< rolling resistance over weight: how fast it slows down when let go []
  uint64_t seed;   ///< of the profile
} htz_stay;

/** A bow or a wheel, a friction link on each body it plays (htz_friction_link_desc); they share its force. */
typedef struct {
  uint32_t body, n_bodies; ///< it plays so many from there on; n_bodies 0: all struck ones
  htz_friction law;
  double twist;  ///< [m/s per N], >= 0
  double spring; ///< [N/m], >= 0
  double rim;    ///< length of the way round a closed body along which it goes as it is drawn [m]; 0: it stays where it lies
  bool turns;    ///< a wheel: it has its speed when it is set on
  double at_y;   ///< on a surface: where across it, fraction of the width; NaN: along the body's line
} htz_bow_desc;

enum { HTZ_BOW_POINTS = 2, HTZ_FINGER_POINTS = 1 }; ///< contact points that each played body needs for one

typedef struct {
  htz_stay stay;
  htz_prepared_desc prepared;
  uint32_t n_bodies;
  uint32_t n_struck; ///< of those, the first so many are struck
  uint32_t n_bowed;  ///< and so many after those are under a bow alone; 1..HTZ_ISLAND_UNISON_MAX struck and bowed
  uint32_t n_joined; ///< and so many after those move with them, sample by sample: linked ones, and what feeds one that is
  htz_modal* bodies[HTZ_ISLAND_BODIES_MAX]; ///< each played one needs n_mallets contact points
  uint32_t n_link_joins, n_link_contacts;   ///< <= HTZ_ISLAND_LINKS_MAX, <= HTZ_ISLAND_CONTACTS_MAX
  const htz_join_desc*
      link_joins; ///< [n_link_joins] of bodies as numbered here, or HTZ_LINK_GROUND; read by htz_modal_island_new() only
  const htz_contact_desc* link_contacts; ///< [n_link_contacts] likewise; one-sided, or springs with a law
  const htz_moved_by* link_gaps;         ///< [n_link_contacts] what moves the gap of each, likewise; NULL: nothing does
  const double* link_shapes;             ///< [n_link_contacts] what of it stays when it is moved [m]; NULL: nothing
  uint32_t n_feeds;
  htz_feed feeds[HTZ_ISLAND_FEEDS_MAX];
  uint32_t n_outputs;
  htz_output outputs[HTZ_ISLAND_OUTPUTS_MAX]; ///< output of a resonator follows htz_island_class.resonate
  uint64_t joined;    ///< bit o: output o is the force of an end, not heard while that end stands on something that moves
  uint32_t n_lines;   ///< output lines of the island: htz_island.n_pickups
  uint32_t n_mallets; ///< pool size, 0..HTZ_ISLAND_MALLETS_MAX; 0: nothing is thrown
  /// Solves the contact of the one mallet with the one struck body in place of the network; nothing else acts on that
  /// (hertzian/contact/solved.h). Kept by pointer; NULL: the network solves it.
  htz_solver* solver;
  uint32_t n_bows; ///< their points on the played bodies follow those of the mallets
  htz_bow_desc bows[HTZ_BOWS_MAX];
  /// Damping on each played body of a finger that may lie lightly across them [N s/m], its point the last one; 0: it leaves that alone.
  double finger[HTZ_ISLAND_UNISON_MAX];
} htz_modal_island_desc;

/** Bodies that mallets strike or bows play: the first so many. */
static inline uint32_t htz_modal_island_played(const htz_modal_island_desc* desc) {
  return desc->n_struck + desc->n_bowed;
}

/** True when a finger may lie on some of them. */
static inline bool htz_modal_island_fingered(const htz_modal_island_desc* desc) {
  bool any = false;
  for (uint32_t b = 0; b < htz_modal_island_played(desc); ++b) {
    any = any || desc->finger[b] > 0.0;
  }
  return any;
}

/** Bodies that move together sample by sample while something touches or holds them: the first so many. */
static inline uint32_t htz_modal_island_in_network(const htz_modal_island_desc* desc) {
  return htz_modal_island_played(desc) + desc->n_joined;
}

/** @return HTZ_OK, HTZ_BAD_VALUE, HTZ_NO_MEMORY. Set-up thread. */
htz_status htz_modal_island_new(const htz_modal_island_desc* desc, double rate_hz, htz_arena* arena, htz_island** out);

/** An account of what moves and presses the mallets that stay, for tests. */
typedef struct {
  double work;     ///< done on them so far by the drive and by changes of influence [J]
  double contacts; ///< done so far by moved gaps on the contacts [J]
  double lost;     ///< in the contacts so far [J]
  double excess;   ///< energy that moves still, HUGE_VAL when a mallet is on its way or driven [J]
} htz_stay_account;

HTZ_RT htz_stay_account htz_modal_island_stay(const htz_island* island);

HTZ_RT htz_prepared_account htz_modal_island_prepared(const htz_island* island);

/** Displacement and velocity now of loose thing `number`, in the order of the description, for tests. @return false when it is not there. */
HTZ_RT bool htz_modal_island_loose(const htz_island* island, uint32_t number, double* q, double* v);

/** Displacement and velocity of mallet `index` now, for tests. @return false when it is not there. */
HTZ_RT bool htz_modal_island_mallet(const htz_island* island, uint32_t index, double* q, double* v);

/**
   Speed [m/s] and force [N] of bow `index` now, 0 when it is off the bodies, and its place, fraction of the length from the far end. Audio
   thread.
*/
HTZ_RT void htz_modal_island_bow(const htz_island* island, uint32_t index, double* speed, double* force, double* at);
/** Modes that the struck bodies and what is fixed to them run as; NULL while they do not. For tests. */
HTZ_RT const htz_modal* htz_modal_island_folded(const htz_island* island);

/**
   True when what is fixed to the bodies cannot be folded into their modes, as these could not be told apart: the island then runs sample by
   sample, at several times the cost, and sounds the same. False for islands of other kinds.
*/
bool htz_modal_island_unfolded(const htz_island* island);

/** The network inside, for counters and accounts. Any thread that owns the island. */
htz_network* htz_modal_island_network(htz_island* island);

/** The modal body `index` inside, for tests and for planting faults. */
htz_modal* htz_modal_island_body(htz_island* island, size_t index);

#endif
