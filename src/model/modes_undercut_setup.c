#include "modes_private.h"

#include "hertzian/dsp/linalg.h"

#include <math.h>
#include <stdlib.h>

// The Ritz functions are those whose second derivative is a Legendre polynomial. The curvature of a free bar's mode is zero at
// the ends by itself in the limit (natural conditions), the stiffness matrix is as well conditioned as h^3 lets it be, and the
// inverse problem M x = nu K x, nu = 1/omega^2, has its largest eigenvalues where the modes that matter are: their relative
// error is that of the arithmetic. With polynomials for w itself it would be that times omega_max^2/omega_1^2, which grows
// like the eighth power of the degree.

enum {
  BASIS = HTZ_BAR_TERMS - 1, // functions per parity; integrating twice adds one term
  COARSE = 12,               // as many do for the search
  HALF = 80,                 // quadrature nodes on [0, 1], half of a rule exact to degree 319 = 4 * degrees + 115 for h^3
  DEGREES = 2 * HTZ_BAR_TERMS,
  STEPS_MAX = 20, // Newton steps per exponent and basis; 4 to 6 are typical
  HALVINGS = 6,   // of a step that does not help
  RATIOS_MAX = 2, // f2/f1 and f3/f1, two unknowns
  GRID_DEPTH = 10,
  GRID_WIDTH = 10,
  STARTS = 4 // grid points tried: where two families of solutions meet the nearest one can be a dead end
};

static const double converged = 1e-12;       // log of ratio over target; the promise is 1e-9
static const double coarse_converged = 1e-6; // where the fine basis takes over
static const double difference = 1e-6;       // step of the derivative: rounding then costs 1e-10 of it, curvature 1e-6
static const double depth_most = 0.95;       // what is left must carry the bar
static const double width_least = 0.2;       // narrower is a notch, which neither beam theory nor this basis describes
static const double width_most = 1.2;        // wider is no longer an arch between the ends
static const double usual_width = 0.5;       // when only the depth is free: about where the nodes of mode 1 are

/// Tried in this order: a marimba's flat arch first, then the round one and steeper ones.
static const unsigned exponents[] = {4, 2, 6, 8};

typedef struct {
  double depth;
  double width;
  unsigned exponent;
} profile;

typedef struct {
  double node[HALF];
  double weight[HALF];
  double curvature[2][BASIS][HALF]; // by parity; curvature of the Ritz functions
  double shape[2][BASIS][HALF];     // the functions, rigid part not yet removed
  double height[HALF];              // h/h0
  double pure[BASIS][HALF];         // the functions of the parity being solved, orthogonal to the rigid motion
  double rigid[BASIS];              // what was subtracted for that
  double stiffness[BASIS * BASIS];
  double mass[BASIS * BASIS];
  double nu[BASIS];
  double vectors[BASIS * BASIS];
} workspace;

/**
   Legendre coefficients, of degrees j - 2, j, j + 2, of the double integral of sqrt(2j + 1) P_j; degrees 0 and 1 are rigid
   motions and left out. From int P_j = (P_(j+1) - P_(j-1))/(2j + 1).
*/
static void integral(size_t j, double c[3]) {
  const double d = (double)j;
  const double norm = sqrt(2.0 * d + 1.0);
  c[0] = j >= 4 ? norm / ((2.0 * d + 1.0) * (2.0 * d - 1.0)) : 0.0;
  c[1] = j >= 2 ? -2.0 * norm / ((2.0 * d + 3.0) * (2.0 * d - 1.0)) : 0.0;
  c[2] = norm / ((2.0 * d + 1.0) * (2.0 * d + 3.0));
}

static void tabulate(workspace* w) {
  double nodes[2 * HALF];
  double weights[2 * HALF];
  htz_gauss_legendre((size_t)2 * HALF, nodes, weights);
  for (size_t q = 0; q < HALF; ++q) {
    const double x = nodes[HALF + q];
    double p[DEGREES + 1];
    p[0] = 1.0;
    p[1] = x;
    for (size_t j = 1; j < DEGREES; ++j) {
      p[j + 1] = ((2.0 * (double)j + 1.0) * x * p[j] - (double)j * p[j - 1]) / ((double)j + 1.0);
    }
    w->node[q] = x;
    w->weight[q] = weights[HALF + q];
    for (size_t j = 0; j < (size_t)2 * BASIS; ++j) {
      double c[3];
      integral(j, c);
      w->curvature[j & 1u][j / 2][q] = sqrt(2.0 * (double)j + 1.0) * p[j];
      w->shape[j & 1u][j / 2][q] = (j >= 2 ? c[0] * p[j - 2] : 0.0) + c[1] * p[j] + c[2] * p[j + 2];
    }
  }
}

static void cut(workspace* w, const profile* shape) {
  for (size_t q = 0; q < HALF; ++q) {
    w->height[q] = 1.0 - shape->depth * exp(-pow(w->node[q] / shape->width, (double)shape->exponent));
  }
}

