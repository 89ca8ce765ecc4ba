#if defined(HTZ_HAVE_PORTAUDIO)

#include "audio_holder.h"
#include "audio_library.h"
#include "audio_portaudio.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char proc[] = "/proc";

enum { PCMS = 64 }; // of the kernel's 32 cards, those that play

// JACK is spoken to directly: PortAudio's client cannot be given up when the server dies, and disturbs any other that this process
// has. With a name too long by one no server takes it, and PortAudio has no such host.
static void keep_off_jack(const htz_pa* pa) {
  static const char name[] = "hertzian itself is the client ------------------------------------------------------------------"
                             "------------------------------------------------------------------------------------------------"
                             "------------------------------------------------------------------------------------------------";
  int (*name_size)(void); // with the zero at its end
  if (pa->PaJack_SetClientName && htz_library_find(pa->library, "jack_client_name_size", &name_size)) {
    const int longest = name_size();
    if (longest > 0 && (size_t)longest < sizeof name) {
      pa->PaJack_SetClientName(name + sizeof name - 1 - longest);
    }
  }
}

bool htz_pa_open(htz_pa* pa, bool verbose) {
  errno = 0;
  static const char* const names[] = {"libportaudio.so.2", "libportaudio.2.dylib", "libportaudio.dylib", "libportaudio.dll",
                                      NULL};
  memset(pa, 0, sizeof *pa);
  pa->library = htz_library_open(names);
  if (!pa->library) {
    return false;
  }
  bool complete = true;
#define HTZ_PA_FIND(name) complete = htz_library_find(pa->library, #name, &pa->name) && complete;
  HTZ_PA_FUNCTIONS(HTZ_PA_FIND)
#undef HTZ_PA_FIND
  htz_library_find(pa->library, "PaAlsa_EnableRealtimeScheduling", &pa->PaAlsa_EnableRealtimeScheduling);
  htz_library_find(pa->library, "PaAlsa_SetRetriesBusy", &pa->PaAlsa_SetRetriesBusy);
  htz_library_find(pa->library, "PaJack_SetClientName", &pa->PaJack_SetClientName);
  if (!complete) {
    return false;
  }
  if (!verbose) {
    htz_library_silence(pa->library);
  }
  if (pa->PaAlsa_SetRetriesBusy) {
    const int tries = 10; // of 10 ms; as delivered it is a second for each busy device
    pa->PaAlsa_SetRetriesBusy(tries);
  }
  keep_off_jack(pa);
  const bool away = htz_stderr_away(!verbose);
  const PaError error = pa->Pa_Initialize();
  htz_stderr_back(away);
  return error == paNoError;
}

double htz_pa_latency(double latency_s) {
  const double longest_s = 2; // beyond any buffer that one would play through
  return latency_s > 0 && latency_s <= longest_s ? latency_s : 0;
}

static const char* api_name(PaHostApiTypeId type) {
  switch (type) {
  case paALSA:
    return "alsa";
  case paJACK:
    return "jack";
  case paOSS:
    return "oss";
  case paCoreAudio:
    return "coreaudio";
  case paWASAPI:
    return "wasapi";
  case paWDMKS:
    return "wdmks";
  case paMME:
    return "mme";
  case paDirectSound:
    return "directsound";
  case paASIO:
    return "asio";
  default:
    return "other";
  }
}

htz_status htz_pa_list_make(const htz_pa* pa, bool inputs, htz_pa_list* list) {
  const PaDeviceIndex count = pa->Pa_GetDeviceCount();
  memset(list, 0, sizeof *list);
  if (count <= 0) {
    return HTZ_OK;
  }
  list->entry = calloc((size_t)count, sizeof *list->entry);
  list->index = calloc((size_t)count, sizeof *list->index);
  if (!list->entry || !list->index) {
    htz_pa_list_free(list);
    return HTZ_NO_MEMORY;
  }
  for (PaDeviceIndex i = 0; i < count; ++i) {
    const PaDeviceInfo* info = pa->Pa_GetDeviceInfo(i);
    const PaHostApiInfo* api = info ? pa->Pa_GetHostApiInfo(info->hostApi) : NULL;
    const int channels = api ? (inputs ? info->maxInputChannels : info->maxOutputChannels) : 0;
    if (channels > 0) {
      list->entry[list->n] = (htz_audio_entry){.api = api_name(api->type),
                                               .name = info->name,
                                               .channels = channels,
                                               .first = (inputs ? api->defaultInputDevice : api->defaultOutputDevice) == i};
      list->index[list->n++] = i;
    }
  }
  return HTZ_OK;
}

void htz_pa_list_free(htz_pa_list* list) {
  free(list->entry);
  free(list->index);
  memset(list, 0, sizeof *list);
}

