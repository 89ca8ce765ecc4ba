#include "clock.h"
#include "midi_in_private.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define HTZ_MIDI_SOURCE(symbol, source) &symbol,
static const htz_midi_class* const registry[] = {
#include "midi_sources.def"
};
#undef HTZ_MIDI_SOURCE

enum { COUNT = sizeof registry / sizeof registry[0] };
_Static_assert(COUNT <= sizeof((htz_midi_in*)0)->state / sizeof((htz_midi_in*)0)->state[0], "room for every backend's state");

static htz_status new_in(htz_ring* rings, htz_midi_news news, void* context, htz_midi_in** out) {
  htz_midi_in* in = calloc(1, sizeof *in);
  if (!in) {
    return HTZ_NO_MEMORY;
  }
  if (pipe(in->wake) != 0) {
    const htz_status st = htz_status_of_errno(errno, HTZ_IO);
    free(in);
    return st;
  }
  fcntl(in->wake[0], F_SETFD, FD_CLOEXEC);
  fcntl(in->wake[1], F_SETFD, FD_CLOEXEC);
  pthread_mutex_init(&in->lock, NULL);
  pthread_mutex_init(&in->quiet, NULL);
  atomic_init(&in->stopping, false);
  for (size_t i = 0; i < HTZ_MIDI_SOURCES_MAX; ++i) {
    in->slots[i].ring = &rings[i];
    atomic_init(&in->slots[i].lost, 0);
  }
  in->news = news;
  in->context = context;
  *out = in;
  return HTZ_OK;
}

htz_status htz_midi_in_open(const htz_midi_wish* wish, htz_ring* rings, htz_midi_news news, void* context, htz_midi_in** out,
                            char* why, size_t why_size) {
  *out = NULL;
  if (why_size) {
    why[0] = '\0';
  }
  if (wish->n_raw > HTZ_MIDI_SOURCES_MAX) {
    snprintf(why, why_size, "more than %d MIDI sources", HTZ_MIDI_SOURCES_MAX);
    return HTZ_FULL;
  }
  htz_midi_in* in = NULL;
  const htz_status made = new_in(rings, news, context, &in);
  if (made) {
    snprintf(why, why_size, "MIDI: %s", htz_status_text(made));
    return made;
  }
  in->has_raw = wish->n_raw > 0;
  for (size_t i = 0; i < COUNT; ++i) {
    const htz_status st = registry[i]->start(in, wish, &in->state[i], why, why_size);
    if (st) {
      htz_midi_in_close(in);
      return st;
    }
  }
  pthread_mutex_lock(&in->quiet);
  in->opened = true;
  pthread_mutex_unlock(&in->quiet);
  *out = in;
  return HTZ_OK;
}

void htz_midi_in_close(htz_midi_in* in) {
  if (!in) {
    return;
  }
  atomic_store_explicit(&in->stopping, true, memory_order_release);
  close(in->wake[1]); // every thread that waits now sees the other end hang up
  for (size_t i = 0; i < COUNT; ++i) {
    registry[i]->stop(in->state[i]);
  }
  close(in->wake[0]);
  pthread_mutex_destroy(&in->lock);
  pthread_mutex_destroy(&in->quiet);
  free(in);
}

int htz_midi_slot_take(htz_midi_in* in, const htz_midi_class* owner, const char* name) {
  pthread_mutex_lock(&in->lock);
  size_t found = in->n_slots;
  for (size_t i = 0; i < in->n_slots && found == in->n_slots; ++i) {
    const htz_midi_slot* slot = &in->slots[i];
    if (!slot->connected && slot->owner == owner && strncmp(slot->name, name, sizeof slot->name - 1) == 0) {
      found = i;
    }
  }
  // Room for a newcomer is taken from one that is gone only when there is no other.
  for (size_t i = 0; i < in->n_slots && found == HTZ_MIDI_SOURCES_MAX; ++i) {
    if (!in->slots[i].connected && in->slots[i].owner == owner) {
      found = i;
    }
  }
  const bool ok = found < HTZ_MIDI_SOURCES_MAX;
  if (ok) {
    in->n_slots += found == in->n_slots;
    in->slots[found].owner = owner;
    snprintf(in->slots[found].name, sizeof in->slots[found].name, "%s", name);
  }
  pthread_mutex_unlock(&in->lock);
  return ok ? (int)found : -1;
}

void htz_midi_slot_connected(htz_midi_in* in, int slot, bool connected) {
  char name[sizeof in->slots[slot].name];
  pthread_mutex_lock(&in->lock);
  const bool changed = in->slots[slot].connected != connected;
  in->slots[slot].connected = connected;
  memcpy(name, in->slots[slot].name, sizeof name);
  pthread_mutex_unlock(&in->lock);
  pthread_mutex_lock(&in->quiet);
  if (changed && in->news && in->opened && !htz_midi_in_stopping(in)) {
    in->news(in->context, name, connected);
  }
  pthread_mutex_unlock(&in->quiet);
}

static size_t room_in(const htz_ring* ring) {
  return ring->mask + 1 - htz_ring_count(ring);
}

size_t htz_midi_slot_feed(htz_midi_slot* slot, double time_s, const uint8_t* bytes, size_t n) {
  const size_t room = room_in(slot->ring);
  const size_t fits = n < room ? n : room;
  for (size_t i = 0; i < fits; ++i) {
    const htz_midi_stamped item = {.time_s = time_s, .byte = bytes[i], .kind = HTZ_MIDI_IN_BYTE};
    htz_ring_push(slot->ring, &item);
  }
  return fits;
}

void htz_midi_slot_lose(htz_midi_slot* slot, size_t n) {
  slot->owes_lost = true;
  atomic_fetch_add_explicit(&slot->lost, n, memory_order_relaxed);
}

bool htz_midi_slot_settle(htz_midi_slot* slot) {
  if (!slot->owes_lost) {
    return true;
  }
  // Half of the ring, not one place: else a flood would have the consumer release everything again for each byte it takes.
  if (room_in(slot->ring) <= slot->ring->mask / 2) {
    return false;
  }
  const htz_midi_stamped item = {.time_s = htz_clock_seconds(htz_clock_ns()), .kind = HTZ_MIDI_IN_LOST};
  htz_ring_push(slot->ring, &item);
  slot->owes_lost = false;
  return true;
}

bool htz_midi_in_pause(const htz_midi_in* in, int milliseconds) {
  struct pollfd wake = {.fd = in->wake[0], .events = POLLIN};
  poll(&wake, 1, milliseconds);
  return !htz_midi_in_stopping(in);
}

size_t htz_midi_in_sources(htz_midi_in* in, htz_midi_source* out) {
  pthread_mutex_lock(&in->lock);
  const size_t n = in->n_slots;
  for (size_t i = 0; i < n; ++i) {
    memcpy(out[i].name, in->slots[i].name, sizeof out[i].name);
    out[i].connected = in->slots[i].connected;
  }
  pthread_mutex_unlock(&in->lock);
  return n;
}

bool htz_midi_in_ended(htz_midi_in* in) {
  bool more = !in->has_raw;
  for (size_t i = 0; i < COUNT; ++i) {
    more = more || registry[i]->may_come(in->state[i]);
  }
  return !more;
}

uint64_t htz_midi_in_lost(htz_midi_in* in) {
  uint64_t lost = 0;
  for (size_t i = 0; i < HTZ_MIDI_SOURCES_MAX; ++i) {
    lost += atomic_load_explicit(&in->slots[i].lost, memory_order_relaxed);
  }
  return lost;
}
