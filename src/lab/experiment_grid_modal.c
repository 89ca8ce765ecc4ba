#include "hertzian/contact/grid_network.h"
#include "hertzian/contact/solver.h"
#include "hertzian/lab/experiment.h"
#include "hertzian/model/modes.h"
#include "partials.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define RATE 44100.0 // [Hz]

enum { MODES_MAX = 120 };
enum { PARTIAL, GRID_HZ, MODAL_HZ, GRID_LEVEL, MODAL_LEVEL, DIFFERENCE, COLUMNS };
static const double seconds = 1.0;
static const double top_hz = 500.0, modes_to_hz = 8000.0;
static const double allowed = 0.5;                                                // [dB]
static const double struck_at = 0.13, heard_at = 0.29;                            // fractions of the length
static const double length = 1.002, core = 0.43e-3, line = 1.17e-3, young = 2e11; // [m], [m], [kg/m], [Pa]
static const double hz = 55.0, sigma0 = 0.5, sigma1 = 2e-4;                       // [1/s], [m^2/s]
static const double reference = 1e-6;                                             // 0 dB [m]
static const double pi = 3.14159265358979323846;

// So light that they leave after a few touches.
enum { HAMMERS = 2 };
static const struct {
  const char* name;
  double mass, stiffness, exponent, speed; // [kg], [N/m^alpha], [], [m/s]
} hammers[HAMMERS] = {{"soft hammer, 0.3 g", 3e-4, 2e5, 2.0, 1.0}, {"hard hammer, 0.3 g", 3e-4, 1e9, 2.3, 1.0}};

static htz_status modal(unsigned which, size_t n, double* heard, htz_modes* modes, htz_arena* memory, const char** why) {
  const htz_string_desc desc = {.length = length,
                                .tuning_hz = hz,
                                .core_diameter = core,
                                .core_density = line / (0.25 * pi * core * core),
                                .young = young,
                                .inharmonicity = -1.0,
                                .loss = {.loss0 = sigma0, .loss1 = sigma1}};
  double struck[MODES_MAX], shape[MODES_MAX];
  htz_status st = htz_modes_string(&desc, modes_to_hz, MODES_MAX, memory, modes);
  if (st) {
    return st;
  }
  modes->shape(modes, struck_at, struck);
  modes->shape(modes, heard_at, shape);
  const htz_solver_system system = {.mass = hammers[which].mass,
                                    .stiffness = hammers[which].stiffness,
                                    .exponent = hammers[which].exponent,
                                    .n_modes = modes->n,
                                    .omega = modes->omega,
                                    .sigma = modes->sigma,
                                    .modal_mass = modes->mass,
                                    .weight = struck};
  htz_solver* s = NULL;
  st = htz_solver_new(htz_solver_find("house"), &system, RATE, memory, &s, why);
  if (!st) {
    s->cls->place(s, 0.0, hammers[which].speed);
  }
  for (size_t i = 0; i < n && !st; ++i) {
    for (size_t m = 0; m < modes->n; ++m) {
      heard[i] += shape[m] * s->q[m];
    }
    s->cls->step(s, 0.0);
  }
  return st;
}

static htz_status on_grid(unsigned which, size_t n, double* heard, htz_grid** string, htz_arena* memory, const char** why) {
  const htz_grid_string_desc desc = {.length = length,
                                     .lin_density = line,
                                     .tension = 4.0 * length * length * hz * hz * line,
                                     .stiffness = young * pi * pow(0.5 * core, 4.0) / 4.0,
                                     .sigma0 = sigma0,
                                     .sigma1 = sigma1,
                                     .hz = hz,
                                     .ratio_most = 1.0};
  const htz_grid_mass_desc hammer = {.mass = hammers[which].mass};
  htz_grid* bodies[2] = {NULL, NULL};
  htz_grid_network* network = NULL;
  htz_status st = htz_grid_string_new(&desc, RATE, 2, htz_kernels_select(), memory, &bodies[0], why);
  st = st ? st : htz_grid_mass_new(&hammer, RATE, memory, &bodies[1], why);
  if (st) {
    return st;
  }
  htz_grid_place(bodies[0], 0, struck_at, 0.0);
  htz_grid_place(bodies[0], 1, heard_at, 0.0);
  htz_grid_kick(bodies[1], 0.0, 0.0, 1.0, hammers[which].speed);
  const htz_grid_contact_desc contact = {.force = HTZ_GRID_COLLISION,
                                         .method = HTZ_GRID_NEWTON,
                                         .stiffness = hammers[which].stiffness,
                                         .exponent = hammers[which].exponent,
                                         .body_a = 1,
                                         .body_b = 0,
                                         .direction = 1.0,
                                         .enabled = true};
  const htz_grid_network_desc all = {.n_bodies = 2, .bodies = bodies, .n_contacts = 1, .contacts = &contact};
  st = htz_grid_network_new(&all, memory, &network, why);
  for (size_t i = 0; i < n && !st; ++i) {
    heard[i] = htz_grid_now(bodies[0], 1);
    htz_grid_network_step(network);
  }
  *string = bodies[0];
  return st;
}

