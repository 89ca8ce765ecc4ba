#include "hertzian/instrument/spec_barrier.h"

#include <math.h>

static const double frets_per_octave = 12.0;

static double profile_at(const htz_spec_barrier* b, double x) {
  size_t i = 0;
  while (i + 2 < b->n_points && x > b->point[i + 1][0]) {
    ++i;
  }
  const double share = (x - b->point[i][0]) / (b->point[i + 1][0] - b->point[i][0]);
  const double within = share < 0.0 ? 0.0 : share > 1.0 ? 1.0 : share;
  return b->point[i][1] + within * (b->point[i + 1][1] - b->point[i][1]);
}

double htz_spec_barrier_gap(const htz_spec_barrier* b, double key, double length, double x) {
  if (b->profile == HTZ_PROFILE_PARABOLA) {
    const double way = (x - htz_table_at(&b->apex, key)) * length;
    return htz_table_at(&b->curvature, key) * way * way;
  }
  return b->profile == HTZ_PROFILE_POINTS ? profile_at(b, x) : 0.0;
}

size_t htz_spec_barrier_frets(const htz_spec_barrier* b, double key) {
  return b->frets.n ? (size_t)floor(htz_table_at(&b->frets, key) + 0.5) : 0;
}

double htz_spec_fret(size_t number) {
  return 1.0 - exp2(-(double)number / frets_per_octave);
}
