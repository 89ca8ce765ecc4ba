#include "key_list.h"
#include "options_private.h"

#include "hertzian/io/audio.h"

/* `--channels 3,4`: the outputs of the device that are played to. */

static bool read_channel(const char* text, size_t length, int* channel) {
  *channel = 0;
  for (size_t i = 0; i < length && *channel <= HTZ_AUDIO_CHANNELS_MAX; ++i) {
    if (text[i] < '0' || text[i] > '9') {
      return false;
    }
    *channel = *channel * 10 + (text[i] - '0');
  }
  return *channel >= 1 && *channel <= HTZ_AUDIO_CHANNELS_MAX;
}

bool htz_flag_channels(const htz_flag_use* f, htz_options* options) {
  int channels[2];
  const size_t n = htz_list_read(f->value, read_channel, 2, channels);
  if (n == 0) {
    return htz_flag_refuse(f, "not one or two outputs from 1 to 128 with a comma, as 3,4");
  }
  options->channels[0] = (unsigned)channels[0];
  options->channels[1] = (unsigned)channels[n - 1]; // one: the mean of both sides goes there
  return true;
}
