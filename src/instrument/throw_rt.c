#include "hertzian/instrument/throw.h"

#include <math.h>

static const double velocity_max = 127.0;

double htz_key_share(double velocity) {
  const double v = velocity < 1.0 ? 1.0 : velocity > velocity_max ? velocity_max : velocity;
  return (v - 1.0) / (velocity_max - 1.0);
}

htz_strike htz_key_throw(const htz_key* key, double share) {
  return (htz_strike){.speed = key->speed[0] * pow(key->speed[1] / key->speed[0], share),
                      .mass = key->mass,
                      .stiffness = key->stiffness * pow(key->touch, 1.0 - share),
                      .exponent = key->exponent,
                      .viscosity = key->viscosity,
                      .hysteresis = key->hysteresis,
                      .relaxation = key->relaxation,
                      .core = key->core,
                      .core_exponent = key->core_exponent,
                      .depth = key->depth,
                      .travel = key->travel[0] > 0.0 ? key->travel[0] * pow(key->travel[1] / key->travel[0], share) : 0.0,
                      .lift = key->lift[0] > 0.0 ? key->lift[0] * pow(key->lift[1] / key->lift[0], share) : 0.0,
                      .at = key->at,
                      .at_y = key->at_y};
}

void htz_strike_with(htz_strike* strike, const htz_mallet_kind* kind) {
  strike->mass *= kind->mass;
  strike->stiffness *= kind->hardness;
  strike->core *= kind->hardness;
  strike->lift = kind->plucks ? strike->lift : 0.0;
}
