#include "disc_private.h"

#include "hertzian/dsp/linalg.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double pi = 3.14159265358979323846;

/** Values of all functions at Gauss's nodes. */
static bool look_at(size_t n, const disc_radial* radial, size_t nodes, disc_nodes* out) {
  double* block = malloc((nodes + 4 * n * nodes) * sizeof *block);
  double* rule = malloc(2 * nodes * sizeof *rule);
  *out = (disc_nodes){.nodes = nodes, .weight = block};
  if (!block || !rule) {
    free(rule);
    return false;
  }
  htz_gauss_legendre(nodes, rule, rule + nodes);
  out->value = block + nodes;
  out->curve = out->value + n * nodes;
  out->ring = out->curve + n * nodes;
  out->twist = out->ring + n * nodes;
  for (size_t i = 0; i < nodes; ++i) {
    const double r = 0.5 * (1.0 + rule[i]);
    out->weight[i] = 0.5 * rule[nodes + i] * r;
    for (size_t k = 0; k < n; ++k) {
      const disc_look l = htz_disc_look(&radial[k], r);
      const double n2 = (double)radial[k].order * radial[k].order;
      out->value[k * nodes + i] = l.value;
      out->curve[k * nodes + i] = l.curve;
      out->ring[k * nodes + i] = l.slope / r - n2 * l.value / (r * r);
      out->twist[k * nodes + i] = l.slope / r - l.value / (r * r);
    }
  }
  free(rule);
  return true;
}

/*
   Over the angle, with z = cos + i sin of each pair: G = sum h+ z_p z_q (orders add) + h- conj(z_p) z_q (order of q less that of p), h+- =
   f sqrt(epsilon) (I1 +- I2)/(2 zeta^2), I1 = Int S (R_p'' ring_q + ring_p R_q'') r dr, I2 = 2 n_p n_q Int S twist_p twist_q r dr, f the integral of
   the three cosines. Orders 0 have no sine: with one of them the sum and the difference are one, and so are all products at order 0.
*/
double htz_disc_integral(const disc_set* set, unsigned p, unsigned q, unsigned k, bool difference) {
  const disc_nodes *a = &set->at, *s = &set->stress_at;
  const double *curve_p = a->curve + p * a->nodes, *curve_q = a->curve + q * a->nodes;
  const double *ring_p = a->ring + p * a->nodes, *ring_q = a->ring + q * a->nodes;
  const double *twist_p = a->twist + p * a->nodes, *twist_q = a->twist + q * a->nodes;
  const double* stress = s->value + k * a->nodes;
  const unsigned np = set->radial[p].order, nq = set->radial[q].order;
  double first = 0.0, second = 0.0;
  for (size_t i = 0; i < a->nodes; ++i) {
    const double w = a->weight[i] * stress[i];
    first += w * (curve_p[i] * ring_q[i] + ring_p[i] * curve_q[i]);
    second += w * twist_p[i] * twist_q[i];
  }
  second *= 2.0 * np * nq;
  const double angle = np && nq ? (set->stress[k].order ? 0.5 * pi : pi) : (np || nq ? pi : 2.0 * pi);
  const double zeta = set->stress[k].xi;
  return sqrt(set->epsilon) * angle * (difference ? first - second : first + second) / (2.0 * zeta * zeta);
}

static void sort_by_order(disc_set* s) {
  unsigned at = 0;
  size_t start = 0;
  for (unsigned n = 0; n <= s->top; ++n) {
    s->first[n] = at;
    s->start[n] = start;
    for (unsigned i = 0; i < s->n_radials; ++i) {
      if (s->radial[i].order == n) {
        s->of[at++] = i;
      }
    }
    s->count[n] = at - s->first[n];
    s->widest = s->count[n] > s->widest ? s->count[n] : s->widest;
    start += (size_t)s->count[n] * s->count[n];
  }
}

/** The cap rise (1 - r^2), by the flat modes of order 0: Int over the disc of it times phi. */
static void place_cap(disc_set* s, double rise) {
  double* nodes = malloc(2 * s->at.nodes * sizeof *nodes);
  if (!nodes) {
    return;
  }
  htz_gauss_legendre(s->at.nodes, nodes, nodes + s->at.nodes);
  for (unsigned i = 0; i < s->count[0]; ++i) {
    double sum = 0.0;
    for (size_t j = 0; j < s->at.nodes; ++j) {
      const double r = 0.5 * (1.0 + nodes[j]);
      sum += s->at.weight[j] * (1.0 - r * r) * s->at.value[s->of[i] * s->at.nodes + j];
    }
    s->rest[i] = 2.0 * pi * rise * sum;
  }
  free(nodes);
}

/** L_k of the flat modes of its order: twice the sum of H over the cap. */
static void lift_flat(const disc_set* s, unsigned k, double* out) {
  const unsigned n = s->stress[k].order;
  for (unsigned j = 0; j < s->count[n]; ++j) {
    double sum = 0.0;
    for (unsigned i = 0; i < s->count[0]; ++i) {
      sum += s->rest[i] * htz_disc_integral(s, s->of[i], s->of[s->first[n] + j], k, false);
    }
    out[j] = 2.0 * sum;
  }
}

