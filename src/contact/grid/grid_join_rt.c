/*
   One contact in one step: the discrete gradient of the potential by Newton's method, as Willemsen, Collisions: Non-linearities
   without the use of iterative solvers (2019), (32)-(39); quadratised and without iteration, his (10)-(18).
*/

#include "grid_network_private.h"

#include "hertzian/dsp/pow_rt.h"

#include <math.h>

// Within this share of eta- the difference of potentials has lost digits and a series has them all: so many terms for |r| so small that
// what is left out is below 1e-15.
static const double series_reach = 0.1;
static const double series_near = 0.003;
static const double series_middle = 0.03;
enum { SERIES_NEAR = 6, SERIES_MIDDLE = 10 };

static const double rounding = 2.3e-16; // one unit in the last place
// Of eta+, on whose scale the law bends: what a short step of Newton's leaves is its square over eta+, times c F'/(1 + c F').
static const double near = 1e-4;
static const double nearly = 1e-8;
enum {
  LONE_MAX = 100,  ///< a bracket that is halved every second time is at rounding by then
  NEWTON_ALONE = 8 ///< from here on every second step halves
};

// [m] less than any displacement that means something: the release has no speed to divide by.
static const double no_way = 1e-18;

const char* htz_grid_law_fault(htz_grid_method method, const htz_grid_law* law) {
  if (!(law->stiffness >= 0.0) || !isfinite(law->stiffness)) {
    return "stiffness: a number from 0 on";
  }
  if (!(law->exponent >= 1.0) || !isfinite(law->exponent)) {
    return "exponent: a number from 1 on";
  }
  if (!(law->viscosity >= 0.0) || !isfinite(law->viscosity)) {
    return "viscosity: a number from 0 on";
  }
  if (!(law->hysteresis >= 0.0) || !(law->hysteresis < 1.0)) {
    return "hysteresis: a number from 0 on, below 1";
  }
  if (law->hysteresis > 0.0 && (!(law->relaxation > 0.0) || !isfinite(law->relaxation))) {
    return "relaxation: a number above 0";
  }
  if (law->hysteresis > 0.0 && (law->viscosity > 0.0 || method != HTZ_GRID_NEWTON)) {
    return "hysteresis: goes with the method newton, and without viscosity";
  }
  return law->viscosity > 0.0 && method != HTZ_GRID_NEWTON ? "viscosity: only the method newton has one" : NULL;
}

void htz_grid_law_derive(grid_law* law) {
  law->scale = law->stiffness / (law->exponent + 1.0);
  law->root = sqrt(0.5 * law->stiffness * (law->exponent + 1.0));
  law->series[0] = 1.0;
  for (int k = 1; k < GRID_SERIES; ++k) {
    law->series[k] = law->series[k - 1] * (law->exponent + 1.0 - k) / (k + 1.0);
    law->rise[k - 1] = k * law->series[k];
  }
  law->rise[GRID_SERIES - 1] = 0.0;
  const double times = law->hysteresis > 0.0 ? 2.0 * law->period / law->relaxation : 0.0;
  law->fade = exp(-times);
  law->mean = times > 0.0 ? -expm1(-times) / times : 1.0;
}

static bool two_sided(const grid_law* law) {
  return law->force == HTZ_GRID_CONNECTION;
}

/** |phi'(eta)|, phi with it. */
static double steepness(const grid_law* law, double eta, double* phi) {
  const double x = two_sided(law) ? fabs(eta) : eta;
  if (!(x > 0.0)) {
    *phi = 0.0;
    return 0.0;
  }
  const double power = htz_pow_rt(x, law->exponent);
  *phi = law->scale * power * x;
  return law->stiffness * power;
}

/** psi(eta): of a connection PLAIN has the root without sign, the others an odd psi that has no jump at 0. */
static double root_potential(const grid_law* law, double eta) {
  double phi;
  (void)steepness(law, eta, &phi);
  const double psi = sqrt(2.0 * phi);
  return two_sided(law) && law->method != HTZ_GRID_PLAIN && eta < 0.0 ? -psi : psi;
}

