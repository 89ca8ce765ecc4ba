/*
   Rectangular plate and membrane with the 13-point operator: Bilbao, Numerical Sound Synthesis (2009), 12.2, with its own spacing
   along each side. Edges: supported v = 0, lap v = 0; clamped v = 0 and the mirror image beyond the edge.

   Rows lie one after the other with at least two columns of padding between, which hold the ghost points right of one row and
   left of the next; one ghost row lies beyond the first and the last.
*/

#include "grid_private.h"

#include <math.h>

static grid_plate* plate_of(htz_grid* grid) {
  return (grid_plate*)grid;
}

static const grid_plate* plate_of_const(const htz_grid* grid) {
  return (const grid_plate*)grid;
}

// ---------------------------------------------------------------- one step

/** Displacement beyond the edges. */
static void set_ghosts(const grid_plate* plate, double* u) {
  const size_t last = plate->lattice.columns - 1, top = plate->lattice.rows - 1;
  const ptrdiff_t stride = (ptrdiff_t)plate->lattice.stride;
  const double mirror = plate->edges == HTZ_GRID_CLAMPED ? 1.0 : -1.0;
  double* row = u;
  for (size_t y = 1; y < top; ++y) {
    row += stride;
    row[-1] = mirror * row[1];
    row[last + 1] = mirror * row[last - 1];
  }
  double* beyond = u + (ptrdiff_t)top * stride;
  for (size_t x = 1; x < last; ++x) {
    u[(ptrdiff_t)x - stride] = mirror * u[(ptrdiff_t)x + stride];
    beyond[(ptrdiff_t)x + stride] = mirror * beyond[(ptrdiff_t)x - stride];
  }
}

static void plate_foresee(htz_grid* grid) {
  const grid_plate* plate = plate_of(grid);
  const size_t stride = plate->lattice.stride, last = plate->lattice.columns - 1, inner = plate->lattice.rows - 2;
  set_ghosts(plate, grid->now);
  plate->lattice.kernels->grid_sheet(inner, stride, &plate->inner, grid->next + stride, grid->now + stride,
                                     grid->before + stride);
  double* row = grid->next;
  for (size_t y = 0; y < inner; ++y) {
    row += stride;
    row[0] = 0.0;
    for (size_t x = last; x < stride; ++x) {
      row[x] = 0.0;
    }
  }
}

// ---------------------------------------------------------------- energy

static double lap(const grid_plate* plate, const double* u) {
  const size_t stride = plate->lattice.stride;
  const double hx = plate->spacing[0], hy = plate->spacing[1];
  return (u[-1] - 2.0 * u[0] + u[1]) / (hx * hx) + (*(u - stride) - 2.0 * u[0] + u[stride]) / (hy * hy);
}

/** Sum of lap u lap v over the grid: a clamped edge counts half, and bends across itself only. */
static double bending(const grid_plate* plate, const double* u, const double* v) {
  const size_t stride = plate->lattice.stride, last = plate->lattice.columns - 1, top = plate->lattice.rows - 1;
  double sum = 0.0;
  for (size_t y = 1; y < top; ++y) {
    for (size_t x = 1; x < last; ++x) {
      const size_t at = y * stride + x;
      sum += lap(plate, u + at) * lap(plate, v + at);
    }
  }
  if (plate->edges != HTZ_GRID_CLAMPED) {
    return sum;
  }
  const double across_x = 4.0 / pow(plate->spacing[0], 4.0), across_y = 4.0 / pow(plate->spacing[1], 4.0);
  for (size_t y = 1; y < top; ++y) {
    const size_t left = y * stride + 1, right = y * stride + last - 1;
    sum += 0.5 * across_x * (u[left] * v[left] + u[right] * v[right]);
  }
  for (size_t x = 1; x < last; ++x) {
    const size_t low = stride + x, high = (top - 1) * stride + x;
    sum += 0.5 * across_y * (u[low] * v[low] + u[high] * v[high]);
  }
  return sum;
}

