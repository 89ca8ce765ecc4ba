#include "audio_thread.h"
#include "clock.h"
#include "midi_in_private.h"
#include "osc.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <netdb.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

/*
   Open Sound Control as a source of MIDI: what plays becomes the bytes that a keyboard would send; what does not is handed on as
   words. A socket of our own, since liblo binds to every address of the machine.
*/

enum {
  PACKET = 8192, // as much as a datagram on a loopback brings at once; more is cut, and then no packet of OSC
  VALUE_MAX = 127,
  CHANNELS = 16,
  BEND_CENTRE = 8192,
  BEND_MAX = 16383,
  SETTLE_MS = 5, // between two tries to tell of a loss
  STATUS_BIT = 0x80,
  REALTIME = 0xF8,
  WORD_TEXT = 512
};

typedef struct {
  htz_midi_in* in;
  htz_osc_wish wish;
  int fd;
  int slot;
  int realtime;
  pthread_t thread;
} osc_state;

static htz_midi_slot* slot_of(const osc_state* s) {
  return &s->in->slots[s->slot];
}

static void send_bytes(osc_state* s, const uint8_t* bytes, size_t n) {
  htz_midi_slot* slot = slot_of(s);
  const size_t taken = htz_midi_slot_settle(slot) ? htz_midi_slot_feed(slot, htz_clock_seconds(htz_clock_ns()), bytes, n) : 0;
  if (taken < n) {
    htz_midi_slot_lose(slot, n - taken);
  }
}

static double number(const htz_osc_message* m, size_t i, double unless_given) {
  return i < m->n && m->arg[i].type == 'n' && isfinite(m->arg[i].number) ? m->arg[i].number : unless_given;
}

// Held to what a byte of MIDI can say.
static uint8_t value(const htz_osc_message* m, size_t i, double lowest, double highest) {
  const double given = number(m, i, lowest);
  return (uint8_t)lround(given < lowest ? lowest : given > highest ? highest : given);
}

static void two_bytes(osc_state* s, uint8_t kind, uint8_t channel, uint8_t data) {
  send_bytes(s, (uint8_t[]){(uint8_t)(kind | channel), data}, 2);
}

static void three_bytes(osc_state* s, uint8_t kind, uint8_t channel, uint8_t data1, uint8_t data2) {
  send_bytes(s, (uint8_t[]){(uint8_t)(kind | channel), data1, data2}, 3);
}

static void bend(osc_state* s, uint8_t channel, double share) {
  const double way = share < -1.0 ? -1.0 : share > 1.0 ? 1.0 : share;
  const long where = lround(BEND_CENTRE + way * (way > 0.0 ? BEND_MAX - BEND_CENTRE : BEND_CENTRE));
  three_bytes(s, 0xE0, channel, (uint8_t)(where & VALUE_MAX), (uint8_t)(where >> 7));
}

static size_t length_of(uint8_t status) {
  const uint8_t kind = status & 0xF0;
  return status >= REALTIME ? 1 : kind == 0xC0 || kind == 0xD0 ? 2 : kind == 0xF0 ? 0 : 3;
}

static void raw(osc_state* s, const htz_osc_message* m) {
  for (size_t i = 0; i < m->n; i++) {
    const uint8_t* midi = m->arg[i].midi;
    const size_t n = m->arg[i].type == 'm' && midi[1] & STATUS_BIT ? length_of(midi[1]) : 0;
    if ((n < 2 || !(midi[2] & STATUS_BIT)) && (n < 3 || !(midi[3] & STATUS_BIT))) {
      send_bytes(s, midi + 1, n);
    }
  }
}

// @return false when it is nothing that is played
static bool play(osc_state* s, const htz_osc_message* m) {
  const uint8_t channel_2 = (uint8_t)(value(m, 2, 1, CHANNELS) - 1), channel_1 = (uint8_t)(value(m, 1, 1, CHANNELS) - 1);
  if (strcmp(m->address, "/note") == 0) {
    three_bytes(s, 0x90, channel_2, value(m, 0, 0, VALUE_MAX), value(m, 1, 0, VALUE_MAX));
  } else if (strcmp(m->address, "/off") == 0) {
    three_bytes(s, 0x80, channel_1, value(m, 0, 0, VALUE_MAX), 64);
  } else if (strcmp(m->address, "/control") == 0) {
    three_bytes(s, 0xB0, channel_2, value(m, 0, 0, VALUE_MAX), value(m, 1, 0, VALUE_MAX));
  } else if (strcmp(m->address, "/program") == 0) {
    two_bytes(s, 0xC0, channel_1, (uint8_t)(value(m, 0, 1, VALUE_MAX + 1) - 1));
  } else if (strcmp(m->address, "/pressure") == 0) {
    two_bytes(s, 0xD0, channel_1, value(m, 0, 0, VALUE_MAX));
  } else if (strcmp(m->address, "/bend") == 0) {
    bend(s, channel_1, number(m, 0, 0.0));
  } else if (strcmp(m->address, "/midi") == 0) {
    raw(s, m);
  } else {
    return false;
  }
  return true;
}