/** d psi/d eta. */
static double root_slope(const grid_law* law, double eta) {
  const double x = two_sided(law) ? fabs(eta) : eta;
  if (!(x > 0.0)) {
    return 0.0;
  }
  const double g = law->root * htz_pow_rt(x, 0.5 * (law->exponent - 1.0));
  return two_sided(law) && law->method == HTZ_GRID_PLAIN && eta < 0.0 ? -g : g;
}

/** g of a quadratised contact. All three treatments conserve psi^2/2 whatever g is. */
static double choose_slope(const grid_law* law, const grid_memory* m, double s0, double c) {
  if (two_sided(law) || law->method == HTZ_GRID_PLAIN) {
    return root_slope(law, m->eta);
  }
  if (m->eta > 0.0) {
    const double g = root_slope(law, m->eta);
    return m->psi < 0.0 ? -g : g;
  }
  if (law->method == HTZ_GRID_CASES) {
    return fabs(s0) > no_way ? -2.0 * m->psi / s0 : 0.0;
  }
  if (s0 > -no_way) {
    return 0.0;
  }
  // Root of psi+ = 0, written without the difference of near equals.
  return 4.0 * m->psi / (sqrt(s0 * s0 + 4.0 * c * m->psi * m->psi) - s0);
}

void htz_grid_trial_begin(const grid_law* law, const grid_memory* m, double s0, double c, grid_trial* t) {
  t->law = law;
  t->before = m->before;
  t->phi_before = m->phi_before;
  t->felt_before = m->felt_before;
  t->g = 0.0;
  t->linear = true;
  if (law->force == HTZ_GRID_SPRING) {
    const double square = m->eta * m->eta;
    t->constant = 0.5 * law->stiffness * (m->eta + m->before) + law->cubic * square * m->before;
    t->slope = 0.25 * law->stiffness + 0.5 * law->cubic * square + 0.5 * law->damping / law->period;
  } else if (law->method == HTZ_GRID_NEWTON) {
    t->linear = false;
    t->steep_before = m->steep_before;
    t->inverse = m->steep_before > 0.0 ? 1.0 / m->before : 0.0;
  } else {
    t->g = choose_slope(law, m, s0, c);
    t->constant = t->g * m->psi;
    t->slope = 0.25 * t->g * t->g;
  }
}

/** A sum of `terms` powers of r, in two halves that do not wait for each other; `terms` is even. */
static inline double powers(const double* c, int terms, double r) {
  const double r2 = r * r;
  double even = c[terms - 2];
  double odd = c[terms - 1];
  for (int k = terms - 4; k >= 0; k -= 2) {
    even = even * r2 + c[k];
    odd = odd * r2 + c[k + 1];
  }
  return even + r * odd;
}

/** The series and its slope, |r| small. */
static inline double series(const grid_law* law, double r, double* slope) {
  if (fabs(r) < series_near) {
    *slope = powers(law->rise, SERIES_NEAR, r);
    return powers(law->series, SERIES_NEAR, r);
  }
  if (fabs(r) < series_middle) {
    *slope = powers(law->rise, SERIES_MIDDLE, r);
    return powers(law->series, SERIES_MIDDLE, r);
  }
  *slope = powers(law->rise, GRID_SERIES, r);
  return powers(law->series, GRID_SERIES, r);
}

