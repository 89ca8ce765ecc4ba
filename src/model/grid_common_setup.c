#include "grid_private.h"

#include <math.h>

bool htz_grid_positive(double x) {
  return x > 0.0 && isfinite(x);
}

bool htz_grid_not_negative(double x) {
  return x >= 0.0 && isfinite(x);
}

const char* htz_grid_fault(size_t n, const grid_rule* rules) {
  for (size_t i = 0; i < n; ++i) {
    if (rules[i].wrong) {
      return rules[i].why;
    }
  }
  return NULL;
}

void htz_grid_lattice_finish(grid_lattice* lattice) {
  const double middle = 0.5;
  for (size_t p = 0; p < lattice->base.n_points; ++p) {
    htz_grid_place(&lattice->base, p, middle, middle);
  }
  lattice->base.cls->tune(&lattice->base, 1.0, 1.0, 0.0);
}

/** Up to a multiple of the padding, so that every array and row begins on a cache line. */
static size_t padded(size_t n) {
  return (n + HTZ_GRID_PAD - 1) / HTZ_GRID_PAD * HTZ_GRID_PAD;
}

htz_status htz_grid_lattice_init(grid_lattice* lattice, const htz_grid_class* cls, double period, size_t n_points,
                                 htz_arena* arena) {
  const size_t n = lattice->rows > 1 ? lattice->rows * lattice->stride : lattice->columns;
  const size_t ghost_rows = lattice->rows > 1 ? lattice->stride : 0; // one row beyond each edge
  lattice->lead = HTZ_GRID_PAD + ghost_rows;
  lattice->span = padded(n) + 2 * lattice->lead;
  lattice->memory_n = 3 * lattice->span;
  lattice->memory = htz_arena_alloc(arena, lattice->memory_n, sizeof *lattice->memory);
  htz_grid_point* points = n_points ? htz_arena_alloc(arena, n_points, sizeof *points) : NULL;
  if (!lattice->memory || (n_points && !points)) {
    return HTZ_NO_MEMORY;
  }
  double* first = lattice->memory + lattice->lead;
  htz_grid* base = &lattice->base;
  base->cls = cls;
  base->n = n;
  base->period = period;
  base->n_points = n_points;
  base->points = points;
  base->next = first;
  base->now = first + lattice->span;
  base->before = first + 2 * lattice->span;
  if (lattice->columns > 1) {
    lattice->ease = htz_arena_alloc(arena, n, sizeof *lattice->ease);
    if (!lattice->ease) {
      return HTZ_NO_MEMORY;
    }
    base->ease = lattice->ease;
  }
  return HTZ_OK;
}
