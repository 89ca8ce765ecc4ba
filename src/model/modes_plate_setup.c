#include "hertzian/model/plate.h"
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

static bool valid(const htz_plate_desc* d) {
  bool good = d->edges == HTZ_PLATE_SUPPORTED || d->edges == HTZ_PLATE_CLAMPED || d->edges == HTZ_PLATE_FREE;
  for (size_t i = 0; i < HTZ_BOARD_LINE; ++i) {
    good = good && d->line[i] >= 0.0 && d->line[i] <= 1.0;
  }
  good = good && zero_or_more(d->tuning_hz) && zero_or_more(d->support_hz) && zero_or_more(d->support_loss) &&
         zero_or_more(d->loss_factor) && htz_loss_valid(&d->loss);
  good = good && (positive(d->thickness) || (d->thickness == 0.0 && d->tuning_hz > 0.0));
  return good && positive(d->length) && positive(d->width) && positive(d->density) && positive(d->young) &&
         positive(d->young_across) && positive(d->shear) && d->poisson >= 0.0 &&
         d->poisson * d->poisson * d->young_across < d->young;
}

/** What makes the shapes: everything but size and scale. */
static htz_plate_shapes proportions(const htz_plate_desc* d) {
  const double nu_yx = d->poisson * d->young_across / d->young;
  return (htz_plate_shapes){.edges = d->edges,
                            .aspect = d->length / d->width,
                            .coupling = nu_yx,
                            .across = d->young_across / d->young,
                            .twist = d->shear / d->young * (1.0 - d->poisson * nu_yx)};
}

static bool close_to(double a, double b) {
  static const double rounding = 1e-9; // of what is computed from a file's numbers in two ways
  return fabs(a - b) <= rounding * (fabs(a) + fabs(b));
}

static bool same(const htz_plate_shapes* shapes, const htz_plate_desc* d) {
  const htz_plate_shapes p = proportions(d);
  return shapes->edges == p.edges &&
         (p.edges == HTZ_PLATE_SUPPORTED ||
          (shapes->n > 0 && close_to(shapes->aspect, p.aspect) && close_to(shapes->across, p.across) &&
           close_to(shapes->coupling, p.coupling) && close_to(shapes->twist, p.twist)));
}

/** sqrt(Ex/(12 rho (1 - nu_xy nu_yx))), the speed that frequency numbers go with [m/s]. */
static double speed_of(const htz_plate_desc* d) {
  const double nu_yx = d->poisson * d->young_across / d->young;
  return sqrt(d->young / (12.0 * d->density * (1.0 - d->poisson * nu_yx)));
}

/** Number of the first bending mode. Supported: pi^2 sqrt(1 + 2 (D1 + 2 Dxy)/Dx (a/b)^2 + Dy/Dx (a/b)^4). */
static double first_number(const htz_plate_shapes* shapes, const htz_plate_desc* d) {
  if (d->edges != HTZ_PLATE_SUPPORTED) {
    return shapes->number[0];
  }
  const htz_plate_shapes p = proportions(d);
  const double r2 = p.aspect * p.aspect;
  return pi * pi * sqrt(1.0 + 2.0 * (p.coupling + 2.0 * p.twist) * r2 + p.across * r2 * r2);
}

double htz_plate_first_hz(const htz_plate_shapes* shapes, const htz_plate_desc* d) {
  return first_number(shapes, d) * speed_of(d) * d->thickness / (d->length * d->length) / (2.0 * pi);
}

bool htz_plate_tune(const htz_plate_shapes* shapes, const htz_plate_desc* desc, htz_plate_desc* out) {
  if (!valid(desc) || !same(shapes, desc)) {
    return false;
  }
  *out = *desc;
  out->tuning_hz = 0.0;
  if (desc->thickness == 0.0) {
    out->thickness = 1.0;
    out->thickness = desc->tuning_hz / htz_plate_first_hz(shapes, out);
  } else if (desc->tuning_hz > 0.0) {
    const double scale = sqrt(htz_plate_first_hz(shapes, desc) / desc->tuning_hz);
    out->length *= scale;
    out->width *= scale;
  }
  return positive(out->thickness) && positive(out->length) && positive(out->width);
}

/** Decay rate as a function of frequency [Hz]. */
static htz_loss_law law_of(const htz_plate_desc* d) {
  if (htz_loss_is_times(&d->loss)) {
    return htz_loss_law_times(&d->loss, d->loss.t60_hz);
  }
  htz_loss_law law = htz_loss_law_coefficients(&d->loss);
  // k^2 = omega sqrt(rho h/sqrt(Dx Dy)) = 2 pi f/(h speed (Dy/Dx)^(1/4)).
  law.slope *= 2.0 * pi / (d->thickness * speed_of(d) * sqrt(sqrt(d->young_across / d->young)));
  return law;
}

static void set_losses(const htz_plate_desc* d, size_t from, htz_modes* out) {
  const htz_loss_law law = law_of(d);
  for (size_t k = from; k < out->n; ++k) {
    const double hz = out->omega[k] / (2.0 * pi);
    out->sigma[k] = htz_loss_at(&law, hz) + pi * d->loss_factor * hz;
  }
}

static htz_board_desc board_of(const htz_plate_desc* d) {
  htz_board_desc b = {.length = d->length,
                      .width = d->width,
                      .thickness = d->thickness,
                      .density = d->density,
                      .young = d->young,
                      .young_across = d->young_across,
                      .shear = d->shear,
                      .poisson = d->poisson,
                      .q = 1.0}; // replaced
  memcpy(b.line, d->line, sizeof b.line);
  return b;
}

