#include "audio_private.h"

#include <stdio.h>

static bool takes(const char* device) {
  (void)device;
  return true;
}

static htz_status open_portaudio(const htz_audio_wish* wish, htz_audio** out, htz_audio_format* format, char* why,
                                 size_t why_size) {
  (void)wish;
  (void)format;
  *out = NULL;
  snprintf(why, why_size, "no audio output: built without PortAudio; use --audio null to play without one, or hertzian render");
  return HTZ_NOT_FOUND;
}

const htz_audio_class htz_audio_portaudio = {.name = "portaudio", .takes = takes, .open = open_portaudio};
