/*
   What works on every grid body. Bilbao, Numerical Sound Synthesis (2009): interpolation 5.2.4, losses 6.4 and 7.3.
*/

#include "grid_private.h"

#include <math.h>
#include <string.h>

static const double pi = 3.14159265358979323846;

static const grid_lattice* lattice_of(const htz_grid* grid) {
  return (const grid_lattice*)grid;
}

// ---------------------------------------------------------------- dispersion relation

double htz_grid_curvature_most(double tension, double stiffness, double sigma1, double period) {
  // k^2 (T P + E P^2) + 4 sigma_1 k P <= 4 at the lattice's highest P: the root z = -1 of the characteristic equation.
  const double b = tension * period * period + 4.0 * sigma1 * period;
  return 8.0 / (b + sqrt(b * b + 16.0 * stiffness * period * period));
}

// The characteristic equation of one mode is A z^2 - (A + C - k^2 Omega^2) z + C = 0 with A = 1 + sigma_0 k and
// C = 1 - sigma_0 k - 2 sigma_1 k P; z = r e^(j w k) gives k^2 Omega^2 = (sqrt A - sqrt C)^2 + 4 sqrt(A C) sin^2(w k/2).

double htz_grid_eigenvalue(const grid_loss* loss, double curvature, double hz, double period) {
  const double a = 1.0 + loss->sigma0 * period;
  const double c = 1.0 - loss->sigma0 * period - 2.0 * loss->sigma1 * period * curvature;
  const double half = sin(pi * hz * period);
  if (!(c > 0.0)) {
    return 4.0 * half * half; // so heavily damped that it does not ring: as if there were no loss
  }
  const double sum = sqrt(a) + sqrt(c);
  const double difference = (a - c) / sum;
  return difference * difference + 4.0 * sqrt(a * c) * half * half;
}

double htz_grid_frequency(const grid_loss* loss, double curvature, double eigenvalue, double period) {
  const double a = 1.0 + loss->sigma0 * period;
  const double c = 1.0 - loss->sigma0 * period - 2.0 * loss->sigma1 * period * curvature;
  if (!(c > 0.0)) {
    return NAN;
  }
  const double difference = (a - c) / (sqrt(a) + sqrt(c));
  const double square = (eigenvalue * period * period - difference * difference) / (4.0 * sqrt(a * c));
  return square >= 0.0 && square <= 1.0 ? asin(sqrt(square)) / (pi * period) : NAN;
}

grid_loss htz_grid_lossy(const grid_loss* loss, double scale, double damp, double steep, double omega2, double first,
                         double period) {
  const double times = scale >= 0.0 ? scale : 1.0;
  grid_loss lost = {loss->sigma0 * times + (damp > 0.0 ? damp : 0.0), loss->sigma1 * times};
  // The root z = -1 again: k^2 Omega^2 + 4 sigma_1 k P <= 4.
  const double room = (4.0 - period * period * omega2) / (4.0 * period * steep);
  const double most = room > 0.0 ? room : 0.0;
  if (lost.sigma1 > most) {
    lost.sigma0 += (lost.sigma1 - most) * first;
    lost.sigma1 = most;
  }
  return lost;
}

// ---------------------------------------------------------------- points

size_t htz_grid_shares(double position, size_t most, uint32_t first[1], double share[GRID_CUBIC]) {
  const double last = (double)most;
  const double x = position > 0.0 ? (position < last ? position : last) : 0.0; // NaN: 0
  size_t i = (size_t)x;
  if (i >= most) {
    i = most - 1;
  }
  const double t = x - (double)i;
  if (i < 1 || i + 2 > most) {
    first[0] = (uint32_t)i;
    share[0] = 1.0 - t;
    share[1] = t;
    return 2;
  }
  first[0] = (uint32_t)(i - 1); // Lagrange's polynomials at -1, 0, 1, 2
  share[0] = -t * (t - 1.0) * (t - 2.0) / 6.0;
  share[1] = (t * t - 1.0) * (t - 2.0) / 2.0;
  share[2] = -t * (t + 1.0) * (t - 2.0) / 2.0;
  share[3] = t * (t * t - 1.0) / 6.0;
  return GRID_CUBIC;
}

void htz_grid_place(htz_grid* grid, size_t p, double x, double y) {
  if (p < grid->n_points) {
    grid->cls->locate(grid, x, y, &grid->points[p]);
  }
}

