#ifndef HERTZIAN_INSTRUMENT_INSTRUMENT_H
#define HERTZIAN_INSTRUMENT_INSTRUMENT_H

#include "hertzian/base/arena.h"
#include "hertzian/base/param.h"
#include "hertzian/contact/bridge.h"
#include "hertzian/contact/group.h"
#include "hertzian/contact/island.h"
#include "hertzian/dsp/kernels.h"
#include "hertzian/instrument/diag.h"
#include "hertzian/instrument/params.h"
#include "hertzian/instrument/spec.h"
#include "hertzian/model/bodies.h"

#include <stdbool.h>

/**
   A compiled instrument: one island per MIDI key at a given sample rate, and what a player's hands and controllers need to
   know of it. Built on a set-up thread from a spec, then owned by the audio thread.
*/

/** One of the mallets to choose from, as factors on what the file says of the mallet. */
typedef struct {
  double hardness, mass;
  bool plucks; ///< it lifts the body and lets it go (htz_key.lift), where the file says how far
} htz_mallet_kind;

enum { HTZ_MALLET_KINDS_MAX = 8, HTZ_BOARD_ZONES_MAX = 16, HTZ_BOARD_PICKUPS_MAX = 4 };

/** A bow of all keys. By the parameters HTZ_PARAM_BOW_FORCE and so on the first is what `initial` says, and all others go along with it. */
typedef struct {
  bool turns;                     ///< it is a wheel, always at speed
  double initial[HTZ_BOW_FIELDS]; ///< values at which the keys' own forces [N], speeds [m/s] and places hold
  uint16_t own[HTZ_BOW_FIELDS];   ///< the values that move this one alone, of a key; 0: none
} htz_object_bow;

/** What the keys of one object have in common: how they are played. */
typedef struct {
  double params[HTZ_PARAM_SLOTS]; ///< initial values: the table's, then the file's; the table's NaN stands for the key's own
  size_t n_kinds;                 ///< mallets to choose from by HTZ_PARAM_MALLET_KIND; 0: one
  htz_mallet_kind kinds[HTZ_MALLET_KINDS_MAX];
  bool stays;      ///< mallets may stay at their keys (htz_stay)
  bool influenced; ///< something else goes on acting at its keys: a bow, what lies loose; the islands have `influence`
  size_t n_bows;   ///< bows are set on
  htz_object_bow bows[HTZ_BOWS_MAX];
  htz_spec_fingered fingered; ///< a few islands, those of the open strings' keys, serve all keys
  bool driven;                ///< by the audio signal given to the engine
  double soft_hardness;       ///< factor on the contact stiffness with the soft pedal down (una corda)
} htz_object;

/** A gesture other than throwing a mallet or drawing a bow. */
typedef struct {
  double speed[2]; ///< at velocity 1 and 127 [m/s], of a pluck how far [m]
  double at, at_y; ///< as those of htz_key
} htz_key_gesture;

/** A line of a key that is the signal of a coil on a magnet. */
typedef struct {
  double reach;  ///< sample value times second of a movement as long as the distance to the pole; 0: it is none
  double offset; ///< how far beside the pole's middle the steel is at rest, in such distances
} htz_key_magnet;

/** What a bow does at one key. */
typedef struct {
  double force[2];  ///< at velocity 1 and 127 [N]
  double speed[2];  ///< likewise [m/s]
  double attack[2]; ///< how soon it has that, likewise [s]
  double at;        ///< where it lies, fraction of the length from the far end
} htz_key_bow;

/** A parameter of the file's own: number HTZ_PARAM_COUNT + i moves that of one object's keys. */
typedef struct {
  const htz_object* object;
  htz_param_index param; ///< whose range it has
  uint32_t slot;         ///< the value of a key
} htz_binding;

/** An ear of the file's pair, with the weights (htz_modal_listen_ear()) that it has wherever the pair can be. */
typedef struct {
  htz_modal* of;
  uint32_t pickup;
  const double *re[HTZ_EARS], *im[HTZ_EARS];
} htz_moving_ear;

