#if defined(HTZ_HAVE_PORTAUDIO)

#include "audio_holder.h"
#include "audio_library.h"
#include "audio_portaudio.h"

#include <stdio.h>
#include <string.h>

/* Why a device cannot be opened, in words that help. */

static const char proc[] = "/proc";

size_t htz_pa_rates(const htz_pa* pa, const PaStreamParameters* wanted, bool input, double* rates, size_t max) {
  static const double usual[] = {32000, 44100, 48000, 88200, 96000, 176400, 192000};
  size_t n = 0;
  for (size_t i = 0; i < sizeof usual / sizeof usual[0] && n < max; ++i) {
    if (pa->Pa_IsFormatSupported(input ? wanted : NULL, input ? NULL : wanted, usual[i]) == paFormatIsSupported) {
      rates[n++] = usual[i];
    }
  }
  return n;
}

// ", it runs at 48000 and 96000 Hz", as far as it says.
static void list_rates(const htz_pa_sink* sink, const htz_pa_candidate* c, bool quiet, char* text, size_t size) {
  enum { RATES = 8 };
  double rates[RATES];
  const PaStreamParameters wanted = htz_pa_output(c, sink->route.outputs);
  const bool away = htz_stderr_away(quiet);
  const size_t n = htz_pa_rates(&sink->pa, &wanted, false, rates, RATES);
  htz_stderr_back(away);
  size_t used = 0;
  text[0] = '\0';
  for (size_t i = 0; i < n && used < size; ++i) {
    const char* between = i == 0 ? "it runs at " : i + 1 < n ? ", " : " and ";
    used += (size_t)snprintf(text + used, size - used, "%s%g", between, rates[i]);
  }
  if (n > 0 && used < size) {
    snprintf(text + used, size - used, " Hz");
  }
}

// Card and device that a name has in it: "HDMI 0 (hw:0,3)", "plughw:0,3", "sysdefault:CARD=PCH". @return whether it does
static bool find_card(const char* name, int* card, int* device) {
  enum { PCMS = 64 };
  htz_audio_pcm pcms[PCMS];
  const char* raw = strstr(name, "hw:");
  if (raw && sscanf(raw, "hw:%d,%d", card, device) == 2) {
    return true;
  }
  const char* by_id = strstr(name, "CARD=");
  const size_t n = by_id ? htz_audio_pcms(proc, pcms, PCMS) : 0;
  for (size_t i = 0; i < n; ++i) {
    if (strcmp(by_id + strlen("CARD="), pcms[i].id) == 0) {
      *card = pcms[i].card;
      *device = pcms[i].device;
      return true;
    }
  }
  return false;
}

static void say_busy(const char* name, const char* holder, char why[HTZ_PA_REASON]) {
  snprintf(why, HTZ_PA_REASON, "audio output \"%s\" is busy%s%s; use the default output or JACK (-a jack:)", name,
           *holder ? ": held by " : "", holder);
}

void htz_pa_explain(const htz_pa_sink* sink, PaError error, const htz_pa_candidate* c, double rate_hz, bool quiet,
                    char why[HTZ_PA_REASON]) {
  const htz_pa* pa = &sink->pa;
  char both[2 * sizeof((htz_audio_format*)NULL)->name];
  const char* name = c->name;
  if (c->in_name) {
    snprintf(both, sizeof both, "%s\" with input \"%s", c->name, c->in_name);
    name = both;
  }
  const PaHostErrorInfo* host = pa->Pa_GetLastHostErrorInfo();
  if (error == paInvalidSampleRate) {
    char rates[128];
    list_rates(sink, c, quiet, rates, sizeof rates);
    snprintf(why, HTZ_PA_REASON, "audio output \"%s\" does not run at %g Hz; %s%sleave the rate out for its own", name, rate_hz,
             rates, *rates ? ", or " : "");
  } else if (error == paInvalidChannelCount && c->channels > 0) {
    snprintf(why, HTZ_PA_REASON, "audio output \"%s\" has no %u channels, only %d", name, sink->route.outputs, c->channels);
  } else if (error == paBadIODeviceCombination && c->in_name) {
    snprintf(why, HTZ_PA_REASON, "audio input \"%s\" cannot be opened together with the output \"%s\"", c->in_name, c->name);
  } else if (error == paDeviceUnavailable) {
    int card = -1, device = 0;
    char holder[128];
    if (!find_card(name, &card, &device)) {
      card = -1;
    }
    htz_audio_holder(proc, card, device, holder, sizeof holder);
    say_busy(name, holder, why);
  } else if (error == paUnanticipatedHostError && host && host->errorText && *host->errorText) {
    snprintf(why, HTZ_PA_REASON, "audio output \"%s\": %s", name, host->errorText);
  } else {
    snprintf(why, HTZ_PA_REASON, "audio output \"%s\": %s", name, pa->Pa_GetErrorText(error));
  }
}

bool htz_pa_busy(const htz_pa_list* list, const char* name, char why[HTZ_PA_REASON]) {
  enum { PCMS = 64 };
  htz_audio_pcm pcms[PCMS];
  char holder[128];
  const size_t n = htz_audio_pcms(proc, pcms, PCMS);
  for (size_t i = 0; i < n; ++i) {
    if (htz_has_part(pcms[i].name, name) && !htz_pa_listed(list, &pcms[i]) &&
        htz_audio_holder(proc, pcms[i].card, pcms[i].device, holder, sizeof holder)) {
      say_busy(pcms[i].name, holder, why);
      return true;
    }
  }
  return false;
}

#else

typedef int htz_nothing_here; // ISO C wants something in a file

#endif
