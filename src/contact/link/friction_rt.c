#include "hertzian/contact/friction.h"

#include <math.h>

/*
   Static curve: with w = 2 a v^2 the slope is sqrt(2a) exp((1 - w)/2) (1 - w): greatest at v = 0, least at w = 3. h(v) = v + G phi(v),
   G = gain Fb, has one root of h = free unless -G times the least slope is above 1; then it rises up to v1 (w in 1..3), falls to v2
   (w > 3) and rises again: v1 ends the branch that sticks, v2 the one that slips. Everything is odd, so free >= 0 is enough.
*/
static const double root_e = 1.6487212707001282;     // e^(1/2)
static const double least_slope = 0.735758882342885; // 2/e
static const double pi = 3.141592653589793;

enum {
  NEWTON_ALONE = 8,     // 3 steps are usual; from here on every second one halves the bracket,
  ITERATIONS_MAX = 200, // so that by now any bracket is down to rounding: 2^-53 takes 114
  MARCH_MAX = 80        // strides that grow by half: 1e14 times the first
};
static const double close_enough = 1e-14; // share of the largest speed in play
static const double no_slower = 1e-30;    // [m/s] below this nothing moves
static const double breakaway = 0.7;      // bristles hold up to this share of the dynamic deflection (Dupont et al., 2002)

static double phi(double a, double v, double* slope) {
  const double root = sqrt(2.0 * a);
  const double bell = root * root_e * exp(-a * v * v);
  *slope = bell * (1.0 - 2.0 * a * v * v);
  return bell * v;
}

/** h at v less `free`, its slope, and half of how that changes. */
typedef struct {
  double r, rise, half_bend;
} place;

static place look(double a, double g, double free, double v) {
  const double w = 2.0 * a * v * v;
  double slope;
  const double share = phi(a, v, &slope);
  // phi'' = 2a phi (w - 3)
  return (place){v + g * share - free, 1.0 + g * slope, g * a * share * (w - 3.0)};
}

/**
   Halley's step from v, where h rises; Newton's where the curve bends too much for it. Its error is about the step times the square of how
   much the curve bends over it: `enough` when that is below rounding.
*/
static double onwards(double a, const place* at, double v, bool* enough) {
  static const double little = 1e-6, too_much = 0.5;
  const double square = at->rise * at->rise, bends = at->r * at->half_bend, size = bends < 0.0 ? -bends : bends;
  const double by = at->r * at->rise / (size < too_much * square ? square - bends : square);
  *enough = 2.0 * a * by * by <= little * little && size <= little * square;
  return v - by;
}

/** Newton's step where it stays in the bracket; half of the bracket where it does not, or has had time enough. */
static double kept(double next, double lo, double hi, int i) {
  const bool halve = i >= NEWTON_ALONE && i % 2 == 0;
  return halve || !(next >= lo) || !(next <= hi) ? 0.5 * (lo + hi) : next;
}

/** Speed at which 1 + G phi' = 0, on the near side (w in 1..3) or the far side of the steepest fall. */
static double fold(double a, double g, bool far, htz_friction_state* state) {
  const double level = 1.0 / (g * sqrt(2.0 * a)); // (w - 1) exp((1 - w)/2) at the fold, < 2/e
  double lo = far ? 3.0 : 1.0;
  double hi = 3.0;
  if (far) {
    // (w - 1) exp((1 - w)/2) < level holds from 1 + 4 (1 + log(1/level)) on, for level < 2/e.
    hi = 1.0 + 4.0 * (1.0 - log(level));
  }
  double w = far ? 3.0 + 2.0 * (1.0 - level / least_slope) : 1.0 + level;
  for (int i = 0; i < ITERATIONS_MAX; ++i) {
    ++state->iterations;
    const double e = exp(0.5 * (1.0 - w));
    const double r = (w - 1.0) * e - level;
    if ((r < 0.0) != far) {
      lo = w;
    } else {
      hi = w;
    }
    const double slope = 0.5 * e * (3.0 - w);
    const double next = kept(w - r / slope, lo, hi, i);
    const double moved = next - w;
    w = next;
    // The fold only parts the branches; a root is found within its branch to full precision all the same.
    if (moved < 1e-12 * w && moved > -1e-12 * w) {
      break;
    }
  }
  return sqrt(w / (2.0 * a));
}

/** Root of h(v) = free where h rises from below to above within [lo, hi], by Halley's method kept in the bracket. */
static double root_between(double a, double g, double free, double lo, double hi, double v, htz_friction_state* state) {
  const double tolerance = close_enough * (free + g);
  for (int i = 0; i < ITERATIONS_MAX; ++i) {
    ++state->iterations;
    const place at = look(a, g, free, v);
    if (at.r < 0.0) {
      lo = v;
    } else {
      hi = v;
    }
    bool enough = false;
    const double wanted = at.rise > 0.0 ? onwards(a, &at, v, &enough) : lo;
    if (enough || (at.r <= tolerance && at.r >= -tolerance)) {
      return wanted >= lo && wanted <= hi ? wanted : v;
    }
    const double next = kept(wanted, lo, hi, i);
    const double moved = next - v;
    v = next;
    if (moved == 0.0 || hi - lo <= close_enough * hi) {
      return v;
    }
  }
  ++state->unconverged;
  return v;
}

