#include "radiation_private.h"

#include "hertzian/dsp/bessel.h"
#include "hertzian/model/disc.h"
#include "modes_private.h"

#include <math.h>
#include <stdlib.h>

static const double pi = 3.14159265358979323846;

enum { ANGLES_MAX = 4096 };

/** A mode's numbers, as htz_shape_membrane_xy() or htz_shape_disc_xy() has them. */
typedef struct {
  unsigned diameters;
  double zero; // wave number times radius
  double scale;
  bool second;
} skin_mode;

static bool is_disc(const htz_modes* modes) {
  return modes->radiator.as == HTZ_RADIATES_DISC;
}

static skin_mode mode_of(const htz_modes* modes, size_t k) {
  if (is_disc(modes)) {
    skin_mode mode = {.scale = 1.0};
    // A rigid motion is not heard; what is asked of it must only be there.
    if (k >= HTZ_DISC_RIGID_MODES) {
      mode.diameters = htz_disc_order(modes, k, &mode.second);
      mode.zero = htz_disc_number(modes, k);
    }
    return mode;
  }
  const double* d = modes->data + k * HTZ_MEMBRANE_DATA;
  return (skin_mode){(unsigned)d[0], d[1], d[2], d[3] > 0.0};
}

static double radial(const htz_modes* modes, size_t k, const skin_mode* mode, double r) {
  if (is_disc(modes)) {
    return k >= HTZ_DISC_RIGID_MODES ? htz_disc_radial_at(modes, k, r) : 0.0;
  }
  return mode->scale * htz_bessel_j(mode->diameters, mode->zero * r);
}

/** Length of the air that a disc's mode carries to and fro: of a rigid one 4/(3 pi) of its radius, less where it cancels [m]. */
static double carried(double radius, const skin_mode* mode) {
  static const double even = 0.9, odd = 0.5; // as of plates: modes that push as much as they pull, and those of order 0
  const double half_waves = 2.0 * mode->zero / pi;
  const double share = half_waves > 1.0 ? pow(half_waves, mode->diameters ? -even : -odd) : 1.0;
  return 4.0 / (3.0 * pi) * radius * share;
}

/** A mode as an ear hears it: with the share of its nodal diameters in the ear's direction. */
typedef struct {
  skin_mode mode;
  double turned;
} heard_mode;

/**
   The kernel around one circle, against the cosines of its orders: around[m] = Int e^{-ik(R - R0)}/(2 pi R) cos(m psi) d psi, for the
   orders that the band has. Half the circle, from the middle of one step to the next: the other half is the same.
*/
typedef struct {
  size_t angles;
  unsigned orders; // one more than the highest
  double far;
  bool* wanted;   // [orders]
  double* cosine; // [orders][angles] cos(m psi)
  double* turn;   // [angles] cos psi
  weight* kernel; // [angles]
  weight* around; // [orders]
} circle;

static void free_circle(circle* c) {
  free(c->wanted);
  free(c->cosine);
  free(c->kernel);
  free(c->around);
}

static bool lay_circle(const heard_mode* modes, size_t count, circle* c) {
  c->wanted = calloc(c->orders, sizeof *c->wanted);
  c->cosine = malloc((c->orders + 1) * c->angles * sizeof *c->cosine);
  c->kernel = malloc(c->angles * sizeof *c->kernel);
  c->around = calloc(c->orders, sizeof *c->around);
  if (!c->wanted || !c->cosine || !c->kernel || !c->around) {
    return false;
  }
  c->turn = c->cosine + c->orders * c->angles;
  for (size_t i = 0; i < count; ++i) {
    c->wanted[modes[i].mode.diameters] = true;
  }
  for (size_t i = 0; i < c->angles; ++i) {
    c->turn[i] = cos(pi * ((double)i + 0.5) / (double)c->angles);
  }
  for (unsigned m = 0; m < c->orders; ++m) {
    for (size_t i = 0; c->wanted[m] && i < c->angles; ++i) {
      c->cosine[m * c->angles + i] = cos(m * pi * ((double)i + 0.5) / (double)c->angles);
    }
  }
  return true;
}

