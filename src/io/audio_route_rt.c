#include "audio_route.h"

bool htz_audio_route_plain(const htz_audio_route* route) {
  return route->outputs == 2 && route->left == 0 && route->right == 1;
}

// Half of the sum, so that full scale on both sides stays full scale.
static float mean(const float* frame) {
  return 0.5f * (frame[0] + frame[1]);
}

void htz_audio_route_block(const htz_audio_route* route, const float* stereo, float* out, uint32_t frames) {
  const size_t samples = (size_t)frames * route->outputs;
  const bool mono = route->left == route->right;
  for (size_t i = 0; i < samples; ++i) {
    out[i] = 0.0f;
  }
  for (uint32_t i = 0; i < frames; ++i, stereo += 2, out += route->outputs) {
    out[route->right] = stereo[1];
    out[route->left] = mono ? mean(stereo) : stereo[0];
  }
}

void htz_audio_route_side(const htz_audio_route* route, bool right, const float* stereo, float* out, uint32_t frames) {
  const bool mono = route->left == route->right;
  for (uint32_t i = 0; i < frames; ++i, stereo += 2) {
    out[i] = mono ? mean(stereo) : stereo[right];
  }
}
