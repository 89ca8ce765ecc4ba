#include "audio_private.h"

#if defined(HTZ_HAVE_PORTAUDIO)

#include "audio_library.h"
#include "audio_portaudio.h"
#include "audio_thread.h"
#include "clock.h"

#include <stdio.h>
#include <string.h>

enum { PERIODS = 3 }; // of latency asked for; ALSA adds the one that is being played

static const int64_t start_limit_ns = 500 * (int64_t)HTZ_NS_PER_MS;
static const int64_t ahead_ns = 1000 * (int64_t)HTZ_NS_PER_MS; // of the clock: more than any buffer of a real device

// ALSA's "null" and "file" devices take blocks as fast as they come. Nothing that plays is ever a second ahead of the clock.
static void keep_pace(htz_pa_sink* sink, unsigned long frames) {
  const int64_t now = htz_clock_ns();
  if (!sink->started) {
    sink->started = true;
    sink->first_ns = now;
    atomic_store_explicit(&sink->is_realtime, htz_thread_realtime(sink->realtime, HTZ_PRIORITY_AUDIO), memory_order_relaxed);
  }
  const int64_t ahead = (int64_t)(sink->frames * sink->frame_ns) - (now - sink->first_ns);
  if (ahead > ahead_ns) {
    htz_clock_sleep(ahead - ahead_ns);
  }
  sink->frames += (double)frames;
}

static int process(const void* in, void* out, unsigned long frames, const PaStreamCallbackTimeInfo* time,
                   PaStreamCallbackFlags flags, void* context) {
  (void)time;
  htz_pa_sink* sink = context;
  keep_pace(sink, frames);
  const htz_audio_block block = {.time_s = htz_audio_now(),
                                 .underflow = (flags & paOutputUnderflow) != 0,
                                 .in = in,
                                 .in_gap = (flags & (paInputUnderflow | paInputOverflow)) != 0};
  if (htz_audio_route_plain(&sink->route)) {
    htz_audio_run_block(&sink->base, out, (uint32_t)frames, &block);
  } else {
    htz_audio_run_block(&sink->base, sink->stereo, (uint32_t)frames, &block);
    htz_audio_route_block(&sink->route, sink->stereo, out, (uint32_t)frames);
  }
  return paContinue;
}

// ---- starting

// The n-th rate to try, 0 when there are no more. Unless told, the device's own; but for ALSA PortAudio reports 44100 whenever
// that can be had at all, while the systems behind it mix at 48000.
static double rate_to_try(const htz_audio_wish* wish, const htz_pa_candidate* c, size_t n) {
  const double usual[] = {48000, 44100, 96000, 32000, 0};
  if (wish->rate_hz > 0) {
    return n == 0 ? wish->rate_hz : 0;
  }
  if (c->own_hz > 0 && strcmp(c->api, "alsa") != 0) {
    return n == 0 ? c->own_hz : usual[n - 1];
  }
  return usual[n];
}

PaStreamParameters htz_pa_output(const htz_pa_candidate* c, unsigned outputs) {
  return (PaStreamParameters){
      .device = c->index, .channelCount = (int)outputs, .sampleFormat = paFloat32, .hostApiSpecificStreamInfo = c->specific};
}

static PaError start_stream(htz_pa_sink* sink, const htz_audio_wish* wish, const htz_pa_candidate* c, double rate_hz) {
  const htz_pa* pa = &sink->pa;
  const bool is_alsa = strcmp(c->api, "alsa") == 0;
  sink->frame_ns = HTZ_NS_PER_S / rate_hz;
  sink->started = false;
  sink->frames = 0;
  PaStreamParameters wanted = htz_pa_output(c, sink->route.outputs);
  wanted.suggestedLatency = PERIODS * wish->frames / rate_hz;
  const PaStreamParameters heard = {.device = c->in_index,
                                    .channelCount = 1,
                                    .sampleFormat = paFloat32,
                                    .suggestedLatency = PERIODS * wish->frames / rate_hz,
                                    .hostApiSpecificStreamInfo = c->in_specific};
  PaError error =
      pa->Pa_OpenStream(&sink->stream, c->in_name ? &heard : NULL, &wanted, rate_hz, wish->frames, paNoFlag, process, sink);
  if (error) {
    return error;
  }
  if (is_alsa && pa->PaAlsa_EnableRealtimeScheduling && sink->realtime >= 0) {
    pa->PaAlsa_EnableRealtimeScheduling(sink->stream, 1);
  }
  error = pa->Pa_StartStream(sink->stream);
  if (error) {
    pa->Pa_CloseStream(sink->stream);
    sink->stream = NULL;
  }
  return error;
}

