#ifndef HERTZIAN_LAB_CURVED_H
#define HERTZIAN_LAB_CURVED_H

#include "obstacle.h"

#include <math.h>

/**
   The string of the experiments on curved bridges: the length, mass, losses and bridge of a tanpura's C3, without bending stiffness, on which
   a grid disperses. All places lie on multiples of 8 mm, so that grids of 125, 250, 375 ... intervals have points there.
*/
static inline obstacle_case curved_string(double stiffness, double viscosity, double thread_damping) {
  return (obstacle_case){.length = 1.0,
                         .tension = 35.89, // waves of 254 m/s: 1500 intervals at 384 kHz
                         .density = 5.563e-4,
                         .sigma0 = 0.45,
                         .sigma1 = 1.43e-4,
                         .from = 0.904,
                         .to = 0.992,
                         .apex = 0.984,
                         .curvature = 0.27,
                         .stiffness = stiffness,
                         .exponent = 1.5,
                         .viscosity = viscosity,
                         .thread_at = 0.992,
                         .thread_stiffness = 1e5,
                         .thread_damping = thread_damping,
                         .pluck = 1e-3,
                         .pluck_at = 0.424,
                         .raster = 8e-3};
}

#endif
