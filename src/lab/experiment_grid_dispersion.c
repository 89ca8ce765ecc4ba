#include "hertzian/lab/experiment.h"
#include "hertzian/model/grid.h"
#include "partials.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define RATE 44100.0 // [Hz]

enum { PARTIALS = 20, STRINGS = 3 };
enum { PARTIAL, MEASURED, SCHEME, IDEAL, OFF_SCHEME, OFF_IDEAL, COLUMNS };
static const double seconds = 1.0;
static const double allowed = 0.1;    // [cent]
static const double lobe = 1.9 / 1.0; // [Hz] within the window's main lobe of 4 Hz to either side
static const double kicked_at = 0.07, kick_width = 0.02, heard_at = 0.06; // fractions of the length

static const struct {
  const char* name;
  htz_grid_string_desc desc;
} strings[STRINGS] = {
    {"steel 196 Hz, 0.43 mm", {.length = 1.002, .lin_density = 1.17e-3, .tension = 180.5, .stiffness = 3.36e-4, .hz = 196.0}},
    {"steel 110 Hz, 1 mm", {.length = 0.65, .lin_density = 6.165e-3, .tension = 126.0, .stiffness = 9.82e-3, .hz = 110.0}},
    {"tromba 32.7 Hz, 1 mm", {.length = 1.9, .lin_density = 6.165e-3, .tension = 91.2, .stiffness = 9.82e-3, .hz = 32.7}}};

/** Kick it once and listen: n samples, windowed. */
static void listen(htz_grid* grid, size_t n, double* heard) {
  htz_grid_place(grid, 0, heard_at, 0.0);
  htz_grid_kick(grid, kicked_at, 0.0, kick_width, 1.0);
  for (size_t i = 0; i < n; ++i) {
    heard[i] = htz_grid_now(grid, 0);
    grid->cls->foresee(grid);
    htz_grid_shift(grid);
  }
  htz_partials_window(n, heard);
}

static void compare(htz_lab_report* report, unsigned which, const htz_grid* grid, size_t n, const double* heard) {
  const char* name = strings[which].name;
  const double none = (double)NAN;
  double worst = 0.0, ideal[2] = {none, none};
  char text[128];
  for (size_t p = 1; p <= PARTIALS; ++p) {
    double row[COLUMNS] = {
        [PARTIAL] = (double)p, [SCHEME] = htz_grid_string_partial(grid, p), [IDEAL] = htz_grid_string_ideal(grid, p)};
    row[MEASURED] = htz_partials_find(n, heard, RATE, row[SCHEME], lobe, NULL);
    row[OFF_SCHEME] = htz_partials_cents(row[SCHEME], row[MEASURED]);
    row[OFF_IDEAL] = htz_partials_cents(row[IDEAL], row[MEASURED]);
    worst = fabs(row[OFF_SCHEME]) <= worst ? worst : fabs(row[OFF_SCHEME]);
    ideal[0] = p == PARTIALS / 2 ? row[OFF_IDEAL] : ideal[0];
    ideal[1] = p == PARTIALS ? row[OFF_IDEAL] : ideal[1];
    if (p == 1) {
      snprintf(text, sizeof text, "%s: partial 1", name);
      htz_lab_find_out(report, &(htz_lab_finding){text, "Hz", strings[which].desc.hz, row[MEASURED],
                                                  strings[which].desc.hz * (exp2(allowed / 1200.0) - 1.0), "as asked for"});
    }
    htz_lab_row(report, name, row);
  }
  snprintf(text, sizeof text, "%s: farthest of 20 partials from the scheme's dispersion", name);
  htz_lab_find_out(report, &(htz_lab_finding){text, "cent", 0.0, worst, allowed, NULL});
  snprintf(text, sizeof text, "%s: partial 10 against the equation", name);
  htz_lab_find_out(report, &(htz_lab_finding){text, "cent", none, ideal[0], none, "what the grid detunes"});
  snprintf(text, sizeof text, "%s: partial 20 against the equation", name);
  htz_lab_find_out(report, &(htz_lab_finding){text, "cent", none, ideal[1], none, NULL});
}

static htz_status measure(htz_lab_report* report, unsigned which, const char** why) {
  const size_t n = (size_t)lrint(seconds * RATE);
  double* heard = calloc(n, sizeof *heard);
  htz_grid_string_desc desc = strings[which].desc;
  htz_arena memory;
  htz_grid* grid = NULL;
  desc.ratio_most = 1.0;
  htz_arena_measure(&memory);
  const htz_status st = heard ? htz_grid_string_new(&desc, RATE, 1, htz_kernels_select(), &memory, &grid, why) : HTZ_NO_MEMORY;
  if (!st) {
    listen(grid, n, heard);
    compare(report, which, grid, n, heard);
  }
  htz_arena_free(&memory);
  free(heard);
  return st;
}

static htz_status run(htz_lab_report* report, const char** why) {
  htz_status st = HTZ_OK;
  for (unsigned i = 0; i < STRINGS && !st; ++i) {
    st = measure(report, i, why);
    htz_lab_progress(report, (double)(i + 1) / STRINGS);
  }
  return st;
}

const htz_lab_experiment htz_experiment_grid_dispersion = {
    .name = "grid-dispersion",
    .paper = "the scheme of Bilbao, Numerical Sound Synthesis (2009), chapter 7, against its own dispersion relation",
    .title = "Partials of grid strings, measured and by the scheme's dispersion relation",
    .about = "Three steel strings without losses, their first partial tuned on the grid, kicked once and heard for 1 s at 44.1 "
             "kHz; a\n"
             "partial is the maximum of the windowed spectrum. `off_ideal` is against the differential equation with the "
             "string's tension.",
    .n_columns = COLUMNS,
    .columns = {[PARTIAL] = {"partial", ""},
                [MEASURED] = {"measured", "Hz"},
                [SCHEME] = {"scheme", "Hz"},
                [IDEAL] = {"ideal", "Hz"},
                [OFF_SCHEME] = {"off_scheme", "cent"},
                [OFF_IDEAL] = {"off_ideal", "cent"}},
    .plot = {.x_label = "partial",
             .y_label = "against the differential equation [cent]",
             .n_curves = 1,
             .curves = {{PARTIAL, OFF_IDEAL, NULL, true}}},
    .beside = {.x_label = "partial",
               .y_label = "against the dispersion relation [cent]",
               .n_curves = 1,
               .curves = {{PARTIAL, OFF_SCHEME, NULL, true}}},
    .run = run};
