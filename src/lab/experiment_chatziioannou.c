#include "hertzian/lab/experiment.h"

#include "thrown.h"

#include <math.h>

/*
   Their mass: 1 kg from 0.1 mm off the wall at 1 m/s, alpha = 1, 50 kHz. Contact times of the schemes as run by others are given
   beside ours; the closed form is eq. 14, tau = pi/omega_c.
*/
static const double pi = 3.14159265358979323846;
static const double rate = 50000.0, start = -1e-4, speed = 1.0;
static const double shown = 1.5e-4;      // after release [s]
static const double longest = 0.01;      // [s]
static const double hundredth_us = 1e-8; // [s]
enum { EXACT_POINTS = 300, PHASES = 20 };

typedef struct {
  htz_lab_report* report;
  const char* series;
} pen;

static void draw(void* context, const htz_solver* s, double time) {
  const pen* p = context;
  const double row[] = {time, s->x};
  htz_lab_row(p->report, p->series, row);
}

/** Eq. 14. */
static void draw_exact(htz_lab_report* report, const char* series, double stiffness) {
  const double omega = sqrt(stiffness);
  const double t1 = -start / speed, t2 = t1 + pi / omega, end = t2 + shown;
  for (int i = 0; i <= EXACT_POINTS; ++i) {
    const double t = end * i / EXACT_POINTS;
    const double inside = speed / omega * sin(omega * (t - t1));
    const double row[] = {t, t < t1 ? start + speed * t : t < t2 ? inside : -speed * (t - t2)};
    htz_lab_row(report, series, row);
  }
}

/** One curve: a scheme at a stiffness. */
typedef struct {
  const char *solver, *series, *finding;
  double stiffness;
  double tau; // from the same start, as run by others; NaN: none [s]
} curve;

static htz_status run_curve(htz_lab_report* report, const curve* c, thrown* out, const char** why) {
  const htz_solver_system system = {.mass = 1.0, .stiffness = c->stiffness, .exponent = 1.0};
  pen p = {report, c->series};
  const throw_plan plan = {c->solver, &system, rate, start, speed, longest, shown, draw, &p};
  const htz_status st = htz_thrown(&plan, out, why);
  if (!st) {
    const htz_lab_finding f = {c->finding, "s", c->tau, out->duration, hundredth_us, "as the scheme gives from this start"};
    htz_lab_find_out(report, &f);
  }
  return st;
}

/** Mean contact time over entry phases of a sample. */
static htz_status mean_duration(const char* solver, double stiffness, double* mean, const char** why) {
  const htz_solver_system system = {.mass = 1.0, .stiffness = stiffness, .exponent = 1.0};
  htz_status st = HTZ_OK;
  *mean = 0.0;
  for (int k = 0; k < PHASES && !st; ++k) {
    thrown t;
    const throw_plan plan = {solver, &system, rate, start - speed / rate * k / PHASES, speed, longest, 0.0, NULL, NULL};
    st = htz_thrown(&plan, &t, why);
    *mean += t.duration / PHASES;
  }
  return st;
}

static void state_exact(htz_lab_report* report, const char* name, double stiffness, double paper) {
  const htz_lab_finding f = {name, "s", paper, pi / sqrt(stiffness), 1e-9, "pi/omega_c against the integrated motion"};
  htz_lab_find_out(report, &f);
}

static htz_status run_fig3(htz_lab_report* report, const char** why) {
  static const curve curves[] = {
      {"two-point", "soft two-point", "soft, two-point contact time", 1e9, 102.521e-6},
      {"three-point", "soft three-point", "soft, three-point contact time", 1e9, 107.233e-6},
      {"two-point", "hard two-point", "hard, two-point contact time", 1e10, 40.000e-6},
      {"three-point", "hard three-point", "hard, three-point contact time", 1e10, 50.921e-6},
  };
  htz_status st = HTZ_OK;
  for (size_t i = 0; i < sizeof curves / sizeof curves[0] && !st; ++i) {
    thrown t;
    st = run_curve(report, &curves[i], &t, why);
  }
  draw_exact(report, "soft exact", 1e9);
  draw_exact(report, "hard exact", 1e10);
  state_exact(report, "soft, exact contact time", 1e9, 99.346e-6);
  state_exact(report, "hard, exact contact time", 1e10, 31.416e-6);
  return st;
}