static void find_rates(const htz_pa* pa, PaDeviceIndex index, bool input, double* rates, size_t max) {
  const PaDeviceInfo* info = pa->Pa_GetDeviceInfo(index);
  const PaStreamParameters wanted = {.device = index,
                                     .channelCount = input || info->maxOutputChannels < 2 ? 1 : 2,
                                     .sampleFormat = paFloat32,
                                     .suggestedLatency = input ? info->defaultLowInputLatency : info->defaultLowOutputLatency};
  if (htz_pa_rates(pa, &wanted, input, rates, max - 1) == 0) {
    rates[0] = info->defaultSampleRate;
  }
}

static htz_status add_listed(const htz_pa* pa, const htz_pa_list* list, bool input, htz_audio_devices* devices) {
  htz_status st = HTZ_OK;
  for (size_t i = 0; i < list->n && !st; ++i) {
    const PaDeviceInfo* info = pa->Pa_GetDeviceInfo(list->index[i]);
    htz_audio_device device = {.channels = list->entry[i].channels, .preferred = list->entry[i].first};
    snprintf(device.name, sizeof device.name, "%s", info->name);
    snprintf(device.api, sizeof device.api, "%s", list->entry[i].api);
    device.latency_s = htz_pa_latency(input ? info->defaultLowInputLatency : info->defaultLowOutputLatency);
    find_rates(pa, list->index[i], input, device.rates, sizeof device.rates / sizeof device.rates[0]);
    st = htz_audio_devices_add(devices, &device);
  }
  return st;
}

bool htz_pa_sysdefault(size_t n, char name[HTZ_PA_SYSDEFAULT]) {
#if defined(__linux__)
  htz_audio_pcm pcms[PCMS];
  const size_t count = htz_audio_pcms(proc, pcms, PCMS);
  size_t found = 0;
  for (size_t i = 0; i < count; ++i) {
    const bool first_of_card = i == 0 || pcms[i].card != pcms[i - 1].card;
    if (first_of_card && !htz_audio_unreal(pcms[i].name) && found++ == n) {
      // By its identifier where there is one: the number changes when a card is plugged in again.
      if (pcms[i].id[0]) {
        snprintf(name, HTZ_PA_SYSDEFAULT, "sysdefault:CARD=%s", pcms[i].id);
      } else {
        snprintf(name, HTZ_PA_SYSDEFAULT, "sysdefault:CARD=%d", pcms[i].card);
      }
      return true;
    }
  }
#else
  (void)n;
  (void)name;
#endif
  return false;
}

// So that the listing shows what would be used also where nothing of PortAudio's own is.
static htz_status add_sysdefault(const htz_pa_list* list, htz_audio_devices* devices) {
  size_t preferred;
  htz_audio_device device = {.api = "alsa", .channels = 2, .rates = {48000}, .preferred = true};
  char name[HTZ_PA_SYSDEFAULT];
  if (htz_audio_pick(NULL, list->entry, list->n, &preferred, 1) ||
      htz_audio_pick_card(NULL, false, list->entry, list->n, &preferred, 1) || !htz_pa_sysdefault(0, name)) {
    return HTZ_OK;
  }
  snprintf(device.name, sizeof device.name, "%s", name);
  return htz_audio_devices_add(devices, &device);
}

bool htz_pa_listed(const htz_pa_list* list, const htz_audio_pcm* pcm) {
  for (size_t i = 0; i < list->n; ++i) {
    int card, device;
    if (htz_audio_raw(list->entry[i].name, &card, &device) && card == pcm->card && device == pcm->device) {
      return true;
    }
  }
  return false;
}

// A device that somebody holds is missing from PortAudio's list, which has only what could be opened.
static htz_status add_busy(const htz_pa_list* list, htz_audio_devices* devices) {
  htz_audio_pcm pcms[PCMS];
  const size_t n = htz_audio_pcms(proc, pcms, PCMS);
  htz_status st = HTZ_OK;
  for (size_t i = 0; i < n && !st; ++i) {
    htz_audio_device device = {.api = "alsa", .channels = 2};
    if (!htz_pa_listed(list, &pcms[i]) &&
        htz_audio_holder(proc, pcms[i].card, pcms[i].device, device.busy, sizeof device.busy)) {
      snprintf(device.name, sizeof device.name, "%s", pcms[i].name);
      st = htz_audio_devices_add(devices, &device);
    }
  }
  return st;
}

htz_status htz_pa_devices(htz_audio_devices* devices, bool inputs) {
  htz_pa pa;
  htz_pa_list list = {0};
  if (!htz_pa_open(&pa, false)) {
    return htz_status_of_errno(errno, HTZ_OK); // without the library there is nothing to list
  }
  const bool away = htz_stderr_away(true);
  htz_status st = htz_pa_list_make(&pa, inputs, &list);
  if (!st) {
    st = add_listed(&pa, &list, inputs, devices);
  }
  if (!st && !inputs) {
    st = add_sysdefault(&list, devices);
  }
  if (!st && !inputs) {
    st = add_busy(&list, devices);
  }
  htz_pa_list_free(&list);
  pa.Pa_Terminate();
  htz_stderr_back(away);
  return st;
}

#else

typedef int htz_nothing_here; // ISO C wants something in a file

#endif
