#ifndef HERTZIAN_MODEL_RADIATION_PRIVATE_H
#define HERTZIAN_MODEL_RADIATION_PRIVATE_H

#include "hertzian/model/radiation.h"

#include <stdbool.h>

/** A complex weight. */
typedef struct {
  double re, im;
} weight;

static inline weight weight_times(weight a, weight b) {
  return (weight){a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}

/** Modes first .. first + count - 1 at one frequency. */
typedef struct {
  size_t first, count;
  double omega; // [rad/s]
} band;

enum { RADIATION_PANEL = 8 }; ///< nodes of one panel of Gauss's rule

/** A rule on [0, 1]: panels of Gauss's rule. */
typedef struct {
  size_t n;
  double at[HTZ_RADIATION_SIDE_NODES_MAX], weight[HTZ_RADIATION_SIDE_NODES_MAX];
} side_rule;

/** At least `nodes` nodes, and panels no longer than `longest`, a share of the side; within HTZ_RADIATION_SIDE_NODES_MAX. */
void htz_radiation_rule(double nodes, double longest, side_rule* out);

/** Nodes that the waves of the air along `length` metres ask for, or `half_waves` of the shape. */
double htz_radiation_nodes(double length, double omega, double half_waves);

/** What is left of the pressure when the air may go round the edge of what carries `length` [m] of it to and fro. */
weight htz_radiation_unbaffled(const htz_radiator* radiator, const htz_ear* ear, double k, double length);

/**
   Shapes of a line's modes at `x`: phi[n] in the middle of its width and phi[n ..] beyond that at its edge, which is what twists. phi has room
   for twice as many.
*/
void htz_radiation_line_shapes(const htz_modes* modes, double x, double* phi);

/** What a line that moves `air` [kg/m] radiates less at wave number `k`, as sound has to go round it. */
double htz_radiation_thick(double air, double k);

/** Share of the pressure of a skin over a vessel: half where the wave goes round it, all where it does not; behind it that is lost. */
weight htz_radiation_vessel(double ka, bool behind);

/** True when a sweep over `count` frequencies up to `top` [rad/s] is interpolated between fewer: of a plate, whose band is limited. */
bool htz_radiation_interpolates(const htz_modes* modes, const htz_ear* ear, size_t count, double top);

/** Of a plate's mode: length of the air that it carries to and fro [m]. */
double htz_radiation_plate_carried(const htz_modes* modes, size_t k);

/** The integrals over a plate, as if it were in a wall; at `b.omega` >= 0. @return HTZ_OK, HTZ_NO_MEMORY. */
htz_status htz_radiation_plate_in_wall(const htz_modes* modes, const htz_ear* ear, band b, weight* out);

/** The integrals, each into out[b.count]. @return HTZ_OK, HTZ_NO_MEMORY. */
htz_status htz_radiation_plate(const htz_modes* modes, const htz_ear* ear, band b, weight* out);
htz_status htz_radiation_skin(const htz_modes* modes, const htz_ear* ear, band b, weight* out);
htz_status htz_radiation_line(const htz_modes* modes, const htz_ear* ear, band b, weight* out);

#endif
