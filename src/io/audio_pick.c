#include "audio_pick.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

static const char* const apis[] = {"null", "alsa", "jack", "oss", "coreaudio", "wasapi", "wdmks", "mme", "directsound", "asio"};

enum { NOT_MEANT = 100 }; // above every rank

bool htz_has_part(const char* text, const char* part) {
  const size_t n = strlen(part);
  for (; strlen(text) >= n; ++text) {
    if (strncasecmp(text, part, n) == 0) {
      return true;
    }
    if (!*text) {
      break;
    }
  }
  return false;
}

const char* htz_audio_split(const char* device, const char** api) {
  *api = NULL;
  if (!device) {
    return "";
  }
  for (size_t i = 0; i < sizeof apis / sizeof apis[0]; ++i) {
    const size_t n = strlen(apis[i]);
    if (strncasecmp(device, apis[i], n) == 0 && device[n] == ':') {
      *api = apis[i];
      return device + n + 1;
    }
  }
  return device;
}

bool htz_audio_raw(const char* name, int* card, int* device) {
  const char* at = strstr(name, "(hw:");
  return at && sscanf(at, "(hw:%d,%d)", card, device) == 2;
}

bool htz_audio_unreal(const char* name) {
  return htz_has_part(name, "loopback") || htz_has_part(name, "dummy");
}

// Where "(hw:1,0)" begins in a name that ends so, else the end of it.
static size_t without_number(const char* name) {
  int card, device;
  return htz_audio_raw(name, &card, &device) ? (size_t)(strstr(name, "(hw:") - name) : strlen(name);
}

static bool equal_but_for_card(const char* a, const char* b) {
  const size_t n = without_number(a);
  int card, device_a, device_b;
  return htz_audio_raw(a, &card, &device_a) && htz_audio_raw(b, &card, &device_b) && device_a == device_b &&
         without_number(b) == n && strncasecmp(a, b, n) == 0;
}

// An order of preference: rows of a host's name and how a device's starts, NULL: the host's first choice.
typedef struct {
  const char* api;
  const char* name;
} preference;

static int rank_among(const preference* list, int n, const htz_audio_entry* entry) {
  for (int i = 0; i < n; ++i) {
    const char* name = list[i].name;
    if (strcmp(entry->api, list[i].api) == 0 && (name ? strncasecmp(entry->name, name, strlen(name)) == 0 : entry->first)) {
      return i;
    }
  }
  return NOT_MEANT;
}

static int shared_rank(const htz_audio_entry* entry, const char* api) {
  static const preference list[] = {{"alsa", "default"}, {"alsa", "pipewire"}, {"alsa", "pulse"}};
  enum { COUNT = sizeof list / sizeof list[0], JACK = COUNT + 1 };
  const int rank = rank_among(list, COUNT, entry);
  const bool elsewhere = strcmp(entry->api, "alsa") != 0 && strcmp(entry->api, "jack") != 0 && strcmp(entry->api, "oss") != 0;
  if (rank == NOT_MEANT && elsewhere && entry->first) {
    return COUNT;
  }
  if (strcmp(entry->api, "jack") == 0 && entry->first) {
    return JACK; // asked after all hosts of PortAudio
  }
  // Asked for by its host, any first choice will do, as long as others can use the device too.
  int card, device;
  const bool raw = htz_audio_raw(entry->name, &card, &device);
  return rank == NOT_MEANT && api && entry->first && !raw ? NOT_MEANT - 1 : rank;
}

static int card_rank(const htz_audio_entry* entry, bool raw) {
  static const preference shared[] = {{"alsa", "sysdefault"}, {"alsa", "dmix"}};
  int card, device;
  if (!raw) {
    return rank_among(shared, sizeof shared / sizeof shared[0], entry);
  }
  if (strcmp(entry->api, "oss") == 0) {
    return entry->first ? 2 : NOT_MEANT;
  }
  return !htz_audio_raw(entry->name, &card, &device) || htz_audio_unreal(entry->name) ? NOT_MEANT
         : htz_has_part(entry->name, "hdmi")                                          ? 1
                                                                                      : 0;
}

static int name_rank(const htz_audio_entry* entry, const char* name) {
  if (strcasecmp(entry->name, name) == 0) {
    return 0;
  }
  if (equal_but_for_card(entry->name, name)) {
    return 1;
  }
  int card, device;
  return !htz_has_part(entry->name, name) ? NOT_MEANT : htz_audio_raw(entry->name, &card, &device) ? 3 : 2;
}

typedef enum { SHARED, CARDS, RAW_CARDS } among;

static size_t pick(const char* device, among which, const htz_audio_entry* entries, size_t n, size_t* order, size_t max) {
  const char* api;
  const char* name = htz_audio_split(device, &api);
  size_t found = 0;
  for (int wanted = 0; wanted < NOT_MEANT; ++wanted) {
    for (size_t i = 0; i < n && found < max; ++i) {
      const htz_audio_entry* entry = &entries[i];
      const int rank = entry->channels < 1 || (api && strcmp(entry->api, api) != 0) ? NOT_MEANT
                       : which != SHARED                                            ? card_rank(entry, which == RAW_CARDS)
                       : *name                                                      ? name_rank(entry, name)
                                                                                    : shared_rank(entry, api);
      if (rank == wanted) {
        order[found++] = i;
      }
    }
  }
  return found;
}

size_t htz_audio_pick(const char* device, const htz_audio_entry* entries, size_t n, size_t* order, size_t max) {
  return pick(device, SHARED, entries, n, order, max);
}

size_t htz_audio_pick_card(const char* device, bool raw, const htz_audio_entry* entries, size_t n, size_t* order, size_t max) {
  return pick(device, raw ? RAW_CARDS : CARDS, entries, n, order, max);
}
