#include "hertzian/contact/solver.h"
#include "hertzian/lab/experiment.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define RATE 44100.0 // [Hz]

enum { SECONDS = 60, A_SECOND = 10 }; // intervals a second

static const htz_solver_system ball = {
    .mass = 0.01, .stiffness = 1e7, .exponent = 1.1, .viscosity = 0.1, .gravity = 9.81}; // the last [m/s^2]
static const double thrown = 0.3;                                                        // [m/s]
static const int decay_from = 30, decay_to = 50;                                         // while it decays [s]
static const double of_maxima = 2e-3; // relative: maxima of 0.1 s, whatever the phase, 20 s apart
static const double allowed = 1e-8;   // of the static compression, in the last second

/** m g = K x^alpha [m]. */
static double static_compression(void) {
  return pow(ball.mass * ball.gravity / ball.stiffness, 1.0 / ball.exponent);
}

/** What one step per sample may take off a decay rate at rest: the midpoint rule has (omega T)^2/4 less of it, relative. */
static double off_by_steps(void) {
  const double spring = ball.exponent * ball.mass * ball.gravity / static_compression(); // tangent stiffness [N/m]
  return 0.25 * spring / ball.mass / (RATE * RATE);
}

typedef struct {
  double last;        // farthest from the static compression in the last second, relative
  double off;         // last time off the floor [s]
  unsigned landed;    // touches
  double early, late; // the same at decay_from and decay_to
} resting;

static void watch(htz_lab_report* report, htz_solver* s, double share_from, double share, resting* out) {
  const double still = static_compression();
  const long interval = lrint(RATE / A_SECOND);
  double most = 0.0;
  bool on = true; // thrown from the floor itself
  *out = (resting){.last = 0.0};
  s->cls->place(s, 0.0, thrown);
  for (long i = 1; i <= interval * A_SECOND * SECONDS; ++i) {
    s->cls->step(s, 0.0);
    const bool was = on;
    const double away = fabs(s->x / still - 1.0);
    most = away <= most ? most : away; // keeps NaN
    on = s->x > 0.0;
    out->off = on ? out->off : (double)i / RATE;
    out->landed += on && !was;
    if (i % interval == 0) {
      const double row[] = {(double)i / RATE, most, s->x};
      htz_lab_row(report, s->cls->name, row);
      out->last = i > interval * A_SECOND * (SECONDS - 1) && !(most <= out->last) ? most : out->last;
      out->early = i == interval * A_SECOND * decay_from ? most : out->early;
      out->late = i == interval * A_SECOND * decay_to ? most : out->late;
      most = 0.0;
      htz_lab_progress(report, share_from + share * (double)i / (RATE * SECONDS));
    }
  }
}

static htz_status rest(htz_lab_report* report, const char* name, double share_from, double share, const char** why) {
  const htz_solver_class* cls = htz_solver_find(name);
  if (!cls) {
    *why = "a solver it needs is not there";
    return HTZ_UNSUPPORTED;
  }
  htz_arena memory;
  htz_solver* s = NULL;
  htz_arena_measure(&memory);
  const htz_status st = htz_solver_new(cls, &ball, RATE, &memory, &s, why);
  if (!st) {
    resting r;
    char text[96];
    const bool judged = strcmp(name, "house") == 0;
    watch(report, s, share_from, share, &r);
    snprintf(text, sizeof text, "%s farthest from it in the 60th second, relative", name);
    htz_lab_find_out(report, &(htz_lab_finding){text, "", 0.0, r.last, judged ? allowed : (double)NAN, NULL});
    if (r.off < decay_from) {
      const double rate = log(r.early / r.late) / (decay_to - decay_from);
      const double exact = 0.5 * ball.viscosity * ball.gravity;
      snprintf(text, sizeof text, "%s decay rate at rest", name);
      htz_lab_find_out(report,
                       &(htz_lab_finding){text, "1/s", exact, rate, judged ? (off_by_steps() + of_maxima) * exact : (double)NAN,
                                          "mu g/2, small motions; a step per sample takes (omega T)^2/4 = 2.6 % off it"});
    }
    snprintf(text, sizeof text, "%s last off the floor", name);
    htz_lab_find_out(report, &(htz_lab_finding){text, "s", (double)NAN, r.off, (double)NAN,
                                                r.off > SECONDS - 1 ? "it chatters for ever" : NULL});
    snprintf(text, sizeof text, "%s touches", name);
    htz_lab_find_out(report, &(htz_lab_finding){text, "", (double)NAN, r.landed, (double)NAN, NULL});
  }
  htz_arena_free(&memory);
  return st;
}

static htz_status run(htz_lab_report* report, const char** why) {
  static const char* const names[] = {"house", "house-plain", "am1", "verlet", "heun", "rk4", "am1-corrected", "rk4-corrected"};
  enum { COUNT = sizeof names / sizeof names[0] };
  const double printed = 5.244e-8, half_digit = 5e-12; // [m]
  htz_lab_find_out(
      report, &(htz_lab_finding){"static compression", "m", printed, static_compression(), half_digit, "(m g/k)^(1/alpha)"});
  htz_status st = HTZ_OK;
  for (size_t i = 0; i < COUNT && !st; ++i) {
    st = rest(report, names[i], (double)i / COUNT, 1.0 / COUNT, why);
  }
  return st;
}

const htz_lab_experiment htz_experiment_resting_ball = {
    .name = "resting-ball",
    .paper = "Papetti, Avanzini, Rocchesso, Energy and accuracy issues in numerical simulations of a non-linear impact model, "
             "section 4.1: a steady object in sustained contact with a floor",
    .title = "A ball that comes to rest, and methods under which it never does",
    .about = "10 g thrown down at 0.3 m/s under 9.81 m/s^2, k 1e7, mu 0.1, alpha 1.1, 44.1 kHz, 60 s. `away` is the greatest\n"
             "|x/x_static - 1| over the last 0.1 s. By the closed form small motions decay as exp(-mu g t/2).",
    .n_columns = 3,
    .columns = {{"time", "s"}, {"away", ""}, {"x", "m"}},
    .plot = {.x_label = "time [s]",
             .y_label = "distance from rest, relative",
             .log_y = true,
             .n_curves = 1,
             .curves = {{0, 1, NULL, false}}},
    .slow = true,
    .run = run};
