#include "disc_private.h"

#include "hertzian/dsp/bessel.h"
#include "hertzian/dsp/linalg.h"

#include <math.h>
#include <stdlib.h>

static const double pi = 3.14159265358979323846;

enum { NORM_NODES = 160 }; // of the rule for the norm: R^2 has some 40 half waves at the highest number

/** J_n, or I_n over its value at the rim (`rim` = e^-xi I_n(xi)), with derivatives by r, at wave number xi. */
static disc_look bessel(bool modified, unsigned n, double xi, double rim, double r) {
  const double x = xi * r;
  disc_look out;
  if (modified) {
    const double scale = exp(x - xi) / rim;
    const double here = htz_bessel_i_scaled(n, x) * scale, next = htz_bessel_i_scaled(n + 1, x) * scale;
    out.value = here;
    out.slope = xi * next + (n ? n / r * here : 0.0);
  } else {
    const double here = htz_bessel_j(n, x), next = htz_bessel_j(n + 1, x);
    out.value = here;
    out.slope = -xi * next + (n ? n / r * here : 0.0);
  }
  // Bessel's equation.
  const double k2 = modified ? xi * xi : -xi * xi;
  out.curve = -out.slope / r + (k2 + (double)n * n / (r * r)) * out.value;
  return out;
}

/** How far R = J or I is from satisfying the two conditions at the rim. */
typedef struct {
  double first, second;
} rim;

static rim rim_of(bool clamped, double nu, bool modified, unsigned n, double xi) {
  const disc_look b = bessel(modified, n, xi, modified ? htz_bessel_i_scaled(n, xi) : 0.0, 1.0);
  const double n2 = (double)n * n;
  if (clamped) {
    return (rim){b.value, b.slope / xi};
  }
  const double bend = b.curve + nu * (b.slope - n2 * b.value);
  const double shear = (modified ? 1.0 : -1.0) * xi * xi * b.slope - (1.0 - nu) * n2 * (b.slope - b.value);
  return (rim){bend / (xi * xi), shear / (xi * xi * xi)};
}

static double wanting(bool clamped, double nu, unsigned n, double xi) {
  const rim j = rim_of(clamped, nu, false, n, xi), i = rim_of(clamped, nu, true, n, xi);
  return j.first * i.second - i.first * j.second;
}

static double root(bool clamped, double nu, unsigned n, double low, double high) {
  enum { HALVINGS = 56 };
  const bool falls = wanting(clamped, nu, n, low) > 0.0;
  for (int i = 0; i < HALVINGS; ++i) {
    const double middle = 0.5 * (low + high);
    if ((wanting(clamped, nu, n, middle) > 0.0) == falls) {
      low = middle;
    } else {
      high = middle;
    }
  }
  return 0.5 * (low + high);
}

disc_look htz_disc_look(const disc_radial* radial, double r) {
  const disc_look j = bessel(false, radial->order, radial->xi, 0.0, r);
  const disc_look i = bessel(true, radial->order, radial->xi, radial->rim, r);
  return (disc_look){radial->scale * (j.value + radial->beside * i.value), radial->scale * (j.slope + radial->beside * i.slope),
                     radial->scale * (j.curve + radial->beside * i.curve)};
}

double htz_disc_value(const disc_radial* radial, double r) {
  const double x = radial->xi * r, modified = exp(x - radial->xi) / radial->rim * htz_bessel_i_scaled(radial->order, x);
  return radial->scale * (htz_bessel_j(radial->order, x) + radial->beside * modified);
}

static disc_radial make(bool clamped, double nu, unsigned n, unsigned rank, double xi, const double* nodes,
                        const double* weights) {
  const rim j = rim_of(clamped, nu, false, n, xi), i = rim_of(clamped, nu, true, n, xi);
  disc_radial out = {
      .order = n, .rank = rank, .xi = xi, .beside = -j.first / i.first, .scale = 1.0, .rim = htz_bessel_i_scaled(n, xi)};
  double norm = 0.0;
  for (size_t k = 0; k < NORM_NODES; ++k) {
    const double r = 0.5 * (1.0 + nodes[k]), value = htz_disc_value(&out, r);
    norm += 0.5 * weights[k] * r * value * value;
  }
  out.scale = 1.0 / sqrt((n ? pi : 2.0 * pi) * norm);
  out.scale *= htz_disc_value(&out, 1.0) < 0.0 ? -1.0 : 1.0;
  return out;
}

static int compare(const void* a, const void* b) {
  const disc_radial *left = a, *right = b;
  return left->xi < right->xi ? -1 : left->xi > right->xi;
}

htz_status htz_disc_radials(bool clamped, double poisson, size_t modes, disc_radial** list, size_t* count) {
  static const double scan = 0.25;  // numbers of one order are some pi apart
  static const double margin = 6.0; // over Weyl's xi^2/4 modes below xi
  const double limit = 2.0 * sqrt((double)modes) + margin;
  const size_t most = 4 * modes + 64;
  double nodes[NORM_NODES], weights[NORM_NODES];
  htz_gauss_legendre(NORM_NODES, nodes, weights);
  disc_radial* all = malloc(most * sizeof *all);
  if (!all) {
    return HTZ_NO_MEMORY;
  }
  size_t n_all = 0;
  for (unsigned n = 0;; ++n) {
    const size_t before = n_all;
    double low = n < 2 ? 1.0 : 0.6 * n; // rigid motions lie at 0, the lowest number of an order above it
    double at_low = wanting(clamped, poisson, n, low);
    while (low < limit && n_all < most) {
      const double high = low + scan, at_high = wanting(clamped, poisson, n, high);
      if ((at_low > 0.0) != (at_high > 0.0)) {
        all[n_all] = (disc_radial){.order = n, .rank = (unsigned)(n_all - before), .xi = root(clamped, poisson, n, low, high)};
        ++n_all;
      }
      low = high;
      at_low = at_high;
    }
    if (n_all == before && n > 1) {
      break;
    }
  }
  qsort(all, n_all, sizeof *all, compare);
  size_t made = 0, have = 0;
  while (made < n_all && have + htz_disc_pair(&all[made]) <= modes) {
    have += htz_disc_pair(&all[made]);
    ++made;
  }
  for (size_t i = 0; i < made; ++i) {
    all[i] = make(clamped, poisson, all[i].order, all[i].rank, all[i].xi, nodes, weights);
  }
  *list = all;
  *count = made;
  return HTZ_OK;
}
