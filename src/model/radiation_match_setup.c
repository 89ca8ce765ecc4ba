#include "radiation_private.h"

#include "hertzian/dsp/kernels.h"
#include "hertzian/dsp/linalg.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double pi = 3.14159265358979323846;

/*
   A force f at a point makes the pressure Y = sum_n phi/m (A_n F_n + B_n G_n) f, F = -(w_n^2 + 2 i sigma w)/D + L, G = -i w w_n/D,
   D = w_n^2 - w^2 + 2 i sigma w, L the low-pass of what is added at once. The level of a band is 10 lg sum |Y|^2, and changes by
   8.686 Re sum conj(Y) dY / sum |Y|^2.
*/

enum {
  BANDS_MAX = 23,  // third octaves from 62.5 Hz to 10 kHz
  PER_BAND = 18,   // frequencies in each, 1.3 % apart
  STEPS = 12,      // by then all bands of a piano's board are within 0.5 dB
  HALVINGS = 6,    // of a step that overshoots
  NEIGHBOURS = 10, // on either side, over which the size of a mode's weight is averaged
  ROWS_MAX = HTZ_RADIATION_POINTS_MAX * BANDS_MAX
};

static const double first_band_hz = 62.5;
static const double near_enough = 1.0; // [dB] bands that are all so near, and hardly get nearer, are left as they are
static const double hardly = 0.8;      // of what they missed is left after a step
static const double stiffness = 0.03;  // of the least-norm step: keeps bands that hardly depend on any weight from running away
static const double decibels = 8.6858896; // 20/ln 10

typedef struct {
  const htz_modes* modes;
  const htz_kernels* k;
  size_t n, points, bands, lines; // lines: frequencies
  size_t wide, twice;             // n, and 2 n, to a multiple of HTZ_LANES: places in a row of which sums are taken
  double* shape;                  // phi/m, [points][wide]
  double* size;                   // that a weight is changed in, [n]
  weight *f, *g;                  // F, G, [lines][n]
  double* wanted;                 // level of every point's bands [dB], [points][bands]
  weight* y;                      // Y, [points][lines]
  double* level;                  // [points][bands]
  double* j;                      // change of levels per change of weights, [points * bands][twice]
  double *square, *x;             // J J', and the solution, [rows][rows], [rows]
  double* change;                 // [2 n]
  double* trial;                  // weights to try, [2 n]
  double* raw;                    // weights at a frequency, real parts and imaginary ones, [2][wide]
} match;

static double line_hz(size_t line) {
  const double thirds = ((double)line + 0.5) / PER_BAND - 0.5;
  return first_band_hz * exp2(thirds / 3.0);
}

static double norm(weight a) {
  return a.re * a.re + a.im * a.im;
}

static weight over(weight a, weight b) {
  const double size = norm(b);
  return (weight){(a.re * b.re + a.im * b.im) / size, (a.im * b.re - a.re * b.im) / size};
}

static void free_match(match* m) {
  free(m->shape);
  free(m->size);
  free(m->f);
  free(m->wanted);
  free(m->y);
  free(m->j);
  free(m->square);
  free(m->change);
  free(m->raw);
}

static size_t padded(size_t n) {
  return (n + HTZ_LANES - 1) / HTZ_LANES * HTZ_LANES;
}

/** Zeroed rows, each as the kernels want it. */
static double* rows_of(size_t rows, size_t wide) {
  enum { ALIGNED = 64 };
  double* at = aligned_alloc(ALIGNED, (rows * wide + HTZ_LANES) * sizeof *at);
  if (at) {
    memset(at, 0, rows * wide * sizeof *at);
  }
  return at;
}

