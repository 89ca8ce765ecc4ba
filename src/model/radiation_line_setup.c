#include "radiation_private.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double pi = 3.14159265358979323846;

void htz_radiation_line_shapes(const htz_modes* modes, double x, double* phi) {
  modes->shape(modes, x, phi);
  if (!modes->shape_xy) {
    memset(phi + modes->n, 0, modes->n * sizeof *phi);
    return;
  }
  modes->shape_xy(modes, x, 1.0, phi + modes->n);
  for (size_t k = 0; k < modes->n; ++k) {
    phi[modes->n + k] -= phi[k];
  }
}

double htz_radiation_thick(double air, double k) {
  static const double share = 1.57; // of the exact cylinder, within 0.8 dB
  const double around = k * sqrt(air / (2.0 * pi * HTZ_AIR_DENSITY));
  return 1.0 / sqrt(1.0 + share * around * around * around);
}

/** A metre of dipoles of `air` kg, `dx` along and `y` across from the ear: pressure per acceleration over the density of air. */
static weight dipoles(const htz_ear* ear, double air, double dx, double y, double k, double far) {
  const double distance = sqrt(dx * dx + y * y + ear->z * ear->z);
  const double size = air / HTZ_AIR_DENSITY * ear->z / (4.0 * pi * distance * distance), phase = -k * (distance - far);
  return weight_times((weight){size / distance, size * k}, (weight){cos(phase), sin(phase)});
}

htz_status htz_radiation_line(const htz_modes* modes, const htz_ear* ear, band b, weight* out) {
  const htz_radiator* r = &modes->radiator;
  const double k = b.omega / HTZ_AIR_SPEED, far = HTZ_AIR_SPEED * htz_ear_delay(ear);
  side_rule* rule = malloc(sizeof *rule);
  double* phi = calloc(2 * modes->n, sizeof *phi);
  if (!rule || !phi) {
    free(rule);
    free(phi);
    return HTZ_NO_MEMORY;
  }
  // A bar's mode k has about k half waves; the nodes of the highest serve all.
  htz_radiation_rule(htz_radiation_nodes(r->length, b.omega, (double)(b.first + b.count)),
                     2.0 * htz_ear_distance(modes, ear) / r->length, rule);
  const double thick = htz_radiation_thick(r->air, k);
  for (size_t i = 0; i < rule->n; ++i) {
    const double dx = ear->x - (rule->at[i] - 0.5) * r->length, size = rule->weight[i] * r->length * thick;
    const weight middle = dipoles(ear, size * r->air, dx, ear->y, k, far);
    weight apart = {0.0, 0.0};
    if (r->twisted > 0.0) {
      const weight near = dipoles(ear, size * r->twisted, dx, ear->y - 0.25 * r->width, k, far);
      const weight beyond = dipoles(ear, size * r->twisted, dx, ear->y + 0.25 * r->width, k, far);
      apart = (weight){near.re - beyond.re, near.im - beyond.im};
    }
    htz_radiation_line_shapes(modes, rule->at[i], phi);
    for (size_t m = 0; m < b.count; ++m) {
      const double even = phi[b.first + m], odd = phi[modes->n + b.first + m];
      out[m].re += even * middle.re + odd * apart.re;
      out[m].im += even * middle.im + odd * apart.im;
    }
  }
  free(rule);
  free(phi);
  return HTZ_OK;
}
