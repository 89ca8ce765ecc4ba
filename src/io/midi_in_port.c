#include "midi_in_private.h"

#include <stdio.h>

#if defined(HTZ_HAVE_ALSA) && defined(__linux__)

#include "audio_library.h"
#include "audio_thread.h"
#include "clock.h"
#include "midi_in_alsa.h"
#include "midi_in_pick.h"

#include <alsa/asoundlib.h>
#include <poll.h>
#include <stdlib.h>

/*
   A port of our own in the ALSA sequencer, which other programs find under the program's name and send to. It is a source while
   anybody is connected to it.
*/

enum {
  BYTES = 4096, // of one event, a piece of an exclusive message
  FDS = 4,      // of the sequencer; it has one
  SETTLE_MS = 5
};

#define FUNCTIONS(F)                                                                                                           \
  F(snd_seq_open)                                                                                                              \
  F(snd_seq_close)                                                                                                             \
  F(snd_seq_set_client_name)                                                                                                   \
  F(snd_seq_create_simple_port)                                                                                                \
  F(snd_seq_event_input)                                                                                                       \
  F(snd_seq_poll_descriptors)                                                                                                  \
  F(snd_midi_event_new)                                                                                                        \
  F(snd_midi_event_free)                                                                                                       \
  F(snd_midi_event_no_status)                                                                                                  \
  F(snd_midi_event_decode)

typedef struct {
  htz_midi_in* in;
  snd_seq_t* seq;
  snd_midi_event_t* decoder;
  int slot;           // -1: nobody was ever connected
  unsigned connected; // how many are
  int realtime;
  pthread_t thread;
#define MEMBER(name) __typeof__(name)* name;
  FUNCTIONS(MEMBER)
#undef MEMBER
} port_state;

static bool find_functions(port_state* s, bool verbose) {
  static const char* const names[] = {"libasound.so.2", NULL};
  void* library = htz_library_open(names);
  bool complete = library != NULL;
#define FIND(name) complete = complete && htz_library_find(library, #name, &s->name);
  FUNCTIONS(FIND)
#undef FIND
  if (complete && !verbose) {
    htz_library_silence(library);
  }
  return complete;
}

static void be_source(port_state* s) {
  if (s->slot < 0) {
    s->slot = htz_midi_slot_take(s->in, &htz_midi_own, "ALSA port hertzian");
  }
  if (s->slot >= 0) {
    htz_midi_slot_connected(s->in, s->slot, true);
  }
}

static void be_none(port_state* s) {
  if (s->slot >= 0) {
    htz_midi_slot_lose(&s->in->slots[s->slot], 0); // what was held is let go of
    htz_midi_slot_settle(&s->in->slots[s->slot]);
    htz_midi_slot_connected(s->in, s->slot, false);
  }
}

static void pass_on(port_state* s, const snd_seq_event_t* event) {
  unsigned char bytes[BYTES];
  const long n = s->snd_midi_event_decode(s->decoder, bytes, sizeof bytes, event);
  if (n <= 0) {
    return; // nothing that a cable would carry
  }
  if (s->slot < 0) {
    be_source(s); // sent to without a connection
  }
  if (s->slot < 0) {
    return;
  }
  htz_midi_slot* slot = &s->in->slots[s->slot];
  const double time_s = htz_clock_seconds(htz_clock_ns());
  const size_t taken = htz_midi_slot_settle(slot) ? htz_midi_slot_feed(slot, time_s, bytes, (size_t)n) : 0;
  if (taken < (size_t)n) {
    htz_midi_slot_lose(slot, (size_t)n - taken);
  }
}

static void read_all(port_state* s) {
  for (;;) {
    snd_seq_event_t* event = NULL;
    const int result = s->snd_seq_event_input(s->seq, &event);
    if (result == -ENOSPC && s->slot >= 0) {
      htz_midi_slot_lose(&s->in->slots[s->slot], 1); // at least
      continue;
    }
    if (result < 0 || !event || htz_midi_in_stopping(s->in)) {
      return;
    }
    if (event->type == SND_SEQ_EVENT_PORT_SUBSCRIBED) {
      if (s->connected++ == 0) {
        be_source(s);
      }
    } else if (event->type == SND_SEQ_EVENT_PORT_UNSUBSCRIBED) {
      s->connected -= s->connected > 0;
      if (s->connected == 0) {
        be_none(s);
      }
    } else {
      pass_on(s, event);
    }
  }
}

