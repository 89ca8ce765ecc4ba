#include "audio_private.h"

#include "audio_pick.h"

#include <stdio.h>
#include <string.h>

/*
   JACK, spoken to directly: PortAudio's client cannot be given up when its server dies, nor can there be another one. The
   device is a client of JACK whose ports are played to; the block is the server's period.
*/

#if defined(HTZ_HAVE_JACK)

#include "audio_route.h"
#include "audio_thread.h"
#include "clock.h"
#include "jack_client.h"

#include <stdlib.h>
#include <strings.h>

static const char unconnected[] = "none"; // names no client: our ports are for others to connect
static const int64_t start_limit_ns = 500 * (int64_t)HTZ_NS_PER_MS;

typedef struct {
  htz_audio base; // must be first
  htz_jack* jack;
  htz_jack_user user;
  htz_audio_route route;
  jack_port_t* out[2]; // the second NULL when both sides go to one output
  jack_port_t* in;     // or NULL
  uint32_t frames;     // of a block
  double rate_hz;
  // JACK's thread.
  bool started;
  unsigned xruns_seen;
  atomic_bool is_realtime;
  float stereo[];
} jack_sink;

static void put_out(const jack_sink* sink, float* const out[2], uint32_t from, uint32_t frames) {
  for (size_t side = 0; side < 2; ++side) {
    if (out[side]) {
      htz_audio_route_side(&sink->route, side == 1, sink->stereo, out[side] + from, frames);
    }
  }
}

static void cycle(void* context, jack_nframes_t frames, double start_s) {
  jack_sink* sink = context;
  const htz_jack* jack = sink->jack;
  const unsigned xruns = atomic_load_explicit(&jack->xruns, memory_order_relaxed);
  float* out[2];
  for (size_t side = 0; side < 2; ++side) {
    out[side] = sink->out[side] ? jack->jack_port_get_buffer(sink->out[side], frames) : NULL;
  }
  const float* in = sink->in ? jack->jack_port_get_buffer(sink->in, frames) : NULL;
  if (!sink->started) {
    sink->started = true;
    atomic_store_explicit(&sink->is_realtime, htz_thread_realtime(-1, 0), memory_order_relaxed); // the server's business
  }
  // A period that has grown since the start comes as several blocks, spread as if each had been asked for by itself.
  for (uint32_t done = 0, now; done < frames; done += now) {
    now = frames - done < sink->frames ? frames - done : sink->frames;
    const bool late = done == 0 && xruns != sink->xruns_seen;
    const htz_audio_block block = {
        .time_s = start_s + done / sink->rate_hz, .underflow = late, .in = in ? in + done : NULL, .in_gap = late};
    htz_audio_run_block(&sink->base, sink->stereo, now, &block);
    put_out(sink, out, done, now);
  }
  sink->xruns_seen = xruns;
}

// ---- opening

/** The clients that there are, as entries to choose from. */
typedef struct {
  htz_audio_devices devices;
  htz_audio_entry* entry;
} choices;

static htz_status choices_make(const htz_jack* jack, bool inputs, choices* c) {
  *c = (choices){0};
  htz_status st = htz_jack_devices(jack, inputs, &c->devices);
  c->entry = st ? NULL : calloc(c->devices.n + 1, sizeof *c->entry);
  for (size_t i = 0; i < c->devices.n && c->entry; ++i) {
    const htz_audio_device* device = &c->devices.item[i];
    c->entry[i] = (htz_audio_entry){device->api, device->name, device->channels, device->preferred};
  }
  return st || c->entry ? st : HTZ_NO_MEMORY;
}

static void choices_free(choices* c) {
  free(c->devices.item);
  free(c->entry);
}

// The client that `name` means. @return NULL: none
static const htz_audio_device* choose(const choices* c, const char* name) {
  char device[sizeof c->devices.item->name + sizeof "jack:"];
  size_t best;
  snprintf(device, sizeof device, "jack:%s", name);
  return htz_audio_pick(device, c->entry, c->devices.n, &best, 1) > 0 ? &c->devices.item[best] : NULL;
}

