#include "hertzian/midi/velocity.h"

void htz_velocity_linear(htz_velocity_curve* curve) {
  curve->out[0] = 1.0;
  for (int v = 1; v < HTZ_VELOCITIES; ++v) {
    curve->out[v] = v;
  }
}

double htz_velocity_map(const htz_velocity_curve* curve, double velocity) {
  const double most = HTZ_VELOCITIES - 1, held = velocity > 0.0 ? (velocity < most ? velocity : most) : 0.0;
  const int low = (int)held, high = low + 1 < HTZ_VELOCITIES ? low + 1 : low;
  return curve->out[low] + (held - low) * (curve->out[high] - curve->out[low]);
}
