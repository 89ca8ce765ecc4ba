#include "radiation_private.h"

#include "hertzian/dsp/linalg.h"

#include <math.h>
#include <stdlib.h>

static const double pi = 3.14159265358979323846;

// Nodes per wavelength in air and per half wave of the shape: with them 20 modes of a piano's board are within 0.001 dB.
static const double per_wave = 4.5, per_half_wave = 2.2;

double htz_ear_delay(const htz_ear* ear) {
  return sqrt(ear->x * ear->x + ear->y * ear->y + ear->z * ear->z) / HTZ_AIR_SPEED;
}

static double beyond(double x, double half) {
  return fabs(x) > half ? fabs(x) - half : 0.0;
}

double htz_ear_distance(const htz_modes* modes, const htz_ear* ear) {
  const htz_radiator* r = &modes->radiator;
  const double half = 0.5 * r->length;
  if (r->as == HTZ_RADIATES_SKIN || r->as == HTZ_RADIATES_DISC) {
    return hypot(beyond(hypot(ear->x, ear->y), half), ear->z);
  }
  return hypot(hypot(beyond(ear->x, half), beyond(ear->y, 0.5 * r->width)), ear->z);
}

double htz_radiation_nodes(double length, double omega, double half_waves) {
  const double air = per_wave * length * omega / (2.0 * pi * HTZ_AIR_SPEED);
  const double shape = per_half_wave * half_waves;
  return (air > shape ? air : shape) + RADIATION_PANEL;
}

void htz_radiation_rule(double nodes, double longest, side_rule* out) {
  const double most = (double)(HTZ_RADIATION_SIDE_NODES_MAX / RADIATION_PANEL);
  const double wanted = ceil(fmax(nodes / RADIATION_PANEL, 1.0 / longest));
  const size_t panels = (size_t)(wanted < most ? wanted : most);
  double node[RADIATION_PANEL], gauss[RADIATION_PANEL];
  htz_gauss_legendre(RADIATION_PANEL, node, gauss);
  out->n = panels * RADIATION_PANEL;
  for (size_t i = 0; i < out->n; ++i) {
    const double inside = 0.5 * (1.0 + node[i % RADIATION_PANEL]);
    out->at[i] = ((double)(i / RADIATION_PANEL) + inside) / (double)panels;
    out->weight[i] = 0.5 * gauss[i % RADIATION_PANEL] / (double)panels;
  }
}

static htz_status mouth(const htz_modes* modes, const htz_ear* ear, band b, weight* out) {
  for (size_t i = 0; i < b.count; ++i) {
    out[i] = (weight){modes->radiator.area / (4.0 * pi * HTZ_AIR_SPEED * htz_ear_delay(ear)), 0.0};
  }
  return HTZ_OK;
}

static htz_status integrate(const htz_modes* modes, const htz_ear* ear, band b, double* re, double* im) {
  static htz_status (*const how[])(const htz_modes*, const htz_ear*, band, weight*) = {
      [HTZ_RADIATES_PLATE] = htz_radiation_plate,
      [HTZ_RADIATES_SKIN] = htz_radiation_skin,
      [HTZ_RADIATES_DISC] = htz_radiation_skin,
      [HTZ_RADIATES_LINE] = htz_radiation_line,
      [HTZ_RADIATES_MOUTH] = mouth,
  };
  weight* out = calloc(b.count, sizeof *out);
  if (!out) {
    return HTZ_NO_MEMORY;
  }
  const htz_status st = how[modes->radiator.as](modes, ear, b, out);
  for (size_t i = 0; i < b.count && !st; ++i) {
    const double heard = modes->audible[b.first + i] ? HTZ_AIR_DENSITY : 0.0;
    re[b.first + i] = heard * out[i].re;
    im[b.first + i] = heard * out[i].im;
  }
  free(out);
  return st;
}

htz_status htz_radiation_own(const htz_modes* modes, const htz_ear* ear, double* re, double* im) {
  if (modes->radiator.as == HTZ_RADIATES_NOTHING) {
    return HTZ_UNSUPPORTED;
  }
  htz_status st = HTZ_OK;
  for (size_t k = 0; k < modes->n && !st;) {
    size_t equal = 1; // pairs share one integration
    while (k + equal < modes->n && modes->omega[k + equal] == modes->omega[k]) {
      ++equal;
    }
    if (modes->omega[k] > 0.0) {
      st = integrate(modes, ear, (band){k, equal, modes->omega[k]}, re, im);
    } else {
      for (size_t i = k; i < k + equal; ++i) {
        re[i] = im[i] = 0.0;
      }
    }
    k += equal;
  }
  return st;
}

htz_status htz_radiation_at(const htz_modes* modes, const htz_ear* ear, double omega, double* re, double* im) {
  if (modes->radiator.as == HTZ_RADIATES_NOTHING) {
    return HTZ_UNSUPPORTED;
  }
  return integrate(modes, ear, (band){0, modes->n, omega}, re, im);
}
