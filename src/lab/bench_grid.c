#include "bench_grid.h"

#include "bench_timer.h"

#include "hertzian/model/grid.h"

static const double rate_hz = 48000.0;

enum { ARENA_BYTES = 1 << 20, STEPS = 64, STRING = 200, LONG = 60, WIDE = 40 };

/** Steps as an instrument takes them, its ends and edges included. */
static void work_grid(void* context) {
  htz_grid* grid = context;
  for (int i = 0; i < STEPS; ++i) {
    grid->cls->foresee(grid);
    htz_grid_shift(grid);
  }
}

// Without loss, so that nothing dies away while it is timed; slack enough for the grids to be stable.

static htz_status string_body(const htz_kernels* kernels, htz_arena* arena, htz_grid** out) {
  const htz_grid_string_desc d = {
      .length = 0.65, .lin_density = 5e-3, .tension = 50.0, .stiffness = 1e-5, .ratio_most = 1.0, .exactly = STRING};
  const char* why;
  return htz_grid_string_new(&d, rate_hz, 0, kernels, arena, out, &why);
}

static htz_status plate_body(const htz_kernels* kernels, htz_arena* arena, htz_grid** out) {
  const htz_grid_plate_desc d = {.length = 0.6,
                                 .width = 0.4,
                                 .thickness = 1e-3,
                                 .density = 7800.0,
                                 .young = 1e9,
                                 .poisson = 0.3,
                                 .ratio_most = 1.0,
                                 .across = {LONG, WIDE}};
  const char* why;
  return htz_grid_plate_new(&d, rate_hz, 0, kernels, arena, out, &why);
}

htz_status htz_bench_grids(const htz_kernels* kernels, htz_bench_time* string, htz_bench_time* plate) {
  htz_arena arena;
  htz_grid* grid = NULL;
  htz_status st = htz_arena_init(&arena, ARENA_BYTES);
  if (!st && !(st = string_body(kernels, &arena, &grid))) {
    htz_grid_bend(grid, 0.3, 0.0, 0.1, 1e-3);
    *string = htz_bench_measure(work_grid, grid, (double)STEPS * (STRING + 1));
  }
  if (!st && !(st = plate_body(kernels, &arena, &grid))) {
    htz_grid_bend(grid, 0.3, 0.4, 0.1, 1e-3);
    *plate = htz_bench_measure(work_grid, grid, (double)STEPS * (LONG + 1) * (WIDE + 1));
  }
  htz_arena_free(&arena);
  return st;
}
