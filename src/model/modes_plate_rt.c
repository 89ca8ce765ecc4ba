#include "modes_private.h"

#include "hertzian/model/plate.h"

enum { DEGREES = HTZ_PLATE_DEGREE_MAX + 1, HALF = DEGREES / 2 + 1 };

static const double rotation = 1.73205080756887729353; // sqrt(3) xi has a mean square of 1

static double in_unit(double x) {
  return x > 0.0 ? (x < 1.0 ? x : 1.0) : 0.0;
}

/** P_d(xi), d < 2 terms, by parity. */
static void legendre(double xi, size_t terms, double p[2][HALF]) {
  double here = 1.0;
  double last = 0.0;
  for (size_t d = 0; d < 2 * terms && d < (size_t)2 * HALF; ++d) {
    p[d & 1u][d / 2] = here;
    const double next = ((2.0 * (double)d + 1.0) * xi * here - (double)d * last) / ((double)d + 1.0);
    last = here;
    here = next;
  }
}

void htz_shape_plate_xy(const htz_modes* modes, double x, double y, double* phi) {
  const double* data = modes->data;
  const size_t tx = (size_t)data[0], ty = (size_t)data[1], rigid = (size_t)data[2];
  const double xi = 2.0 * in_unit(x) - 1.0, eta = 2.0 * in_unit(y) - 1.0;
  double px[2][HALF], py[2][HALF];
  legendre(xi, tx, px);
  legendre(eta, ty, py);
  if (rigid) {
    phi[0] = 1.0;
    phi[1] = rotation * xi;
    phi[2] = rotation * eta;
  }
  const double* mode = data + HTZ_PLATE_HEAD;
  for (size_t k = rigid; k < modes->n; ++k) {
    const double* along = px[mode[0] != 0.0];
    const double* across = py[mode[1] != 0.0];
    mode += 2;
    double sum = 0.0;
    for (size_t i = 0; i < tx; ++i, mode += ty) {
      double row = 0.0;
      for (size_t j = 0; j < ty; ++j) {
        row += mode[j] * across[j];
      }
      sum += along[i] * row;
    }
    phi[k] = sum;
  }
}

void htz_shape_plate(const htz_modes* modes, double x, double* phi) {
  const double* line = modes->data + HTZ_PLATE_HEAD - HTZ_BOARD_LINE;
  const double at = in_unit(x);
  htz_shape_plate_xy(modes, line[0] + (line[2] - line[0]) * at, line[1] + (line[3] - line[1]) * at, phi);
}
