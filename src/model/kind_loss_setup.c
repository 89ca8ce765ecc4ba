#include "kind_private.h"

#include <math.h>

static const double t60_default = 2.0; // [s]
static const double high_ratio = 10.0; // t60_high_hz over the first partial: the third of a marimba bar

double htz_kind_decay(double t60) {
  return 3.0 * log(10.0) / t60;
}

double htz_kind_or(double value, double other) {
  return isnan(value) ? other : value;
}

bool htz_kind_loss(const double* values, double first_hz, htz_loss* loss, const char** why) {
  const double t60 = values[HTZ_KIND_T60], high = values[HTZ_KIND_T60_HIGH], high_hz = values[HTZ_KIND_T60_HIGH_HZ];
  const bool coefficients = !isnan(values[HTZ_KIND_LOSS0]) || !isnan(values[HTZ_KIND_LOSS1]);
  *loss = (htz_loss){0};
  if (coefficients) {
    if (!isnan(t60) || !isnan(high) || !isnan(high_hz)) {
      *why = "t60: give either decay times or loss0 and loss1";
      return false;
    }
    loss->loss0 = htz_kind_or(values[HTZ_KIND_LOSS0], 0.0);
    loss->loss1 = htz_kind_or(values[HTZ_KIND_LOSS1], 0.0);
    return true;
  }
  if (isnan(t60) && !isnan(high)) {
    *why = "t60_high: needs t60, the decay time of the first partial";
    return false;
  }
  if (isnan(high) && !isnan(high_hz)) {
    *why = "t60_high_hz: needs t60_high, the decay time there";
    return false;
  }
  loss->t60_hz[0] = first_hz;
  loss->t60_s[0] = htz_kind_or(t60, t60_default);
  if (!isnan(high)) {
    loss->t60_hz[1] = htz_kind_or(high_hz, high_ratio * first_hz);
    loss->t60_s[1] = high;
    if (!(loss->t60_hz[1] > first_hz)) {
      *why = "t60_high_hz: must be above the first partial";
      return false;
    }
  }
  return true;
}

bool htz_kind_any_loss(const double* values) {
  for (size_t i = 0; i < HTZ_KIND_LOSSES; ++i) {
    if (!isnan(values[i])) {
      return true;
    }
  }
  return false;
}
