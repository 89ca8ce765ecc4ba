#include "hertzian/contact/friction.h"
#include "hertzian/lab/experiment.h"
#include "hertzian/model/bodies.h"
#include "partials.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define RATE 44100.0 // [Hz]

enum { MODES = 45, STROKES = 2, PICTURE = 900, PERIODS_COUNTED = 100 }; // samples drawn: four periods
enum { TIME, SPEED, FORCE, STICKS, COLUMNS };
static const double hz = 196.0, length = 1.002, line = 1.17e-3; // [Hz], [m], [kg/m]
static const double core = 0.43e-3, young = 2e11;               // [m], [Pa]
static const double sigma0 = 0.7, sigma1 = 2e-4;                // [1/s], [m^2/s]
static const double at = 0.127;                                 // of the length
static const double bow_speed = 0.1;                            // [m/s]
static const double sharpness = 100.0;                          // a [s^2/m^2]
static const double attack = 0.02, settle = 2.0;                // the speed grows for so long; then it is waited [s]
static const double bite = 1.65, bitten = 0.5, eased = 1.0;     // U at first, until then; it is moved to its own until then [s]
static const double stiffnesses[STROKES] = {0.55, 1.65};        // U
static const char* const names[STROKES] = {"U 0.55", "U 1.65"};
static const double pi = 3.14159265358979323846;

typedef struct {
  htz_arena memory;
  htz_modes modes;
  htz_modal* string;
} bowed_string;

static htz_status make(bowed_string* s) {
  const htz_string_desc desc = {.length = length,
                                .tuning_hz = hz,
                                .core_diameter = core,
                                .core_density = line / (0.25 * pi * core * core),
                                .young = young,
                                .inharmonicity = -1.0,
                                .loss = {.loss0 = sigma0, .loss1 = sigma1}};
  htz_status st = htz_modes_string(&desc, 0.5 * RATE, MODES, &s->memory, &s->modes);
  st = st ? st : htz_modal_new(&s->modes, 1, 0, RATE, htz_kernels_select(), &s->memory, &s->string);
  if (!st) {
    htz_modal_place(s->string, 0, at);
  }
  return st;
}

typedef struct {
  size_t n, stuck, slips; // samples, of them sticking, slips begun
  bool sticks;
  uint64_t unconverged;
  double stiffness; // U
  double hz;
} stroke;

static void bow(htz_lab_report* report, unsigned which, bowed_string* s, double* heard, stroke* out) {
  const size_t point = 0;
  const double period = 1.0 / RATE;
  const htz_friction law = {.kind = HTZ_FRICTION_STATIC, .sharpness = sharpness};
  htz_friction_state state = {0};
  htz_body* body = htz_modal_body(s->string);
  const double gain = body->cls->compliance(body, 0, point, point) / period;
  const double per_newton = htz_friction_stiffness(&law, gain, 1.0);
  const long wait = lrint(settle * RATE);
  for (long i = 0; i < wait + (long)out->n; ++i) {
    const double time = (double)i * period;
    const double speed = time < attack ? bow_speed * time / attack : bow_speed;
    const double share = time < bitten ? 0.0 : time < eased ? (time - bitten) / (eased - bitten) : 1.0;
    const double normal = (bite + share * (stiffnesses[which] - bite)) / per_newton;
    const double free = body->cls->predict(body, 0, point) / period - speed;
    const double friction = -htz_friction_solve(&law, &state, free, gain, normal, period);
    body->cls->commit(body, 0, 1, &point, &friction);
    if (i < wait) {
      continue;
    }
    const long k = i - wait;
    out->stuck += state.sticks;
    out->slips += k > 0 && out->sticks && !state.sticks;
    out->sticks = state.sticks;
    heard[k] = state.v + speed;
    if (k < PICTURE) {
      const double row[COLUMNS] = {
          [TIME] = (double)k * period, [SPEED] = heard[k], [FORCE] = friction, [STICKS] = state.sticks ? 1.0 : 0.0};
      htz_lab_row(report, names[which], row);
    }
  }
  out->stiffness = htz_friction_stiffness(&law, gain, state.normal);
  out->unconverged = state.unconverged;
}

