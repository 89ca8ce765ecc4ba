#include "hertzian/contact/law.h"

#include "law_power.h"

#include <math.h>

/*
   A core in a winding: Phi(eta) = K/(alpha+1) [eta]+^(alpha+1) + Kc/(alphac+1) [eta - depth]+^(alphac+1), each part the gradient of its own
   power, and Hunt and Crossley's loss on their sum.
*/

enum { STIFFNESS = 0, EXPONENT, VISCOSITY, CORE, CORE_EXPONENT, DEPTH };

static const htz_param_desc params[] = {
    {"stiffness", "N/m^a", 1.0, 1e14, 1e7, HTZ_SCALE_LOG, "how hard the winding is"},
    {"exponent", "", 1.0, 4.0, 1.5, HTZ_SCALE_LINEAR, "1.5 for two smooth solids, 2 to 3.5 for felt"},
    {"viscosity", "s/m", 0.0, 100.0, 0.1, HTZ_SCALE_LINEAR, "loss of the contact: higher rebounds less"},
    {"core", "N/m^a", 1.0, 1e14, 1e9, HTZ_SCALE_LOG, "how hard the core is"},
    {"core_exponent", "", 1.0, 4.0, 1.5, HTZ_SCALE_LINEAR, "of the core: 1.5 for a ball"},
    {"depth", "m", 0.0, 0.1, 0.0005, HTZ_SCALE_LINEAR, "how far the winding is pressed in before the core is met"},
};

static double past(const htz_law* law, double eta) {
  return eta - law->p[DEPTH];
}

static htz_law_state wound_at(const htz_law* law, double eta) {
  const htz_law_state outer = htz_law_power_at(law->p[STIFFNESS], law->p[EXPONENT], eta);
  const htz_law_state inner = htz_law_power_at(law->p[CORE], law->p[CORE_EXPONENT], past(law, eta));
  return (htz_law_state){eta, outer.stored + inner.stored, outer.force + inner.force, 0.0};
}

static htz_law_value wound_over(const htz_law* law, const htz_law_state* from, double s, double d) {
  const htz_law_state outer = htz_law_power_at(law->p[STIFFNESS], law->p[EXPONENT], from->eta);
  const htz_law_state inner = htz_law_power_at(law->p[CORE], law->p[CORE_EXPONENT], past(law, from->eta));
  htz_law_value out = htz_law_power_gradient(law->p[STIFFNESS], law->p[EXPONENT], &outer, s);
  const htz_law_value core = htz_law_power_gradient(law->p[CORE], law->p[CORE_EXPONENT], &inner, s);
  out.force += core.force;
  out.slope += core.slope;
  out.stored += core.stored;
  out.elastic += core.elastic;
  out.stiffness += core.stiffness;
  return htz_law_power_loss(out, law->p[VISCOSITY], s, d);
}

/** The shorter of the winding's own and, where a mass so fast gets that far, of the core's at the speed that it is left with. */
static double wound_duration(const htz_law* law, double mass, double speed) {
  const double outer = htz_law_power_duration(law->p[STIFFNESS], law->p[EXPONENT], mass, speed);
  const double spent = htz_law_power_at(law->p[STIFFNESS], law->p[EXPONENT], law->p[DEPTH]).stored;
  const double left = speed * speed - 2.0 * spent / mass;
  if (!(left > 0.0)) {
    return outer;
  }
  const double inner = htz_law_power_duration(law->p[CORE], law->p[CORE_EXPONENT], mass, sqrt(left));
  return inner < outer ? inner : outer;
}

const htz_law_class htz_law_wound = {.name = "wound",
                                     .params = params,
                                     .n_params = sizeof params / sizeof params[0],
                                     .one_sided = true,
                                     .at = wound_at,
                                     .over = wound_over,
                                     .duration = wound_duration};
