/* Modes as grid bodies: one two-step recursion each. */

#include "grid_private.h"

#include <math.h>

static const double fastest = 0.95 * 3.14159265358979323846; // omega k that tuning can reach

static const grid_modes* of(const htz_grid* grid) {
  return (const grid_modes*)grid;
}

static void modes_foresee(htz_grid* grid) {
  const grid_modes* m = of(grid);
  for (size_t i = 0; i < grid->n; ++i) {
    grid->next[i] = m->ahead[i] * grid->now[i] + m->behind[i] * grid->before[i];
  }
}

static double modes_energy(const htz_grid* grid) {
  const grid_modes* m = of(grid);
  double sum = 0.0;
  for (size_t i = 0; i < grid->n; ++i) {
    const double way = grid->now[i] - grid->before[i];
    sum += m->weight[i] * (m->spread[i] * way * way + 2.0 * m->stiff[i] * grid->now[i] * grid->before[i]);
  }
  return sum;
}

static void modes_locate(const htz_grid* grid, double x, double y, htz_grid_point* point) {
  const grid_modes* m = of(grid);
  if (m->modes->shape_xy) {
    m->modes->shape_xy(m->modes, x, y, m->phi);
  } else {
    m->modes->shape(m->modes, x, m->phi);
  }
  point->n = grid->n;
  for (size_t i = 0; i < grid->n; ++i) {
    point->at[i] = (uint32_t)i;
    point->share[i] = m->phi[i];
  }
}

static void modes_tune(htz_grid* grid, double ratio, double loss, double damp) {
  grid_modes* m = (grid_modes*)grid;
  const double k = grid->period;
  grid->compliance = 0.0;
  for (size_t i = 0; i < grid->n; ++i) {
    const double sigma = m->modes->sigma[i] * (loss >= 0.0 ? loss : 1.0) + (damp > 0.0 ? damp : 0.0);
    const double omega = m->modes->omega[i] * (ratio > 0.0 ? ratio : 1.0);
    const double square = omega * omega - sigma * sigma; // so heavily damped that it does not swing: critically
    const double wanted = square > 0.0 ? k * sqrt(square) : 0.0, angle = wanted < fastest ? wanted : fastest;
    const double fade = exp(-sigma * k), mass = m->modes->mass[i];
    const double half_turn = sin(0.5 * angle), half_fade = sinh(0.5 * sigma * k);
    const double g = k * k / mass * (angle > 0.0 ? sin(angle) / angle : 1.0);
    m->ahead[i] = 2.0 * fade * cos(angle);
    m->behind[i] = -fade * fade;
    m->weight[i] = 0.5 / g;
    m->spread[i] = cosh(sigma * k);
    m->stiff[i] = 2.0 * (half_turn * half_turn + half_fade * half_fade);
    m->lattice.ease[i] = fade * g;
    grid->compliance = fade * g > grid->compliance ? fade * g : grid->compliance;
  }
  for (size_t i = 0; i < grid->n; ++i) {
    m->lattice.ease[i] /= grid->compliance;
  }
}

const htz_grid_class htz_grid_modes_class = {"modes", modes_foresee, modes_energy, modes_locate, modes_tune};