/** [phi(eta- + s) - phi(eta-)]/s */
static inline double elastic(const grid_trial* t, double s, double* slope) {
  const grid_law* law = t->law;
  const double before = t->before;
  const double room = two_sided(law) ? fabs(before) : before;
  if (fabs(s) < series_reach * room) {
    double rise;
    const double w = series(law, s * t->inverse, &rise);
    *slope = t->steep_before * fabs(t->inverse) * rise;
    return before < 0.0 ? -t->steep_before * w : t->steep_before * w;
  }
  const double after = before + s;
  double phi;
  const double steep = steepness(law, after, &phi);
  if (s == 0.0 || (phi == 0.0 && t->phi_before == 0.0)) {
    *slope = 0.0;
    return 0.0;
  }
  const double q = (phi - t->phi_before) / s;
  const double rise = ((after < 0.0 ? -steep : steep) - q) / s;
  *slope = rise > 0.0 ? rise : 0.0;
  return q;
}

/** 1 + mu eta', clamped: a contact that opens fast gives no force, and never pulls. */
static double viscous(const grid_law* law, double s) {
  const double v = 1.0 + 0.5 * law->viscosity * s / law->period;
  return v > 0.0 ? v : 0.0;
}

static inline double force_at(const grid_trial* t, double s, double* slope) {
  if (t->linear) {
    *slope = t->slope;
    return t->constant + t->slope * s;
  }
  const double q = elastic(t, s, slope);
  const grid_law* law = t->law;
  if (law->viscosity > 0.0 && !two_sided(law)) {
    const double v = viscous(law, s);
    *slope = v > 0.0 ? *slope * v + 0.5 * q * law->viscosity / law->period : 0.0;
    return q * v;
  }
  if (law->hysteresis > 0.0) {
    const double share = 1.0 - law->hysteresis * (1.0 - law->mean);
    const double force = share * q - law->hysteresis * law->mean * law->stiffness * t->felt_before;
    *slope = force > 0.0 ? *slope * share : 0.0;
    return force > 0.0 ? force : 0.0;
  }
  return q;
}

/** Potential of felt at displacement eta that remembers h (law_stulov_rt.c). */
static double felt_potential(const grid_law* law, double eta, double h) {
  const double p = law->exponent, eps = law->hysteresis;
  const double left = htz_pow_rt(eps * h, 1.0 / p), u = eta > left ? eta : left;
  const double at = u > 0.0 ? htz_pow_rt(u, p) : 0.0;
  const double kept = h > 0.0 ? p * htz_pow_rt(h, 1.0 / p) : 0.0;
  return law->stiffness * ((u * at + eps * h * kept) / (p + 1.0) - eps * h * u);
}

/** What felt remembers after the step, and what the step lost: all work that the potential did not take. */
static double felt_end(const grid_trial* t, grid_memory* m, double s, double force) {
  const grid_law* law = t->law;
  double slope;
  const double held = law->stiffness > 0.0 ? elastic(t, s, &slope) / law->stiffness : 0.0;
  const double first = felt_potential(law, t->before, m->felt_before);
  const double remembered = held + (m->felt_before - held) * law->fade;
  m->felt_before = m->felt;
  m->felt = remembered > 0.0 ? remembered : 0.0;
  return 0.5 * (force * s - felt_potential(law, t->before + s, m->felt) + first);
}

double htz_grid_trial_force(const grid_trial* t, double s, double* slope) {
  return force_at(t, s, slope);
}

double htz_grid_stored(const grid_law* law, const grid_memory* m) {
  if (law->force == HTZ_GRID_SPRING) {
    const double mean = 0.5 * (m->eta + m->before);
    const double product = m->eta * m->before;
    return 0.5 * law->stiffness * mean * mean + 0.25 * law->cubic * product * product;
  }
  if (law->hysteresis > 0.0) {
    return 0.5 * (felt_potential(law, m->eta, m->felt) + felt_potential(law, m->before, m->felt_before));
  }
  return law->method == HTZ_GRID_NEWTON ? 0.5 * (m->phi + m->phi_before) : 0.5 * m->psi * m->psi;
}

