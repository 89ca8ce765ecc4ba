#include "radiation_private.h"

#include "modes_private.h"

#include "hertzian/dsp/kernels.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double pi = 3.14159265358979323846;

/*
   Shapes of plates are sums of products X(x) Y(y): sines of a supported plate, Legendre polynomials of others. The kernel is integrated
   against those products once, and every mode is a sum of few or many of them. Where a beam joins the modes of a supported plate, every
   mode is a sum of some of the products, whose integrals are gathered in the order of its coefficients.
*/

/** Every `step`-th of the functions along a side. */
typedef struct {
  size_t first, step, count;
} choice;

/** Mode = sum_ij c[i][j] X_(x, i) Y_(y, j). */
typedef struct {
  choice x, y;
  const double* c;
} product;

static bool is_beamed(const htz_modes* modes) {
  return modes->shape_xy == htz_shape_beamed_xy;
}

static bool is_series(const htz_modes* modes) {
  return modes->shape_xy != htz_shape_board_xy && !is_beamed(modes);
}

static product mode_of(const htz_modes* modes, size_t k) {
  static const double one = 1.0;
  if (is_beamed(modes)) { // all products that any of its terms may be
    const size_t m = (size_t)modes->data[HTZ_BEAMED_MOST_M], n = (size_t)modes->data[HTZ_BEAMED_MOST_N];
    return (product){{0, 1, m}, {0, 1, n}, htz_beamed_row(modes, k)};
  }
  if (!is_series(modes)) {
    const double* number = modes->data + HTZ_BOARD_LINE + 2 * k;
    return (product){{(size_t)number[0] - 1, 1, 1}, {(size_t)number[1] - 1, 1, 1}, &one};
  }
  const size_t tx = (size_t)modes->data[0], ty = (size_t)modes->data[1], rigid = (size_t)modes->data[2];
  if (k < rigid) {
    return (product){{0, 1, 0}, {0, 1, 0}, &one}; // not heard
  }
  const double* mode = modes->data + HTZ_PLATE_HEAD + (k - rigid) * (2 + tx * ty);
  return (product){{mode[0] != 0.0, 2, tx}, {mode[1] != 0.0, 2, ty}, mode + 2};
}

static size_t end_of(choice c) {
  return c.count ? c.first + c.step * (c.count - 1) + 1 : 0;
}

/** What a band's modes need: from the lowest function of any of them on, up to the highest. */
static choice join(choice a, choice b) {
  if (a.count == 0 || b.count == 0) {
    return a.count ? a : b;
  }
  if (a.first == b.first && a.step == b.step && a.count == b.count) {
    return a;
  }
  const size_t first = a.first < b.first ? a.first : b.first;
  const size_t end = end_of(a) > end_of(b) ? end_of(a) : end_of(b);
  return (choice){first, 1, end - first};
}

/** Values of the functions along a side, times the rule's weights, [count][rule->n]. */
static void fill(bool series, choice of, const side_rule* rule, double side, double* out) {
  for (size_t i = 0; i < rule->n; ++i) {
    const double share = rule->weight[i] * side;
    const double xi = 2.0 * rule->at[i] - 1.0, twice = 2.0 * cos(pi * rule->at[i]);
    double last = 0.0, here = series ? 1.0 : sin(pi * rule->at[i]); // P_(d - 1) and P_d, or sin d a and sin (d + 1) a
    for (size_t d = 0, f = 0; f < of.count; ++d) {
      if (d == of.first + f * of.step) {
        out[f++ * rule->n + i] = share * here;
      }
      const double at = (double)d;
      const double next = series ? ((2.0 * at + 1.0) * xi * here - at * last) / (at + 1.0) : twice * here - last;
      last = here;
      here = next;
    }
  }
}

typedef struct {
  side_rule x, y;
  choice fx, fy;
  double *along, *across; // functions times weights
  const htz_kernels* k;
  double *re, *im; // kernel at one x, [y.n]
  weight* part;    // that against the functions of y, [fy.count]
  weight* sum;     // [fx.count][fy.count]
  size_t* reach;   // functions of y, from the first on, that are wanted with each of x, [fx.count]
  double* listed;  // of a board with a beam: those of its bare modes, real parts and imaginary ones, [2][htz_beamed_wide()]
} sheet;

static void free_sheet(sheet* s) {
  free(s->along);
  free(s->across);
  free(s->re);
  free(s->im);
  free(s->part);
  free(s->sum);
  free(s->reach);
  free(s->listed);
  free(s);
}

_Static_assert(RADIATION_PANEL % HTZ_LANES == 0, "a side is what the kernels take at once");