static void describe(htz_pa_sink* sink, const htz_audio_wish* wish, const htz_pa_candidate* c, double rate_hz,
                     htz_audio_format* format) {
  const PaStreamInfo* info = sink->pa.Pa_GetStreamInfo(sink->stream);
  int card, device;
  snprintf(format->name, sizeof format->name, "%s", c->name);
  snprintf(format->api, sizeof format->api, "%s", c->api);
  format->rate_hz = info && info->sampleRate > 0 ? info->sampleRate : rate_hz;
  format->frames = wish->frames;
  format->alone = htz_audio_raw(c->name, &card, &device) || strcmp(c->api, "oss") == 0;
  format->latency_s = info ? htz_pa_latency(info->outputLatency) : 0;
  htz_audio_route_tell(&sink->route, format);
  if (c->in_name) {
    snprintf(format->input, sizeof format->input, "%s", c->in_name);
    format->input_latency_s = info ? htz_pa_latency(info->inputLatency) : 0;
    format->input_apart = strcmp(c->name, c->in_name) != 0;
  }
  htz_audio_await_block(&sink->base, start_limit_ns);
  format->realtime = atomic_load_explicit(&sink->is_realtime, memory_order_relaxed);
}

static PaError try_one(htz_pa_sink* sink, const htz_audio_wish* wish, const htz_pa_candidate* c, double* rate_hz) {
  const bool away = htz_stderr_away(!wish->verbose);
  PaError error = paInvalidSampleRate;
  double next_hz;
  for (size_t i = 0; error == paInvalidSampleRate && (next_hz = rate_to_try(wish, c, i)) > 0; ++i) {
    htz_audio_base(&sink->base, &htz_audio_portaudio, wish);
    sink->base.hush = !wish->verbose;
    *rate_hz = next_hz;
    error = start_stream(sink, wish, c, next_hz);
  }
  htz_stderr_back(away);
  return error;
}

PaError htz_pa_start(htz_pa_sink* sink, const htz_audio_wish* wish, const htz_pa_candidate* c, size_t n,
                     htz_audio_format* format, char* why, size_t why_size) {
  char reason[HTZ_PA_REASON];
  PaError first = paInvalidDevice;
  for (size_t i = 0; i < n; ++i) {
    double rate_hz = 0;
    const htz_status routed =
        htz_audio_route_make(wish, c[i].name, (unsigned)c[i].channels, &sink->route, reason, sizeof reason);
    const PaError error = routed ? paInvalidChannelCount : try_one(sink, wish, &c[i], &rate_hz);
    if (!error) {
      describe(sink, wish, &c[i], rate_hz, format);
      return paNoError;
    }
    if (i == 0 && !routed) {
      htz_pa_explain(sink, error, &c[i], rate_hz, !wish->verbose, reason);
    }
    if (i == 0) {
      first = error;
      snprintf(why, why_size, "%s", reason);
    }
  }
  return first;
}

// ---- the end

bool htz_pa_dead(const htz_audio* audio) {
  const htz_pa_sink* sink = (const htz_pa_sink*)audio;
  return sink->pa.Pa_IsStreamActive(sink->stream) != 1;
}

bool htz_pa_release(htz_audio* audio) {
  htz_pa_sink* sink = (htz_pa_sink*)audio;
  sink->pa.Pa_StopStream(sink->stream);
  if (htz_audio_abandoned(audio)) {
    return false;
  }
  sink->pa.Pa_CloseStream(sink->stream);
  sink->pa.Pa_Terminate();
  return true;
}

#else

typedef int htz_nothing_here; // ISO C wants something in a file

#endif
