#include "midi_in_alsa.h"

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

const char* htz_alsa_missing(void) {
#if defined(__linux__)
  if (access("/dev/snd/seq", R_OK | W_OK) != 0) {
    return errno == EACCES ? "/dev/snd/seq may not be opened (join the group audio)"
                           : "this system has no ALSA sequencer (modprobe snd-seq; in a container, pass /dev/snd through)";
  }
#endif
  return NULL;
}

#if defined(HTZ_HAVE_ALSA) && defined(__linux__)

#include "audio_library.h"

#include <alsa/asoundlib.h>

#define FUNCTIONS(F)                                                                                                           \
  F(snd_seq_open)                                                                                                              \
  F(snd_seq_close)                                                                                                             \
  F(snd_seq_set_client_name)                                                                                                   \
  F(snd_seq_create_simple_port)                                                                                                \
  F(snd_seq_connect_from)                                                                                                      \
  F(snd_seq_event_input)                                                                                                       \
  F(snd_seq_client_info_malloc)                                                                                                \
  F(snd_seq_client_info_free)                                                                                                  \
  F(snd_seq_client_info_set_client)                                                                                            \
  F(snd_seq_client_info_get_client)                                                                                            \
  F(snd_seq_query_next_client)                                                                                                 \
  F(snd_seq_port_info_malloc)                                                                                                  \
  F(snd_seq_port_info_free)                                                                                                    \
  F(snd_seq_port_info_set_client)                                                                                              \
  F(snd_seq_port_info_set_port)                                                                                                \
  F(snd_seq_port_info_get_port)                                                                                                \
  F(snd_seq_port_info_get_capability)                                                                                          \
  F(snd_seq_port_info_get_name)                                                                                                \
  F(snd_seq_query_next_port)

struct htz_alsa {
  snd_seq_t* seq;
  snd_seq_client_info_t* client;
  snd_seq_port_info_t* port;
#define MEMBER(name) __typeof__(name)* name;
  FUNCTIONS(MEMBER)
#undef MEMBER
};

static bool find_functions(htz_alsa* alsa, bool verbose) {
  static const char* const names[] = {"libasound.so.2", NULL};
  void* library = htz_library_open(names);
  if (!library) {
    return false;
  }
  bool complete = true;
#define FIND(name) complete = htz_library_find(library, #name, &alsa->name) && complete;
  FUNCTIONS(FIND)
#undef FIND
  if (!verbose) {
    htz_library_silence(library);
  }
  return complete;
}

// A port that nobody else sees, subscribed to the one of the system that announces.
static bool watch_announcements(htz_alsa* alsa) {
  const unsigned hidden = SND_SEQ_PORT_CAP_WRITE | SND_SEQ_PORT_CAP_NO_EXPORT;
  const int port = alsa->snd_seq_create_simple_port(alsa->seq, "watch", hidden, SND_SEQ_PORT_TYPE_APPLICATION);
  return port >= 0 && alsa->snd_seq_connect_from(alsa->seq, port, SND_SEQ_CLIENT_SYSTEM, SND_SEQ_PORT_SYSTEM_ANNOUNCE) == 0;
}

htz_alsa* htz_alsa_open(bool watch, bool verbose) {
  htz_alsa* alsa = calloc(1, sizeof *alsa);
  if (!alsa || !find_functions(alsa, verbose)) {
    free(alsa);
    return NULL;
  }
  if (alsa->snd_seq_open(&alsa->seq, "default", SND_SEQ_OPEN_DUPLEX, SND_SEQ_NONBLOCK) < 0) {
    free(alsa);
    return NULL;
  }
  alsa->snd_seq_set_client_name(alsa->seq, "hertzian");
  if (alsa->snd_seq_client_info_malloc(&alsa->client) < 0 || alsa->snd_seq_port_info_malloc(&alsa->port) < 0 ||
      (watch && !watch_announcements(alsa))) {
    htz_alsa_close(alsa);
    return NULL;
  }
  return alsa;
}

void htz_alsa_close(htz_alsa* alsa) {
  if (!alsa) {
    return;
  }
  if (alsa->client) {
    alsa->snd_seq_client_info_free(alsa->client);
  }
  if (alsa->port) {
    alsa->snd_seq_port_info_free(alsa->port);
  }
  alsa->snd_seq_close(alsa->seq);
  free(alsa);
}

static size_t ports_of_client(htz_alsa* alsa, int client, htz_alsa_port* out, size_t max) {
  size_t n = 0;
  alsa->snd_seq_port_info_set_client(alsa->port, client);
  alsa->snd_seq_port_info_set_port(alsa->port, -1);
  while (n < max && alsa->snd_seq_query_next_port(alsa->seq, alsa->port) >= 0) {
    if (alsa->snd_seq_port_info_get_capability(alsa->port) & SND_SEQ_PORT_CAP_SUBS_READ) {
      out[n].client = client;
      out[n].port = alsa->snd_seq_port_info_get_port(alsa->port);
      snprintf(out[n].name, sizeof out[n].name, "%s", alsa->snd_seq_port_info_get_name(alsa->port));
      ++n;
    }
  }
  return n;
}

size_t htz_alsa_ports(htz_alsa* alsa, htz_alsa_port* out, size_t max) {
  size_t n = 0;
  alsa->snd_seq_client_info_set_client(alsa->client, -1);
  while (n < max && alsa->snd_seq_query_next_client(alsa->seq, alsa->client) >= 0) {
    const int client = alsa->snd_seq_client_info_get_client(alsa->client);
    if (client != SND_SEQ_CLIENT_SYSTEM) {
      n += ports_of_client(alsa, client, out + n, max - n);
    }
  }
  return n;
}

bool htz_alsa_changed(htz_alsa* alsa) {
  bool changed = false;
  for (;;) {
    snd_seq_event_t* event = NULL;
    const int result = alsa->snd_seq_event_input(alsa->seq, &event);
    if (result == -ENOSPC) { // there were too many to keep
      changed = true;
      continue;
    }
    if (result < 0 || !event) {
      return changed;
    }
    changed = changed || event->type == SND_SEQ_EVENT_PORT_START || event->type == SND_SEQ_EVENT_PORT_EXIT ||
              event->type == SND_SEQ_EVENT_PORT_CHANGE || event->type == SND_SEQ_EVENT_CLIENT_EXIT;
  }
}

#else

htz_alsa* htz_alsa_open(bool watch, bool verbose) {
  (void)watch;
  (void)verbose;
  return NULL;
}

void htz_alsa_close(htz_alsa* alsa) {
  (void)alsa;
}

size_t htz_alsa_ports(htz_alsa* alsa, htz_alsa_port* out, size_t max) {
  (void)alsa;
  (void)out;
  (void)max;
  return 0;
}

bool htz_alsa_changed(htz_alsa* alsa) {
  (void)alsa;
  return false;
}

#endif
