#include "hertzian/dsp/kernels.h"
#include "hertzian/dsp/linalg.h"
#include "modes_private.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double pi = 3.14159265358979323846;

/*
   A beam that bends and moves with a simply supported plate along a straight line of it. With the bare plate's modes phi_j, w_j, mass m
   each as Ritz functions, s the way along the line,

     K = m diag(w_j^2) + E I int phi_i'' phi_j'' ds,   M = m I + mu int phi_i phi_j ds.

   Along the line phi_j = sin a sin b = (cos(a - b) - cos(a + b))/2 with a and b linear in s, so that its curvature has a closed form.
*/

enum { NODES_PER_WAVE = 6, PANEL = 8 }; // of Gauss's rule, to the shortest half wave of a product of two shapes

_Static_assert(PANEL % HTZ_LANES == 0, "rows of nodes are what the kernels take");
_Static_assert(HTZ_BEAMED_HEAD % HTZ_LANES == 0, "what follows the head is aligned");

typedef struct {
  size_t n;                 // bare modes
  size_t nodes;             // along the line
  double* memory;           // all that follows
  double *value, *bend;     // of the modes, times the root of the rule's weight, [n][nodes]
  double *stiffness, *mass; // [n][n]
  double *lambda, *vectors; // [n], [n][n]
} beam;

/** Where the line runs in angles of mode (m, n): a = a0 + da s, b = b0 + db s, s = 0..length. */
typedef struct {
  double a, b, da, db;
} angles;

static double length_of(const htz_board_desc* d) {
  return hypot((d->line[2] - d->line[0]) * d->length, (d->line[3] - d->line[1]) * d->width);
}

static angles angles_of(const htz_board_desc* d, const double* number) {
  const double a = pi * number[0], b = pi * number[1], length = length_of(d);
  return (angles){a * d->line[0], b * d->line[1], a * (d->line[2] - d->line[0]) / length,
                  b * (d->line[3] - d->line[1]) / length};
}

/** Enough for the highest of the products, whole panels. */
static size_t nodes_for(const htz_board_desc* d, const htz_modes* bare) {
  double most = 1.0;
  for (size_t j = 0; j < bare->n; ++j) {
    const angles at = angles_of(d, bare->data + HTZ_BOARD_LINE + 2 * j);
    most = fmax(most, (fabs(at.da) + fabs(at.db)) * length_of(d) / pi);
  }
  return PANEL * (size_t)ceil(most * NODES_PER_WAVE / PANEL);
}

static bool lay(beam* b) {
  enum { ALIGNED = HTZ_LANES * sizeof(double) };
  const size_t n = b->n, square = n * n, count = 2 * n * b->nodes + 3 * square + n;
  b->memory = aligned_alloc(ALIGNED, (count / HTZ_LANES + 1) * ALIGNED);
  if (!b->memory) {
    return false;
  }
  b->value = b->memory;
  b->bend = b->value + n * b->nodes;
  b->stiffness = b->bend + n * b->nodes;
  b->mass = b->stiffness + square;
  b->vectors = b->mass + square;
  b->lambda = b->vectors + square;
  return true;
}

static void tabulate(const htz_board_desc* d, const htz_modes* bare, beam* b) {
  double node[PANEL], gauss[PANEL];
  htz_gauss_legendre(PANEL, node, gauss);
  const double panel = length_of(d) * PANEL / (double)b->nodes;
  for (size_t j = 0; j < b->n; ++j) {
    const angles at = angles_of(d, bare->data + HTZ_BOARD_LINE + 2 * j);
    const double slow = at.da - at.db, fast = at.da + at.db;
    for (size_t q = 0; q < b->nodes; ++q) {
      const double s = panel * ((double)(q / PANEL) + 0.5 * (1.0 + node[q % PANEL]));
      const double root = sqrt(0.5 * gauss[q % PANEL] * panel);
      const double difference = cos(at.a - at.b + slow * s), sum = cos(at.a + at.b + fast * s);
      b->value[j * b->nodes + q] = root * 0.5 * (difference - sum);
      b->bend[j * b->nodes + q] = root * 0.5 * (fast * fast * sum - slow * slow * difference);
    }
  }
}

