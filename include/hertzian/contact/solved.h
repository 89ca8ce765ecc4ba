#ifndef HERTZIAN_CONTACT_SOLVED_H
#define HERTZIAN_CONTACT_SOLVED_H

#include "hertzian/base/arena.h"
#include "hertzian/contact/island.h"
#include "hertzian/contact/solver.h"
#include "hertzian/model/bodies.h"

/**
   A mallet of a modal island (htz_modal_island_desc.solver) whose contact is solved by a published method in place of the network:
   htz_solver_class, `real_time` and `body`.

   While the hammer is under way the solver holds and advances the body's modes; before and after, the body runs free in its own
   exact steps. So what is heard of a method is its contact and no more, and a method that is unstable on the fast modes of a body,
   or in a hard contact, shows it while it touches: the key's energy then grows beyond what it was given, and the engine puts that key
   to rest and counts it.

   A solver is made for one tuning and one striking place, those of the key as built. While the body is bent the hammer meets it at
   that tuning, each mode's energy being what is handed over. A class without `strike_with` also has one hammer, the one given here,
   and full matrices made ahead: it takes at most HTZ_SOLVED_FIXED_MODES, so that those of all keys are made in a few seconds.
*/
enum { HTZ_SOLVED_FIXED_MODES = 32 };

/**
   @param body its contact point 0 is where it is struck
   @param modal_mass [htz_modal_count()] of it [kg]
   @param hammer what the solver is made for: mass, stiffness, exponent, viscosity
   @param why on failure one line, if there is more to say than the status
   @return HTZ_OK, HTZ_BAD_VALUE, HTZ_UNSUPPORTED, HTZ_NO_MEMORY. Set-up thread.
*/
htz_status htz_solved_make(const htz_modal* body, const double* modal_mass, const htz_solver_class* cls,
                           const htz_strike* hammer, double rate_hz, htz_arena* arena, htz_solver** out, const char** why);

#endif
