#include "papetti.h"

#include <math.h>
#include <stdio.h>

static const double default_solver = 0.2; // what is asked of the house's in rebound [%]
static const double overlap = 1.0;        // curves of a figure this near each other overlap [%]: its lines are as wide
static const double half_sample = 0.5;    // contact times are printed in whole samples
static const double rounding = 1e-12;     // of an energy, relative

/** The closed form and the paper's methods as series; what each came to, the house's last. */
enum { METHODS = 4, ALL = METHODS + 1 };
static const char default_name[] = "house";

static htz_status write_all(htz_lab_report* report, const htz_impact* p, papetti_outcome out[ALL], const char** why) {
  htz_status st = HTZ_OK;
  papetti_write_exact(report, p);
  for (size_t i = 0; papetti_methods[i] && !st; ++i) {
    st = papetti_write(report, papetti_methods[i], p, &out[i], why);
  }
  return st ? st : papetti_write(report, default_name, p, &out[METHODS], why);
}

static double energy_out(const htz_impact* p) {
  const double v_out = htz_impact_v_out(p);
  return 0.5 * p->mass * v_out * v_out;
}

/** Growth of T + V over a step, of the energy thrown in [%]: (24) forbids any. */
static double rise_percent(const htz_impact* p, const papetti_outcome* out) {
  return 100.0 * out->rise / (0.5 * p->mass * p->speed * p->speed);
}

static htz_status run_soft(htz_lab_report* report, const char** why) {
  const htz_impact* p = &papetti_soft;
  papetti_outcome out[ALL];
  const htz_status st = write_all(report, p, out, why);
  for (size_t i = 0; i < ALL && !st; ++i) {
    const char* name = i < METHODS ? papetti_methods[i] : default_name;
    const char* note = "the paper: the plots of all substantially overlap";
    const double x_max = htz_impact_x_max(p);
    papetti_find(report, name, "v_out", "m/s", htz_impact_v_out(p), out[i].v_out,
                 fabs(htz_impact_v_out(p)) * (i < METHODS ? overlap : default_solver) / 100.0, note);
    papetti_find(report, name, "x_max", "m", x_max, out[i].x_max, x_max * overlap / 100.0, note);
    papetti_find(report, name, "H_tau", "J", energy_out(p), out[i].energy, energy_out(p) * 2.0 * overlap / 100.0, note);
  }
  return st;
}

static void find_claim(htz_lab_report* report, const char* name, double error, double said) {
  const double about = 0.5; // [%] "small discrepancies"
  const double sign = fabs(error) <= about ? 0.0 : copysign(1.0, error);
  papetti_find(report, name, "sign of the final energy's error", "", said, sign, 0.0,
               "1: gains energy, -1: loses, 0: within 0.5 %; as the paper says and table 1 prints");
}

static htz_status run_hard(htz_lab_report* report, const htz_impact* p, double samples, const double said[METHODS],
                           const char** why) {
  papetti_outcome out[ALL];
  const htz_status st = write_all(report, p, out, why);
  if (st) {
    return st;
  }
  papetti_find(report, "closed form's", "contact time", "samples", samples, htz_impact_duration(p) * PAPETTI_RATE, half_sample,
               "(9); printed as a whole number");
  for (size_t i = 0; i < ALL; ++i) {
    const char* name = i < METHODS ? papetti_methods[i] : default_name;
    const double error = papetti_percent(out[i].energy, energy_out(p));
    papetti_find(report, name, "steps in contact", "", samples, out[i].samples, 1.0, "the last ends behind the release");
    papetti_find(report, name, "H_tau against the exact", "%", 0.0, error, i < METHODS ? (double)NAN : 2.0 * default_solver,
                 NULL);
    papetti_find(report, name, "x_max beyond the exact", "%", (double)NAN, papetti_excess(out[i].x_max, htz_impact_x_max(p)),
                 (double)NAN, NULL);
    papetti_find(report, name, "greatest rise of H in a step, of H_0", "%", i < METHODS ? (double)NAN : 0.0,
                 rise_percent(p, &out[i]), i < METHODS ? (double)NAN : 100.0 * rounding, "(24) forbids any");
    if (i < METHODS) {
      find_claim(report, name, error, said[i]);
    }
  }
  return HTZ_OK;
}

static htz_status run_case1(htz_lab_report* report, const char** why) {
  static const double said[METHODS] = {1.0, 1.0, 1.0, 0.0};
  return run_hard(report, &papetti_case1, 8.0, said, why);
}

static htz_status run_case2(htz_lab_report* report, const char** why) {
  static const double said[METHODS] = {1.0, 1.0, -1.0, 0.0};
  return run_hard(report, &papetti_case2, 6.0, said, why);
}

