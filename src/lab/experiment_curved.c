#include "bench_timer.h"
#include "curved.h"
#include "hertzian/lab/experiment.h"
#include "obstacle_levels.h"
#include "partials.h"

#include <math.h>
#include <stdio.h>

enum { RATE, MODES, POINTS, SPACING, PITCH, RMS, MOST, ENERGY, PULL, PER_STEP, PER_SECOND, COLUMNS };
enum { WINDOW = 2048, LONG_WINDOW = 4096, LADDER_MAX = 5, STEPS = 64 };
static const double stiffness = 1e8, viscosity = 0.02, damping = 1.0; // per metre [N/m^2.5], [s/m], of the thread [N s/m]
static const double within_db = 1.0;                                  // for envelopes of partials
static const double found_within = 0.01;                              // [cent] twice how finely the peak of a spectrum is found
static const double ledger_limit = 1e-9;
static const double hard = 1e9; // [N/m^2.5]
static const double ledger_seconds = 0.25;

static obstacle_case buzzing(void) {
  return curved_string(stiffness, viscosity, damping);
}

static void row_of(htz_lab_report* report, const char* series, const obstacle_method* how, const obstacle_levels* l,
                   const obstacle_levels* against) {
  double row[COLUMNS];
  for (int c = 0; c < COLUMNS; ++c) {
    row[c] = (double)NAN;
  }
  const obstacle_difference d = htz_obstacle_compare(l, against);
  row[RATE] = how->rate_hz;
  row[MODES] = how->modes ? (double)how->modes : (double)NAN;
  row[POINTS] = (double)l->points;
  row[SPACING] = l->spacing;
  row[PITCH] = htz_partials_cents(against->hz, l->hz);
  row[RMS] = d.rms;
  row[MOST] = d.most;
  htz_lab_row(report, series, row);
}

static void find(htz_lab_report* report, const char* unit, double expected, double ours, double allowed, const char* note,
                 const char* name) {
  htz_lab_find_out(report, &(htz_lab_finding){name, unit, expected, ours, allowed, note});
}

/** Runs that differ in one thing, each against the last. The one before it is within the bound. */
typedef struct {
  const char* series;
  size_t n;
  obstacle_method how[LADDER_MAX];
  const char* judged; // what is found of the last but one
} ladder;

static const ladder ladders[] = {{"points",
                                  5,
                                  {{192000.0, 200, 8, 0, false},
                                   {192000.0, 200, 16, 0, false},
                                   {192000.0, 200, 32, 0, false},
                                   {192000.0, 200, 64, 0, false},
                                   {192000.0, 200, 120, 0, false}},
                                  "64 points against 120: farthest partial"},
                                 {"modes",
                                  5,
                                  {{192000.0, 50, 64, 0, false},
                                   {192000.0, 100, 64, 0, false},
                                   {192000.0, 150, 64, 0, false},
                                   {192000.0, 200, 64, 0, false},
                                   {192000.0, 300, 64, 0, false}},
                                  "200 modes against 300: farthest partial"},
                                 {"rate",
                                  5,
                                  {{32000.0, 100, 32, 0, false},
                                   {48000.0, 100, 32, 0, false},
                                   {96000.0, 100, 32, 0, false},
                                   {192000.0, 100, 32, 0, false},
                                   {384000.0, 100, 32, 0, false}},
                                  "100 modes at 192 kHz against 384: farthest partial"},
                                 {"grid",
                                  5,
                                  {{32000.0, 0, 0, 0, false},
                                   {64000.0, 0, 0, 0, false},
                                   {96000.0, 0, 0, 0, false},
                                   {192000.0, 0, 0, 0, false},
                                   {384000.0, 0, 0, 0, false}},
                                  "grid at 192 kHz against 384: farthest partial"},
                                 // Refined together, and against the finest grid.
                                 {"both",
                                  5,
                                  {{96000.0, 100, 32, 0, true},
                                   {96000.0, 100, 32, 0, false},
                                   {192000.0, 200, 64, 0, false},
                                   {384000.0, 300, 96, 0, false},
                                   {384000.0, 0, 0, 0, false}},
                                  "300 modes against a grid, both at 384 kHz: farthest partial"}};

enum { LADDERS = sizeof ladders / sizeof ladders[0] };

static htz_status climb(htz_lab_report* report, const ladder* what, const char** why) {
  const obstacle_case c = buzzing();
  obstacle_levels levels[LADDER_MAX];
  for (size_t i = 0; i < what->n; ++i) {
    const htz_status st = htz_obstacle_listen(&c, &what->how[i], WINDOW, 1, &levels[i], why);
    if (st) {
      return st;
    }
  }
  const obstacle_levels* last = &levels[what->n - 1];
  for (size_t i = 0; i < what->n; ++i) {
    row_of(report, what->series, &what->how[i], &levels[i], last);
  }
  const obstacle_difference d = htz_obstacle_compare(&levels[what->n - 2], last);
  find(report, "dB", 0.0, d.most, within_db, "20 partials, 0.13 s", what->judged);
  return HTZ_OK;
}

