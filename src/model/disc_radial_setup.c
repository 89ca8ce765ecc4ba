#include "disc_private.h"

#include "hertzian/dsp/bessel.h"

#include <math.h>
#include <stdlib.h>

static const double pi = 3.14159265358979323846;

/** J_n, or I_n over its value at the rim (`rim` = e^-xi I_n(xi)), with derivatives by r, at wave number xi. */
static disc_look bessel(bool modified, unsigned n, double xi, double rim, double r) {
  const double x = xi * r;
  disc_look out;
  if (modified) {
    const double scale = exp(x - xi) / rim;
    const htz_bessel_pair i = htz_bessel_i_pair(n, x);
    out.value = i.here * scale;
    out.slope = xi * i.next * scale + (n ? n / r * out.value : 0.0);
  } else {
    const htz_bessel_pair j = htz_bessel_j_pair(n, x);
    out.value = j.here;
    out.slope = -xi * j.next + (n ? n / r * j.here : 0.0);
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

/** Between two numbers at which it has these values of opposite sign: false position, the end that stays counting half (Illinois). */
static double root(bool clamped, double nu, unsigned n, double low, double at_low, double high, double at_high) {
  enum { STEPS = 60 };
  static const double close = 4e-16; // of the number
  int kept = 0;
  for (int i = 0; i < STEPS && high - low > close * high; ++i) {
    const double between = low + (high - low) * at_low / (at_low - at_high);
    const double at = wanting(clamped, nu, n, between);
    if (at == 0.0) {
      return between;
    }
    if ((at > 0.0) == (at_low > 0.0)) {
      low = between;
      at_low = at;
      at_high *= kept == 1 ? 0.5 : 1.0;
      kept = 1;
    } else {
      high = between;
      at_high = at;
      at_low *= kept == -1 ? 0.5 : 1.0;
      kept = -1;
    }
  }
  return fabs(at_low) < fabs(at_high) ? low : high;
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

bool htz_disc_values(const disc_radial* radial, size_t n, const double* r, double* out) {
  double* work = calloc(2 * n + 1, sizeof *work);
  if (!work) {
    return false;
  }
  double *x = work, *modified = work + n;
  for (size_t i = 0; i < n; ++i) {
    x[i] = radial->xi * r[i];
  }
  htz_bessel_j_row(radial->order, n, x, out);
  htz_bessel_i_row(radial->order, n, x, modified);
  for (size_t i = 0; i < n; ++i) {
    out[i] = radial->scale * (out[i] + radial->beside * exp(x[i] - radial->xi) / radial->rim * modified[i]);
  }
  free(work);
  return true;
}

/**
   Int_0^1 R^2 r dr of R = J_n(xi r) + beside I_n(xi r)/I_n(xi): Lommel's integrals, with derivatives by the argument,
   2 Int J^2 r dr = J'^2 + (1 - n^2/xi^2) J^2, 2 Int I^2 r dr = (1 + n^2/xi^2) I^2 - I'^2, 2 xi Int J I r dr = J_(n+1) I_n + J_n I_(n+1).
*/
static double norm(unsigned n, double xi, double at_rim, double beside) {
  const htz_bessel_pair j = htz_bessel_j_pair(n, xi);
  const double share = n / xi, next_i = htz_bessel_i_pair(n, xi).next / at_rim;
  const double slope_j = share * j.here - j.next, slope_i = share + next_i;
  const double jj = 0.5 * (slope_j * slope_j + (1.0 - share * share) * j.here * j.here);
  const double ii = 0.5 * (1.0 + share * share - slope_i * slope_i);
  return jj + beside * beside * ii + 2.0 * beside * (j.next + j.here * next_i) / (2.0 * xi);
}

static disc_radial make(bool clamped, double nu, unsigned n, unsigned rank, double xi) {
  const rim j = rim_of(clamped, nu, false, n, xi), i = rim_of(clamped, nu, true, n, xi);
  disc_radial out = {
      .order = n, .rank = rank, .xi = xi, .beside = -j.first / i.first, .scale = 1.0, .rim = htz_bessel_i_scaled(n, xi)};
  out.scale = 1.0 / sqrt((n ? pi : 2.0 * pi) * norm(n, xi, out.rim, out.beside));
  out.scale *= htz_disc_value(&out, 1.0) < 0.0 ? -1.0 : 1.0;
  return out;
}

static int compare(const void* a, const void* b) {
  const disc_radial *left = a, *right = b;
  return left->xi < right->xi ? -1 : left->xi > right->xi;
}

htz_status htz_disc_radials(bool clamped, double poisson, size_t modes, disc_radial** list, size_t* count) {
  static const double scan = 1.0;   // numbers of one order are some pi apart
  static const double margin = 6.0; // over Weyl's xi^2/4 modes below xi
  const double limit = 2.0 * sqrt((double)modes) + margin;
  const size_t most = 4 * modes + 64;
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
        all[n_all] = (disc_radial){
            .order = n, .rank = (unsigned)(n_all - before), .xi = root(clamped, poisson, n, low, at_low, high, at_high)};
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
    all[i] = make(clamped, poisson, all[i].order, all[i].rank, all[i].xi);
  }
  *list = all;
  *count = made;
  return HTZ_OK;
}
