#include "hertzian/lab/experiment.h"

#include "avanzini.h"

#include <math.h>

// Fig. 2, an attack on a resonator, and section 4.2: how many iterations Newton takes.

typedef struct {
  htz_lab_report* report;
  const char* series;
} pen;

static void draw(void* context, const htz_solver* s, double time) {
  const pen* p = context;
  const double row[] = {time, s->x, htz_solver_surface(s), s->force};
  htz_lab_row(p->report, p->series, row);
}

static htz_status run_fig2(htz_lab_report* report, const char** why) {
  const htz_impact p = avanzini_hammer(avanzini_ratio(1, 3), 0.6, 1.0);
  avanzini_resonator at;
  avanzini_fill(&at, 400.0, 0.02, 100.0);
  htz_solver_system system = htz_thrown_at_wall(&p);
  system.n_modes = AVANZINI_MODES;
  system.omega = at.omega;
  system.sigma = at.sigma;
  system.modal_mass = at.mass;
  system.weight = at.weight;
  static const char* const solvers[] = {"am1", "house"};
  thrown t[2];
  htz_status st = HTZ_OK;
  for (int i = 0; i < 2 && !st; ++i) {
    pen draws = {report, solvers[i]};
    const throw_plan plan = {.solver = solvers[i],
                             .system = &system,
                             .rate_hz = AVANZINI_RATE,
                             .v = p.speed,
                             .longest = avanzini_longest,
                             .after = 0.005,
                             .look = draw,
                             .context = &draws};
    st = htz_thrown(&plan, &t[i], why);
  }
  if (!st) {
    const htz_lab_finding findings[] = {
        {"contact time, AM1 against the house's", "s", t[1].duration, t[0].duration, 2e-3 * t[1].duration, NULL},
        {"velocity after it, AM1 against the house's", "m/s", t[1].v_out, t[0].v_out, -5e-3 * t[1].v_out, NULL},
        {"contact time over a wall's", "", (double)NAN, t[0].duration / htz_impact_duration(&p), (double)NAN, NULL},
        {"most iterations of a sample", "", (double)NAN, (double)t[0].most, (double)NAN, NULL}};
    for (size_t i = 0; i < sizeof findings / sizeof findings[0]; ++i) {
      htz_lab_find_out(report, &findings[i]);
    }
  }
  return st;
}

/** What Newton took over a part of the grid. */
typedef struct {
  uint64_t solves, iterations, most, unconverged;
  int throws, above_four;
} tally;

static const double masses[] = {3e-3, 1e-2, 0.1, 1.0}; // of the resonator's modes [kg]
static const double lowests[] = {100.0, 1000.0};       // its lowest partial [Hz]
static const double viscosities[] = {0.01, 0.1, 1.0};
static const double speeds[] = {0.1, 1.0, 4.0};
#define COUNT_OF(array) (int)(sizeof(array) / sizeof(array)[0])

static htz_status count_one(htz_lab_report* report, const char* series, const htz_impact* p, double mass, double lowest,
                            tally* sum, const char** why) {
  avanzini_resonator at;
  thrown t;
  avanzini_fill(&at, lowest, mass, 100.0);
  const htz_status st = avanzini_throw(p, &at, NULL, NULL, &t, why);
  if (st) {
    return st;
  }
  const double mean = t.solves ? (double)t.iterations / (double)t.solves : 0.0;
  const double row[] = {p->mass / p->stiffness,     p->viscosity,   p->speed, mass, lowest,
                        t.duration * AVANZINI_RATE, (double)t.most, mean};
  htz_lab_row(report, series, row);
  sum->solves += t.solves;
  sum->iterations += t.iterations;
  sum->most = t.most > sum->most ? t.most : sum->most;
  sum->unconverged += t.unconverged;
  ++sum->throws;
  sum->above_four += t.most > 4;
  return HTZ_OK;
}

/** All resonators, viscosities and speeds at one m_h/k. */
static htz_status count_all(htz_lab_report* report, const char* series, double ratio, tally* sum, const char** why) {
  htz_status st = HTZ_OK;
  for (int i = 0; i < COUNT_OF(masses) * COUNT_OF(lowests); ++i) {
    for (int j = 0; j < COUNT_OF(viscosities) * COUNT_OF(speeds) && !st; ++j) {
      const htz_impact p = avanzini_hammer(ratio, viscosities[j % COUNT_OF(viscosities)], speeds[j / COUNT_OF(viscosities)]);
      st = count_one(report, series, &p, masses[i % COUNT_OF(masses)], lowests[i / COUNT_OF(masses)], sum, why);
    }
  }
  return st;
}