/** The thread alone: the obstacle is far below, nothing is lost in the thread. */
static htz_status on_thread(htz_lab_report* report, const char** why) {
  static const struct {
    obstacle_method how;
    const char* name;
    bool judged;
  } runs[] = {{{48000.0, 100, 32, 0, false}, "string on its thread, 100 modes", true},
              {{96000.0, 0, 0, 0, false}, "string on its thread, grid at 96 kHz", true},
              {{48000.0, 100, 32, 0, true}, "string on its thread, 100 modes, those left out not accounted for", false}};
  obstacle_case c = curved_string(stiffness, 0.0, 0.0);
  c.height = -1.0;
  const double expected = htz_obstacle_thread_hz(&c);
  for (size_t i = 0; i < sizeof runs / sizeof runs[0]; ++i) {
    obstacle_levels l;
    const htz_status st = htz_obstacle_listen(&c, &runs[i].how, LONG_WINDOW, 1, &l, why);
    if (st) {
      return st;
    }
    find(report, "cent", 0.0, htz_partials_cents(expected, l.hz), runs[i].judged ? found_within : (double)NAN,
         "first partial; T b sin bL + k sin bx sin b(L - x) = 0", runs[i].name);
  }
  return HTZ_OK;
}

/** Hard contacts on a string without losses. */
static htz_status keep_books(htz_lab_report* report, const char** why) {
  static const struct {
    obstacle_method how;
    const char *name, *pulls;
    bool newton;
  } runs[] = {{{96000.0, 100, 32, HTZ_GRID_NEWTON, false}, "100 modes: change of energy", "100 modes: pull of a contact", true},
              {{96000.0, 0, 0, HTZ_GRID_NEWTON, false}, "grid: change of energy", "grid: pull of a contact", true},
              {{96000.0, 0, 0, HTZ_GRID_PLAIN, false},
               "grid, quadratised: change of energy",
               "grid, quadratised: pull of a contact",
               false}};
  for (size_t i = 0; i < sizeof runs / sizeof runs[0]; ++i) {
    obstacle_case c = curved_string(hard, 0.0, damping);
    c.sigma0 = c.sigma1 = 0.0;
    obstacle_string s;
    const htz_status st = htz_obstacle_open(&c, &runs[i].how, 0, &s, why);
    double worst = 0.0, pull = 0.0;
    const double begun = st ? 1.0 : htz_obstacle_energy(&s);
    for (long k = 0; k < lrint(ledger_seconds * runs[i].how.rate_hz) && !st; ++k) {
      htz_obstacle_step(&s);
      worst = fmax(worst, fabs(htz_obstacle_energy(&s) - begun) / begun);
      pull = fmax(pull, htz_obstacle_pull(&s));
    }
    if (!st) {
      double row[COLUMNS];
      for (int column = 0; column < COLUMNS; ++column) {
        row[column] = (double)NAN;
      }
      row[RATE] = runs[i].how.rate_hz;
      row[MODES] = runs[i].how.modes ? (double)runs[i].how.modes : (double)NAN;
      row[POINTS] = (double)s.points;
      row[ENERGY] = worst;
      row[PULL] = pull;
      htz_lab_row(report, "ledger", row);
      find(report, "", 0.0, worst, ledger_limit, "string, contacts, thread and what those dissipated; hard buzzing",
           runs[i].name);
      find(report, "N", 0.0, pull, runs[i].newton ? 0.0 : (double)NAN, NULL, runs[i].pulls);
      find(report, "", (double)NAN, (double)htz_obstacle_closures(&s), (double)NAN, NULL, "contacts closed meanwhile");
      find(report, "", 0.0, (double)htz_obstacle_unconverged(&s), 0.0, NULL, "steps that did not converge");
    }
    htz_obstacle_close(&s);
    if (st) {
      return st;
    }
  }
  return HTZ_OK;
}

static void work(void* context) {
  for (int i = 0; i < STEPS; ++i) {
    htz_obstacle_step(context);
  }
}

