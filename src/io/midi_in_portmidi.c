#include "midi_in_portmidi.h"

#include "audio_thread.h"
#include "clock.h"
#include "midi_in_pick.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#if defined(HTZ_HAVE_PORTMIDI)

/*
   One thread for all ports of PortMidi, which is not made for more. Its list of ports is a snapshot, so a second client of the
   ALSA sequencer tells of what comes and goes; only then is PortMidi started anew, which takes some milliseconds in which the
   other ports are deaf, so a moment is chosen in which they are silent.

   A stream is never closed while others are polled: PortMidi 217 follows a null pointer when an event of it is still waiting.
*/

enum {
  SLOTS = 2048,       // events that PortMidi keeps: two seconds of a full cable
  BATCH = 256,        // events of one read
  POLL_MS = 1,        // the resolution of PortMidi's clock
  WATCH_MS = 20,      // between two looks at what comes and goes
  SETTLE_MS = 60,     // from a port's coming until it is opened: several come together
  QUIET_MS = 30,      // without an event on any port: a good moment to start PortMidi anew
  PATIENCE_MS = 1000, // for such a moment
  RESCAN_MS = 2000,   // between two new starts where nothing tells of changes
  ASLEEP_MS = 1000,   // not polled for so long (a stopped process): the system has dropped what came
  START_MS = 2000,    // for the first list
  PORTS = HTZ_MIDI_SOURCES_MAX
};

typedef struct {
  PmStream* stream;
  htz_alsa_port at;
  int slot;
  bool gone; // unplugged; the stream is closed at the next new start
  htz_pm_bytes bytes;
  double last_s;
} open_port;

typedef struct {
  htz_midi_in* in;
  htz_pm pm;
  htz_alsa* alsa; // NULL: nothing tells of changes
  const char** names;
  size_t n_names;
  bool hotplug;
  bool verbose;
  int realtime;
  pthread_t thread;
  atomic_bool listed; // the first list is done
  char remark[200];   // written before that
  char fault[200];    // likewise: what cannot be, whatever comes
  int64_t start_ns;   // of PortMidi's clock
  // The thread's own.
  open_port port[PORTS];
  size_t n;
  bool mine[HTZ_MIDI_SOURCES_MAX]; // sources that have been ours: a loss may still have to be told of
  bool scan_wanted;
  int64_t scan_ns; // not before
  int64_t heard_ns;
} portmidi_state;

static int32_t clock_ms(void* context) {
  const portmidi_state* s = context;
  return (int32_t)(uint32_t)((htz_clock_ns() - s->start_ns) / HTZ_NS_PER_MS);
}

static htz_midi_slot* slot_of(const portmidi_state* s, const open_port* port) {
  return &s->in->slots[port->slot];
}

// ---- what comes in

static void pass_on(portmidi_state* s, open_port* port, const PmEvent* event, int32_t now_ms, double now_s) {
  uint8_t bytes[4];
  const size_t n = htz_pm_bytes_of(&port->bytes, event->message, bytes);
  double time_s = htz_pm_time(event->timestamp, now_ms, now_s);
  time_s = time_s > port->last_s ? time_s : port->last_s;
  port->last_s = time_s;
  htz_midi_slot* slot = slot_of(s, port);
  const size_t taken = htz_midi_slot_settle(slot) ? htz_midi_slot_feed(slot, time_s, bytes, n) : 0;
  if (taken < n) {
    htz_midi_slot_lose(slot, n - taken);
  }
}

static void read_port(portmidi_state* s, open_port* port) {
  PmEvent events[BATCH];
  int n;
  do {
    n = s->pm.Pm_Read(port->stream, events, BATCH);
    const int64_t now_ns = htz_clock_ns();
    const int32_t now_ms = clock_ms(s);
    if (n == pmBufferOverflow) {
      htz_midi_slot_lose(slot_of(s, port), 1); // at least
      port->bytes = (htz_pm_bytes){0};
    }
    for (int i = 0; i < n; ++i) {
      pass_on(s, port, &events[i], now_ms, htz_clock_seconds(now_ns));
    }
    if (n != 0) {
      s->heard_ns = now_ns;
    }
  } while (n == BATCH && !htz_midi_in_stopping(s->in));
}

