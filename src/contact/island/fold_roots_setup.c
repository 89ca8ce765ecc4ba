#include "fold_private.h"

#include <math.h>
#include <stdlib.h>

/*
   With f the forces of the joins, coordinate n moves by -sum_j c_jn f_j g_n(s), g_n = 1/(m_n (s^2 + 2 sigma_n s + omega_n^2)), and join j
   has f_j = (k_j + r_j s) times its stretch:

     A(s) f = 0,   A_jl = sum_n c_jn c_ln g_n(s) + [j = l]/(k_j + r_j s),   the last term 0 where it is rigid.

   det A(s) times all its poles is a polynomial whose roots are the modes. Its logarithmic derivative is tr(A^-1 A') plus the poles' own,
   and that is all that Ehrlich's and Aberth's iteration needs to find all roots at once, each by Newton's method with the others
   divided out.
*/

enum { SWEEPS_MAX = 80 };
static const double close_enough = 1e-13; // relative to the root
static const double pivot_least = 1e-32;  // of the matrix: less says that s is a root to rounding...
static const double pivot_floor = 1e-300; // ...and where all is 0, something to divide by
static const double nudge = 1e-9;         // relative
static const double nearest_gap = 1e-6;   // of its frequency: free modes closer than this start as if so far apart
static const double start_below = 0.3;    // guesses start this far below the free modes, in gaps between those

typedef double complex matrix[HTZ_JOINS_MAX][HTZ_JOINS_MAX];

/** A(s), its derivative, and the sum of the poles' logarithmic derivatives. */
static double complex lay(const fold_system* sys, double complex s, matrix a, matrix da) {
  double complex poles = 0.0;
  for (uint32_t i = 0; i < sys->n_joins; ++i) {
    for (uint32_t j = 0; j < sys->n_joins; ++j) {
      a[i][j] = da[i][j] = 0.0;
    }
    if (!sys->rigid[i]) {
      const double complex h = sys->stiffness[i] + sys->damping[i] * s;
      a[i][i] = 1.0 / h;
      da[i][i] = -sys->damping[i] / (h * h);
      poles += sys->damping[i] / h;
    }
  }
  for (size_t b = 0; b < sys->n_blocks; ++b) {
    const fold_block* block = &sys->blocks[b];
    for (size_t n = block->first; n < block->first + block->n; ++n) {
      if (!sys->coupled[n]) {
        continue;
      }
      const double complex slope = 2.0 * s + sys->sigma2[n];
      const double complex inverse = 1.0 / (s * s + sys->sigma2[n] * s + sys->w2[n]);
      const double complex g = inverse / sys->m[n], dg = -slope * inverse * g;
      poles += slope * inverse;
      for (uint32_t i = 0; i < block->n_joins; ++i) {
        const uint32_t row = block->joins[i];
        const double c = sys->c[row * sys->n + n];
        for (uint32_t j = 0; j <= i; ++j) {
          const double cc = c * sys->c[block->joins[j] * sys->n + n];
          a[row][block->joins[j]] += cc * g;
          da[row][block->joins[j]] += cc * dg;
        }
      }
    }
  }
  for (uint32_t i = 0; i < sys->n_joins; ++i) {
    for (uint32_t j = i + 1; j < sys->n_joins; ++j) {
      a[i][j] = a[j][i] = a[i][j] + a[j][i]; // only one of the two was added to
      da[i][j] = da[j][i] = da[i][j] + da[j][i];
    }
  }
  return poles;
}

static double size(double complex z) {
  return fabs(creal(z)) + fabs(cimag(z));
}

/** LU of the n x n matrix in place with partial pivoting; a pivot of 0 becomes a tiny one. */
static void factor(uint32_t n, matrix a, uint32_t* order) {
  double greatest = 0.0;
  for (uint32_t i = 0; i < n; ++i) {
    greatest = fmax(greatest, size(a[i][i]));
  }
  for (uint32_t k = 0; k < n; ++k) {
    uint32_t best = k;
    for (uint32_t i = k + 1; i < n; ++i) {
      best = size(a[i][k]) > size(a[best][k]) ? i : best;
    }
    order[k] = best;
    for (uint32_t j = 0; j < n; ++j) {
      const double complex other = a[k][j];
      a[k][j] = a[best][j];
      a[best][j] = other;
    }
    if (size(a[k][k]) < pivot_floor + pivot_least * greatest) {
      a[k][k] = pivot_floor + pivot_least * greatest;
    }
    for (uint32_t i = k + 1; i < n; ++i) {
      a[i][k] /= a[k][k];
      for (uint32_t j = k + 1; j < n; ++j) {
        a[i][j] -= a[i][k] * a[k][j];
      }
    }
  }
}