/** Where the root lies on the branch that the last step was on, or, where that has ended, on the other; free > 0. */
static void branch(double a, double g, double free, bool slipped, double* lo, double* hi, htz_friction_state* state) {
  *lo = 0.0;
  *hi = free;
  if (!(g * sqrt(2.0 * a) * least_slope > 1.0)) {
    return; // one root
  }
  // phi is 1 where it is greatest, and up to there h rises: what sticks that far needs no fold.
  const double peak = 1.0 / sqrt(2.0 * a);
  if (!slipped && free <= peak + g) {
    *hi = peak < free ? peak : free;
    return;
  }
  double slope;
  const double edge = fold(a, g, slipped, state);
  const double ends = edge + g * phi(a, edge, &slope);
  // h is below `free` at v2, or at v1: only the far branch is left, or still there.
  if (slipped ? free >= ends : free > ends) {
    *lo = edge;
    return;
  }
  // Having slipped, what lies below v2 is left: the near branch, up to v1.
  const double near = slipped ? fold(a, g, false, state) : edge;
  *hi = near < free ? near : free;
}

/**
   The root on the branch that slips, from where it was: beyond the steepest fall the curve rises from the fold on, so that what Halley's
   method finds there, and finds rising, is it. @return false when it leaves that part: then the fold has to be known
*/
static bool slips_on(double a, double g, double free, double* v, htz_friction_state* state) {
  const double steepest = 3.0 / (2.0 * a); // v^2 where w = 3
  const double tolerance = close_enough * (free + g);
  double at = *v;
  for (int i = 0; i < NEWTON_ALONE && at * at > steepest; ++i) {
    ++state->iterations;
    const place here = look(a, g, free, at);
    bool enough = false;
    if (!(here.rise > 0.0)) {
      return false;
    }
    at = onwards(a, &here, at, &enough);
    if (enough || (here.r <= tolerance && here.r >= -tolerance)) {
      *v = at;
      return at * at > steepest;
    }
  }
  return false;
}

static double solve_static(const htz_friction* law, htz_friction_state* state, double free, double gain, double normal) {
  const double a = law->sharpness;
  const double g = gain * normal;
  const double sign = free < 0.0 ? -1.0 : 1.0;
  const double f = sign * free;
  const double before = sign * state->v;
  const double peak = 1.0 / sqrt(2.0 * a);
  double slope;
  if (!(g > 0.0) || !(f > no_slower)) {
    state->v = free;
    state->sticks = f <= peak;
    return normal * phi(a, free, &slope);
  }
  const bool slipped = !state->sticks && before > peak;
  double v = before;
  if (!slipped || !slips_on(a, g, f, &v, state)) {
    double lo, hi;
    branch(a, g, f, slipped, &lo, &hi, state);
    // First guess: where it was last, or the stiff limit of the branch.
    const double stiff = f / (1.0 + g * sqrt(2.0 * a) * root_e);
    double guess = before > lo && before < hi ? before : (lo > 0.0 ? f - g * phi(a, f, &slope) : stiff);
    guess = guess > lo && guess < hi ? guess : 0.5 * (lo + hi);
    v = root_between(a, g, f, lo, hi, guess, state);
  }
  const double share = phi(a, v, &slope);
  state->v = sign * v;
  state->sticks = v <= peak;
  // At a stiff root the curve has lost the digits that the difference of speeds still has.
  return sign * (g * slope > 1.0 || g * slope < -1.0 ? (f - v) / gain : normal * share);
}

/** Deflection at which the bristles slide steadily at speed v [m], > 0. */
static double steady(const htz_friction* law, double v, double normal) {
  const double x = v / law->stribeck;
  return normal * (law->mu_dynamic + (law->mu_static - law->mu_dynamic) * exp(-x * x)) / law->s0;
}

/** Share of the speed that goes into slipping, and its slope over m; m >= 0 along the motion. */
static double slips(double m, double hold, double slide, double* slope) {
  *slope = 0.0;
  if (m <= hold) {
    return 0.0;
  }
  if (m >= slide) {
    return 1.0;
  }
  const double x = pi * (m - 0.5 * (slide + hold)) / (slide - hold);
  *slope = 0.5 * pi * cos(x) / (slide - hold);
  return 0.5 * (1.0 + sin(x));
}

