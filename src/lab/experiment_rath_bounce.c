#include "hertzian/lab/experiment.h"

#include "rath.h"

#include <math.h>

enum { SECONDS = 20, THIN = 64 }; // of all samples outside the details every 64th is written

/** A detail of the figure: samples [first, last) are written one by one. */
typedef struct {
  const char* name;
  long first, last;
} detail;

static const long detail_before = 40, detail_samples = 400; // around the first touch: 9 ms
static const long settling_samples = 4410;                  // up to rest: 0.1 s

/** What is seen of the whole run. */
typedef struct {
  double initial; // energy [J]
  double final;   // [J]
  double gain;    // greatest of a step over the initial energy []
  double fastest; // of the hammer [m/s]
  double swing;   // of the surface [m]
  double rod;     // in the end [m]
  long first;     // sample of first touch
  long rest;      // last sample without contact
  htz_piecewise_rods rods;
} seen;

typedef void (*look)(htz_lab_report* report, const htz_solver* s, const seen* so_far, long step);

/** 20 s from the fall. `at` is shown every sample. */
static htz_status watch(htz_lab_report* report, look at, const seen* known, seen* out, const char** why) {
  htz_arena memory;
  htz_solver* s = NULL;
  htz_arena_measure(&memory);
  const htz_status st = htz_solver_new(&htz_transition_class, &rath_bounce, RATH_RATE, &memory, &s, why);
  if (st) {
    htz_arena_free(&memory);
    return st;
  }
  const long steps = SECONDS * (long)RATH_RATE;
  s->cls->place(s, -RATH_HEIGHT, 0.0);
  double before = htz_solver_energy(s);
  *out = (seen){.initial = before, .first = -1};
  for (long i = 1; i <= steps; ++i) {
    s->cls->step(s, 0.0);
    const double energy = htz_solver_energy(s);
    out->gain = fmax(out->gain, (energy - before) / out->initial);
    before = energy;
    out->fastest = fmax(out->fastest, fabs(s->v));
    out->swing = fmax(out->swing, fabs(htz_solver_surface(s)));
    out->first = s->touching && out->first < 0 ? i : out->first;
    out->rest = s->touching ? out->rest : i;
    if (at) {
      at(report, s, known, i);
    }
    if (i % THIN == 0) {
      htz_lab_progress(report, 0.5 * ((at != NULL) + (double)i / (double)steps));
    }
  }
  out->final = before;
  out->rod = s->rod;
  out->rods = htz_transition_inside(s)->rods;
  htz_arena_free(&memory);
  return HTZ_OK;
}

static void show_motion(htz_lab_report* report, const htz_solver* s, const seen* known, long step) {
  const detail details[] = {{"impact", known->first - detail_before, known->first - detail_before + detail_samples},
                            {"settling", known->rest - settling_samples, known->rest + detail_samples}};
  const double row[] = {(double)step, (double)step / RATH_RATE, -s->x, -htz_solver_surface(s), s->rod};
  if (step % THIN == 0) {
    htz_lab_row(report, "whole", row);
  }
  for (size_t i = 0; i < sizeof details / sizeof details[0]; ++i) {
    if (step >= details[i].first && step < details[i].last) {
      htz_lab_row(report, details[i].name, row);
    }
  }
}

static void show_energy(htz_lab_report* report, const htz_solver* s, const seen* known, long step) {
  (void)known;
  if (step % THIN == 0) {
    const htz_solver_system* y = &s->system;
    const double hammer = y->mass * (0.5 * s->v * s->v - y->gravity * s->x);
    const double all = htz_solver_energy(s);
    const double row[] = {(double)step, (double)step / RATH_RATE, all, hammer, all - hammer - s->stored, s->stored};
    htz_lab_row(report, "energy", row);
  }
}

/** Energy of the mass at rest on everything it presses down: half of what its weight has done, and the rod lifts it. */
static double energy_at_rest(double rod) {
  const htz_solver_system* y = &rath_bounce;
  const double load = y->mass * y->gravity;
  double compliance = 1.0 / y->stiffness;
  for (size_t k = 0; k < y->n_modes; ++k) {
    compliance += y->weight[k] * y->weight[k] / (y->modal_mass[k] * y->omega[k] * y->omega[k]);
  }
  return load * rod - 0.5 * load * load * compliance;
}

