/* Sizing of plates and membranes: the finest grid that is stable at the highest pitch there will be, or as fine as wanted. */

#include "grid_private.h"

#include <math.h>

static bool across_wrong(size_t intervals) {
  return intervals && (intervals < GRID_LINE_LEAST || intervals > GRID_LINE_MOST);
}

static const char* plate_fault(const htz_grid_plate_desc* d, double rate_hz, size_t n_points) {
  const grid_rule rules[] = {
      {!htz_grid_positive(rate_hz), "rate: must be above 0 Hz"},
      {!htz_grid_positive(d->length), "length: must be above 0 m"},
      {!htz_grid_positive(d->width), "width: must be above 0 m"},
      {!htz_grid_positive(d->thickness), "thickness: must be above 0 m"},
      {!htz_grid_positive(d->density), "density: must be above 0 kg/m^3"},
      {!htz_grid_not_negative(d->young), "young: must be 0 Pa or more"},
      {!(d->poisson >= 0.0 && d->poisson < 0.5), "poisson: must be 0 or more and below 0.5"},
      {!htz_grid_not_negative(d->tension), "tension: must be 0 N/m or more"},
      {d->tension == 0.0 && d->young == 0.0, "young: 0 needs a tension above 0"},
      {!htz_grid_not_negative(d->sigma0), "sigma0: must be 0 1/s or more"},
      {!htz_grid_not_negative(d->sigma1), "sigma1: must be 0 m^2/s or more"},
      {!(d->ratio_most >= 1.0) || !isfinite(d->ratio_most), "ratio_most: must be 1 or more"},
      {d->edges != HTZ_GRID_SUPPORTED && d->edges != HTZ_GRID_CLAMPED, "edges: must be supported or clamped"},
      {n_points > HTZ_GRID_POINTS_MAX, "points: at most 32"},
      {across_wrong(d->across[0]) || across_wrong(d->across[1]), "across: must be 4 to 2000 intervals"},
      {!d->across[0] != !d->across[1], "across: must be given for both sides or for none"},
      {d->across[0] && (d->across[0] + 1) * (d->across[1] + 1) > GRID_SHEET_MOST, "across: at most 20000 points"},
  };
  return htz_grid_fault(sizeof rules / sizeof rules[0], rules);
}

/** Intervals along both sides, from the greatest stable curvature [1/m^2]. @return why it cannot be, or NULL. */
static const char* size_plate(const htz_grid_plate_desc* d, double curvature, size_t across[2], bool* capped) {
  const double rounding = 1.0 + 1e-14; // a grid that meets the limit exactly is not refused for its last digit
  if (d->across[0]) {
    const double nx = (double)d->across[0] / d->length, ny = (double)d->across[1] / d->width;
    across[0] = d->across[0];
    across[1] = d->across[1];
    return 4.0 * (nx * nx + ny * ny) <= curvature * rounding
               ? NULL
               : "across: unstable at this sample rate, stiffness and ratio_most; fewer intervals are allowed";
  }
  // Points (L q + 1) (W q + 1) <= most with q intervals a metre.
  const bool wanted = d->most && d->most < GRID_SHEET_MOST;
  const double most = wanted ? (double)d->most : GRID_SHEET_MOST;
  const double area = d->length * d->width, sides = d->length + d->width;
  const double reach = most > 1.0 ? (sqrt(sides * sides + 4.0 * area * (most - 1.0)) - sides) / (2.0 * area) : 0.0;
  const double limit = sqrt(curvature / 8.0); // both spacings alike
  const double q = (limit < reach ? limit : reach) * rounding;
  *capped = limit > reach && !wanted;
  if (!(q * d->length < GRID_LINE_MOST + 1.0) || !(q * d->width < GRID_LINE_MOST + 1.0)) {
    return "width: one side is so much shorter that the other needs more than 2000 intervals";
  }
  across[0] = (size_t)(q * d->length);
  across[1] = (size_t)(q * d->width);
  if (across[0] < GRID_LINE_LEAST || across[1] < GRID_LINE_LEAST) {
    return limit > reach ? "most: too few grid points for 4 intervals along each side"
                         : "length: the sample rate is too low for even 4 grid intervals along each side";
  }
  return NULL;
}

static htz_status plate_build(grid_plate* plate, const size_t across[2], size_t n_points, htz_arena* arena) {
  enum { GHOSTS = 2, INNER_FIRST = 1 };
  grid_lattice* lattice = &plate->lattice;
  lattice->columns = across[0] + 1;
  lattice->rows = across[1] + 1;
  lattice->stride = (lattice->columns + GHOSTS + HTZ_GRID_PAD - 1) / HTZ_GRID_PAD * HTZ_GRID_PAD;
  plate->spacing[0] = lattice->sides[0] / (double)across[0];
  plate->spacing[1] = lattice->sides[1] / (double)across[1];
  const htz_status status = htz_grid_lattice_init(lattice, &htz_grid_plate_class, lattice->base.period, n_points, arena);
  if (status != HTZ_OK) {
    return status;
  }
  for (size_t y = INNER_FIRST; y < across[1]; ++y) {
    for (size_t x = INNER_FIRST; x < across[0]; ++x) {
      lattice->ease[y * lattice->stride + x] = 1.0;
    }
  }
  lattice->base.mass = plate->surface_density * plate->spacing[0] * plate->spacing[1];
  htz_grid_lattice_finish(lattice);
  return HTZ_OK;
}

htz_status htz_grid_plate_new(const htz_grid_plate_desc* desc, double rate_hz, size_t n_points, const htz_kernels* kernels,
                              htz_arena* arena, htz_grid** out, const char** why) {
  *why = plate_fault(desc, rate_hz, n_points);
  if (*why) {
    return HTZ_BAD_VALUE;
  }
  const double surface = desc->density * desc->thickness;
  const double rigidity = desc->young * pow(desc->thickness, 3.0) / (12.0 * (1.0 - desc->poisson * desc->poisson));
  const double highest = desc->ratio_most * desc->ratio_most / surface;
  const double curvature = htz_grid_curvature_most(desc->tension * highest, rigidity * highest, desc->sigma1, 1.0 / rate_hz);
  size_t across[2] = {0, 0};
  bool capped = false;
  *why = size_plate(desc, curvature, across, &capped);
  if (*why) {
    return HTZ_UNSUPPORTED;
  }
  grid_plate* plate = htz_arena_alloc(arena, 1, sizeof *plate);
  if (!plate) {
    return HTZ_NO_MEMORY;
  }
  plate->lattice.base.period = 1.0 / rate_hz;
  plate->lattice.base.ratio_most = desc->ratio_most;
  plate->lattice.sides[0] = desc->length;
  plate->lattice.sides[1] = desc->width;
  plate->lattice.kernels = kernels;
  plate->surface_density = surface;
  plate->rigidity1 = rigidity;
  plate->tension1 = desc->tension;
  plate->loss = (grid_loss){desc->sigma0, desc->sigma1};
  plate->edges = desc->edges;
  *why = capped ? "length: the grid is kept to 20000 points" : NULL;
  *out = &plate->lattice.base;
  return plate_build(plate, across, n_points, arena);
}
