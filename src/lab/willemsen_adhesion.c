#include "willemsen.h"

#include "hertzian/lab/closed_form.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// All parameters of this file are ours.
enum { STIFFNESSES = 7, SYSTEMS = 2, PHASES = 10, INTERVALS = 100, AT = 30 };
enum { STIFFNESS, SAMPLES, PULL, STUCK, REBOUND, ITERATIONS, COLUMNS };
static const double softest = 1e4, ratio = 10.0;              // K [N/m^alpha]
static const double mass = 0.01, speed = 1.0, exponent = 1.3; // [kg], [m/s], alpha
static const double length = 1.0, hz = 100.0;                 // of the string [m], [Hz]
static const double where = (double)AT / INTERVALS;           // struck there
static const char* const systems[SYSTEMS] = {"wall", "string"};

static htz_impact impact_of(double stiffness) {
  return (htz_impact){.mass = mass, .stiffness = stiffness, .exponent = exponent, .viscosity = 0.0, .speed = speed};
}

/** A mass about to hit a wall or a string in `ahead` samples. */
static htz_status make(bool string, htz_grid_method method, double stiffness, double ahead, willemsen_system* s,
                       const char** why) {
  htz_status st = willemsen_mass(s, mass, 0.0, why);
  st = st ? st : string ? willemsen_string(s, length, hz, INTERVALS, 1, why) : willemsen_barrier(s);
  if (!st) {
    const htz_grid_contact_desc contact = {.force = HTZ_GRID_COLLISION,
                                           .method = method,
                                           .stiffness = stiffness,
                                           .exponent = exponent,
                                           .body_a = 0,
                                           .body_b = 1,
                                           .direction = 1.0,
                                           .gap = ahead * speed / WILLEMSEN_RATE,
                                           .enabled = true};
    if (string) {
      htz_grid_place(s->bodies[1], 0, where, 0.0);
    }
    htz_grid_kick(s->bodies[0], 0.0, 0.0, 1.0, speed);
    st = willemsen_join(s, &(htz_grid_network_desc){.n_contacts = 1, .contacts = &contact}, why);
  }
  return st;
}

/** Throw once; the worst of this and what `row` has. */
static htz_status throw_once(bool string, htz_grid_method method, double stiffness, double phase, double* row,
                             const char** why) {
  const double clear = 2.0;      // samples between the start and the touch, at least
  const long after = 20;         // samples after
  const double on_string = 0.02; // [s] the string throws a mass of this size back by then
  const htz_impact p = impact_of(stiffness);
  const double wait = string ? on_string : 2.0 * htz_impact_duration(&p);
  willemsen_system s;
  willemsen_begin(&s);
  const htz_status st = make(string, method, stiffness, clear + phase, &s, why);
  if (!st) {
    const double initial = htz_grid_network_energy(s.network);
    const htz_grid_account* a = htz_grid_network_contact(s.network, 0);
    double eta = -1.0;
    for (long i = 0; i < lrint(wait * WILLEMSEN_RATE) + after; ++i) {
      htz_grid_network_step(s.network);
      if (a->eta < 0.0 && eta < 0.0) {
        row[STUCK] = fmax(row[STUCK], a->stored / initial);
      }
      eta = a->eta;
    }
    const double v = (htz_grid_now(s.bodies[0], 0) - htz_grid_before(s.bodies[0], 0)) * WILLEMSEN_RATE;
    row[PULL] = fmax(row[PULL], a->pull_max / a->force_max);
    row[REBOUND] = fmin(row[REBOUND], -v / speed);
    row[ITERATIONS] = fmax(row[ITERATIONS], (double)htz_grid_network_count(s.network)->iterations_most);
  }
  willemsen_free(&s);
  return st;
}

static htz_status measure(htz_lab_report* report, unsigned system, unsigned method, const char** why) {
  char series[64];
  double pull = 0.0, stuck = 0.0;
  const bool newton = method == HTZ_GRID_NEWTON;
  const double none = (double)NAN;
  htz_status st = HTZ_OK;
  snprintf(series, sizeof series, "%s, %s", systems[system], willemsen_methods[method]);
  for (int i = 0; i < STIFFNESSES && !st; ++i) {
    const double k = softest * pow(ratio, i);
    const htz_impact p = impact_of(k);
    double row[COLUMNS] = {[STIFFNESS] = k, [SAMPLES] = htz_impact_duration(&p) * WILLEMSEN_RATE, [REBOUND] = HUGE_VAL};
    for (int phase = 0; phase < PHASES && !st; ++phase) {
      st = throw_once(system != 0, (htz_grid_method)method, k, (double)phase / PHASES, row, why);
    }
    htz_lab_row(report, series, row);
    pull = fmax(pull, row[PULL]);
    stuck = fmax(stuck, row[STUCK]);
  }
  if (!st) {
    willemsen_find(report, series, "greatest pull over greatest push", "", newton ? 0.0 : none, pull, newton ? 0.0 : none,
                   NULL);
    willemsen_find(report, series, "most stored while open, of all energy", "", newton ? 0.0 : none, stuck, newton ? 0.0 : none,
                   NULL);
  }
  return st;
}

