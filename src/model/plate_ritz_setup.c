#include "hertzian/dsp/linalg.h"
#include "hertzian/model/plate.h"
#include "modes_private.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// As on an undercut bar, the Ritz functions along each side are those whose second derivative is a Legendre polynomial, and the
// inverse problem M x = nu K x, nu = 1/omega^2, is solved, where the modes that matter have the largest eigenvalues. Edges held
// alike on opposite sides make every mode even or odd in x and in y: four problems of a quarter of the size each.

enum {
  FUNCTIONS_LEAST = 6,                           // per parity and side: the first dozen modes then have five digits
  FUNCTIONS_MOST = HTZ_PLATE_DEGREE_MAX / 2 - 2, // clamped ones reach two terms further
  TERMS = FUNCTIONS_MOST + 2,                    // Legendre coefficients per function
  PRODUCTS_MOST = 330,                           // per problem: 256 modes, and a little for plates that are not square
  HALF = HTZ_PLATE_DEGREE_MAX / 2 + 4,           // quadrature nodes on [0, 1]: exact for the product of any two functions
  WAVES = 3                                      // terms of one function
};

/// Polynomials of degree N hold some 2 N/pi half waves: a quarter of all products are modes to be trusted, and what the edges do to
/// the highest of them takes this many functions per side and parity more.
static const double edge_functions = 2.0;

typedef struct {
  double coefficient[TERMS]; // of P_(2i + parity)
  double value[HALF], slope[HALF], bend[HALF];
} function;

/** Functions of one parity along one side, and their integrals over [-1, 1]. */
typedef struct {
  function f[FUNCTIONS_MOST];
  double mass[FUNCTIONS_MOST][FUNCTIONS_MOST];  // f f
  double shear[FUNCTIONS_MOST][FUNCTIONS_MOST]; // f' f'
  double mixed[FUNCTIONS_MOST][FUNCTIONS_MOST]; // f'' f
  double bend[FUNCTIONS_MOST][FUNCTIONS_MOST];  // f'' f''
} family;

typedef struct {
  unsigned parity[2];
  double lambda;
  const double* vector; // [products]
} found;

typedef struct {
  size_t functions[2]; // per parity along x, y
  size_t terms[2];
  family side[2][2]; // [x, y][parity]
  double node[HALF], weight[HALF];
  double p[2 * TERMS][HALF], dp[2 * TERMS][HALF]; // Legendre polynomials and their derivatives
  double* mass;                                   // [products][products]
  double* stiffness;
  double* vectors[4]; // of each problem
  double* nu;
  found* list; // of all four
} workspace;

static void tabulate(workspace* w) {
  double nodes[2 * HALF], weights[2 * HALF];
  htz_gauss_legendre((size_t)2 * HALF, nodes, weights);
  for (size_t q = 0; q < HALF; ++q) {
    const double x = nodes[HALF + q];
    w->node[q] = x;
    w->weight[q] = 2.0 * weights[HALF + q]; // both halves: products of one parity are even
    w->p[0][q] = 1.0;
    w->p[1][q] = x;
    w->dp[0][q] = 0.0;
    w->dp[1][q] = 1.0;
    for (size_t d = 1; d + 1 < (size_t)2 * TERMS; ++d) {
      const double odd = 2.0 * (double)d + 1.0;
      w->p[d + 1][q] = (odd * x * w->p[d][q] - (double)d * w->p[d - 1][q]) / ((double)d + 1.0);
      w->dp[d + 1][q] = w->dp[d - 1][q] + odd * w->p[d][q];
    }
  }
}

/**
   Legendre coefficients, of degrees d - 2, d, d + 2, of the double integral of sqrt(2d + 1) P_d from -1 on; from
   int P_d = (P_(d+1) - P_(d-1))/(2d + 1). For d >= 2 it has neither value nor slope at the ends.
*/
static void integral(size_t d, double c[WAVES]) {
  const double j = (double)d;
  const double norm = sqrt(2.0 * j + 1.0);
  c[0] = norm / ((2.0 * j + 1.0) * (2.0 * j - 1.0));
  c[1] = -2.0 * norm / ((2.0 * j + 3.0) * (2.0 * j - 1.0));
  c[2] = norm / ((2.0 * j + 1.0) * (2.0 * j + 3.0));
}