/** Modes of one order of the cap: those of xi^4 + sum L L'. */
static htz_status turn_order(disc_set* s, unsigned n, double* flat) {
  const unsigned c = s->count[n];
  double* work = calloc((size_t)2 * c * c + c, sizeof *work);
  if (!work) {
    return HTZ_NO_MEMORY;
  }
  double *stiff = work, *unit = work + (size_t)c * c, *lambda = unit + (size_t)c * c;
  for (unsigned i = 0; i < c; ++i) {
    const double xi = s->radial[s->of[s->first[n] + i]].xi;
    stiff[i * c + i] = xi * xi * xi * xi;
    unit[i * c + i] = 1.0;
  }
  for (unsigned k = 0; k < s->n_stress; ++k) {
    const double* l = flat + (size_t)k * s->widest;
    for (unsigned i = 0; s->stress[k].order == n && i < c; ++i) {
      for (unsigned j = 0; j < c; ++j) {
        stiff[i * c + j] += l[i] * l[j];
      }
    }
  }
  double* turned = s->turned + s->start[n];
  const htz_status st = htz_eigen_symmetric(c, stiff, unit, lambda, turned);
  for (unsigned i = 0; i < c && !st; ++i) {
    s->number[s->first[n] + i] = sqrt(lambda[i]);
    double rim = 0.0; // up there, as flat ones are
    for (unsigned j = 0; j < c; ++j) {
      rim += turned[i * c + j] * htz_disc_value(&s->radial[s->of[s->first[n] + j]], 1.0);
    }
    for (unsigned j = 0; rim < 0.0 && j < c; ++j) {
      turned[i * c + j] = -turned[i * c + j];
    }
  }
  for (unsigned k = 0; k < s->n_stress && !st; ++k) {
    for (unsigned i = 0; s->stress[k].order == n && i < c; ++i) {
      double sum = 0.0;
      for (unsigned j = 0; j < c; ++j) {
        sum += turned[i * c + j] * flat[(size_t)k * s->widest + j];
      }
      s->lift[(size_t)k * s->widest + i] = sum;
    }
  }
  free(work);
  return st;
}

static bool allocate(disc_set* s) {
  size_t square = 0;
  for (unsigned i = 0; i < s->n_radials; ++i) {
    s->top = s->radial[i].order > s->top ? s->radial[i].order : s->top;
  }
  s->count = calloc((size_t)s->top + 1, sizeof *s->count);
  s->first = calloc((size_t)s->top + 1, sizeof *s->first);
  s->start = calloc((size_t)s->top + 1, sizeof *s->start);
  s->of = calloc(s->n_radials, sizeof *s->of);
  s->rest = calloc(s->n_radials, sizeof *s->rest);
  s->number = calloc(s->n_radials, sizeof *s->number);
  if (!s->count || !s->first || !s->start || !s->of || !s->rest || !s->number) {
    return false;
  }
  sort_by_order(s);
  for (unsigned n = 0; n <= s->top; ++n) {
    square += (size_t)s->count[n] * s->count[n];
  }
  s->turned = calloc(square, sizeof *s->turned);
  s->lift = calloc(s->n_stress * s->widest, sizeof *s->lift);
  return s->turned && s->lift;
}

htz_status htz_disc_set_make(disc_set* s, double rise) {
  // Half waves of the product of three functions, and some: the rule is exact to rounding from there on.
  static const double more = 20.0;
  const double fastest = s->radial[s->n_radials - 1].xi, stress = s->stress[s->n_stress - 1].xi;
  const size_t nodes = (size_t)(0.5 * stress + fastest + more);
  if (!look_at(s->n_radials, s->radial, nodes, &s->at) || !look_at(s->n_stress, s->stress, nodes, &s->stress_at) ||
      !allocate(s)) {
    return HTZ_NO_MEMORY;
  }
  double* flat = calloc(s->n_stress * s->widest, sizeof *flat);
  if (!flat) {
    return HTZ_NO_MEMORY;
  }
  if (rise > 0.0) {
    place_cap(s, rise);
    for (unsigned k = 0; k < s->n_stress; ++k) {
      if (s->stress[k].order <= s->top) {
        lift_flat(s, k, flat + (size_t)k * s->widest);
      }
    }
  }
  htz_status st = HTZ_OK;
  for (unsigned n = 0; n <= s->top && !st; ++n) {
    st = s->count[n] ? turn_order(s, n, flat) : HTZ_OK;
  }
  free(flat);
  return st;
}

void htz_disc_set_free(disc_set* s) {
  free(s->count);
  free(s->first);
  free(s->start);
  free(s->of);
  free(s->rest);
  free(s->number);
  free(s->turned);
  free(s->lift);
  free(s->at.weight);
  free(s->stress_at.weight);
}