static bool lay(match* m) {
  const size_t rows = m->points * m->bands;
  m->shape = rows_of(m->points, m->wide);
  m->size = calloc(m->n, sizeof *m->size);
  m->f = calloc(2 * m->lines * m->n, sizeof *m->f);
  m->wanted = calloc(2 * rows, sizeof *m->wanted);
  m->y = calloc(m->points * m->lines, sizeof *m->y);
  m->j = rows_of(rows, m->twice);
  m->square = calloc(rows * rows + rows, sizeof *m->square);
  m->change = calloc(4 * m->n, sizeof *m->change);
  m->raw = rows_of(2, m->wide);
  if (!m->shape || !m->size || !m->f || !m->wanted || !m->y || !m->j || !m->square || !m->change || !m->raw) {
    return false;
  }
  m->g = m->f + m->lines * m->n;
  m->level = m->wanted + rows;
  m->x = m->square + rows * rows;
  m->trial = m->change + 2 * m->n;
  return true;
}

/** Levels of Y. */
static void levels(const match* m, double* out) {
  for (size_t p = 0; p < m->points; ++p) {
    for (size_t b = 0; b < m->bands; ++b) {
      double sum = 0.0;
      for (size_t i = b * PER_BAND; i < (b + 1) * PER_BAND; ++i) {
        sum += norm(m->y[p * m->lines + i]);
      }
      out[p * m->bands + b] = 0.5 * decibels * log(sum + 1e-300);
    }
  }
}

/** Y of line `i` is the sum over modes of shape, weight and response. */
static void hear(match* m, size_t i, const double* re, const double* im, const weight* f, const weight* g) {
  for (size_t k = 0; k < m->n; ++k) {
    m->raw[k] = re[k] * f[k].re + im[k] * g[k].re;
    m->raw[m->wide + k] = re[k] * f[k].im + im[k] * g[k].im;
  }
  for (size_t p = 0; p < m->points; ++p) {
    const double* shape = m->shape + p * m->wide;
    m->y[p * m->lines + i] = (weight){m->k->dot(m->wide, shape, m->raw), m->k->dot(m->wide, shape, m->raw + m->wide)};
  }
}

static void hear_all(match* m, const double* weights, double* out) {
  for (size_t i = 0; i < m->lines; ++i) {
    hear(m, i, weights, weights + m->n, m->f + i * m->n, m->g + i * m->n);
  }
  levels(m, out);
}

/** F and G of all modes at line `i`. */
static void respond(const match* m, size_t i, double corner_hz, weight* f, weight* g) {
  const double w = 2.0 * pi * line_hz(i);
  const weight pass = over((weight){1.0, 0.0}, (weight){1.0, line_hz(i) / corner_hz});
  for (size_t k = 0; k < m->n; ++k) {
    const double own = m->modes->omega[k], loss = 2.0 * m->modes->sigma[k] * w;
    const weight d = {own * own - w * w, loss};
    const weight free_part = over((weight){-own * own, -loss}, d);
    f[k] = (weight){free_part.re + pass.re, free_part.im + pass.im};
    g[k] = over((weight){0.0, -w * own}, d);
  }
}

/** What is wanted: the acceleration of every mode, times its weight at the driving frequency, [lines][n]. */
static void want(match* m, const double* re, const double* im) {
  for (size_t i = 0; i < m->lines; ++i) {
    const double w = 2.0 * pi * line_hz(i);
    weight *f = m->f, *g = m->g; // filled in later
    for (size_t k = 0; k < m->n; ++k) {
      const double own = m->modes->omega[k];
      f[k] = over((weight){-w * w, 0.0}, (weight){own * own - w * w, 2.0 * m->modes->sigma[k] * w});
      g[k] = (weight){-f[k].im, f[k].re};
    }
    hear(m, i, re + i * m->n, im + i * m->n, f, g);
  }
  levels(m, m->wanted);
}

static void measure_sizes(match* m, const double* re, const double* im) {
  for (size_t k = 0; k < m->n; ++k) {
    const size_t from = k > NEIGHBOURS ? k - NEIGHBOURS : 0;
    const size_t to = k + NEIGHBOURS < m->n ? k + NEIGHBOURS : m->n - 1;
    double sum = 0.0;
    for (size_t i = from; i <= to; ++i) {
      sum += re[i] * re[i] + im[i] * im[i];
    }
    m->size[k] = m->modes->audible[k] ? sqrt(sum / (double)(to - from + 1)) : 0.0;
  }
}