// Where the sound goes. @return HTZ_NOT_FOUND without a reason when no client is called so
static htz_status find_output(jack_sink* sink, const htz_audio_wish* wish, htz_audio_format* format, char* why, size_t size) {
  const char* api;
  const char* name = htz_audio_split(wish->device, &api);
  choices c;
  htz_status st = choices_make(sink->jack, false, &c);
  const htz_audio_device* found = st || strcasecmp(name, unconnected) == 0 ? NULL : choose(&c, name);
  const bool alone = !found && (!*name || (api && strcasecmp(name, unconnected) == 0));
  if (!st && !found && !alone) {
    snprintf(why, size, "no audio output \"%s\" on JACK; hertzian devices lists what there is", name);
    st = HTZ_NOT_FOUND;
  }
  if (!st) {
    snprintf(format->name, sizeof format->name, "%s", found ? found->name : unconnected);
    format->latency_s = found ? found->latency_s : 0;
    st = htz_audio_route_make(wish, format->name, found ? (unsigned)found->channels : 0, &sink->route, why, size);
  }
  choices_free(&c);
  return st;
}

static htz_status find_input(const jack_sink* sink, const htz_audio_wish* wish, htz_audio_format* format, char* why,
                             size_t size) {
  const char* api;
  const char* name = htz_audio_split(wish->input, &api);
  choices c;
  if (!wish->input) {
    return HTZ_OK;
  }
  if (api && strcmp(api, "jack") != 0) {
    snprintf(why, size, "audio input \"%s\" and an output of jack: both have to be on one host (-a %s:)", wish->input, api);
    return HTZ_NOT_FOUND;
  }
  htz_status st = choices_make(sink->jack, true, &c);
  const htz_audio_device* found = st ? NULL : choose(&c, strcasecmp(name, "default") == 0 ? "" : name);
  if (found) {
    snprintf(format->input, sizeof format->input, "%s", found->name);
    format->input_latency_s = found->latency_s;
  } else if (!st) {
    snprintf(why, size, "no audio input \"%s\" on jack; hertzian devices lists what there is", wish->input);
    st = HTZ_NOT_FOUND;
  }
  choices_free(&c);
  return st;
}

static jack_port_t* add_port(const jack_sink* sink, const char* name, unsigned long flags) {
  return htz_jack_add_port(sink->jack, name, JACK_DEFAULT_AUDIO_TYPE, flags);
}

static bool add_ports(jack_sink* sink, bool input) {
  const bool mono = sink->route.left == sink->route.right;
  sink->out[0] = add_port(sink, mono ? "out_mono" : "out_left", JackPortIsOutput);
  sink->out[1] = mono ? NULL : add_port(sink, "out_right", JackPortIsOutput);
  sink->in = input ? add_port(sink, "in", JackPortIsInput) : NULL;
  return sink->out[0] && (mono || sink->out[1]) && (!input || sink->in);
}

static void connect_port(const jack_sink* sink, jack_port_t* ours, const char* client, unsigned channel, bool input) {
  jack_port_t* theirs = ours ? htz_jack_port(sink->jack, client, channel, input) : NULL;
  if (theirs) {
    htz_jack_connect(sink->jack, input ? theirs : ours, input ? ours : theirs);
  }
}

static htz_status run(jack_sink* sink, htz_audio_format* format, char* why, size_t why_size) {
  const bool input = format->input[0] != '\0';
  if (!add_ports(sink, input) || !htz_jack_run(sink->jack, HTZ_JACK_AUDIO, &sink->user)) {
    snprintf(why, why_size, "audio output \"%s\": the JACK server refuses", format->name);
    return HTZ_IO;
  }
  connect_port(sink, sink->out[0], format->name, sink->route.left + 1, false);
  connect_port(sink, sink->out[1], format->name, sink->route.right + 1, false);
  connect_port(sink, sink->in, format->input, 1, true);
  htz_audio_await_block(&sink->base, start_limit_ns);
  format->realtime = atomic_load_explicit(&sink->is_realtime, memory_order_relaxed);
  return HTZ_OK;
}

static bool leave(jack_sink* sink) {
  const bool rests = htz_jack_rest(sink->jack, HTZ_JACK_AUDIO);
  jack_port_t* const ports[] = {sink->out[0], sink->out[1], sink->in};
  for (size_t i = 0; i < sizeof ports / sizeof ports[0]; ++i) {
    htz_jack_drop_port(sink->jack, ports[i]);
  }
  htz_jack_leave(sink->jack, HTZ_JACK_AUDIO);
  return rests;
}

