#include "hertzian/dsp/linalg.h"

#include <float.h>
#include <math.h>

/** Row at or below `k` with the largest entry in column `k`. */
static size_t pivot_row(size_t n, size_t stride, const double* a, size_t k) {
  size_t best = k;
  for (size_t i = k + 1; i < n; ++i) {
    if (fabs(a[i * stride + k]) > fabs(a[best * stride + k]))
      best = i;
  }
  return best;
}

static double largest_entry(size_t n, size_t stride, const double* a) {
  double largest = 0.0;
  for (size_t i = 0; i < n; ++i) {
    for (size_t j = 0; j < n; ++j) {
      const double size = fabs(a[i * stride + j]);
      largest = size > largest ? size : largest;
    }
  }
  return largest;
}

bool htz_solve_dense(size_t n, size_t stride, double* a, double* b) {
  // A pivot below the rounding error of the elimination has no correct digit left. Written so that NaN counts as singular.
  const double floor = (double)n * DBL_EPSILON * largest_entry(n, stride, a);
  for (size_t k = 0; k < n; ++k) {
    const size_t p = pivot_row(n, stride, a, k);
    if (!(fabs(a[p * stride + k]) > floor))
      return false;
    if (p != k) {
      for (size_t j = k; j < n; ++j) {
        const double t = a[k * stride + j];
        a[k * stride + j] = a[p * stride + j];
        a[p * stride + j] = t;
      }
      const double t = b[k];
      b[k] = b[p];
      b[p] = t;
    }
    const double inverse = 1.0 / a[k * stride + k];
    for (size_t i = k + 1; i < n; ++i) {
      const double factor = a[i * stride + k] * inverse;
      for (size_t j = k + 1; j < n; ++j)
        a[i * stride + j] -= factor * a[k * stride + j];
      b[i] -= factor * b[k];
    }
  }
  for (size_t k = n; k-- > 0;) {
    double rest = b[k];
    for (size_t j = k + 1; j < n; ++j)
      rest -= a[k * stride + j] * b[j];
    b[k] = rest / a[k * stride + k];
  }
  return true;
}
