#include "hertzian/lab/experiment.h"

#include "hertzian/dsp/linalg.h"
#include "rath.h"

#include <math.h>
#include <stdlib.h>

static const double two_pi = 6.28318530717958648;
static const double blow = 2.0;                  // speed of the hammer [m/s]
static const double gap = 1.3e-5;                // it starts this far away: no sample falls on the touch [m]
enum { STEPS = 441, SNAPSHOTS = 8, EVERY = 20 }; // 10 ms; a picture every 0.45 ms

/** A picture of all masses, the fixed ends included. */
static void snapshot(htz_lab_report* report, const htz_piecewise* s, int step) {
  static const char* const names[SNAPSHOTS] = {"0", "1", "2", "3", "4", "5", "6", "7"};
  const double time = step / RATH_RATE;
  for (size_t j = 0; j <= RATH_MASSES + 1; ++j) {
    const double u = j == 0 || j > RATH_MASSES ? 0.0 : s->q[j - 1];
    const double row[] = {(double)j, u, j == RATH_AT + 1 ? s->x : (double)NAN, time, s->rod};
    htz_lab_row(report, names[step / EVERY], row);
  }
}

/** Both descriptions of one string, side by side. */
typedef struct {
  htz_arena memory;
  htz_piecewise *masses, *modes;
} pair;

static htz_status make(const rath_string* string, pair* p, const char** why) {
  double* block = calloc(3 * RATH_MASSES * RATH_MASSES, sizeof *block);
  htz_piecewise_system desc = rath_struck(string);
  htz_arena_measure(&p->memory);
  htz_status st = block ? htz_piecewise_new(&desc, RATH_RATE, &p->memory, &p->masses, why) : HTZ_NO_MEMORY;
  if (!st) {
    double* m = block;
    double* k = m + RATH_MASSES * RATH_MASSES;
    double* c = k + RATH_MASSES * RATH_MASSES;
    for (size_t i = 0; i < RATH_MASSES; ++i) {
      const size_t at = i * RATH_MASSES + i;
      m[at] = string->m[at];
      k[at] = string->m[at] * string->omega[i] * string->omega[i];
      c[at] = string->m[at] * 2.0 * string->sigma[i];
    }
    desc.m = m;
    desc.k = k;
    desc.c = c;
    desc.weight = string->shape;
    st = htz_piecewise_new(&desc, RATH_RATE, &p->memory, &p->modes, why);
  }
  free(block);
  return st;
}

typedef struct {
  double gain;  // greatest of a step over the initial energy []
  double apart; // farthest of the two descriptions at the struck mass [m]
  double swing; // farthest that mass goes [m]
  int touched;  // samples
} seen;

static seen strike(htz_lab_report* report, pair* p) {
  seen out = {0.0, 0.0, 0.0, 0};
  htz_piecewise_place(p->masses, -gap, blow);
  htz_piecewise_place(p->modes, -gap, blow);
  const double initial = htz_piecewise_energy(p->masses);
  double before = initial;
  for (int i = 0; i < STEPS; ++i) {
    if (i % EVERY == 0 && i / EVERY < SNAPSHOTS) {
      snapshot(report, p->masses, i);
    }
    htz_piecewise_step(p->masses, 0.0);
    htz_piecewise_step(p->modes, 0.0);
    const double energy = htz_piecewise_energy(p->masses);
    const double u = htz_piecewise_surface(p->masses);
    out.gain = fmax(out.gain, (energy - before) / initial);
    out.apart = fmax(out.apart, fabs(u - htz_piecewise_surface(p->modes)));
    out.swing = fmax(out.swing, fabs(u));
    out.touched += p->masses->touching;
    before = energy;
    htz_lab_progress(report, (double)(i + 1) / STEPS);
  }
  return out;
}

static htz_status lowest(const rath_string* string, double* hz) {
  double lambda[RATH_MASSES];
  double* vectors = calloc(RATH_MASSES * RATH_MASSES, sizeof *vectors);
  const htz_status st = vectors ? htz_eigen_symmetric(RATH_MASSES, string->k, string->m, lambda, vectors) : HTZ_NO_MEMORY;
  *hz = st ? (double)NAN : sqrt(lambda[0]) / two_pi;
  free(vectors);
  return st;
}

static htz_status run(htz_lab_report* report, const char** why) {
  rath_string* string = malloc(sizeof *string);
  pair p;
  double hz = 0.0;
  if (!string) {
    return HTZ_NO_MEMORY;
  }
  rath_fill_string(string);
  htz_status st = make(string, &p, why);
  st = st ? st : lowest(string, &hz);
  if (!st) {
    const seen s = strike(report, &p);
    const htz_lab_finding findings[] = {
        {"lowest modal frequency", "Hz", 350.0, hz, 0.5, "eigenvalue of the matrices of masses and springs"},
        {"greatest energy gain of a step, of the initial", "", 0.0, s.gain, 1e-14, "the paper: never an increase"},
        {"masses against exact modes, farthest apart", "m", 0.0, s.apart, 1e-11 * s.swing,
         "full matrices that know only neighbours, against analytic modes with weights"},
        {"longest rod over |v|/fs", "", 0.0, p.masses->rods.most_share, 1.0, "rods are shorter than one sample's way"},
        {"longest rod over the swing of the string", "", 1e-5, p.masses->rods.most / s.swing, (double)NAN,
         "the paper: of the order of 1e-5; one hard blow here"},
        {"samples in contact", "", (double)NAN, s.touched, (double)NAN, NULL},
    };
    for (size_t i = 0; i < sizeof findings / sizeof findings[0]; ++i) {
      htz_lab_find_out(report, &findings[i]);
    }
  }
  htz_arena_free(&p.memory);
  free(string);
  return st;
}

const htz_lab_experiment htz_experiment_rath_fig1 = {
    .name = "rath-fig1",
    .paper = "Rath, Energy-stable modelling of contacting modal objects with piece-wise linear interaction force, fig. 1",
    .title = "Snapshots of a string struck by a free mass",
    .about =
        "50 masses of 0.1 g between springs, ends fixed, lowest mode 350 Hz (printed); friction to ground and between "
        "neighbours,\n"
        "hammer 3 g at 2 m/s on mass 13, k_con 2e4 N/m, c_con 0.05 N s/m, 44100 Hz (ours; the paper prints none of these).\n"
        "One series per snapshot, 20 samples apart. The string is advanced as masses, by transition matrices of 100 and 102\n"
        "rows, and beside it as a modal object with analytic modes.",
    .n_columns = 5,
    .columns = {{"mass", ""}, {"displacement", "m"}, {"hammer", "m"}, {"time", "s"}, {"rod", "m"}},
    .plot = {.x_label = "mass",
             .y_label = "displacement [m]",
             .n_curves = 2,
             .curves = {{0, 1, NULL, false}, {0, 2, NULL, true}}},
    .run = run};
