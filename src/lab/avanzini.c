#include "avanzini.h"

#include <math.h>

htz_impact avanzini_hammer(double ratio, double viscosity, double speed) {
  static const double mass = 0.01, exponent = 2.8;
  return (htz_impact){mass, mass / ratio, exponent, viscosity, speed};
}

double avanzini_ratio(int i, int n) {
  return avanzini_least * pow(avanzini_most / avanzini_least, i / (n - 1.0));
}

void avanzini_fill(avanzini_resonator* r, double lowest_hz, double mass, double q) {
  static const double two_pi = 6.28318530717958648;
  static const double partials[AVANZINI_MODES] = {1.0, 2.7565, 5.4039}; // of a free bar
  for (int k = 0; k < AVANZINI_MODES; ++k) {
    r->omega[k] = two_pi * lowest_hz * partials[k];
    r->sigma[k] = 0.5 * r->omega[k] / q; // g_o = omega/q is 2 sigma
    r->mass[k] = mass;
    r->weight[k] = 1.0;
  }
}

htz_status avanzini_throw(const htz_impact* hammer, const avanzini_resonator* at, thrown_look look, void* context, thrown* out,
                          const char** why) {
  htz_solver_system system = htz_thrown_at_wall(hammer);
  if (at) {
    system.n_modes = AVANZINI_MODES;
    system.omega = at->omega;
    system.sigma = at->sigma;
    system.modal_mass = at->mass;
    system.weight = at->weight;
  }
  const throw_plan plan = {.solver = "am1",
                           .system = &system,
                           .rate_hz = AVANZINI_RATE,
                           .v = hammer->speed,
                           .longest = avanzini_longest,
                           .look = look,
                           .context = context};
  return htz_thrown(&plan, out, why);
}