/** Modes of a supported plate of these dimensions below `limit_hz`: lattice points (m, n) inside a quarter of an oval. */
static size_t count_supported(const htz_plate_desc* d, double limit_hz) {
  enum { ROWS_MAX = 100000 };
  const htz_plate_shapes p = proportions(d);
  const double r2 = p.aspect * p.aspect;
  const double limit = 2.0 * limit_hz * d->length * d->length / (pi * speed_of(d) * d->thickness); // f over that of m = 1 alone
  const double mixed = (p.coupling + 2.0 * p.twist) * r2, across = p.across * r2 * r2;
  double sum = 0.0;
  for (unsigned row = 1; row < ROWS_MAX; ++row) {
    const double m2 = (double)row * row;
    const double rest = limit * limit - m2 * m2;
    const double half = mixed * m2; // across n^4 + 2 half n^2 = rest
    const double n2 = rest > 0.0 ? rest / (half + sqrt(half * half + across * rest)) : 0.0;
    if (n2 < 1.0) {
      break;
    }
    sum += floor(sqrt(n2));
  }
  return sum < 1e15 ? (size_t)sum : (size_t)1e15;
}

static htz_status build_supported(const htz_plate_desc* d, double limit_hz, size_t max_modes, htz_arena* arena,
                                  htz_modes* out) {
  const htz_board_desc board = board_of(d);
  const size_t most = max_modes < HTZ_BOARD_MODES_MAX ? max_modes : HTZ_BOARD_MODES_MAX;
  const htz_status st = htz_modes_board(&board, limit_hz, most, arena, out);
  if (!st) {
    set_losses(d, 0, out);
  }
  return st;
}

static htz_status build_ritz(const htz_plate_shapes* shapes, const htz_plate_desc* d, double limit_hz, size_t max_modes,
                             htz_arena* arena, htz_modes* out) {
  const size_t rigid = d->edges == HTZ_PLATE_FREE ? HTZ_PLATE_RIGID : 0;
  const double unit = speed_of(d) * d->thickness / (d->length * d->length);
  if (max_modes <= rigid || (rigid && !(2.0 * pi * d->support_hz < unit * shapes->number[0]))) {
    return HTZ_BAD_VALUE;
  }
  const size_t cap = max_modes - rigid < shapes->n ? max_modes - rigid : shapes->n;
  size_t bending = 1;
  while (bending < cap && unit * shapes->number[bending] <= 2.0 * pi * limit_hz) {
    ++bending;
  }
  const htz_status st = htz_modes_lay(rigid + bending, 0, arena, out, NULL);
  if (st) {
    return st;
  }
  for (size_t k = 0; k < rigid + bending; ++k) {
    out->omega[k] = k < rigid ? 2.0 * pi * d->support_hz : unit * shapes->number[k - rigid];
    out->sigma[k] = d->support_loss;
    out->mass[k] = d->density * d->thickness * d->length * d->width;
    out->audible[k] = k >= rigid;
  }
  set_losses(d, rigid, out);
  out->data = shapes->data;
  out->data_n = shapes->data_n;
  out->shape = htz_shape_plate;
  out->shape_xy = htz_shape_plate_xy;
  return HTZ_OK;
}

htz_status htz_plate_shapes_find(const htz_plate_desc* desc, size_t max_modes, htz_arena* arena, htz_plate_shapes* out) {
  if (max_modes == 0 || !positive(desc->length) || !positive(desc->width) || !positive(desc->young) ||
      !positive(desc->young_across) || !positive(desc->shear) || !(desc->poisson >= 0.0) ||
      !(desc->poisson * desc->poisson * desc->young_across < desc->young)) {
    return HTZ_BAD_VALUE;
  }
  *out = proportions(desc);
  return desc->edges == HTZ_PLATE_SUPPORTED ? HTZ_OK : htz_plate_ritz(desc->line, max_modes, arena, out);
}

htz_status htz_modes_plate_from(const htz_plate_shapes* shapes, const htz_plate_desc* desc, double limit_hz, size_t max_modes,
                                htz_arena* arena, htz_modes* out) {
  htz_plate_desc d;
  if (!positive(limit_hz) || max_modes == 0 || !htz_plate_tune(shapes, desc, &d)) {
    return HTZ_BAD_VALUE;
  }
  const htz_status st = d.edges == HTZ_PLATE_SUPPORTED ? build_supported(&d, limit_hz, max_modes, arena, out)
                                                       : build_ritz(shapes, &d, limit_hz, max_modes, arena, out);
  if (!st) {
    const size_t all = count_supported(&d, limit_hz);
    // Only where it is the cap and not the limit that ends them.
    const bool capped = out->n == max_modes || (d.edges != HTZ_PLATE_SUPPORTED && out->n >= shapes->n);
    out->left_out = capped && all > out->n ? all - out->n : 0;
  }
  return st;
}

htz_status htz_modes_plate(const htz_plate_desc* desc, double limit_hz, size_t max_modes, htz_arena* arena, htz_modes* out) {
  htz_plate_shapes shapes;
  const size_t rigid = desc->edges == HTZ_PLATE_FREE ? HTZ_PLATE_RIGID : 0;
  if (!valid(desc) || max_modes <= rigid) {
    return HTZ_BAD_VALUE;
  }
  const htz_status st = htz_plate_shapes_find(desc, max_modes - rigid, arena, &shapes);
  return st ? st : htz_modes_plate_from(&shapes, desc, limit_hz, max_modes, arena, out);
}
