#include "hertzian/lab/experiment.h"

#include "hertzian/contact/network.h"
#include "hertzian/lab/closed_form.h"
#include "hertzian/model/bodies.h"

#include <math.h>
#include <stdio.h>

/*
   One hammer, two felts: Stulov's, which relaxes, and Hunt and Crossley's, fitted so that rebound and greatest compression are the same
   at FITTED m/s. What differs at other speeds is the difference of the laws.
*/
static const double rate_hz = 1e6; // a contact has a thousand samples
static const double mass = 0.0085; // of a hammer [kg]
static const double stiffness = 4e9, exponent = 2.5, hysteresis = 0.6, relaxation = 2e-4;
static const double longest_s = 0.05;
static const double speeds[] = {0.5, 1.0, 2.0, 4.0}; // piano to fortissimo [m/s]
static const char* const names[][2] = {{"stulov 0.5 m/s", "hunt-crossley 0.5 m/s"},
                                       {"stulov 1 m/s", "hunt-crossley 1 m/s"},
                                       {"stulov 2 m/s", "hunt-crossley 2 m/s"},
                                       {"stulov 4 m/s", "hunt-crossley 4 m/s"}};

enum { SPEEDS = sizeof speeds / sizeof speeds[0], FITTED = 2, EVERY = 5 }; // every fifth sample is written

typedef struct {
  double duration; ///< [s]
  double rebound;  ///< over the speed thrown in []
  double x_max;    ///< [m]
  double force;    ///< greatest [N]
  double area;     ///< of the loop over the energy thrown in []
  double lost;     ///< of the hammer's energy, over that thrown in []
} blow;

/** Throw the hammer at a wall; rows go to `series` unless it is NULL. */
static htz_status strike(const htz_law* law, double speed, const char* series, htz_lab_report* report, blow* out) {
  htz_arena memory;
  htz_body* bodies[2];
  htz_network* net = NULL;
  htz_arena_measure(&memory);
  htz_status st = htz_mass_new(&(htz_mass_desc){.mass = mass}, rate_hz, &memory, &bodies[0]);
  st = st ? st : htz_barrier_new(&memory, &bodies[1]);
  if (!st) {
    const htz_contact_desc wall = {.law = *law, .body_a = 0, .body_b = 1, .direction = 1.0, .enabled = true};
    bodies[0]->cls->set_motion(bodies[0], 0.0, speed);
    st = htz_network_new(2, bodies, 1, &wall, rate_hz, &memory, &net);
  }
  *out = (blow){0};
  double x = 0.0;
  long n = 0;
  for (; !st && (n == 0 || htz_network_touching(net)) && (double)n < longest_s * rate_hz; ++n) {
    htz_network_step(net);
    const htz_contact_account* a = htz_network_account(net, 0);
    const double now = bodies[0]->cls->displacement(bodies[0], 0);
    const double row[] = {((double)n + 0.5) / rate_hz, 0.5 * (x + now), a->force_mean};
    if (series && n % EVERY == 0) {
      htz_lab_row(report, series, row);
    }
    out->area += a->force_mean * (now - x);
    out->x_max = a->eta_max;
    out->force = a->force_max;
    x = now;
  }
  if (!st) {
    const double v = bodies[0]->cls->velocity(bodies[0], 0);
    const double whole = 0.5 * mass * speed * speed;
    out->duration = (double)n / rate_hz - x / v;
    out->rebound = -v / speed;
    out->area /= whole;
    out->lost = 1.0 - out->rebound * out->rebound;
  }
  htz_arena_free(&memory);
  return st;
}

/** Hunt and Crossley's law of the same exponent that throws back and gives way as `felt` does at `speed`. */
static htz_law fit(const blow* felt, double speed) {
  enum { HALVINGS = 60 };
  double low = 0.0, high = 100.0; // mu v: the rebound falls with it
  for (int i = 0; i < HALVINGS; ++i) {
    const double middle = 0.5 * (low + high);
    if (htz_impact_restitution(middle) > felt->rebound) {
      low = middle;
    } else {
      high = middle;
    }
  }
  const htz_impact unit = {.mass = mass, .stiffness = 1.0, .exponent = exponent, .viscosity = low / speed, .speed = speed};
  const double k = pow(htz_impact_x_max(&unit) / felt->x_max, exponent + 1.0);
  return (htz_law){.cls = &htz_law_hunt_crossley, .p = {k, exponent, unit.viscosity}};
}

