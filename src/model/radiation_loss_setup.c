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

enum { AROUND = 4, ALONG_PANELS = 2, SKIN_PANELS = 4 };

static double power(weight w) {
  return w.re * w.re + w.im * w.im;
}

/** Shapes at the nodes of a rule, [node][2 n] as htz_radiation_line_shapes() gives them: worked out once for all directions and modes. */
typedef struct {
  side_rule rule, along; // along the body; of u, from 0 to 1
  double* phi;
} sampled;

/** Spectra of a mode's bending and twisting in direction u, `k` the wave number. */
typedef struct {
  weight bent, twisted;
} spectra;

// Nodes, of which there is an even number, lie alike to both sides of the middle, where the phase is 0: each pair takes one angle.
static spectra spectra_of(const htz_modes* modes, const sampled* s, size_t m, double k, double u) {
  const double length = modes->radiator.length;
  const bool twists = modes->radiator.twisted > 0.0;
  spectra sum = {{0.0, 0.0}, {0.0, 0.0}};
  for (size_t i = 0; i < s->rule.n / 2; ++i) {
    const size_t mirror = s->rule.n - 1 - i;
    const double phase = k * u * (s->rule.at[i] - 0.5) * length, size = s->rule.weight[i] * length;
    const double even = size * cos(phase), odd = size * sin(phase);
    const double *here = s->phi + i * 2 * modes->n + m, *there = s->phi + mirror * 2 * modes->n + m;
    sum.bent.re += even * (here[0] + there[0]);
    sum.bent.im += odd * (here[0] - there[0]);
    if (twists) {
      sum.twisted.re += even * (here[modes->n] + there[modes->n]);
      sum.twisted.im += odd * (here[modes->n] - there[modes->n]);
    }
  }
  return sum;
}

/** Int cos^2 f d phi around the line, f what two lines `apart` [rad] of phase at most against each other keep of the pressure of one. */
static double around(double apart) {
  double sum = 0.0;
  for (size_t j = 0; j < AROUND; ++j) { // a quarter of the circle: the others are the same
    const double angle = 0.5 * pi * ((double)j + 0.5) / AROUND, up = cos(angle), kept = 2.0 * sin(0.5 * apart * sin(angle));
    sum += 2.0 * pi / AROUND * up * up * kept * kept;
  }
  return sum;
}

/** Int |H|^2 R^2 dOmega of mode `m` of a line: u and -u are alike. */
static double line_power(const htz_modes* modes, sampled* s, size_t m) {
  const htz_radiator* r = &modes->radiator;
  const double k = modes->omega[m] / HTZ_AIR_SPEED, thick = htz_radiation_thick(r->air, k);
  htz_radiation_rule(ALONG_PANELS * RADIATION_PANEL + 0.5 * k * r->length, 1.0, &s->along);
  double sum = 0.0;
  for (size_t i = 0; i < s->along.n; ++i) {
    const double u = s->along.at[i], across = sqrt(1.0 - u * u);
    const spectra of = spectra_of(modes, s, m, k, u);
    double both = pi * r->air * r->air * power(of.bent);
    if (r->twisted > 0.0) {
      const double apart = around(0.5 * k * r->width * across);
      both += apart * r->twisted * r->twisted * power(of.twisted);
    }
    sum += 2.0 * s->along.weight[i] * pow(k * thick * across / (4.0 * pi), 2.0) * both;
  }
  return sum;
}

static htz_status add_lines(const htz_modes* modes, double* total) {
  sampled* s = malloc(sizeof *s);
  const htz_radiator* r = &modes->radiator;
  double highest = 0.0;
  for (size_t k = 0; k < modes->n; ++k) {
    highest = fmax(highest, modes->omega[k]);
  }
  if (s) {
    htz_radiation_rule(htz_radiation_nodes(r->length, highest, (double)modes->n), 1.0, &s->rule);
    s->phi = malloc(s->rule.n * 2 * modes->n * sizeof *s->phi);
  }
  if (!s || !s->phi) {
    free(s);
    return HTZ_NO_MEMORY;
  }
  for (size_t i = 0; i < s->rule.n; ++i) {
    htz_radiation_line_shapes(modes, s->rule.at[i], s->phi + i * 2 * modes->n);
  }
  for (size_t m = 0; m < modes->n; ++m) {
    total[m] = modes->audible[m] ? line_power(modes, s, m) : 0.0;
  }
  free(s->phi);
  free(s);
  return HTZ_OK;
}

/** Of a skin over its closed vessel: |H| R = scale a^2 j |J_m'(j) J_m(z)/(z^2 - j^2)| |cos m phi|, z = k a sin(theta), on either side. */
static double skin_power(const htz_modes* modes, size_t m, side_rule* rule) {
  const double a = 0.5 * modes->radiator.length, k = modes->omega[m] / HTZ_AIR_SPEED;
  htz_radiation_rule(SKIN_PANELS * RADIATION_PANEL + k * a, 1.0, rule);
  const double sides = power(htz_radiation_vessel(k * a, false)) + power(htz_radiation_vessel(k * a, true));
  const double* d = modes->data + m * HTZ_MEMBRANE_DATA;
  const unsigned order = (unsigned)d[0];
  const double j = d[1], slope = -htz_bessel_j(order + 1, j), turned = order > 0 ? pi : 2.0 * pi;
  double sum = 0.0;
  for (size_t i = 0; i < rule->n; ++i) {
    const double angle = 0.5 * pi * rule->at[i], z = k * a * sin(angle), off = z * z - j * j;
    const double near = fabs(off) < 1e-6 * j * j ? 0.5 * slope / j : htz_bessel_j(order, z) / off;
    sum += rule->weight[i] * 0.5 * pi * sin(angle) * pow(d[2] * a * a * j * slope * near, 2.0);
  }
  return HTZ_AIR_DENSITY * HTZ_AIR_DENSITY * turned * sides * sum;
}

static htz_status add_skins(const htz_modes* modes, double* total) {
  side_rule* rule = malloc(sizeof *rule);
  if (!rule) {
    return HTZ_NO_MEMORY;
  }
  for (size_t m = 0; m < modes->n; ++m) { // the second of a pair loses what the first does
    total[m] = m > 0 && modes->omega[m] == modes->omega[m - 1] ? total[m - 1] : skin_power(modes, m, rule);
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
  const htz_status st = !total ? HTZ_NO_MEMORY : as == HTZ_RADIATES_LINE ? add_lines(modes, total) : add_skins(modes, total);
  for (size_t k = 0; k < modes->n && !st; ++k) {
    sigma[k] += modes->omega[k] * modes->omega[k] * total[k] / (2.0 * HTZ_AIR_DENSITY * HTZ_AIR_SPEED * modes->mass[k]);
  }
  free(total);
  return st;
}