grid_ledger htz_grid_trial_end(const grid_trial* t, grid_memory* m, double s, double force) {
  const grid_law* law = t->law;
  grid_ledger ledger = {0.0, 0.0};
  if (law->force == HTZ_GRID_SPRING) {
    ledger.dissipated = 0.25 * law->damping * s * s / law->period;
  } else if (law->method != HTZ_GRID_NEWTON) {
    m->psi += 0.5 * t->g * s;
  } else if (law->hysteresis > 0.0) {
    ledger.dissipated = felt_end(t, m, s, force);
  } else if (law->viscosity > 0.0 && !two_sided(law)) {
    // (F - q) s/2, F = q v; of a clamped force q is not in F.
    const double v = viscous(law, s);
    double slope;
    ledger.dissipated = v > 0.0 ? 0.5 * force * s * (v - 1.0) / v : -0.5 * elastic(t, s, &slope) * s;
  }
  m->before = m->eta;
  m->eta = t->before + s;
  m->force = force;
  if (law->method == HTZ_GRID_NEWTON && law->force != HTZ_GRID_SPRING) {
    m->phi_before = m->phi;
    m->steep_before = m->steep;
    m->steep = steepness(law, m->eta, &m->phi);
  }
  ledger.stored = htz_grid_stored(law, m);
  return ledger;
}

void htz_grid_memory_read(const grid_law* law, grid_memory* m, double eta, double before) {
  m->eta = eta;
  m->before = before;
  m->phi = m->phi_before = m->steep = m->steep_before = m->psi = 0.0;
  if (law->force == HTZ_GRID_SPRING) {
    return;
  }
  if (law->method == HTZ_GRID_NEWTON) {
    m->steep = steepness(law, eta, &m->phi);
    m->steep_before = steepness(law, before, &m->phi_before);
  } else {
    m->psi = 0.5 * (root_potential(law, eta) + root_potential(law, before));
  }
}

double htz_grid_solve_lone(const grid_trial* t, double s0, double c, double guess, double* s, htz_grid_counters* count) {
  double slope;
  if (t->linear) {
    const double force = (t->constant + t->slope * s0) / (1.0 + c * t->slope);
    *s = s0 - c * force;
    return force;
  }
  // r(x) = x - s0 + c F(x) rises at least as fast as x, so a root lies between x and x - r(x).
  double x = s0 - c * guess;
  double lo = -HUGE_VAL;
  double hi = HUGE_VAL;
  bool converged = false;
  double force = 0.0;
  uint64_t i = 0;
  slope = 0.0;
  while (i < LONE_MAX && !converged) {
    ++i;
    force = force_at(t, x, &slope);
    const double r = x - s0 + c * force;
    if (r > 0.0) {
      hi = x;
      lo = x - r > lo ? x - r : lo;
    } else {
      lo = x;
      hi = x - r < hi ? x - r : hi;
    }
    const double way = -r / (1.0 + c * slope);
    const double scale = fabs(t->before) + fabs(x) + fabs(s0) * rounding;
    if (fabs(way) <= GRID_CLOSE_ENOUGH * scale || hi - lo <= GRID_CLOSE_ENOUGH * scale || r == 0.0) {
      converged = true;
      break;
    }
    const double after = fabs(t->before + x);
    const double bend = nearly * after;
    if (fabs(way) <= near * after && way * way * c * slope <= bend * bend * (1.0 + c * slope)) {
      x += way;
      force += slope * way;
      converged = true;
      break;
    }
    double next = x + way;
    if (!(next >= lo) || !(next <= hi) || (i > NEWTON_ALONE && i % 2 == 0)) {
      next = 0.5 * (lo + hi);
    }
    x = next;
  }
  grid_counted(count, i, converged || hi - lo <= GRID_CLOSE_AT_LAST * (fabs(t->before) + fabs(x)));
  *s = x;
  // At a stiff root the law's value has lost the digits that the displacement still has.
  const double stiff = c * slope > 1.0 ? (s0 - x) / c : force;
  return t->law->force == HTZ_GRID_COLLISION && stiff < 0.0 ? 0.0 : stiff;
}
