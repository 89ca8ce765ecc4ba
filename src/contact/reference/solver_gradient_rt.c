#include "solver_gradient.h"

#include "solver_trapezoid.h"

#include <math.h>

/*
   Two-point:    s = eta+ - eta over a step h,          F = [V(eta+) - V(eta)]/s,          the linear part by the midpoint rule.
   Three-point:  s = eta+ - eta- over two steps,        F = [V(eta+) - V(eta-)]/s,         m (x+ - 2x + x-) = h^2 (m fall - F).

   Both are elastic in the paper. Viscosity, when there is any, is the factor 1 + mu s/d on the quotient, d what s was gone over in.
*/

// The last move of Newton, relative to the way: it leaves its square over the depth, which may be a millionth of the way.
static const double last_move = 1e-12;
enum { NEWTON_MAX = 80 }; // with bisection as its floor: 60 halvings exhaust a double

static const double least_steps = 2.0; // per contact: below it the correction of stiffness means nothing

static gradient* gradient_of(htz_solver* solver) {
  return (gradient*)solver;
}

/**
   s - s_free + C F(s) = 0, increasing in s. Newton from s_free, inside a bracket.

   @return the force [N]
*/
static double solve(gradient* g, const htz_law_state* from, double s_free, double compliance, double d) {
  const htz_law_class* law = g->law.cls;
  if (!(from->eta > 0.0) && !(from->eta + s_free > 0.0)) {
    return 0.0;
  }
  double s = s_free;
  double high = s_free;
  htz_law_value at = law->over(&g->law, from, s, d);
  double low = s_free - compliance * at.force;
  bool found = false;
  unsigned n = 0;
  for (; n < NEWTON_MAX && !found; ++n) {
    const double f = s - s_free + compliance * at.force;
    low = f < 0.0 ? s : low;
    high = f > 0.0 ? s : high;
    double move = -f / (1.0 + compliance * at.slope);
    found = fabs(move) <= last_move * (fabs(s) + fabs(s_free));
    if (!found && !(s + move >= low && s + move <= high)) {
      move = 0.5 * (low + high) - s;
      found = move == 0.0;
    }
    s += move;
    at = law->over(&g->law, from, s, d);
  }
  htz_solver_counted(&g->base, n, found);
  // At a stiff root the law's value has lost its digits; what the displacement says has not.
  const double by_way = (s_free - s) / compliance;
  return compliance * at.slope > 1.0 ? (by_way > 0.0 ? by_way : 0.0) : at.force;
}

double htz_stiffness_by_steps(const htz_solver* s, double speed) {
  const htz_solver_system* y = &s->system;
  if (!(speed > 0.0)) {
    return y->stiffness; // pressed on, not thrown
  }
  const htz_law law = {&htz_law_hunt_crossley, {y->stiffness, y->exponent, y->viscosity}};
  const double steps = law.cls->duration(&law, y->mass, speed) / s->period;
  const double lateness = 0.46 + 0.365 * y->exponent; // times 1/N^2, whatever the entry phase
  return steps >= least_steps ? y->stiffness * pow(1.0 + lateness / (steps * steps), y->exponent + 1.0) : 0.0;
}

/** Called where the contact is about to close. */
static void set_stiffness(gradient* g, double fall) {
  const double stiffness = htz_stiffness_by_steps(&g->base, htz_speed_at_wall(&g->base, fall));
  g->base.refused += stiffness > 0.0 ? 0 : 1;
  g->law.p[0] = stiffness > 0.0 ? stiffness : g->base.system.stiffness;
}

static void report(gradient* g, double force, double stored) {
  g->base.force = force;
  g->base.stored = stored;
  g->base.touching = htz_solver_penetration(&g->base) > 0.0;
}

void htz_gradient_place(htz_solver* s, double x, double v) {
  gradient* g = gradient_of(s);
  s->x = x;
  s->v = v;
  g->placed = true;
  g->potential = g->law.cls->at(&g->law, htz_solver_penetration(s)).stored;
  report(g, 0.0, g->potential);
}

void htz_gradient_strike_with(htz_solver* s, double mass, double stiffness, double exponent, double viscosity) {
  htz_solver_strike_with(s, mass, stiffness, exponent, viscosity);
  gradient_of(s)->law = (htz_law){&htz_law_hunt_crossley, {stiffness, exponent, viscosity}};
}

void htz_two_point_step(htz_solver* s, double f_ext) {
  gradient* g = gradient_of(s);
  const trapezoid t = htz_trapezoid_predict(s, f_ext);
  const double eta = htz_solver_penetration(s);
  if (g->by_steps && !(eta > 0.0) && eta + t.s_free > 0.0) {
    set_stiffness(g, htz_solver_fall(s, f_ext));
  }
  const htz_law_state from = g->law.cls->at(&g->law, eta);
  const double force = solve(g, &from, t.s_free, t.compliance, s->period);
  htz_trapezoid_commit(s, f_ext, force);
  report(g, force, g->law.cls->at(&g->law, htz_solver_penetration(s)).stored);
}

void htz_three_point_step(htz_solver* s, double f_ext) {
  gradient* g = gradient_of(s);
  const double h = s->period;
  const double compliance = h * h / s->system.mass;
  const double fall = htz_solver_fall(s, f_ext);
  if (g->placed) {
    g->way = h * (s->v - 0.5 * h * fall);
    g->placed = false;
  }
  const double x = s->x;
  const double way_free = g->way + h * h * fall;
  const htz_law_state from = g->law.cls->at(&g->law, x - g->way);
  const double force = solve(g, &from, g->way + way_free, compliance, 2.0 * h);
  g->way = way_free - compliance * force;
  s->x = x + g->way;
  // Exact in free flight; with the mean of both potentials for what is stored it makes the scheme's own invariant.
  s->v = g->way / h + 0.5 * h * fall;
  const double potential = g->law.cls->at(&g->law, s->x).stored;
  report(g, force, 0.5 * (g->potential + potential));
  g->potential = potential;
  s->touching = s->x > 0.0 || x > 0.0; // the quotient of the next step still reaches back to x
}