/**
   Mean deflection m over the step at speed v, counted along the motion: m + (d/2) |v| alpha(m) m/z_ss = z + (d/2) |v|; the left side
   rises with m. With m the mean of both ends, s0 m z' d is just what the bristles store.
*/
static double mean_deflection(const htz_friction* law, double z, double v, double normal, double d, double* alpha) {
  const double sign = v < 0.0 ? -1.0 : 1.0;
  const double way = 0.5 * d * sign * v;
  const double right = sign * z + way;
  const double slide = steady(law, v, normal);
  const double hold = breakaway * law->mu_dynamic * normal / law->s0;
  *alpha = 0.0;
  if (right <= hold || !(slide > 0.0)) {
    return sign * right;
  }
  *alpha = 1.0;
  const double sliding = right / (1.0 + way / slide);
  if (sliding >= slide) {
    return sign * sliding;
  }
  double lo = hold;
  double hi = right < slide ? right : slide;
  double m = sliding > lo && sliding < hi ? sliding : 0.5 * (lo + hi);
  for (int i = 0; i < ITERATIONS_MAX; ++i) {
    double slope;
    *alpha = slips(m, hold, slide, &slope);
    const double r = m + way * *alpha * m / slide - right;
    if (r < 0.0) {
      lo = m;
    } else {
      hi = m;
    }
    const double next = kept(m - r / (1.0 + way * (*alpha + slope * m) / slide), lo, hi, i);
    const double moved = next - m;
    m = next;
    if (hi - lo <= close_enough * hi || (moved <= close_enough * m && moved >= -close_enough * m)) {
      break;
    }
  }
  return sign * m;
}

static double bristle_force(const htz_friction* law, double z, double v, double normal, double d, double* m, double* alpha) {
  *m = mean_deflection(law, z, v, normal, d, alpha);
  return law->s0 * *m + law->s1 * 2.0 * (*m - z) / d + law->s2 * v;
}

/** Bristles bend as hard as they are pressed. */
static double deflection_now(const htz_friction_state* state, double normal) {
  return state->normal > 0.0 && normal < state->normal ? state->z * (normal / state->normal) : state->z;
}

/** From where it was, downhill to the first change of sign, then halving and secants (the Illinois rule). */
static double solve_bristles(const htz_friction* law, htz_friction_state* state, double free, double gain, double normal,
                             double d) {
  const double z = deflection_now(state, normal);
  double m, alpha;
  double v = state->v;
  double r = v - free + gain * bristle_force(law, z, v, normal, d, &m, &alpha);
  const double down = r > 0.0 ? -1.0 : 1.0;
  double other = v;
  double r_other = r;
  double stride = law->stribeck / 64.0; // fine against the falling part of the curve, as wide as the Stribeck speed
  int i = 0;
  for (; i < MARCH_MAX && r_other * down < 0.0; ++i) {
    v = other;
    r = r_other;
    other = v + down * stride;
    r_other = other - free + gain * bristle_force(law, z, other, normal, d, &m, &alpha);
    stride *= 1.5;
  }
  bool found = r == 0.0 || r_other == 0.0 || r_other * down > 0.0;
  double answer = r_other == 0.0 ? other : v;
  double weight = r;
  double weight_other = r_other;
  bool settled = r == 0.0 || r_other == 0.0 || !found;
  for (int side = 0, n = 0; !settled && n < ITERATIONS_MAX; ++n, ++i) {
    const bool halve = n % 4 == 3; // never slower than a few halvings
    const double x = halve ? 0.5 * (v + other) : (v * weight_other - other * weight) / (weight_other - weight);
    const double at = x - free + gain * bristle_force(law, z, x, normal, d, &m, &alpha);
    answer = x;
    if (at * r > 0.0) {
      v = x;
      r = weight = at;
      weight_other = side == 1 ? 0.5 * weight_other : r_other;
      side = 1;
    } else {
      other = x;
      r_other = weight_other = at;
      weight = side == 2 ? 0.5 * weight : r;
      side = 2;
    }
    const double width = other - v;
    const double scale = close_enough * ((x < 0.0 ? -x : x) + (free < 0.0 ? -free : free) + gain * normal);
    settled = at == 0.0 || (at <= scale && at >= -scale) || (width <= scale && width >= -scale);
    found = settled;
  }
  state->iterations += (uint64_t)i;
  state->unconverged += found ? 0 : 1;
  const double force = bristle_force(law, z, answer, normal, d, &m, &alpha);
  state->v = answer;
  state->z = 2.0 * m - z;
  state->normal = normal;
  state->sticks = alpha < 0.5;
  return force;
}

double htz_friction_solve(const htz_friction* law, htz_friction_state* state, double free, double gain, double normal,
                          double d) {
  if (!(normal > 0.0)) {
    *state = (htz_friction_state){.v = free,
                                  .sticks = false,
                                  .solves = state->solves,
                                  .iterations = state->iterations,
                                  .unconverged = state->unconverged};
    return 0.0;
  }
  ++state->solves;
  if (law->kind == HTZ_FRICTION_BRISTLES) {
    return solve_bristles(law, state, free, gain, normal, d);
  }
  state->normal = normal;
  return solve_static(law, state, free, gain, normal);
}

double htz_friction_stiffness(const htz_friction* law, double gain, double normal) {
  if (law->kind == HTZ_FRICTION_BRISTLES) {
    // Steepest fall of the steady curve, sqrt(2/e) (mu_s - mu_d)/v_s, set against that of the static one, 2/e for every sqrt(e) of rise.
    static const double steepest = 0.8577638849607068; // sqrt(2/e)
    return gain * normal * steepest * (law->mu_static - law->mu_dynamic) / law->stribeck * (root_e / least_slope);
  }
  return gain * normal * root_e * sqrt(2.0 * law->sharpness);
}
