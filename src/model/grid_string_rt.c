/*
   Stiff lossy string and bar: Bilbao, Numerical Sound Synthesis (2009), 7.2 and 7.3, with the ends of 5.2 and 7.2.

   Ends: supported u = 0, u_xx = 0; clamped u = 0 and the mirror image beyond it, u(-1) = u(1); free u_xx = 0 and
   T u_x = EI u_xxx, where the end point has half the mass. Each is what makes the sum in string_energy() stay constant.
*/

#include "grid_private.h"

#include <math.h>

static grid_string* string_of(htz_grid* grid) {
  return (grid_string*)grid;
}

static const grid_string* string_of_const(const htz_grid* grid) {
  return (const grid_string*)grid;
}

// ---------------------------------------------------------------- one step

/** Displacement beyond an end; `u` is the end's point and `in` steps inwards. */
static double ghost(htz_grid_end end, const double* u, ptrdiff_t in) {
  switch (end) {
  case HTZ_GRID_CLAMPED:
    return u[in];
  case HTZ_GRID_FREE:
    return 2.0 * u[0] - u[in];
  case HTZ_GRID_SUPPORTED:
    break;
  }
  return -u[in];
}

/** Next displacement of the end's point. */
static double end_point(const grid_string* string, htz_grid_end end, const double* u, const double* v, ptrdiff_t in) {
  if (end != HTZ_GRID_FREE) {
    return 0.0;
  }
  return string->edge.now[0] * u[0] + string->edge.now[1] * u[in] + string->edge.now[2] * u[2 * in] +
         string->edge.before[0] * v[0] + string->edge.before[1] * v[in];
}

static void string_foresee(htz_grid* grid) {
  const grid_string* string = string_of(grid);
  double* restrict next = grid->next;
  double* now = grid->now;
  const double* before = grid->before;
  const size_t last = grid->n - 1;
  now[-1] = ghost(string->ends[0], now, 1);
  now[last + 1] = ghost(string->ends[1], now + last, -1);
  string->lattice.kernels->grid_line(grid->n, &string->inner, next, now, before);
  next[0] = end_point(string, string->ends[0], now, before, 1);
  next[last] = end_point(string, string->ends[1], now + last, before + last, -1);
  const size_t written = (grid->n + HTZ_LANES - 1) / HTZ_LANES * HTZ_LANES;
  for (size_t i = grid->n; i < written; ++i) {
    next[i] = 0.0; // what the kernel left beyond the end would be a grid of its own
  }
}

// ---------------------------------------------------------------- energy

/** h^2 u_xx at an end, times its weight in the sum: only a clamped end bends, and counts half. */
static double end_bend(htz_grid_end end, const double* u, const double* v, ptrdiff_t in) {
  return end == HTZ_GRID_CLAMPED ? 0.5 * (2.0 * (u[in] - u[0])) * (2.0 * (v[in] - v[0])) : 0.0;
}

static double string_energy(const htz_grid* grid) {
  const grid_string* string = string_of_const(grid);
  const double* u = grid->now;
  const double* v = grid->before;
  const size_t last = grid->n - 1;
  const double h = string->spacing;
  double moving = 0.0;  // sum of (u - v)^2
  double stretch = 0.0; // sum of (h u_x)(h v_x)
  double sheared = 0.0; // sum of (h (u - v)_x)^2
  double bending = end_bend(string->ends[0], u, v, 1) + end_bend(string->ends[1], u + last, v + last, -1);
  for (size_t i = 0; i <= last; ++i) {
    const double d = u[i] - v[i];
    moving += grid->ease[i] > 0.0 ? d * d / grid->ease[i] : 0.0;
  }
  for (size_t i = 0; i < last; ++i) {
    const double slope_u = u[i + 1] - u[i];
    const double slope_v = v[i + 1] - v[i];
    stretch += slope_u * slope_v;
    sheared += (slope_u - slope_v) * (slope_u - slope_v);
  }
  for (size_t i = 1; i < last; ++i) {
    bending += (u[i + 1] - 2.0 * u[i] + u[i - 1]) * (v[i + 1] - 2.0 * v[i] + v[i - 1]);
  }
  const double k = grid->period;
  // The backward difference of the loss moves the kept energy by the last term.
  return 0.5 * (grid->mass * moving / (k * k) + string->tension * stretch / h + string->stiffness * bending / (h * h * h) -
                string->lin_density * string->lost.sigma1 * sheared / (k * h));
}

// ---------------------------------------------------------------- tuning

/** Tension at an eigenvalue: Hermite's cubic between nodes, straight beyond the last; never below 0. */
static double curve_tension(const grid_curve* curve, double eigenvalue) {
  size_t i = 0;
  while (i + 2 < curve->n && eigenvalue > curve->node[i + 1].eigenvalue) {
    ++i;
  }
  const double from = curve->node[i].eigenvalue, to = curve->node[i + 1].eigenvalue;
  const double low = curve->node[i].tension, high = curve->node[i + 1].tension;
  const double width = to - from, t = (eigenvalue - from) / width;
  if (t < 0.0) {
    return low; // the first node is that of no tension
  }
  if (t > 1.0) {
    return high + curve->node[i + 1].slope * (eigenvalue - to);
  }
  const double u = 1.0 - t;
  const double bent = u * curve->node[i].slope - t * curve->node[i + 1].slope;
  return u * u * (1.0 + 2.0 * t) * low + t * t * (1.0 + 2.0 * u) * high + width * t * u * bent;
}