static void read_all(portmidi_state* s) {
  for (size_t i = 0; i < s->n; ++i) {
    if (!s->port[i].gone) {
      read_port(s, &s->port[i]);
    }
  }
  for (size_t i = 0; i < HTZ_MIDI_SOURCES_MAX; ++i) {
    if (s->mine[i]) {
      htz_midi_slot_settle(&s->in->slots[i]);
    }
  }
}

// ---- what is there

static void lose_port(portmidi_state* s, open_port* port) {
  port->gone = true;
  htz_midi_slot_lose(slot_of(s, port), 0);
  htz_midi_slot_settle(slot_of(s, port));
  htz_midi_slot_connected(s->in, port->slot, false);
}

static bool open_stream(portmidi_state* s, open_port* port, PmDeviceID id) {
  port->stream = NULL;
  if (s->pm.Pm_OpenInput(&port->stream, id, NULL, SLOTS, clock_ms, s) != pmNoError || !port->stream) {
    return false;
  }
  // Heartbeats and clocks, up to 300 a second and of no use here, would only fill the queue.
  s->pm.Pm_SetFilter(port->stream, PM_FILT_CLOCK | PM_FILT_TICK | PM_FILT_FD);
  port->bytes = (htz_pm_bytes){0};
  return true;
}

static bool same(const htz_alsa_port* a, const htz_alsa_port* b) {
  return a->client == b->client && a->port == b->port && strcmp(a->name, b->name) == 0;
}

// The listed port that an open one was, or -1. Each is given once.
static int find_again(const open_port* port, const htz_pm_port* listed, const bool* taken, size_t n) {
  for (size_t i = 0; i < n; ++i) {
    if (!taken[i] && same(&port->at, &listed[i].at)) {
      return (int)i;
    }
  }
  return -1;
}

static void open_new(portmidi_state* s, const htz_pm_port* listed, const char* shown) {
  if (s->n == PORTS) {
    return;
  }
  open_port* port = &s->port[s->n];
  *port = (open_port){.at = listed->at};
  if (!open_stream(s, port, listed->id)) {
    return;
  }
  port->slot = htz_midi_slot_take(s->in, &htz_midi_portmidi, shown);
  if (port->slot < 0) {
    return; // no ring is left; the stream is closed with the others
  }
  ++s->n;
  s->mine[port->slot] = true;
  htz_midi_slot_connected(s->in, port->slot, true);
}

// Bring up PortMidi, the ports that were open, and those wished for that are new.
static void bring_up(portmidi_state* s) {
  htz_pm_port listed[HTZ_ALSA_PORTS];
  const char* names[HTZ_ALSA_PORTS];
  bool taken[HTZ_ALSA_PORTS] = {false};
  s->pm.Pm_Initialize();
  const size_t n = htz_pm_ports(&s->pm, s->alsa, listed, HTZ_ALSA_PORTS);
  size_t kept = 0;
  for (size_t i = 0; i < s->n; ++i) {
    open_port port = s->port[i];
    const int again = port.gone ? -1 : find_again(&port, listed, taken, n);
    if (again >= 0 && open_stream(s, &port, listed[again].id)) {
      taken[again] = true;
      s->port[kept++] = port;
    } else if (!port.gone) {
      lose_port(s, &port);
    }
  }
  s->n = kept;
  for (size_t i = 0; i < n; ++i) {
    names[i] = listed[i].at.name;
  }
  for (size_t i = 0; i < n; ++i) {
    if (!taken[i] && htz_midi_wanted(s->names, s->n_names, names, n, i)) {
      char shown[sizeof listed[i].at.name];
      htz_midi_name_twin(shown, sizeof shown, names, n, i);
      open_new(s, &listed[i], shown);
    }
  }
  s->scan_wanted = false;
  if (!atomic_load_explicit(&s->listed, memory_order_relaxed)) {
    const char* absent = htz_midi_unanswered(s->names, s->n_names, names, n);
    const size_t alike = absent ? htz_midi_alike(absent, names, n) : 0;
    if (alike > 0) { // "#3" of two
      snprintf(s->fault, sizeof s->fault, "no MIDI port \"%s\": of that name there %s %zu", absent, alike == 1 ? "is" : "are",
               alike);
    } else if (absent) {
      snprintf(s->remark, sizeof s->remark, "no MIDI port \"%s\"%s", absent, s->hotplug ? " yet; waiting for it" : "");
    } else if (s->n == 0) {
      snprintf(s->remark, sizeof s->remark, "%s", s->hotplug ? "waiting for a MIDI device" : "no MIDI port found");
    }
  }
}

