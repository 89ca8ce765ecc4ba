#include "hertzian/base/param.h"

#include <math.h>

double htz_param_at(htz_scale scale, double low, double high, double position) {
  // The ends are returned as they are, so that a controller at its stop gives the documented limit to the last bit.
  if (!(position > 0.0)) {
    return low;
  }
  if (position >= 1.0) {
    return high;
  }
  if (scale == HTZ_SCALE_LOG && low > 0.0 && high > 0.0) {
    return low * pow(high / low, position);
  }
  const double value = low + (high - low) * position;
  return scale == HTZ_SCALE_STEPS ? floor(value + 0.5) : value;
}

double htz_param_clamp(const htz_param_desc* desc, double value) {
  if (isnan(value)) {
    return desc->initial;
  }
  if (value < desc->minimum) {
    return desc->minimum;
  }
  if (value > desc->maximum) {
    return desc->maximum;
  }
  return desc->scale == HTZ_SCALE_STEPS ? floor(value + 0.5) : value;
}
