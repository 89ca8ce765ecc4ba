#include "modes_private.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>

static const double two_pi = 6.28318530717958647693;

typedef struct {
  double frequency;
  size_t place; // in the caller's list
} entry;

/** By frequency, equal ones in the caller's order. */
static int compare(const void* a, const void* b) {
  const entry* left = a;
  const entry* right = b;
  if (left->frequency != right->frequency)
    return left->frequency < right->frequency ? -1 : 1;
  return left->place < right->place ? -1 : 1;
}

static bool valid(size_t n, const double* frequency_hz, const double* sigma, const double* mass) {
  for (size_t k = 0; k < n; ++k) {
    if (!(frequency_hz[k] >= 0.0) || !isfinite(frequency_hz[k]))
      return false;
    if (!(sigma[k] >= 0.0) || !isfinite(sigma[k]))
      return false;
    if (!(mass[k] > 0.0) || !isfinite(mass[k]))
      return false;
  }
  return true;
}

static bool all_finite(size_t n, const double* x) {
  for (size_t i = 0; i < n; ++i) {
    if (!isfinite(x[i]))
      return false;
  }
  return true;
}

htz_status htz_modes_list(size_t n, const double* frequency_hz, const double* sigma, const double* mass, size_t n_points,
                          const double* phi, htz_arena* arena, htz_modes* out) {
  if (n == 0 || n > HTZ_MODES_MAX || !valid(n, frequency_hz, sigma, mass))
    return HTZ_BAD_VALUE;
  if (phi && (n_points == 0 || n_points > SIZE_MAX / n || !all_finite(n_points * n, phi)))
    return HTZ_BAD_VALUE;
  entry* order = malloc(n * sizeof *order);
  if (!order)
    return HTZ_NO_MEMORY;
  for (size_t k = 0; k < n; ++k)
    order[k] = (entry){frequency_hz[k], k};
  qsort(order, n, sizeof *order, compare);

  double* data = NULL;
  const htz_status st = htz_modes_lay(n, phi ? n_points * n : 0, arena, out, &data);
  if (!st) {
    for (size_t k = 0; k < n; ++k) {
      const size_t from = order[k].place;
      out->omega[k] = two_pi * frequency_hz[from];
      out->sigma[k] = sigma[from];
      out->mass[k] = mass[from];
      for (size_t p = 0; phi && p < n_points; ++p)
        data[p * n + k] = phi[p * n + from];
    }
    out->shape = phi ? htz_shape_rows : htz_shape_ones;
  }
  free(order);
  return st;
}

htz_status htz_modes_rim(size_t n, const double* frequency_hz, const double* sigma, const double* mass, const double* diameters,
                         htz_arena* arena, htz_modes* out) {
  const htz_status st = htz_modes_list(n, frequency_hz, sigma, mass, 1, diameters, arena, out);
  out->shape = htz_shape_rim;
  out->shape_xy = htz_shape_rim_xy;
  return st;
}

bool htz_modes_same_all_over(const htz_modes* modes) {
  return modes->shape == htz_shape_ones;
}

bool htz_modes_is_closed(const htz_modes* modes) {
  return modes->shape == htz_shape_rim;
}
