#include "audio_private.h"

#include <errno.h>
#include <stdio.h>

static const char no_output[] = "no audio output found";
static const char no_output_help[] = "use --audio null to play without one, or hertzian render";

static bool takes(const char* device) {
  (void)device;
  return true;
}

#if defined(HTZ_HAVE_PORTAUDIO)

#include "audio_holder.h"
#include "audio_library.h"
#include "audio_portaudio.h"
#include "audio_thread.h"
#include "clock.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#if defined(__linux__)
#include <pa_linux_alsa.h>
#endif

enum {
  CANDIDATES = 8,
  API_TEXT = 16, // "directsound:" and its end
  PERIODS = 3    // of latency asked for; ALSA adds the one that is being played
};

static const int64_t start_limit_ns = 500 * (int64_t)HTZ_NS_PER_MS;
static const int64_t jack_silence_ns = 400 * (int64_t)HTZ_NS_PER_MS; // longer than any block: the server is gone or going
static const int64_t ahead_ns = 1000 * (int64_t)HTZ_NS_PER_MS;       // of the clock: more than any buffer of a real device

typedef struct {
  htz_audio base; // must be first
  htz_pa pa;
  PaStream* stream;
  bool is_jack, is_alsa;
  int realtime;
  double frame_ns; // time of one frame
  // Audio thread.
  bool started;
  int64_t first_ns;
  double frames;
  atomic_bool is_realtime;
} portaudio_sink;

