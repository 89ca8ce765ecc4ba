#include "hertzian/lab/closed_form.h"

#include <math.h>

// Below this |z| the difference z - ln(1+z) loses digits and its series is used: terms z^2/2 ... z^SERIES_MAX.
static const double series_limit = 0.05;
enum { SERIES_MAX = 16, NEWTON_MAX = 100 };

/** g(z) = z - ln(1 + z) over z^2/2, so that z -> 0 is no special case: 1 - 2z/3 + 2z^2/4 - ... */
static double log_defect(double z) {
  if (z > series_limit || z < -series_limit) {
    return 2.0 * (z - log1p(z)) / (z * z);
  }
  double sum = 0.0;
  double sign = 1.0;
  double zk = 1.0;
  for (int k = 2; k <= SERIES_MAX; ++k) {
    sum += sign * 2.0 * zk / k;
    zk *= z;
    sign = -sign;
  }
  return sum;
}

/** v_out: g(mu v_out) = g(mu v_in). With 1 + mu v_out = e^-u this is u + e^-u - 1 = g(mu v_in), convex and increasing in u. */
static double rebound(const htz_impact* p) {
  const double z = p->viscosity * p->speed;
  if (z == 0.0) {
    return -p->speed;
  }
  const double target = 0.5 * z * z * log_defect(z);
  double u = z < 1.0 ? z : target + 1.0; // both at or above the root
  for (int i = 0; i < NEWTON_MAX; ++i) {
    // u + expm1(-u) = u^2/2 (1 - u/3 + ...): the same defect, written for exp.
    const double f =
        u < series_limit ? u * u * (0.5 - u * (1.0 / 6 - u * (1.0 / 24 - u * (1.0 / 120 - u / 720)))) : u + expm1(-u);
    const double step = (f - target) / -expm1(-u);
    u -= step;
    if (fabs(step) <= 1e-15 * u) {
      break;
    }
  }
  return expm1(-u) / p->viscosity;
}

/**
   Time spent between velocity `from` (where x = 0) and 0. v = from -+ s^(alpha+1) takes the singularity of 1/x^alpha away;
   the defect of a velocity difference y is g(a) - g(b) = y' - ln(1 + y'/(1 + b)) with y' = a - b.
*/
typedef struct {
  const htz_impact* p;
  double from; ///< v_in or v_out [m/s]
} half_motion;

static double slowness(const half_motion* h, double s) {
  const htz_impact* p = h->p;
  const double a1 = p->exponent + 1.0;
  const double gap = pow(s, a1);
  const double sign = h->from > 0.0 ? 1.0 : -1.0;
  const double v = h->from - sign * gap;
  const double mu = p->viscosity;
  const double scale = 1.0 + mu * v;
  const double y = sign * mu * gap / scale; // (a - b)/(1 + b)
  // [g(a) - g(b)]/mu^2 = [ (a-b) - ln(1+y) ]/mu^2, a - b = y (1 + b): y b + (y - ln(1+y))
  const double excess = sign * gap * v / scale + 0.5 * gap * gap / (scale * scale) * log_defect(y);
  const double x = pow(p->mass * a1 / p->stiffness * excess, 1.0 / a1);
  return p->mass * a1 / (p->stiffness * scale) * pow(s / x, p->exponent);
}

/** Tanh-sinh quadrature over s in [0, |from|^(1/(alpha+1))]. */
static double half_time(const half_motion* h) {
  static const double half_pi = 1.57079632679489661923;
  static const double step = 1.0 / 64.0;
  enum { HALF = 220 };
  const double end = pow(fabs(h->from), 1.0 / (h->p->exponent + 1.0));
  double sum = 0.0;
  for (int i = -HALF; i <= HALF; ++i) {
    const double t = i * step;
    const double u = half_pi * sinh(t);
    const double w = half_pi * cosh(t) / (cosh(u) * cosh(u));
    const double s = end / (1.0 + exp(-2.0 * u)); // end (1 + tanh u)/2 without cancellation at 0
    if (s > 0.0 && s < end && w > 0.0) {
      sum += w * slowness(h, s);
    }
  }
  return 0.5 * end * step * sum;
}

htz_impact_result htz_impact_exact(const htz_impact* p) {
  const double a1 = p->exponent + 1.0;
  const double z = p->viscosity * p->speed;
  htz_impact_result r;
  r.v_out = rebound(p);
  r.x_max = pow(0.5 * p->mass * a1 / p->stiffness * p->speed * p->speed * log_defect(z), 1.0 / a1);
  r.duration = half_time(&(half_motion){p, p->speed}) + half_time(&(half_motion){p, r.v_out});
  return r;
}
