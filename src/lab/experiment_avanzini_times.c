#include "hertzian/lab/experiment.h"

#include "avanzini.h"

#include <math.h>
#include <stdio.h>

// Figs. 4 and 5: contact times over m_h/k. Those of fig. 5 are of one speed, which the paper does not print: that of its fig. 1(a).
enum { RATIOS = 13, VISCOSITIES = 5, SPEEDS = 4, NAME_MAX = 32 };

static htz_status run_fig4(htz_lab_report* report, const char** why) {
  static const double viscosities[VISCOSITIES] = {0.01, 0.03, 0.1, 0.3, 1.0};
  htz_status st = HTZ_OK;
  double worst[2] = {0.0, 0.0}; // AM1, the house's
  for (int v = 1; v <= SPEEDS; ++v) {
    for (int j = 0; j < VISCOSITIES; ++j) {
      for (int i = 0; i < RATIOS && !st; ++i) {
        const htz_impact p = avanzini_hammer(avanzini_ratio(i, RATIOS), viscosities[j], v);
        const htz_solver_system wall = htz_thrown_at_wall(&p);
        const throw_plan default_solver = {
            .solver = "house", .system = &wall, .rate_hz = AVANZINI_RATE, .v = p.speed, .longest = avanzini_longest};
        const double exact = htz_impact_duration(&p);
        thrown am1, own;
        st = avanzini_throw(&p, NULL, NULL, NULL, &am1, why);
        st = st ? st : htz_thrown(&default_solver, &own, why);
        worst[0] = fmax(worst[0], fabs(am1.duration / exact - 1.0));
        worst[1] = fmax(worst[1], fabs(own.duration / exact - 1.0));
        if (v == 1) {
          char name[NAME_MAX];
          snprintf(name, sizeof name, "mu %g s/m", viscosities[j]);
          const double row[] = {p.mass / p.stiffness, viscosities[j], exact, am1.duration, own.duration};
          htz_lab_row(report, name, row);
        }
      }
    }
    htz_lab_progress(report, (double)v / SPEEDS);
  }
  const htz_lab_finding findings[] = {
      {"AM1, worst error of a contact time", "", 0.0, worst[0], 2e-3, "relative to (9), over all m/k and mu, 1 to 4 m/s"},
      {"house, worst error of a contact time", "", 0.0, worst[1], 2e-3, "relative to (9), over all m/k and mu, 1 to 4 m/s"}};
  htz_lab_find_out(report, &findings[0]);
  htz_lab_find_out(report, &findings[1]);
  return st;
}

/** A resonator of fig. 5. */
typedef struct {
  const char* series;
  double lowest_hz, mass;
} resonator;

/** Over all m_h/k, relative to the wall's. */
typedef struct {
  double least, most;
  double from_reduced; // farthest from the closed form of a hammer with the reduced mass
} span;

static htz_status run_resonator(htz_lab_report* report, const resonator* r, span* out, const char** why) {
  static const double viscosity = 0.6, speed = 1.0, q = 100.0;
  avanzini_resonator at;
  avanzini_fill(&at, r->lowest_hz, r->mass, q);
  *out = (span){HUGE_VAL, 0.0, 0.0};
  htz_status st = HTZ_OK;
  for (int i = 0; i < RATIOS && !st; ++i) {
    const htz_impact p = avanzini_hammer(avanzini_ratio(i, RATIOS), viscosity, speed);
    htz_impact reduced = p;
    reduced.mass = 1.0 / (1.0 / p.mass + AVANZINI_MODES / r->mass);
    const double wall = htz_impact_duration(&p), free = htz_impact_duration(&reduced);
    thrown t;
    st = avanzini_throw(&p, &at, NULL, NULL, &t, why);
    const double row[] = {p.mass / p.stiffness, t.duration, wall, free, t.duration / wall, (double)t.most};
    htz_lab_row(report, r->series, row);
    out->least = fmin(out->least, t.duration / wall);
    out->most = fmax(out->most, t.duration / wall);
    out->from_reduced = fmax(out->from_reduced, fabs(t.duration / free - 1.0));
  }
  return st;
}