/** Room for n numbers as the kernels want them. */
static double* numbers(size_t n) {
  enum { ALIGNED = 64 };
  return aligned_alloc(ALIGNED, (n / HTZ_LANES + 1) * HTZ_LANES * sizeof(double));
}

/** Of a board with a beam only products are wanted that are among its bare modes, a quarter of all. */
static void limit(const htz_modes* modes, sheet* s) {
  const double* number = is_beamed(modes) ? htz_beamed_numbers(modes) : NULL;
  for (size_t f = 0; f < s->fx.count; ++f) {
    s->reach[f] = number ? 0 : s->fy.count;
  }
  for (size_t j = 0; number && j < htz_beamed_basis(modes); ++j) {
    const size_t f = (size_t)number[2 * j] - 1, n = (size_t)number[2 * j + 1];
    s->reach[f] = n > s->reach[f] ? n : s->reach[f];
  }
}

static sheet* lay(const htz_modes* modes, const htz_ear* ear, band b) {
  const htz_radiator* r = &modes->radiator;
  sheet* s = calloc(1, sizeof *s);
  if (!s) {
    return NULL;
  }
  for (size_t i = 0; i < b.count; ++i) {
    const product p = mode_of(modes, b.first + i);
    s->fx = join(s->fx, p.x);
    s->fy = join(s->fy, p.y);
  }
  const double near = 2.0 * htz_ear_distance(modes, ear);
  htz_radiation_rule(htz_radiation_nodes(r->length, b.omega, (double)end_of(s->fx)), near / r->length, &s->x);
  htz_radiation_rule(htz_radiation_nodes(r->width, b.omega, (double)end_of(s->fy)), near / r->width, &s->y);
  s->along = calloc(s->fx.count * s->x.n + 1, sizeof *s->along);
  s->across = numbers(s->fy.count * s->y.n);
  s->k = htz_kernels_select();
  s->re = numbers(s->y.n);
  s->im = numbers(s->y.n);
  s->part = calloc(s->fy.count + 1, sizeof *s->part);
  s->sum = calloc(s->fx.count * s->fy.count + 1, sizeof *s->sum);
  s->reach = calloc(s->fx.count + 1, sizeof *s->reach);
  s->listed = numbers(is_beamed(modes) ? 2 * htz_beamed_wide(modes) : 0);
  if (!s->along || !s->across || !s->re || !s->im || !s->part || !s->sum || !s->reach || !s->listed) {
    free_sheet(s);
    return NULL;
  }
  limit(modes, s);
  fill(is_series(modes), s->fx, &s->x, r->length, s->along);
  fill(is_series(modes), s->fy, &s->y, r->width, s->across);
  return s;
}

/** The kernel against every product of functions, one row of nodes after the other. */
static void integrate(const htz_radiator* r, const htz_ear* ear, double omega, sheet* s) {
  const double k = omega / HTZ_AIR_SPEED, far = HTZ_AIR_SPEED * htz_ear_delay(ear);
  for (size_t i = 0; i < s->x.n; ++i) {
    const double dx = ear->x - (s->x.at[i] - 0.5) * r->length;
    for (size_t j = 0; j < s->y.n; ++j) {
      const double dy = ear->y - (s->y.at[j] - 0.5) * r->width;
      const double distance = sqrt(dx * dx + dy * dy + ear->z * ear->z);
      const double size = 1.0 / (2.0 * pi * distance), phase = -k * (distance - far);
      s->re[j] = size * cos(phase);
      s->im[j] = size * sin(phase);
    }
    for (size_t f = 0; f < s->fy.count; ++f) {
      const double* across = s->across + f * s->y.n;
      s->part[f] = (weight){s->k->dot(s->y.n, across, s->re), s->k->dot(s->y.n, across, s->im)};
    }
    for (size_t f = 0; f < s->fx.count; ++f) {
      const double along = s->along[f * s->x.n + i];
      weight* sum = s->sum + f * s->fy.count;
      for (size_t g = 0; g < s->reach[f]; ++g) {
        sum[g].re += along * s->part[g].re;
        sum[g].im += along * s->part[g].im;
      }
    }
  }
}

/** The integrals of a beam's bare modes, in their order. */
static void list(const htz_modes* modes, sheet* s) {
  const size_t basis = htz_beamed_basis(modes), wide = htz_beamed_wide(modes);
  const double* number = htz_beamed_numbers(modes);
  for (size_t j = 0; j < wide; ++j) {
    const weight none = {0.0, 0.0};
    const weight at = j < basis ? s->sum[((size_t)number[2 * j] - 1) * s->fy.count + (size_t)number[2 * j + 1] - 1] : none;
    s->listed[j] = at.re;
    s->listed[wide + j] = at.im;
  }
}

