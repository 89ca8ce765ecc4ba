#ifndef HERTZIAN_INSTRUMENT_BUILD_GRID_H
#define HERTZIAN_INSTRUMENT_BUILD_GRID_H

#include "hertzian/instrument/instrument.h"
#include "hertzian/instrument/spec_grid.h"

/** One key of the grid family while it is being built. */
typedef struct {
  const htz_spec* spec;
  double key, rate_hz;
  const htz_kernels* kernels;
  htz_arena* arena;
  const char *which, *why; // on failure: the body or contact at fault, and what is wrong with it
  size_t n;                // bodies: those of the file, then a mallet or hand
  htz_grid* grids[HTZ_GRID_BODIES_MAX];
  size_t points[HTZ_GRID_BODIES_MAX];    // that each body needs
  size_t intervals[HTZ_GRID_BODIES_MAX]; // of a string, exactly; 0: as the limit gives
} grid_plan;

/** Make body `b` of the file into grids[b]. */
htz_status grid_build_body(grid_plan* plan, size_t b);

/** EI of a string of the file at the plan's key [N m^2]. */
double grid_string_stiffness(const grid_plan* plan, size_t b);

/** Mass of a kind `mass` of the file. */
htz_grid_mass_desc grid_mass_desc(const grid_plan* plan, size_t b);

/** Island of one key. Set-up thread. */
htz_status htz_grid_build_island(const htz_spec* spec, double key, double rate_hz, const htz_kernels* kernels, htz_arena* arena,
                                 htz_island** out, const char** why);

/** Output line of pickup `p`; build_setup.c. */
uint32_t htz_build_line_of(const htz_spec* spec, size_t p);

#endif