/** What one key needs besides its island. */
typedef struct {
  htz_island* island;                   ///< NULL: this key is silent (outside a `strict` range)
  bool linked;                          ///< to other keys or to what they share: it is advanced with htz_linked.group
  const htz_object* object;             ///< that the key belongs to
  double hz;                            ///< pitch [Hz]
  double speed[2];                      ///< mallet speed at velocity 1 and 127 [m/s]
  double mass;                          ///< mallet [kg]
  double stiffness;                     ///< contact stiffness at velocity 127 [N/m^alpha]
  double touch;                         ///< stiffness at velocity 1 over that at 127, > 0
  double exponent;                      ///< alpha
  double viscosity;                     ///< mu [s/m]
  double hysteresis;                    ///< epsilon of felt that relaxes, 0: none
  double relaxation;                    ///< tau0 of that felt [s]
  double core;                          ///< stiffness of a core in the winding at velocity 127 [N/m^alpha], 0: none
  double core_exponent;                 ///< its alpha
  double depth;                         ///< how far the winding gives before it is met [m]
  double at;                            ///< strike position, fraction of the length
  double at_y;                          ///< and of the width of a surface; NaN: `at` is along its line
  unsigned does;                        ///< bit htz_excite: it has this gesture
  htz_excite first;                     ///< the first of them
  htz_key_gesture gesture[HTZ_EXCITES]; ///< where it has them, those of mallet and bow left out
  htz_key_bow bow[HTZ_BOWS_MAX];        ///< bows, of the object's n_bows
  double lift[2];                       ///< of a pin that plucks, at velocity 1 and 127 [m], 0: it strikes
  double travel[2];                     ///< speed of rolling at velocity 1 and 127 [m/s], 0: it does not
  double damper;                        ///< decay rate when the key is up [1/s], 0: no damper
  double choke;                         ///< decay rate while it is choked [1/s]
  uint8_t choke_group;                  ///< of keys that choke each other; 0: none
  double pan[HTZ_ISLAND_PICKUPS_MAX];   ///< place of each pickup, -1 left .. 1 right
  htz_key_magnet magnet[HTZ_ISLAND_PICKUPS_MAX];
  unsigned strings;                    ///< bodies struck together, 1..HTZ_ISLAND_UNISON_MAX
  bool drives[HTZ_ISLAND_PICKUPS_MAX]; ///< this line is a force on the board [N], not heard itself

  /// Frames by which each line is heard later: the way of the sound to an ear, with the pair of ears there.
  uint32_t late[HTZ_EARS][HTZ_ISLAND_PICKUPS_MAX];
  bool by_ear;     ///< some of its lines are pressures at ears
  uint32_t n_ears; ///< that move
  const htz_moving_ear* ears;

  double heard; ///< share of the lines' loudness that can come out: 1, or that of forces on the board where all of them are
  // What a bend needs to sound as loud as the key it bends to; of each line, 0: not known.
  double voice[HTZ_ISLAND_PICKUPS_MAX]; ///< how strongly a stroke sets off the first partial in it
  double climb[HTZ_ISLAND_PICKUPS_MAX]; ///< the power of the tuning it goes with by itself
  double lever;                         ///< ratio of the lever between strings and bridge, 0: there is none
  double bridge_tuning; ///< factor on the tuning with which the first partial is in tune on a bridge that moves, both ways
  double tuned; ///< factor on the tuning with which it sounds as its first body alone would (htz_spec.tuned); 1 unless measured
  double board_at; ///< where on the bridge, 0 .. n_zones - 1: shared between the two nearest drive points
} htz_key;

/** A body that all keys share, driven one way by the forces of their lines: a soundboard. */
typedef struct {
  htz_modal* body; ///< NULL: none. Its points 0 .. n_zones - 1 are the drive points along the bridge
  uint32_t n_zones;
  uint32_t n_pickups;
  double pan[HTZ_BOARD_PICKUPS_MAX];
  uint32_t late[HTZ_EARS][HTZ_BOARD_PICKUPS_MAX]; ///< as htz_key.late
  uint32_t n_ears;                                ///< that move
  htz_moving_ear ears[HTZ_BOARD_PICKUPS_MAX];
  htz_bridge* bridge; ///< the keys' strings rest on it, both ways; NULL: they only drive it
} htz_board;