// ALSA's "null" and "file" devices take blocks as fast as they come. Nothing that plays is ever a second ahead of the clock.
static void keep_pace(portaudio_sink* sink, unsigned long frames) {
  const int64_t now = htz_clock_ns();
  if (!sink->started) {
    sink->started = true;
    sink->first_ns = now;
    if (!sink->is_jack) {
      atomic_store_explicit(&sink->is_realtime, htz_thread_realtime(sink->realtime, HTZ_PRIORITY_AUDIO), memory_order_relaxed);
    } else {
      atomic_store_explicit(&sink->is_realtime, htz_thread_realtime(-1, 0), memory_order_relaxed); // the server's business
    }
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
  portaudio_sink* sink = context;
  keep_pace(sink, frames);
  const htz_audio_block block = {.time_s = htz_audio_now(),
                                 .underflow = (flags & paOutputUnderflow) != 0,
                                 .in = in,
                                 .in_gap = (flags & (paInputUnderflow | paInputOverflow)) != 0};
  htz_audio_run_block(&sink->base, out, (uint32_t)frames, &block);
  return paContinue;
}

// ---- opening

// One device to try: of the list, or an ALSA name that the list does not have.
typedef struct {
  PaDeviceIndex index;
  const char* api;
  const char* name;
  double own_hz; // as PortAudio has it, 0 unknown
  void* specific;
  const char* in_name; // input to go with it, NULL: none
  PaDeviceIndex in_index;
  void* in_specific;
} candidate;

static void explain(const htz_pa* pa, PaError error, const candidate* c, double rate_hz, char* why, size_t why_size) {
  char both[2 * sizeof((htz_audio_format*)NULL)->name];
  const char* name = c->name;
  if (c->in_name) {
    snprintf(both, sizeof both, "%s\" with input \"%s", c->name, c->in_name);
    name = both;
  }
  const PaHostErrorInfo* host = pa->Pa_GetLastHostErrorInfo();
  if (error == paInvalidSampleRate) {
    snprintf(why, why_size, "audio output \"%s\" does not run at %g Hz; leave the rate out for its own", name, rate_hz);
  } else if (error == paBadIODeviceCombination && c->in_name) {
    snprintf(why, why_size, "audio input \"%s\" cannot be opened together with the output \"%s\"", c->in_name, c->name);
  } else if (strcmp(c->api, "jack") == 0) {
    // PortAudio cannot give up a client whose server has died, nor make another one.
    snprintf(why, why_size, "audio output \"%s\": the JACK server is gone or refuses; start again when it is back", name);
  } else if (error == paDeviceUnavailable) {
    int card = -1, device = 0;
    char holder[128];
    const char* raw = strstr(name, "hw:"); // "HDMI 0 (hw:0,3)", "plughw:0,3"
    if (!raw || sscanf(raw, "hw:%d,%d", &card, &device) != 2) {
      card = -1;
    }
    htz_audio_holder("/proc", card, device, holder, sizeof holder);
    snprintf(why, why_size, "audio output \"%s\" is busy%s%s; use the default output or JACK (-a jack:)", name,
             *holder ? ": held by " : "", holder);
  } else if (error == paUnanticipatedHostError && host && host->errorText && *host->errorText) {
    snprintf(why, why_size, "audio output \"%s\": %s", name, host->errorText);
  } else {
    snprintf(why, why_size, "audio output \"%s\": %s", name, pa->Pa_GetErrorText(error));
  }
}

// The n-th rate to try, 0 when there are no more. Unless told, the device's own; but for ALSA PortAudio reports 44100 whenever
// that can be had at all, while the systems behind it mix at 48000.
static double rate_to_try(const htz_audio_wish* wish, const candidate* c, size_t n) {
  const double usual[] = {48000, 44100, 96000, 32000, 0};
  if (wish->rate_hz > 0) {
    return n == 0 ? wish->rate_hz : 0;
  }
  if (c->own_hz > 0 && strcmp(c->api, "alsa") != 0) {
    return n == 0 ? c->own_hz : usual[n - 1];
  }
  return usual[n];
}

static PaError start_stream(portaudio_sink* sink, const htz_audio_wish* wish, const candidate* c, double rate_hz) {
  const htz_pa* pa = &sink->pa;
  sink->is_jack = strcmp(c->api, "jack") == 0;
  sink->is_alsa = strcmp(c->api, "alsa") == 0;
  sink->frame_ns = HTZ_NS_PER_S / rate_hz;
  sink->started = false;
  sink->frames = 0;
  const PaStreamParameters wanted = {.device = c->index,
                                     .channelCount = 2,
                                     .sampleFormat = paFloat32,
                                     .suggestedLatency = PERIODS * wish->frames / rate_hz,
                                     .hostApiSpecificStreamInfo = c->specific};
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
  if (sink->is_alsa && pa->PaAlsa_EnableRealtimeScheduling && sink->realtime >= 0) {
    pa->PaAlsa_EnableRealtimeScheduling(sink->stream, 1);
  }
  error = pa->Pa_StartStream(sink->stream);
  if (error) {
    pa->Pa_CloseStream(sink->stream);
    sink->stream = NULL;
  }
  return error;
}

static void describe(portaudio_sink* sink, const htz_audio_wish* wish, const candidate* c, double rate_hz,
                     htz_audio_format* format) {
  const PaStreamInfo* info = sink->pa.Pa_GetStreamInfo(sink->stream);
  snprintf(format->name, sizeof format->name, "%s", c->name);
  snprintf(format->api, sizeof format->api, "%s", c->api);
  format->rate_hz = info && info->sampleRate > 0 ? info->sampleRate : rate_hz;
  format->frames = wish->frames;
  format->latency_s = info ? htz_pa_latency(info->outputLatency) : 0;
  if (c->in_name) {
    snprintf(format->input, sizeof format->input, "%s", c->in_name);
    format->input_latency_s = info ? htz_pa_latency(info->inputLatency) : 0;
    format->input_apart = !sink->is_jack && strcmp(c->name, c->in_name) != 0;
  }
  htz_audio_await_block(&sink->base, start_limit_ns);
  format->realtime = atomic_load_explicit(&sink->is_realtime, memory_order_relaxed);
}

static PaError try_one(portaudio_sink* sink, const htz_audio_wish* wish, const candidate* c, double* rate_hz) {
  const int saved = htz_stderr_away(!wish->verbose);
  PaError error = paInvalidSampleRate;
  double next_hz;
  for (size_t i = 0; error == paInvalidSampleRate && (next_hz = rate_to_try(wish, c, i)) > 0; ++i) {
    htz_audio_base(&sink->base, &htz_audio_portaudio, wish);
    sink->base.hush = !wish->verbose;
    *rate_hz = next_hz;
    error = start_stream(sink, wish, c, next_hz);
  }
  htz_stderr_back(saved);
  return error;
}

// Try the candidates in their order; the reason given, and the error returned, is the first one's.
static PaError try_all(portaudio_sink* sink, const htz_audio_wish* wish, const candidate* c, size_t n, htz_audio_format* format,
                       char* why, size_t why_size) {
  PaError first = paInvalidDevice;
  for (size_t i = 0; i < n; ++i) {
    double rate_hz = 0;
    const PaError error = try_one(sink, wish, &c[i], &rate_hz);
    if (!error) {
      describe(sink, wish, &c[i], rate_hz, format);
      return paNoError;
    }
    if (i == 0) {
      first = error;
      explain(&sink->pa, error, &c[i], rate_hz, why, why_size);
    }
  }
  return first;
}

static htz_status nothing_found(const htz_pa_list* list, const char* device, char* why, size_t why_size) {
  const char* api;
  const char* name = htz_audio_split(device, &api);
  if (list->n == 0 && !*name && !api) {
    snprintf(why, why_size, "%s; %s", no_output, no_output_help);
  } else if (list->n == 0) {
    snprintf(why, why_size, "%s, so none is \"%s\"; %s", no_output, device, no_output_help);
  } else if (!*name && !api) {
    snprintf(why, why_size,
             "%s but raw devices, for which other programs would have to be silent; name one with -a (hertzian devices)",
             no_output);
  } else {
    snprintf(why, why_size, "no audio output \"%s\"; hertzian devices lists what there is", device);
  }
  return HTZ_NOT_FOUND;
}

// ---- the input that goes with an output

typedef struct {
  const char* wanted; // NULL: none
  const char* api;    // its prefix, or NULL
  const char* name;   // without it; "" is the default
  bool absent;        // there is no such input, though the output was meant
  htz_pa_list list;
#if defined(__linux__)
  PaAlsaStreamInfo specific;
#endif
} inputs;

static htz_status inputs_make(const htz_pa* pa, const htz_audio_wish* wish, inputs* in) {
  memset(in, 0, sizeof *in);
  in->wanted = wish->input;
  in->name = htz_audio_split(wish->input, &in->api);
  if (strcasecmp(in->name, "default") == 0) {
    in->name = "";
  }
  return in->wanted ? htz_pa_list_make(pa, true, &in->list) : HTZ_OK;
}

#if defined(__linux__)

static void name_input(inputs* in, const char* name, candidate* c) {
  in->specific = (PaAlsaStreamInfo){.size = sizeof in->specific, .hostApiType = paALSA, .version = 1, .deviceString = name};
  c->in_name = name;
  c->in_index = paUseHostApiSpecificDeviceSpecification;
  c->in_specific = &in->specific;
}

#endif

// Both are one stream, so both have to be on the same host. @return false when it has no such input
static bool find_input(inputs* in, candidate* c) {
  char name[sizeof((htz_audio_format*)NULL)->name];
  size_t best = 0;
  if (!in->wanted) {
    return true;
  }
  if (in->api && strcmp(in->api, c->api) != 0) {
    return false;
  }
  snprintf(name, sizeof name, "%s:%s", c->api, in->name);
  if (htz_audio_pick(name, in->list.entry, in->list.n, &best, 1) > 0) {
    c->in_name = in->list.entry[best].name;
    c->in_index = in->list.index[best];
    return true;
  }
#if defined(__linux__)
  // As for outputs: what ALSA knows though PortAudio does not list it.
  if (*in->name && strcmp(c->api, "alsa") == 0 && (in->api || strchr(in->name, ':'))) {
    name_input(in, in->name, c);
    return true;
  }
#endif
  return false;
}

static htz_status no_input(const inputs* in, const char* api, char* why, size_t why_size) {
  if (in->api && strcmp(in->api, api) != 0) {
    snprintf(why, why_size, "audio input \"%s\" and an output of %s: both have to be on one host (-a %s:)", in->wanted, api,
             in->api);
  } else if (in->list.n == 0) {
    snprintf(why, why_size, "no audio input found; a sound file can stand in for it (file:NAME)");
  } else {
    snprintf(why, why_size, "no audio input \"%s\" on %s; hertzian devices lists what there is", in->wanted, api);
  }
  return HTZ_NOT_FOUND;
}

#if defined(__linux__)

// What ALSA knows though PortAudio does not list it: "plughw:1,0" and all that its configuration defines, by name; without one,
// the shared device of a card.
static PaError open_unlisted(portaudio_sink* sink, const htz_audio_wish* wish, const char* api, const char* name, inputs* in,
                             htz_audio_format* format, char* why, size_t why_size) {
  PaError error = paInvalidDevice;
  char shared[HTZ_PA_SYSDEFAULT];
  PaAlsaStreamInfo specific = {.size = sizeof specific, .hostApiType = paALSA, .version = 1, .deviceString = name};
  candidate c = {.index = paUseHostApiSpecificDeviceSpecification, .api = "alsa", .name = name, .specific = &specific};
  const bool alsa_meant = (!api || strcmp(api, "alsa") == 0) && (!*name || api || strchr(name, ':'));
  const bool heard = find_input(in, &c);
  // The default input of a card goes with its default output.
  const bool shared_in = !heard && !*name && !*in->name && (!in->api || strcmp(in->api, "alsa") == 0);
  in->absent = alsa_meant && !heard && !shared_in;
  if (!alsa_meant || in->absent) {
    return error;
  }
  if (*name) {
    return try_all(sink, wish, &c, 1, format, why, why_size);
  }
  for (size_t i = 0; i < CANDIDATES && error && htz_pa_sysdefault(i, shared); ++i) {
    specific.deviceString = shared;
    c.name = shared;
    if (shared_in) {
      name_input(in, shared, &c);
    }
    error = try_all(sink, wish, &c, 1, format, why, why_size);
  }
  return error;
}

#endif

static htz_status open_listed(portaudio_sink* sink, const htz_audio_wish* wish, const htz_pa_list* list, inputs* in,
                              htz_audio_format* format, char* why, size_t why_size) {
  char beside[API_TEXT] = "";
  if (in->wanted && in->api && !(wish->device && *wish->device)) {
    snprintf(beside, sizeof beside, "%s:", in->api); // the input says which host, the output does not
  }
  const char* device = *beside ? beside : wish->device ? wish->device : "";
  const char* api;
  const char* name = htz_audio_split(device, &api);
  size_t order[CANDIDATES];
  candidate c[CANDIDATES];
  // A name means one device; without one the next best is as good.
  const size_t found = htz_audio_pick(device, list->entry, list->n, order, *name ? 1 : CANDIDATES);
  size_t n = 0;
  for (size_t i = 0; i < found; ++i) {
    const htz_audio_entry* entry = &list->entry[order[i]];
    const PaDeviceIndex index = list->index[order[i]];
    c[n] = (candidate){.index = index, .api = entry->api, .name = entry->name};
    c[n].own_hz = sink->pa.Pa_GetDeviceInfo(index)->defaultSampleRate;
    n += find_input(in, &c[n]);
  }
  if (found > 0 && n == 0) {
    return no_input(in, list->entry[order[0]].api, why, why_size);
  }
  if (n > 0) {
    return try_all(sink, wish, c, n, format, why, why_size) ? HTZ_IO : HTZ_OK;
  }
#if defined(__linux__)
  if (sink->pa.PaAlsa_SetRetriesBusy) {
    const PaError error = open_unlisted(sink, wish, api, name, in, format, why, why_size);
    if (error == paNoError || error == paDeviceUnavailable) {
      return error ? HTZ_IO : HTZ_OK;
    }
    if (in->absent) {
      return no_input(in, "alsa", why, why_size);
    }
  }
#endif
  return nothing_found(list, device, why, why_size);
}

static htz_status open_portaudio(const htz_audio_wish* wish, htz_audio** out, htz_audio_format* format, char* why,
                                 size_t why_size) {
  portaudio_sink* sink = NULL;
  if (posix_memalign((void**)&sink, _Alignof(portaudio_sink), sizeof *sink) != 0) {
    snprintf(why, why_size, "audio: %s", htz_status_text(HTZ_NO_MEMORY));
    return HTZ_NO_MEMORY;
  }
  memset(sink, 0, sizeof *sink);
  sink->realtime = wish->realtime;
  if (!htz_pa_open(&sink->pa, wish->verbose)) {
    const htz_status missing = htz_status_of_errno(errno, HTZ_NOT_FOUND);
    if (htz_status_starved(missing)) {
      snprintf(why, why_size, "audio: %s", htz_status_text(missing));
    } else {
      snprintf(why, why_size, "%s (PortAudio is not installed); %s", no_output, no_output_help);
    }
    free(sink);
    return missing;
  }
  htz_pa_list list;
  inputs in = {0};
  htz_status st = htz_pa_list_make(&sink->pa, false, &list);
  if (!st) {
    st = inputs_make(&sink->pa, wish, &in);
  }
  if (st) {
    snprintf(why, why_size, "audio: %s", htz_status_text(st));
  } else {
    st = open_listed(sink, wish, &list, &in, format, why, why_size);
  }
  htz_pa_list_free(&list);
  htz_pa_list_free(&in.list);
  if (st) {
    sink->pa.Pa_Terminate();
    free(sink);
    return st;
  }
  *out = &sink->base;
  return HTZ_OK;
}

// ---- the end

static bool dead(const htz_audio* audio) {
  const portaudio_sink* sink = (const portaudio_sink*)audio;
  return sink->pa.Pa_IsStreamActive(sink->stream) != 1;
}

// After the death of a JACK server, stopping blocks for minutes and closing aborts the process; Pa_Terminate() closes too.
static bool release(htz_audio* audio) {
  portaudio_sink* sink = (portaudio_sink*)audio;
  const int64_t last_ns = atomic_load_explicit(&audio->last_ns, memory_order_relaxed);
  if (sink->is_jack && (dead(audio) || htz_clock_ns() - last_ns > jack_silence_ns)) {
    return false;
  }
  sink->pa.Pa_StopStream(sink->stream);
  if (htz_audio_abandoned(audio)) {
    return false;
  }
  sink->pa.Pa_CloseStream(sink->stream);
  sink->pa.Pa_Terminate();
  return true;
}

const htz_audio_class htz_audio_portaudio = {
    .name = "portaudio",
    .takes = takes,
    .open = open_portaudio,
    .release = release,
    .dead = dead,
    .list = htz_pa_devices,
};

#else

static htz_status open_nothing(const htz_audio_wish* wish, htz_audio** out, htz_audio_format* format, char* why,
                               size_t why_size) {
  (void)wish;
  (void)format;
  *out = NULL;
  snprintf(why, why_size, "%s (built without PortAudio); %s", no_output, no_output_help);
  return HTZ_NOT_FOUND;
}

const htz_audio_class htz_audio_portaudio = {.name = "portaudio", .takes = takes, .open = open_nothing};

#endif
