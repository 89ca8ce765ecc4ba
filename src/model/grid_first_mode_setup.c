/*
   The first mode of a string's or bar's grid that is not a rigid motion, by inverse iteration on its banded matrix.
   With supported ends the modes are sines and nothing needs to be iterated.
*/

#include "grid_private.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double pi = 3.14159265358979323846;

enum {
  BAND = 3,
  ROUNDS = 60
}; // the ratio of neighbouring eigenvalues, shifted, is below 0.7: 60 rounds leave 1e-9 of the others

typedef struct {
  size_t n; // intervals
  htz_grid_end ends[2];
  double pull, bend; // weights of the two quadratic forms
  double* band;      // [n + 1][BAND]: diagonal and two below, then its factors
  double* mass;      // [n + 1] of a point: 1, 1/2 at a free end, 0 at a support
  double *u, *w;     // [n + 1]
} matrix;

/** band += factor (row of up to three weights from point `at` on) (the same)^T. */
static void add_form(matrix* m, size_t at, size_t count, const double* row, double factor) {
  for (size_t i = 0; i < count; ++i) {
    for (size_t j = 0; j <= i; ++j) {
      m->band[(at + i) * BAND + (i - j)] += factor * row[i] * row[j];
    }
  }
}

static bool held(const matrix* m, size_t i) {
  return m->mass[i] == 0.0;
}

/** pull (slopes) + bend (curvatures) + shift (mass), points that are held cut off. */
static void fill(matrix* m, double shift) {
  static const double slope[2] = {-1.0, 1.0}, curve[3] = {1.0, -2.0, 1.0}, clamp[2] = {-2.0, 2.0}, far_clamp[2] = {2.0, -2.0};
  memset(m->band, 0, (m->n + 1) * BAND * sizeof *m->band);
  for (size_t i = 0; i < m->n; ++i) {
    add_form(m, i, 2, slope, m->pull);
  }
  for (size_t i = 0; i + 2 <= m->n; ++i) {
    add_form(m, i, 3, curve, m->bend);
  }
  if (m->ends[0] == HTZ_GRID_CLAMPED) {
    add_form(m, 0, 2, clamp, 0.5 * m->bend);
  }
  if (m->ends[1] == HTZ_GRID_CLAMPED) {
    add_form(m, m->n - 1, 2, far_clamp, 0.5 * m->bend);
  }
  for (size_t i = 0; i <= m->n; ++i) {
    m->band[i * BAND] += shift * m->mass[i];
    for (size_t below = 1; below < BAND; ++below) {
      if (i >= below && (held(m, i) || held(m, i - below))) {
        m->band[i * BAND + below] = 0.0;
      }
    }
    if (held(m, i)) {
      m->band[i * BAND] = 1.0;
    }
  }
}

/** L D L^T in place: band[i][1], band[i][2] become the factors of rows i - 1 and i - 2. */
static void factorise(matrix* m) {
  double* b = m->band;
  for (size_t i = 0; i <= m->n; ++i) {
    double* row = b + i * BAND;
    if (i >= 2) {
      const double two = row[2];
      const double one = row[1] - two * b[(i - 1) * BAND + 1];
      row[2] = two / b[(i - 2) * BAND];
      row[1] = one / b[(i - 1) * BAND];
      row[0] -= two * row[2] + one * row[1];
    } else if (i == 1) {
      const double one = row[1];
      row[1] = one / b[0];
      row[0] -= one * row[1];
    }
  }
}

static void solve(const matrix* m, double* x) {
  const double* b = m->band;
  const size_t n = m->n + 1;
  for (size_t i = 1; i < n; ++i) {
    x[i] -= b[i * BAND + 1] * x[i - 1] + (i >= 2 ? b[i * BAND + 2] * x[i - 2] : 0.0);
  }
  for (size_t i = 0; i < n; ++i) {
    x[i] /= b[i * BAND];
  }
  for (size_t i = n - 1; i-- > 0;) {
    x[i] -= b[(i + 1) * BAND + 1] * x[i + 1] + (i + 2 < n ? b[(i + 2) * BAND + 2] * x[i + 2] : 0.0);
  }
}

/** Take out of x what moves along the rigid motion centre-free `shape`(i) = (i - about) or 1. */
static void remove_motion(const matrix* m, double* x, bool turning, double about) {
  double share = 0.0, size = 0.0;
  for (size_t i = 0; i <= m->n; ++i) {
    const double shape = turning ? (double)i - about : 1.0;
    share += m->mass[i] * shape * x[i];
    size += m->mass[i] * shape * shape;
  }
  for (size_t i = 0; i <= m->n; ++i) {
    const double shape = turning ? (double)i - about : 1.0;
    x[i] -= held(m, i) ? 0.0 : share / size * shape;
  }
}

