#include "hertzian/model/disc.h"
#include "modes_private.h"

#include <math.h>

static double in_unit(double x) {
  return x > 0.0 ? (x < 1.0 ? x : 1.0) : 0.0;
}

double htz_disc_radial_at(const htz_modes* modes, size_t k, double r) {
  const double* mode = modes->data + HTZ_DISC_HEAD + (k - HTZ_DISC_RIGID_MODES) * HTZ_DISC_DATA;
  const double* row = modes->data + (size_t)modes->data[0] + (size_t)mode[0] * HTZ_DISC_POINTS;
  // Lagrange's polynomial through the four points around; at the ends through the last four.
  const double at = in_unit(r) * (HTZ_DISC_POINTS - 1);
  const double first = floor(at) - 1.0;
  const size_t from = first < 0.0 ? 0 : first > HTZ_DISC_POINTS - 4 ? HTZ_DISC_POINTS - 4 : (size_t)first;
  const double x = at - (double)from;
  const double a = x - 1.0, b = x - 2.0, c = x - 3.0;
  return -a * b * c / 6.0 * row[from] + 0.5 * x * b * c * row[from + 1] - 0.5 * x * a * c * row[from + 2] +
         x * a * b / 6.0 * row[from + 3];
}

double htz_disc_number(const htz_modes* modes, size_t k) {
  return modes->data[HTZ_DISC_HEAD + (k - HTZ_DISC_RIGID_MODES) * HTZ_DISC_DATA + 3];
}

unsigned htz_disc_order(const htz_modes* modes, size_t k, bool* second) {
  const double* mode = modes->data + HTZ_DISC_HEAD + (k - HTZ_DISC_RIGID_MODES) * HTZ_DISC_DATA;
  *second = mode[2] > 0.0;
  return (unsigned)mode[1];
}

void htz_shape_disc_xy(const htz_modes* modes, double x, double y, double* phi) {
  const double across = 2.0 * in_unit(x) - 1.0;
  const double along = 2.0 * in_unit(y) - 1.0;
  const double r = sqrt(across * across + along * along);
  const double c = r > 0.0 ? across / r : 1.0;
  const double s = r > 0.0 ? along / r : 0.0;
  // What lies outside is the rim.
  const double inside = r < 1.0 ? r : 1.0;
  phi[0] = 1.0;
  phi[1] = 2.0 * inside * c;
  phi[2] = 2.0 * inside * s;
  double cosine[HTZ_DISC_ORDERS], sine[HTZ_DISC_ORDERS];
  cosine[0] = 1.0;
  sine[0] = 0.0;
  for (size_t n = 1; n < HTZ_DISC_ORDERS; ++n) {
    cosine[n] = cosine[n - 1] * c - sine[n - 1] * s;
    sine[n] = sine[n - 1] * c + cosine[n - 1] * s;
  }
  double radial = 0.0;
  for (size_t k = HTZ_DISC_RIGID_MODES; k < modes->n; ++k) {
    bool second;
    const unsigned n = htz_disc_order(modes, k, &second);
    radial = second ? radial : htz_disc_radial_at(modes, k, inside);
    phi[k] = radial * (second ? sine[n] : cosine[n]);
  }
}

void htz_shape_disc(const htz_modes* modes, double x, double* phi) {
  htz_shape_disc_xy(modes, x, 0.5, phi);
}