void htz_grid_string_pitch(const grid_string* string, double ratio, double* tension, double* stiffness) {
  const double k = string->lattice.base.period;
  const double eigenvalue = htz_grid_eigenvalue(&string->loss, string->mode[0], ratio * string->hz, k) / (k * k);
  const double pull = string->lin_density * eigenvalue;
  *tension = string->tension1;
  *stiffness = string->stiffness1;
  if (string->bar) {
    *stiffness = pull / string->mode[1];
  } else if (string->curve.n) {
    *tension = curve_tension(&string->curve, eigenvalue);
  } else {
    const double rest = pull - string->stiffness1 * string->mode[1];
    *tension = rest > 0.0 ? rest / string->mode[0] : 0.0; // stiffness alone sounds higher: as low as it gets
  }
}

/** Factors of the scheme for the present tension, stiffness and losses. */
static void string_set(grid_string* string) {
  htz_grid* base = &string->lattice.base;
  const double k = base->period, h = string->spacing;
  const double pull = string->tension / string->lin_density * k * k / (h * h);
  const double bend = string->stiffness / string->lin_density * k * k / (h * h * h * h);
  const double drag = 2.0 * string->lost.sigma1 * k / (h * h);
  const double loss = string->lost.sigma0 * k;
  const double scale = 1.0 / (1.0 + loss);
  string->inner = (htz_grid_stencil){
      .at = (2.0 - 2.0 * pull - 6.0 * bend - 2.0 * drag) * scale,
      .x1 = (pull + 4.0 * bend + drag) * scale,
      .x2 = -bend * scale,
      .before = (loss - 1.0 + 2.0 * drag) * scale,
      .past_x = -drag * scale,
  };
  string->edge.now[0] = (2.0 - 2.0 * pull - 2.0 * bend - 2.0 * drag) * scale;
  string->edge.now[1] = (2.0 * pull + 4.0 * bend + 2.0 * drag) * scale;
  string->edge.now[2] = -2.0 * bend * scale;
  string->edge.before[0] = (loss - 1.0 + 2.0 * drag) * scale;
  string->edge.before[1] = -2.0 * drag * scale;
  base->compliance = k * k * scale / base->mass;
}

static void string_tune(htz_grid* grid, double ratio, double loss, double damp) {
  grid_string* string = string_of(grid);
  const double r = ratio > 0.0 ? (ratio < grid->ratio_most ? ratio : grid->ratio_most) : 1.0;
  const double steep = 4.0 / (string->spacing * string->spacing);
  htz_grid_string_pitch(string, r, &string->tension, &string->stiffness);
  const double omega2 = (string->tension + string->stiffness * steep) * steep / string->lin_density;
  string->lost = htz_grid_lossy(&string->loss, loss, damp, steep, omega2, string->mode[0], grid->period);
  string_set(string);
}

// ---------------------------------------------------------------- points and figures

static void string_locate(const htz_grid* grid, double x, double y, htz_grid_point* point) {
  (void)y;
  const size_t intervals = grid->n - 1;
  uint32_t first;
  double share[GRID_CUBIC];
  point->n = htz_grid_shares(x * (double)intervals, intervals, &first, share);
  for (size_t i = 0; i < point->n; ++i) {
    point->at[i] = first + (uint32_t)i;
    point->share[i] = share[i];
  }
}

double htz_grid_string_partial(const htz_grid* grid, size_t n) {
  static const double half_pi = 1.57079632679489661923;
  const grid_string* string = string_of_const(grid);
  const size_t intervals = grid->n - 1;
  if (n == 0 || n >= intervals) {
    return NAN;
  }
  const double slope = 2.0 / string->spacing * sin(half_pi * (double)n / (double)intervals);
  const double curvature = slope * slope;
  const double omega2 = (string->tension + string->stiffness * curvature) * curvature / string->lin_density;
  return htz_grid_frequency(&string->lost, curvature, omega2, grid->period);
}

double htz_grid_string_ideal(const htz_grid* grid, size_t n) {
  static const double pi = 3.14159265358979323846;
  const grid_string* string = string_of_const(grid);
  const double wave = pi * (double)n / string->lattice.sides[0];
  const double wave2 = wave * wave;
  const double omega2 = (string->tension + string->stiffness * wave2) * wave2 / string->lin_density;
  const double sigma = string->lost.sigma0 + string->lost.sigma1 * wave2;
  return omega2 > sigma * sigma ? sqrt(omega2 - sigma * sigma) / (2.0 * pi) : NAN;
}

size_t htz_grid_string_intervals(const htz_grid* grid) {
  return grid->n - 1;
}

double htz_grid_string_spacing(const htz_grid* grid) {
  return string_of_const(grid)->spacing;
}

double htz_grid_string_tension(const htz_grid* grid) {
  return string_of_const(grid)->tension;
}

const htz_grid_class htz_grid_string_class = {"string", string_foresee, string_energy, string_locate, string_tune};