static double read_point(const htz_grid* grid, const double* state, size_t p) {
  const htz_grid_point* point = &grid->points[p];
  double sum = 0.0;
  for (size_t i = 0; i < point->n; ++i) {
    sum += point->share[i] * state[point->at[i]];
  }
  return sum;
}

double htz_grid_next(const htz_grid* grid, size_t p) {
  return read_point(grid, grid->next, p);
}

double htz_grid_now(const htz_grid* grid, size_t p) {
  return read_point(grid, grid->now, p);
}

double htz_grid_before(const htz_grid* grid, size_t p) {
  return read_point(grid, grid->before, p);
}

double htz_grid_compliance(const htz_grid* grid, size_t p, size_t r) {
  const htz_grid_point* a = &grid->points[p];
  const htz_grid_point* b = &grid->points[r];
  double sum = 0.0;
  for (size_t i = 0; i < a->n; ++i) {
    for (size_t j = 0; j < b->n; ++j) {
      if (a->at[i] == b->at[j]) {
        sum += a->share[i] * b->share[j] * (grid->ease ? grid->ease[a->at[i]] : 1.0);
      }
    }
  }
  return grid->compliance * sum;
}

void htz_grid_push(htz_grid* grid, size_t p, double force) {
  const htz_grid_point* point = &grid->points[p];
  const double moved = grid->compliance * force;
  for (size_t i = 0; i < point->n; ++i) {
    const size_t at = point->at[i];
    grid->next[at] += moved * point->share[i] * (grid->ease ? grid->ease[at] : 1.0);
  }
}

// ---------------------------------------------------------------- state

void htz_grid_shift(htz_grid* grid) {
  double* oldest = grid->before;
  grid->before = grid->now;
  grid->now = grid->next;
  grid->next = oldest;
}

void htz_grid_reset(htz_grid* grid) {
  const grid_lattice* lattice = lattice_of(grid);
  memset(lattice->memory, 0, lattice->memory_n * sizeof *lattice->memory);
}

void htz_grid_scale(htz_grid* grid, double factor) {
  const grid_lattice* lattice = lattice_of(grid);
  for (size_t i = 0; i < lattice->memory_n; ++i) {
    lattice->memory[i] *= factor;
  }
}

/** Raised cosine about (x, y), in [0, 1]; a lumped body moves as a whole. */
static double hump(const grid_lattice* lattice, size_t column, size_t row, double x, double y, double width) {
  if (lattice->columns == 1) {
    return 1.0;
  }
  const double dx = ((double)column / (double)(lattice->columns - 1) - x) * lattice->sides[0];
  const double dy = lattice->rows > 1 ? ((double)row / (double)(lattice->rows - 1) - y) * lattice->sides[1] : 0.0;
  const double far = sqrt(dx * dx + dy * dy) / (width * lattice->sides[0]);
  return far < 1.0 ? 0.5 * (1.0 + cos(pi * far)) : 0.0;
}

/** now += height hump, before += (height - travel) hump, where the body can move. */
static void move(htz_grid* grid, double x, double y, double width, double height, double travel) {
  const grid_lattice* lattice = lattice_of(grid);
  for (size_t row = 0; row < lattice->rows; ++row) {
    for (size_t column = 0; column < lattice->columns; ++column) {
      const size_t at = row * lattice->stride + column;
      if (grid->ease && grid->ease[at] == 0.0) {
        continue;
      }
      const double shape = hump(lattice, column, row, x, y, width);
      grid->now[at] += height * shape;
      grid->before[at] += (height - travel) * shape;
    }
  }
}

void htz_grid_kick(htz_grid* grid, double x, double y, double width, double velocity) {
  if (grid->compliance > 0.0) {
    move(grid, x, y, width, 0.0, velocity * grid->period);
  }
}

void htz_grid_bend(htz_grid* grid, double x, double y, double width, double height) {
  if (grid->compliance > 0.0) {
    move(grid, x, y, width, height, 0.0);
  }
}

void htz_grid_pluck(htz_grid* grid, double x, double height) {
  const grid_lattice* lattice = lattice_of(grid);
  if (lattice->columns < 2 || lattice->rows != 1 || !(x > 0.0 && x < 1.0)) {
    return;
  }
  for (size_t i = 0; i < lattice->columns; ++i) {
    const double at = (double)i / (double)(lattice->columns - 1);
    const double shape = height * (at < x ? at / x : (1.0 - at) / (1.0 - x));
    if (grid->ease[i] > 0.0) {
      grid->now[i] += shape;
      grid->before[i] += shape;
    }
  }
}