static double level_of(double amplitude) {
  return 20.0 * log10(amplitude / reference);
}

static void compare(htz_lab_report* report, unsigned which, const htz_grid* string, const htz_modes* modes, size_t n,
                    double* grid, double* mode) {
  const double reach = 1.9 / seconds; // within the main lobe [Hz]
  double worst = 0.0, detuned = 0.0;
  size_t count = 0;
  char text[128];
  htz_partials_window(n, grid);
  htz_partials_window(n, mode);
  for (size_t p = 1; p <= modes->n && modes->omega[p - 1] < 2.0 * pi * top_hz; ++p) {
    const double on_grid_hz = htz_grid_string_partial(string, p), modal_hz = modes->omega[p - 1] / (2.0 * pi);
    double row[COLUMNS] = {[PARTIAL] = (double)p};
    row[GRID_HZ] = htz_partials_find(n, grid, RATE, on_grid_hz, reach, &row[GRID_LEVEL]);
    row[MODAL_HZ] = htz_partials_find(n, mode, RATE, modal_hz, reach, &row[MODAL_LEVEL]);
    row[GRID_LEVEL] = level_of(row[GRID_LEVEL]);
    row[MODAL_LEVEL] = level_of(row[MODAL_LEVEL]);
    row[DIFFERENCE] = row[GRID_LEVEL] - row[MODAL_LEVEL];
    worst = fabs(row[DIFFERENCE]) <= worst ? worst : fabs(row[DIFFERENCE]);
    detuned = fmax(detuned, fabs(htz_partials_cents(row[MODAL_HZ], row[GRID_HZ])));
    htz_lab_row(report, hammers[which].name, row);
    ++count;
  }
  snprintf(text, sizeof text, "%s: farthest in level, each partial at its own frequency", hammers[which].name);
  htz_lab_find_out(report, &(htz_lab_finding){text, "dB", 0.0, worst, allowed, "below 500 Hz"});
  snprintf(text, sizeof text, "%s: farthest in pitch", hammers[which].name);
  htz_lab_find_out(report, &(htz_lab_finding){text, "cent", (double)NAN, detuned, (double)NAN, "the grid's dispersion"});
  snprintf(text, sizeof text, "%s: partials compared", hammers[which].name);
  htz_lab_find_out(report, &(htz_lab_finding){text, "", (double)NAN, (double)count, (double)NAN, NULL});
}

static htz_status run(htz_lab_report* report, const char** why) {
  const size_t n = (size_t)lrint(seconds * RATE);
  double* heard = calloc(2 * n, sizeof *heard);
  htz_status st = heard ? HTZ_OK : HTZ_NO_MEMORY;
  for (unsigned i = 0; i < HAMMERS && !st; ++i) {
    htz_arena memory;
    htz_modes modes;
    htz_grid* string = NULL;
    for (size_t k = 0; k < 2 * n; ++k) {
      heard[k] = 0.0;
    }
    htz_arena_measure(&memory);
    st = modal(i, n, heard, &modes, &memory, why);
    st = st ? st : on_grid(i, n, heard + n, &string, &memory, why);
    if (!st) {
      compare(report, i, string, &modes, n, heard + n, heard);
    }
    htz_arena_free(&memory);
    htz_lab_progress(report, (double)(i + 1) / HAMMERS);
  }
  free(heard);
  return st;
}

const htz_lab_experiment htz_experiment_grid_modal = {
    .name = "grid-modal",
    .paper =
        "the same string as modes with exact steps and as a grid: Bilbao, Numerical Sound Synthesis (2009), chapters 6 and 7",
    .title = "One string struck twice: as modes and as a grid",
    .about = "Steel, 1.002 m, 0.43 mm, 55 Hz, sigma_0 0.5 1/s, sigma_1 2e-4 m^2/s, supported, struck at 0.13 and heard at 0.29 "
             "of its\n"
             "length, 44.1 kHz, 1 s. Modes up to 8 kHz under the house's solver, the grid under Newton's. Levels [dB re 1 um] "
             "are of the\n"
             "windowed spectrum at each partial's own frequency, which leaves the grid's dispersion out.",
    .n_columns = COLUMNS,
    .columns = {[PARTIAL] = {"partial", ""},
                [GRID_HZ] = {"grid", "Hz"},
                [MODAL_HZ] = {"modal", "Hz"},
                [GRID_LEVEL] = {"grid_level", "dB"},
                [MODAL_LEVEL] = {"modal_level", "dB"},
                [DIFFERENCE] = {"difference", "dB"}},
    .plot = {.x_label = "partial",
             .y_label = "level [dB re 1 um]",
             .n_curves = 2,
             .curves = {{PARTIAL, GRID_LEVEL, "grid", true}, {PARTIAL, MODAL_LEVEL, "modes", true}}},
    .beside = {.x_label = "partial",
               .y_label = "grid over modes [dB]",
               .n_curves = 1,
               .curves = {{PARTIAL, DIFFERENCE, NULL, true}}},
    .run = run};
