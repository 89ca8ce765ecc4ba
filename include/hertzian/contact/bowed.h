#ifndef HERTZIAN_CONTACT_BOWED_H
#define HERTZIAN_CONTACT_BOWED_H

#include "hertzian/base/arena.h"
#include "hertzian/contact/friction.h"
#include "hertzian/contact/struck.h"

/**
   A bowed string of the exact-hold family: one modal string, a bow that may move along it, a finger that may lie lightly on it, and
   resonators driven one way as on struck islands.

   Over a step of length d the friction force is held constant, so that the string's speed under the bow, meant as its mean over the step,
   is rise/d - (C/d) F: one scalar equation with the gain C/d (htz_friction_solve). The work of the held force is exact, hence friction
   takes F v d >= 0 and the bow brings -F speed d. A string that twists under the bow gives way by twist F more.
*/
enum {
  HTZ_BOWED_POINTS = 3 ///< contact points that the string needs: the bow where it is and where it goes, the finger
};

typedef struct {
  htz_friction law;
  /// How fast the bowed surface turns per newton of friction [m/s per N], >= 0: 1/(2 Zt) with Zt the string's impedance to torsion, whose
  /// waves die before they return (Woodhouse, 2003); 0: the string does not twist.
  double twist;
  double spring; ///< and what turns it back [N/m]
  double finger; ///< damping of a finger that lies lightly on the string [N s/m], >= 0
  /// Bodies, feeds, outputs and lines as of a struck island with n_struck = 1; mallets and what stays are not looked at.
  htz_struck_desc net;
} htz_bowed_desc;

/** @return HTZ_OK, HTZ_BAD_VALUE, HTZ_NO_MEMORY. Set-up thread. */
htz_status htz_bowed_new(const htz_bowed_desc* desc, double rate_hz, htz_arena* arena, htz_island** out);

/** What the friction solver remembers and has counted. Audio thread. */
HTZ_RT const htz_friction_state* htz_bowed_friction(const htz_island* island);

/** Speed [m/s] and force [N] of the bow now, 0 when it is off the string, and its place, fraction of the length from the far end. */
HTZ_RT void htz_bowed_bow(const htz_island* island, double* speed, double* force, double* at);

/** U of the string as it is tuned, with the bow at `at` from the far end pressed with `force` (htz_friction_stiffness). */
double htz_bowed_stiffness(htz_island* island, double at, double force);

/** The string, for tests. */
htz_modal* htz_bowed_string(htz_island* island);

/** Work that the bow has done so far, and what friction and the twisting string have lost of it [J], for tests. */
void htz_bowed_account(const htz_island* island, double* work, double* lost);

#endif