/** What one key throws at the body of the action. */
typedef struct {
  double speed[2]; ///< at velocity 1 and 127 [m/s]
  double gap;      ///< how far it has to go first [m]
  double mass, stiffness, exponent, viscosity, hysteresis, relaxation, core, core_exponent, depth, at; ///< as in htz_key
} htz_blow_throw;

typedef struct {
  bool release;                 ///< as the key is let go, not as it is pressed
  const htz_blow_throw* thrown; ///< [HTZ_KEYS]
} htz_blow;

/** What keys hit as they are pressed and let go: an island of its own, whose one line is a force on the board. */
typedef struct {
  htz_island* island; ///< NULL: there is none
  uint32_t n_blows;
  htz_blow blows[HTZ_SPEC_BLOWS_MAX];
  double board_at; ///< where on the board, as htz_key.board_at
  double heard;    ///< what a newton on the board can give at once, as a sample value
} htz_action;

/** Keys that are linked to each other, and the bodies they share that way. */
typedef struct {
  htz_group* group; ///< NULL: none are
  uint32_t n_keys;
  uint8_t keys[HTZ_KEYS]; ///< [n_keys] of the group's islands in turn
  uint32_t n_shared;
  htz_modal* shared[HTZ_GROUP_SHARED_MAX];
  double pan[HTZ_GROUP_SHARED_MAX][HTZ_PICKUPS_MAX];
} htz_linked;

typedef struct {
  const htz_spec* spec; ///< kept by pointer, must outlive the instrument
  double rate_hz;
  htz_key keys[HTZ_KEYS];
  uint8_t
      plays[HTZ_KEYS]; ///< key that a note of a key plays: itself, or where the instrument ends before, one whole octaves away
  double params[HTZ_PARAM_COUNT]; ///< initial values of the part; NaN: each object's, or each key's, own
  size_t n_bodies, n_modes;       ///< for listings: over the keys of the range
  size_t n_unfolded; ///< likewise, keys with something fixed to them that run sample by sample (htz_modal_island_unfolded)
  htz_board board;
  htz_action action;
  htz_linked linked;
  size_t n_objects;
  htz_object* objects; ///< [n_objects] as in the spec
  size_t n_bindings;
  htz_binding* bindings; ///< [n_bindings]
  bool stays;            ///< mallets may stay at the keys of one of them
} htz_instrument;

/**
   Build the keys of `spec` at `rate_hz`.

   Runs the construction twice, on a measuring arena and on one block of the size found; `arena` then owns that block.

   A key is silent that cannot be made at this sample rate; beyond the range of the file its notes are then played whole octaves away.

   @param keys bit k % 64 of keys[k / 64]: key k is built, or what its notes are played on; a key left out is silent and takes no
               memory. NULL: every key
   @param why one-line reason on failure (static text or in `spec`'s memory); htz_instrument_try() says where in the file
   @return HTZ_OK, HTZ_BAD_VALUE, HTZ_UNSUPPORTED (none of the keys at this rate), HTZ_NO_MEMORY. Set-up thread.
*/
htz_status htz_instrument_build(const htz_spec* spec, double rate_hz, const htz_kernels* kernels, const uint64_t* keys,
                                htz_arena* arena, htz_instrument** out, const char** why);

/**
   Make every key of the range once and say what cannot be made at `rate_hz`, and by which line of the file: a fault when that are all
   keys, a warning when it is some, which are silent then.

   @return HTZ_OK, HTZ_BAD_INPUT after a fault, HTZ_NO_MEMORY. Set-up thread.
*/
htz_status htz_instrument_try(const htz_spec* spec, double rate_hz, const htz_kernels* kernels, htz_diags* diags);

#endif
