#include "hertzian/contact/piecewise.h"

#include <math.h>
#include <string.h>

static double dot(size_t n, const double* a, const double* b) {
  double sum = 0.0;
  for (size_t i = 0; i < n; ++i) {
    sum += a[i] * b[i];
  }
  return sum;
}

/** out = matrix z, [rows][n] row-major. Four rows at a time, so that their sums do not wait for each other. */
static void times(size_t rows, size_t n, const double* restrict matrix, const double* restrict z, double* restrict out) {
  enum { AT_ONCE = 4 };
  size_t i = 0;
  for (; i + AT_ONCE <= rows; i += AT_ONCE) {
    const double* a = matrix + i * n;
    double s0 = 0.0, s1 = 0.0, s2 = 0.0, s3 = 0.0;
    for (size_t j = 0; j < n; ++j) {
      s0 += a[j] * z[j];
      s1 += a[n + j] * z[j];
      s2 += a[2 * n + j] * z[j];
      s3 += a[3 * n + j] * z[j];
    }
    out[i] = s0;
    out[i + 1] = s1;
    out[i + 2] = s2;
    out[i + 3] = s3;
  }
  for (; i < rows; ++i) {
    out[i] = dot(n, matrix + i * n, z);
  }
}

double htz_piecewise_surface(const htz_piecewise* s) {
  return dot(s->system.n, s->system.weight, s->q);
}

double htz_piecewise_surface_speed(const htz_piecewise* s) {
  return dot(s->system.n, s->system.weight, s->p);
}

/** Body and hammer by themselves. */
static void step_free(htz_piecewise* s, double acceleration) {
  const size_t n = s->system.n;
  const double t = s->period;
  if (s->diagonal) {
    for (size_t i = 0; i < n; ++i) {
      const double* a = s->alone + 4 * i;
      const double q = s->q[i];
      s->q[i] = a[0] * q + a[1] * s->p[i];
      s->p[i] = a[2] * q + a[3] * s->p[i];
    }
  } else {
    double* z = s->scratch;
    memcpy(z, s->q, n * sizeof(double));
    memcpy(z + n, s->p, n * sizeof(double));
    times(n, 2 * n, s->alone, z, s->q);
    times(n, 2 * n, s->alone + 2 * n * n, z, s->p);
  }
  s->x += t * (s->v + 0.5 * t * acceleration);
  s->v += t * acceleration;
}

/** One step in contact; the hammer's place is that of the rod's tip. */
static void step_joined(htz_piecewise* s, double acceleration) {
  const size_t n = s->system.n;
  const size_t rows = 2 * n + 2;
  double* z = s->scratch;
  double* next = s->scratch + rows;
  memcpy(z, s->q, n * sizeof(double));
  z[n] = s->tip;
  memcpy(z + n + 1, s->p, n * sizeof(double));
  z[2 * n + 1] = s->v;
  times(rows, rows, s->joined, z, next);
  for (size_t i = 0; i < rows; ++i) {
    next[i] += s->push[i] * acceleration;
  }
  memcpy(s->q, next, n * sizeof(double));
  s->tip = next[n];
  memcpy(s->p, next + n + 1, n * sizeof(double));
  s->v = next[2 * n + 1];
  s->x = s->tip - s->rod;
}

/** What a step changes before it is known whether the hammer touches, but the body's state. */
typedef struct {
  double x, v, surface;
} moment;

static moment now(const htz_piecewise* s) {
  return (moment){s->x, s->v, htz_piecewise_surface(s)};
}

/** A rod that makes distance zero fall on `start`, to where the body's state has been put back; `end` is where it would have come to. */
static void begin(htz_piecewise* s, const moment* start, const moment* end) {
  s->x = start->x;
  s->v = start->v;
  s->rod = start->surface - start->x;
  s->tip = start->surface;
  s->touching = true;
  const double rod = fabs(s->rod);
  if (rod > 0.0) {
    const double share = rod / fabs(end->x - end->surface + s->rod);
    ++s->rods.count;
    s->rods.most = rod > s->rods.most ? rod : s->rods.most;
    s->rods.most_share = share > s->rods.most_share ? share : s->rods.most_share;
  }
}

/** One step without contact. @return false when it would end in penetration: it is then taken back, and contact begins. */
static bool step_apart(htz_piecewise* s, double acceleration) {
  const size_t n = s->system.n;
  double* kept = s->scratch + 2 * (2 * n + 2);
  const moment start = now(s);
  memcpy(kept, s->q, n * sizeof(double));
  memcpy(kept + n, s->p, n * sizeof(double));
  step_free(s, acceleration);
  const moment end = now(s);
  if (!(end.x > end.surface)) {
    return true;
  }
  memcpy(s->q, kept, n * sizeof(double));
  memcpy(s->p, kept + n, n * sizeof(double));
  begin(s, &start, &end);
  return false;
}

void htz_piecewise_place(htz_piecewise* s, double x, double v) {
  s->x = x;
  s->v = v;
  s->tip = x;
  s->rod = 0.0;
  s->force = 0.0;
  s->touching = false;
}

void htz_piecewise_step(htz_piecewise* s, double f_ext) {
  const double acceleration = s->system.gravity + f_ext / s->system.mass;
  s->force = 0.0;
  if (!s->touching && step_apart(s, acceleration)) {
    return;
  }
  const double before = s->v;
  step_joined(s, acceleration);
  s->force = s->system.mass * (acceleration - (s->v - before) / s->period);
  if (!(s->tip > htz_piecewise_surface(s))) {
    s->touching = false;
    s->rod = 0.0;
  }
}

double htz_piecewise_stored(const htz_piecewise* s) {
  const double eta = s->tip - htz_piecewise_surface(s);
  return s->touching ? 0.5 * s->system.stiffness * eta * eta : 0.0;
}

/** 1/2 x.A x */
static double form(const htz_piecewise* s, const double* a, const double* x) {
  const size_t n = s->system.n;
  double sum = 0.0;
  for (size_t i = 0; i < n; ++i) {
    sum += x[i] * (s->diagonal ? a[i * n + i] * x[i] : dot(n, a + i * n, x));
  }
  return 0.5 * sum;
}

double htz_piecewise_energy(const htz_piecewise* s) {
  const double hammer = s->system.mass * (0.5 * s->v * s->v - s->system.gravity * s->x);
  return form(s, s->system.m, s->p) + form(s, s->system.k, s->q) + hammer + htz_piecewise_stored(s);
}
