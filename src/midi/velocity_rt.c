#include "hertzian/midi/velocity.h"

void htz_velocity_linear(htz_velocity_curve* curve) {
  curve->out[0] = 1.0;
  for (int v = 1; v < HTZ_VELOCITIES; ++v) {
    curve->out[v] = v;
  }
}

double htz_velocity_map(const htz_velocity_curve* curve, uint8_t velocity) {
  return curve->out[velocity & (HTZ_VELOCITIES - 1)];
}