/** Change of the level of band `b` of point `p` per change of each weight, Y being what it is. */
static void slope(match* m, size_t p, size_t b) {
  double* row = m->j + (p * m->bands + b) * m->twice;
  double sum = 1e-300;
  memset(row, 0, 2 * m->n * sizeof *row);
  for (size_t i = b * PER_BAND; i < (b + 1) * PER_BAND; ++i) {
    const weight y = m->y[p * m->lines + i];
    const weight *f = m->f + i * m->n, *g = m->g + i * m->n;
    sum += norm(y);
    for (size_t k = 0; k < m->n; ++k) {
      row[k] += y.re * f[k].re + y.im * f[k].im;
      row[m->n + k] += y.re * g[k].re + y.im * g[k].im;
    }
  }
  for (size_t k = 0; k < m->n; ++k) {
    const double scale = decibels / sum * m->shape[p * m->wide + k] * m->size[k];
    row[k] *= scale;
    row[m->n + k] *= scale;
  }
}

static double farthest(const match* m) {
  double most = 0.0;
  for (size_t r = 0; r < m->points * m->bands; ++r) {
    most = fmax(most, fabs(m->wanted[r] - m->level[r]));
  }
  return most;
}

static double miss(const match* m, const double* level) {
  double sum = 0.0;
  for (size_t r = 0; r < m->points * m->bands; ++r) {
    sum += (m->wanted[r] - level[r]) * (m->wanted[r] - level[r]);
  }
  return sum;
}

/** The least change of weights that brings the levels, to first order, to those wanted. @return false when there is none */
static bool find_change(match* m) {
  const size_t rows = m->points * m->bands, n = 2 * m->n;
  double trace = 0.0;
  for (size_t r = 0; r < rows; ++r) {
    for (size_t c = 0; c <= r; ++c) {
      m->square[r * rows + c] = m->square[c * rows + r] = m->k->dot(m->twice, m->j + r * m->twice, m->j + c * m->twice);
    }
    trace += m->square[r * rows + r];
    m->x[r] = m->wanted[r] - m->level[r];
  }
  for (size_t r = 0; r < rows; ++r) {
    m->square[r * rows + r] += stiffness * trace / (double)rows;
  }
  if (!htz_solve_dense(rows, rows, m->square, m->x)) {
    return false;
  }
  memset(m->change, 0, n * sizeof *m->change);
  for (size_t r = 0; r < rows; ++r) {
    for (size_t k = 0; k < n; ++k) {
      m->change[k] += m->x[r] * m->j[r * m->twice + k];
    }
  }
  return true;
}

/** One step, shortened until it helps. @return false when there is no more to be had */
static bool step(match* m, double* weights) {
  for (size_t p = 0; p < m->points; ++p) {
    for (size_t b = 0; b < m->bands; ++b) {
      slope(m, p, b);
    }
  }
  const double before = miss(m, m->level);
  if (!find_change(m)) {
    return false;
  }
  double share = 1.0;
  for (unsigned i = 0; i < HALVINGS; ++i, share *= 0.5) {
    for (size_t k = 0; k < 2 * m->n; ++k) {
      m->trial[k] = weights[k] + share * m->change[k] * m->size[k % m->n];
    }
    hear_all(m, m->trial, m->level);
    const double now = miss(m, m->level);
    if (now < before) {
      memcpy(weights, m->trial, 2 * m->n * sizeof *weights);
      return now < hardly * before || farthest(m) > near_enough;
    }
  }
  return false;
}

