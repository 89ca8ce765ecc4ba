#ifndef HERTZIAN_DSP_EXPM_H
#define HERTZIAN_DSP_EXPM_H

#include "hertzian/base/status.h"

#include <stddef.h>

/**
   The exponential e^A of a square matrix, by balancing, scaling and squaring with the diagonal Pade approximant of degree 13
   (Higham, The Scaling and Squaring Method for the Matrix Exponential Revisited), in long double throughout.

   Where long double has 64 bits of mantissa the result is right to rounding of its largest entries, in the scale in which `a` is
   balanced: for the state matrix of a mechanical system, positions and velocities weighed against each other.

   @param a [n][n] row-major, finite
   @param e [n][n] row-major; may be `a`
   @return HTZ_OK; HTZ_BAD_VALUE when an entry or the result is not finite; HTZ_NO_MEMORY. Set-up thread; some 20 n^3 multiply-adds.
*/
htz_status htz_expm(size_t n, const double* a, double* e);

#endif