/** Sum of products over the nodes; four partial sums, since one would wait for each addition. */
static double dot(const double* a, const double* b) {
  double sum[4] = {0.0, 0.0, 0.0, 0.0};
  for (size_t q = 0; q < HALF; q += 4) {
    for (size_t lane = 0; lane < 4; ++lane)
      sum[lane] += a[q + lane] * b[q + lane];
  }
  return (sum[0] + sum[1]) + (sum[2] + sum[3]);
}

/** Solve the modes of one parity with n functions into w->nu (ascending), w->vectors (unit stiffness), w->rigid. */
static htz_status solve_parity(workspace* w, size_t parity, size_t n) {
  double inertia[HALF]; // weight times h
  double bending[HALF]; // weight times h^3
  double still[HALF];   // the rigid motion times weight and h
  for (size_t q = 0; q < HALF; ++q) {
    inertia[q] = w->weight[q] * w->height[q];
    bending[q] = inertia[q] * w->height[q] * w->height[q];
    still[q] = inertia[q] * (parity ? w->node[q] : 1.0);
  }
  double rigid_inertia = 0.0;
  for (size_t q = 0; q < HALF; ++q)
    rigid_inertia += still[q] * (parity ? w->node[q] : 1.0);
  for (size_t a = 0; a < n; ++a) {
    const double* curvature = w->curvature[parity][a];
    double moment[HALF];
    double momentum[HALF];
    w->rigid[a] = dot(still, w->shape[parity][a]) / rigid_inertia;
    for (size_t q = 0; q < HALF; ++q) {
      w->pure[a][q] = w->shape[parity][a][q] - w->rigid[a] * (parity ? w->node[q] : 1.0);
      moment[q] = bending[q] * curvature[q];
      momentum[q] = inertia[q] * w->pure[a][q];
    }
    for (size_t b = 0; b <= a; ++b) {
      w->stiffness[a * n + b] = w->stiffness[b * n + a] = dot(moment, w->curvature[parity][b]);
      w->mass[a * n + b] = w->mass[b * n + a] = dot(momentum, w->pure[b]);
    }
  }
  return htz_eigen_symmetric(n, w->mass, w->stiffness, w->nu, w->vectors);
}

/** Logarithms of f2/f1 and f3/f1 over their targets. @return false when this profile cannot be solved. */
static bool residual(workspace* w, const profile* shape, size_t n, size_t ratios, const double* target, double* out) {
  cut(w, shape);
  if (solve_parity(w, 0, n))
    return false;
  const double first = w->nu[n - 1];
  const double third = w->nu[n - 2];
  if (solve_parity(w, 1, n))
    return false;
  const double second = w->nu[n - 1];
  out[0] = 0.5 * log(first / second) - log(target[0]);
  if (ratios > 1)
    out[1] = 0.5 * log(first / third) - log(target[1]);
  return isfinite(out[0]) && (ratios < 2 || isfinite(out[1]));
}

static double size_of(size_t ratios, const double* r) {
  return ratios > 1 ? hypot(r[0], r[1]) : fabs(r[0]);
}

static bool allowed(const profile* p) {
  return p->depth > 0.0 && p->depth <= depth_most && p->width >= width_least && p->width <= width_most;
}

typedef struct {
  double distance; // from the targets
  profile p;
} start;

/**
   The STARTS profiles of a coarse grid nearest to the targets, nearest first; distance infinite where there is none. With one
   ratio only the depth is searched.
*/
static void starts_on_grid(workspace* w, unsigned exponent, size_t ratios, const double* target, start* starts) {
  for (size_t k = 0; k < STARTS; ++k)
    starts[k].distance = HUGE_VAL;
  for (size_t i = 0; i < GRID_DEPTH; ++i) {
    for (size_t j = 0; j < (ratios > 1 ? GRID_WIDTH : 1); ++j) {
      const double width = width_least + (width_most - width_least) * ((double)j + 0.5) / GRID_WIDTH;
      start next = {0.0, {depth_most * ((double)i + 0.5) / GRID_DEPTH, ratios > 1 ? width : usual_width, exponent}};
      double r[RATIOS_MAX];
      if (!residual(w, &next.p, COARSE, ratios, target, r))
        continue;
      next.distance = size_of(ratios, r);
      for (size_t k = 0; k < STARTS; ++k) {
        if (!(next.distance < starts[k].distance))
          continue;
        const start worse = starts[k];
        starts[k] = next;
        next = worse;
      }
    }
  }
}

/** Newton's step from p, where the residual is r, with the derivative of the coarse basis. @return false when there is none. */
static bool newton_step(workspace* w, const profile* p, size_t ratios, const double* target, const double* r, double* step) {
  double here[RATIOS_MAX];
  double jacobian[RATIOS_MAX * RATIOS_MAX];
  if (!residual(w, p, COARSE, ratios, target, here))
    return false;
  for (size_t j = 0; j < ratios; ++j) {
    profile moved = *p;
    if (j == 0)
      moved.depth += difference;
    if (j == 1)
      moved.width += difference;
    double there[RATIOS_MAX];
    if (!residual(w, &moved, COARSE, ratios, target, there))
      return false;
    for (size_t i = 0; i < ratios; ++i)
      jacobian[i * RATIOS_MAX + j] = (there[i] - here[i]) / difference;
  }
  for (size_t i = 0; i < ratios; ++i)
    step[i] = -r[i];
  return htz_solve_dense(ratios, RATIOS_MAX, jacobian, step);
}