/** Function i of a parity. Free: a rigid motion, then bending ones without their rigid part, degrees 0 and 1. */
static void make(const workspace* w, bool clamped, unsigned parity, size_t i, function* f) {
  memset(f, 0, sizeof *f);
  const bool rigid = !clamped && i == 0;
  const size_t d = 2 * (clamped ? i + 1 : i - 1) + parity; // of its curvature
  if (rigid) {
    f->coefficient[0] = 1.0;
  } else {
    double c[WAVES];
    integral(d, c);
    for (size_t k = 0; k < WAVES; ++k) {
      if (clamped || d + 2 * k >= 4) { // degree d - 2 + 2k is neither 0 nor 1
        f->coefficient[d / 2 + k - 1] = c[k];
      }
    }
  }
  for (size_t q = 0; q < HALF; ++q) {
    for (size_t t = 0; t < TERMS; ++t) {
      f->value[q] += f->coefficient[t] * w->p[2 * t + parity][q];
      f->slope[q] += f->coefficient[t] * w->dp[2 * t + parity][q];
    }
    f->bend[q] = rigid ? 0.0 : sqrt(2.0 * (double)d + 1.0) * w->p[d][q];
  }
}

static double integrate(const workspace* w, const double* a, const double* b) {
  double sum = 0.0;
  for (size_t q = 0; q < HALF; ++q) {
    sum += w->weight[q] * a[q] * b[q];
  }
  return sum;
}

static void fill_family(const workspace* w, bool clamped, unsigned parity, size_t n, family* out) {
  for (size_t i = 0; i < n; ++i) {
    make(w, clamped, parity, i, &out->f[i]);
  }
  for (size_t i = 0; i < n; ++i) {
    for (size_t j = 0; j < n; ++j) {
      out->mass[i][j] = integrate(w, out->f[i].value, out->f[j].value);
      out->shear[i][j] = integrate(w, out->f[i].slope, out->f[j].slope);
      out->mixed[i][j] = integrate(w, out->f[i].bend, out->f[j].value);
      out->bend[i][j] = integrate(w, out->f[i].bend, out->f[j].bend);
    }
  }
}

/** Product number `at` of a problem: which functions. The rigid motions of a free plate are left out. */
static void product(const workspace* w, bool skip, size_t at, size_t* i, size_t* j) {
  *i = (at + skip) / w->functions[1];
  *j = (at + skip) % w->functions[1];
}

static htz_status solve(workspace* w, const htz_plate_shapes* s, unsigned px, unsigned py, double* vectors, size_t* n) {
  const family* x = &w->side[0][px];
  const family* y = &w->side[1][py];
  const bool skip = s->edges == HTZ_PLATE_FREE && px + py < 2;
  const double r2 = s->aspect * s->aspect;
  const size_t count = w->functions[0] * w->functions[1] - skip;
  for (size_t a = 0; a < count; ++a) {
    size_t i, j, k, l;
    product(w, skip, a, &i, &j);
    for (size_t b = 0; b <= a; ++b) {
      product(w, skip, b, &k, &l);
      const double mixed = x->mixed[i][k] * y->mixed[l][j] + x->mixed[k][i] * y->mixed[j][l];
      const double stiffness = x->bend[i][k] * y->mass[j][l] + s->across * r2 * r2 * x->mass[i][k] * y->bend[j][l] +
                               r2 * (s->coupling * mixed + 4.0 * s->twist * x->shear[i][k] * y->shear[j][l]);
      w->mass[a * count + b] = w->mass[b * count + a] = x->mass[i][k] * y->mass[j][l];
      w->stiffness[a * count + b] = w->stiffness[b * count + a] = stiffness;
    }
  }
  *n = count;
  return htz_eigen_symmetric(count, w->mass, w->stiffness, w->nu, vectors);
}

/** By frequency; equal ones, the pairs of a square plate, odd in y first. */
static int compare(const void* a, const void* b) {
  const found* left = a;
  const found* right = b;
  if (left->lambda != right->lambda) {
    return left->lambda < right->lambda ? -1 : 1;
  }
  return left->parity[0] < right->parity[0] ? -1 : 1;
}

/** Write a mode's parities and coefficients, of mean square 1. */
static void take(const workspace* w, const htz_plate_shapes* s, const found* mode, double* out) {
  const bool skip = s->edges == HTZ_PLATE_FREE && mode->parity[0] + mode->parity[1] < 2;
  const size_t tx = w->terms[0], ty = w->terms[1];
  const double scale = 2.0 * sqrt(mode->lambda); // vectors have unit stiffness, so mass 1/lambda over an area of 4
  out[0] = mode->parity[0];
  out[1] = mode->parity[1];
  double* c = out + 2;
  memset(c, 0, tx * ty * sizeof *c);
  for (size_t at = 0; at < w->functions[0] * w->functions[1] - skip; ++at) {
    size_t i, j;
    product(w, skip, at, &i, &j);
    const double* x = w->side[0][mode->parity[0]].f[i].coefficient;
    const double* y = w->side[1][mode->parity[1]].f[j].coefficient;
    for (size_t a = 0; a < tx; ++a) {
      for (size_t b = 0; x[a] != 0.0 && b < ty; ++b) {
        c[a * ty + b] += scale * mode->vector[at] * x[a] * y[b];
      }
    }
  }
}

