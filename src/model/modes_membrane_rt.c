#include "modes_private.h"

#include "hertzian/dsp/bessel.h"

#include <math.h>
#include <stdbool.h>

static double in_unit(double x) {
  return x > 0.0 ? (x < 1.0 ? x : 1.0) : 0.0;
}

/** cos(m theta) and sin(m theta) by turning m times: the error grows like m eps. */
static void turn(unsigned m, double c, double s, double* cm, double* sm) {
  *cm = 1.0;
  *sm = 0.0;
  for (unsigned i = 0; i < m; ++i) {
    const double next = *cm * c - *sm * s;
    *sm = *sm * c + *cm * s;
    *cm = next;
  }
}

void htz_shape_membrane_xy(const htz_modes* modes, double x, double y, double* phi) {
  const double across = 2.0 * in_unit(x) - 1.0;
  const double along = 2.0 * in_unit(y) - 1.0;
  const double r = sqrt(across * across + along * along);
  const double c = r > 0.0 ? across / r : 1.0;
  const double s = r > 0.0 ? along / r : 0.0;
  double radial = 0.0; // of the last mode looked at: the second of a pair has the same
  double before = -1.0;
  for (size_t k = 0; k < modes->n; ++k) {
    const double* d = modes->data + k * HTZ_MEMBRANE_DATA;
    const unsigned m = (unsigned)d[0];
    if (d[1] != before) {
      radial = r < 1.0 ? d[2] * htz_bessel_j(m, d[1] * r) : 0.0;
      before = d[1];
    }
    double cm, sm;
    turn(m, c, s, &cm, &sm);
    phi[k] = radial * (d[3] > 0.0 ? sm : cm);
  }
}

void htz_shape_membrane(const htz_modes* modes, double x, double* phi) {
  htz_shape_membrane_xy(modes, x, 0.5, phi);
}
