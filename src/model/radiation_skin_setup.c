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

/** The kernel around one circle, against the cosines of its orders: around[m] = Int e^{-ik(R - R0)}/(2 pi R) cos(m psi) d psi. */
typedef struct {
  size_t angles;
  unsigned orders;
  double far;
  weight* around;
} circle;

static void go_around(const htz_ear* ear, double k, double r, circle* c) {
  const double off = hypot(ear->x, ear->y);
  for (unsigned m = 0; m < c->orders; ++m) {
    c->around[m] = (weight){0.0, 0.0};
  }
  for (size_t i = 0; i < c->angles; ++i) {
    // Half the circle, from the middle of one step to the next: the other half is the same.
    const double psi = pi * ((double)i + 0.5) / (double)c->angles;
    const double distance = sqrt(r * r + off * off - 2.0 * r * off * cos(psi) + ear->z * ear->z);
    const double size = 1.0 / ((double)c->angles * distance);
    const double phase = -k * (distance - c->far);
    const weight here = {size * cos(phase), size * sin(phase)};
    double cosine = 1.0, sine = 0.0; // of m psi
    const double step[2] = {cos(psi), sin(psi)};
    for (unsigned m = 0; m < c->orders; ++m) {
      c->around[m].re += cosine * here.re;
      c->around[m].im += cosine * here.im;
      const double next = cosine * step[0] - sine * step[1];
      sine = sine * step[0] + cosine * step[1];
      cosine = next;
    }
  }
}

weight htz_radiation_vessel(double ka, bool behind) {
  const double all = behind ? 0.0 : 1.0, below = 1.0 + ka * ka;
  return (weight){(0.5 + all * ka * ka) / below, (all - 0.5) * ka / below};
}

static void add_circle(const htz_modes* modes, band b, const htz_ear* ear, double r, double share, const circle* c,
                       weight* out) {
  const double toward = atan2(ear->y, ear->x);
  for (size_t i = 0; i < b.count; ++i) {
    const skin_mode mode = mode_of(modes, b.first + i);
    const double turned = mode.second ? sin(mode.diameters * toward) : cos(mode.diameters * toward);
    const double size = share * turned * radial(modes, b.first + i, &mode, r);
    out[i].re += size * c->around[mode.diameters].re;
    out[i].im += size * c->around[mode.diameters].im;
  }
}

htz_status htz_radiation_skin(const htz_modes* modes, const htz_ear* ear, band b, weight* out) {
  static const double decay = 24.0; // e-folds of the rule around, for a kernel that is so peaked towards a near ear
  const double a = 0.5 * modes->radiator.length, k = b.omega / HTZ_AIR_SPEED, near = htz_ear_distance(modes, ear);
  double zero = 0.0;
  circle c = {.far = HTZ_AIR_SPEED * htz_ear_delay(ear)};
  for (size_t i = 0; i < b.count; ++i) {
    const skin_mode mode = mode_of(modes, b.first + i);
    zero = fmax(zero, mode.zero);
    c.orders = mode.diameters + 1 > c.orders ? mode.diameters + 1 : c.orders;
  }
  const double angles = c.orders + k * a + decay * fmax(1.0, a / near);
  c.angles = (size_t)fmin(angles, (double)ANGLES_MAX);
  c.around = calloc(c.orders, sizeof *c.around);
  side_rule* rule = malloc(sizeof *rule);
  if (!c.around || !rule) {
    free(c.around);
    free(rule);
    return HTZ_NO_MEMORY;
  }
  htz_radiation_rule(htz_radiation_nodes(a, b.omega, zero / pi), 2.0 * near / a, rule);
  for (size_t i = 0; i < rule->n; ++i) {
    go_around(ear, k, rule->at[i] * a, &c);
    add_circle(modes, b, ear, rule->at[i], rule->weight[i] * a * a * rule->at[i], &c, out);
  }
  const double side = ear->z < 0.0 ? -1.0 : 1.0; // behind a disc it pulls where it pushes in front
  for (size_t i = 0; i < b.count; ++i) {
    const skin_mode mode = mode_of(modes, b.first + i);
    const weight round = is_disc(modes) ? htz_radiation_unbaffled(&modes->radiator, ear, k, carried(a, &mode))
                                        : htz_radiation_vessel(k * a, ear->z < 0.0);
    const double sign = is_disc(modes) ? side : 1.0;
    out[i] = weight_times(out[i], (weight){sign * round.re, sign * round.im});
  }
  free(c.around);
  free(rule);
  return HTZ_OK;
}