/** Whole bands below the highest mode. */
static size_t bands_of(const htz_modes* modes) {
  double top_hz = 0.0; // pairs that are tuned apart need not ascend
  size_t bands = 0;
  for (size_t k = 0; k < modes->n; ++k) {
    top_hz = fmax(top_hz, modes->omega[k] / (2.0 * pi));
  }
  while (bands < BANDS_MAX && line_hz((bands + 1) * PER_BAND) < top_hz) {
    ++bands;
  }
  return bands;
}

/**
   Weights at the lines' frequencies to meet, [lines][n], and each mode's at its own: from a sweep over these, too, [n][n], where that is
   interpolated, else mode by mode.
*/
static htz_status sweep(match* m, const htz_ear* ear, double* re, double* im) {
  const bool together = htz_radiation_interpolates(m->modes, ear, m->lines + m->n, m->modes->omega[m->n - 1]);
  const size_t count = m->lines + (together ? m->n : 0);
  double* memory = malloc(count * (2 * m->n + 1) * sizeof *memory);
  if (!memory) {
    return HTZ_NO_MEMORY;
  }
  double *omega = memory, *real = omega + count, *imaginary = real + count * m->n;
  for (size_t i = 0; i < m->lines; ++i) {
    omega[i] = 2.0 * pi * line_hz(i);
  }
  memcpy(omega + m->lines, m->modes->omega, (count - m->lines) * sizeof *omega);
  htz_status st = htz_radiation_sweep(m->modes, ear, count, omega, real, imaginary);
  st = st || together ? st : htz_radiation_own(m->modes, ear, re, im);
  for (size_t k = 0; k < m->n && !st && together; ++k) {
    re[k] = real[(m->lines + k) * m->n + k];
    im[k] = imaginary[(m->lines + k) * m->n + k];
  }
  if (!st) {
    want(m, real, imaginary);
  }
  free(memory);
  return st;
}

static htz_status fit(match* m, const htz_ear* ear, double corner_hz, double* re, double* im) {
  double* weights = calloc(2 * m->n, sizeof *weights);
  const htz_status st = weights ? sweep(m, ear, re, im) : HTZ_NO_MEMORY;
  if (!st) {
    memcpy(weights, re, m->n * sizeof *re);
    memcpy(weights + m->n, im, m->n * sizeof *im);
    measure_sizes(m, re, im);
    for (size_t i = 0; i < m->lines; ++i) {
      respond(m, i, corner_hz, m->f + i * m->n, m->g + i * m->n);
    }
    hear_all(m, weights, m->level);
    for (unsigned i = 0; i < STEPS && step(m, weights); ++i) {
    }
    memcpy(re, weights, m->n * sizeof *re);
    memcpy(im, weights + m->n, m->n * sizeof *im);
  }
  free(weights);
  return st;
}

htz_status htz_radiation_match(const htz_modes* modes, const htz_ear* ear, size_t n_points, const double* at, double corner_hz,
                               double* re, double* im) {
  match m = {.modes = modes,
             .k = htz_kernels_select(),
             .n = modes->n,
             .points = n_points,
             .bands = bands_of(modes),
             .wide = padded(modes->n),
             .twice = padded(2 * modes->n)};
  if (n_points == 0 || n_points > HTZ_RADIATION_POINTS_MAX || !(corner_hz > 0.0)) {
    return HTZ_BAD_VALUE;
  }
  if (modes->radiator.as == HTZ_RADIATES_NOTHING) {
    return HTZ_UNSUPPORTED;
  }
  m.lines = m.bands * PER_BAND;
  if (m.bands == 0) {
    return htz_radiation_own(modes, ear, re, im);
  }
  htz_status st = lay(&m) ? HTZ_OK : HTZ_NO_MEMORY;
  if (!st) {
    for (size_t p = 0; p < n_points; ++p) {
      modes->shape(modes, at[p], m.shape + p * m.wide);
      for (size_t k = 0; k < m.n; ++k) {
        m.shape[p * m.wide + k] /= modes->mass[k];
      }
    }
    st = fit(&m, ear, corner_hz, re, im);
  }
  free_match(&m);
  return st;
}