static htz_status run_fig4(htz_lab_report* report, const char** why) {
  static const curve two = {"two-point", "two-point", "two-point contact time", 1e11, 23.636e-6};
  static const curve three = {"three-point", "three-point", "three-point contact time", 1e11, 40.502e-6};
  thrown t2, t3;
  htz_status st = run_curve(report, &two, &t2, why);
  st = st ? st : run_curve(report, &three, &t3, why);
  if (!st) {
    const htz_lab_finding findings[] = {
        {"two-point, samples inside the wall", "", 1.0, t2.inside, 0.0, "the paper: a single time step"},
        {"three-point, samples inside the wall", "", 2.0, t3.inside, 0.0, "the paper: never fewer than two"}};
    htz_lab_find_out(report, &findings[0]);
    htz_lab_find_out(report, &findings[1]);
  }
  draw_exact(report, "exact", two.stiffness);
  state_exact(report, "exact contact time", two.stiffness, 9.935e-6);
  return st;
}

static htz_status run_fig5(htz_lab_report* report, const char** why) {
  static const double omega = 44700.0; // printed
  static const char* const solvers[] = {"two-point-beta", "three-point-beta"};
  static const char* const names[] = {"two-point, contact time over 20 phases", "three-point, contact time over 20 phases"};
  static const char* const starts[] = {"two-point, from the paper's start", "three-point, from the paper's start"};
  const double tau = pi / omega;
  htz_status st = HTZ_OK;
  for (int i = 0; i < 2 && !st; ++i) {
    const curve c = {solvers[i], solvers[i], starts[i], omega * omega, (double)NAN};
    thrown t;
    double mean;
    const htz_solver_system system = {.mass = 1.0, .stiffness = c.stiffness, .exponent = 1.0};
    pen p = {report, c.series};
    const throw_plan plan = {c.solver, &system, rate, start, speed, longest, shown, draw, &p};
    st = htz_thrown(&plan, &t, why);
    st = st ? st : mean_duration(c.solver, c.stiffness, &mean, why);
    if (!st) {
      const htz_lab_finding findings[] = {
          {c.finding, "s", tau, t.duration, 1e-3 * tau, "paper: pi/omega_c; a start cuts the contact at its own phase"},
          {names[i], "s", tau, mean, 1e-3 * tau, "paper: pi/omega_c"}};
      htz_lab_find_out(report, &findings[0]);
      htz_lab_find_out(report, &findings[1]);
    }
  }
  draw_exact(report, "exact", omega * omega);
  return st;
}

#define PAPER "Chatziioannou and van Walstijn, On the contact duration accuracy of discrete-time collision models, "
#define SYSTEM "1 kg from 0.1 mm off a wall at 1 m/s, alpha = 1, 50 kHz (printed). "
#define MEASURE "Contact time from the outgoing free flight, t_n - y_n/v - t_impact."
#define PLOT                                                                                                                   \
  {                                                                                                                            \
    .x_label = "time [s]", .y_label = "displacement [m]", .n_curves = 1, .curves = { {0, 1, NULL, false} }                     \
  }

const htz_lab_experiment htz_experiment_chatziioannou_fig3 = {
    .name = "chatziioannou-fig3",
    .paper = PAPER "fig. 3",
    .title = "A soft and a hard collision by the two-point and the three-point scheme",
    .about = SYSTEM "k_c = 1e9 and 1e10 N/m. " MEASURE,
    .n_columns = 2,
    .columns = {{"time", "s"}, {"displacement", "m"}},
    .plot = PLOT,
    .run = run_fig3};

const htz_lab_experiment htz_experiment_chatziioannou_fig4 = {
    .name = "chatziioannou-fig4",
    .paper = PAPER "fig. 4",
    .title = "A contact shorter than a sample: only the two-point scheme leaves after one step",
    .about = SYSTEM "k_c = 1e11 N/m. " MEASURE,
    .n_columns = 2,
    .columns = {{"time", "s"}, {"displacement", "m"}},
    .plot = PLOT,
    .run = run_fig4};

const htz_lab_experiment htz_experiment_chatziioannou_fig5 = {
    .name = "chatziioannou-fig5",
    .paper = PAPER "fig. 5",
    .title = "Both schemes with beta* (eqs. 15, 16): the contact time is right",
    .about = SYSTEM "omega_c = 44700 rad/s. " MEASURE,
    .n_columns = 2,
    .columns = {{"time", "s"}, {"displacement", "m"}},
    .plot = PLOT,
    .run = run_fig5};