/** What a step takes; without losses, so that it buzzes as long as it is timed. */
static htz_status take_time(htz_lab_report* report, const char** why) {
  static const struct {
    obstacle_method how;
    bool lifted;
    const char* name;
  } runs[] = {{{96000.0, 100, 32, 0, false}, false, "100 modes, 32 points, 96 kHz, buzzing: one step"},
              {{96000.0, 100, 32, 0, false}, true, "100 modes, 32 points, 96 kHz, out of reach: one step"},
              {{96000.0, 0, 0, 0, false}, false, "grid, 96 kHz, buzzing: one step"},
              {{96000.0, 0, 0, 0, false}, true, "grid, 96 kHz, out of reach: one step"},
              {{384000.0, 0, 0, 0, false}, false, "grid, 384 kHz, buzzing: one step"}};
  for (size_t i = 0; i < sizeof runs / sizeof runs[0]; ++i) {
    obstacle_case c = curved_string(stiffness, 0.0, 0.0);
    c.sigma0 = c.sigma1 = 0.0;
    c.height = runs[i].lifted ? -1.0 : 0.0;
    obstacle_string s;
    const htz_status st = htz_obstacle_open(&c, &runs[i].how, 0, &s, why);
    if (!st) {
      const double ratio = htz_bench_measure(work, &s, STEPS).ratio;
      double row[COLUMNS];
      for (int column = 0; column < COLUMNS; ++column) {
        row[column] = (double)NAN;
      }
      row[RATE] = runs[i].how.rate_hz;
      row[MODES] = runs[i].how.modes ? (double)runs[i].how.modes : (double)NAN;
      row[POINTS] = (double)s.points;
      row[PER_STEP] = ratio;
      row[PER_SECOND] = ratio * runs[i].how.rate_hz;
      htz_lab_row(report, runs[i].lifted ? "cost out of reach" : "cost buzzing", row);
      find(report, "multiply-adds", (double)NAN, ratio, (double)NAN, "of the reference kernel, as `hertzian bench` has it",
           runs[i].name);
    }
    htz_obstacle_close(&s);
    if (st) {
      return st;
    }
  }
  return HTZ_OK;
}

static htz_status run(htz_lab_report* report, const char** why) {
  htz_status st = on_thread(report, why);
  for (size_t i = 0; i < LADDERS && !st; ++i) {
    st = climb(report, &ladders[i], why);
    htz_lab_progress(report, (double)(i + 1) / (LADDERS + 2.0));
  }
  st = st ? st : keep_books(report, why);
  htz_lab_progress(report, (LADDERS + 1.0) / (LADDERS + 2.0));
  return st ? st : take_time(report, why);
}

const htz_lab_experiment htz_experiment_curved_methods = {
    .name = "curved-methods",
    .paper = "one string as modes with contacts along it, as in Issanchou, Bilbao, Le Carrou, Touze, Doare, J. Sound Vib. 393 "
             "(2017), and "
             "on a grid, as in Bilbao, Numerical Sound Synthesis (2009)",
    .title = "A string on a curved bridge: modes and grid, refined until they agree",
    .about =
        "1 m, 127 Hz, no bending stiffness, losses 0.45 1/s and 1.43e-4 m^2/s, parabola of 0.27 1/m from 0.904 to 0.992 m, K "
        "1e8 per "
        "metre,\n"
        "alpha 1.5, mu 0.02, a thread of 1e5 N/m and 1 N s/m at its end, plucked 1 mm at 0.424 m. Envelopes: power of 20 "
        "partials of "
        "the\n"
        "force on the far support over 0.13 s, in dB from the last of each series. Modes left out are a spring in series with "
        "the "
        "thread\n"
        "(first of `both`: not so). Ledger: K 1e9, no losses of string and contacts, 0.25 s. Costs are ratios to the reference "
        "kernel.",
    .n_columns = COLUMNS,
    .columns = {[RATE] = {"rate", "Hz"},
                [MODES] = {"modes", ""},
                [POINTS] = {"points", ""},
                [SPACING] = {"spacing", "m"},
                [PITCH] = {"pitch", "cent"},
                [RMS] = {"rms", "dB"},
                [MOST] = {"most", "dB"},
                [ENERGY] = {"energy_change", ""},
                [PULL] = {"pull", "N"},
                [PER_STEP] = {"cost_of_a_step", ""},
                [PER_SECOND] = {"cost_of_a_second", ""}},
    .plot = {.x_label = "sample rate [Hz]",
             .y_label = "grid off the finest [dB]",
             .log_x = true,
             .n_curves = 2,
             .curves = {{RATE, RMS, "rms", true}, {RATE, MOST, "farthest", true}},
             .only = "grid"},
    .beside = {.x_label = "modes",
               .y_label = "modes off the most [dB]",
               .n_curves = 2,
               .curves = {{MODES, RMS, "rms", true}, {MODES, MOST, "farthest", true}},
               .only = "modes"},
    .third = {.x_label = "points of contact",
              .y_label = "points off the most [dB]",
              .n_curves = 2,
              .curves = {{POINTS, RMS, "rms", true}, {POINTS, MOST, "farthest", true}},
              .only = "points"},
    .slow = true,
    .run = run};