static htz_status solve(const htz_board_desc* d, const htz_modes* bare, beam* b) {
  const htz_kernels* k = htz_kernels_select();
  for (size_t i = 0; i < b->n; ++i) {
    for (size_t j = 0; j <= i; ++j) {
      const double own = i == j ? bare->mass[i] : 0.0;
      const double bent = d->beam_bending * k->dot(b->nodes, b->bend + i * b->nodes, b->bend + j * b->nodes);
      const double moved = d->beam_mass * k->dot(b->nodes, b->value + i * b->nodes, b->value + j * b->nodes);
      b->stiffness[i * b->n + j] = b->stiffness[j * b->n + i] = own * bare->omega[i] * bare->omega[i] + bent;
      b->mass[i * b->n + j] = b->mass[j * b->n + i] = own + moved;
    }
  }
  return htz_eigen_symmetric(b->n, b->stiffness, b->mass, b->lambda, b->vectors);
}

static htz_status write(const htz_board_desc* d, const htz_modes* bare, const beam* b, htz_arena* arena, htz_modes* out) {
  const double top = bare->omega[b->n - 1];
  size_t n = 1;
  while (n < b->n && b->lambda[n] <= top * top) {
    ++n;
  }
  const size_t wide = (b->n + HTZ_LANES - 1) / HTZ_LANES * HTZ_LANES;
  double* data;
  const htz_status st = htz_modes_lay(n, HTZ_BEAMED_HEAD + (2 + n) * wide + 2 * n, arena, out, &data);
  if (st) {
    return st;
  }
  memcpy(data, d->line, sizeof d->line);
  data[HTZ_BEAMED_BASIS] = (double)b->n;
  data[HTZ_BEAMED_WIDE] = (double)wide;
  double* numbers = data + HTZ_BEAMED_HEAD;
  memcpy(numbers, bare->data + HTZ_BOARD_LINE, 2 * b->n * sizeof *data);
  for (size_t j = 0; j < b->n; ++j) {
    data[HTZ_BEAMED_MOST_M] = fmax(data[HTZ_BEAMED_MOST_M], numbers[2 * j]);
    data[HTZ_BEAMED_MOST_N] = fmax(data[HTZ_BEAMED_MOST_N], numbers[2 * j + 1]);
  }
  double* row = numbers + 2 * wide;
  double* strongest = row + n * wide;
  for (size_t k = 0; k < n; ++k) {
    out->omega[k] = sqrt(b->lambda[k]);
    out->sigma[k] = htz_board_sigma(d, out->omega[k] / (2.0 * pi));
    out->mass[k] = bare->mass[0];
    size_t most = 0;
    for (size_t j = 0; j < b->n; ++j) {
      row[j] = sqrt(bare->mass[0]) * b->vectors[k * b->n + j];
      most = fabs(row[j]) > fabs(row[most]) ? j : most;
    }
    memcpy(strongest + 2 * k, numbers + 2 * most, 2 * sizeof *strongest);
    row += wide;
  }
  out->shape = htz_shape_beamed;
  out->shape_xy = htz_shape_beamed_xy;
  return HTZ_OK;
}

htz_status htz_board_beam(const htz_board_desc* desc, const htz_modes* bare, htz_arena* arena, htz_modes* out) {
  if (bare->n > HTZ_BOARD_BEAM_MODES_MAX || !(length_of(desc) > 0.0)) {
    return HTZ_BAD_VALUE;
  }
  beam b = {.n = bare->n, .nodes = nodes_for(desc, bare)};
  htz_status st = lay(&b) ? HTZ_OK : HTZ_NO_MEMORY;
  if (!st) {
    tabulate(desc, bare, &b);
    st = solve(desc, bare, &b);
    st = st ? st : write(desc, bare, &b, arena, out);
  }
  free(b.memory);
  return st;
}
