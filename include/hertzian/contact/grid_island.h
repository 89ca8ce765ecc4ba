#ifndef HERTZIAN_CONTACT_GRID_ISLAND_H
#define HERTZIAN_CONTACT_GRID_ISLAND_H

#include "hertzian/contact/grid_network.h"
#include "hertzian/contact/island.h"
#include "hertzian/contact/modal_island.h"

/** What the player's parameters make of a contact. */
typedef enum {
  HTZ_ROLE_NONE = 0,
  HTZ_ROLE_BRIDGE, ///< bridge.gap is its gap, bridge.mass the factor on the mass that takes part
  HTZ_ROLE_THREAD, ///< thread.at is its place, a fraction of the stretch on the same string
  HTZ_ROLE_RATTLE, ///< rattle.gap, rattle.at, and rattle.mass the factor on the mass that takes part
  HTZ_ROLE_SCREW,  ///< screw.at, and screw.mass the factor on the mass that is fixed to the string
  HTZ_ROLE_RUBBER, ///< rubber.at, and rubber.loss the factor on its damping
  HTZ_ROLES
} htz_grid_role;

typedef enum {
  HTZ_GRID_HEAR_DISPLACEMENT = 0,
  HTZ_GRID_HEAR_VELOCITY,
  HTZ_GRID_HEAR_ACCELERATION,
  HTZ_GRID_HEAR_END,
  HTZ_GRID_HEAR_CONTACT,
  HTZ_GRID_HEAR_STRETCH
} htz_grid_hearing;

enum {
  HTZ_GRID_MALLETS_MAX = 8,
  HTZ_GRID_RESONATORS_MAX = 4,
  HTZ_GRID_ISLAND_HEARS_MAX = HTZ_ISLAND_PICKUPS_MAX + 20, ///< pickups, feeds and drives
  HTZ_GRID_ISLAND_ROLES_MAX = 24,                          ///< as many as a file's contacts
  HTZ_GRID_NONE = 0xffff                                   ///< no such body, contact, resonator
};

/** What is heard, in a line or by a resonator. */
typedef struct {
  htz_grid_hearing what;
  uint32_t of;       ///< body, contact or stretch
  uint32_t point;    ///< of the body
  double gain;       ///< sample value, or newtons, per quantity
  double step, bend; ///< of a string's end: spacing h [m], and EI/h^3 [N/m]
  uint32_t next[2];  ///< the two points next to it
  uint32_t line;
  uint32_t resonator; ///< driven by it in place of a line, or HTZ_GRID_NONE
} htz_grid_hear;

/** A contact that the player changes. */
typedef struct {
  htz_grid_role role;
  uint32_t contact;
  uint32_t mass;           ///< body that takes part, or HTZ_GRID_NONE
  htz_grid_mass_desc load; ///< of it
  double damping;          ///< of a rubber [N s/m]
  uint32_t body, point;    ///< on which it has a place, or HTZ_GRID_NONE
  double at, at_y, gap;    ///< as the file says
  double from, to; ///< what a place that is wanted is a fraction of, fractions of the length: all of it, of a thread the bridge
  htz_moved_by control[HTZ_THING_FIELDS]; ///< what moves it
} htz_grid_moved;

/** Something that a key does when it is struck. */
typedef struct {
  htz_excite kind;
  uint32_t body, point; ///< excited; each further mallet has the next point
  uint32_t mallet;      ///< first body that is thrown; the others follow
  uint32_t contact;     ///< of the first mallet, the others follow; of a pluck: the hand's spring
  double toward;        ///< +1 when a throw goes up
  double height;        ///< of a throw: how far back it starts [m]
  double width;         ///< of a kick [fraction of the length]
  double time;          ///< of a pluck [s]
} htz_grid_gesture;

typedef struct {
  htz_grid_network* net;
  size_t n_bodies;
  htz_grid* bodies[HTZ_GRID_BODIES_MAX];
  bool follows[HTZ_GRID_BODIES_MAX]; ///< is retuned
  bool damped[HTZ_GRID_BODIES_MAX];  ///< lies under the damper
  size_t n_gestures;                 ///< at most one of each kind
  htz_grid_gesture gestures[HTZ_EXCITES];
  size_t n_mallets;
  htz_stay stay; ///< of the mallets
  size_t n_bows; ///< as many as the network has, all drawn by one gesture
  struct {
    uint32_t body, point; ///< the string it plays, and where
    double speaks[2];     ///< of that the piece between its bridge and the end beyond the bow, fractions of the length
  } bows[HTZ_BOWS_MAX];
  uint32_t finger;       ///< contact of a light finger, or HTZ_GRID_NONE
  uint32_t finger_point; ///< on the string under the first bow
  size_t n_roles;
  htz_grid_moved roles[HTZ_GRID_ISLAND_ROLES_MAX];
  size_t n_hears;
  htz_grid_hear hears[HTZ_GRID_ISLAND_HEARS_MAX];
  size_t n_resonators;
  htz_modal* resonators[HTZ_GRID_RESONATORS_MAX]; ///< driven one way at their point 0, those that feed others first
  size_t n_feeds;
  htz_feed feeds[HTZ_ISLAND_FEEDS_MAX]; ///< from resonator to resonator
  size_t n_outputs;
  htz_output outputs[HTZ_ISLAND_OUTPUTS_MAX]; ///< of resonators; they follow htz_island_class.resonate
  uint32_t n_lines;
} htz_grid_island_desc;

/**
   One key of the grid family.

   @param desc copied; the network and its bodies are kept by pointer
   @return HTZ_OK or HTZ_NO_MEMORY. Set-up thread.
*/
htz_status htz_grid_island_new(const htz_grid_island_desc* desc, double rate_hz, htz_arena* arena, htz_island** out);

/** Displacement of mallet `index` now [m], for tests. @return false when it is not there. */
HTZ_RT bool htz_grid_island_mallet(const htz_island* island, uint32_t index, double* q);

/** Its network, for tests. */
const htz_grid_network* htz_grid_island_network(const htz_island* island);

#endif
