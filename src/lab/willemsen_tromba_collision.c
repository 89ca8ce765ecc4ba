#include "willemsen_tromba.h"

#include <math.h>

static htz_status make(htz_grid_method method, willemsen_system* s, const char** why) {
  return tromba_make(method, HTZ_GRID_CONNECTION, false, s, why);
}

/** What both forms start from. */
typedef struct {
  double g1, g2;
  double eta1_before, eta2_before; ///< of the second without the gap: only differences of it count
} beginning;

static beginning begin(const tromba_states* x, const direct_psi* c1, const direct_psi* c2) {
  return (beginning){.g1 = direct_g(c1, x->now[1] - x->now[0]),
                     .g2 = direct_g(c2, x->now[2] - x->now[1] - TROMBA_GAP),
                     .eta1_before = x->before[1] - x->before[0],
                     .eta2_before = x->before[2] - x->before[1]};
}

/** (80) with a22 and the third row put right. */
static void three_by_three(const tromba_parts* t, const tromba_states* x, const beginning* b, double psi1, double psi2,
                           double next[3]) {
  const double k = t->string.k, k2 = k * k, h = t->string.h, hp2 = t->plate.h * t->plate.h;
  const double first = 0.25 * b->g1 * b->g1, second = 0.25 * b->g2 * b->g2;
  const double string = t->string.density / k2 * (1.0 + t->string.sigma0 * k);
  const double bridge = t->bridge.mass / k2 * (1.0 + 0.5 * t->bridge.loss * k);
  const double plate = t->plate.density / k2 * (1.0 + t->plate.sigma0 * k);
  double a[3][3] = {{string + first / h, -first / h, 0.0},
                    {-first, bridge + first + second, -second},
                    {0.0, -second / hp2, plate + second / hp2}};
  next[0] = string * x->free[0] - (first * b->eta1_before - psi1 * b->g1) / h;
  next[1] = bridge * x->free[1] + first * b->eta1_before - psi1 * b->g1 - second * b->eta2_before + psi2 * b->g2;
  next[2] = plate * x->free[2] + (second * b->eta2_before - psi2 * b->g2) / hp2;
  direct_solve(3, a, next);
}

/** (81)-(85): for the rates of eta, then (83). */
static void two_by_two(const tromba_parts* t, const tromba_states* x, const beginning* b, double psi1, double psi2,
                       double next[3]) {
  const double k = t->string.k, k2 = k * k;
  const double g1 = b->g1, g2 = b->g2, f1 = psi1 * g1, f2 = psi2 * g2;
  const double string = t->string.density * t->string.h * (1.0 + t->string.sigma0 * k);
  const double bridge = t->bridge.mass * (2.0 + t->bridge.loss * k);
  const double plate = t->plate.h * t->plate.h * t->plate.density * (1.0 + t->plate.sigma0 * k);
  double a[3][3] = {{1.0 + g1 * g1 * k2 / (2.0 * bridge) + g1 * g1 * k2 / (4.0 * string), -g2 * g2 * k2 / (2.0 * bridge)},
                    {-g1 * g1 * k2 / (2.0 * bridge), 1.0 + g2 * g2 * k2 / (2.0 * bridge) + g2 * g2 * k2 / (4.0 * plate)}};
  double v[3] = {
      (x->free[1] - x->before[1] - x->free[0] + x->before[0]) / (2.0 * k) - k * (f1 - f2) / bridge - f1 * k / (2.0 * string),
      (x->free[2] - x->before[2] - x->free[1] + x->before[1]) / (2.0 * k) + k * (f1 - f2) / bridge - f2 * k / (2.0 * plate)};
  direct_solve(2, a, v);
  const double first = 0.5 * g1 * g1 * k * v[0] + f1, second = 0.5 * g2 * g2 * k * v[1] + f2;
  next[0] = x->free[0] + k2 / string * first;
  next[1] = x->free[1] - 2.0 * k2 / bridge * (first - second);
  next[2] = x->free[2] - k2 / plate * second;
}

static htz_status lay_beside(htz_lab_report* report, const char** why) {
  willemsen_system s;
  willemsen_begin(&s);
  const htz_status st = tromba_make(HTZ_GRID_PLAIN, HTZ_GRID_CONNECTION, true, &s, why);
  if (!st) {
    tromba_parts t;
    direct_psi c1 = {.stiffness = TROMBA_TWO_SIDED, .exponent = TROMBA_EXPONENT, .two_sided = true};
    direct_psi c2 = {.stiffness = TROMBA_BODY, .exponent = TROMBA_EXPONENT};
    double forms = 0.0, network = 0.0, swing = 0.0;
    tromba_take_apart(&s, true, &t);
    for (long i = 0; i < lrint(TROMBA_PICTURE * WILLEMSEN_RATE); ++i) {
      tromba_states x;
      double three[3], two[3];
      tromba_look(&s, &t, &x);
      const beginning b = begin(&x, &c1, &c2);
      three_by_three(&t, &x, &b, c1.psi, c2.psi, three);
      two_by_two(&t, &x, &b, c1.psi, c2.psi, two);
      direct_psi_step(&c1, b.g1, three[1] - three[0], b.eta1_before);
      direct_psi_step(&c2, b.g2, three[2] - three[1], b.eta2_before);
      htz_grid_network_step(s.network);
      for (int j = 0; j < 3; ++j) {
        forms = fmax(forms, fabs(three[j] - two[j]));
      }
      network = fmax(network, tromba_apart(&s, three, 1.0));
      swing = fmax(swing, fabs(x.now[TROMBA_BRIDGE]));
    }
    willemsen_find(report, "(80) against (85),", "farthest of a step, of the bridge's swing", "", 0.0, forms / swing, 1e-12,
                   "both corrected, with losses, 50 ms");
    willemsen_find(report, "(80) against `plain`,", "farthest of a step, of the bridge's swing", "", 0.0, network / swing,
                   1e-11, NULL);
  }
  willemsen_free(&s);
  return st;
}

static htz_status run(htz_lab_report* report, const char** why) {
  const willemsen_plan plan = {.make = make, TROMBA_PLACES, .picture = TROMBA_PICTURE};
  const htz_status st = willemsen_run(report, &plan, NULL, why);
  return st ? st : lay_beside(report, why);
}

const htz_lab_experiment htz_experiment_willemsen_tromba_collision = {
    .name = "willemsen-tromba-collision",
    .paper = WILLEMSEN_PAPER "section 8, eqs. (74)-(85)",
    .title = "The tromba marina, string and bridge joined by a two-sided collision",
    .about = "As willemsen-tromba-spring, string and bridge joined by K |eta|^alpha sgn eta, K 5e6, alpha 1.3 (the author's). "
             "`plain` has\n"
             "the printed (75)-(77), whose psi changes sign with a jump at 0; the other two an odd psi. The table is without "
             "losses; the\n"
             "two findings on (80) and (85) are with them. Put right: a22 and the third row of (80), the Laplacian and "
             "biharmonic in (84c).",
    TROMBA_TABLE,
    TROMBA_PLOTS,
    .run = run};