static void state_all(htz_lab_report* report, unsigned which, const stroke* s) {
  const double sample = hz / RATE, within = 0.03, fifth = 5.0; // of the rule; [cent]
  const double none = (double)NAN;
  char text[4][96];
  const char* const what[4] = {"share of the time that it sticks", "slips in a period", "pitch against 196 Hz",
                               "unconverged steps"};
  for (int i = 0; i < 4; ++i) {
    snprintf(text[i], sizeof text[i], "%s: %s", names[which], what[i]);
  }
  const double share = (double)s->stuck / (double)s->n;
  htz_lab_find_out(report, &(htz_lab_finding){names[which], "", stiffnesses[which], s->stiffness, none,
                                              "gain times force times the steepest slope; several roots above 2.24"});
  htz_lab_find_out(report, &(htz_lab_finding){text[0], "", 1.0 - at, share, within * (1.0 - at) + sample,
                                              "the bow-position rule, 1 - beta; 3 % and a sample of a period"});
  htz_lab_find_out(report, &(htz_lab_finding){text[1], "", 1.0, (double)s->slips / PERIODS_COUNTED, 1.5 / PERIODS_COUNTED,
                                              "Helmholtz motion, 100 periods"});
  htz_lab_find_out(report, &(htz_lab_finding){text[2], "cent", 0.0, htz_partials_cents(hz, s->hz), fifth, NULL});
  htz_lab_find_out(report, &(htz_lab_finding){text[3], "", 0.0, (double)s->unconverged, 0.0, NULL});
}

static htz_status run(htz_lab_report* report, const char** why) {
  const size_t n = (size_t)lrint(PERIODS_COUNTED * RATE / hz);
  const double reach = 1.9 * RATE / (double)n; // within the window's main lobe [Hz]
  double* heard = calloc(n, sizeof *heard);
  htz_status st = heard ? HTZ_OK : HTZ_NO_MEMORY;
  (void)why;
  for (unsigned i = 0; i < STROKES && !st; ++i) {
    bowed_string s;
    stroke one = {.n = n};
    htz_arena_measure(&s.memory);
    st = make(&s);
    if (!st) {
      bow(report, i, &s, heard, &one);
      htz_partials_window(n, heard);
      one.hz = htz_partials_find(n, heard, RATE, hz, reach, NULL);
      state_all(report, i, &one);
    }
    htz_arena_free(&s.memory);
    htz_lab_progress(report, (double)(i + 1) / STROKES);
  }
  free(heard);
  return st;
}

const htz_lab_experiment htz_experiment_bow_helmholtz = {
    .name = "bow-helmholtz",
    .paper =
        "Helmholtz motion and the bow-position rule; friction curve of Bilbao, Numerical Sound Synthesis (2009), section 4.3.1",
    .title = "A bowed string sticks and slips once a period",
    .about =
        "A steel string of 196 Hz, 1.002 m, 0.43 mm, 45 modes with exact steps, sigma_0 0.7 1/s, sigma_1 2e-4 m^2/s, bowed at "
        "0.127 of\n"
        "its length with 0.1 m/s, a = 100 s^2/m^2, the bow pressed such that U, what says whether the friction curve has one "
        "root\n"
        "or several, is 0.55 and 1.65. 44.1 kHz; speed up over 20 ms, a bite at U = 1.65 for 0.5 s, eased over 0.5 s more, one "
        "second\n"
        "waited, 100 periods counted. Begun at U = 0.55, without a bite, it slips more than once a period and stays with that.",
    .n_columns = COLUMNS,
    .columns = {[TIME] = {"time", "s"}, [SPEED] = {"v", "m/s"}, [FORCE] = {"force", "N"}, [STICKS] = {"sticks", ""}},
    .plot = {.x_label = "time [s]",
             .y_label = "speed of the string under the bow [m/s]",
             .n_curves = 1,
             .curves = {{TIME, SPEED, NULL, false}}},
    .beside = {.x_label = "time [s]", .y_label = "friction [N]", .n_curves = 1, .curves = {{TIME, FORCE, NULL, false}}},
    .run = run};
