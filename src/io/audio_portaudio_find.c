#include "audio_private.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

static const char no_output[] = "no audio output found";
static const char no_output_help[] = "use --audio null to play without one, or hertzian render";

// Everything but JACK, which is spoken to directly.
static bool takes(const char* api, const char* name) {
  (void)name;
  return !api || strcmp(api, "jack") != 0;
}

static bool takes_unnamed(const char* api, const char* name) {
  return !*name && takes(api, name);
}

#if defined(HTZ_HAVE_PORTAUDIO)

#include "audio_portaudio.h"

#include <stdlib.h>
#include <strings.h>

/* Which of PortAudio's devices are tried for what is asked for, and in what order. */

#if defined(__linux__)
#include <pa_linux_alsa.h>
#endif

enum { CANDIDATES = 8 };

static htz_status nothing_found(const htz_pa_list* list, const char* device, char* why, size_t why_size) {
  const char* api;
  const char* name = htz_audio_split(device, &api);
  char busy[HTZ_PA_REASON];
  if (*name && htz_pa_busy(list, name, busy)) {
    snprintf(why, why_size, "%s", busy);
    return HTZ_IO;
  }
  if (!*name && !api) {
    snprintf(why, why_size, "%s; %s", no_output, no_output_help);
  } else if (list->n == 0) {
    snprintf(why, why_size, "%s, so none is \"%s\"; %s", no_output, device, no_output_help);
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

static void name_input(inputs* in, const char* name, htz_pa_candidate* c) {
  in->specific = (PaAlsaStreamInfo){.size = sizeof in->specific, .hostApiType = paALSA, .version = 1, .deviceString = name};
  c->in_name = name;
  c->in_index = paUseHostApiSpecificDeviceSpecification;
  c->in_specific = &in->specific;
}

#endif

// Both are one stream, so both have to be on the same host. @return false when it has no such input
static bool find_input(inputs* in, htz_pa_candidate* c) {
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

static htz_status no_input(inputs* in, const char* api, char* why, size_t why_size) {
  in->absent = true;
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

// ---- in PortAudio's list

/** All that opening leans on. */
typedef struct {
  htz_pa_sink* sink;
  const htz_audio_wish* wish;
  htz_pa_list list;
  inputs in;
  htz_audio_format* format;
  char* why;
  size_t why_size;
} opening;

static PaError start(const opening* o, const htz_pa_candidate* c, size_t n) {
  return htz_pa_start(o->sink, o->wish, c, n, o->format, o->why, o->why_size);
}

// @return HTZ_NOT_FOUND, without a reason, when `found` is 0
static htz_status open_listed(opening* o, const size_t* order, size_t found) {
  htz_pa_candidate c[CANDIDATES];
  size_t n = 0;
  for (size_t i = 0; i < found; ++i) {
    const htz_audio_entry* entry = &o->list.entry[order[i]];
    const PaDeviceIndex index = o->list.index[order[i]];
    c[n] = (htz_pa_candidate){.index = index, .api = entry->api, .name = entry->name, .channels = entry->channels};
    c[n].own_hz = o->sink->pa.Pa_GetDeviceInfo(index)->defaultSampleRate;
    n += find_input(&o->in, &c[n]);
  }
  if (found > 0 && n == 0) {
    return no_input(&o->in, o->list.entry[order[0]].api, o->why, o->why_size);
  }
  return n == 0 ? HTZ_NOT_FOUND : start(o, c, n) ? HTZ_IO : HTZ_OK;
}

// ---- what ALSA has and PortAudio does not list

#if defined(__linux__)

// "plughw:1,0" and all that its configuration defines, by name.
static htz_status open_unlisted(opening* o, const char* api, const char* name) {
  PaAlsaStreamInfo specific = {.size = sizeof specific, .hostApiType = paALSA, .version = 1, .deviceString = name};
  htz_pa_candidate c = {.index = paUseHostApiSpecificDeviceSpecification, .api = "alsa", .name = name, .specific = &specific};
  const bool alsa_meant = *name && o->sink->pa.PaAlsa_SetRetriesBusy && (api || strchr(name, ':'));
  if (!alsa_meant) {
    return HTZ_NOT_FOUND;
  }
  if (!find_input(&o->in, &c)) {
    return no_input(&o->in, "alsa", o->why, o->why_size);
  }
  const PaError error = start(o, &c, 1);
  const bool there = error == paDeviceUnavailable || error == paInvalidSampleRate || error == paInvalidChannelCount;
  return there ? HTZ_IO : error ? HTZ_NOT_FOUND : HTZ_OK;
}

// The shared device of a card, where ALSA has no default of any kind.
static htz_status open_sysdefault(opening* o) {
  char shared[HTZ_PA_SYSDEFAULT];
  PaAlsaStreamInfo specific = {.size = sizeof specific, .hostApiType = paALSA, .version = 1, .deviceString = shared};
  htz_pa_candidate c = {.index = paUseHostApiSpecificDeviceSpecification, .api = "alsa", .name = shared, .specific = &specific};
  if (!o->sink->pa.PaAlsa_SetRetriesBusy) {
    return HTZ_NOT_FOUND;
  }
  const bool heard = find_input(&o->in, &c);
  // The default input of a card goes with its default output.
  const bool beside = !heard && !*o->in.name && (!o->in.api || strcmp(o->in.api, "alsa") == 0);
  if (!heard && !beside) {
    return no_input(&o->in, "alsa", o->why, o->why_size);
  }
  PaError error = paInvalidDevice;
  for (size_t i = 0; i < CANDIDATES && error && htz_pa_sysdefault(i, shared); ++i) {
    if (beside) {
      name_input(&o->in, shared, &c);
    }
    error = start(o, &c, 1);
  }
  return error == paDeviceUnavailable ? HTZ_IO : error ? HTZ_NOT_FOUND : HTZ_OK;
}

#else

static htz_status open_unlisted(opening* o, const char* api, const char* name) {
  (void)o;
  (void)api;
  (void)name;
  return HTZ_NOT_FOUND;
}

static htz_status open_sysdefault(opening* o) {
  (void)o;
  return HTZ_NOT_FOUND;
}

#endif

// ---- what is asked for

// A device by its name, or what programs share.
static htz_status open_meant(opening* o) {
  const char* api;
  const char* device = o->wish->device;
  const char* name = htz_audio_split(device, &api);
  size_t order[CANDIDATES];
  // A name means one device; without one the next best is as good.
  const size_t found = htz_audio_pick(device, o->list.entry, o->list.n, order, *name ? 1 : CANDIDATES);
  if (found > 0) {
    return open_listed(o, order, found);
  }
  const htz_status st = open_unlisted(o, api, name);
  if (st != HTZ_NOT_FOUND || o->in.absent) {
    return st;
  }
  return nothing_found(&o->list, device, o->why, o->why_size);
}

// A card: one that programs share; one for this program alone only where there is nothing else at all.
static htz_status open_card(opening* o) {
  const char* device = o->wish->device;
  size_t order[CANDIDATES];
  size_t found = htz_audio_pick_card(device, false, o->list.entry, o->list.n, order, CANDIDATES);
  if (found > 0) {
    return open_listed(o, order, found);
  }
  const htz_status st = open_sysdefault(o);
  if (st != HTZ_NOT_FOUND || o->in.absent || htz_audio_pick(device, o->list.entry, o->list.n, order, 1) > 0) {
    return st;
  }
  found = htz_audio_pick_card(device, true, o->list.entry, o->list.n, order, CANDIDATES);
  return found > 0 ? open_listed(o, order, found) : nothing_found(&o->list, device, o->why, o->why_size);
}

static htz_status open_with(htz_status (*choose)(opening*), const htz_audio_wish* wish, htz_audio** out,
                            htz_audio_format* format, char* why, size_t why_size) {
  htz_pa_sink* sink = NULL;
  const size_t size = sizeof *sink + 2 * wish->frames * sizeof sink->stereo[0];
  if (posix_memalign((void**)&sink, _Alignof(htz_pa_sink), size) != 0) {
    snprintf(why, why_size, "audio: %s", htz_status_text(HTZ_NO_MEMORY));
    return HTZ_NO_MEMORY;
  }
  memset(sink, 0, size);
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
  opening o = {.sink = sink, .wish = wish, .format = format, .why = why, .why_size = why_size};
  htz_status st = htz_pa_list_make(&sink->pa, false, &o.list);
  if (!st) {
    st = inputs_make(&sink->pa, wish, &o.in);
  }
  if (st) {
    snprintf(why, why_size, "audio: %s", htz_status_text(st));
  } else {
    why[0] = '\0';
    st = choose(&o);
  }
  htz_pa_list_free(&o.list);
  htz_pa_list_free(&o.in.list);
  if (st) {
    sink->pa.Pa_Terminate();
    free(sink);
    return st;
  }
  *out = &sink->base;
  return HTZ_OK;
}

static htz_status open_device(const htz_audio_wish* wish, htz_audio** out, htz_audio_format* format, char* why,
                              size_t why_size) {
  return open_with(open_meant, wish, out, format, why, why_size);
}

static htz_status open_any_card(const htz_audio_wish* wish, htz_audio** out, htz_audio_format* format, char* why,
                                size_t why_size) {
  return open_with(open_card, wish, out, format, why, why_size);
}

const htz_audio_class htz_audio_portaudio = {
    .name = "portaudio",
    .takes = takes,
    .open = open_device,
    .release = htz_pa_release,
    .dead = htz_pa_dead,
    .list = htz_pa_devices,
};

// What is left where nothing is shared and no server runs.
const htz_audio_class htz_audio_cards = {.name = "cards", .takes = takes_unnamed, .open = open_any_card};

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
const htz_audio_class htz_audio_cards = {.name = "cards", .takes = takes_unnamed, .open = open_nothing};

#endif
