#include "build_grid.h"

#include <math.h>
#include <string.h>

// The bodies of a key as they come out, and what is at fault when they do not.

static const double middle = 0.5;
static const double cents_per_octave = 1200.0;

static bool is_sheet(htz_spec_grid_kind kind) {
  return kind == HTZ_GRID_PLATE || kind == HTZ_GRID_MEMBRANE;
}

void htz_grid_blame(const grid_plan* plan, builder* build) {
  char part[HTZ_SPEC_WHERE];
  if (plan->which) {
    snprintf(part, sizeof part, "per_key.%s", plan->which);
  }
  htz_build_blame(build, plan->which ? part : plan->where[0] ? plan->where : "contacts", plan->why);
}

static void look_at(const grid_plan* plan, size_t b, htz_spec_grid_look* look) {
  const htz_spec_grid_body* body = &plan->spec->grid->bodies[b];
  const htz_grid* grid = plan->grids[b];
  *look = (htz_spec_grid_look){.points = grid->n, .hz = (double)NAN};
  if (body->kind == HTZ_GRID_MASS) {
    look->hz = htz_grid_mass_at(plan, b).hz;
  } else if (is_sheet(body->kind)) {
    htz_grid_plate_intervals(grid, look->intervals);
    look->points = (look->intervals[0] + 1) * (look->intervals[1] + 1);
  } else if (body->kind != HTZ_GRID_BARRIER && body->kind != HTZ_GRID_MODES) {
    look->intervals[0] = htz_grid_string_intervals(grid);
    look->spacing = htz_grid_string_spacing(grid);
    look->tension = htz_grid_string_tension(grid);
    look->hz = htz_grid_string_partial(grid, 1);
    for (size_t n = 1; n <= HTZ_SPEC_GRID_PARTIALS; ++n) {
      look->cents[n - 1] = cents_per_octave * log2(htz_grid_string_partial(grid, n) / htz_grid_string_ideal(grid, n));
    }
    while (look->top < look->intervals[0] && !isnan(htz_grid_string_partial(grid, look->top + 1))) {
      ++look->top;
    }
  }
}

htz_status htz_spec_grid_try(const htz_spec* spec, double key, double rate_hz, const htz_kernels* kernels,
                             htz_spec_grid_look* looks, char where[HTZ_SPEC_WHERE], const char** why) {
  htz_arena arena;
  assembly a;
  htz_arena_measure(&arena);
  const htz_status st = htz_grid_assemble(&a, spec, key, rate_hz, kernels, &arena);
  for (size_t b = 0; b < spec->grid->n_bodies && !st; ++b) {
    look_at(&a.plan, b, &looks[b]);
  }
  for (size_t b = 0; b < spec->n_bows && !st; ++b) {
    const uint32_t body = a.island.bows[b].body, point = a.island.bows[b].point;
    htz_grid* string = a.plan.grids[body];
    const double at = 1.0 - htz_table_at(&spec->bows[b].at, key), *speaks = a.island.bows[b].speaks;
    htz_grid_place(string, point, speaks[0] + at * (speaks[1] - speaks[0]), middle);
    looks[body].compliance = htz_grid_compliance(string, point, point);
  }
  builder build = {.why = NULL};
  if (st) {
    htz_grid_blame(&a.plan, &build);
  }
  memcpy(where, build.where, sizeof build.where);
  *why = build.why;
  htz_arena_free(&arena);
  return st;
}
