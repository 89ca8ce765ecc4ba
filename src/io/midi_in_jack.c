#include "midi_in_pick.h"
#include "midi_in_private.h"

#include <stdio.h>

#if defined(HTZ_HAVE_JACK)

#include "clock.h"
#include "jack_client.h"

#include <stdlib.h>
#include <string.h>

/*
   A port of our own on the JACK server: there whenever sound goes to JACK, and when it is asked for. It is a source while anybody is
   connected to it. JACK's thread fills the ring; a thread of this source sees who comes and goes, and the server's death and
   return.
*/

enum {
  WATCH_MS = 20,  // between two looks at who is connected
  RETRY_MS = 500, // between two looks for a server
  STOP_MS = 100,  // for a server that hangs; what it holds is then given up
  EARLY = 1024    // bytes that may come before the port has a ring: a third of a second of a full cable
};

static const char source_name[] = "JACK port hertzian";

typedef struct {
  htz_midi_in* in;
  bool open; // the client, where nobody has yet
  bool verbose;
  pthread_t thread;
  htz_jack* jack; // NULL: no server
  htz_jack_user user;
  jack_port_t* port;
  htz_midi_slot* slot; // NULL: nobody was ever connected
  int number;          // of the slot
  bool connected;
  _Atomic(htz_midi_slot*) ring; // the slot, for JACK's thread
  atomic_bool heard;            // something came, though perhaps from nobody who is connected
  atomic_bool let_go;           // who was connected has gone
  atomic_int stage;             // of the end: who frees this
  pthread_mutex_t touch;        // of `in` and all that is its, between this source's thread and the end
  bool gone;                    // `in` is
  bool stuck;                   // JACK's thread may be in this for ever: it stays
  atomic_bool inside;           // JACK's thread is where it may touch what is `in`'s
  // JACK's thread.
  htz_midi_stamped early[EARLY];
  size_t n_early, early_lost;
} jack_source;

enum { LISTENING = 0, ENDED, ABANDONED };

// ---- on JACK's thread

static void feed(htz_midi_slot* slot, double time_s, const uint8_t* bytes, size_t n) {
  const size_t taken = htz_midi_slot_settle(slot) ? htz_midi_slot_feed(slot, time_s, bytes, n) : 0;
  if (taken < n) {
    htz_midi_slot_lose(slot, n - taken);
  }
}

static void keep(jack_source* s, double time_s, const uint8_t* bytes, size_t n) {
  const size_t kept = n < EARLY - s->n_early ? n : EARLY - s->n_early;
  for (size_t i = 0; i < kept; ++i) {
    s->early[s->n_early++] = (htz_midi_stamped){.time_s = time_s, .byte = bytes[i]};
  }
  s->early_lost += n - kept;
}

static void cycle(void* context, jack_nframes_t frames, double start_s) {
  jack_source* s = context;
  const htz_jack* jack = s->jack;
  // Sequential order on this pair and the one in stop(): either it sees that there is no ring, or the end sees that it is inside.
  atomic_store_explicit(&s->inside, true, memory_order_seq_cst);
  htz_midi_slot* slot = atomic_load_explicit(&s->ring, memory_order_seq_cst);
  void* buffer = jack->jack_port_get_buffer(s->port, frames);
  const uint32_t n = jack->jack_midi_get_event_count(buffer);
  const double rate_hz = jack->jack_get_sample_rate(jack->client);
  if (slot) {
    for (size_t i = 0; i < s->n_early; ++i) {
      feed(slot, s->early[i].time_s, &s->early[i].byte, 1);
    }
    if (s->early_lost > 0) {
      htz_midi_slot_lose(slot, s->early_lost);
    }
    s->n_early = s->early_lost = 0;
    if (atomic_exchange_explicit(&s->let_go, false, memory_order_acq_rel)) {
      htz_midi_slot_lose(slot, 0);
    }
    htz_midi_slot_settle(slot);
  }
  for (uint32_t i = 0; i < n; ++i) {
    jack_midi_event_t event;
    if (jack->jack_midi_event_get(&event, buffer, i) != 0) {
      continue;
    }
    // It arrived in the period before this one, as far from its start as it is to be played from the start of this one.
    const double time_s = start_s + ((double)event.time - (double)frames) / rate_hz;
    if (slot) {
      feed(slot, time_s, event.buffer, event.size);
    } else {
      keep(s, time_s, event.buffer, event.size);
      atomic_store_explicit(&s->heard, true, memory_order_release);
    }
  }
  atomic_store_explicit(&s->inside, false, memory_order_release);
}

// ---- on this source's own

// Whoever closes does not wait for a server that hangs: `in`, its slots and its rings are touched between these two only. @return false:
// they are gone
static bool enter(jack_source* s) {
  pthread_mutex_lock(&s->touch);
  if (s->gone) {
    pthread_mutex_unlock(&s->touch);
    return false;
  }
  return true;
}

static void leave(jack_source* s) {
  pthread_mutex_unlock(&s->touch);
}

static void be_source(jack_source* s) {
  if (!s->slot) {
    s->number = htz_midi_slot_take(s->in, &htz_midi_jack, source_name);
    s->slot = s->number < 0 ? NULL : &s->in->slots[s->number];
    atomic_store_explicit(&s->ring, s->slot, memory_order_release);
  }
  s->connected = s->slot != NULL;
  if (s->slot) {
    htz_midi_slot_connected(s->in, s->number, true);
  }
}

static void be_none(jack_source* s) {
  if (s->connected) {
    s->connected = false;
    atomic_store_explicit(&s->let_go, true, memory_order_release); // what was held is let go of
    htz_midi_slot_connected(s->in, s->number, false);
  }
}

