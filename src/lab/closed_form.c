#include "hertzian/lab/closed_form.h"

#include <math.h>

/*
   All in the logarithmic velocity l = ln(1 + mu v)/mu, which is v when mu = 0: then the creep out of a very lossy contact, where
   v hardly differs from -1/mu, keeps its digits, and the factor 1/(1 + mu v) of the time integral (9) goes away:

     h(l) = [e^(mu l) - 1 - mu l]/mu^2 = v^2/2 - ...      (g(mu v)/mu^2)
     K x^(alpha+1)/((alpha+1) m) = h(l_in) - h(l),        dt = -m dl/(K x^alpha)
*/

// Below this |z| the series of exponentials are taken; SERIES terms leave out less than 0.5^18/18! = 6e-22.
static const double series_limit = 0.5;
enum { SERIES = 18, NEWTON_MAX = 100 };

/** (e^z - 1 - z - ... - z^(order-1)/(order-1)!)/z^order = 1/order! + z/(order+1)! + ..., order 1 to 3. */
static double phi(int order, double z) {
  if (z > series_limit || z < -series_limit) {
    double value = expm1(z) / z;
    double first = 1.0; // 1/k!
    for (int k = 1; k < order; ++k) {
      first /= k;
      value = (value - first) / z;
    }
    return value;
  }
  double sum = 0.0;
  double first = 1.0;
  for (int k = order + SERIES; k > order; --k) {
    sum = (1.0 + sum) * z / k;
  }
  for (int k = 1; k <= order; ++k) {
    first /= k;
  }
  return first * (1.0 + sum);
}

static double log_velocity(double mu, double v) {
  static const double nothing = 1e-17; // below it mu v/2, the first that l lacks of v, is lost in rounding
  return fabs(mu * v) < nothing ? v : log1p(mu * v) / mu;
}

static double velocity_of(double mu, double l) {
  return l * phi(1, mu * l);
}

/** h(l) [m^2/s^2]; the energy that is left for the contact, per mass. */
static double height(double mu, double l) {
  return l * l * phi(2, mu * l);
}

/** l with h(l) = `target`, of the sign of `side`: h is convex, so Newton from outside the root stays outside. */
static double log_velocity_at(double mu, double target, double side) {
  if (!(target > 0.0)) {
    return 0.0;
  }
  const double t = mu * mu * target; // e^z - 1 - z = t
  double l;
  if (side > 0.0) {
    // e^z - 1 - z >= z^2/2, and >= e^(z/2) - 1.
    const double small = sqrt(2.0 * target);
    const double large = mu > 0.0 ? 2.0 * log1p(t) / mu : small;
    l = large > 0.0 && large < small ? large : small;
  } else {
    // With u = -z > 0: e^-u - 1 + u >= u - 1, and >= u^2/2 - u^3/6, that is u <= sqrt(2t)(1 + sqrt(2t)) for small t.
    const double root = sqrt(2.0 * target);
    l = t < 0.1 ? -root * (1.0 + mu * root) : -(t + 1.0) / mu;
  }
  for (int i = 0; i < NEWTON_MAX; ++i) {
    const double step = (height(mu, l) - target) / velocity_of(mu, l);
    l -= step;
    if (!(fabs(step) > 1e-15 * fabs(l))) {
      break;
    }
  }
  return l;
}

static double log_in(const htz_impact* p) {
  return log_velocity(p->viscosity, p->speed);
}

static double log_out(const htz_impact* p) {
  return p->viscosity * p->speed == 0.0 ? -p->speed : log_velocity_at(p->viscosity, height(p->viscosity, log_in(p)), -1.0);
}

/** K x^(alpha+1)/((alpha+1) m) [m^2/s^2]. */
static double elevation(const htz_impact* p, double x) {
  return p->stiffness / p->mass * pow(x, p->exponent + 1.0) / (p->exponent + 1.0);
}

static double compression_of(const htz_impact* p, double e) {
  return e > 0.0 ? pow(p->mass * (p->exponent + 1.0) / p->stiffness * e, 1.0 / (p->exponent + 1.0)) : 0.0;
}

