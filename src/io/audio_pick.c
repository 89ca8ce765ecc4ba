#include "audio_pick.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

static const char* const apis[] = {"alsa", "jack", "oss", "coreaudio", "wasapi", "wdmks", "mme", "directsound", "asio"};

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

static int default_rank(const htz_audio_entry* entry) {
  static const struct {
    const char* api;
    const char* name; // how it starts; NULL: the host's first choice
  } ranks[] = {
      {"alsa", "default"}, {"alsa", "pipewire"}, {"alsa", "pulse"}, {"jack", NULL}, {"alsa", "sysdefault"}, {"alsa", "dmix"},
  };
  enum { COUNT = sizeof ranks / sizeof ranks[0] };
  for (int i = 0; i < COUNT; ++i) {
    if (strcmp(entry->api, ranks[i].api) == 0 &&
        (ranks[i].name ? strncasecmp(entry->name, ranks[i].name, strlen(ranks[i].name)) == 0 : entry->first)) {
      return i;
    }
  }
  const bool elsewhere = strcmp(entry->api, "alsa") != 0 && strcmp(entry->api, "jack") != 0 && strcmp(entry->api, "oss") != 0;
  return elsewhere && entry->first ? COUNT : NOT_MEANT;
}

static int rank_of(const htz_audio_entry* entry, const char* api, const char* name) {
  const int least = entry->input ? 1 : 2;
  if (entry->channels < least || (api && strcmp(entry->api, api) != 0)) {
    return NOT_MEANT;
  }
  if (!*name) {
    const int rank = default_rank(entry);
    // Asked for by its host, any first choice will do, as long as others can use the device too.
    int card, device;
    const bool shared = !htz_audio_raw(entry->name, &card, &device);
    return rank == NOT_MEANT && api && entry->first && shared ? NOT_MEANT - 1 : rank;
  }
  if (strcasecmp(entry->name, name) == 0) {
    return 0;
  }
  int card, device;
  return !htz_has_part(entry->name, name) ? NOT_MEANT : htz_audio_raw(entry->name, &card, &device) ? 2 : 1;
}

size_t htz_audio_pick(const char* device, const htz_audio_entry* entries, size_t n, size_t* order, size_t max) {
  const char* api;
  const char* name = htz_audio_split(device, &api);
  size_t found = 0;
  for (int rank = 0; rank < NOT_MEANT; ++rank) {
    for (size_t i = 0; i < n && found < max; ++i) {
      if (rank_of(&entries[i], api, name) == rank) {
        order[found++] = i;
      }
    }
  }
  return found;
}