static void depart(jack_source* s) {
  s->stuck = !htz_jack_rest(s->jack, HTZ_JACK_MIDI) || s->stuck;
  htz_jack_drop_port(s->jack, s->port);
  htz_jack_leave(s->jack, HTZ_JACK_MIDI);
  s->jack = NULL;
}

static bool arrive(jack_source* s) {
  htz_status starved;
  s->jack = htz_jack_take(HTZ_JACK_MIDI, s->open, s->verbose, &starved);
  if (!s->jack) {
    return false;
  }
  s->n_early = s->early_lost = 0;
  s->user = (htz_jack_user){cycle, s};
  s->port = htz_jack_add_port(s->jack, "midi_in", JACK_DEFAULT_MIDI_TYPE, JackPortIsInput);
  if (s->port && htz_jack_run(s->jack, HTZ_JACK_MIDI, &s->user)) {
    return true;
  }
  depart(s);
  return false;
}

// The server is gone, and JACK's thread with it: its place at the ring is this one's until there is another.
static void lose_server(jack_source* s) {
  depart(s);
  if (enter(s)) {
    be_none(s);
    if (s->slot && !s->stuck && atomic_exchange_explicit(&s->let_go, false, memory_order_acq_rel)) {
      htz_midi_slot_lose(s->slot, 0);
    }
    leave(s);
  }
}

static void look(jack_source* s) {
  const bool heard = atomic_exchange_explicit(&s->heard, false, memory_order_acq_rel);
  const bool now = s->jack->jack_port_connected(s->port) > 0 || (heard && !s->slot);
  if (enter(s)) {
    if (now && !s->connected) {
      be_source(s);
    } else if (!now) {
      be_none(s);
    }
    leave(s);
  }
}

// A while. @return false at the end
static bool pause_ms(jack_source* s, int ms) {
  if (!enter(s)) {
    return false;
  }
  const bool more = htz_midi_in_pause(s->in, ms); // the end wakes it
  if (more && !s->jack && s->slot) {
    htz_midi_slot_settle(s->slot);
  }
  leave(s);
  return more;
}

// The last of the two threads. What JACK's may be in stays.
static void release(jack_source* s) {
  if (!s->stuck) {
    pthread_mutex_destroy(&s->touch);
    free(s);
  }
}

static void* run(void* argument) {
  jack_source* s = argument;
  int wait_ms = s->jack ? WATCH_MS : RETRY_MS;
  while (pause_ms(s, wait_ms)) {
    if (s->jack && htz_jack_dead(s->jack)) {
      lose_server(s);
    } else if (s->jack) {
      look(s);
    } else {
      arrive(s);
    }
    wait_ms = s->jack ? WATCH_MS : RETRY_MS;
  }
  if (s->jack) {
    depart(s);
  }
  if (atomic_exchange_explicit(&s->stage, ENDED, memory_order_acq_rel) == ABANDONED) {
    release(s);
  }
  return NULL;
}

static htz_status start(htz_midi_in* in, const htz_midi_wish* wish, void** state, char* why, size_t why_size) {
  const bool asked = htz_midi_named("jack", wish->names, wish->n_names);
  const bool beside = htz_midi_own_port("jack", wish->names, wish->n_names) && htz_jack_in_use();
  if (!asked && !beside) {
    return HTZ_OK;
  }
  jack_source* s = calloc(1, sizeof *s);
  if (!s) {
    snprintf(why, why_size, "MIDI: %s", htz_status_text(HTZ_NO_MEMORY));
    return HTZ_NO_MEMORY;
  }
  pthread_mutex_init(&s->touch, NULL);
  s->in = in;
  s->open = asked;
  s->verbose = wish->verbose;
  if (!arrive(s)) {
    snprintf(why, why_size, "no JACK server for a MIDI port%s", wish->hotplug ? " yet; waiting for it" : "");
    if (!wish->hotplug) {
      release(s);
      return HTZ_OK;
    }
  }
  if (pthread_create(&s->thread, NULL, run, s) != 0) {
    if (s->jack) {
      depart(s);
    }
    release(s);
    snprintf(why, why_size, "MIDI: %s", htz_status_text(HTZ_NO_THREAD));
    return HTZ_NO_THREAD;
  }
  pthread_detach(s->thread);
  *state = s;
  return HTZ_OK;
}

static void stop(void* state) {
  jack_source* s = state;
  if (!s) {
    return;
  }
  for (int ms = 0; ms < STOP_MS && atomic_load_explicit(&s->stage, memory_order_acquire) == LISTENING; ++ms) {
    htz_clock_sleep(HTZ_NS_PER_MS);
  }
  pthread_mutex_lock(&s->touch);
  s->gone = true;
  pthread_mutex_unlock(&s->touch);
  atomic_store_explicit(&s->ring, NULL, memory_order_seq_cst);
  for (int ms = 0; ms < STOP_MS && atomic_load_explicit(&s->inside, memory_order_seq_cst); ++ms) {
    htz_clock_sleep(HTZ_NS_PER_MS);
  }
  if (atomic_exchange_explicit(&s->stage, ABANDONED, memory_order_acq_rel) == ENDED) {
    release(s);
  }
}

#else

static htz_status start(htz_midi_in* in, const htz_midi_wish* wish, void** state, char* why, size_t why_size) {
  (void)in;
  (void)state;
  if (htz_midi_named("jack", wish->names, wish->n_names)) {
    snprintf(why, why_size, "no MIDI port on JACK: built without it");
  }
  return HTZ_OK;
}

static void stop(void* state) {
  (void)state;
}

#endif

static bool may_come(void* state) {
  return state != NULL;
}

const htz_midi_class htz_midi_jack = {.name = "jack", .start = start, .stop = stop, .may_come = may_come};