static void take_down(portmidi_state* s) {
  for (size_t i = 0; i < s->n; ++i) {
    s->pm.Pm_Close(s->port[i].stream);
  }
  s->pm.Pm_Terminate(); // closes what was opened in vain
}

// ---- what comes and goes

static bool is_open(const portmidi_state* s, const htz_alsa_port* at) {
  for (size_t i = 0; i < s->n; ++i) {
    if (!s->port[i].gone && same(&s->port[i].at, at)) {
      return true;
    }
  }
  return false;
}

static void look(portmidi_state* s, int64_t now_ns) {
  htz_alsa_port there[HTZ_ALSA_PORTS];
  const char* names[HTZ_ALSA_PORTS];
  const size_t n = htz_alsa_ports(s->alsa, there, HTZ_ALSA_PORTS);
  for (size_t i = 0; i < s->n; ++i) {
    bool found = s->port[i].gone || s->port[i].at.client < 0;
    for (size_t k = 0; k < n && !found; ++k) {
      found = same(&s->port[i].at, &there[k]);
    }
    if (!found) {
      lose_port(s, &s->port[i]);
    }
  }
  for (size_t i = 0; i < n; ++i) {
    names[i] = there[i].name;
  }
  bool newcomer = false;
  for (size_t i = 0; i < n; ++i) {
    newcomer = newcomer || (htz_midi_wanted(s->names, s->n_names, names, n, i) && !is_open(s, &there[i]));
  }
  s->scan_wanted = s->hotplug && newcomer;
  s->scan_ns = now_ns + SETTLE_MS * (int64_t)HTZ_NS_PER_MS;
}

static bool good_moment(const portmidi_state* s, int64_t now_ns) {
  const int64_t quiet_ns = QUIET_MS * (int64_t)HTZ_NS_PER_MS;
  const int64_t patience_ns = PATIENCE_MS * (int64_t)HTZ_NS_PER_MS;
  return now_ns >= s->scan_ns && (now_ns - s->heard_ns >= quiet_ns || now_ns >= s->scan_ns + patience_ns);
}

static bool any_connected(const portmidi_state* s) {
  for (size_t i = 0; i < s->n; ++i) {
    if (!s->port[i].gone) {
      return true;
    }
  }
  return false;
}

static void watch(portmidi_state* s, int64_t now_ns) {
  if (s->alsa) {
    if (htz_alsa_changed(s->alsa)) {
      look(s, now_ns);
    }
  } else if (s->hotplug && !any_connected(s) && !s->scan_wanted) {
    s->scan_wanted = true;
    s->scan_ns = now_ns + RESCAN_MS * (int64_t)HTZ_NS_PER_MS;
  }
}

static void* run(void* argument) {
  portmidi_state* s = argument;
  htz_thread_realtime(s->realtime, HTZ_PRIORITY_MIDI);
  s->alsa = htz_alsa_open(true, s->verbose);
  bring_up(s);
  atomic_store_explicit(&s->listed, true, memory_order_release);
  int64_t watched_ns = 0, polled_ns = htz_clock_ns();
  while (htz_midi_in_pause(s->in, POLL_MS)) {
    const int64_t now_ns = htz_clock_ns();
    if (now_ns - polled_ns > ASLEEP_MS * (int64_t)HTZ_NS_PER_MS) {
      for (size_t i = 0; i < s->n; ++i) {
        htz_midi_slot_lose(slot_of(s, &s->port[i]), 0);
      }
    }
    polled_ns = now_ns;
    read_all(s);
    if (now_ns - watched_ns >= WATCH_MS * (int64_t)HTZ_NS_PER_MS) {
      watched_ns = now_ns;
      watch(s, now_ns);
    }
    if (s->scan_wanted && good_moment(s, now_ns)) {
      take_down(s);
      bring_up(s);
      polled_ns = htz_clock_ns();
    }
  }
  take_down(s);
  htz_alsa_close(s->alsa);
  return NULL;
}

