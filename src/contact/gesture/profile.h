#ifndef HERTZIAN_CONTACT_PROFILE_H
#define HERTZIAN_CONTACT_PROFILE_H

#include "hertzian/base/rt.h"

#include <stdint.h>

/**
   The height of a rough surface along a line, the same for ever: cubic B-splines over lattices of random heights, each lattice twice as
   fine as the one before. So it is smooth (its second derivative is continuous), without a grain finer than the finest lattice,
   and of unit root mean square.
*/
enum { HTZ_PROFILE_OCTAVES = 4, HTZ_PROFILE_SPAN = 4 };

typedef struct {
  double grain;  ///< [config] spacing of the coarsest lattice [m], > 0
  uint64_t seed; ///< another seed, another surface
  struct {       // [derived] of the cell looked at last
    int64_t cell;
    double height[HTZ_PROFILE_SPAN];
  } octave[HTZ_PROFILE_OCTAVES];
} htz_profile;

/** A surface of that grain. */
HTZ_RT void htz_profile_lay(htz_profile* profile, double grain, uint64_t seed);

/** Height at `x` [m], in units of the root mean square. */
HTZ_RT double htz_profile_height(htz_profile* profile, double x);

#endif
