#ifndef HERTZIAN_INSTRUMENT_SPEC_BARRIER_H
#define HERTZIAN_INSTRUMENT_SPEC_BARRIER_H

#include "hertzian/instrument/spec.h"

/** How what lies along a string falls away from it: of a stretch of a grid, or of a link. */
typedef enum { HTZ_PROFILE_FLAT = 0, HTZ_PROFILE_PARABOLA, HTZ_PROFILE_POINTS } htz_spec_profile;

enum { HTZ_SPEC_PROFILE_MAX = 32 };

typedef struct htz_spec_barrier {
  htz_spec_profile profile;
  htz_table apex;      ///< of the parabola, fraction of the length
  htz_table curvature; ///< gap = curvature (distance from the apex)^2 [1/m]
  htz_table frets;     ///< how many, in equal temperament from x = 0: there alone it is met; not given: all along
  size_t n_points;
  double point[HTZ_SPEC_PROFILE_MAX][2]; ///< fraction of the length, gap [m]
} htz_spec_barrier;

/** How far from the string at rest it is at fraction x of a string of `length` [m]; of frets: their crowns. */
double htz_spec_barrier_gap(const htz_spec_barrier* barrier, double key, double length, double x);

/** How many frets it has at `key`; 0: it is no fretted neck. */
size_t htz_spec_barrier_frets(const htz_spec_barrier* barrier, double key);

/** Where fret `number` = 1, 2, ... is, fraction of the length from x = 0. */
double htz_spec_fret(size_t number);

#endif
