/* Sizing and tuning of strings and bars: the finest grid that is stable at the highest pitch there will be. */

#include "grid_private.h"

#include <math.h>

static const double pi = 3.14159265358979323846;

/** beta L of the first mode of a bar, by its ends (Euler and Bernoulli). */
static double first_root(const htz_grid_end ends[2]) {
  static const double roots[3][3] = {
      // supported, clamped, free
      {3.14159265358979324, 3.92660231204791878, 3.92660231204791878}, // supported
      {3.92660231204791878, 4.73004074486270403, 1.87510406871196117}, // clamped
      {3.92660231204791878, 1.87510406871196117, 4.73004074486270403}, // free
  };
  return roots[ends[0]][ends[1]];
}

static const char* string_fault(const htz_grid_string_desc* d, double rate_hz, size_t n_points) {
  const grid_rule rules[] = {
      {!htz_grid_positive(rate_hz), "rate: must be above 0 Hz"},
      {!htz_grid_positive(d->length), "length: must be above 0 m"},
      {!htz_grid_positive(d->lin_density), "lin_density: must be above 0 kg/m"},
      {!htz_grid_not_negative(d->tension), "tension: must be 0 N or more"},
      {!htz_grid_not_negative(d->stiffness), "stiffness: must be 0 N m^2 or more"},
      {d->tension == 0.0 && d->stiffness == 0.0, "tension: 0 needs a stiffness above 0"},
      {!htz_grid_not_negative(d->sigma0), "sigma0: must be 0 1/s or more"},
      {!htz_grid_not_negative(d->sigma1), "sigma1: must be 0 m^2/s or more"},
      {!htz_grid_not_negative(d->hz), "hz: must be 0 (as given) or more"},
      {!(d->ratio_most >= 1.0) || !isfinite(d->ratio_most), "ratio_most: must be 1 or more"},
      {d->ends[0] > HTZ_GRID_FREE || d->ends[1] > HTZ_GRID_FREE, "ends: must be supported, clamped or free"},
      {n_points > HTZ_GRID_POINTS_MAX, "points: at most 32"},
      {d->least > GRID_LINE_MOST || d->exactly > GRID_LINE_MOST, "intervals: at most 2000"},
      {d->exactly && d->exactly < GRID_LINE_LEAST, "intervals: at least 4"},
  };
  return htz_grid_fault(sizeof rules / sizeof rules[0], rules);
}

/** Tension (of a bar: stiffness) of the differential equation with its first partial at hz; where hz is 0, as given. */
static void guess(const htz_grid_string_desc* d, double ratio, double* tension, double* stiffness) {
  const double wave = first_root(d->ends) / d->length;
  const double omega = 2.0 * pi * d->hz * ratio;
  *tension = d->tension * ratio * ratio;
  *stiffness = d->stiffness;
  if (d->tension == 0.0) {
    *stiffness = d->hz > 0.0 ? d->lin_density * omega * omega / pow(wave, 4.0) : d->stiffness * ratio * ratio;
  } else if (d->hz > 0.0) {
    const bool quarter = (d->ends[0] == HTZ_GRID_FREE) != (d->ends[1] == HTZ_GRID_FREE);
    const double plain = (quarter ? 0.5 : 1.0) * pi / d->length;
    const double rest = d->lin_density * omega * omega / (plain * plain) - d->stiffness * plain * plain;
    *tension = rest > 0.0 ? rest : 0.0;
  }
}

/** Highest -d_xx that is stable at this tuning, over the grid's own highest: below 1 is unstable. */
static double stability(const grid_string* string, double tension, double stiffness) {
  const double steep = 4.0 / (string->spacing * string->spacing);
  const double most = htz_grid_curvature_most(tension / string->lin_density, stiffness / string->lin_density,
                                              string->loss.sigma1, string->lattice.base.period);
  return most / steep;
}

static bool shape_varies(const htz_grid_string_desc* d) {
  const bool sines = d->ends[0] == HTZ_GRID_SUPPORTED && d->ends[1] == HTZ_GRID_SUPPORTED;
  return !sines && d->tension > 0.0 && d->stiffness > 0.0;
}

/** Nodes from no tension over two octaves below to a little above the highest pitch. */
static htz_status draw_curve(grid_string* string, const htz_grid_string_desc* d, size_t n) {
  const double lowest = 1.0 / 16.0; // of the tension at ratio 1
  const double highest = 1.2 * d->ratio_most * d->ratio_most;
  const double step = pow(highest / lowest, 1.0 / (GRID_NODES - 2));
  double tension = 0.0;
  for (size_t i = 0; i < GRID_NODES; ++i) {
    double mode[2];
    const htz_status status = htz_grid_string_first_mode(n, string->spacing, d->ends, tension, d->stiffness, mode);
    if (status != HTZ_OK) {
      return status;
    }
    string->curve.node[i].tension = tension;
    string->curve.node[i].eigenvalue = (tension * mode[0] + d->stiffness * mode[1]) / d->lin_density;
    string->curve.node[i].slope = d->lin_density / mode[0];
    tension = i ? tension * step : string->tension1 * lowest;
  }
  string->curve.n = GRID_NODES;
  return HTZ_OK;
}

