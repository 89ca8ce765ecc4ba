#include "modes_private.h"

#include <math.h>
#include <string.h>

static const double pi = 3.14159265358979323846;

static bool positive(double x) {
  return x > 0.0 && isfinite(x);
}
static bool zero_or_more(double x) {
  return x >= 0.0 && isfinite(x);
}

double htz_bar_uniform_number(htz_bar_ends ends, size_t k) {
  enum { NEWTON_STEPS = 8 }; // the start is off by 0.3 for the first cantilever mode, by exp(-beta) for the others
  const double sign = ends == HTZ_BAR_FREE ? 1.0 : -1.0;
  double beta = ((double)k + 0.5 * sign) * pi;
  // cos - sign/cosh instead of the product cos cosh, which overflows.
  for (size_t i = 0; i < NEWTON_STEPS; ++i) {
    const double sech = 1.0 / cosh(beta);
    beta -= (cos(beta) - sign * sech) / (sign * sech * tanh(beta) - sin(beta));
  }
  return beta;
}

static double uniform_ratio(htz_bar_ends ends, size_t k) {
  const double relative = htz_bar_uniform_number(ends, k) / htz_bar_uniform_number(ends, 1);
  return relative * relative;
}

static bool ascends_from_one(size_t n, const double* partials) {
  static const double round_off = 1e-9; // how far the first may be from 1
  for (size_t i = 0; i < n; ++i) {
    if (!positive(partials[i]))
      return false;
    if (i == 0 ? fabs(partials[0] - 1.0) > round_off : !(partials[i] > partials[i - 1]))
      return false;
  }
  return true;
}

static bool is_uniform(htz_bar_ends ends, size_t n, const double* partials) {
  static const double rounding = 1e-3; // ratios are written with three or four digits
  for (size_t i = 1; i < n; ++i) {
    if (fabs(partials[i] / uniform_ratio(ends, i + 1) - 1.0) > rounding)
      return false;
  }
  return true;
}

htz_status htz_bar_shapes_find(htz_bar_ends ends, size_t n_partials, const double* partials, htz_bar_shapes* out) {
  if ((ends != HTZ_BAR_FREE && ends != HTZ_BAR_CANTILEVER) || n_partials > HTZ_BAR_PARTIALS_MAX)
    return HTZ_BAD_VALUE;
  if (!ascends_from_one(n_partials, partials))
    return HTZ_BAD_VALUE;
  *out = (htz_bar_shapes){.ends = ends, .true_shapes = 1, .n_partials = n_partials, .mass_ratio = 1.0};
  if (n_partials)
    memcpy(out->partials, partials, n_partials * sizeof *partials);
  if (is_uniform(ends, n_partials, partials))
    return HTZ_OK;
  const htz_status st = ends == HTZ_BAR_FREE ? htz_bar_undercut_find(n_partials, partials, out) : HTZ_NOT_FOUND;
  if (st != HTZ_NOT_FOUND)
    return st;
  out->true_shapes = 0;
  return HTZ_OK;
}

/** Frequency number of bending mode k = 1, 2, ... of the bar as it is, before partials are imposed. */
static double own_number(const htz_bar_shapes* shapes, size_t k) {
  if (shapes->n)
    return shapes->number[k - 1];
  const double beta = htz_bar_uniform_number(shapes->ends, k);
  return beta * beta;
}

/** Frequency of bending mode k over that of the first. */
static double mode_ratio(const htz_bar_shapes* shapes, size_t k) {
  const size_t given = shapes->n_partials;
  if (k <= given)
    return shapes->partials[k - 1];
  if (given == 0)
    return own_number(shapes, k) / own_number(shapes, 1);
  return shapes->partials[given - 1] * own_number(shapes, k) / own_number(shapes, given);
}

static bool valid(const htz_bar_shapes* shapes, const htz_bar_desc* d, double limit_hz, size_t max_modes) {
  if (d->ends != shapes->ends || !positive(limit_hz) || !htz_loss_valid(&d->loss))
    return false;
  if (max_modes < (d->ends == HTZ_BAR_FREE ? HTZ_RIGID_MODES + 1 : 1))
    return false;
  if (!zero_or_more(d->mass) || !zero_or_more(d->tuning_hz))
    return false;
  if (d->mass == 0.0 && !(positive(d->length) && positive(d->width) && positive(d->thickness) && positive(d->density)))
    return false;
  if (d->tuning_hz == 0.0 && !(positive(d->length) && positive(d->thickness) && positive(d->density) && positive(d->young))) {
    return false;
  }
  if (!htz_loss_is_times(&d->loss) && d->loss.loss1 > 0.0 && !positive(d->length))
    return false;
  return d->ends != HTZ_BAR_FREE || (zero_or_more(d->support_hz) && zero_or_more(d->support_loss));
}

static double total_mass(const htz_bar_shapes* shapes, const htz_bar_desc* d) {
  return d->mass > 0.0 ? d->mass : d->length * d->width * d->thickness * d->density * shapes->mass_ratio;
}

