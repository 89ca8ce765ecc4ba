#ifndef HERTZIAN_CONTACT_ISLAND_H
#define HERTZIAN_CONTACT_ISLAND_H

#include "hertzian/base/rt.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/**
   An island is everything one key owns, advanced as one thing. The engine knows it only through this interface, so that other
   families of networks (finite-difference grids) can stand beside the exact-hold one.
*/
typedef struct htz_island htz_island;
struct htz_port_class;

enum { HTZ_ISLAND_PICKUPS_MAX = 8, HTZ_BOWS_MAX = 2 };

/** What a note-on begins: the kinds of gestures, in the order of the words of HTZ_PARAM_GESTURE. */
typedef enum {
  HTZ_EXCITE_MALLET = 0, ///< a mass is thrown at a body and taken away when it has come back
  HTZ_EXCITE_BOW,        ///< a bow is set on, as the influence has it
  HTZ_EXCITE_PLUCK,      ///< a string is pulled aside by a hand and let go; the speed of the strike is how far [m]
  HTZ_EXCITE_THROW,      ///< one of the bodies, a mass, is thrown
  HTZ_EXCITE_KICK,       ///< a body is given speed
  HTZ_EXCITES
} htz_excite;

/** One throw of a mallet, or a bow that is set on. */
typedef struct {
  htz_excite gesture; ///< where the key has that, else it is its first; of a bow nothing below counts
  double speed;       ///< [m/s] >= 0, towards the body
  double mass;        ///< of the mallet [kg], > 0
  double stiffness;   ///< contact stiffness K [N/m^alpha], > 0
  double exponent;    ///< alpha, >= 1
  double viscosity;   ///< mu [s/m], >= 0
  double at;          ///< where, fraction of the length [0, 1]
  uint32_t skipped;   ///< bit i: struck body i is left alone (una corda)
  double
      tilt; ///< of what flies off: by how much later its face meets the last of several bodies than the first [m]; < 0: earlier
  double hysteresis;    ///< epsilon of felt that relaxes (Stulov), > 0; 0: Hunt and Crossley's law with `viscosity`
  double relaxation;    ///< its tau0 [s], > 0 with hysteresis
  double core;          ///< stiffness of a core in the winding that `stiffness` is of [N/m^alpha], > 0; 0: it has none
  double core_exponent; ///< its alpha
  double depth;         ///< how far the winding gives before the core is met [m]
  double travel;        ///< how fast it then rolls along [m/s]; 0: it does not
  double at_y;          ///< where across a surface, fraction of its width; NaN: `at` is along its line
  double lift;          ///< > 0: it plucks: it lets go of the body when it has come so far beyond where that is at rest [m]
} htz_strike;

/** What a bow or a wheel does. */
typedef struct {
  double speed; ///< [m/s]
  double force; ///< [N] >= 0; 0: off the body
  double at;    ///< fraction of the length from the far end, of a surface's length from the near one; NaN: as built
} htz_bow_control;

/**
   Which of a key's values move one field of a gesture or link: their numbers in htz_influence.value, that of all of its kind and its own.
   0: none; value 0 moves no such field.
*/
typedef struct {
  uint16_t kind, own;
} htz_moved_by;

/** What goes on acting at a key. */
typedef struct {
  const double* value; ///< what the player wants, by the numbers of htz_moved_by; NULL, and where it is NaN: as built
  const float* drive;  ///< [frames of the advance to come] an audio signal on hung hammers, full scale 1; NULL: silence
  bool held;           ///< key or pedal is down
  htz_bow_control bow[HTZ_BOWS_MAX];
  double finger; ///< a finger lies lightly on the string at this fraction of its length (a natural harmonic); NaN: none
} htz_influence;

/** Value number `number`, `otherwise` where that is not wanted. */
static inline double htz_influence_value(const htz_influence* a, uint16_t number, double otherwise) {
  const double value = number && a->value ? a->value[number] : otherwise;
  return value == value ? value : otherwise;
}

/** What is wanted of a field: its own value, else that of its kind, else what was built. */
static inline double htz_influence_wanted(const htz_influence* a, htz_moved_by control, double built) {
  return htz_influence_value(a, control.own, htz_influence_value(a, control.kind, built));
}

/** What is wanted of a factor: that of the kind times its own, each 1 unless wanted. */
static inline double htz_influence_factor(const htz_influence* a, htz_moved_by control) {
  return htz_influence_value(a, control.own, 1.0) * htz_influence_value(a, control.kind, 1.0);
}

/** What an island's solver has done; all only ever grow. */
typedef struct {
  uint64_t contact_steps; ///< steps in which a contact was solved
  uint64_t closures;      ///< contacts closed
  uint64_t bounds;        ///< bounds hit: steps too coarse, solves cut short
  uint64_t reused;        ///< strikes that had to take a mallet still in flight
} htz_island_counters;

typedef struct {
  const char* name; ///< "exact-hold", ...
  /// Advance `frames` (<= HTZ_QUANTUM) and add each pickup's signal to pickups[p][0..frames).
  void (*advance)(htz_island* island, uint32_t frames, float* const* pickups);
  /// Throw a mallet now.
  void (*strike)(htz_island* island, const htz_strike* strike);
  /// Extra decay rate of the dampers [1/s], 0: lifted.
  void (*damp)(htz_island* island, double sigma);
  /// Scale all frequencies by `ratio` and all decay rates by `loss`.
  void (*retune)(htz_island* island, double ratio, double loss);
  /// Level of a resonator fed by the struck body, 0: none.
  void (*resonate)(htz_island* island, double level);
  /// Energy of what is struck and of the mallets in flight [J], not finite when any state has gone wrong; and in `loudness` a
  /// bound on what the output can still give while nothing strikes, as a sample value.
  double (*energy)(const htz_island* island, double* loudness);
  /// Amplitude of a sine that has as much power as the output has now, and will not have again while nothing strikes; where energy may still
  /// go to what is heard more of, the bound. Looks at every mode; NULL: it does not know more than the bound.
  double (*level)(const htz_island* island);
  /// What pickups of its bodies hear is about to change (htz_modal_move_ear()); NULL: it need not know.
  void (*relisten)(htz_island* island);
  /// What each line would give in all from now on, were everything left to ring out [sample value s]: lines[0 .. n_pickups) are set.
  void (*left_over)(htz_island* island, double* lines);
  /// True while a mallet is in flight or in contact.
  bool (*busy)(const htz_island* island);
  /// At rest, mallets gone.
  void (*reset)(htz_island* island);
  htz_island_counters (*count)(const htz_island* island);
  // For islands on which something goes on acting (mallets that stay, bows, loose things); NULL where nothing does.
  /// What acts from now on; before every advance.
  void (*influence)(htz_island* island, const htz_influence* influence);
  /// True when it would disturb what lies or hangs still there.
  bool (*disturbed)(const htz_island* island, const htz_influence* influence);
  /// True while mallets lie or hang there: an island that sleeps then retains its state.
  bool (*retains)(const htz_island* island);
  /// External work (drive, moved gaps, changed influence) since the last call, dissipation excluded [J].
  double (*external_work)(htz_island* island);
  /// How it stands on a support that moves (hertzian/contact/port.h); NULL: it cannot.
  const struct htz_port_class* port;
} htz_island_class;

struct htz_island {
  const htz_island_class* cls;
  uint32_t n_pickups;
};

#endif
