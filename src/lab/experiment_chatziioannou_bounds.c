#include "hertzian/lab/experiment.h"

#include "thrown.h"

#include <math.h>

/*
   How short a contact can be made right: one sample by the two-point scheme, two by the three-point scheme. What beta* cannot
   reach is shown with beta as large as will do, which is where both substitutions end.
*/
static const double pi = 3.14159265358979323846;
static const double stiffness = 1e10; // the hard collision [N/m], 1 kg
static const double speed = 1.0;
static const double endless = 1e8; // beta: contact times are within 1/sqrt(beta) of their least
static const double longest = 0.05;
static const double rates[] = {16e3, 20e3, 25e3, 32e3, 40e3,   44.1e3, 48e3,  50e3,
                               56e3, 64e3, 72e3, 80e3, 88.2e3, 96e3,   112e3, 128e3};
enum { RATES = sizeof rates / sizeof rates[0], PHASES = 20 };

typedef struct {
  const char *plain, *corrected, *series;
  double samples; // least contact time it can make right
  double beta;    // K T^2/m for beta = 1
} scheme;

/** Contact time over entry phases, by the correction where it is to be had and else at its end. */
static htz_status measure(const scheme* c, double rate, bool reached, double* mean, const char** why) {
  const double hardest = c->beta * endless * rate * rate;
  const htz_solver_system system = {.mass = 1.0, .stiffness = reached ? stiffness : hardest, .exponent = 1.0};
  htz_status st = HTZ_OK;
  *mean = 0.0;
  for (int k = 0; k < PHASES && !st; ++k) {
    thrown t;
    const double start = -speed / rate * (k + 0.5) / PHASES;
    const throw_plan plan = {reached ? c->corrected : c->plain, &system, rate, start, speed, longest, 0.0, NULL, NULL};
    st = htz_thrown(&plan, &t, why);
    *mean += t.duration / PHASES;
  }
  return st;
}

/** How far measured contact times are from what is said of them. */
typedef struct {
  double least;  ///< mean over the rates where beta is at its end, in samples
  int ends;      ///< how many those are
  double off;    ///< greatest relative error of contacts at least twice as long as the least
  double nearer; ///< and of shorter ones
} farthest;

static void state(htz_lab_report* report, const scheme* c, const farthest* f) {
  static const char* const notes[] = {
      "by the outgoing free flight, beta 1e8, mean over 20 phases",
      "by the outgoing free flight: 1.6 to 1.94 by entry phase, though two samples are inside; beta 1e8"};
  const bool three = c->samples > 1.0;
  const htz_lab_finding findings[] = {
      {three ? "three-point: least contact time in samples" : "two-point: least contact time in samples", "", c->samples,
       f->least / f->ends, three ? (double)NAN : 1e-3, notes[three]},
      {three ? "three-point: error of contacts twice as long or more" : "two-point: error of contacts twice as long or more",
       "", 0.0, f->off, 1e-3, "with beta*, relative, mean over 20 entry phases, worst of the rates"},
      {three ? "three-point: error of shorter ones" : "two-point: error of shorter ones", "", 0.0, f->nearer, (double)NAN,
       "beta* makes the frequency in contact right, not the moments of entry and exit"}};
  for (size_t i = 0; i < sizeof findings / sizeof findings[0]; ++i) {
    htz_lab_find_out(report, &findings[i]);
  }
}

static htz_status run(htz_lab_report* report, const char** why) {
  static const scheme schemes[] = {{"two-point", "two-point-beta", "two-point", 1.0, 4.0},
                                   {"three-point", "three-point-beta", "three-point", 2.0, 2.0}};
  const double tau = pi / sqrt(stiffness);
  htz_status st = HTZ_OK;
  for (int i = 0; i < 2 && !st; ++i) {
    farthest f = {0};
    for (int r = 0; r < RATES && !st; ++r) {
      const double least = schemes[i].samples / rates[r];
      const bool reached = least < tau;
      double mean;
      st = measure(&schemes[i], rates[r], reached, &mean, why);
      const double off = fabs(mean / tau - 1.0);
      f.least += reached ? 0.0 : mean * rates[r];
      f.ends += !reached;
      f.off = reached && 2.0 * least <= tau ? fmax(f.off, off) : f.off;
      f.nearer = reached && 2.0 * least > tau ? fmax(f.nearer, off) : f.nearer;
      const double row[] = {rates[r], least, reached ? 0.0 : least - tau, mean - tau, tau};
      htz_lab_row(report, schemes[i].series, row);
      htz_lab_progress(report, (i + (r + 1.0) / RATES) / 2.0);
    }
    state(report, &schemes[i], &f);
  }
  return st;
}

const htz_lab_experiment htz_experiment_chatziioannou_fig6 = {
    .name = "chatziioannou-fig6",
    .paper = "Chatziioannou and van Walstijn, On the contact duration accuracy of discrete-time collision models, fig. 6",
    .title = "The shortest contact each scheme can make right, and the error below it, over the sample rate",
    .about =
        "1 kg at 1 m/s onto a wall, alpha = 1, k_c = 1e10 N/m: 31.4 us. least: one or two samples; error: least - 31.4 us "
        "where\n"
        "that is longer; measured: contact time less 31.4 us, mean over 20 entry phases, by beta* or with beta at its end.",
    .n_columns = 5,
    .columns = {{"rate", "Hz"}, {"least", "s"}, {"error", "s"}, {"measured", "s"}, {"target", "s"}},
    .plot = {.x_label = "sample rate [Hz]",
             .y_label = "least contact time [s]",
             .n_curves = 2,
             .curves = {{0, 1, "least", false}, {0, 4, "target", false}}},
    .beside = {.x_label = "sample rate [Hz]",
               .y_label = "error of the contact time [s]",
               .n_curves = 2,
               .curves = {{0, 2, "error", false}, {0, 3, "measured", true}}},
    .run = run};