static void solve(uint32_t n, matrix a, const uint32_t* order, double complex* x) {
  for (uint32_t k = 0; k < n; ++k) {
    const double complex other = x[k];
    x[k] = x[order[k]];
    x[order[k]] = other;
  }
  for (uint32_t k = 0; k < n; ++k) {
    for (uint32_t j = 0; j < k; ++j) {
      x[k] -= a[k][j] * x[j];
    }
  }
  for (uint32_t k = n; k-- > 0;) {
    for (uint32_t j = k + 1; j < n; ++j) {
      x[k] -= a[k][j] * x[j];
    }
    x[k] /= a[k][k];
  }
}

/** Logarithmic derivative of det A(s) times its poles. */
static double complex slope_of(const fold_system* sys, double complex s) {
  matrix a, da;
  uint32_t order[HTZ_JOINS_MAX];
  double complex sum = lay(sys, s, a, da);
  factor(sys->n_joins, a, order);
  for (uint32_t j = 0; j < sys->n_joins; ++j) {
    double complex column[HTZ_JOINS_MAX];
    for (uint32_t i = 0; i < sys->n_joins; ++i) {
      column[i] = da[i][j];
    }
    solve(sys->n_joins, a, order, column);
    sum += column[j];
  }
  return sum;
}

void htz_fold_forces(const fold_system* sys, double complex s, double complex* f) {
  enum { ROUNDS = 3 }; // of inverse iteration: each gains as many digits as the root has
  matrix a, da;
  uint32_t order[HTZ_JOINS_MAX];
  lay(sys, s, a, da);
  factor(sys->n_joins, a, order);
  for (uint32_t i = 0; i < sys->n_joins; ++i) {
    f[i] = 1.0 + 0.1 * i; // nothing that is likely to be at right angles to it
  }
  for (int round = 0; round < ROUNDS; ++round) {
    solve(sys->n_joins, a, order, f);
    uint32_t best = 0;
    for (uint32_t i = 1; i < sys->n_joins; ++i) {
      best = size(f[i]) > size(f[best]) ? i : best;
    }
    const double complex greatest = f[best];
    for (uint32_t i = 0; i < sys->n_joins; ++i) {
      f[i] /= greatest;
    }
  }
}

static int ascending(const void* a, const void* b) {
  const double x = cimag(*(const double complex*)a), y = cimag(*(const double complex*)b);
  return (x > y) - (x < y);
}

/** Where to start: a little below the free modes, from the lowest up. @return false when there are fewer than `count` */
static bool guess(const fold_system* sys, size_t count, double complex* roots) {
  double complex* poles = calloc(sys->n + 1, sizeof *poles);
  size_t n = 0;
  for (size_t i = 0; poles && i < sys->n; ++i) {
    const double sigma = 0.5 * sys->sigma2[i];
    const double swing2 = sys->w2[i] - sigma * sigma;
    if (sys->coupled[i] && swing2 > 0.0) {
      poles[n++] = -sigma + I * sqrt(swing2);
    }
  }
  const bool enough = poles && n >= count && n > 0;
  if (enough) {
    qsort(poles, n, sizeof *poles, ascending);
  }
  for (size_t i = 0; enough && i < count; ++i) {
    const double gap = cimag(poles[i]) - (i > 0 ? cimag(poles[i - 1]) : 0.0);
    roots[i] = poles[i] - I * start_below * (gap > nearest_gap * cimag(poles[i]) ? gap : nearest_gap * cimag(poles[i]));
  }
  free(poles);
  return enough;
}

/** One over the distances of root `k` to all others, those below the real axis included, added up. */
static double complex others(size_t count, const double complex* roots, size_t k) {
  double re = 0.0, im = 0.0;
  const double x = creal(roots[k]), y = cimag(roots[k]);
  for (size_t j = 0; j < count; ++j) {
    const double dx = x - creal(roots[j]), up = y - cimag(roots[j]), down = y + cimag(roots[j]);
    if (j != k) {
      const double one = 1.0 / (dx * dx + up * up);
      re += dx * one;
      im -= up * one;
    }
    const double two = 1.0 / (dx * dx + down * down);
    re += dx * two;
    im -= down * two;
  }
  return re + I * im;
}

bool htz_fold_roots(const fold_system* sys, size_t count, double complex* roots) {
  bool* done = calloc(count + 1, sizeof *done);
  bool all = done && guess(sys, count, roots);
  size_t left = all ? count : 0;
  for (int sweep = 0; sweep < SWEEPS_MAX && left > 0; ++sweep) {
    left = 0;
    for (size_t k = 0; k < count; ++k) {
      if (done[k]) {
        continue;
      }
      const double complex step = 1.0 / (slope_of(sys, roots[k]) - others(count, roots, k));
      if (!isfinite(creal(step)) || !isfinite(cimag(step))) {
        roots[k] *= 1.0 + nudge; // on a pole, or on another root
        ++left;
        continue;
      }
      roots[k] -= step;
      if (cimag(roots[k]) < 0.0) {
        roots[k] = conj(roots[k]);
      }
      done[k] = size(step) < close_enough * size(roots[k]);
      left += !done[k];
    }
  }
  all = all && left == 0;
  free(done);
  if (all) {
    qsort(roots, count, sizeof *roots, ascending);
  }
  return all;
}
