#include "hertzian/dsp/linalg.h"

#include <float.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum {
  SWEEPS_MAX = 60, // QL sweeps per eigenvalue; two are typical, 30 already means the input was not finite
  NEWTON_MAX = 20  // quadrature nodes converge in 3 to 5 steps from the starting formula
};

static const double pi = 3.14159265358979323846;

/** y += f x over n entries. */
static void add_scaled(size_t n, double f, const double* x, double* y) {
  for (size_t i = 0; i < n; ++i)
    y[i] += f * x[i];
}

static double dot(size_t n, const double* x, const double* y) {
  double sum = 0.0;
  for (size_t i = 0; i < n; ++i)
    sum += x[i] * y[i];
  return sum;
}

/** Lower factor of M = L L', only the lower triangle of `m` is read. @return false when M is not positive definite. */
static bool cholesky(size_t n, const double* m, double* l) {
  for (size_t i = 0; i < n; ++i) {
    for (size_t j = 0; j <= i; ++j) {
      const double rest = m[i * n + j] - dot(j, l + i * n, l + j * n);
      if (i == j) {
        if (!(rest > 0.0))
          return false;
        l[i * n + i] = sqrt(rest);
      } else {
        l[i * n + j] = rest / l[j * n + j];
      }
    }
  }
  return true;
}

/** In place c := L^-1 c L^-T, symmetric. */
static void to_standard(size_t n, const double* l, double* c) {
  for (size_t i = 0; i < n; ++i) {
    for (size_t j = 0; j < i; ++j)
      add_scaled(n, -l[i * n + j], c + j * n, c + i * n);
    for (size_t j = 0; j < n; ++j)
      c[i * n + j] /= l[i * n + i];
  }
  for (size_t r = 0; r < n; ++r) {
    double* row = c + r * n;
    for (size_t i = 0; i < n; ++i)
      row[i] = (row[i] - dot(i, l + i * n, row)) / l[i * n + i];
  }
  for (size_t i = 0; i < n; ++i) {
    for (size_t j = 0; j < i; ++j) {
      const double mean = 0.5 * (c[i * n + j] + c[j * n + i]);
      c[i * n + j] = c[j * n + i] = mean;
    }
  }
}

/**
   Householder reduction to a tridiagonal matrix, diagonal d[n], off-diagonal e[n - 1]; `qt` becomes Q' with a = Q T Q'.
   `a` is destroyed; v and w are scratch [n].
*/
static void tridiagonal(size_t n, double* a, double* d, double* e, double* qt, double* v, double* w) {
  memset(qt, 0, n * n * sizeof *qt);
  for (size_t i = 0; i < n; ++i)
    qt[i * n + i] = 1.0;
  for (size_t k = 0; k + 2 < n; ++k) {
    const size_t first = k + 1;
    const size_t m = n - first;
    double* block = a + first * n + first;
    for (size_t i = 0; i < m; ++i)
      v[i] = a[(first + i) * n + k];
    const double below = dot(m - 1, v + 1, v + 1);
    e[k] = v[0];
    if (!(below > 0.0))
      continue;
    e[k] = v[0] > 0.0 ? -sqrt(v[0] * v[0] + below) : sqrt(v[0] * v[0] + below);
    v[0] -= e[k];
    const double beta = 2.0 / (v[0] * v[0] + below);
    for (size_t i = 0; i < m; ++i)
      w[i] = beta * dot(m, block + i * n, v);
    add_scaled(m, -0.5 * beta * dot(m, w, v), v, w);
    for (size_t i = 0; i < m; ++i) {
      add_scaled(m, -v[i], w, block + i * n);
      add_scaled(m, -w[i], v, block + i * n);
    }
    memset(w, 0, n * sizeof *w);
    for (size_t i = 0; i < m; ++i)
      add_scaled(n, v[i], qt + (first + i) * n, w);
    for (size_t i = 0; i < m; ++i)
      add_scaled(n, -beta * v[i], w, qt + (first + i) * n);
  }
  if (n > 1)
    e[n - 2] = a[(n - 1) * n + n - 2];
  for (size_t i = 0; i < n; ++i)
    d[i] = a[i * n + i];
}

