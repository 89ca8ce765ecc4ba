#include "hertzian/contact/friction.h"

#include <math.h>
#include <stddef.h>

static bool positive(double x) {
  return x > 0.0 && isfinite(x);
}

static bool not_negative(double x) {
  return x >= 0.0 && isfinite(x);
}

bool htz_friction_valid(const htz_friction* law, const char** why) {
  *why = NULL;
  if (law->kind == HTZ_FRICTION_STATIC) {
    *why = positive(law->sharpness) ? NULL : "sharpness of a friction curve must be above 0";
  } else if (law->kind != HTZ_FRICTION_BRISTLES) {
    *why = "friction is static or bristles";
  } else if (!positive(law->mu_dynamic) || !positive(law->mu_static) || law->mu_static < law->mu_dynamic) {
    *why = "friction coefficients must be above 0, the static one at least the dynamic one";
  } else if (!positive(law->stribeck) || !positive(law->s0)) {
    *why = "Stribeck speed and bristle stiffness must be above 0";
  } else if (!not_negative(law->s1) || !not_negative(law->s2) ||
             !(law->s2 >= law->s1 * (law->mu_static / law->mu_dynamic - 1.0))) {
    *why = "viscous friction must be at least the damping of the bristles times (static/dynamic - 1)";
  }
  return *why == NULL;
}