/** Logarithmic velocity at compression x. */
static double log_at(const htz_impact* p, double x, bool back) {
  if (!(x > 0.0)) {
    return back ? log_out(p) : log_in(p);
  }
  return log_velocity_at(p->viscosity, height(p->viscosity, log_in(p)) - elevation(p, x), back ? -1.0 : 1.0);
}

/**
   Time from touch (or until release) while l lies between `from`, where x = 0, and `from` -+ reach. l = from -+ s^(alpha+1) takes
   the singularity of 1/x^alpha away.
*/
typedef struct {
  const htz_impact* p;
  double from;  ///< l_in or l_out [m/s]
  double v;     ///< velocity there [m/s]
  double sense; ///< which way l moves away from there
} half_motion;

/** h(from) - h(from + q), without the difference. */
static double descent(const half_motion* h, double q) {
  const double mu = h->p->viscosity;
  const double z = mu * q;
  if (z > 1.0) { // out of a lossy contact: e^z would overflow, and nothing cancels any more
    return (z - exp(mu * (h->from + q)) + exp(mu * h->from)) / (mu * mu);
  }
  return -h->v * q * phi(1, z) - q * q * phi(2, z);
}

static double slowness(const half_motion* h, double s) {
  const double a1 = h->p->exponent + 1.0;
  const double x = compression_of(h->p, descent(h, h->sense * pow(s, a1)));
  return h->p->mass * a1 / h->p->stiffness * pow(s / x, h->p->exponent);
}

