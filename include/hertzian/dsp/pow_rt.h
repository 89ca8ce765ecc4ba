#ifndef HERTZIAN_DSP_POW_RT_H
#define HERTZIAN_DSP_POW_RT_H

#include "hertzian/base/rt.h"

/**
   x^a for x > 0 (0 for x <= 0), for the contact loop: no call into libm, relative error below 1e-13 for |a| <= 8 and x in
   [1e-30, 1e10]. Smooth to its own rounding, so that force and energy taken from it agree.
*/
HTZ_RT double htz_pow_rt(double x, double a);

#endif