static void go_around(const htz_ear* ear, double k, double r, circle* c) {
  const double off = hypot(ear->x, ear->y);
  for (size_t i = 0; i < c->angles; ++i) {
    const double distance = sqrt(r * r + off * off - 2.0 * r * off * c->turn[i] + ear->z * ear->z);
    const double size = 1.0 / ((double)c->angles * distance);
    const double phase = -k * (distance - c->far);
    c->kernel[i] = (weight){size * cos(phase), size * sin(phase)};
  }
  for (unsigned m = 0; m < c->orders; ++m) {
    weight sum = {0.0, 0.0};
    for (size_t i = 0; c->wanted[m] && i < c->angles; ++i) {
      sum.re += c->cosine[m * c->angles + i] * c->kernel[i].re;
      sum.im += c->cosine[m * c->angles + i] * c->kernel[i].im;
    }
    c->around[m] = sum;
  }
}

weight htz_radiation_vessel(double ka, bool behind) {
  const double all = behind ? 0.0 : 1.0, below = 1.0 + ka * ka;
  return (weight){(0.5 + all * ka * ka) / below, (all - 0.5) * ka / below};
}

static bool same_radius(const skin_mode* a, const skin_mode* b) {
  return a->diameters == b->diameters && a->zero == b->zero;
}

static void add_circle(const htz_modes* modes, band b, const heard_mode* heard, double r, double share, const circle* c,
                       weight* out) {
  double along = 0.0;
  for (size_t i = 0; i < b.count; ++i) {
    const skin_mode* mode = &heard[i].mode;
    if (i == 0 || !same_radius(mode, &heard[i - 1].mode)) { // a pair shares its radial part
      along = radial(modes, b.first + i, mode, r);
    }
    const double size = share * heard[i].turned * along;
    out[i].re += size * c->around[mode->diameters].re;
    out[i].im += size * c->around[mode->diameters].im;
  }
}

/** Behind a disc it pulls where it pushes in front; a skin's vessel hides one side of it. */
static void beyond_baffle(const htz_modes* modes, const htz_ear* ear, double k, const skin_mode* mode, weight* out) {
  const double a = 0.5 * modes->radiator.length;
  const double sign = is_disc(modes) && ear->z < 0.0 ? -1.0 : 1.0;
  const weight round = is_disc(modes) ? htz_radiation_unbaffled(&modes->radiator, ear, k, carried(a, mode))
                                      : htz_radiation_vessel(k * a, ear->z < 0.0);
  *out = weight_times(*out, (weight){sign * round.re, sign * round.im});
}

static htz_status hear_circles(const htz_modes* modes, const htz_ear* ear, band b, const heard_mode* heard, weight* out) {
  static const double decay = 24.0; // e-folds of the rule around, for a kernel that is so peaked towards a near ear
  const double a = 0.5 * modes->radiator.length, k = b.omega / HTZ_AIR_SPEED, near = htz_ear_distance(modes, ear);
  double zero = 0.0;
  circle c = {.far = HTZ_AIR_SPEED * htz_ear_delay(ear)};
  for (size_t i = 0; i < b.count; ++i) {
    zero = fmax(zero, heard[i].mode.zero);
    c.orders = heard[i].mode.diameters + 1 > c.orders ? heard[i].mode.diameters + 1 : c.orders;
  }
  const double angles = c.orders + k * a + decay * fmax(1.0, a / near);
  c.angles = (size_t)fmin(angles, (double)ANGLES_MAX);
  side_rule* rule = malloc(sizeof *rule);
  const bool laid = rule && lay_circle(heard, b.count, &c);
  if (laid) {
    htz_radiation_rule(htz_radiation_nodes(a, b.omega, zero / pi), 2.0 * near / a, rule);
    for (size_t i = 0; i < rule->n; ++i) {
      go_around(ear, k, rule->at[i] * a, &c);
      add_circle(modes, b, heard, rule->at[i], rule->weight[i] * a * a * rule->at[i], &c, out);
    }
    for (size_t i = 0; i < b.count; ++i) {
      beyond_baffle(modes, ear, k, &heard[i].mode, &out[i]);
    }
  }
  free_circle(&c);
  free(rule);
  return laid ? HTZ_OK : HTZ_NO_MEMORY;
}

htz_status htz_radiation_skin(const htz_modes* modes, const htz_ear* ear, band b, weight* out) {
  const double toward = atan2(ear->y, ear->x);
  heard_mode* heard = malloc(b.count * sizeof *heard);
  if (!heard) {
    return HTZ_NO_MEMORY;
  }
  for (size_t i = 0; i < b.count; ++i) {
    const skin_mode mode = mode_of(modes, b.first + i);
    heard[i] = (heard_mode){mode, mode.second ? sin(mode.diameters * toward) : cos(mode.diameters * toward)};
  }
  const htz_status st = hear_circles(modes, ear, b, heard, out);
  free(heard);
  return st;
}
