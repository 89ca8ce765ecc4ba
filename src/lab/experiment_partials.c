#include "curved.h"
#include "hertzian/lab/experiment.h"
#include "obstacle_levels.h"
#include "partials.h"

#include <math.h>
#include <stdio.h>

enum { TIME, PARTIAL, MODAL, GRID, DIFFERENCE, COLUMNS };
enum { WINDOW = 8192, WINDOWS = 6, RUNS = 6 };
static const double within_db = 1.0;
static const double window_seconds = 0.512;
static const double viscosity = 0.02; // [s/m]

typedef struct {
  const char* name;
  obstacle_method how;
  double pluck; // factor
  bool judged;
} run_of;

// All against the first.
static const run_of runs[RUNS] = {{"grid, 384 kHz", {384000.0, 0, 0, 0, false}, 1.0, false},
                                  {"300 modes, 96 points, 384 kHz", {384000.0, 300, 96, 0, false}, 1.0, true},
                                  {"200 modes, 64 points, 192 kHz", {192000.0, 200, 64, 0, false}, 1.0, false},
                                  {"100 modes, 32 points, 96 kHz", {96000.0, 100, 32, 0, false}, 1.0, false},
                                  {"grid, 192 kHz", {192000.0, 0, 0, 0, false}, 1.0, false},
                                  {"grid, 384 kHz, plucked half a per cent higher", {384000.0, 0, 0, 0, false}, 1.005, false}};

typedef struct {
  const char* name;
  double stiffness, damping; // per metre [N/m^2.5], of the thread [N s/m]
  bool converges;
} contact_of;

static const contact_of contacts[] = {{"K 1e8, r 1", 1e8, 1.0, true},
                                      {"K 3e8, r 1", 3e8, 1.0, true},
                                      {"K 1e9, r 1", 1e9, 1.0, true},
                                      {"K 1e9, r 0.03", 1e9, 0.03, false}};
enum { CONTACTS = sizeof contacts / sizeof contacts[0] };

static void find(htz_lab_report* report, const contact_of* contact, const run_of* r, const obstacle_levels* l,
                 const obstacle_levels* reference) {
  const obstacle_difference d = htz_obstacle_compare(l, reference);
  char name[128];
  snprintf(name, sizeof name, "%s, %s: farthest envelope", contact->name, r->name);
  const double allowed = r->judged && contact->converges ? within_db : (double)NAN;
  htz_lab_find_out(report, &(htz_lab_finding){name, "dB", 0.0, d.most, allowed, "from the grid at 384 kHz, 20 partials, 3 s"});
  snprintf(name, sizeof name, "%s, %s: rms", contact->name, r->name);
  htz_lab_find_out(report, &(htz_lab_finding){name, "dB", 0.0, d.rms, (double)NAN, NULL});
  snprintf(name, sizeof name, "%s, %s: pitch", contact->name, r->name);
  htz_lab_find_out(report, &(htz_lab_finding){name, "cent", 0.0, htz_partials_cents(reference->hz, l->hz), (double)NAN, NULL});
}

static void write_rows(htz_lab_report* report, const contact_of* contact, const obstacle_levels* modal,
                       const obstacle_levels* grid) {
  for (size_t w = 0; w < WINDOWS; ++w) {
    for (size_t p = 0; p < OBSTACLE_PARTIALS; ++p) {
      const double row[COLUMNS] = {[TIME] = ((double)w + 0.5) * window_seconds,
                                   [PARTIAL] = (double)(p + 1),
                                   [MODAL] = 10.0 * log10(modal->power[w][p]),
                                   [GRID] = 10.0 * log10(grid->power[w][p]),
                                   [DIFFERENCE] = 10.0 * log10(modal->power[w][p] / grid->power[w][p])};
      htz_lab_row(report, contact->name, row);
    }
  }
}

static htz_status run(htz_lab_report* report, const char** why) {
  for (size_t c = 0; c < CONTACTS; ++c) {
    obstacle_levels levels[RUNS];
    for (size_t i = 0; i < RUNS; ++i) {
      obstacle_case what = curved_string(contacts[c].stiffness, viscosity, contacts[c].damping);
      what.pluck *= runs[i].pluck;
      const htz_status st = htz_obstacle_listen(&what, &runs[i].how, WINDOW, WINDOWS, &levels[i], why);
      if (st) {
        return st;
      }
      if (i > 0) {
        find(report, &contacts[c], &runs[i], &levels[i], &levels[0]);
      }
      htz_lab_progress(report, (double)(c * RUNS + i + 1) / (CONTACTS * RUNS));
    }
    write_rows(report, &contacts[c], &levels[1], &levels[0]);
  }
  return HTZ_OK;
}

const htz_lab_experiment htz_experiment_curved_partials = {
    .name = "curved-partials",
    .paper = "the string of curved-methods over 3 s: modes with contacts along them against a refined grid",
    .title = "Twenty partials of a buzzing string over three seconds, by modes and on a grid",
    .about =
        "The string, bridge and pluck of curved-methods, mu 0.02. Envelopes: power of each partial of the force on the far "
        "support in six\n"
        "windows of 0.51 s; partials 60 dB below the strongest of their window are left out. r is the thread's damper [N s/m]. "
        "The last "
        "of each\n"
        "contact is what half a per cent of pluck height makes. At K 1e9 with r 0.03 neither method has converged: not judged.",
    .n_columns = COLUMNS,
    .columns = {[TIME] = {"time", "s"},
                [PARTIAL] = {"partial", ""},
                [MODAL] = {"by_modes", "dB"},
                [GRID] = {"on_grid", "dB"},
                [DIFFERENCE] = {"difference", "dB"}},
    .plot = {.x_label = "partial",
             .y_label = "modes over grid, K 1e8 [dB]",
             .n_curves = 1,
             .curves = {{PARTIAL, DIFFERENCE, "six windows", true}},
             .only = "K 1e8, r 1"},
    .beside = {.x_label = "partial",
               .y_label = "level, K 1e8 [dB]",
               .n_curves = 2,
               .curves = {{PARTIAL, GRID, "grid", true}, {PARTIAL, MODAL, "modes", true}},
               .only = "K 1e8, r 1"},
    .slow = true,
    .minutes = true,
    .run = run};
