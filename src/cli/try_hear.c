#include "try_hear.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static void wait_until_heard(const htz_heard* heard, const htz_audio* audio, double latency_s) {
  const struct timespec nap = {.tv_nsec = 20000000};
  while (atomic_load_explicit(&heard->played, memory_order_acquire) < heard->frames &&
         htz_audio_check(audio) == HTZ_AUDIO_RUNNING) {
    nanosleep(&nap, NULL);
  }
  const double rest_s = latency_s < 1.0 ? latency_s : 1.0;
  const struct timespec rest = {.tv_nsec = (long)(rest_s * 999999999.0)};
  nanosleep(&rest, NULL); // the last of it is still in the device
}

int htz_hear(const htz_options* options, double rate_hz, const float* samples, size_t frames) {
  htz_heard* heard = calloc(1, sizeof *heard);
  if (!heard) {
    htz_log_say(options->log, HTZ_LOG_ERROR, "%s", htz_status_text(HTZ_NO_MEMORY));
    return HTZ_EXIT_INTERNAL;
  }
  heard->samples = samples;
  heard->frames = frames;
  const htz_audio_wish wish = {.device = options->audio,
                               .rate_hz = rate_hz,
                               .frames = options->buffer,
                               .channels = {options->channels[0], options->channels[1]},
                               .process = htz_heard_process,
                               .context = heard,
                               .realtime = options->realtime,
                               .verbose = options->verbosity > 0};
  htz_audio* audio;
  htz_audio_format format;
  char why[HTZ_USAGE_TEXT];
  const htz_status st = htz_audio_open(&wish, &audio, &format, why, sizeof why);
  if (st) {
    free(heard);
    htz_log_say(options->log, options->audio ? HTZ_LOG_ERROR : HTZ_LOG_NOTICE, "%s%s", why,
                options->audio ? "" : "; -o FILE writes the sound");
    return options->audio ? htz_exit_for(st, HTZ_EXIT_DEVICE) : HTZ_EXIT_DONE;
  }
  wait_until_heard(heard, audio, format.latency_s);
  const bool whole = atomic_load_explicit(&heard->played, memory_order_acquire) == frames;
  if (htz_audio_close(audio)) {
    free(heard); // else a driver that hangs still has it
  }
  if (!whole) {
    htz_log_say(options->log, HTZ_LOG_ERROR, "%s: the device stopped before the end", format.name);
    return HTZ_EXIT_DEVICE;
  }
  return HTZ_EXIT_DONE;
}
