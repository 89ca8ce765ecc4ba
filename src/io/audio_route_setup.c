#include "audio_route.h"

#include <stdio.h>

htz_status htz_audio_route_make(const htz_audio_wish* wish, const char* name, unsigned there, htz_audio_route* route, char* why,
                                size_t why_size) {
  const unsigned left = wish->channels[0], right = wish->channels[1];
  const unsigned most = left > right ? left : right;
  if (left == 0 && right == 0) {
    *route = there == 1 ? (htz_audio_route){1, 0, 0} : (htz_audio_route){2, 0, 1};
    return HTZ_OK;
  }
  if (left == 0 || right == 0 || most > HTZ_AUDIO_CHANNELS_MAX) {
    snprintf(why, why_size, "audio: channel out of range");
    return HTZ_BAD_VALUE;
  }
  if (there == 1 && most > there) {
    snprintf(why, why_size, "audio output \"%s\" has no channel %u, only one", name, most);
    return HTZ_BAD_VALUE;
  }
  if (there > 0 && most > there) {
    snprintf(why, why_size, "audio output \"%s\" has no channel %u, only 1 to %u", name, most, there);
    return HTZ_BAD_VALUE;
  }
  // Not fewer than two: hardly any driver of two channels can be opened with one.
  *route = (htz_audio_route){most < 2 && there != 1 ? 2 : most, left - 1, right - 1};
  return HTZ_OK;
}

void htz_audio_route_tell(const htz_audio_route* route, htz_audio_format* format) {
  format->channels[0] = route->left + 1;
  format->channels[1] = route->right + 1;
}