/** The first mode of the grid of n intervals and what tension or stiffness tunes it. */
static htz_status tune_grid(grid_string* string, const htz_grid_string_desc* d, size_t n) {
  string->spacing = d->length / (double)n;
  guess(d, 1.0, &string->tension1, &string->stiffness1);
  string->hz = d->hz;
  htz_status status = shape_varies(d) ? draw_curve(string, d, n) : HTZ_OK;
  if (!status) {
    status = htz_grid_string_first_mode(n, string->spacing, d->ends, string->tension1, string->stiffness1, string->mode);
  }
  if (!status && d->hz > 0.0) {
    htz_grid_string_pitch(string, 1.0, &string->tension1, &string->stiffness1);
  }
  if (!status && d->hz == 0.0) {
    const double omega2 = (string->tension1 * string->mode[0] + string->stiffness1 * string->mode[1]) / string->lin_density;
    string->hz = htz_grid_frequency(&string->loss, string->mode[0], omega2, string->lattice.base.period);
  }
  return status;
}

static const char* const unstable =
    "intervals: unstable at this sample rate, tension, stiffness and ratio_most; fewer are allowed";
static const char* const too_coarse =
    "length: the sample rate is too low for even 4 grid intervals; a longer or lower body is allowed";
static const char* const too_few = "least: the sample rate allows fewer grid intervals than wanted";
static const char* const capped = "length: the grid is kept to 2000 intervals";
static const char* const too_high = "hz: the grid's first partial cannot be that high at ratio_most; a lower one is allowed";

/** Number of intervals, `string` tuned for it. */
static htz_status size_grid(grid_string* string, const htz_grid_string_desc* d, size_t* n, const char** why) {
  const double k = string->lattice.base.period;
  if (!(d->hz * d->ratio_most * k < 0.5)) {
    *why = too_high;
    return HTZ_UNSUPPORTED;
  }
  double tension, stiffness;
  guess(d, d->ratio_most, &tension, &stiffness);
  const double steep = htz_grid_curvature_most(tension / d->lin_density, stiffness / d->lin_density, d->sigma1, k);
  const double limit = d->length * 0.5 * sqrt(steep);
  enum { TRIES = 8, LIMIT_ROUNDED = 40 }; // dispersion moves the tension by less than one interval in a few
  const double rounding = 1.0 + LIMIT_ROUNDED * 2.3e-16;
  *n = d->exactly ? d->exactly : limit * rounding < GRID_LINE_MOST ? (size_t)(limit * rounding) : GRID_LINE_MOST;
  for (int i = 0; i < TRIES && *n >= GRID_LINE_LEAST && *n >= d->least; ++i) {
    const htz_status status = tune_grid(string, d, *n);
    if (status != HTZ_OK) {
      return status;
    }
    if (!(string->hz > 0.0) || !(string->hz * d->ratio_most * k < 0.5)) {
      *why = too_high;
      return HTZ_UNSUPPORTED;
    }
    htz_grid_string_pitch(string, d->ratio_most, &tension, &stiffness);
    if (stability(string, tension, stiffness) * rounding >= 1.0) {
      *why = *n == GRID_LINE_MOST && !d->exactly ? capped : NULL;
      return HTZ_OK;
    }
    if (d->exactly) {
      *why = unstable;
      return HTZ_UNSUPPORTED;
    }
    *n -= 1;
  }
  *why = *n < GRID_LINE_LEAST ? too_coarse : *n < d->least ? too_few : unstable;
  return HTZ_UNSUPPORTED;
}

static htz_status string_build(grid_string* string, size_t n, size_t n_points, htz_arena* arena) {
  grid_lattice* lattice = &string->lattice;
  lattice->columns = lattice->stride = n + 1;
  lattice->rows = 1;
  const htz_status status = htz_grid_lattice_init(lattice, &htz_grid_string_class, lattice->base.period, n_points, arena);
  if (status != HTZ_OK) {
    return status;
  }
  for (size_t i = 0; i <= n; ++i) {
    lattice->ease[i] = 1.0;
  }
  lattice->ease[0] = string->ends[0] == HTZ_GRID_FREE ? 2.0 : 0.0;
  lattice->ease[n] = string->ends[1] == HTZ_GRID_FREE ? 2.0 : 0.0;
  lattice->base.mass = string->lin_density * string->spacing;
  htz_grid_lattice_finish(lattice);
  return HTZ_OK;
}

htz_status htz_grid_string_new(const htz_grid_string_desc* desc, double rate_hz, size_t n_points, const htz_kernels* kernels,
                               htz_arena* arena, htz_grid** out, const char** why) {
  *why = string_fault(desc, rate_hz, n_points);
  if (*why) {
    return HTZ_BAD_VALUE;
  }
  grid_string* string = htz_arena_alloc(arena, 1, sizeof *string);
  if (!string) {
    return HTZ_NO_MEMORY;
  }
  string->lattice.base.period = 1.0 / rate_hz;
  string->lattice.base.ratio_most = desc->ratio_most;
  string->lattice.sides[0] = desc->length;
  string->lattice.kernels = kernels;
  string->lin_density = desc->lin_density;
  string->loss = (grid_loss){desc->sigma0, desc->sigma1};
  string->ends[0] = desc->ends[0];
  string->ends[1] = desc->ends[1];
  string->bar = desc->tension == 0.0;
  size_t n = 0;
  const htz_status status = size_grid(string, desc, &n, why);
  if (status != HTZ_OK) {
    return status;
  }
  *out = &string->lattice.base;
  return string_build(string, n, n_points, arena);
}
