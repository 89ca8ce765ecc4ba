#include "solver_am1.h"

#include "solver_trapezoid.h"

#include <float.h>
#include <math.h>

/*
   1-step Adams-Moulton: the force of a step is the mean of both its ends, that at the new end being found as in the K method, by
   Newton from that of the old end. With s = s_free - C (f + f+)/2 both arguments of the law are linear in f+,

     eta+ = eta + s,   eta'+ = 2 s/h - eta',

   so that f+ is the one unknown. Newton is kept inside a bracket of the root, which the paper does not need to say: without it a
   hard contact may throw it out of the contact, and it cycles.
*/

static const double tolerance = 1e-13; // of Newton's last move, relative to the force: the paper's figure
static const double rounding = 4.0 * DBL_EPSILON;
enum { NEWTON_MAX = 64 }; // bisection alone exhausts a double in so many

/** eta+ = eta - give f, eta'+ = rate - slow f. */
typedef struct {
  double eta, rate, compliance, slow;
} affine;

typedef struct {
  double force, slope; // of the law and minus its derivative by the unknown
  double noise;        // what rounding of the arguments may do to the force
} law_value;

static law_value law_at(const htz_solver* s, const affine* a, double f) {
  const htz_solver_system* y = &s->system;
  const double eta = a->eta - a->compliance * f;
  const double rate = a->rate - a->slow * f;
  if (!(eta > 0.0)) {
    return (law_value){0.0, 0.0, 0.0};
  }
  const double elastic = y->stiffness * pow(eta, y->exponent);
  const double loss = 1.0 + y->viscosity * rate;
  const double by_eta = y->exponent * elastic / eta * loss;
  const double by_rate = elastic * y->viscosity;
  const double noise = fabs(by_eta) * (fabs(a->eta) + fabs(a->compliance * f)) + by_rate * (fabs(a->rate) + fabs(a->slow * f));
  return (law_value){elastic * loss, a->compliance * by_eta + a->slow * by_rate, noise + fabs(elastic * loss)};
}

/**
   The root of f = law(f). Where the law pushes without the new force, it lies between that and the force that leaves the
   contact; where it pulls, between none and the force that turns the pull.
*/
static double solve(htz_solver* s, const affine* a, double start) {
  if (!(a->eta > 0.0)) {
    return 0.0;
  }
  const bool pulls = 1.0 + s->system.viscosity * a->rate < 0.0;
  double low = pulls ? (a->rate + 1.0 / s->system.viscosity) / a->slow : 0.0;
  double high = pulls ? 0.0 : a->eta / a->compliance;
  double f = start > low && start < high ? start : 0.0;
  bool found = false;
  unsigned n = 0;
  for (; n < NEWTON_MAX && !found; ++n) {
    const law_value law = law_at(s, a, f);
    const double g = f - law.force;
    low = g < 0.0 ? f : low;
    high = g > 0.0 ? f : high;
    double next = f - g / (1.0 + law.slope);
    if (!(1.0 + law.slope > 0.0) || !(next >= low && next <= high)) {
      next = 0.5 * (low + high);
    }
    found = fabs(next - f) <= tolerance * fabs(next) || fabs(g) <= rounding * (fabs(f) + law.noise);
    f = next;
  }
  htz_solver_counted(s, n, found);
  return f;
}

static void report(am1* a, double mean) {
  htz_solver* s = &a->base;
  const double eta = htz_solver_penetration(s);
  s->force = mean;
  s->stored = htz_solver_law_stored(s, eta);
  s->touching = eta > 0.0;
}

void htz_am1_place(htz_solver* s, double x, double v) {
  am1* a = (am1*)s;
  s->x = x;
  s->v = v;
  a->correct.inside = false;
  a->law = htz_solver_law_force(s, htz_solver_penetration(s), v - htz_solver_surface_speed(s));
  report(a, 0.0);
}

void htz_am1_step(htz_solver* s, double f_ext) {
  am1* a = (am1*)s;
  const double h = s->period;
  const double fall = htz_solver_fall(s, f_ext);
  const trapezoid t = htz_trapezoid_predict(s, f_ext);
  const double eta = htz_solver_penetration(s);
  const double rate = s->v - htz_solver_surface_speed(s);
  const double known = t.s_free - 0.5 * t.compliance * a->law;
  const affine at = {eta + known, 2.0 * known / h - rate, 0.5 * t.compliance, t.compliance / h};
  const double law = solve(s, &at, a->law);
  const double mean = 0.5 * (a->law + law);
  const double x = s->x + h * (s->v + 0.5 * h * (fall - mean / s->system.mass));
  const double kept = htz_correct_compression(&a->correct, s, fall, x, false);
  htz_trapezoid_commit(s, f_ext, mean);
  a->law = law;
  if (kept < x) {
    s->x = kept;
    a->law = htz_solver_law_force(s, kept, s->v);
  }
  htz_correct_release(&a->correct, s, fall);
  report(a, mean);
}
