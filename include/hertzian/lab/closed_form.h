#ifndef HERTZIAN_LAB_CLOSED_FORM_H
#define HERTZIAN_LAB_CLOSED_FORM_H

/**
   A mass thrown at a rigid wall under Hunt and Crossley's law, m x'' = -K x^alpha (1 + mu x'), solved in closed form.

   With z = mu v and g(z) = z - ln(1 + z), x(v)^(alpha+1) = m (alpha+1)/(K mu^2) [g(mu v_in) - g(mu v)]
   (Papetti, Avanzini, Rocchesso: energy and accuracy issues in numerical simulations of impact, eqs. 4, 6 and 9).
*/
typedef struct {
  double mass;      ///< m [kg], > 0
  double stiffness; ///< K [N/m^alpha], > 0
  double exponent;  ///< alpha, >= 1
  double viscosity; ///< mu [s/m], >= 0
  double speed;     ///< v_in [m/s], > 0
} htz_impact;

/** What the wall does to it. */
typedef struct {
  double v_out;    ///< rebound velocity [m/s], negative
  double x_max;    ///< greatest compression [m]
  double duration; ///< contact time [s]
} htz_impact_result;

/** The exact rebound, compression and contact time; mu = 0 included. Relative error below 1e-10. Any thread. */
htz_impact_result htz_impact_exact(const htz_impact* impact);

#endif
