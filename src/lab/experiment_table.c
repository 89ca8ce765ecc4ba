#include "hertzian/lab/experiment.h"
#include "hertzian/lab/impact.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define RATE 44100.0 // [Hz]

enum { PHASES = 20, LENGTHS = 4, EXPONENTS = 2 };
enum { ALPHA, SAMPLES, TIME, TIME_WORST, SPEED, SPEED_WORST, ENERGY, ENERGY_WORST, FAILED, COLUMNS };

static const double lengths[LENGTHS] = {8.0, 4.0, 2.0, 1.0}; // contact times [samples]
static const htz_impact hammers[EXPONENTS] = {
    {.mass = 0.01,
     .stiffness = 1e9,
     .exponent = 1.5,
     .viscosity = 0.1,
     .speed = 1.0}, // their stiffness follows from the length
    {.mass = 0.01, .stiffness = 1e7, .exponent = 1.0, .viscosity = 0.1, .speed = 1.0}};
static const char default_solver[] = "house";
static const double promise = 0.2; // [%] of the house's in contact time and rebound
static const double of_energy = 0.4;

/** The hammer whose contact lasts so many samples: (9) goes as K^(-1/(alpha+1)). */
static htz_impact hammer_of(unsigned exponent, double samples) {
  htz_impact p = hammers[exponent];
  p.stiffness *= pow(htz_impact_duration(&p) * RATE / samples, p.exponent + 1.0);
  return p;
}

static double percent(double value, double exact) {
  return 100.0 * (value / exact - 1.0);
}

static void judge(htz_lab_report* report, const htz_impact* p, double samples, const double* row) {
  const struct {
    const char* what;
    unsigned column;
    double allowed;
  } figures[] = {{"contact time", TIME_WORST, promise}, {"rebound", SPEED_WORST, promise}, {"energy", ENERGY_WORST, of_energy}};
  for (size_t i = 0; i < sizeof figures / sizeof figures[0]; ++i) {
    char name[96];
    snprintf(name, sizeof name, "house %s, alpha %g, %g sample%s", figures[i].what, p->exponent, samples,
             samples == 1.0 ? "" : "s");
    htz_lab_find_out(report, &(htz_lab_finding){name, "%", 0.0, row[figures[i].column], figures[i].allowed, NULL});
  }
}

/** One solver in one contact. */
static htz_status measure(htz_lab_report* report, const htz_solver_class* cls, unsigned exponent, double samples) {
  const htz_impact p = hammer_of(exponent, samples);
  const htz_lab_throw what = {.hammer = p, .solver = cls, .rate_hz = RATE, .phases = PHASES};
  htz_lab_impact_result r;
  const htz_status st = htz_lab_throw_run(&what, NULL, &r);
  if (st) {
    return st;
  }
  const double row[COLUMNS] = {[ALPHA] = p.exponent,
                               [SAMPLES] = samples,
                               [TIME] = percent(r.duration.mean, r.exact.duration),
                               [TIME_WORST] = percent(r.duration.worst, r.exact.duration),
                               [SPEED] = percent(r.v_out.mean, r.exact.v_out),
                               [SPEED_WORST] = percent(r.v_out.worst, r.exact.v_out),
                               [ENERGY] = 100.0 * r.defect.mean,
                               [ENERGY_WORST] = 100.0 * r.defect.worst,
                               [FAILED] = r.phases ? r.phases_failed : PHASES};
  htz_lab_row(report, cls->name, row);
  if (strcmp(cls->name, default_solver) == 0) {
    judge(report, &p, samples, row);
  }
  return HTZ_OK;
}

static htz_status run(htz_lab_report* report, const char** why) {
  size_t count = 0;
  htz_status st = HTZ_OK;
  (void)why;
  while (htz_solver_at(count)) {
    ++count;
  }
  for (unsigned e = 0; e < EXPONENTS; ++e) {
    for (size_t i = 0; i < count; ++i) {
      for (unsigned l = 0; l < LENGTHS && !st; ++l) {
        st = measure(report, htz_solver_at(i), e, lengths[l]);
      }
      htz_lab_progress(report, ((double)e + (double)(i + 1) / (double)count) / EXPONENTS);
    }
  }
  return st;
}

/** An error [%] in as few characters as it is worth. */
static void show_error(FILE* out, const char* before, double error) {
  const double size = fabs(error);
  const double nothing = 5e-4, tenths = 1.0, whole = 10.0; // [%]
  if (size < nothing) {
    fprintf(out, "%s0.00", before);
  } else if (size < tenths) {
    fprintf(out, "%s%+.2g", before, error);
  } else {
    fprintf(out, "%s%+.*f", before, size < whole ? 1 : 0, error);
  }
}

static void show_cell(FILE* out, const double* row) {
  if (row[FAILED] == PHASES) {
    fputs(" refused |", out);
  } else if (row[FAILED] > 0.0) {
    fprintf(out, " %.0f of %d fail |", row[FAILED], PHASES);
  } else {
    show_error(out, " ", row[TIME_WORST]);
    show_error(out, " / ", row[SPEED_WORST]);
    show_error(out, " / ", row[ENERGY_WORST]);
    fputs(" |", out);
  }
}

/** Two tables, one per exponent, a line per solver: as they stand in docs/papers.md. */
static void show(const htz_lab_report* report, FILE* out) {
  const char* before = "";
  double alpha = 0.0;
  for (size_t i = 0; i < htz_lab_rows(report); ++i) {
    const char* series;
    const double* row = htz_lab_row_at(report, i, &series);
    if (row[ALPHA] != alpha) {
      fprintf(out, "%s\n| alpha = %g | 8 samples | 4 samples | 2 samples | 1 sample |\n|---|---|---|---|---|", i ? "\n" : "",
              row[ALPHA]);
      before = "";
    }
    alpha = row[ALPHA];
    if (series != before) {
      fprintf(out, "\n| `%s` |", series);
    }
    before = series;
    show_cell(out, row);
  }
  fputs("\n", out);
}

const htz_lab_experiment htz_experiment_solver_table = {
    .name = "solver-table",
    .paper = "every solver against Papetti, Avanzini, Rocchesso, eqs. (4), (6), (9)",
    .title = "All solvers in contacts of 8, 4, 2 and 1 samples",
    .about =
        "10 g at a wall, 1 m/s, mu 0.1, alpha 1.5 and 1, the stiffness such that the exact contact takes so many samples at\n"
        "44.1 kHz. Errors of contact time and rebound, and of the energy it leaves with over the energy thrown in, from 20\n"
        "entry phases of a sample: their mean and the worst. `failed`: phases refused or without an end.",
    .n_columns = COLUMNS,
    .columns = {[ALPHA] = {"alpha", ""},
                [SAMPLES] = {"contact", "samples"},
                [TIME] = {"contact_time_error", "%"},
                [TIME_WORST] = {"contact_time_error_worst", "%"},
                [SPEED] = {"v_out_error", "%"},
                [SPEED_WORST] = {"v_out_error_worst", "%"},
                [ENERGY] = {"energy_error", "%"},
                [ENERGY_WORST] = {"energy_error_worst", "%"},
                [FAILED] = {"failed", ""}},
    .plot = {.x_label = "contact time [samples]",
             .y_label = "worst error of contact time [%]",
             .log_x = true,
             .n_curves = 1,
             .curves = {{SAMPLES, TIME_WORST, NULL, true}}},
    .slow = true,
    .run = run,
    .show = show};