static weight gather(const htz_modes* modes, const sheet* s, const product* p) {
  if (is_beamed(modes)) {
    const size_t wide = htz_beamed_wide(modes);
    return (weight){s->k->dot(wide, p->c, s->listed), s->k->dot(wide, p->c, s->listed + wide)};
  }
  weight out = {0.0, 0.0};
  for (size_t i = 0; i < p->x.count; ++i) {
    const size_t row = (p->x.first + i * p->x.step - s->fx.first) / s->fx.step;
    for (size_t j = 0; j < p->y.count; ++j) {
      const size_t column = (p->y.first + j * p->y.step - s->fy.first) / s->fy.step;
      const weight* at = &s->sum[row * s->fy.count + column];
      out.re += p->c[i * p->y.count + j] * at->re;
      out.im += p->c[i * p->y.count + j] * at->im;
    }
  }
  return out;
}

/** Half waves along both sides: those of a sine, or of the strongest function. */
static void half_waves(const htz_modes* modes, size_t k, const product* p, size_t n[2]) {
  if (is_beamed(modes)) {
    n[0] = (size_t)htz_beamed_strongest(modes, k)[0];
    n[1] = (size_t)htz_beamed_strongest(modes, k)[1];
    return;
  }
  const bool series = is_series(modes);
  double most = 0.0;
  n[0] = n[1] = 1;
  for (size_t i = 0; i < p->x.count; ++i) {
    for (size_t j = 0; j < p->y.count; ++j) {
      const double size = fabs(p->c[i * p->y.count + j]);
      if (size > most) {
        most = size;
        n[0] = p->x.first + i * p->x.step + !series;
        n[1] = p->y.first + j * p->y.step + !series;
      }
    }
  }
  n[0] = n[0] > 0 ? n[0] : 1;
  n[1] = n[1] > 0 ? n[1] : 1;
}

/** Length of the air that goes to and fro with `n` half waves over a strip so wide [m]. */
static double carried(double width, size_t n) {
  static const double strip = 0.785, even = 0.9; // within 1.5 dB below half a wave to the width
  return strip * 0.5 * width / (n % 2 ? sqrt((double)n) : pow((double)n, even));
}

weight htz_radiation_unbaffled(const htz_radiator* r, const htz_ear* ear, double k, double length) {
  const double kappa = k * length * fabs(ear->z) / (HTZ_AIR_SPEED * htz_ear_delay(ear));
  const double size = kappa / sqrt(1.0 + kappa * kappa), turn = atan2(1.0, kappa);
  const double power = r->baffle == HTZ_BAFFLE_WALL ? 0.0 : r->baffle == HTZ_BAFFLE_RIM ? 0.5 : 1.0;
  const double left = power == 0.0 ? 1.0 : power == 0.5 ? sqrt(size) : size;
  return (weight){left * cos(power * turn), left * sin(power * turn)};
}

/** Both sides' lengths together are shorter than either: of a square they give what a disc of its area has. */
static double carried_by(const htz_radiator* r, const size_t n[2]) {
  static const double square = 1.4;
  const double lx = carried(r->length, n[0]), ly = carried(r->width, n[1]);
  return pow(pow(lx, -square) + pow(ly, -square), -1.0 / square);
}

double htz_radiation_plate_carried(const htz_modes* modes, size_t k) {
  const product p = mode_of(modes, k);
  size_t n[2];
  half_waves(modes, k, &p, n);
  return carried_by(&modes->radiator, n);
}

htz_status htz_radiation_plate_in_wall(const htz_modes* modes, const htz_ear* ear, band b, weight* out) {
  sheet* s = lay(modes, ear, b);
  if (!s) {
    return HTZ_NO_MEMORY;
  }
  integrate(&modes->radiator, ear, b.omega, s);
  if (is_beamed(modes)) {
    list(modes, s);
  }
  const double side = ear->z < 0.0 ? -1.0 : 1.0; // behind it pulls where it pushes in front
  for (size_t i = 0; i < b.count; ++i) {
    const product p = mode_of(modes, b.first + i);
    const weight sum = gather(modes, s, &p);
    out[i] = (weight){side * sum.re, side * sum.im};
  }
  free_sheet(s);
  return HTZ_OK;
}

htz_status htz_radiation_plate(const htz_modes* modes, const htz_ear* ear, band b, weight* out) {
  const htz_status st = htz_radiation_plate_in_wall(modes, ear, b, out);
  for (size_t i = 0; i < b.count && !st; ++i) {
    const double carried_length = htz_radiation_plate_carried(modes, b.first + i);
    out[i] = weight_times(out[i], htz_radiation_unbaffled(&modes->radiator, ear, b.omega / HTZ_AIR_SPEED, carried_length));
  }
  return st;
}
