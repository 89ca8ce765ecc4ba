#include "hertzian/io/loudness.h"

#include <ebur128.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

enum { ASKED_PER_SECOND = 100 };

struct htz_loudness {
  ebur128_state* state;
  unsigned channels;
  size_t hop;     ///< frames from one momentary figure to the next; 0: none is asked for
  size_t since;   ///< frames since the last
  double loudest; ///< [LUFS]
};

htz_status htz_loudness_new(double rate_hz, unsigned channels, htz_loudness_use use, htz_loudness** out) {
  const bool notes = use == HTZ_LOUDNESS_NOTES;
  htz_loudness* l = calloc(1, sizeof *l);
  *out = NULL;
  if (!l) {
    return HTZ_NO_MEMORY;
  }
  *l = (htz_loudness){.channels = channels, .hop = notes ? (size_t)rate_hz / ASKED_PER_SECOND : 0, .loudest = -HUGE_VAL};
  l->state = ebur128_init(channels, (unsigned long)rate_hz, EBUR128_MODE_I | EBUR128_MODE_M | EBUR128_MODE_TRUE_PEAK);
  if (!l->state) {
    free(l);
    return HTZ_NO_MEMORY;
  }
  *out = l;
  return HTZ_OK;
}

static htz_status add(htz_loudness* l, const float* samples, size_t frames) {
  return ebur128_add_frames_float(l->state, samples, frames) == EBUR128_SUCCESS ? HTZ_OK : HTZ_NO_MEMORY;
}

htz_status htz_loudness_add(htz_loudness* l, const float* samples, size_t frames) {
  if (l->hop == 0) {
    return add(l, samples, frames);
  }
  while (frames > 0) {
    const size_t left = l->hop - l->since, now = frames < left ? frames : left;
    if (add(l, samples, now)) {
      return HTZ_NO_MEMORY;
    }
    samples += now * l->channels;
    frames -= now;
    l->since = (l->since + now) % l->hop;
    double momentary = -HUGE_VAL;
    if (l->since == 0 && ebur128_loudness_momentary(l->state, &momentary) == EBUR128_SUCCESS) {
      l->loudest = fmax(l->loudest, momentary);
    }
  }
  return HTZ_OK;
}

double htz_loudness_whole(const htz_loudness* l) {
  double lufs = -HUGE_VAL;
  return ebur128_loudness_global(l->state, &lufs) == EBUR128_SUCCESS ? lufs : -HUGE_VAL;
}

double htz_loudness_loudest(const htz_loudness* l) {
  return l->loudest;
}

double htz_loudness_true_peak(const htz_loudness* l) {
  double most = 0.0;
  for (unsigned c = 0; c < l->channels; ++c) {
    double peak = 0.0;
    if (ebur128_true_peak(l->state, c, &peak) == EBUR128_SUCCESS) {
      most = fmax(most, peak);
    }
  }
  return most;
}

void htz_loudness_free(htz_loudness* l) {
  if (l) {
    ebur128_destroy(&l->state);
    free(l);
  }
}