/** Motions without energy: a body free at both ends moves, and without tension turns; one that is free at one end may turn about a support. */
static void remove_rigid(const matrix* m, double* x) {
  const bool free_first = m->ends[0] == HTZ_GRID_FREE, free_last = m->ends[1] == HTZ_GRID_FREE;
  if (free_first && free_last) {
    remove_motion(m, x, false, 0.0);
    if (m->pull == 0.0) {
      remove_motion(m, x, true, 0.5 * (double)m->n);
    }
  } else if (m->pull == 0.0 && free_last && m->ends[0] == HTZ_GRID_SUPPORTED) {
    remove_motion(m, x, true, 0.0);
  } else if (m->pull == 0.0 && free_first && m->ends[1] == HTZ_GRID_SUPPORTED) {
    remove_motion(m, x, true, (double)m->n);
  }
}

/** Quotients of u over its mass: slopes, curvatures. */
static void quotients(const matrix* m, const double* u, double out[2]) {
  double slopes = 0.0, curves = 0.0, mass = 0.0;
  for (size_t i = 0; i < m->n; ++i) {
    slopes += (u[i + 1] - u[i]) * (u[i + 1] - u[i]);
  }
  for (size_t i = 1; i < m->n; ++i) {
    const double bent = u[i + 1] - 2.0 * u[i] + u[i - 1];
    curves += bent * bent;
  }
  curves += m->ends[0] == HTZ_GRID_CLAMPED ? 2.0 * u[1] * u[1] : 0.0;
  curves += m->ends[1] == HTZ_GRID_CLAMPED ? 2.0 * u[m->n - 1] * u[m->n - 1] : 0.0;
  for (size_t i = 0; i <= m->n; ++i) {
    mass += m->mass[i] * u[i] * u[i];
  }
  out[0] = slopes / mass;
  out[1] = curves / mass;
}

/** One round: u <- (K + shift M)^-1 M u, without rigid motions, of length 1. */
static void iterate(matrix* m) {
  double most = 0.0;
  for (size_t i = 0; i <= m->n; ++i) {
    m->w[i] = m->mass[i] * m->u[i];
  }
  solve(m, m->w);
  remove_rigid(m, m->w);
  for (size_t i = 0; i <= m->n; ++i) {
    most = fabs(m->w[i]) > most ? fabs(m->w[i]) : most;
  }
  for (size_t i = 0; i <= m->n; ++i) {
    m->u[i] = m->w[i] / most;
  }
}

static void search(matrix* m, double mode[2]) {
  for (size_t i = 0; i <= m->n; ++i) {
    const double x = (double)i / (double)m->n;
    m->mass[i] = 1.0;
    m->u[i] = 1.0 + x * x * x + sin(2.0 * x); // no symmetry, so that it has a share of every mode
  }
  for (int end = 0; end < 2; ++end) {
    m->mass[end ? m->n : 0] = m->ends[end] == HTZ_GRID_FREE ? 0.5 : 0.0;
    m->u[end ? m->n : 0] *= m->ends[end] == HTZ_GRID_FREE ? 1.0 : 0.0;
  }
  const double wave = pi / (double)m->n;
  fill(m, 0.1 * wave * wave * (m->pull + m->bend * wave * wave)); // well below the first mode, above rounding
  factorise(m);
  remove_rigid(m, m->u);
  const double settled = 1e-13; // relative change of the eigenvalue, whose error is the square of the shape's
  double last = 0.0;
  for (int i = 0; i < ROUNDS; ++i) {
    iterate(m);
    quotients(m, m->u, mode);
    const double value = m->pull * mode[0] + m->bend * mode[1];
    if (fabs(value - last) <= settled * value) {
      break;
    }
    last = value;
  }
}

htz_status htz_grid_string_first_mode(size_t n, double spacing, const htz_grid_end ends[2], double tension, double stiffness,
                                      double mode[2]) {
  const double h2 = spacing * spacing;
  if (ends[0] == HTZ_GRID_SUPPORTED && ends[1] == HTZ_GRID_SUPPORTED) {
    const double slope = 2.0 * sin(0.5 * pi / (double)n);
    mode[0] = slope * slope / h2;
    mode[1] = mode[0] * mode[0];
    return HTZ_OK;
  }
  enum { ROWS = BAND + 3 };
  double* memory = calloc((n + 1) * ROWS, sizeof *memory);
  if (!memory) {
    return HTZ_NO_MEMORY;
  }
  double* vectors = memory + (n + 1) * BAND;
  matrix m = {n, {ends[0], ends[1]}, tension * h2, stiffness, memory, vectors, vectors + (n + 1), vectors + 2 * (n + 1)};
  search(&m, mode);
  free(memory);
  mode[0] /= h2;
  mode[1] /= h2 * h2;
  return HTZ_OK;
}
