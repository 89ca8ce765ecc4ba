#ifndef HERTZIAN_CONTACT_PREPARED_H
#define HERTZIAN_CONTACT_PREPARED_H

#include <stdbool.h>
#include <stdint.h>

/**
   What a player fixes to the struck bodies of a key, or lays on them: linear joins (a screw, a rubber) and loose masses (a rattle, a
   loose bridge). It is there for good, whether a mallet flies or not.

   It stands opposite the mallet: a body that the mallet pushes away comes nearer to what hovers over it.
*/
typedef enum { HTZ_LOOSE_RATTLE = 0, HTZ_LOOSE_BRIDGE, HTZ_LOOSE_MAX } htz_loose;

/** A loose mass with one contact (Hunt and Crossley) on every struck body. */
typedef struct {
  double mass;      ///< [kg], > 0; 0: there is none
  double gap;       ///< between it and the bodies where both are at rest [m]
  double at;        ///< fraction of the length
  double at_y;      ///< of the width of a surface; NaN: `at` is along its line
  double spring_hz; ///< pitch on the spring that holds it there [Hz], >= 0
  double damping;   ///< of that, share of the critical []
  double gravity;   ///< towards the bodies [m/s^2]; > 0 where spring_hz is 0
  double stiffness; ///< K [N/m^alpha]
  double exponent;  ///< alpha
  double viscosity; ///< mu [s/m]
} htz_loose_desc;

/** A lumped mass that the struck bodies carry at one place. */
typedef struct {
  double mass; ///< [kg], > 0; 0: there is none
  double at;   ///< fraction of the length
  bool outer;  ///< of three or more bodies it is between the outermost two only
} htz_screw_desc;

/** A damper and a spring. */
typedef struct {
  double damping;   ///< [N s/m]; 0, and stiffness 0: there is none
  double stiffness; ///< [N/m]
  double at;        ///< fraction of the length
  bool between;     ///< between neighbours; a body that has none, and with false every one: against the ground
} htz_rubber_desc;

typedef struct {
  htz_loose_desc loose[HTZ_LOOSE_MAX];
  htz_screw_desc screw;
  htz_rubber_desc rubber;
} htz_prepared_desc;

enum { HTZ_PREPARED_POINTS = HTZ_LOOSE_MAX + 2 }; ///< points that each struck body needs for them, behind those of the mallets

/** An account of them, for tests. */
typedef struct {
  double work;       ///< done so far by whoever moves or changes them [J]
  double lost;       ///< in all contacts and joins so far [J]
  uint64_t closures; ///< times something loose has touched a body since the last reset
} htz_prepared_account;

#endif
