#include "audio_library.h"
#include "midi_in_pick.h"
#include "midi_in_portmidi.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#if defined(HTZ_HAVE_PORTMIDI)

bool htz_pm_load(htz_pm* pm, bool verbose) {
  static const char* const names[] = {"libportmidi.so.0", "libportmidi.so.1",  "libportmidi.so.2",
                                      "libportmidi.so",   "libportmidi.dylib", NULL};
  void* library = htz_library_open(names);
  if (!library) {
    return false;
  }
  bool complete = true;
#define HTZ_PM_FIND(name) complete = htz_library_find(library, #name, &pm->name) && complete;
  HTZ_PM_FUNCTIONS(HTZ_PM_FIND)
#undef HTZ_PM_FIND
  if (!verbose) {
    htz_library_silence(library);
  }
  return complete;
}

size_t htz_pm_ports(const htz_pm* pm, htz_alsa* alsa, htz_pm_port* out, size_t max) {
  htz_alsa_port known[HTZ_ALSA_PORTS];
  const size_t n_known = alsa ? htz_alsa_ports(alsa, known, HTZ_ALSA_PORTS) : 0;
  const int count = pm->Pm_CountDevices();
  size_t n = 0, next = 0;
  for (PmDeviceID id = 0; id < count && n < max; ++id) {
    const PmDeviceInfo* info = pm->Pm_GetDeviceInfo(id);
    if (!info || !info->input || !info->name) {
      continue;
    }
    out[n] = (htz_pm_port){.id = id, .at = {.client = -1, .port = -1}};
    snprintf(out[n].at.name, sizeof out[n].at.name, "%s", info->name);
    // Both lists are in the same order, so the next of that name is it, also where several have one name.
    size_t k = next;
    while (k < n_known && strcmp(known[k].name, out[n].at.name) != 0) {
      ++k;
    }
    if (k < n_known) {
      out[n].at = known[k];
      next = k + 1;
    }
    ++n;
  }
  return n;
}

// Without an ALSA sequencer to ask.
static size_t ports_of_portmidi(htz_alsa_port* out, size_t max, const char** reason) {
  htz_pm pm;
  errno = 0;
  if (!htz_pm_load(&pm, false)) {
    const htz_status missing = htz_status_of_errno(errno, HTZ_NOT_FOUND);
    *reason = htz_status_starved(missing) ? htz_status_text(missing) : "PortMidi is not installed";
    return 0;
  }
  htz_pm_port ports[HTZ_ALSA_PORTS];
  pm.Pm_Initialize();
  const size_t n = htz_pm_ports(&pm, NULL, ports, max < HTZ_ALSA_PORTS ? max : HTZ_ALSA_PORTS);
  pm.Pm_Terminate();
  for (size_t i = 0; i < n; ++i) {
    out[i] = ports[i].at;
  }
  return n;
}

#else

static size_t ports_of_portmidi(htz_alsa_port* out, size_t max, const char** reason) {
  (void)out;
  (void)max;
  *reason = "built without PortMidi";
  return 0;
}

#endif

htz_status htz_midi_list(htz_midi_port** out, size_t* n, char* why, size_t why_size) {
  htz_alsa_port ports[HTZ_ALSA_PORTS];
  const char* reason = htz_alsa_missing();
  *out = NULL;
  *n = 0;
  if (!reason) {
    htz_alsa* alsa = htz_alsa_open(false, false);
    *n = alsa ? htz_alsa_ports(alsa, ports, HTZ_ALSA_PORTS) : ports_of_portmidi(ports, HTZ_ALSA_PORTS, &reason);
    htz_alsa_close(alsa);
  }
  snprintf(why, why_size, "%s", reason ? reason : "");
  if (*n == 0) {
    return HTZ_OK;
  }
  *out = calloc(*n, sizeof **out);
  if (!*out) {
    *n = 0;
    return HTZ_NO_MEMORY;
  }
  const char* names[HTZ_ALSA_PORTS];
  for (size_t i = 0; i < *n; ++i) {
    names[i] = ports[i].name;
  }
  for (size_t i = 0; i < *n; ++i) {
    htz_midi_name_twin((*out)[i].name, sizeof(*out)[i].name, names, *n, i);
    (*out)[i].skipped = htz_midi_skipped(ports[i].name);
    (*out)[i].preferred = !(*out)[i].skipped;
  }
  return HTZ_OK;
}