static void state_energy(htz_lab_report* report, const seen* s) {
  const htz_lab_finding findings[] = {
      {"greatest energy gain of a step, of the initial", "", 0.0, s->gain, 1e-14, "the paper: decays monotonically"},
      {"energy at rest", "J", energy_at_rest(s->rod), s->final, 1e-12 * s->initial, "against that of static compression"},
      {"time of rest", "s", (double)NAN, (double)s->rest / RATH_RATE, (double)NAN, "after the last sample without contact"},
  };
  for (size_t i = 0; i < sizeof findings / sizeof findings[0]; ++i) {
    htz_lab_find_out(report, &findings[i]);
  }
}

static void state_rods(htz_lab_report* report, const seen* s) {
  const htz_lab_finding findings[] = {
      {"contacts that began with a rod", "", (double)NAN, (double)s->rods.count, (double)NAN, NULL},
      {"longest rod", "m", 0.0, s->rods.most, s->fastest / RATH_RATE, "below |v|/fs, v the greatest speed"},
      {"longest rod over its own |v|/fs", "", 0.0, s->rods.most_share, 1.0, "v the mean speed of approach over its sample"},
      {"longest rod over the swing of the surface", "", 1e-5, s->rods.most / s->swing, (double)NAN,
       "the paper: of the order of 1e-5, for its own parameters"},
  };
  for (size_t i = 0; i < sizeof findings / sizeof findings[0]; ++i) {
    htz_lab_find_out(report, &findings[i]);
  }
}

static htz_status run_motion(htz_lab_report* report, const char** why) {
  seen first, again;
  htz_status st = watch(report, NULL, NULL, &first, why);
  st = st ? st : watch(report, show_motion, &first, &again, why);
  if (!st) {
    state_energy(report, &again);
    state_rods(report, &again);
  }
  return st;
}

static htz_status run_energy(htz_lab_report* report, const char** why) {
  seen s;
  const htz_status st = watch(report, show_energy, NULL, &s, why);
  if (!st) {
    state_energy(report, &s);
  }
  return st;
}

#define PAPER "Rath, Energy-stable modelling of contacting modal objects with piece-wise linear interaction force, "
#define SYSTEM                                                                                                                 \
  "10 g fall 5 cm onto modes of 220, 950 and 3500 Hz (printed) of 0.1 kg each, weights 1, 0.8, 0.6, decay rates 3, 5, 9 /s;\n" \
  "k_con 2e6 N/m, c_con of a viscosity of 0.1 s/m, 44100 Hz, 20 s (ours; the paper prints none of these).\n"

// What figures 2 a and 3 show: until a little after the mass stays, at sample 42586 [samples].
#define BOUNCING 50000.0

#define MOTION(label, series, end)                                                                                             \
  {                                                                                                                            \
    .x_label = label, .y_label = "height [m]", .n_curves = 2, .curves = {{0, 2, "mass", false}, {0, 3, "surface", false}},     \
    .only = series, .x_most = end                                                                                              \
  }

const htz_lab_experiment htz_experiment_rath_fig2 = {
    .name = "rath-fig2",
    .paper = PAPER "fig. 2",
    .title = "A mass bouncing on a vibrating object under gravity, until it stays",
    .about = SYSTEM
    "Series: the whole (every 64th sample; drawn until it stays), one impact, and the last bounces before continuous contact.",
    .n_columns = 5,
    .columns = {{"sample", ""}, {"time", "s"}, {"mass", "m"}, {"surface", "m"}, {"rod", "m"}},
    .plot = MOTION("a) sample", "whole", BOUNCING),
    .beside = MOTION("b) sample: one impact", "impact", 0.0),
    .third = MOTION("c) sample: the last bounces", "settling", 0.0),
    .run = run_motion};

const htz_lab_experiment htz_experiment_rath_fig3 = {
    .name = "rath-fig3",
    .paper = PAPER "fig. 3",
    .title = "Energy of a mass bouncing on a vibrating object: it never grows",
    .about = SYSTEM "Every step is judged; every 64th is written, and drawn until the mass stays.",
    .n_columns = 6,
    .columns = {{"sample", ""}, {"time", "s"}, {"energy", "J"}, {"mass", "J"}, {"object", "J"}, {"spring", "J"}},
    .plot = {.x_label = "sample",
             .y_label = "energy [J]",
             .n_curves = 3,
             .curves = {{0, 2, "all", false}, {0, 3, "mass", false}, {0, 4, "object", false}},
             .x_most = BOUNCING},
    .run = run_energy};