static double plate_energy(const htz_grid* grid) {
  const grid_plate* plate = plate_of_const(grid);
  const size_t stride = plate->lattice.stride, last = plate->lattice.columns - 1, top = plate->lattice.rows - 1;
  const double *u = grid->now, *v = grid->before;
  const double px = 1.0 / (plate->spacing[0] * plate->spacing[0]), py = 1.0 / (plate->spacing[1] * plate->spacing[1]);
  double moving = 0.0;  // sum of (u - v)^2
  double stretch = 0.0; // sum of grad u grad v
  double sheared = 0.0; // sum of (grad (u - v))^2
  for (size_t y = 0; y < top; ++y) {
    for (size_t x = 0; x < last; ++x) {
      const size_t at = y * stride + x;
      const double ux = u[at + 1] - u[at], uy = u[at + stride] - u[at];
      const double vx = v[at + 1] - v[at], vy = v[at + stride] - v[at];
      moving += (u[at] - v[at]) * (u[at] - v[at]);
      stretch += ux * vx * px + uy * vy * py;
      sheared += (ux - vx) * (ux - vx) * px + (uy - vy) * (uy - vy) * py;
    }
  }
  const double k = grid->period;
  return 0.5 * (grid->mass * moving / (k * k) + plate->spacing[0] * plate->spacing[1] *
                                                    (plate->tension * stretch + plate->rigidity * bending(plate, u, v) -
                                                     plate->surface_density * plate->lost.sigma1 * sheared / k));
}

// ---------------------------------------------------------------- tuning

static void plate_set(grid_plate* plate) {
  htz_grid* base = &plate->lattice.base;
  const double k = base->period;
  const double px = 1.0 / (plate->spacing[0] * plate->spacing[0]), py = 1.0 / (plate->spacing[1] * plate->spacing[1]);
  const double pull = plate->tension / plate->surface_density * k * k;
  const double bend = plate->rigidity / plate->surface_density * k * k;
  const double drag = 2.0 * plate->lost.sigma1 * k;
  const double loss = plate->lost.sigma0 * k;
  const double scale = 1.0 / (1.0 + loss);
  plate->inner = (htz_grid_stencil){
      .at = (2.0 - 2.0 * (pull + drag) * (px + py) - bend * (6.0 * (px * px + py * py) + 8.0 * px * py)) * scale,
      .x1 = ((pull + drag) * px + 4.0 * bend * px * (px + py)) * scale,
      .x2 = -bend * px * px * scale,
      .y1 = ((pull + drag) * py + 4.0 * bend * py * (px + py)) * scale,
      .y2 = -bend * py * py * scale,
      .xy = -2.0 * bend * px * py * scale,
      .before = (loss - 1.0 + 2.0 * drag * (px + py)) * scale,
      .past_x = -drag * px * scale,
      .past_y = -drag * py * scale,
  };
  base->compliance = k * k * scale / base->mass;
}

static void plate_tune(htz_grid* grid, double ratio, double loss, double damp) {
  static const double pi = 3.14159265358979323846;
  grid_plate* plate = plate_of(grid);
  const double r = ratio > 0.0 ? (ratio < grid->ratio_most ? ratio : grid->ratio_most) : 1.0;
  plate->tension = plate->tension1 * r * r;
  plate->rigidity = plate->rigidity1 * r * r;
  const double steep = 4.0 / (plate->spacing[0] * plate->spacing[0]) + 4.0 / (plate->spacing[1] * plate->spacing[1]);
  const double omega2 = (plate->tension + plate->rigidity * steep) * steep / plate->surface_density;
  const double wave_x = pi / plate->lattice.sides[0], wave_y = pi / plate->lattice.sides[1];
  plate->lost = htz_grid_lossy(&plate->loss, loss, damp, steep, omega2, wave_x * wave_x + wave_y * wave_y, grid->period);
  plate_set(plate);
}

// ---------------------------------------------------------------- points

static void plate_locate(const htz_grid* grid, double x, double y, htz_grid_point* point) {
  const grid_lattice* lattice = &plate_of_const(grid)->lattice;
  uint32_t column, row;
  double along[GRID_CUBIC], across[GRID_CUBIC];
  const size_t wide = htz_grid_shares(x * (double)(lattice->columns - 1), lattice->columns - 1, &column, along);
  const size_t high = htz_grid_shares(y * (double)(lattice->rows - 1), lattice->rows - 1, &row, across);
  point->n = wide * high;
  for (size_t j = 0; j < high; ++j) {
    for (size_t i = 0; i < wide; ++i) {
      point->at[j * wide + i] = (uint32_t)((row + j) * lattice->stride + column + i);
      point->share[j * wide + i] = along[i] * across[j];
    }
  }
}

void htz_grid_plate_intervals(const htz_grid* plate, size_t across[2]) {
  across[0] = plate_of_const(plate)->lattice.columns - 1;
  across[1] = plate_of_const(plate)->lattice.rows - 1;
}

const htz_grid_class htz_grid_plate_class = {"plate", plate_foresee, plate_energy, plate_locate, plate_tune};
