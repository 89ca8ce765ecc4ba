#ifndef HERTZIAN_CONTACT_LINK_LAW_POWER_H
#define HERTZIAN_CONTACT_LINK_LAW_POWER_H

#include "hertzian/contact/law.h"

/** Phi = K/(alpha+1) [eta]+^(alpha+1) and its derivative at eta. Audio thread. */
HTZ_RT htz_law_state htz_law_power_at(double stiffness, double exponent, double eta);

/** Its discrete gradient over the increment `s` from `from`, without any loss. Audio thread. */
HTZ_RT htz_law_value htz_law_power_gradient(double stiffness, double exponent, const htz_law_state* from, double s);

/** Hunt and Crossley's loss on it, a factor max(0, 1 + viscosity s/d). Audio thread. */
HTZ_RT htz_law_value htz_law_power_loss(htz_law_value elastic, double viscosity, double s, double d);

/** Elastic contact time of `mass` at `speed` [s]: (2 x_m/v) sqrt(pi) Gamma(1+p)/Gamma(1/2+p), p = 1/(alpha+1), x_m = [(alpha+1) m v^2/2K]^p. */
double htz_law_power_duration(double stiffness, double exponent, double mass, double speed);

#endif
