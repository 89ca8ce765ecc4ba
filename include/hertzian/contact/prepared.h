#ifndef HERTZIAN_CONTACT_PREPARED_H
#define HERTZIAN_CONTACT_PREPARED_H

#include "hertzian/contact/island.h"

#include <stdbool.h>
#include <stdint.h>

/**
   What a player fixes to the bodies of a key, or lays on them: linear joins (a screw, a rubber) and loose masses (a rattle, a loose
   bridge). It is there for good, whether a mallet flies or not.

   It stands opposite the mallet: a body that the mallet pushes away comes nearer to what hovers over it.
*/
typedef enum {
  HTZ_PREPARED_RATTLE = 0,
  HTZ_PREPARED_BRIDGE,
  HTZ_PREPARED_SCREW,
  HTZ_PREPARED_RUBBER,
  HTZ_PREPARED_KINDS
} htz_prepared_kind;

enum { HTZ_PREPARED_MAX = 8 }; ///< things on the bodies of a key together
enum { HTZ_THINGS_MAX = 16 };  ///< that the keys of one object have in all
/** What a player moves of one thing, whatever its kind. */
typedef enum {
  HTZ_THING_GAP = 0, ///< [m]
  HTZ_THING_FACTOR,  ///< on its mass or loss
  HTZ_THING_AT,      ///< fraction of the length
  HTZ_THING_FIELDS
} htz_thing_field;

/** A loose mass with one contact (Hunt and Crossley) on every body that it is on. */
typedef struct {
  double mass;      ///< [kg], > 0
  double gap;       ///< between it and the bodies where both are at rest [m]
  double gap_more;  ///< how much wider that is than a gap wanted for all of its kind [m]
  double at;        ///< fraction of the length
  double at_y;      ///< of the width of a surface; NaN: `at` is along its line
  double spring_hz; ///< pitch on the spring that holds it there [Hz], >= 0
  double damping;   ///< of that, share of the critical []
  double gravity;   ///< towards the bodies [m/s^2]; > 0 where spring_hz is 0
  double stiffness; ///< K [N/m^alpha]
  double exponent;  ///< alpha
  double viscosity; ///< mu [s/m]
} htz_loose_desc;

/** A lumped mass that the bodies carry at one place. */
typedef struct {
  double mass; ///< [kg], > 0
  double at;   ///< fraction of the length
  bool outer;  ///< of three or more bodies it is between the outermost two only
} htz_screw_desc;

/** A damper and a spring. */
typedef struct {
  double damping;   ///< [N s/m], >= 0
  double stiffness; ///< [N/m], >= 0
  double at;        ///< fraction of the length
  bool between;     ///< between neighbours; a body that has none, and with false every one: against the ground
} htz_rubber_desc;

typedef struct {
  htz_prepared_kind kind;
  uint32_t body, n_bodies;                ///< it is on so many bodies of the island, from this one on
  uint32_t point;                         ///< its point on each of them
  htz_moved_by control[HTZ_THING_FIELDS]; ///< what moves it
  union {
    htz_loose_desc loose; ///< rattle and loose bridge
    htz_screw_desc screw;
    htz_rubber_desc rubber;
  } as;
} htz_prepared_thing;

typedef struct {
  uint32_t n;
  htz_prepared_thing things[HTZ_PREPARED_MAX];
} htz_prepared_desc;

/** An account of them, for tests. */
typedef struct {
  double work;       ///< done so far by whoever moves or changes them [J]
  double lost;       ///< in all contacts and joins so far [J]
  uint64_t closures; ///< times something loose has touched a body since the last reset
} htz_prepared_account;

#endif
