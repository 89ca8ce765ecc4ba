#include "midi_in_pick.h"

#include "audio_pick.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { NAME = 128 };

static const char jack[] = "jack";

// Whether a name asks for a port of ours and for nobody else's.
static bool is_own(const char* name) {
  return strcasecmp(name, "alsa") == 0 || strcasecmp(name, jack) == 0;
}

bool htz_midi_skipped(const char* name) {
  static const char* const parts[] = {"midi through", "portmidi", "hertzian"};
  static const char* const whole[] = {"System", "Timer", "Announce"};
  for (size_t i = 0; i < sizeof parts / sizeof parts[0]; ++i) {
    if (htz_has_part(name, parts[i])) {
      return true;
    }
  }
  for (size_t i = 0; i < sizeof whole / sizeof whole[0]; ++i) {
    if (strcasecmp(name, whole[i]) == 0) {
      return true;
    }
  }
  return false;
}

bool htz_midi_named(const char* word, const char* const* names, size_t n_names) {
  for (size_t i = 0; i < n_names; ++i) {
    if (strcasecmp(names[i], word) == 0) {
      return true;
    }
  }
  return false;
}

static bool none(const char* const* names, size_t n_names) {
  return htz_midi_named("none", names, n_names);
}

bool htz_midi_own_port(const char* system, const char* const* names, size_t n_names) {
  const bool own = n_names == 0 || htz_midi_named(system, names, n_names) || htz_midi_named("all", names, n_names);
  return own && !none(names, n_names);
}

bool htz_midi_beyond_jack(const char* const* names, size_t n_names) {
  bool beyond = n_names == 0;
  for (size_t i = 0; i < n_names; ++i) {
    beyond = beyond || strcasecmp(names[i], jack) != 0;
  }
  return beyond && !none(names, n_names);
}

unsigned htz_midi_twin(const char* const* ports, size_t n, size_t which) {
  unsigned before = 0, all = 0;
  for (size_t i = 0; i < n; ++i) {
    const bool alike = strcmp(ports[i], ports[which]) == 0;
    all += alike;
    before += alike && i < which;
  }
  return all > 1 ? before + 1 : 0;
}

void htz_midi_name_twin(char* text, size_t size, const char* const* ports, size_t n, size_t which) {
  const unsigned twin = htz_midi_twin(ports, n, which);
  if (twin > 0) {
    snprintf(text, size, "%.*s#%u", (int)size - 8, ports[which], twin);
  } else {
    snprintf(text, size, "%s", ports[which]);
  }
}

// Take "#n" off the end of `name`. @return n, or 0 when there is none
static unsigned long split(const char* name, char part[NAME]) {
  snprintf(part, NAME, "%s", name);
  char* mark = strrchr(part, '#');
  if (!mark || !mark[1] || strspn(mark + 1, "0123456789") != strlen(mark + 1)) {
    return 0;
  }
  *mark = '\0';
  return strtoul(mark + 1, NULL, 10);
}

static bool answers(const char* name, const char* const* ports, size_t n, size_t which) {
  char part[NAME];
  const unsigned long number = split(name, part);
  if (is_own(name)) {
    return false;
  }
  if (strcasecmp(name, "all") == 0) {
    return !htz_midi_skipped(ports[which]);
  }
  if (!htz_has_part(ports[which], part)) {
    return false;
  }
  unsigned long before = 0;
  for (size_t i = 0; i < which && i < n; ++i) {
    before += htz_has_part(ports[i], part);
  }
  return number == 0 || number == before + 1;
}

bool htz_midi_wanted(const char* const* names, size_t n_names, const char* const* ports, size_t n, size_t which) {
  if (none(names, n_names)) {
    return false;
  }
  if (n_names == 0) {
    return !htz_midi_skipped(ports[which]);
  }
  for (size_t i = 0; i < n_names; ++i) {
    if (answers(names[i], ports, n, which)) {
      return true;
    }
  }
  return false;
}

const char* htz_midi_unanswered(const char* const* names, size_t n_names, const char* const* ports, size_t n) {
  for (size_t i = 0; i < n_names; ++i) {
    bool found = strcasecmp(names[i], "all") == 0 || strcasecmp(names[i], "none") == 0 || is_own(names[i]);
    for (size_t k = 0; k < n && !found; ++k) {
      found = answers(names[i], ports, n, k);
    }
    if (!found) {
      return names[i];
    }
  }
  return NULL;
}

size_t htz_midi_alike(const char* name, const char* const* ports, size_t n) {
  char part[NAME];
  const unsigned long number = split(name, part);
  size_t alike = 0;
  for (size_t i = 0; i < n; ++i) {
    alike += htz_has_part(ports[i], part);
  }
  return number > alike ? alike : 0;
}