static htz_status run(htz_lab_report* report, const char** why) {
  htz_status st = HTZ_OK;
  for (unsigned i = 0; i < SYSTEMS; ++i) {
    for (unsigned m = 0; m < WILLEMSEN_METHODS_COUNT && !st; ++m) {
      st = measure(report, i, m, why);
      htz_lab_progress(report, ((double)i + (double)(m + 1) / WILLEMSEN_METHODS_COUNT) / SYSTEMS);
    }
  }
  return st;
}

/** Two digits, and nothing for what rounding leaves. */
static void show_number(FILE* out, const char* before, double value) {
  const double nothing = 1e-10, whole = 10.0;
  if (value < nothing) {
    fprintf(out, "%s0", before);
  } else {
    fprintf(out, value < whole ? "%s%.2g" : "%s%.0f", before, value);
  }
}

/** A line per stiffness, a column per method: pull / stuck. */
static void show(const htz_lab_report* report, FILE* out) {
  const double percent = 100.0;
  for (unsigned i = 0; i < SYSTEMS; ++i) {
    fprintf(out, "%s| %s: K | contact on a wall [samples] |", i ? "\n" : "", systems[i]);
    for (unsigned m = 0; m < WILLEMSEN_METHODS_COUNT; ++m) {
      fprintf(out, " `%s` |", willemsen_methods[m]);
    }
    fputs("\n|---|---|---|---|---|---|\n", out);
    for (size_t k = 0; k < STIFFNESSES; ++k) {
      for (size_t m = 0; m < WILLEMSEN_METHODS_COUNT; ++m) {
        const char* series;
        const double* row = htz_lab_row_at(report, (i * WILLEMSEN_METHODS_COUNT + m) * STIFFNESSES + k, &series);
        if (m == 0) {
          fprintf(out, "| %.0e |", row[STIFFNESS]);
          show_number(out, " ", row[SAMPLES]);
          fputs(" |", out);
        }
        show_number(out, " ", percent * row[PULL]);
        show_number(out, " / ", percent * row[STUCK]);
        fputs(" |", out);
      }
      fputs("\n", out);
    }
  }
}

const htz_lab_experiment htz_experiment_willemsen_adhesion = {
    .name = "willemsen-adhesion",
    .paper = WILLEMSEN_PAPER "eqs. (10)-(18); its contacts are one-sided",
    .title = "How far each method pulls, and what it goes on storing when open",
    .about = "10 g at 1 m/s against a wall, and against a steel string of 1 m, 1 mm, 100 Hz, 100 intervals at 0.3, alpha 1.3, "
             "lossless,\n"
             "44.1 kHz; worst of 10 phases of a sample. A contact may only push, and has nothing stored when it is open. The "
             "table shows the\n"
             "greatest pull over the greatest push, and the most energy stored while open over all there is, both in per cent.",
    .n_columns = COLUMNS,
    .columns = {[STIFFNESS] = {"stiffness", "N/m^alpha"},
                [SAMPLES] = {"contact", "samples"},
                [PULL] = {"pull_over_push", ""},
                [STUCK] = {"stored_while_open", ""},
                [REBOUND] = {"rebound_least", ""},
                [ITERATIONS] = {"iterations_most", ""}},
    .plot = {.x_label = "stiffness [N/m^1.3]",
             .y_label = "greatest pull over greatest push",
             .log_x = true,
             .n_curves = 1,
             .curves = {{STIFFNESS, PULL, NULL, false}}},
    .beside = {.x_label = "stiffness [N/m^1.3]",
               .y_label = "stored while open, of all energy",
               .log_x = true,
               .n_curves = 1,
               .curves = {{STIFFNESS, STUCK, NULL, false}}},
    .run = run,
    .show = show};