static void* run(void* argument) {
  port_state* s = argument;
  struct pollfd ready[FDS + 1] = {{.fd = s->in->wake[0], .events = POLLIN}};
  const int n = s->snd_seq_poll_descriptors(s->seq, ready + 1, FDS, POLLIN);
  htz_thread_realtime(s->realtime, HTZ_PRIORITY_MIDI);
  while (!htz_midi_in_stopping(s->in)) {
    const bool settled = s->slot < 0 || htz_midi_slot_settle(&s->in->slots[s->slot]);
    poll(ready, (nfds_t)(1 + (n > 0 ? n : 0)), settled ? -1 : SETTLE_MS);
    read_all(s);
  }
  return NULL;
}

static void free_state(port_state* s) {
  if (s->decoder) {
    s->snd_midi_event_free(s->decoder);
  }
  if (s->seq) {
    s->snd_seq_close(s->seq);
  }
  free(s);
}

static bool open_port(port_state* s, bool verbose) {
  const unsigned may = SND_SEQ_PORT_CAP_WRITE | SND_SEQ_PORT_CAP_SUBS_WRITE;
  const unsigned is = SND_SEQ_PORT_TYPE_MIDI_GENERIC | SND_SEQ_PORT_TYPE_SOFTWARE | SND_SEQ_PORT_TYPE_SYNTHESIZER |
                      SND_SEQ_PORT_TYPE_APPLICATION;
  if (!find_functions(s, verbose) || s->snd_seq_open(&s->seq, "default", SND_SEQ_OPEN_INPUT, SND_SEQ_NONBLOCK) < 0) {
    s->seq = NULL;
    return false;
  }
  s->snd_seq_set_client_name(s->seq, "hertzian");
  if (s->snd_midi_event_new(BYTES, &s->decoder) < 0) {
    s->decoder = NULL;
    return false;
  }
  s->snd_midi_event_no_status(s->decoder, 1);
  return s->snd_seq_create_simple_port(s->seq, "hertzian MIDI in", may, is) >= 0;
}

static htz_status start(htz_midi_in* in, const htz_midi_wish* wish, void** state, char* why, size_t why_size) {
  if (!htz_midi_own_port("alsa", wish->names, wish->n_names) || htz_alsa_missing()) {
    return HTZ_OK; // that there is no sequencer is told of the ports
  }
  port_state* s = calloc(1, sizeof *s);
  if (!s) {
    snprintf(why, why_size, "MIDI: %s", htz_status_text(HTZ_NO_MEMORY));
    return HTZ_NO_MEMORY;
  }
  s->in = in;
  s->slot = -1;
  s->realtime = wish->realtime;
  if (!open_port(s, wish->verbose)) {
    free_state(s);
    return HTZ_OK;
  }
  if (pthread_create(&s->thread, NULL, run, s) != 0) {
    free_state(s);
    snprintf(why, why_size, "MIDI: %s", htz_status_text(HTZ_NO_THREAD));
    return HTZ_NO_THREAD;
  }
  *state = s;
  return HTZ_OK;
}

static void stop(void* state) {
  if (state) {
    port_state* s = state;
    pthread_join(s->thread, NULL);
    free_state(s);
  }
}

#else

static htz_status start(htz_midi_in* in, const htz_midi_wish* wish, void** state, char* why, size_t why_size) {
  (void)in;
  (void)wish;
  (void)state;
  (void)why;
  (void)why_size;
  return HTZ_OK;
}

static void stop(void* state) {
  (void)state;
}

#endif

static bool may_come(void* state) {
  return state != NULL;
}

const htz_midi_class htz_midi_own = {.name = "port", .start = start, .stop = stop, .may_come = may_come};
