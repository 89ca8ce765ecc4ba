#include "radiation_private.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/*
   The integral over a plate is a sum of e^{-i omega (R - R0)/c}: of angular frequency its band is limited by how much nearer and farther than
   its middle a point of the plate can be, d. It is made at knots `step` apart, step d/c = 0.8, and interpolated between the eight nearest:
   the error of e^{i omega d/c} is 0.8^8 (1 3 5 7)^2/(2^8 8!), or 2e-4, and less for all that is nearer. Below nought it is the conjugate.
*/

enum { TAPS = 8, HALF = TAPS / 2 };

static const double turn = 0.8;

typedef struct {
  size_t n, knots; // modes; frequencies 0, step, ..
  double step;     // [rad/s]
  weight* at;      // [knots][n]
} table;

/** The most by which a point of the plate is nearer to the ear, or farther from it, than the middle [m]. */
static double way(const htz_modes* modes, const htz_ear* ear) {
  const double x = fabs(ear->x) + 0.5 * modes->radiator.length, y = fabs(ear->y) + 0.5 * modes->radiator.width;
  const double middle = HTZ_AIR_SPEED * htz_ear_delay(ear);
  return fmax(sqrt(x * x + y * y + ear->z * ear->z) - middle, middle - htz_ear_distance(modes, ear));
}

static htz_status tabulate(const htz_modes* modes, const htz_ear* ear, double top, table* out) {
  out->n = modes->n;
  out->step = turn * HTZ_AIR_SPEED / way(modes, ear);
  out->knots = (size_t)(top / out->step) + 1 + HALF;
  out->at = calloc(out->knots * out->n, sizeof *out->at);
  htz_status st = out->at ? HTZ_OK : HTZ_NO_MEMORY;
  for (size_t i = 0; i < out->knots && !st; ++i) {
    st = htz_radiation_plate_in_wall(modes, ear, (band){0, out->n, (double)i * out->step}, out->at + i * out->n);
  }
  return st;
}

/** Lagrange's weights of the knots at whole numbers -HALF + 1 .. HALF, at `x`, 0..1. */
static void taps(double x, double* out) {
  for (int i = 0; i < TAPS; ++i) {
    out[i] = 1.0;
    for (int j = 0; j < TAPS; ++j) {
      out[i] *= i == j ? 1.0 : (x - (double)(j - HALF + 1)) / (double)(i - j);
    }
  }
}

static void look_up(const table* t, double omega, weight* out) {
  double share[TAPS];
  const double x = omega / t->step;
  const long first = (long)x - HALF + 1;
  taps(x - floor(x), share);
  memset(out, 0, t->n * sizeof *out);
  for (long i = 0; i < TAPS; ++i) {
    const long knot = first + i;
    const weight* row = t->at + (size_t)labs(knot) * t->n;
    const double re = share[i], im = knot < 0 ? -share[i] : share[i];
    for (size_t k = 0; k < t->n; ++k) {
      out[k].re += re * row[k].re;
      out[k].im += im * row[k].im;
    }
  }
}

static htz_status each(const htz_modes* modes, const htz_ear* ear, size_t count, const double* omega, double* re, double* im) {
  htz_status st = HTZ_OK;
  for (size_t i = 0; i < count && !st; ++i) {
    st = htz_radiation_at(modes, ear, omega[i], re + i * modes->n, im + i * modes->n);
  }
  return st;
}

bool htz_radiation_interpolates(const htz_modes* modes, const htz_ear* ear, size_t count, double top) {
  return modes->radiator.as == HTZ_RADIATES_PLATE && top * way(modes, ear) < turn * HTZ_AIR_SPEED * (double)count;
}

htz_status htz_radiation_sweep(const htz_modes* modes, const htz_ear* ear, size_t count, const double* omega, double* re,
                               double* im) {
  double top = 0.0;
  for (size_t i = 0; i < count; ++i) {
    top = fmax(top, omega[i]);
  }
  if (!htz_radiation_interpolates(modes, ear, count, top)) {
    return each(modes, ear, count, omega, re, im);
  }
  table t = {0};
  htz_status st = tabulate(modes, ear, top, &t);
  weight* row = calloc(modes->n, sizeof *row);
  double* length = calloc(modes->n, sizeof *length);
  st = row && length ? st : HTZ_NO_MEMORY;
  for (size_t k = 0; k < modes->n && !st; ++k) {
    length[k] = htz_radiation_plate_carried(modes, k);
  }
  for (size_t i = 0; i < count && !st; ++i) {
    look_up(&t, omega[i], row);
    for (size_t k = 0; k < modes->n; ++k) {
      const double heard = modes->audible[k] ? HTZ_AIR_DENSITY : 0.0;
      const weight edge = htz_radiation_unbaffled(&modes->radiator, ear, omega[i] / HTZ_AIR_SPEED, length[k]);
      const weight w = weight_times(row[k], edge);
      re[i * modes->n + k] = heard * w.re;
      im[i * modes->n + k] = heard * w.im;
    }
  }
  free(length);
  free(row);
  free(t.at);
  return st;
}
