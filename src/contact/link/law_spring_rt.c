#include "hertzian/contact/law.h"

#include <math.h>

/*
   Two-sided springs, Phi(eta) = k1 eta^2/2 + k3 eta^4/4, with a linear damper: F = Q(s) + r s/d. The linear spring is the case
   k3 = 0 with its own, shorter parameter list.
*/

static const htz_param_desc spring_params[] = {
    {"stiffness", "N/m", 0.0, 1e12, 1e6, HTZ_SCALE_LINEAR, "spring between the two points"},
    {"damping", "N s/m", 0.0, 1e6, 0.0, HTZ_SCALE_LINEAR, "damper beside it"},
};

static const htz_param_desc cubic_params[] = {
    {"stiffness", "N/m", 0.0, 1e12, 1e6, HTZ_SCALE_LINEAR, "linear part of the spring"},
    {"cubic", "N/m^3", 0.0, 1e18, 0.0, HTZ_SCALE_LINEAR, "cubic part: stiffer the further it is stretched"},
    {"damping", "N s/m", 0.0, 1e6, 0.0, HTZ_SCALE_LINEAR, "damper beside it"},
};

static htz_law_state polynomial_at(double k1, double k3, double eta) {
  const double e2 = eta * eta;
  return (htz_law_state){eta, e2 * (0.5 * k1 + 0.25 * k3 * e2), eta * (k1 + k3 * e2), 0.0};
}

static htz_law_value polynomial_over(double k1, double k3, double r, const htz_law_state* from, double s, double d) {
  const double a = from->eta;
  const double b = a + s;
  const htz_law_state to = polynomial_at(k1, k3, b);
  const double ab = a + b;
  const double sq = a * a + b * b;
  const double rate = r / d;
  return (htz_law_value){0.5 * k1 * ab + 0.25 * k3 * ab * sq + rate * s, 0.5 * k1 + 0.25 * k3 * (sq + 2.0 * b * ab) + rate,
                         to.stored, to.force, k1 + 3.0 * k3 * b * b};
}

static htz_law_state spring_at(const htz_law* law, double eta) {
  return polynomial_at(law->p[0], 0.0, eta);
}

static htz_law_value spring_over(const htz_law* law, const htz_law_state* from, double s, double d) {
  return polynomial_over(law->p[0], 0.0, law->p[1], from, s, d);
}

static htz_law_state cubic_at(const htz_law* law, double eta) {
  return polynomial_at(law->p[0], law->p[1], eta);
}

static htz_law_value cubic_over(const htz_law* law, const htz_law_state* from, double s, double d) {
  return polynomial_over(law->p[0], law->p[1], law->p[2], from, s, d);
}

static void spring_polynomial(const htz_law* law, double coef[3]) {
  coef[0] = law->p[0];
  coef[1] = 0.0;
  coef[2] = law->p[1];
}

static void cubic_polynomial(const htz_law* law, double coef[3]) {
  coef[0] = law->p[0];
  coef[1] = law->p[1];
  coef[2] = law->p[2];
}

/** A two-sided spring is never left, so it asks for no finer steps. */
static double endless(const htz_law* law, double mass, double speed) {
  (void)law;
  (void)mass;
  (void)speed;
  return HUGE_VAL;
}

const htz_law_class htz_law_spring = {
    "spring", spring_params,    sizeof spring_params / sizeof spring_params[0], false, spring_at, spring_over, endless, NULL,
    NULL,     spring_polynomial};

const htz_law_class htz_law_cubic = {
    "cubic", cubic_params,    sizeof cubic_params / sizeof cubic_params[0], false, cubic_at, cubic_over, endless, NULL,
    NULL,    cubic_polynomial};