// `/set/bow.force 0.2` and `/set bow.force 0.2` are the words set, bow.force and 0.2.
static void hand_on(osc_state* s, const htz_osc_message* m) {
  char text[WORD_TEXT];
  const char* words[HTZ_OSC_WORDS];
  size_t used = 0, n = 0;
  const int address = snprintf(text, sizeof text, "%s", m->address);
  used = address < 0 || (size_t)address >= sizeof text ? sizeof text : (size_t)address + 1;
  for (char* at = text; used < sizeof text && at && *at == '/' && n < HTZ_OSC_WORDS;) {
    *at++ = '\0';
    words[n++] = at;
    at = strchr(at, '/');
  }
  for (size_t i = 0; i < m->n && n < HTZ_OSC_WORDS && used < sizeof text; i++) {
    const htz_osc_arg* arg = &m->arg[i];
    if (arg->type == 's') {
      words[n++] = arg->text;
    } else if (arg->type == 'n') {
      words[n++] = text + used;
      const int length = snprintf(text + used, sizeof text - used, "%.9g", arg->number);
      used += (size_t)length + 1;
    }
  }
  if (n > 0 && used <= sizeof text) {
    s->wish.command(s->wish.context, words, n);
  }
}

static void hear(void* context, const htz_osc_message* m) {
  osc_state* s = context;
  if (!play(s, m)) {
    hand_on(s, m);
  }
}

static void* run(void* argument) {
  osc_state* s = argument;
  uint8_t packet[PACKET];
  htz_thread_realtime(s->realtime, HTZ_PRIORITY_MIDI);
  struct pollfd ready[2] = {{.fd = s->in->wake[0], .events = POLLIN}, {.fd = s->fd, .events = POLLIN}};
  while (!htz_midi_in_stopping(s->in)) {
    const bool settled = htz_midi_slot_settle(slot_of(s));
    poll(ready, 2, settled ? -1 : SETTLE_MS);
    const ssize_t n = ready[1].revents ? recv(s->fd, packet, sizeof packet, MSG_DONTWAIT) : -1;
    if (n > 0) {
      htz_osc_read(packet, (size_t)n, hear, s);
    }
  }
  return NULL;
}

static int open_port(const htz_osc_wish* wish, char* why, size_t why_size) {
  const struct addrinfo hints = {.ai_socktype = SOCK_DGRAM, .ai_flags = AI_NUMERICHOST | AI_NUMERICSERV | AI_PASSIVE};
  const char* address = wish->bind ? wish->bind : "127.0.0.1";
  char port[16];
  struct addrinfo* found = NULL;
  snprintf(port, sizeof port, "%u", wish->port);
  const int fault = getaddrinfo(address, port, &hints, &found);
  if (fault) {
    snprintf(why, why_size, "OSC: %s: %s; an address in numbers is allowed", address, gai_strerror(fault));
    errno = EINVAL;
    return -1;
  }
  const int fd = socket(found->ai_family, SOCK_DGRAM, 0);
  const bool ok = fd >= 0 && fcntl(fd, F_SETFD, FD_CLOEXEC) == 0 && bind(fd, found->ai_addr, found->ai_addrlen) == 0;
  const int error = errno;
  freeaddrinfo(found);
  if (ok) {
    return fd;
  }
  snprintf(why, why_size, "OSC: %s, port %u: %s", address, wish->port, strerror(error));
  if (fd >= 0) {
    close(fd);
  }
  errno = error;
  return -1;
}

static htz_status start(htz_midi_in* in, const htz_midi_wish* wish, void** state, char* why, size_t why_size) {
  if (wish->osc.port == 0) {
    return HTZ_OK;
  }
  const int fd = open_port(&wish->osc, why, why_size);
  if (fd < 0) {
    return htz_status_of_errno(errno, HTZ_IO);
  }
  osc_state* s = calloc(1, sizeof *s);
  htz_status status = s ? HTZ_OK : HTZ_NO_MEMORY;
  if (s) {
    *s = (osc_state){.in = in, .wish = wish->osc, .fd = fd, .realtime = wish->realtime};
    s->slot = htz_midi_slot_take(in, &htz_midi_osc, "OSC");
    status = s->slot < 0 ? HTZ_FULL : HTZ_OK;
  }
  if (!status) {
    htz_midi_slot_connected(in, s->slot, true);
    status = pthread_create(&s->thread, NULL, run, s) == 0 ? HTZ_OK : HTZ_NO_THREAD;
  }
  if (status) {
    snprintf(why, why_size, "OSC: %s", htz_status_text(status));
    close(fd);
    free(s);
    return status;
  }
  *state = s;
  return HTZ_OK;
}

static void stop(void* state) {
  osc_state* s = state;
  if (s) {
    pthread_join(s->thread, NULL);
    close(s->fd);
    free(s);
  }
}

static bool may_come(void* state) {
  return state != NULL;
}

const htz_midi_class htz_midi_osc = {.name = "osc", .start = start, .stop = stop, .may_come = may_come};
