#include "modes_private.h"

#include <math.h>

static const double pi = 3.14159265358979323846;

static double in_unit(double x) {
  return x > 0.0 ? (x < 1.0 ? x : 1.0) : 0.0;
}

void htz_shape_board_xy(const htz_modes* modes, double x, double y, double* phi) {
  const double* number = modes->data + HTZ_BOARD_LINE;
  const double across = pi * in_unit(x);
  const double along = pi * in_unit(y);
  for (size_t k = 0; k < modes->n; ++k) {
    phi[k] = sin(number[2 * k] * across) * sin(number[2 * k + 1] * along);
  }
}

void htz_shape_board(const htz_modes* modes, double x, double* phi) {
  const double* line = modes->data;
  const double at = in_unit(x);
  htz_shape_board_xy(modes, line[0] + (line[2] - line[0]) * at, line[1] + (line[3] - line[1]) * at, phi);
}

void htz_shape_beamed_xy(const htz_modes* modes, double x, double y, double* phi) {
  double bare[HTZ_BOARD_BEAM_MODES_MAX];
  const size_t basis = htz_beamed_basis(modes);
  const double* number = htz_beamed_numbers(modes);
  const double across = pi * in_unit(x), along = pi * in_unit(y);
  for (size_t j = 0; j < basis; ++j) {
    bare[j] = sin(number[2 * j] * across) * sin(number[2 * j + 1] * along);
  }
  for (size_t k = 0; k < modes->n; ++k) {
    const double* row = htz_beamed_row(modes, k);
    phi[k] = 0.0;
    for (size_t j = 0; j < basis; ++j) {
      phi[k] += row[j] * bare[j];
    }
  }
}

void htz_shape_beamed(const htz_modes* modes, double x, double* phi) {
  const double* line = modes->data;
  const double at = in_unit(x);
  htz_shape_beamed_xy(modes, line[0] + (line[2] - line[0]) * at, line[1] + (line[3] - line[1]) * at, phi);
}