/** One implicit QL sweep with Wilkinson's shift over the block l..m. */
static void ql_sweep(size_t n, size_t l, size_t m, double* d, double* e, double* qt) {
  const double half = (d[l + 1] - d[l]) / (2.0 * e[l]);
  const double root = hypot(half, 1.0);
  double g = d[m] - d[l] + e[l] / (half + (half < 0.0 ? -root : root));
  double s = 1.0;
  double c = 1.0;
  double shift = 0.0;
  for (size_t i = m; i-- > l;) {
    const double f = s * e[i];
    const double b = c * e[i];
    const double r = hypot(f, g);
    if (i + 1 < m)
      e[i + 1] = r;
    if (r == 0.0) { // the block splits here
      d[i + 1] -= shift;
      return;
    }
    s = f / r;
    c = g / r;
    g = d[i + 1] - shift;
    const double t = (d[i] - g) * s + 2.0 * c * b;
    shift = s * t;
    d[i + 1] = g + shift;
    g = c * t - b;
    double* lower = qt + i * n;
    double* upper = lower + n;
    for (size_t j = 0; j < n; ++j) {
      const double x = upper[j];
      upper[j] = s * lower[j] + c * x;
      lower[j] = c * lower[j] - s * x;
    }
  }
  d[l] -= shift;
  e[l] = g;
}

/** Eigenvalues of the tridiagonal matrix into d, rows of `qt` turned into its eigenvectors. @return false: no convergence. */
static bool ql(size_t n, double* d, double* e, double* qt) {
  for (size_t l = 0; l + 1 < n; ++l) {
    size_t sweeps = 0;
    for (;;) {
      size_t m = l;
      while (m + 1 < n && fabs(e[m]) > DBL_EPSILON * (fabs(d[m]) + fabs(d[m + 1])))
        ++m;
      if (m == l)
        break;
      if (++sweeps > SWEEPS_MAX)
        return false;
      ql_sweep(n, l, m, d, e, qt);
    }
  }
  return true;
}

static void sort_ascending(size_t n, double* lambda, double* vectors) {
  for (size_t i = 0; i + 1 < n; ++i) {
    size_t least = i;
    for (size_t j = i + 1; j < n; ++j) {
      if (lambda[j] < lambda[least])
        least = j;
    }
    if (least == i)
      continue;
    const double t = lambda[i];
    lambda[i] = lambda[least];
    lambda[least] = t;
    for (size_t j = 0; j < n; ++j) {
      const double x = vectors[i * n + j];
      vectors[i * n + j] = vectors[least * n + j];
      vectors[least * n + j] = x;
    }
  }
}

/** x := L^-T x */
static void back_transform(size_t n, const double* l, double* x) {
  for (size_t i = n; i-- > 0;) {
    x[i] /= l[i * n + i];
    add_scaled(i, -x[i], l + i * n, x);
  }
}

static bool all_finite(size_t n, const double* x) {
  for (size_t i = 0; i < n; ++i) {
    if (!isfinite(x[i]))
      return false;
  }
  return true;
}

htz_status htz_eigen_symmetric(size_t n, const double* k, const double* m, double* lambda, double* vectors) {
  if (n == 0 || n > SIZE_MAX / sizeof(double) / (2 * n + 3))
    return HTZ_BAD_VALUE;
  double* memory = malloc((2 * n + 3) * n * sizeof *memory);
  if (!memory)
    return HTZ_NO_MEMORY;
  double* l = memory;
  double* c = l + n * n;
  double* e = c + n * n;
  double* v = e + n;
  double* w = v + n;
  htz_status out = HTZ_BAD_VALUE;
  if (all_finite(n * n, k) && all_finite(n * n, m) && cholesky(n, m, l)) {
    memcpy(c, k, n * n * sizeof *c);
    to_standard(n, l, c);
    tridiagonal(n, c, lambda, e, vectors, v, w);
    if (ql(n, lambda, e, vectors)) {
      sort_ascending(n, lambda, vectors);
      for (size_t i = 0; i < n; ++i)
        back_transform(n, l, vectors + i * n);
      out = HTZ_OK;
    }
  }
  free(memory);
  return out;
}

void htz_gauss_legendre(size_t n, double* nodes, double* weights) {
  for (size_t i = 0; i < (n + 1) / 2; ++i) {
    // i-th node from the right by the usual asymptotic guess, then Newton on P_n with the three-term recurrence.
    double x = cos(pi * ((double)i + 0.75) / ((double)n + 0.5));
    double slope = 1.0;
    for (size_t step = 0; step < NEWTON_MAX; ++step) {
      double p = 1.0;
      double last = 0.0;
      for (size_t j = 0; j < n; ++j) {
        const double next = ((2.0 * (double)j + 1.0) * x * p - (double)j * last) / ((double)j + 1.0);
        last = p;
        p = next;
      }
      slope = (double)n * (last - x * p) / (1.0 - x * x);
      const double step_x = p / slope;
      x -= step_x;
      if (fabs(step_x) < DBL_EPSILON)
        break;
    }
    if (2 * i + 1 == n)
      x = 0.0; // the middle node of an odd rule, exactly
    const double weight = 2.0 / ((1.0 - x * x) * slope * slope);
    nodes[i] = -x;
    nodes[n - 1 - i] = x;
    weights[i] = weights[n - 1 - i] = weight;
  }
}
