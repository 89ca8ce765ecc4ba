#ifndef HTZ_TEST_GRID_RIG_H
#define HTZ_TEST_GRID_RIG_H

#include "check.h"

#include "hertzian/model/grid.h"

#include <math.h>

// What the tests of grid bodies share.

static const double pi = 3.14159265358979323846;

static inline void step(htz_grid* g) {
  g->cls->foresee(g);
  htz_grid_shift(g);
}

/** Greatest relative change of the energy over `steps` steps. */
static inline double drift(htz_grid* g, size_t steps) {
  const double start = g->cls->energy(g);
  double worst = 0.0;
  for (size_t i = 0; i < steps; ++i) {
    step(g);
    const double change = fabs(g->cls->energy(g) / start - 1.0);
    worst = !(change <= worst) ? change : worst; // NaN stays
  }
  return worst;
}

/**
   Frequency of the partial near `guess` at point 0 [Hz]: how far its phase against `guess` turns between two windows of `seconds`
   that begin half of that apart. Windows sin^4: a partial ten cycles of the window away is 1e-6 of itself, and half of the error is
   divided by 2 pi of the time between: below 1e-6 of 100 Hz for half a second.
*/
static inline double measure_hz(htz_grid* g, double guess, double seconds) {
  const size_t n = (size_t)(seconds / g->period), gap = n / 2;
  double sum[2][2] = {{0.0}};
  for (size_t i = 0; i < n + gap; ++i) {
    step(g);
    const double angle = 2.0 * pi * guess * (double)i * g->period;
    const double u = htz_grid_now(g, 0);
    for (size_t w = 0; w < 2; ++w) {
      const size_t from = w * gap;
      if (i >= from && i < from + n) {
        const double s = sin(pi * ((double)(i - from) + 0.5) / (double)n);
        sum[w][0] += s * s * s * s * u * cos(angle);
        sum[w][1] -= s * s * s * s * u * sin(angle);
      }
    }
  }
  const double re = sum[1][0] * sum[0][0] + sum[1][1] * sum[0][1];
  const double im = sum[1][1] * sum[0][0] - sum[1][0] * sum[0][1];
  return guess + atan2(im, re) / (2.0 * pi * (double)gap * g->period);
}

/** Work of `steps` random forces at two points of a lossless body less what its energy grows by, over its greatest energy. */
static inline double ledger(htz_grid* g, size_t steps) {
  uint64_t seed = 7;
  double work = 0.0, most = 0.0;
  const double start = g->cls->energy(g);
  for (size_t i = 0; i < steps; ++i) {
    double force[2], from[2];
    g->cls->foresee(g);
    for (size_t p = 0; p < 2; ++p) {
      seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
      force[p] = (double)(seed >> 11) * 0x1p-52 - 1.0;
      from[p] = htz_grid_before(g, p);
      htz_grid_push(g, p, force[p]);
    }
    for (size_t p = 0; p < 2; ++p) {
      work += force[p] * 0.5 * (htz_grid_next(g, p) - from[p]);
    }
    htz_grid_shift(g);
    most = g->cls->energy(g) > most ? g->cls->energy(g) : most;
  }
  return fabs(g->cls->energy(g) - start - work) / most;
}

/** A push at r moves p by give(p, r), and the other way round. */
static inline void check_transposes(htz_grid* g) {
  for (size_t p = 0; p < 2; ++p) {
    for (size_t q = 0; q < 2; ++q) {
      g->cls->foresee(g);
      const double before = htz_grid_next(g, p);
      htz_grid_push(g, q, 1.0);
      const double moved = htz_grid_next(g, p) - before;
      check_near(moved, htz_grid_compliance(g, p, q), 1e-14 * (g->compliance + fabs(before))); // rounding
      assert_true(htz_grid_compliance(g, p, q) == htz_grid_compliance(g, q, p));
    }
  }
}

#endif
