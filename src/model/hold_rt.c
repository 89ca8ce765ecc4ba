#include "hold.h"

#include <math.h>

// Below this (omega + sigma) d the closed form of h loses digits to cancellation and its power series is shorter anyway.
static const double series_limit = 0.05;

// Terms of that series: the first one left out is below 0.05^9/11! of h, far under rounding.
enum { SERIES_TERMS = 10 };

// Above this w d the two decays of an overdamped mode are far enough apart to be told apart.
static const double near_critical = 0.1;

// Below this w d, sin(w d)/w is d to rounding after one correction term: (1e-3)^4/120 < 1e-14.
static const double sinc_limit = 1e-3;

/** h and h' by the power series h = sum c_k d^k, c_2 = 1/2, (k+2)(k+1) c_(k+2) = -2 sigma (k+1) c_(k+1) - omega^2 c_k. */
static void step_series(double omega, double sigma, double d, double* h, double* hp) {
  double term_low = 0.0;     // c_(k-1) d^(k-1)
  double term = 0.5 * d * d; // c_k d^k
  double sum = term;
  double slope = 2.0 * term; // sum of k c_k d^k, divided by d at the end
  for (int k = 2; k < SERIES_TERMS; ++k) {
    const double next = -(2.0 * sigma * d * k * term + omega * omega * d * d * term_low) / ((k + 1.0) * k);
    term_low = term;
    term = next;
    sum += term;
    slope += (k + 1.0) * term;
  }
  *h = sum;
  *hp = slope / d;
}

/** h and h' in closed form. */
static void step_closed(double omega, double sigma, double d, double* h, double* hp) {
  if (omega == 0.0) {
    *hp = -expm1(-2.0 * sigma * d) / (2.0 * sigma);
    *h = (d - *hp) / (2.0 * sigma);
    return;
  }
  const double w2 = omega * omega;
  if (sigma > omega) {
    const double w = sqrt((sigma - omega) * (sigma + omega));
    if (w * d > near_critical) {
      // Two real decays s1 < s2: h = (E1 - E2)/(s2 - s1) with E = (1 - e^(-s d))/s, which stays right when s1 -> 0.
      const double s2 = sigma + w;
      const double s1 = w2 / s2;
      const double e1 = expm1(-s1 * d);
      const double e2 = expm1(-s2 * d);
      *hp = (e1 - e2) / (2.0 * w);
      *h = (e2 / s2 - e1 / s1) / (2.0 * w);
      return;
    }
    const double em = expm1(-sigma * d);
    const double half = sinh(0.5 * w * d);
    const double cm = 2.0 * half * half; // cosh - 1
    *hp = (1.0 + em) * (w * d < sinc_limit ? d * (1.0 + w * w * d * d / 6.0) : sinh(w * d) / w);
    *h = -(em * (1.0 + cm) + cm + sigma * *hp) / w2;
    return;
  }
  const double w = sqrt(w2 - sigma * sigma);
  const double em = expm1(-sigma * d);
  const double half = sin(0.5 * w * d);
  const double cm = -2.0 * half * half; // cos - 1
  const double s = w * d < sinc_limit ? d * (1.0 - w * w * d * d / 6.0) : sin(w * d) / w;
  *hp = (1.0 + em) * s;
  *h = -(em * (1.0 + cm) + cm + sigma * *hp) / w2;
}

htz_hold_step htz_hold_coefficients(double omega, double sigma, double mass, double d) {
  double h = 0.0;
  double hp = 0.0;
  if ((omega + sigma) * d < series_limit) {
    step_series(omega, sigma, d, &h, &hp);
  } else {
    step_closed(omega, sigma, d, &h, &hp);
  }
  const double w2 = omega * omega;
  return (htz_hold_step){-w2 * h, hp, -w2 * hp, -2.0 * sigma * hp - w2 * h, h / mass, hp / mass};
}
