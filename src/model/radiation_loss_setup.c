#include "radiation_private.h"

#include "hertzian/dsp/bessel.h"
#include "modes_private.h"

#include <math.h>
#include <stdlib.h>

/*
   What a mode loses to the air: with p = H a at a far ear, sigma = omega^2/(2 rho c m) Int |H|^2 R^2 dOmega. The far pressure of a line of
   dipoles is their spatial spectrum F(u) = Int phi e^{i k u x} dx, u the cosine of the angle from the line.
*/

static const double pi = 3.14159265358979323846;

enum { AROUND = 16, ALONG_PANELS = 6, SKIN_PANELS = 12 };

/** Spectra of the modes of `b` in direction `u`: of what moves alike across the width, and of what twists. */
static void spectra(const htz_modes* modes, band b, double k, double u, const side_rule* rule, double* phi, weight* even,
                    weight* odd) {
  const double length = modes->radiator.length;
  for (size_t m = 0; m < b.count; ++m) {
    even[m] = odd[m] = (weight){0.0, 0.0};
  }
  for (size_t i = 0; i < rule->n; ++i) {
    const double phase = k * u * (rule->at[i] - 0.5) * length, size = rule->weight[i] * length;
    const weight here = {size * cos(phase), size * sin(phase)};
    htz_radiation_line_shapes(modes, rule->at[i], phi);
    for (size_t m = 0; m < b.count; ++m) {
      even[m].re += phi[b.first + m] * here.re;
      even[m].im += phi[b.first + m] * here.im;
      odd[m].re += phi[modes->n + b.first + m] * here.re;
      odd[m].im += phi[modes->n + b.first + m] * here.im;
    }
  }
}

static double power(weight w) {
  return w.re * w.re + w.im * w.im;
}

/** Int |H|^2 R^2 dOmega of a line, by Gauss's rule in u and evenly around. */
static htz_status line_power(const htz_modes* modes, band b, double* out) {
  const htz_radiator* r = &modes->radiator;
  const double k = b.omega / HTZ_AIR_SPEED, thick = htz_radiation_thick(r->air, k);
  side_rule *rule = malloc(sizeof *rule), *along = malloc(sizeof *along);
  double* phi = calloc(2 * modes->n, sizeof *phi);
  weight* sums = calloc(2 * b.count, sizeof *sums);
  const htz_status st = rule && along && phi && sums ? HTZ_OK : HTZ_NO_MEMORY;
  if (!st) {
    htz_radiation_rule(htz_radiation_nodes(r->length, b.omega, (double)(b.first + b.count)), 1.0, rule);
    htz_radiation_rule(ALONG_PANELS * RADIATION_PANEL + k * r->length, 1.0, along);
    for (size_t i = 0; i < along->n; ++i) {
      const double u = 2.0 * along->at[i] - 1.0, across = sqrt(1.0 - u * u), d = 2.0 * along->weight[i];
      spectra(modes, b, k, u, rule, phi, sums, sums + b.count);
      for (size_t j = 0; j < AROUND; ++j) {
        const double angle = 2.0 * pi * ((double)j + 0.5) / AROUND, up = across * cos(angle);
        const double apart = 2.0 * sin(0.25 * k * r->width * across * sin(angle));
        for (size_t m = 0; m < b.count; ++m) {
          const double both = r->air * r->air * power(sums[m]) + pow(r->twisted * apart, 2.0) * power(sums[b.count + m]);
          out[m] += d * 2.0 * pi / AROUND * pow(k * thick * up / (4.0 * pi), 2.0) * both;
        }
      }
    }
  }
  free(rule);
  free(along);
  free(phi);
  free(sums);
  return st;
}

/** Of a skin over its closed vessel: |H| R = scale a^2 j |J_m'(j) J_m(z)/(z^2 - j^2)| |cos m phi|, z = k a sin(theta), on either side. */
static htz_status skin_power(const htz_modes* modes, band b, double* out) {
  const double a = 0.5 * modes->radiator.length, k = b.omega / HTZ_AIR_SPEED;
  side_rule* rule = malloc(sizeof *rule);
  if (!rule) {
    return HTZ_NO_MEMORY;
  }
  htz_radiation_rule(SKIN_PANELS * RADIATION_PANEL + k * a, 1.0, rule);
  const double sides = power(htz_radiation_vessel(k * a, false)) + power(htz_radiation_vessel(k * a, true));
  for (size_t m = 0; m < b.count; ++m) {
    const double* d = modes->data + (b.first + m) * HTZ_MEMBRANE_DATA;
    const unsigned order = (unsigned)d[0];
    const double j = d[1], slope = -htz_bessel_j(order + 1, j), around = order > 0 ? pi : 2.0 * pi;
    double sum = 0.0;
    for (size_t i = 0; i < rule->n; ++i) {
      const double angle = 0.5 * pi * rule->at[i], z = k * a * sin(angle), off = z * z - j * j;
      const double near = fabs(off) < 1e-6 * j * j ? 0.5 * slope / j : htz_bessel_j(order, z) / off;
      sum += rule->weight[i] * 0.5 * pi * sin(angle) * pow(d[2] * a * a * j * slope * near, 2.0);
    }
    out[m] = HTZ_AIR_DENSITY * HTZ_AIR_DENSITY * around * sides * sum;
  }
  free(rule);
  return HTZ_OK;
}

htz_status htz_radiation_loss(const htz_modes* modes, double* sigma) {
  const htz_radiates as = modes->radiator.as;
  if (as != HTZ_RADIATES_LINE && as != HTZ_RADIATES_SKIN) {
    return HTZ_UNSUPPORTED;
  }
  double* total = calloc(modes->n, sizeof *total);
  htz_status st = total ? HTZ_OK : HTZ_NO_MEMORY;
  for (size_t k = 0; k < modes->n && !st;) {
    size_t equal = 1; // pairs share one integration
    while (k + equal < modes->n && modes->omega[k + equal] == modes->omega[k]) {
      ++equal;
    }
    if (modes->audible[k]) {
      const band b = {k, equal, modes->omega[k]};
      st = as == HTZ_RADIATES_LINE ? line_power(modes, b, total + k) : skin_power(modes, b, total + k);
    }
    k += equal;
  }
  for (size_t k = 0; k < modes->n && !st; ++k) {
    sigma[k] += modes->omega[k] * modes->omega[k] * total[k] / (2.0 * HTZ_AIR_DENSITY * HTZ_AIR_SPEED * modes->mass[k]);
  }
  free(total);
  return st;
}
