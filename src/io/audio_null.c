#include "audio_private.h"
#include "audio_route.h"
#include "audio_thread.h"
#include "clock.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/*
   A card that makes no sound: a thread asks for blocks at absolute deadlines of the monotonic clock. It behaves as if it had a
   buffer of two blocks, 10 ms at least: a block that is ready later than that has missed its turn, the next is told so, and the
   clock starts anew from there, as a real card's does.
*/

static const double usual_rate_hz = 48000;
static const int64_t least_buffer_ns = 10 * (int64_t)HTZ_NS_PER_MS; // keeps a busy machine's scheduling out of the count
static const int64_t nap_ns = 20 * (int64_t)HTZ_NS_PER_MS;          // longest sleep, so that closing is prompt
static const int64_t start_limit_ns = 500 * (int64_t)HTZ_NS_PER_MS;
enum { BUFFER_BLOCKS = 2 };

typedef struct {
  htz_audio base; // must be first
  uint32_t frames;
  double block_ns; ///< time of one block
  int64_t buffer_ns;
  int priority;
  pthread_t thread;
  atomic_bool realtime;
  float out[];
} null_sink;

static bool takes(const char* api, const char* name) {
  return strcmp(name, "null") == 0 && (!api || strcmp(api, "null") == 0); // as other hosts are named with their devices
}

// @return false when closing
static bool sleep_until(const null_sink* sink, int64_t time_ns) {
  for (;;) {
    if (atomic_load_explicit(&sink->base.closing, memory_order_acquire)) {
      return false;
    }
    const int64_t left = time_ns - htz_clock_ns();
    if (left <= 0) {
      return true;
    }
    if (left > nap_ns) {
      htz_clock_sleep(nap_ns);
      continue;
    }
    const struct timespec deadline = {.tv_sec = (time_t)(time_ns / HTZ_NS_PER_S), .tv_nsec = (long)(time_ns % HTZ_NS_PER_S)};
    clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &deadline, NULL);
  }
}

static void* run(void* argument) {
  null_sink* sink = argument;
  atomic_store_explicit(&sink->realtime, htz_thread_realtime(sink->priority, HTZ_PRIORITY_AUDIO), memory_order_relaxed);
  int64_t start_ns = htz_clock_ns();
  double n = 0; // blocks since then; exact in a double
  bool underflow = false;
  for (;;) {
    const int64_t asked_ns = start_ns + (int64_t)(n * sink->block_ns);
    if (!sleep_until(sink, asked_ns)) {
      return NULL;
    }
    const htz_audio_block block = {.time_s = htz_audio_now(), .underflow = underflow};
    htz_audio_run_block(&sink->base, sink->out, sink->frames, &block);
    const int64_t ready_ns = htz_clock_ns();
    underflow = ready_ns > asked_ns + sink->buffer_ns;
    if (underflow) {
      start_ns = ready_ns;
      n = 0;
    } else {
      n += 1;
    }
  }
}

static htz_status open_null(const htz_audio_wish* wish, htz_audio** out, htz_audio_format* format, char* why, size_t why_size) {
  null_sink* sink = NULL;
  if (wish->input) {
    snprintf(why, why_size, "no audio input \"%s\" without an audio device; a sound file can stand in for it (file:NAME)",
             wish->input);
    return HTZ_NOT_FOUND;
  }
  htz_audio_route route; // it stands for any device
  const htz_status routed = htz_audio_route_make(wish, "null", 0, &route, why, why_size);
  if (routed) {
    return routed;
  }
  const size_t size = sizeof *sink + sizeof(float) * 2 * wish->frames;
  if (posix_memalign((void**)&sink, _Alignof(null_sink), size) != 0) {
    snprintf(why, why_size, "audio: %s", htz_status_text(HTZ_NO_MEMORY));
    return HTZ_NO_MEMORY;
  }
  memset(sink, 0, size);
  htz_audio_base(&sink->base, &htz_audio_null, wish);
  const double rate_hz = wish->rate_hz > 0 ? wish->rate_hz : usual_rate_hz;
  sink->frames = wish->frames;
  sink->block_ns = wish->frames / rate_hz * HTZ_NS_PER_S;
  sink->buffer_ns = (int64_t)(BUFFER_BLOCKS * sink->block_ns);
  if (sink->buffer_ns < least_buffer_ns) {
    sink->buffer_ns = least_buffer_ns;
  }
  sink->priority = wish->realtime;
  if (pthread_create(&sink->thread, NULL, run, sink) != 0) {
    free(sink);
    snprintf(why, why_size, "audio: %s", htz_status_text(HTZ_NO_THREAD));
    return HTZ_NO_THREAD;
  }
  htz_audio_await_block(&sink->base, start_limit_ns);
  *format = (htz_audio_format){.name = "null", .api = "null", .rate_hz = rate_hz, .frames = wish->frames};
  htz_audio_route_tell(&route, format);
  format->realtime = atomic_load_explicit(&sink->realtime, memory_order_relaxed);
  *out = &sink->base;
  return HTZ_OK;
}

static bool release(htz_audio* audio) {
  null_sink* sink = (null_sink*)audio;
  pthread_join(sink->thread, NULL);
  return true;
}

const htz_audio_class htz_audio_null = {.name = "null", .takes = takes, .open = open_null, .release = release};