static void compare(htz_lab_report* report, const char* what, const char* unit, double speed, double stulov, double other,
                    double scale) {
  char name[80];
  snprintf(name, sizeof name, "%s at %g m/s", what, speed);
  const htz_lab_finding f = {name,           unit,        scale * other,
                             scale * stulov, (double)NAN, "Stulov's felt beside Hunt and Crossley's"};
  htz_lab_find_out(report, &f);
}

static htz_status run_felt(htz_lab_report* report, const char** why) {
  static const double milli = 1e3, loop_share = 1e-12; // the work of a force held over a step is exact
  const htz_law stulov = {.cls = &htz_law_stulov, .p = {stiffness, exponent, hysteresis, relaxation}};
  blow blows[SPEEDS][2];
  htz_status st = strike(&stulov, speeds[FITTED], NULL, report, &blows[FITTED][0]);
  const htz_law fitted = fit(&blows[FITTED][0], speeds[FITTED]);
  for (int s = 0; s < SPEEDS && !st; ++s) {
    st = strike(&stulov, speeds[s], names[s][0], report, &blows[s][0]);
    st = st ? st : strike(&fitted, speeds[s], names[s][1], report, &blows[s][1]);
    htz_lab_progress(report, (s + 1.0) / SPEEDS);
  }
  if (st) {
    *why = htz_status_text(st);
    return st;
  }
  for (int s = 0; s < SPEEDS; ++s) {
    compare(report, "contact time", "ms", speeds[s], blows[s][0].duration, blows[s][1].duration, milli);
    compare(report, "rebound over speed", "", speeds[s], blows[s][0].rebound, blows[s][1].rebound, 1.0);
    compare(report, "greatest compression", "mm", speeds[s], blows[s][0].x_max, blows[s][1].x_max, milli);
    compare(report, "greatest force", "N", speeds[s], blows[s][0].force, blows[s][1].force, 1.0);
  }
  for (int s = 0; s < SPEEDS; ++s) {
    char name[80];
    snprintf(name, sizeof name, "loop area of Stulov's felt at %g m/s", speeds[s]);
    const htz_lab_finding f = {name,
                               "of what is thrown in",
                               blows[s][0].lost,
                               blows[s][0].area,
                               loop_share,
                               "beside the kinetic energy that the hammer lost"};
    htz_lab_find_out(report, &f);
  }
  return HTZ_OK;
}

const htz_lab_experiment htz_experiment_felt = {
    .name = "felt",
    .paper =
        "Avanzini, Modeling collision sounds: non-linear contact force, section 5 (asks for it); Stulov, Hysteretic model of "
        "the grand piano hammer felt, J. Acoust. Soc. Am. 97",
    .title = "Force and compression of a felt that relaxes beside Hunt and Crossley's law",
    .about = "A hammer of 8.5 g on a rigid wall at 0.5, 1, 2 and 4 m/s. Stulov's felt: 4e9 N/m^2.5, hysteresis 0.6, relaxation "
             "0.2 ms. "
             "Hunt and Crossley's law has the same exponent, stiffness and viscosity fitted to its rebound and compression at "
             "2 m/s. "
             "In the findings, paper is Hunt and Crossley's, ours Stulov's: the first loses more the faster the blow, the "
             "second the "
             "nearer the contact time is to the relaxation time.",
    .n_columns = 3,
    .columns = {{"time", "s"}, {"compression", "m"}, {"force", "N"}},
    .plot = {.x_label = "compression [m]", .y_label = "force [N]", .n_curves = 1, .curves = {{1, 2, NULL, false}}},
    .run = run_felt};