/** Tanh-sinh quadrature over s in [0, reach^(1/(alpha+1))]. */
static double half_time(const half_motion* h, double reach) {
  static const double half_pi = 1.57079632679489661923;
  static const double step = 1.0 / 64.0;
  enum { HALF = 220 };
  if (!(reach > 0.0)) {
    return 0.0;
  }
  const double end = pow(reach, 1.0 / (h->p->exponent + 1.0));
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

static half_motion way_in(const htz_impact* p) {
  return (half_motion){p, log_in(p), p->speed, -1.0};
}

static half_motion way_out(const htz_impact* p) {
  const double l = log_out(p);
  return (half_motion){p, l, velocity_of(p->viscosity, l), 1.0};
}

double htz_impact_v_out(const htz_impact* p) {
  return velocity_of(p->viscosity, log_out(p));
}

double htz_impact_v_out_approximate(const htz_impact* p) {
  const double z = p->viscosity * p->speed;
  const double tail = 1.0 + z * (2.0 / 3 + z * (2.0 / 9 + z * 14.0 / 135)); // (sum_j b_j v^j - 1)/z
  const double decay = exp(-2.0 * z);
  // (7) over -z/mu: [1 - e^-2z]/z - tail e^-2z.
  return -p->speed * (2.0 * phi(1, -2.0 * z) - (z < 300.0 ? tail * decay : 0.0)); // e^-600 times any power of it is nothing
}

double htz_impact_restitution(double z) {
  const htz_impact p = {.mass = 1.0, .stiffness = 1.0, .exponent = 1.0, .viscosity = z, .speed = 1.0};
  return -htz_impact_v_out(&p);
}

double htz_impact_x_max(const htz_impact* p) {
  return compression_of(p, height(p->viscosity, log_in(p)));
}

double htz_impact_duration_elastic(const htz_impact* p) {
  static const double sqrt_pi = 1.77245385090551602730;
  const double q = 1.0 / (p->exponent + 1.0);
  const double x = compression_of(p, 0.5 * p->speed * p->speed);
  return 2.0 * x / p->speed * sqrt_pi * tgamma(1.0 + q) / tgamma(0.5 + q);
}

double htz_impact_duration(const htz_impact* p) {
  if (p->viscosity * p->speed == 0.0) {
    return htz_impact_duration_elastic(p);
  }
  const half_motion in = way_in(p);
  const half_motion out = way_out(p);
  return half_time(&in, in.from) + half_time(&out, -out.from);
}

htz_impact_result htz_impact_exact(const htz_impact* p) {
  return (htz_impact_result){htz_impact_v_out(p), htz_impact_x_max(p), htz_impact_duration(p)};
}

double htz_impact_compression(const htz_impact* p, double v) {
  const half_motion h = v < 0.0 ? way_out(p) : way_in(p);
  return compression_of(p, descent(&h, log_velocity(p->viscosity, v) - h.from));
}

double htz_impact_velocity(const htz_impact* p, double x, bool back) {
  return velocity_of(p->viscosity, log_at(p, x, back));
}

double htz_impact_force(const htz_impact* p, double x, bool back) {
  if (!(x > 0.0) || x > htz_impact_x_max(p)) {
    return 0.0;
  }
  return p->stiffness * pow(x, p->exponent) * exp(p->viscosity * log_at(p, x, back));
}

double htz_impact_force_max(const htz_impact* p) {
  const double a1 = p->exponent + 1.0;
  const double mu = p->viscosity;
  const double c = mu * a1 / p->exponent;
  const double top = height(mu, log_in(p));
  // v + c h(l) = c h(l_in): increasing and convex in l, so Newton from l_in descends to the root.
  double l = log_in(p);
  for (int i = 0; i < NEWTON_MAX; ++i) {
    const double v = velocity_of(mu, l);
    const double step = (v + c * (height(mu, l) - top)) / (1.0 + mu * v + c * v);
    l -= step;
    if (!(fabs(step) > 1e-15 * fabs(l))) {
      break;
    }
  }
  return p->stiffness * pow(compression_of(p, top - height(mu, l)), p->exponent) * exp(mu * l);
}

double htz_impact_time(const htz_impact* p, double x, bool back) {
  const double l = log_at(p, x, back);
  if (!back) {
    const half_motion in = way_in(p);
    return half_time(&in, in.from - l);
  }
  const half_motion out = way_out(p);
  return htz_impact_duration(p) - half_time(&out, l - out.from);
}

/**
   One way, `n` steps from x = 0 to the crest, uniform in s: out[k * stride] for k = 0 .. n, with times from there by Simpson's
   rule.
*/
static void one_way(const half_motion* h, size_t n, htz_impact_moment* out, ptrdiff_t stride) {
  static const double beginning = 1e-5; // of the way, where the slowness has the limit it has at 0
  const double a1 = h->p->exponent + 1.0;
  const double end = pow(fabs(h->from), 1.0 / a1);
  const double ds = end / (double)n;
  double time = 0.0;
  double before = slowness(h, beginning * end);
  for (size_t k = 0; k <= n; ++k) {
    const double s = ds * (double)k;
    if (k > 0) {
      const double now = slowness(h, s);
      time += ds / 6.0 * (before + 4.0 * slowness(h, s - 0.5 * ds) + now);
      before = now;
    }
    const double q = k < n ? h->sense * pow(s, a1) : -h->from;
    const double x = compression_of(h->p, descent(h, q));
    const double l = h->from + q;
    out[(ptrdiff_t)k * stride] = (htz_impact_moment){time, x, velocity_of(h->p->viscosity, l),
                                                     h->p->stiffness * pow(x, h->p->exponent) * exp(h->p->viscosity * l)};
  }
}

void htz_impact_motion(const htz_impact* p, size_t n, htz_impact_moment* out) {
  const half_motion in = way_in(p);
  const half_motion back = way_out(p);
  const size_t crest = (n - 1) / 2;
  one_way(&back, n - 1 - crest, out + n - 1, -1);
  const double second = out[crest].time;
  one_way(&in, crest, out, 1);
  for (size_t k = crest + 1; k < n; ++k) {
    out[k].time = out[crest].time + (second - out[k].time);
  }
}

/** Energy lost per mass between the velocity 0 and l: v^2/2 - h(l), its leading z^3/3 kept, z = mu l. */
static double loss_height(double mu, double l) {
  const double z = mu * l;
  const double second = phi(2, z);
  return l * l * z * (second - phi(3, z) + 0.5 * z * second * second);
}

htz_impact_energy htz_impact_energies(const htz_impact* p, double x, bool back) {
  const double mu = p->viscosity;
  const double l = log_at(p, x, back);
  const double v = velocity_of(mu, l);
  return (htz_impact_energy){x > 0.0 ? p->mass * elevation(p, x) : 0.0, 0.5 * p->mass * v * v,
                             p->mass * (loss_height(mu, log_in(p)) - loss_height(mu, l))};
}
