#include "hertzian/dsp/expm.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

typedef long double real; // what the digits of the result are kept in until its end

// Pade [13/13] is off by (13!)^2/(26! 27!) x^26 at norm x, 4e-28 at 2: far under the rounding of any long double but the widest.
static const real pade_norm = 2.0L;

// Coefficients of the numerator, lowest power first; the denominator has those of odd powers negative.
enum { PADE_TERMS = 14 };
static const real pade[PADE_TERMS] = {64764752532480000.0L,
                                      32382376266240000.0L,
                                      7771770303897600.0L,
                                      1187353796428800.0L,
                                      129060195264000.0L,
                                      10559470521600.0L,
                                      670442572800.0L,
                                      33522128640.0L,
                                      1323241920.0L,
                                      40840800.0L,
                                      960960.0L,
                                      16380.0L,
                                      182.0L,
                                      1.0L};

// Balancing stops when no row and column come closer by this factor, or after so many sweeps.
static const real worthwhile = 0.95L;
enum { SWEEPS_MAX = 64 };

// More squarings than this would be a norm beyond what doubles hold.
enum { SQUARINGS_MAX = 1100 };

/** Room for one computation: matrices of n*n. */
typedef struct {
  size_t n;
  real *a, *a2, *a4, *a6, *u, *v, *t;
  int* scale; // [n] exponents of the balancing
} work;

enum { MATRICES = 7 };

static void multiply(size_t n, const real* restrict x, const real* restrict y, real* restrict z) {
  for (size_t i = 0; i < n; ++i) {
    real* row = z + i * n;
    for (size_t j = 0; j < n; ++j) {
      row[j] = 0.0L;
    }
    for (size_t k = 0; k < n; ++k) {
      const real f = x[i * n + k];
      if (f != 0.0L) {
        for (size_t j = 0; j < n; ++j) {
          row[j] += f * y[k * n + j];
        }
      }
    }
  }
}

/** Sums of row and column `i` off the diagonal. */
static void off_diagonal(size_t n, const real* a, size_t i, real* row, real* column) {
  *row = 0.0L;
  *column = 0.0L;
  for (size_t j = 0; j < n; ++j) {
    if (j != i) {
      *row += fabsl(a[i * n + j]);
      *column += fabsl(a[j * n + i]);
    }
  }
}

/** A <- D^-1 A D with powers of two, so that rows and columns weigh alike (Parlett and Reinsch). */
static void balance(work* w) {
  bool moved = true;
  for (int sweep = 0; moved && sweep < SWEEPS_MAX; ++sweep) {
    moved = false;
    for (size_t i = 0; i < w->n; ++i) {
      real row, column;
      off_diagonal(w->n, w->a, i, &row, &column);
      if (row == 0.0L || column == 0.0L) {
        continue;
      }
      const int e = (int)lroundl(0.5L * log2l(row / column));
      if (e == 0 || ldexpl(column, e) + ldexpl(row, -e) >= worthwhile * (column + row)) {
        continue;
      }
      w->scale[i] += e;
      moved = true;
      for (size_t j = 0; j < w->n; ++j) {
        w->a[i * w->n + j] = ldexpl(w->a[i * w->n + j], -e);
        w->a[j * w->n + i] = ldexpl(w->a[j * w->n + i], e);
      }
    }
  }
}

/** Largest sum of a column. */
static real norm(size_t n, const real* a) {
  real largest = 0.0L;
  for (size_t j = 0; j < n; ++j) {
    real sum = 0.0L;
    for (size_t i = 0; i < n; ++i) {
      sum += fabsl(a[i * n + j]);
    }
    largest = sum > largest ? sum : largest;
  }
  return largest;
}

static void swap_rows(size_t n, real* a, size_t p, size_t k) {
  for (size_t j = 0; j < n && p != k; ++j) {
    const real t = a[k * n + j];
    a[k * n + j] = a[p * n + j];
    a[p * n + j] = t;
  }
}