/** Damped Newton from *p. @return true when the targets are met. */
static bool newton(workspace* w, size_t n, double tolerance, size_t ratios, const double* target, profile* p) {
  double r[RATIOS_MAX];
  if (!residual(w, p, n, ratios, target, r))
    return false;
  for (size_t i = 0; i < STEPS_MAX && size_of(ratios, r) > tolerance; ++i) {
    double step[RATIOS_MAX] = {0.0, 0.0};
    if (!newton_step(w, p, ratios, target, r, step))
      return false;
    bool better = false;
    double factor = 1.0;
    for (size_t halving = 0; halving < HALVINGS && !better; ++halving, factor *= 0.5) {
      const profile next = {p->depth + factor * step[0], p->width + factor * step[1], p->exponent};
      double there[RATIOS_MAX];
      if (!allowed(&next) || !residual(w, &next, n, ratios, target, there))
        continue;
      if (!(size_of(ratios, there) < size_of(ratios, r)))
        continue;
      *p = next;
      r[0] = there[0];
      r[1] = ratios > 1 ? there[1] : 0.0;
      better = true;
    }
    if (!better)
      return false;
  }
  return size_of(ratios, r) <= tolerance;
}

/** Write shape and frequency of the modes of one parity, just solved, to `out`. */
static void take_modes(const workspace* w, size_t parity, double total, htz_bar_shapes* out) {
  for (size_t i = 0; 2 * i + parity < HTZ_BAR_MODES_MAX; ++i) {
    const size_t from = BASIS - 1 - i;
    const double* vector = w->vectors + from * BASIS;
    double* series = out->series[2 * i + parity];
    double end = 0.0;
    for (size_t j = 0; j < HTZ_BAR_TERMS; ++j)
      series[j] = 0.0;
    for (size_t a = 0; a < BASIS; ++a) {
      double c[3];
      integral(2 * a + parity, c);
      if (a > 0)
        series[a - 1] += vector[a] * c[0];
      series[a] += vector[a] * c[1];
      series[a + 1] += vector[a] * c[2];
      series[0] -= vector[a] * w->rigid[a];
    }
    for (size_t j = 0; j < HTZ_BAR_TERMS; ++j)
      end += series[j]; // P_j(1) = 1
    const double scale = copysign(sqrt(total / w->nu[from]), end);
    for (size_t j = 0; j < HTZ_BAR_TERMS; ++j)
      series[j] *= scale;
    out->number[2 * i + parity] = 4.0 / sqrt(w->nu[from]); // lengths were halves: (L/2)^2
  }
}

static htz_status fill(workspace* w, const profile* p, htz_bar_shapes* out) {
  cut(w, p);
  double total = 0.0;    // mass of half the bar, as all sums here; the uncut one has 1
  double rotation = 0.0; // its moment about the middle
  for (size_t q = 0; q < HALF; ++q) {
    total += w->weight[q] * w->height[q];
    rotation += w->weight[q] * w->height[q] * w->node[q] * w->node[q];
  }
  for (size_t parity = 0; parity < 2; ++parity) {
    const htz_status st = solve_parity(w, parity, BASIS);
    if (st)
      return st;
    take_modes(w, parity, total, out);
  }
  out->depth = p->depth;
  out->half_width = p->width;
  out->exponent = p->exponent;
  out->mass_ratio = total;
  out->rotation = sqrt(total / rotation);
  out->n = HTZ_BAR_MODES_MAX;
  return HTZ_OK;
}

htz_status htz_bar_undercut_find(size_t n_partials, const double* partials, htz_bar_shapes* shapes) {
  const size_t ratios = n_partials > 2 ? 2 : 1;
  workspace* w = malloc(sizeof *w);
  if (!w)
    return HTZ_NO_MEMORY;
  tabulate(w);
  htz_status st = HTZ_NOT_FOUND;
  for (size_t i = 0; st == HTZ_NOT_FOUND && i < sizeof exponents / sizeof *exponents; ++i) {
    start starts[STARTS];
    starts_on_grid(w, exponents[i], ratios, partials + 1, starts);
    for (size_t k = 0; st == HTZ_NOT_FOUND && k < STARTS && isfinite(starts[k].distance); ++k) {
      profile p = starts[k].p;
      // What the coarse basis finds is within its own error of what the fine one looks for.
      if (newton(w, COARSE, coarse_converged, ratios, partials + 1, &p) &&
          newton(w, BASIS, converged, ratios, partials + 1, &p)) {
        st = fill(w, &p, shapes);
      }
    }
  }
  free(w);
  return st;
}