static htz_status make(htz_jack* jack, const htz_audio_wish* wish, htz_audio** out, htz_audio_format* format, char* why,
                       size_t why_size) {
  const uint32_t period = jack->jack_get_buffer_size(jack->client);
  const uint32_t frames = period < HTZ_AUDIO_FRAMES_MAX ? period : HTZ_AUDIO_FRAMES_MAX;
  const size_t size = sizeof(jack_sink) + 2 * frames * sizeof(float);
  jack_sink* sink = NULL;
  if (posix_memalign((void**)&sink, _Alignof(jack_sink), size) != 0) {
    htz_jack_leave(jack, HTZ_JACK_AUDIO);
    snprintf(why, why_size, "audio: %s", htz_status_text(HTZ_NO_MEMORY));
    return HTZ_NO_MEMORY;
  }
  memset(sink, 0, size);
  htz_audio_base(&sink->base, &htz_audio_jack, wish);
  sink->base.hush = !wish->verbose;
  sink->jack = jack;
  sink->user = (htz_jack_user){cycle, sink};
  sink->frames = frames;
  sink->rate_hz = jack->jack_get_sample_rate(jack->client);
  sink->xruns_seen = atomic_load_explicit(&jack->xruns, memory_order_relaxed);
  *format = (htz_audio_format){.api = "jack", .rate_hz = sink->rate_hz, .frames = frames};
  htz_status st = find_output(sink, wish, format, why, why_size);
  if (!st && wish->rate_hz > 0 && wish->rate_hz != sink->rate_hz) {
    snprintf(why, why_size, "audio output \"%s\" does not run at %g Hz; the JACK server runs at %g Hz", format->name,
             wish->rate_hz, sink->rate_hz);
    st = HTZ_IO;
  }
  if (!st) {
    st = find_input(sink, wish, format, why, why_size);
  }
  if (!st) {
    htz_audio_route_tell(&sink->route, format);
    st = run(sink, format, why, why_size);
  }
  if (htz_status_starved(st)) {
    snprintf(why, why_size, "audio: %s", htz_status_text(st));
  }
  if (st && leave(sink)) {
    free(sink);
  }
  *out = st ? NULL : &sink->base;
  return st;
}

static htz_status open_jack(const htz_audio_wish* wish, htz_audio** out, htz_audio_format* format, char* why, size_t why_size) {
  htz_status starved;
  htz_jack* jack = htz_jack_take(HTZ_JACK_AUDIO, true, wish->verbose, &starved);
  if (jack) {
    return make(jack, wish, out, format, why, why_size);
  }
  if (starved) {
    snprintf(why, why_size, "audio: %s", htz_status_text(starved));
    return starved;
  }
  const char* server = getenv("JACK_DEFAULT_SERVER");
  snprintf(why, why_size, "no JACK server%s%s%s; start one (jackd), or leave out jack:", server ? " \"" : "",
           server ? server : "", server ? "\"" : "");
  return HTZ_NOT_FOUND;
}

// A name without a host's before it may be that of a client, too.
static bool takes(const char* api, const char* name) {
  (void)name;
  return !api || strcmp(api, "jack") == 0;
}

// ---- the end

static bool dead(const htz_audio* audio) {
  const jack_sink* sink = (const jack_sink*)audio;
  return htz_jack_dead(sink->jack);
}

static bool release(htz_audio* audio) {
  return leave((jack_sink*)audio);
}

static htz_status list(htz_audio_devices* devices, bool inputs) {
  htz_status starved;
  htz_jack* jack = htz_jack_take(HTZ_JACK_LIST, true, false, &starved);
  if (!jack) {
    return starved; // without a server there is nothing to list
  }
  const htz_status st = htz_jack_devices(jack, inputs, devices);
  htz_jack_leave(jack, HTZ_JACK_LIST);
  return st;
}

const htz_audio_class htz_audio_jack = {
    .name = "jack", .takes = takes, .open = open_jack, .release = release, .dead = dead, .list = list};

#else

static bool takes(const char* api, const char* name) {
  (void)name;
  return api && strcmp(api, "jack") == 0;
}

static htz_status open_nothing(const htz_audio_wish* wish, htz_audio** out, htz_audio_format* format, char* why,
                               size_t why_size) {
  (void)format;
  *out = NULL;
  snprintf(why, why_size, "no audio output \"%s\": built without JACK", wish->device);
  return HTZ_NOT_FOUND;
}

const htz_audio_class htz_audio_jack = {.name = "jack", .takes = takes, .open = open_nothing};

#endif
