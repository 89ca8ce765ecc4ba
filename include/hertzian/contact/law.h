#ifndef HERTZIAN_CONTACT_LAW_H
#define HERTZIAN_CONTACT_LAW_H

#include "hertzian/base/param.h"
#include "hertzian/base/rt.h"

#include <stdbool.h>
#include <stddef.h>

/**
   Contact laws: force between two points as a function of penetration eta [m] (> 0 in contact) over one step.

   Every law is a discrete gradient: with s = eta+ - eta over a step of length d, the force is Q(s) = [Phi(eta+s) - Phi(eta)]/s
   plus a loss that never has the sign of a gain, so that stored energy changes by Q s exactly and (F - Q) s >= 0 is lost.
   A law knows nothing of bodies. Registry: src/contact/link/laws.def.
*/
enum { HTZ_LAW_PARAMS_MAX = 6 };

typedef struct htz_law_class htz_law_class;

typedef struct {
  const htz_law_class* cls;
  double p[HTZ_LAW_PARAMS_MAX]; ///< parameters in the order of cls->params
} htz_law;

/** What a law remembers of the start of a step. */
typedef struct {
  double eta;    ///< penetration at the start [m]
  double stored; ///< Phi(eta) [J]
  double force;  ///< Phi'(eta) [N]
  double memory; ///< what a law with a memory carries from step to step, 0 otherwise
} htz_law_state;

/** Force over the step and its derivative by s. */
typedef struct {
  double force;     ///< F(s) [N]
  double slope;     ///< dF/ds [N/m], >= 0
  double stored;    ///< Phi(eta + s) [J]
  double elastic;   ///< Phi'(eta + s) [N]
  double stiffness; ///< Phi''(eta + s) [N/m]
} htz_law_value;

struct htz_law_class {
  const char* name;
  const htz_param_desc* params;
  size_t n_params;
  bool one_sided; ///< true: acts only where eta > 0, and never pulls
  /// Phi and Phi' at eta. Audio thread.
  htz_law_state (*at)(const htz_law* law, double eta);
  /// F over a step d [s] with increment s [m] from `from`. Audio thread.
  htz_law_value (*over)(const htz_law* law, const htz_law_state* from, double s, double d);
  /// Elastic contact time [s] of effective mass `mass` [kg] arriving at `speed` [m/s] > 0 (DESIGN: tau); infinite when there is none.
  double (*duration)(const htz_law* law, double mass, double speed);
  /// Laws with a memory, NULL otherwise: what it is after a step d [s] from `from` with increment s [m], over which the law gave `force` [N];
  /// 0: it gave none, or that is not known. Audio thread.
  double (*remember)(const htz_law* law, const htz_law_state* from, double s, double d, double force);
  /// The same: energy stored at eta with that memory [J], instead of Phi(eta). Audio thread.
  double (*stored)(const htz_law* law, double eta, double memory);
  /// Two-sided laws Phi = k1 eta^2/2 + k3 eta^4/4 with a damper r, NULL otherwise: coef = {k1, k3, r}. Audio thread.
  void (*polynomial)(const htz_law* law, double coef[3]);
};

/** The law named `name`, or NULL. */
const htz_law_class* htz_law_find(const char* name);
const htz_law_class* htz_law_at(size_t index);

/// Power law with Hunt-Crossley loss, one-sided: p = {stiffness K [N/m^alpha], exponent alpha, viscosity mu [s/m]}.
extern const htz_law_class htz_law_hunt_crossley;
/// A core in a winding, one-sided: p = {the three of Hunt and Crossley's for the winding, stiffness of the core [N/m^alpha], its exponent, depth
/// [m] at which it is met}.
extern const htz_law_class htz_law_wound;
/// Felt with relaxation (Stulov), one-sided: p = {stiffness Q0 [N/m^p], exponent p, hysteresis epsilon, relaxation time tau0 [s]}.
extern const htz_law_class htz_law_stulov;
/// Linear spring and damper, two-sided: p = {stiffness k [N/m], damping r [N s/m]}.
extern const htz_law_class htz_law_spring;
/// Cubic spring, two-sided: p = {k1 [N/m], k3 [N/m^3], damping r [N s/m]}.
extern const htz_law_class htz_law_cubic;

#endif
