#include "modes_private.h"

#include <math.h>

static const double pi = 3.14159265358979323846;

static bool positive(double x) {
  return x > 0.0 && isfinite(x);
}
static bool zero_or_more(double x) {
  return x >= 0.0 && isfinite(x);
}

/** Fill in the mass per length. @return false when it does not follow from the description. */
static bool resolve_density(htz_string_desc* s) {
  if (!zero_or_more(s->lin_density) || !zero_or_more(s->core_diameter))
    return false;
  if (s->lin_density > 0.0)
    return true;
  if (!positive(s->core_diameter) || !positive(s->core_density))
    return false;
  s->lin_density = s->core_density * 0.25 * pi * s->core_diameter * s->core_diameter;
  return positive(s->lin_density);
}

/**
   Fill in tension and inharmonicity.

   mu u_tt = T u_xx - E I u_xxxx with simply supported ends gives omega_n^2 = (T/mu) k^2 (1 + (E I/T) k^2), k = n pi/L, so
   B = (E I/T) (pi/L)^2 with I = pi d^4/64 for a round core. As a force, T B does not depend on T: it is what the stiffness adds
   to the tension for partial 1.
*/
static bool resolve_tension(htz_string_desc* s) {
  const bool given = s->inharmonicity >= 0.0;
  double added = 0.0; // E I (pi/L)^2 [N]
  if (!given && s->core_diameter > 0.0) {
    if (!positive(s->young))
      return false;
    const double d2 = s->core_diameter * s->core_diameter;
    added = s->young * pi * d2 * d2 / 64.0 * (pi / s->length) * (pi / s->length);
  }
  const bool tuned = s->tension == 0.0;
  if (tuned) {
    if (!positive(s->tuning_hz))
      return false;
    const double speed = 2.0 * s->length * s->tuning_hz;  // of partial 1 [m/s]
    const double needed = s->lin_density * speed * speed; // tension and stiffness together [N]
    s->tension = given ? needed / (1.0 + s->inharmonicity) : needed - added;
  }
  if (!positive(s->tension))
    return false;
  if (!given)
    s->inharmonicity = added / s->tension;
  if (!zero_or_more(s->inharmonicity))
    return false;
  if (!tuned)
    s->tuning_hz = sqrt(s->tension * (1.0 + s->inharmonicity) / s->lin_density) / (2.0 * s->length);
  return positive(s->tuning_hz);
}

htz_status htz_string_resolve(const htz_string_desc* desc, htz_string_desc* out) {
  htz_string_desc s = *desc;
  if (!positive(s.length) || !zero_or_more(s.tension) || !zero_or_more(s.stretch) || isnan(s.inharmonicity) ||
      !htz_loss_valid(&s.loss))
    return HTZ_BAD_VALUE;
  if (!resolve_density(&s) || !resolve_tension(&s))
    return HTZ_BAD_VALUE;
  *out = s;
  return HTZ_OK;
}

/** Frequency over f0 of partial n. */
static double partial_ratio(double b, double n) {
  return n * sqrt(1.0 + b * n * n);
}

/** Squared partial number (not a whole one) at `ratio` = f/f0: the inverse of partial_ratio, free of cancellation. */
static double squared_number(double b, double ratio) {
  const double r2 = ratio * ratio;
  return 2.0 * r2 / (1.0 + sqrt(1.0 + 4.0 * b * r2));
}

static htz_loss_law string_loss(const htz_string_desc* s, double f0) {
  if (!htz_loss_is_times(&s->loss))
    return htz_loss_law_coefficients(&s->loss);
  const double k1 = pi / s->length;
  const double y[2] = {k1 * k1 * squared_number(s->inharmonicity, s->loss.t60_hz[0] / f0),
                       k1 * k1 * squared_number(s->inharmonicity, s->loss.t60_hz[1] / f0)};
  return htz_loss_law_times(&s->loss, y);
}

htz_status htz_modes_string(const htz_string_desc* desc, double limit_hz, size_t max_modes, htz_arena* arena, htz_modes* out) {
  htz_string_desc s;
  if (htz_string_resolve(desc, &s) || !positive(limit_hz) || max_modes == 0)
    return HTZ_BAD_VALUE;
  const double b = s.inharmonicity;
  const double f0 = s.tuning_hz / partial_ratio(b, 1.0);
  const size_t cap = max_modes < HTZ_MODES_MAX ? max_modes : HTZ_MODES_MAX;
  size_t n = 1;
  while (n < cap && f0 * partial_ratio(b, (double)(n + 1)) <= limit_hz)
    ++n;

  const htz_status st = htz_modes_lay(n, 0, arena, out, NULL);
  if (st)
    return st;
  const htz_loss_law law = string_loss(&s, f0);
  const double mass = 0.5 * s.lin_density * s.length; // mean of sin^2 is 1/2
  double* end_force = htz_arena_alloc(arena, n, sizeof *end_force);
  double* bend = s.stretch > 0.0 ? htz_arena_alloc(arena, n, sizeof *bend) : NULL;
  if (!end_force || (s.stretch > 0.0 && !bend)) {
    return HTZ_NO_MEMORY;
  }
  for (size_t k = 0; k < n; ++k) {
    const double number = (double)(k + 1);
    const double wave_number = number * pi / s.length;
    out->omega[k] = 2.0 * pi * f0 * partial_ratio(b, number);
    out->sigma[k] = htz_loss_at(&law, wave_number * wave_number);
    out->mass[k] = mass;
    // -T_n phi_n'(L), T_n the tension with what stiffness adds to it: T (1 + B n^2).
    end_force[k] = -s.tension * (1.0 + b * number * number) * wave_number * (k % 2 ? 1.0 : -1.0);
    if (bend) {
      bend[k] = 0.5 * s.length * wave_number * wave_number; // mean of cos^2 is 1/2
    }
  }
  out->end_force = end_force;
  out->stretch = s.stretch / s.length;
  out->bend = bend;
  out->shape = htz_shape_string;
  return HTZ_OK;
}