static htz_status run_iterations(htz_lab_report* report, const char** why) {
  enum { RATIOS = 7, HARDER = 8 };
  tally paper = {0}, harder = {0};
  htz_status st = HTZ_OK;
  for (int i = 0; i < RATIOS && !st; ++i) {
    st = count_all(report, "paper's m/k", avanzini_ratio(i, RATIOS), &paper, why);
    htz_lab_progress(report, (double)(i + 1) / (RATIOS + HARDER));
  }
  double ratio = avanzini_least;
  for (int i = 0; i < HARDER && !st; ++i) {
    ratio *= 0.1;
    st = count_all(report, "harder", ratio, &harder, why);
    htz_lab_progress(report, (double)(RATIOS + i + 1) / (RATIOS + HARDER));
  }
  if (st) {
    return st;
  }
  const htz_lab_finding findings[] = {
      {"throws with a sample of more than four iterations", "", 0.0, paper.above_four, 0.0,
       "the paper: never higher than four, tolerance about 1e-13"},
      {"most iterations of a sample", "", 4.0, (double)paper.most, (double)NAN, "the last, which only confirms, is counted"},
      {"mean iterations", "", (double)NAN, (double)paper.iterations / (double)paper.solves, (double)NAN, NULL},
      {"harder: share of throws above four", "", (double)NAN, (double)harder.above_four / harder.throws, (double)NAN,
       "m/k from a tenth to a hundred-millionth of the paper's least"},
      {"harder: most iterations of a sample", "", (double)NAN, (double)harder.most, (double)NAN,
       "with the bracket, which the paper does not have"},
      {"equations given up", "", 0.0, (double)(paper.unconverged + harder.unconverged), 0.0, NULL}};
  for (size_t i = 0; i < sizeof findings / sizeof findings[0]; ++i) {
    htz_lab_find_out(report, &findings[i]);
  }
  return HTZ_OK;
}

const htz_lab_experiment htz_experiment_avanzini_fig2 = {
    .name = "avanzini-fig2",
    .paper = AVANZINI_PAPER "fig. 2",
    .title = "Attack of a hammer on a resonator of three modes",
    .about = "10 g, alpha = 2.8, 44.1 kHz (printed), m_h/k 42e-12 kg m^alpha/N, mu = 0.6 s/m, 1 m/s onto partials of a free "
             "bar over\n"
             "400 Hz of 20 g each, q = 100 (ours; the paper prints none of these). The force is its mean over each sample.",
    .n_columns = 4,
    .columns = {{"time", "s"}, {"hammer", "m"}, {"resonator", "m"}, {"force", "N"}},
    .plot = {.x_label = "time [s]",
             .y_label = "displacement [m]",
             .n_curves = 2,
             .curves = {{0, 1, "hammer", false}, {0, 2, "resonator", false}}},
    .beside = {.x_label = "time [s]", .y_label = "force [N]", .n_curves = 1, .curves = {{0, 3, NULL, false}}},
    .run = run_fig2};

const htz_lab_experiment htz_experiment_avanzini_iterations = {
    .name = "avanzini-iterations",
    .paper = AVANZINI_PAPER "section 4.2",
    .title = "Newton iterations of AM1 per sample, at a tolerance of 1e-13",
    .about = "10 g, alpha = 2.8, N = 3, 44.1 kHz; m_h/k 6e-12 to 300e-12, mu 0.01 to 1 s/m, 0.1 to 4 m/s; resonators of 3 g to "
             "1 kg\n"
             "per mode over 100 Hz or 1 kHz, q = 100. Then harder, down to contacts far below a sample. Newton starts from the "
             "force of\n"
             "the sample before and ends with a move of less than 1e-13 of the force, or where rounding allows no smaller one.",
    .n_columns = 8,
    .columns = {{"m_over_k", "kg m^a/N"},
                {"mu", "s/m"},
                {"speed", "m/s"},
                {"mode_mass", "kg"},
                {"lowest", "Hz"},
                {"contact", "samples"},
                {"iterations_most", ""},
                {"iterations_mean", ""}},
    .plot = {.x_label = "contact time [samples]",
             .y_label = "iterations",
             .log_x = true,
             .n_curves = 2,
             .curves = {{5, 6, "most", true}, {5, 7, "mean", true}}},
    .run = run_iterations};