/** Solve q x = b for n right-hand sides; q is destroyed, b becomes x. The denominator is far from singular at this norm. */
static void solve(size_t n, real* q, real* b) {
  for (size_t k = 0; k < n; ++k) {
    size_t p = k;
    for (size_t i = k + 1; i < n; ++i) {
      p = fabsl(q[i * n + k]) > fabsl(q[p * n + k]) ? i : p;
    }
    swap_rows(n, q, p, k);
    swap_rows(n, b, p, k);
    for (size_t i = k + 1; i < n; ++i) {
      const real f = q[i * n + k] / q[k * n + k];
      for (size_t j = k + 1; f != 0.0L && j < n; ++j) {
        q[i * n + j] -= f * q[k * n + j];
      }
      for (size_t j = 0; f != 0.0L && j < n; ++j) {
        b[i * n + j] -= f * b[k * n + j];
      }
    }
  }
  for (size_t k = n; k-- > 0;) {
    for (size_t i = k + 1; i < n; ++i) {
      for (size_t j = 0; j < n; ++j) {
        b[k * n + j] -= q[k * n + i] * b[i * n + j];
      }
    }
    for (size_t j = 0; j < n; ++j) {
      b[k * n + j] /= q[k * n + k];
    }
  }
}

/** The approximant of e^a, left in v. */
static void approximate(work* w) {
  const size_t n = w->n;
  const size_t size = n * n;
  multiply(n, w->a, w->a, w->a2);
  multiply(n, w->a2, w->a2, w->a4);
  multiply(n, w->a4, w->a2, w->a6);
  for (size_t i = 0; i < size; ++i) {
    w->t[i] = pade[13] * w->a6[i] + pade[11] * w->a4[i] + pade[9] * w->a2[i];
    w->v[i] = pade[12] * w->a6[i] + pade[10] * w->a4[i] + pade[8] * w->a2[i];
  }
  multiply(n, w->a6, w->t, w->u);
  multiply(n, w->a6, w->v, w->t);
  for (size_t i = 0; i < size; ++i) {
    const real one = i % (n + 1) == 0 ? 1.0L : 0.0L;
    w->v[i] = w->u[i] + pade[7] * w->a6[i] + pade[5] * w->a4[i] + pade[3] * w->a2[i] + pade[1] * one;
    w->t[i] += pade[6] * w->a6[i] + pade[4] * w->a4[i] + pade[2] * w->a2[i] + pade[0] * one;
  }
  multiply(n, w->a, w->v, w->u); // odd powers; the even ones are in t
  for (size_t i = 0; i < size; ++i) {
    w->v[i] = w->t[i] + w->u[i];
    w->t[i] -= w->u[i];
  }
  solve(n, w->t, w->v);
}

static htz_status compute(work* w, double* e) {
  const size_t n = w->n;
  balance(w);
  const real size = norm(n, w->a);
  if (!(size < HUGE_VALL)) {
    return HTZ_BAD_VALUE;
  }
  int halvings = 0;
  while (ldexpl(size, -halvings) > pade_norm && halvings < SQUARINGS_MAX) {
    ++halvings;
  }
  for (size_t i = 0; i < n * n; ++i) {
    w->a[i] = ldexpl(w->a[i], -halvings);
  }
  approximate(w);
  for (int s = 0; s < halvings; ++s) {
    multiply(n, w->v, w->v, w->t);
    real* const squared = w->t;
    w->t = w->v;
    w->v = squared;
  }
  bool finite = true;
  for (size_t i = 0; i < n; ++i) {
    for (size_t j = 0; j < n; ++j) {
      e[i * n + j] = (double)ldexpl(w->v[i * n + j], w->scale[i] - w->scale[j]);
      finite = finite && isfinite(e[i * n + j]);
    }
  }
  return finite ? HTZ_OK : HTZ_BAD_VALUE;
}

htz_status htz_expm(size_t n, const double* a, double* e) {
  if (n == 0) {
    return HTZ_OK;
  }
  if (n > SIZE_MAX / n / MATRICES / sizeof(real)) {
    return HTZ_NO_MEMORY;
  }
  const size_t size = n * n;
  real* memory = calloc(MATRICES * size, sizeof *memory);
  int* scale = calloc(n, sizeof *scale);
  htz_status st = memory && scale ? HTZ_OK : HTZ_NO_MEMORY;
  if (!st) {
    work w = {n,
              memory,
              memory + size,
              memory + 2 * size,
              memory + 3 * size,
              memory + 4 * size,
              memory + 5 * size,
              memory + 6 * size,
              scale};
    for (size_t i = 0; i < size; ++i) {
      w.a[i] = (real)a[i];
      st = isfinite(a[i]) ? st : HTZ_BAD_VALUE;
    }
    st = st ? st : compute(&w, e);
  }
  free(memory);
  free(scale);
  return st;
}