// ---- the backend

static void free_state(portmidi_state* s) {
  for (size_t i = 0; i < s->n_names && s->names; ++i) {
    free((void*)s->names[i]);
  }
  free(s->names);
  free(s);
}

static portmidi_state* new_state(htz_midi_in* in, const htz_midi_wish* wish) {
  portmidi_state* s = calloc(1, sizeof *s);
  if (!s) {
    return NULL;
  }
  s->in = in;
  s->hotplug = wish->hotplug;
  s->verbose = wish->verbose;
  s->realtime = wish->realtime;
  s->start_ns = htz_clock_ns();
  atomic_init(&s->listed, false);
  s->n_names = wish->n_names;
  s->names = calloc(wish->n_names + 1, sizeof *s->names);
  bool ok = s->names != NULL;
  for (size_t i = 0; i < wish->n_names && ok; ++i) {
    s->names[i] = strdup(wish->names[i]);
    ok = s->names[i] != NULL;
  }
  if (!ok) {
    free_state(s);
    return NULL;
  }
  return s;
}

static htz_status start(htz_midi_in* in, const htz_midi_wish* wish, void** state, char* why, size_t why_size) {
  if (!htz_midi_beyond_jack(wish->names, wish->n_names)) {
    return HTZ_OK;
  }
  const char* missing = htz_alsa_missing();
  if (missing) {
    snprintf(why, why_size, "no MIDI ports: %s", missing);
    return HTZ_OK;
  }
  portmidi_state* s = new_state(in, wish);
  if (!s) {
    snprintf(why, why_size, "MIDI: %s", htz_status_text(HTZ_NO_MEMORY));
    return HTZ_NO_MEMORY;
  }
  errno = 0;
  if (!htz_pm_load(&s->pm, wish->verbose)) {
    const htz_status st = htz_status_of_errno(errno, HTZ_OK);
    free_state(s);
    if (st) {
      snprintf(why, why_size, "MIDI: %s", htz_status_text(st));
      return st;
    }
    snprintf(why, why_size, "no MIDI ports: PortMidi is not installed");
    return HTZ_OK;
  }
  if (pthread_create(&s->thread, NULL, run, s) != 0) {
    free_state(s);
    snprintf(why, why_size, "MIDI: %s", htz_status_text(HTZ_NO_THREAD));
    return HTZ_NO_THREAD;
  }
  *state = s;
  for (int waited = 0; waited < START_MS && !atomic_load_explicit(&s->listed, memory_order_acquire); ++waited) {
    htz_clock_sleep(HTZ_NS_PER_MS);
  }
  if (atomic_load_explicit(&s->listed, memory_order_acquire) && s->fault[0]) {
    snprintf(why, why_size, "%s", s->fault);
    return HTZ_NOT_FOUND; // stopped with the rest
  }
  if (atomic_load_explicit(&s->listed, memory_order_acquire) && s->remark[0]) {
    snprintf(why, why_size, "%s", s->remark);
  }
  return HTZ_OK;
}

static void stop(void* state) {
  if (state) {
    portmidi_state* s = state;
    pthread_join(s->thread, NULL);
    free_state(s);
  }
}

static bool may_come(void* state) {
  return state != NULL;
}

#else

static htz_status start(htz_midi_in* in, const htz_midi_wish* wish, void** state, char* why, size_t why_size) {
  (void)in;
  (void)state;
  if (htz_midi_beyond_jack(wish->names, wish->n_names)) {
    snprintf(why, why_size, "no MIDI ports: built without PortMidi");
  }
  return HTZ_OK;
}

static void stop(void* state) {
  (void)state;
}

static bool may_come(void* state) {
  (void)state;
  return false;
}

#endif

const htz_midi_class htz_midi_portmidi = {.name = "portmidi", .start = start, .stop = stop, .may_come = may_come};
