#include "papetti.h"

#include <math.h>
#include <string.h>

enum { BOUNCES = 6, FINE = 64, EVERY = 20 }; // touches followed; samples of the reference in one; every so manieth is written

static const double gravity = 9.81;   // [m/s^2]
static const double seconds = 0.4;    // six bounces and a little more
static const double promise = 2e-3;   // what is asked of the house's, relative: five rebounds, each within 0.2 %
static const double g_promise = 4e-3; // and twice that of heights

/** What a falling mass does. */
typedef struct {
  double touch[BOUNCES];  // times of touch after the first, which is at 0 [s]
  double height[BOUNCES]; // of the rebound before it [m]
  unsigned n;
} bouncing;

/** Time at which a free flight from x <= 0 reaches the floor, from the moment given. */
static double until_floor(double x, double v) {
  return (-v + sqrt(fmax(0.0, v * v - 2.0 * gravity * x))) / gravity;
}

static htz_status follow(htz_lab_report* report, const char* solver, const char* series, unsigned fine, bouncing* out,
                         const char** why) {
  const htz_impact* p = &papetti_case1;
  const htz_solver_class* cls = htz_solver_find(solver);
  const htz_solver_system system = {
      .mass = p->mass, .stiffness = p->stiffness, .exponent = p->exponent, .viscosity = p->viscosity, .gravity = gravity};
  const double period = 1.0 / (PAPETTI_RATE * fine);
  if (!cls) {
    *why = "a solver it needs is not there";
    return HTZ_UNSUPPORTED;
  }
  htz_arena memory;
  htz_solver* s = NULL;
  htz_arena_measure(&memory);
  const htz_status st = htz_solver_new(cls, &system, PAPETTI_RATE * fine, &memory, &s, why);
  const long steps = st ? 0 : lrint(seconds / period);
  double top = 0.0;
  *out = (bouncing){.n = 0};
  if (!st) {
    s->cls->place(s, 0.0, p->speed);
  }
  for (long i = 0; i < steps; ++i) {
    const double x = s->x, v = s->v;
    if (i % (EVERY * fine) == 0) {
      const double row[] = {(double)i * period, -x, -v};
      htz_lab_row(report, series, row);
    }
    s->cls->step(s, 0.0);
    top = fmax(top, -s->x);
    // Touched within this step, coming from a flight; a step may end on either side of it.
    if (i > 0 && x <= 0.0 && v > 0.0 && until_floor(x, v) <= period && out->n < BOUNCES) {
      out->touch[out->n] = (double)i * period + until_floor(x, v);
      out->height[out->n++] = top;
      top = 0.0;
    }
  }
  htz_arena_free(&memory);
  return st;
}

static void compare(htz_lab_report* report, const char* name, const bouncing* exact, const bouncing* b) {
  const unsigned last = BOUNCES - 1;
  const bool judged = strcmp(name, "house") == 0;
  const bool reached = b->n == BOUNCES && exact->n == BOUNCES;
  const double none = (double)NAN;
  papetti_find(report, name, "height of the first rebound", "m", exact->height[0], b->n ? b->height[0] : none,
               judged ? g_promise * exact->height[0] : none, NULL);
  papetti_find(report, name, "height of the sixth rebound", "m", exact->height[last], reached ? b->height[last] : none,
               judged ? g_promise * BOUNCES * exact->height[last] : none, "errors add up");
  papetti_find(report, name, "time of the seventh touch", "s", exact->touch[last], reached ? b->touch[last] : none,
               judged ? promise * BOUNCES * exact->touch[last] : none, NULL);
}

static htz_status run(htz_lab_report* report, const char** why) {
  static const char* const names[] = {"am1", "rk4", "am1-corrected", "rk4-corrected", "house"};
  enum { COUNT = sizeof names / sizeof names[0] };
  bouncing exact, one;
  htz_status st = follow(report, "rk4", "reference", FINE, &exact, why);
  for (size_t i = 0; i < COUNT && !st; ++i) {
    st = follow(report, names[i], names[i], 1, &one, why);
    if (!st) {
      compare(report, names[i], &exact, &one);
    }
    htz_lab_progress(report, (double)(i + 1) / COUNT);
  }
  return st;
}

const htz_lab_experiment htz_experiment_papetti_fig8 = {
    .name = "papetti-fig8",
    .paper = PAPETTI_PAPER "fig. 8",
    .title = "A bouncing mass: small errors add up",
    .about =
        "10 g thrown down at 0.3 m/s onto the floor of fig. 5 (k 1e7, mu 0.1, alpha 1.1; printed) under 9.81 m/s^2, 44.1 kHz,\n"
        "0.4 s, every 20th sample. No number is printed: the reference is the fourth-order method at 64 times the rate.\n"
        "Beside the two methods shown, both with the paper's corrections, and the house's.",
    .n_columns = 3,
    .columns = {{"time", "s"}, {"height", "m"}, {"v", "m/s"}},
    .plot = {.x_label = "time [s]", .y_label = "height [m]", .n_curves = 1, .curves = {{0, 1, NULL, false}}},
    .run = run};
