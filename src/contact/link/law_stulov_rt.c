#include "hertzian/contact/law_fade.h"

#include "hertzian/contact/law.h"
#include "hertzian/dsp/pow_rt.h"

/*
   Felt that relaxes (Stulov, "Hysteretic model of the grand piano hammer felt", J. Acoust. Soc. Am. 97):

     F = Q0 [u^p - (epsilon/tau0) int u^p(xi) exp((xi - t)/tau0) dxi] = Q0 (u^p - epsilon h),   tau0 h' = u^p - h,   F >= 0.

   Over a step of length d the elastic part is the discrete gradient Q(s), so that epsilon = 0 is Hunt and Crossley's law without
   viscosity to the last bit. The memory answers to u^p held at its mean Q/Q0, exactly: with r = d/tau0, e = exp(-r) and
   m = (1 - e)/r its mean is Q/Q0 + (h - Q/Q0) m, and

     F(s) = max(0, Q(s) [1 - epsilon (1 - m)] - epsilon m Q0 h),

   increasing in s and never negative, second-order accurate in d, right for d far above tau0.

   Account. With Phi = Q0 u^(p+1)/(p+1) and its conjugate Phi* = Q0 p/(p+1) h^((p+1)/p) the unclipped law has the energy
   psi(u, h) = (1 - epsilon) Phi + epsilon [Phi + Phi* - Q0 h u], both terms >= 0: F = d psi/du, and what is lost, epsilon Q0
   (u - h^(1/p)) h', is >= 0. Where the force is clipped the felt is left behind at u_f = (epsilon h)^(1/p) > u, and stores
   psi(u_f, h). So `stored` is psi(max(u, u_f), h) and whatever else was worked is lost; in a single step the loss may come out
   negative by the order of d^3, since the step is not derived from psi.
*/

enum { STIFFNESS = 0, EXPONENT, HYSTERESIS, RELAXATION };

static const htz_param_desc params[] = {
    {"stiffness", "N/m^a", 1.0, 1e18, 1e9, HTZ_SCALE_LOG, "of felt pressed at once, before it gives way"},
    {"exponent", "", 1.0, 6.0, 2.5, HTZ_SCALE_LINEAR, "2 to 5 for felt"},
    {"hysteresis", "", 0.0, 0.999, 0.5, HTZ_SCALE_LINEAR, "share of the force that relaxes: more takes more of the blow"},
    {"relaxation", "s", 1e-7, 1.0, 1e-4, HTZ_SCALE_LOG, "time the felt takes to give way"},
};

/** The elastic part, as a law of its own. */
static htz_law elastic_of(const htz_law* law) {
  return (htz_law){.cls = &htz_law_hunt_crossley, .p = {law->p[STIFFNESS], law->p[EXPONENT], 0.0}};
}

static htz_law_state stulov_at(const htz_law* law, double eta) {
  const htz_law elastic = elastic_of(law);
  return htz_law_hunt_crossley.at(&elastic, eta);
}

// From a series and its squares, for the libm call would cost as much as the law.
void htz_law_fade(double r, double* rest, double* mean) {
  enum { HALVINGS_MAX = 12, TERMS = 6 };
  static const double small = 0.03; // 0.03^7/8! = 5e-16
  static const double series[TERMS + 1] = {1.0, -1.0 / 2.0, 1.0 / 6.0, -1.0 / 24.0, 1.0 / 120.0, -1.0 / 720.0, 1.0 / 5040.0};
  int n = 0;
  while (r > small && n < HALVINGS_MAX) {
    r *= 0.5;
    ++n;
  }
  if (r > small) { // more than a hundred relaxation times: all is forgotten
    *rest = 0.0;
    *mean = 1.0 / (r * (1 << HALVINGS_MAX));
    return;
  }
  double sum = series[TERMS];
  for (int k = TERMS - 1; k >= 0; --k) {
    sum = sum * r + series[k];
  }
  // Doubling r: e <- e^2, m <- m (1 + e)/2.
  double e = 1.0 - r * sum;
  for (; n > 0; --n) {
    sum *= 0.5 * (1.0 + e);
    e *= e;
  }
  *rest = e;
  *mean = sum;
}

static htz_law_value stulov_over(const htz_law* law, const htz_law_state* from, double s, double d) {
  const htz_law elastic = elastic_of(law);
  htz_law_value v = htz_law_hunt_crossley.over(&elastic, from, s, d);
  double rest, mean;
  htz_law_fade(d / law->p[RELAXATION], &rest, &mean);
  const double share = 1.0 - law->p[HYSTERESIS] * (1.0 - mean);
  const double force = v.force * share - law->p[HYSTERESIS] * mean * law->p[STIFFNESS] * from->memory;
  v.force = force > 0.0 ? force : 0.0;
  v.slope = force > 0.0 ? v.slope * share : 0.0;
  return v;
}

/** Where it pressed, what u^p was held at follows from the force; else the elastic part is asked again. */
static double stulov_remember(const htz_law* law, const htz_law_state* from, double s, double d, double force) {
  const htz_law elastic = elastic_of(law);
  const double eps = law->p[HYSTERESIS];
  double rest, mean;
  htz_law_fade(d / law->p[RELAXATION], &rest, &mean);
  const double held = force > 0.0 ? (force / law->p[STIFFNESS] + eps * mean * from->memory) / (1.0 - eps * (1.0 - mean))
                                  : htz_law_hunt_crossley.over(&elastic, from, s, d).force / law->p[STIFFNESS];
  return held + (from->memory - held) * rest;
}

static double stulov_stored(const htz_law* law, double eta, double memory) {
  const double p = law->p[EXPONENT];
  const double eps = law->p[HYSTERESIS];
  const double q0 = law->p[STIFFNESS];
  const double left = eps * memory, here = htz_pow_rt(eta, p); // each to the power of p
  const double at = here > left ? here : left;
  const double u = here > left ? eta : htz_pow_rt(left, 1.0 / p);
  const double kept = p * htz_pow_rt(memory, 1.0 / p); // conjugate: memory * kept/(p + 1)
  return q0 * ((u * at + eps * memory * kept) / (p + 1.0) - eps * memory * u);
}

/** Felt that has given way by then is softer, and lasts longer, than when it is pressed at once. */
static double stulov_duration(const htz_law* law, double mass, double speed) {
  htz_law elastic = elastic_of(law);
  double rest, mean;
  htz_law_fade(htz_law_hunt_crossley.duration(&elastic, mass, speed) / law->p[RELAXATION], &rest, &mean);
  elastic.p[STIFFNESS] *= 1.0 - law->p[HYSTERESIS] * (1.0 - mean);
  return htz_law_hunt_crossley.duration(&elastic, mass, speed);
}

const htz_law_class htz_law_stulov = {
    "stulov",      params, sizeof params / sizeof params[0], true, stulov_at, stulov_over, stulov_duration, stulov_remember,
    stulov_stored, NULL};