static htz_status compare(htz_lab_report* report, const char* part, const char* solver, const char* corrected,
                          const htz_impact* p, const char** why) {
  papetti_outcome plain, mended;
  char name[64];
  htz_status st = papetti_write(report, solver, p, &plain, why);
  st = st ? st : papetti_write(report, corrected, p, &mended, why);
  if (st) {
    return st;
  }
  const double x_max = htz_impact_x_max(p);
  const double v_out = htz_impact_v_out_approximate(p);
  snprintf(name, sizeof name, "%s %s", part, solver);
  papetti_find(report, name, "x_max beyond the exact", "%", (double)NAN, papetti_excess(plain.x_max, x_max), (double)NAN, NULL);
  papetti_find(report, name, "H_tau against (7)-(8)", "%", (double)NAN,
               papetti_percent(plain.energy, 0.5 * p->mass * v_out * v_out), (double)NAN, "table 1 has both");
  snprintf(name, sizeof name, "%s %s", part, corrected);
  papetti_find(report, name, "x_max beyond the exact", "%", 0.0, papetti_excess(mended.x_max, x_max), 100.0 * rounding,
               "(26): the compression is clipped");
  papetti_find(report, name, "H_tau against (7)-(8)", "%", 0.0, papetti_percent(mended.energy, 0.5 * p->mass * v_out * v_out),
               100.0 * rounding, "the velocity is forced upon release");
  papetti_find(report, name, "H_tau against the exact", "%", 0.0, papetti_percent(mended.energy, energy_out(p)),
               2.0 * default_solver, "what (7)-(8) themselves are off by");
  return HTZ_OK;
}

static htz_status run_corrected(htz_lab_report* report, const char** why) {
  htz_status st = compare(report, "(case 1)", "verlet", "verlet-corrected", &papetti_case1, why);
  st = st ? st : compare(report, "(case 2)", "heun", "heun-corrected", &papetti_case2, why);
  if (!st) {
    htz_lab_progress(report, 1.0);
  }
  return st;
}

#define PHASE                                                                                                                  \
  {                                                                                                                            \
    .x_label = "compression [m]", .y_label = "velocity [m/s]", .n_curves = 1, .curves = {                                      \
      {PAPETTI_X, PAPETTI_V, NULL, false}                                                                                      \
    }                                                                                                                          \
  }
#define ENERGY                                                                                                                 \
  {                                                                                                                            \
    .x_label = "sample", .y_label = "energy [J]", .n_curves = 1, .curves = { {PAPETTI_SAMPLE, PAPETTI_H, "H", false} }         \
  }
#define FORCE                                                                                                                  \
  {                                                                                                                            \
    .x_label = "sample", .y_label = "force [N]", .n_curves = 1, .curves = { {PAPETTI_SAMPLE, PAPETTI_FORCE, "f", false} }      \
  }
#define SERIES "Series: the closed form (`exact`), the paper's four methods and the house's solver.\n"

const htz_lab_experiment htz_experiment_papetti_fig4 = {
    .name = "papetti-fig4",
    .paper = PAPETTI_PAPER "fig. 4",
    .title = "Four methods in a soft impact",
    .about = "10 g at a wall, k 1e6, mu 0.5, alpha 1.6, 0.3 m/s, 44.1 kHz (printed). " SERIES
             "Curves that overlap are taken to be within 1 % of each other.",
    PAPETTI_MOTION,
    .plot = PHASE,
    .beside = {.x_label = "sample",
               .y_label = "energy [J]",
               .n_curves = 3,
               .curves = {{PAPETTI_SAMPLE, PAPETTI_H, "H", false},
                          {PAPETTI_SAMPLE, PAPETTI_T, "T", false},
                          {PAPETTI_SAMPLE, PAPETTI_V_STORED, "V", false}}},
    .run = run_soft};

const htz_lab_experiment htz_experiment_papetti_fig5 = {
    .name = "papetti-fig5",
    .paper = PAPETTI_PAPER "fig. 5",
    .title = "Four methods in a hard impact, little viscosity",
    .about = "10 g at a wall, k 1e7, mu 0.1, alpha 1.1, 0.3 m/s, 44.1 kHz (printed). " SERIES,
    PAPETTI_MOTION,
    .plot = PHASE,
    .beside = ENERGY,
    .run = run_case1};

const htz_lab_experiment htz_experiment_papetti_fig6 = {
    .name = "papetti-fig6",
    .paper = PAPETTI_PAPER "fig. 6",
    .title = "Four methods in a hard impact, much viscosity",
    .about = "10 g at a wall, k 1e9, mu 0.5, alpha 1.5, 1 m/s, 44.1 kHz (printed). " SERIES,
    PAPETTI_MOTION,
    .plot = FORCE,
    .beside = ENERGY,
    .run = run_case2};

const htz_lab_experiment htz_experiment_papetti_fig7 = {
    .name = "papetti-fig7",
    .paper = PAPETTI_PAPER "fig. 7",
    .title = "The worst of both hard impacts, with and without corrections",
    .about = "Verlet in the impact of fig. 5, Heun in that of fig. 6, 44.1 kHz: the worst H_tau of table 1(a) and (b).\n"
             "Corrected: x clipped to x_max (4), the velocity upon release forced to v_out of (7)-(8).",
    PAPETTI_MOTION,
    .plot = PHASE,
    .beside = {.x_label = "sample",
               .y_label = "energy over H_0",
               .n_curves = 1,
               .curves = {{PAPETTI_SAMPLE, PAPETTI_SHARE, "H", false}}},
    .run = run_corrected};
