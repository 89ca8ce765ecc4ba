#include "radiation_private.h"

#include <math.h>
#include <stdlib.h>

static const double pi = 3.14159265358979323846;

htz_status htz_radiation_line(const htz_modes* modes, const htz_ear* ear, band b, weight* out) {
  static const double share = 1.57; // of the exact cylinder, within 0.8 dB
  const htz_radiator* r = &modes->radiator;
  const double k = b.omega / HTZ_AIR_SPEED, far = HTZ_AIR_SPEED * htz_ear_delay(ear);
  side_rule* rule = malloc(sizeof *rule);
  double* phi = calloc(modes->n, sizeof *phi);
  if (!rule || !phi) {
    free(rule);
    free(phi);
    return HTZ_NO_MEMORY;
  }
  // A bar's mode k has about k half waves; the nodes of the highest serve all.
  htz_radiation_rule(htz_radiation_nodes(r->length, b.omega, (double)(b.first + b.count)),
                     2.0 * htz_ear_distance(modes, ear) / r->length, rule);
  for (size_t i = 0; i < rule->n; ++i) {
    const double dx = ear->x - (rule->at[i] - 0.5) * r->length;
    const double distance = sqrt(dx * dx + ear->y * ear->y + ear->z * ear->z);
    const double size = r->air / HTZ_AIR_DENSITY * rule->weight[i] * r->length * ear->z / (4.0 * pi * distance * distance);
    const double phase = -k * (distance - far);
    const weight dipole = {size / distance, size * k};
    const weight here = weight_times(dipole, (weight){cos(phase), sin(phase)});
    modes->shape(modes, rule->at[i], phi);
    for (size_t m = 0; m < b.count; ++m) {
      out[m].re += phi[b.first + m] * here.re;
      out[m].im += phi[b.first + m] * here.im;
    }
  }
  const double around = k * sqrt(r->air / (2.0 * pi * HTZ_AIR_DENSITY));
  const double thick = 1.0 / sqrt(1.0 + share * around * around * around);
  for (size_t m = 0; m < b.count; ++m) {
    out[m] = (weight){thick * out[m].re, thick * out[m].im};
  }
  free(rule);
  free(phi);
  return HTZ_OK;
}
