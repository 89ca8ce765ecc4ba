#include "hertzian/dsp/limiter.h"

#include <math.h>

static const double hold_s = 0.010;    // [s] longer than half a period of the lowest notes' second partial
static const double release_s = 0.080; // [s] time constant: fast enough not to be heard as a dip, slow enough not to pump

void htz_limiter_init(htz_limiter* limiter, double rate_hz, double threshold_db) {
  *limiter = (htz_limiter){.threshold = (float)pow(10.0, threshold_db / 20.0),
                           .hold = (uint32_t)(hold_s * rate_hz),
                           .release = (float)exp(-1.0 / (release_s * rate_hz)),
                           .least_gain = 1.0f};
}

// Also false for what is not a number.
static float finite_or_zero(htz_limiter* limiter, float x) {
  static const float largest = 3.4e38f; // the greatest finite float, nearly
  if (fabsf(x) <= largest) {
    return x;
  }
  ++limiter->broken;
  return 0.0f;
}

void htz_limiter_run(htz_limiter* limiter, float* samples, size_t frames) {
  for (size_t i = 0; i < frames; ++i) {
    const float left = finite_or_zero(limiter, samples[2 * i]);
    const float right = finite_or_zero(limiter, samples[2 * i + 1]);
    const float peak = fabsf(left) > fabsf(right) ? fabsf(left) : fabsf(right);
    if (peak > limiter->threshold && peak >= limiter->envelope) {
      limiter->envelope = peak;
      limiter->held = limiter->hold;
    } else if (limiter->held > 0) {
      --limiter->held;
    } else if (limiter->envelope > limiter->threshold) {
      limiter->envelope *= limiter->release;
    }
    if (limiter->envelope > limiter->threshold) {
      const float gain = limiter->threshold / limiter->envelope; // peak <= envelope
      limiter->least_gain = gain < limiter->least_gain ? gain : limiter->least_gain;
      ++limiter->acted;
      samples[2 * i] = left * gain;
      samples[2 * i + 1] = right * gain;
    } else {
      samples[2 * i] = left;
      samples[2 * i + 1] = right;
    }
  }
}
