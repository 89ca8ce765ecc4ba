#include "modes_private.h"

#include <math.h>
#include <string.h>

static const double pi = 3.14159265358979323846;

static double in_unit(double x) {
  return x > 0.0 ? (x < 1.0 ? x : 1.0) : 0.0;
}

/** Rotation of a uniform bar: sqrt(12) (x - 1/2) has a mean square of 1. */
static const double uniform_rotation = 3.46410161513775458705;

void htz_shape_string(const htz_modes* modes, double x, double* phi) {
  // Folding at the middle keeps the two ends alike: sin(n pi x) = -(-1)^n sin(n pi (1 - x)), and 1 - x is exact there.
  const double at = in_unit(x);
  const bool fold = at > 0.5;
  const double c = cos(pi * (fold ? 1.0 - at : at));
  const double s = sin(pi * (fold ? 1.0 - at : at));
  double cn = c;
  double sn = s;
  // A plane rotation per mode: its error grows like n eps everywhere, unlike the two-term recurrence near the ends.
  for (size_t k = 0; k < modes->n; ++k) {
    phi[k] = fold && (k & 1u) ? -sn : sn;
    const double next = cn * c - sn * s;
    sn = sn * c + cn * s;
    cn = next;
  }
}

void htz_shape_free_bar(const htz_modes* modes, double x, double* phi) {
  const double xi = 2.0 * in_unit(x) - 1.0;
  const double size = fabs(xi);
  phi[0] = 1.0;
  phi[1] = 0.5 * uniform_rotation * xi;
  // About the middle the shapes are cos/cos + cosh/cosh and sin/sin + sinh/sinh; the hyperbolic quotients are written with
  // falling exponentials, so nothing cancels or overflows however high the mode.
  for (size_t k = HTZ_RIGID_MODES; k < modes->n; ++k) {
    const double half = 0.5 * modes->data[k - HTZ_RIGID_MODES];
    const double edge = exp(-half * (1.0 - size));
    if (k & 1u) {
      const double hyperbolic = edge * expm1(-2.0 * half * size) / expm1(-2.0 * half);
      phi[k] = sin(half * xi) / sin(half) + (xi < 0.0 ? -hyperbolic : hyperbolic);
    } else {
      phi[k] = cos(half * xi) / cos(half) + edge * (1.0 + exp(-2.0 * half * size)) / (1.0 + exp(-2.0 * half));
    }
  }
}

void htz_shape_cantilever(const htz_modes* modes, double x, double* phi) {
  const double at = in_unit(x);
  for (size_t k = 0; k < modes->n; ++k) {
    const double* d = modes->data + k * HTZ_CANTILEVER_DATA;
    const double a = d[0] * at;
    phi[k] = d[1] * exp(a - d[0]) + 0.5 * (d[2] + d[3]) * exp(-a) - d[2] * cos(a) + d[3] * sin(a);
  }
}

void htz_shape_series(const htz_modes* modes, double x, double* phi) {
  const double xi = 2.0 * in_unit(x) - 1.0;
  double legendre[2 * HTZ_BAR_TERMS]; // even degrees first, then odd ones
  double p = 1.0;
  double last = 0.0;
  for (size_t j = 0; j < 2 * HTZ_BAR_TERMS; ++j) {
    legendre[(j & 1u) * HTZ_BAR_TERMS + j / 2] = p;

    const double next = ((2.0 * (double)j + 1.0) * xi * p - (double)j * last) / ((double)j + 1.0);
    last = p;
    p = next;
  }
  phi[0] = 1.0;
  phi[1] = modes->data[0] * xi;
  for (size_t k = HTZ_RIGID_MODES; k < modes->n; ++k) {
    const double* c = modes->data + 1 + (k - HTZ_RIGID_MODES) * HTZ_BAR_TERMS;
    const double* basis = legendre + (k & 1u) * HTZ_BAR_TERMS;
    double sum = 0.0;
    for (size_t j = 0; j < HTZ_BAR_TERMS; ++j)
      sum += c[j] * basis[j];
    phi[k] = sum;
  }
}

/** Bending in the middle of the width, twisting per (2y - 1). */
static void thick_shapes(const htz_modes* modes, double x, size_t rigid, double* phi) {
  const double xi = 2.0 * in_unit(x) - 1.0, size = fabs(xi), sign = xi < 0.0 ? -1.0 : 1.0;
  phi[0] = 1.0;
  phi[1] = 0.5 * uniform_rotation * xi;
  for (size_t k = rigid; k < modes->n; ++k) {
    const double* d = modes->data + (k - rigid) * HTZ_THICK_DATA;
    const double edge = exp(-d[2] * (1.0 - size)), back = exp(-2.0 * d[2] * size), whole = exp(-2.0 * d[2]);
    phi[k] = d[0] == HTZ_THICK_EVEN  ? d[3] * cos(d[1] * xi) + d[4] * edge * (1.0 + back) / (1.0 + whole)
             : d[0] == HTZ_THICK_ODD ? d[3] * sin(d[1] * xi) + d[4] * sign * edge * (1.0 - back) / (1.0 - whole)
                                     : sqrt(2.0) * cos(d[1] * in_unit(x));
  }
}

/** Number of rigid motions, of which the last is rolling where there is torsion. */
static size_t thick_rigid(const htz_modes* modes) {
  return modes->n - modes->data_n / HTZ_THICK_DATA;
}

void htz_shape_thick_bar(const htz_modes* modes, double x, double* phi) {
  htz_shape_thick_bar_xy(modes, x, 0.5, phi);
}

void htz_shape_thick_bar_xy(const htz_modes* modes, double x, double y, double* phi) {
  const size_t rigid = thick_rigid(modes);
  const double across = uniform_rotation * 0.5 * (2.0 * in_unit(y) - 1.0);
  thick_shapes(modes, x, rigid, phi);
  for (size_t k = HTZ_RIGID_MODES; k < rigid; ++k) {
    phi[k] = across;
  }
  for (size_t k = rigid; k < modes->n; ++k) {
    phi[k] *= modes->data[(k - rigid) * HTZ_THICK_DATA] == HTZ_THICK_TWIST ? across : 1.0;
  }
}

void htz_shape_rows(const htz_modes* modes, double x, double* phi) {
  const size_t rows = modes->data_n / modes->n;
  const size_t row = (size_t)(in_unit(x) * (double)(rows - 1) + 0.5);
  memcpy(phi, modes->data + row * modes->n, modes->n * sizeof *phi);
}

void htz_shape_ones(const htz_modes* modes, double x, double* phi) {
  (void)x;
  for (size_t k = 0; k < modes->n; ++k)
    phi[k] = 1.0;
}

void htz_shape_rim(const htz_modes* modes, double x, double* phi) {
  htz_shape_rim_xy(modes, x, 0.0, phi);
}

void htz_shape_rim_xy(const htz_modes* modes, double x, double y, double* phi) {
  const double round = 2.0 * pi * in_unit(x), turned = 0.5 * pi * in_unit(y);
  for (size_t k = 0; k < modes->n; ++k) {
    const double n = fabs(modes->data[k]), c = cos(n * round), s = sin(n * round);
    // A rim that is bent and not stretched goes along itself by v, dv/dtheta = -w.
    const double across = modes->data[k] < 0.0 ? s : c, along = n > 0.0 ? (modes->data[k] < 0.0 ? c : -s) / n : 0.0;
    phi[k] = cos(turned) * across + sin(turned) * along;
  }
}