static double first_hz(const htz_bar_shapes* shapes, const htz_bar_desc* d) {
  if (d->tuning_hz > 0.0)
    return d->tuning_hz;
  const double speed = sqrt(d->young / (12.0 * d->density)); // sqrt(E I/(rho A)) = h sqrt(E/(12 rho)) for a rectangle
  return own_number(shapes, 1) * d->thickness * speed / (d->length * d->length) / (2.0 * pi);
}

/** What htz_modes.shape needs for bending mode k = 1, 2, ... */
static void fill_shape(const htz_bar_shapes* shapes, size_t k, double* data) {
  if (shapes->n) {
    memcpy(data + 1 + (k - 1) * HTZ_BAR_TERMS, shapes->series[k - 1], sizeof shapes->series[k - 1]);
    return;
  }
  const double beta = htz_bar_uniform_number(shapes->ends, k);
  if (shapes->ends == HTZ_BAR_FREE) {
    data[k - 1] = beta;
    return;
  }
  // phi = cosh - cos - s (sinh - sin) of beta x, s = (cosh + cos)/(sinh + sin) of beta, times the sign that makes phi(L) > 0. Its
  // growing part (1 - s)/2 exp(beta x) = weight exp(-beta (L - x)) is written so that no two large numbers are subtracted; at
  // the roots cos = -1/cosh and sin = +-tanh.
  const double sign = k & 1u ? 1.0 : -1.0;
  const double q = exp(-beta);
  const double cosine = -1.0 / cosh(beta);
  const double sine = sign * tanh(beta);
  const double below = 1.0 - q * q + 2.0 * q * sine;
  double* d = data + (k - 1) * HTZ_CANTILEVER_DATA;
  d[0] = beta;
  d[1] = sign * (sine - cosine - q) / below;
  d[2] = sign;
  d[3] = sign * (1.0 + q * q + 2.0 * q * cosine) / below;
}

htz_loss_law htz_bar_loss(const htz_bar_desc* d, double f1) {
  if (htz_loss_is_times(&d->loss))
    return htz_loss_law_times(&d->loss, d->loss.t60_hz);
  htz_loss_law law = htz_loss_law_coefficients(&d->loss);
  if (law.slope > 0.0) {
    const double k1 = htz_bar_uniform_number(d->ends, 1) / d->length;
    law.slope *= k1 * k1 / f1;
  }
  return law;
}

htz_status htz_modes_bar_from(const htz_bar_shapes* shapes, const htz_bar_desc* desc, double limit_hz, size_t max_modes,
                              htz_arena* arena, htz_modes* out) {
  if (!valid(shapes, desc, limit_hz, max_modes))
    return HTZ_BAD_VALUE;
  const double f1 = first_hz(shapes, desc);
  const double mass = total_mass(shapes, desc);
  if (!positive(f1) || !positive(mass))
    return HTZ_BAD_VALUE;
  const bool free_ends = desc->ends == HTZ_BAR_FREE;
  const size_t rigid = free_ends ? HTZ_RIGID_MODES : 0;
  if (free_ends && !(desc->support_hz < f1))
    return HTZ_BAD_VALUE;

  size_t cap = (max_modes < HTZ_MODES_MAX ? max_modes : HTZ_MODES_MAX) - rigid;
  if (shapes->n && cap > shapes->n)
    cap = shapes->n;
  size_t bending = 1;
  while (bending < cap && f1 * mode_ratio(shapes, bending + 1) <= limit_hz)
    ++bending;
  const size_t per_mode = shapes->n ? HTZ_BAR_TERMS : free_ends ? 1 : HTZ_CANTILEVER_DATA;

  double* data = NULL;
  const htz_status st = htz_modes_lay(rigid + bending, (shapes->n ? 1 : 0) + bending * per_mode, arena, out, &data);
  if (st)
    return st;
  for (size_t k = 0; k < rigid; ++k) {
    out->omega[k] = 2.0 * pi * desc->support_hz;
    out->sigma[k] = desc->support_loss;
    out->mass[k] = mass;
    out->audible[k] = 0;
  }
  const htz_loss_law law = htz_bar_loss(desc, f1);
  if (shapes->n)
    data[0] = shapes->rotation;
  for (size_t k = 1; k <= bending; ++k) {
    const double f = f1 * mode_ratio(shapes, k);
    out->omega[rigid + k - 1] = 2.0 * pi * f;
    out->sigma[rigid + k - 1] = htz_loss_at(&law, f);
    out->mass[rigid + k - 1] = mass;
    fill_shape(shapes, k, data);
  }
  out->shape = shapes->n ? htz_shape_series : free_ends ? htz_shape_free_bar : htz_shape_cantilever;
  return HTZ_OK;
}

htz_status htz_modes_bar(const htz_bar_desc* desc, double limit_hz, size_t max_modes, htz_arena* arena, htz_modes* out,
                         int* true_shapes) {
  htz_bar_shapes shapes;
  const htz_status st = htz_bar_shapes_find(desc->ends, desc->n_partials, desc->partials, &shapes);
  if (st)
    return st;
  if (true_shapes)
    *true_shapes = shapes.true_shapes;
  return htz_modes_bar_from(&shapes, desc, limit_hz, max_modes, arena, out);
}