static htz_status run_fig5(htz_lab_report* report, const char** why) {
  static const resonator resonators[] = {
      {"stiff 3 g", 1000.0, 3e-3}, {"stiff 12 g", 1000.0, 12e-3}, {"stiff 50 g", 1000.0, 50e-3}, {"stiff 1 kg", 1000.0, 1.0},
      {"slow 12 g", 1.0, 12e-3},   {"slow 50 g", 1.0, 50e-3},     {"slow 1 kg", 1.0, 1.0},
  };
  enum { COUNT = sizeof resonators / sizeof resonators[0], STIFF = 4 };
  span s[COUNT];
  htz_status st = HTZ_OK;
  for (int i = 0; i < COUNT && !st; ++i) {
    st = run_resonator(report, &resonators[i], &s[i], why);
    htz_lab_progress(report, (i + 1.0) / COUNT);
  }
  if (st) {
    return st;
  }
  double shortest = HUGE_VAL;
  int wrong_way = 0;
  for (int i = 0; i < STIFF; ++i) {
    shortest = fmin(shortest, s[i].least);
    wrong_way += i > 0 && s[i].most >= s[i - 1].most;
  }
  const htz_lab_finding findings[] = {
      {"stiff modes: contacts shorter than on a wall", "", 0.0, shortest < 1.0, 0.0, "the paper: always longer"},
      {"stiff modes: heavier resonators that are farther from the wall", "", 0.0, wrong_way, 0.0, "the paper: it tends to it"},
      {"stiff 3 g, longest over the wall's", "", (double)NAN, s[0].most, (double)NAN, NULL},
      {"stiff 1 kg, farthest over the wall's", "", 1.0, s[STIFF - 1].most, 2e-3, NULL},
      {"slow 12 g, shortest over the wall's", "", (double)NAN, s[STIFF].least, (double)NAN,
       "not longer: \"for any parameter setting\" holds of stiff modes only"},
      {"slow 12 g, off the closed form of the reduced mass", "", 0.0, s[STIFF].from_reduced, 0.01,
       "relative; 1/m = 1/m_h + 3/m_o, the modes as free masses"},
      {"slow 1 kg, shortest over the wall's", "", 1.0, s[COUNT - 1].least, 0.01, "it too tends to it"}};
  for (size_t i = 0; i < sizeof findings / sizeof findings[0]; ++i) {
    htz_lab_find_out(report, &findings[i]);
  }
  return HTZ_OK;
}

const htz_lab_experiment htz_experiment_avanzini_fig4 = {
    .name = "avanzini-fig4",
    .paper = AVANZINI_PAPER "fig. 4",
    .title = "Contact time at a wall over m_h/k and mu, closed form and simulations",
    .about = "10 g, alpha = 2.8, m_h/k 6e-12 to 300e-12 kg m^alpha/N, mu 0.01 to 1 s/m, 44.1 kHz (printed). Rows: 1 m/s; "
             "findings: 1 to "
             "4 m/s.",
    .n_columns = 5,
    .columns = {{"m_over_k", "kg m^a/N"}, {"mu", "s/m"}, {"exact", "s"}, {"am1", "s"}, {"house", "s"}},
    .plot = {.x_label = "m_h/k [kg m^alpha/N]",
             .y_label = "contact time [s]",
             .log_x = true,
             .n_curves = 2,
             .curves = {{0, 2, "(9)", false}, {0, 3, "AM1", true}}},
    .run = run_fig4};

const htz_lab_experiment htz_experiment_avanzini_fig5 = {
    .name = "avanzini-fig5",
    .paper = AVANZINI_PAPER "fig. 5",
    .title = "Contact time on a resonator over m_h/k, for its mass",
    .about = "10 g, alpha = 2.8, mu = 0.6 s/m, 44.1 kHz, N = 3 (printed), 1 m/s. Partials of a free bar over 1 kHz (stiff) or "
             "1 Hz (slow),\n"
             "each of the mass named, q = 100 (ours; the paper prints none of these). AM1; until the first release.",
    .n_columns = 6,
    .columns =
        {{"m_over_k", "kg m^a/N"}, {"time", "s"}, {"wall", "s"}, {"reduced", "s"}, {"ratio", ""}, {"iterations_most", ""}},
    .plot = {.x_label = "m_h/k [kg m^alpha/N]",
             .y_label = "contact time [s]",
             .log_x = true,
             .n_curves = 2,
             .curves = {{0, 1, NULL, true}, {0, 2, "wall (9)", false}}},
    .run = run_fig5};