static void sizes(workspace* w, const htz_plate_shapes* s, size_t* most) {
  // Half waves along x go with those along y as the sides and the fourth root of the stiffness do.
  const double shape = s->aspect * sqrt(sqrt(s->across));
  const double longer = shape > 1.0 ? shape : 1.0 / shape;
  const double inner = FUNCTIONS_MOST - edge_functions;
  double wanted = (double)*most < inner * inner / longer ? (double)*most : inner * inner / longer;
  double n[2];
  for (;; wanted *= 0.95) { // until it fits
    const double per_side[2] = {sqrt(wanted * shape) + edge_functions, sqrt(wanted / shape) + edge_functions};
    for (size_t side = 0; side < 2; ++side) {
      n[side] = ceil(per_side[side]);
      n[side] = n[side] < FUNCTIONS_LEAST ? FUNCTIONS_LEAST : n[side] > FUNCTIONS_MOST ? FUNCTIONS_MOST : n[side];
    }
    if (n[0] * n[1] <= PRODUCTS_MOST) {
      break;
    }
  }
  *most = wanted < 1.0 ? 1 : (size_t)wanted;
  for (size_t side = 0; side < 2; ++side) {
    w->functions[side] = (size_t)n[side];
    w->terms[side] = w->functions[side] + (s->edges == HTZ_PLATE_CLAMPED ? 2 : 0);
  }
}

static htz_status solve_all(workspace* w, const htz_plate_shapes* s, size_t* total) {
  tabulate(w);
  for (size_t side = 0; side < 2; ++side) {
    for (unsigned parity = 0; parity < 2; ++parity) {
      fill_family(w, s->edges == HTZ_PLATE_CLAMPED, parity, w->functions[side], &w->side[side][parity]);
    }
  }
  *total = 0;
  for (unsigned problem = 0; problem < 4; ++problem) {
    const unsigned px = problem & 1u, py = problem >> 1u;
    size_t n;
    const htz_status st = solve(w, s, px, py, w->vectors[problem], &n);
    if (st) {
      return st;
    }
    for (size_t i = 0; i < n && w->nu[i] > 0.0; ++i) {
      w->list[(*total)++] = (found){{px, py}, 1.0 / w->nu[i], w->vectors[problem] + i * n};
    }
  }
  qsort(w->list, *total, sizeof *w->list, compare);
  return HTZ_OK;
}

static htz_status lay(const workspace* w, const double* line, size_t n, htz_arena* arena, htz_plate_shapes* out) {
  const size_t per_mode = 2 + w->terms[0] * w->terms[1];
  double* number = htz_arena_alloc(arena, n, sizeof *number);
  double* data = htz_arena_alloc(arena, HTZ_PLATE_HEAD + n * per_mode, sizeof *data);
  if (!number || !data) {
    return HTZ_NO_MEMORY;
  }
  data[0] = (double)w->terms[0];
  data[1] = (double)w->terms[1];
  data[2] = out->edges == HTZ_PLATE_FREE ? HTZ_PLATE_RIGID : 0;
  memcpy(data + HTZ_PLATE_HEAD - HTZ_BOARD_LINE, line, HTZ_BOARD_LINE * sizeof *line);
  for (size_t k = 0; k < n; ++k) {
    number[k] = 4.0 * sqrt(w->list[k].lambda); // lengths were halves: (a/2)^2
    take(w, out, &w->list[k], data + HTZ_PLATE_HEAD + k * per_mode);
  }
  out->n = n;
  out->number = number;
  out->data = data;
  out->data_n = HTZ_PLATE_HEAD + n * per_mode;
  return HTZ_OK;
}

htz_status htz_plate_ritz(const double* line, size_t max_modes, htz_arena* arena, htz_plate_shapes* out) {
  workspace* w = malloc(sizeof *w);
  if (!w) {
    return HTZ_NO_MEMORY;
  }
  size_t most = max_modes < HTZ_PLATE_RITZ_MODES ? max_modes : HTZ_PLATE_RITZ_MODES;
  sizes(w, out, &most);
  const size_t products = w->functions[0] * w->functions[1];
  double* memory = malloc((6 * products + 1) * products * sizeof *memory);
  w->list = malloc(4 * products * sizeof *w->list);
  htz_status st = HTZ_NO_MEMORY;
  if (memory && w->list) {
    w->mass = memory;
    w->stiffness = w->mass + products * products;
    for (size_t i = 0; i < 4; ++i) {
      w->vectors[i] = w->stiffness + (1 + i) * products * products;
    }
    w->nu = w->vectors[3] + products * products;
    size_t total = 0;
    st = solve_all(w, out, &total);
    st = st ? st : lay(w, line, total < most ? total : most, arena, out);
  }
  free(memory);
  free(w->list);
  free(w);
  return st;
}
