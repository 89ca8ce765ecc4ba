#include "hertzian/lab/experiment.h"

#include "avanzini.h"

#include <math.h>

// Figs. 1 and 3: the hammer at a wall, k = 1.5e11 N/m^alpha, mu = 0.6 s/m, at 1 to 4 m/s.
static const double ratio = 0.01 / 1.5e11, viscosity = 0.6;
enum { SPEEDS = 4, EXACT_POINTS = 200 };

static const char* const exact_names[SPEEDS] = {"1 m/s", "2 m/s", "3 m/s", "4 m/s"};
static const char* const ours_names[SPEEDS] = {"1 m/s am1", "2 m/s am1", "3 m/s am1", "4 m/s am1"};
static const char* const v_names[SPEEDS] = {"v_out at 1 m/s", "v_out at 2 m/s", "v_out at 3 m/s", "v_out at 4 m/s"};
static const char* const x_names[SPEEDS] = {"greatest penetration at 1 m/s", "greatest penetration at 2 m/s",
                                            "greatest penetration at 3 m/s", "greatest penetration at 4 m/s"};

typedef struct {
  htz_lab_report* report;
  const char* series;
} pen;

static void draw(void* context, const htz_solver* s, double time) {
  const pen* p = context;
  const htz_solver_system* y = &s->system;
  const double eta = htz_solver_penetration(s);
  const double force = eta > 0.0 ? y->stiffness * pow(eta, y->exponent) * (1.0 + y->viscosity * s->v) : 0.0;
  const double row[] = {time, eta, s->v, force};
  if (eta >= 0.0) {
    htz_lab_row(p->report, p->series, row);
  }
}

static void draw_exact(htz_lab_report* report, const char* series, const htz_impact* p) {
  htz_impact_moment motion[EXACT_POINTS];
  htz_impact_motion(p, EXACT_POINTS, motion);
  for (int i = 0; i < EXACT_POINTS; ++i) {
    const double row[] = {motion[i].time, motion[i].x, motion[i].v, motion[i].force};
    htz_lab_row(report, series, row);
  }
}

static htz_status run_fig1(htz_lab_report* report, const char** why) {
  htz_status st = HTZ_OK;
  double force_low = 0.0;
  for (int i = 0; i < SPEEDS && !st; ++i) {
    const htz_impact p = avanzini_hammer(ratio, viscosity, i + 1.0);
    pen at = {report, ours_names[i]};
    thrown t;
    draw_exact(report, exact_names[i], &p);
    st = avanzini_throw(&p, NULL, draw, &at, &t, why);
    if (!st) {
      const double v = htz_impact_v_out(&p), x = htz_impact_x_max(&p);
      const htz_lab_finding findings[] = {
          {v_names[i], "m/s", v, t.v_out, -5e-3 * v, "closed form of (6) against AM1"},
          {x_names[i], "m", x, t.x_max, 2e-3 * x, "closed form of (3) against AM1, at samples"}};
      htz_lab_find_out(report, &findings[0]);
      htz_lab_find_out(report, &findings[1]);
      force_low = fmin(force_low, t.v_out * viscosity + 1.0);
    }
  }
  const htz_lab_finding sticky = {
      "1 + mu v at its least, 0 if never negative", "", 0.0, force_low, 0.0, "the paper: the force never pulls"};
  htz_lab_find_out(report, &sticky);
  return st;
}

/** The negative root of e^(mu v) = a (1 + mu v) (7), by bisection of what the figure shows. */
static double crossing(double mu, double a) {
  double low = -1.0 / mu, high = -1e-9 / mu; // between the pole and 0, where e^z < a (1 + z)
  enum { HALVINGS = 200 };
  for (int i = 0; i < HALVINGS; ++i) {
    const double v = 0.5 * (low + high);
    const bool above = exp(mu * v) > a * (1.0 + mu * v);
    low = above ? v : low;
    high = above ? high : v;
  }
  return 0.5 * (low + high);
}

static htz_status run_fig3(htz_lab_report* report, const char** why) {
  (void)why;
  enum { POINTS = 120 };
  static const double from = -2.0, to = 4.5; // [m/s]
  for (int i = 0; i < SPEEDS; ++i) {
    const htz_impact p = avanzini_hammer(ratio, viscosity, i + 1.0);
    const double a = exp(viscosity * p.speed) / (1.0 + viscosity * p.speed);
    for (int k = 0; k <= POINTS; ++k) {
      const double v = from + (to - from) * k / POINTS;
      const double row[] = {v, exp(viscosity * v), a * (1.0 + viscosity * v)};
      htz_lab_row(report, exact_names[i], row);
    }
    const htz_lab_finding f = {
        v_names[i],           "m/s", crossing(viscosity, a),
        htz_impact_v_out(&p), 1e-12, "where the figure's curves cross, against the product's closed form"};
    htz_lab_find_out(report, &f);
  }
  return HTZ_OK;
}

#define HAMMER "10 g, alpha = 2.8, k = 1.5e11 N/m^alpha, mu = 0.6 s/m, at 1 to 4 m/s onto a wall, 44.1 kHz (printed). "

const htz_lab_experiment htz_experiment_avanzini_fig1 = {
    .name = "avanzini-fig1",
    .paper = AVANZINI_PAPER "fig. 1",
    .title = "Phase portrait and force over penetration of a hammer at a wall",
    .about = HAMMER "Closed form and AM1.",
    .n_columns = 4,
    .columns = {{"time", "s"}, {"penetration", "m"}, {"velocity", "m/s"}, {"force", "N"}},
    .plot = {.x_label = "penetration [m]", .y_label = "velocity [m/s]", .n_curves = 1, .curves = {{1, 2, NULL, false}}},
    .beside = {.x_label = "penetration [m]", .y_label = "force [N]", .n_curves = 1, .curves = {{1, 3, NULL, false}}},
    .run = run_fig1};

const htz_lab_experiment htz_experiment_avanzini_fig3 = {
    .name = "avanzini-fig3",
    .paper = AVANZINI_PAPER "fig. 3",
    .title = "Graphic study of the velocity after collision (7)",
    .about = "mu = 0.6 s/m, v_in 1 to 4 m/s: e^(mu v) and a (1 + mu v) cross at v_in and at v_out.",
    .n_columns = 3,
    .columns = {{"velocity", "m/s"}, {"exponential", ""}, {"line", ""}},
    .plot = {.x_label = "velocity [m/s]",
             .y_label = "",
             .n_curves = 2,
             .curves = {{0, 1, "e^(mu v)", false}, {0, 2, "a (1 + mu v)", false}}},
    .run = run_fig3};
