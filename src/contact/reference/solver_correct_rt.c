#include "solver_correct.h"

#include <math.h>

// Below this the difference z - ln(1 + z) is taken as its series, of which SERIES terms leave out less than 0.02^8/10 = 3e-15.
static const double series_limit = 0.02;
enum { SERIES = 8 };

/** (z - ln(1 + z))/z^2. */
static double loss_shape(double z) {
  if (z > series_limit) {
    return (z - log1p(z)) / (z * z);
  }
  double sum = 0.0;
  for (int j = SERIES - 1; j >= 0; --j) {
    sum = 1.0 / (j + 2) - z * sum;
  }
  return sum;
}

/** Eq. 4. */
static double greatest_compression(const htz_solver_system* y, double v) {
  const double a1 = y->exponent + 1.0;
  return pow(y->mass * a1 / y->stiffness * v * v * loss_shape(y->viscosity * v), 1.0 / a1);
}

/** Eqs. 7 and 8, n = 4: -v [1 - (1 + z + 2z^2/3 + 2z^3/9 + 14z^4/135) e^-2z]/z with z = mu v. */
static double rebound(const htz_solver_system* y, double v) {
  const double z = y->viscosity * v;
  const double tail = 1.0 + z * (2.0 / 3.0 + z * (2.0 / 9.0 + z * (14.0 / 135.0)));
  return -v * ((z > 0.0 ? -expm1(-2.0 * z) / z : 2.0) - tail * exp(-2.0 * z));
}

static void begin(correction* c, const htz_solver* s, double fall) {
  const double v = htz_speed_at_wall(s, fall);
  const htz_solver_system* y = &s->system;
  const double pressed = fall > 0.0 ? pow((y->exponent + 1.0) * y->mass * fall / y->stiffness, 1.0 / y->exponent) : 0.0;
  c->inside = true;
  c->x_max = greatest_compression(y, v);
  c->x_max = c->x_max > pressed ? c->x_max : pressed;
  c->v_out = rebound(y, v);
}

double htz_correct_compression(correction* c, const htz_solver* s, double fall, double x, bool met) {
  if (!c->wanted) {
    return x;
  }
  if (!(s->x > 0.0) && (x > 0.0 || met)) {
    begin(c, s, fall);
  }
  return c->inside && x > c->x_max ? c->x_max : x;
}

void htz_correct_release(correction* c, htz_solver* s, double fall) {
  if (!c->inside || s->x > 0.0) {
    return;
  }
  c->inside = false;
  const double squared = c->v_out * c->v_out + 2.0 * fall * s->x;
  if (squared >= 0.0) {
    s->v = -sqrt(squared);
  } else { // it does not get as far as the scheme put it
    s->x = -0.5 * c->v_out * c->v_out / fall;
    s->v = 0.0;
  }
}
