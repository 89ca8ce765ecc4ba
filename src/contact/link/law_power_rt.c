#include "law_power.h"

#include "hertzian/dsp/pow_rt.h"

#include <math.h>

/*
   Phi(eta) = K/(alpha+1) [eta]+^(alpha+1), F = Q(s) max(0, 1 + mu s/d) (Hunt and Crossley's loss on the discrete gradient Q).
*/

enum { STIFFNESS = 0, EXPONENT, VISCOSITY };

static const htz_param_desc params[] = {
    {"stiffness", "N/m^a", 1.0, 1e14, 1e7, HTZ_SCALE_LOG, "how hard the contact is: harder is shorter and brighter"},
    {"exponent", "", 1.0, 4.0, 1.5, HTZ_SCALE_LINEAR, "1.5 for two smooth solids, 2 to 3.5 for felt"},
    {"viscosity", "s/m", 0.0, 100.0, 0.1, HTZ_SCALE_LINEAR, "loss of the contact: higher rebounds less"},
};

// Below this |s/eta| the difference of two powers loses too many digits of the force and the binomial series is taken; with
// binomial coefficients below 0.02 from the sixth on, its DIFFERENCE_TERMS terms leave out less than 0.02 0.03^8 = 1e-14.
static const double series_limit = 0.03;
enum { DIFFERENCE_TERMS = 8 };

// 1/(j+1)
static const double inverse[DIFFERENCE_TERMS] = {1.0,       1.0 / 2.0, 1.0 / 3.0, 1.0 / 4.0,
                                                 1.0 / 5.0, 1.0 / 6.0, 1.0 / 7.0, 1.0 / 8.0};

// Both are inlined where a contact's own law is taken: that is done some ten times a step along a string.
static inline htz_law_state state_at(double stiffness, double exponent, double eta) {
  if (!(eta > 0.0)) {
    return (htz_law_state){eta, 0.0, 0.0, 0.0};
  }
  const double force = stiffness * htz_pow_rt(eta, exponent);
  return (htz_law_state){eta, force * eta / (exponent + 1.0), force, 0.0};
}

/** Q and dQ/ds for small r = s/eta: Q = f(eta) sum_j binom(alpha+1, j+1) r^j/(alpha+1). */
static void gradient_series(const htz_law_state* from, double alpha, double r, double* q, double* slope) {
  double term = 1.0; // coefficient times r^(j-1), turned into r^j below
  double sum = 1.0;
  double dsum = 0.0;
  for (int j = 1; j < DIFFERENCE_TERMS; ++j) {
    const double coefficient = term * (alpha + 1.0 - j) * inverse[j];
    dsum += j * coefficient;
    term = coefficient * r;
    sum += term;
  }
  *q = from->force * sum;
  *slope = from->force / from->eta * dsum;
}

static inline htz_law_value gradient(double stiffness, double exponent, const htz_law_state* from, double s) {
  const double end = from->eta + s;
  const htz_law_state to = state_at(stiffness, exponent, end);
  htz_law_value out = {0.0, 0.0, to.stored, to.force, end > 0.0 ? exponent * to.force / end : 0.0};
  if (!(from->eta > 0.0) && !(end > 0.0)) {
    return out;
  }
  if (from->eta > 0.0 && s < series_limit * from->eta && s > -series_limit * from->eta) {
    gradient_series(from, exponent, s / from->eta, &out.force, &out.slope);
  } else {
    out.force = (to.stored - from->stored) / s;
    out.slope = (to.force - out.force) / s;
  }
  return out;
}

static inline htz_law_value loss_of(htz_law_value elastic, double viscosity, double s, double d) {
  const double rate = viscosity / d, q = elastic.force, slope = elastic.slope;
  const double loss = 1.0 + rate * s;
  elastic.force = loss > 0.0 ? q * loss : 0.0;
  elastic.slope = loss > 0.0 ? slope * loss + q * rate : 0.0;
  return elastic;
}

htz_law_state htz_law_power_at(double stiffness, double exponent, double eta) {
  return state_at(stiffness, exponent, eta);
}

htz_law_value htz_law_power_gradient(double stiffness, double exponent, const htz_law_state* from, double s) {
  return gradient(stiffness, exponent, from, s);
}

htz_law_value htz_law_power_loss(htz_law_value elastic, double viscosity, double s, double d) {
  return loss_of(elastic, viscosity, s, d);
}

double htz_law_power_duration(double stiffness, double exponent, double mass, double speed) {
  static const double sqrt_pi = 1.77245385090551602730;
  const double p = 1.0 / (exponent + 1.0);
  const double x = pow(0.5 * mass * speed * speed / (p * stiffness), p);
  return 2.0 * x / speed * sqrt_pi * tgamma(1.0 + p) / tgamma(0.5 + p);
}

static htz_law_state power_at(const htz_law* law, double eta) {
  return state_at(law->p[STIFFNESS], law->p[EXPONENT], eta);
}

static htz_law_value power_over(const htz_law* law, const htz_law_state* from, double s, double d) {
  return loss_of(gradient(law->p[STIFFNESS], law->p[EXPONENT], from, s), law->p[VISCOSITY], s, d);
}

/** Viscosity only lengthens it. */
static double power_duration(const htz_law* law, double mass, double speed) {
  return htz_law_power_duration(law->p[STIFFNESS], law->p[EXPONENT], mass, speed);
}

const htz_law_class htz_law_hunt_crossley = {
    "hunt-crossley", params, sizeof params / sizeof params[0], true, power_at, power_over, power_duration, NULL, NULL, NULL};
