#include "audio_thread.h"
#include "clock.h"
#include "midi_in_private.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Byte streams: a thread each that waits, reads, stamps and passes on. */

enum {
  CHUNK = 1024,     // bytes of a read: a third of a second of a MIDI cable
  SETTLE_MS = 5,    // between two tries to tell of a loss: below a block of audio at most sizes
  RETRY_MS = 500,   // between two tries to open a device that is gone
  HUNG_UP_MS = 20,  // rest after a FIFO that has no writer, where the system reports that as an end again and again
  PATIENCE_MS = 250 // for a full ring: a live audio thread empties it with every block, 171 ms at most (8192 at 48 kHz)
};

typedef enum { STREAM_FIFO, STREAM_FILE, STREAM_STDIN, STREAM_DEVICE } stream_kind;

typedef struct {
  htz_midi_in* in;
  const char* path; // owned
  stream_kind kind;
  int fd; // -1 while a device is gone
  int slot;
  bool hotplug;
  int realtime;
  bool over; // nothing will be read any more
  bool started;
  pthread_t thread;
  atomic_bool ended; // and the ring has all that was
} raw_source;

typedef struct {
  size_t n;
  raw_source source[HTZ_MIDI_SOURCES_MAX];
} raw_state;

static int open_path(const char* path) {
  // Without blocking: the opening of a FIFO would wait for a writer.
  return open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY);
}

static htz_status open_stream(raw_source* source, char* why, size_t why_size) {
  const bool standard = strcmp(source->path, "-") == 0;
  source->fd = standard ? STDIN_FILENO : open_path(source->path);
  struct stat info;
  if (source->fd < 0 || fstat(source->fd, &info) != 0) {
    const int error = errno;
    snprintf(why, why_size, "MIDI stream %s: %s", source->path, strerror(error));
    return error == ENOENT ? HTZ_NOT_FOUND : htz_status_of_errno(error, HTZ_IO);
  }
  if (S_ISDIR(info.st_mode)) {
    snprintf(why, why_size, "MIDI stream %s: %s", source->path, strerror(EISDIR));
    return HTZ_IO;
  }
  source->kind = standard                 ? STREAM_STDIN
                 : S_ISFIFO(info.st_mode) ? STREAM_FIFO
                 : S_ISREG(info.st_mode)  ? STREAM_FILE
                                          : STREAM_DEVICE;
  return HTZ_OK;
}

static htz_midi_slot* slot_of(const raw_source* source) {
  return &source->in->slots[source->slot];
}

// A full ring is waited for, since a file or a program may write faster than anything is played; but when nobody takes anything
// out, what is live is better lost than late.
static void deliver(raw_source* source, const uint8_t* bytes, size_t n) {
  htz_midi_slot* slot = slot_of(source);
  const double time_s = htz_clock_seconds(htz_clock_ns());
  const int step_ms = 1;
  int waited_ms = 0;
  if (!htz_midi_slot_settle(slot)) {
    htz_midi_slot_lose(slot, n);
    return;
  }
  for (;;) {
    const size_t taken = htz_midi_slot_feed(slot, time_s, bytes, n);
    bytes += taken;
    n -= taken;
    if (n == 0) {
      return;
    }
    waited_ms = taken ? 0 : waited_ms + step_ms;
    if (source->kind != STREAM_FILE && waited_ms > PATIENCE_MS) {
      htz_midi_slot_lose(slot, n);
      return;
    }
    if (!htz_midi_in_pause(source->in, step_ms)) {
      return;
    }
  }
}

// The next writer finds the FIFO open all the time: the new descriptor is there before the old one goes.
static bool reopen_fifo(raw_source* source) {
  const int fd = open_path(source->path);
  struct stat info;
  if (fd >= 0 && (fstat(fd, &info) != 0 || !S_ISFIFO(info.st_mode))) {
    close(fd);
    return false;
  }
  if (fd < 0) {
    return false;
  }
  close(source->fd);
  source->fd = fd;
  return true;
}

static void gone(raw_source* source) {
  if (source->kind != STREAM_STDIN && source->fd >= 0) {
    close(source->fd);
  }
  source->fd = -1;
  htz_midi_slot_lose(slot_of(source), 0);
  htz_midi_slot_settle(slot_of(source));
  htz_midi_slot_connected(source->in, source->slot, false);
  if (source->kind == STREAM_FILE || source->kind == STREAM_STDIN || !source->hotplug) {
    source->over = true;
  }
}

static void try_again(raw_source* source) {
  const int fd = open_path(source->path);
  if (fd >= 0) {
    source->fd = fd;
    htz_midi_slot_connected(source->in, source->slot, true);
  }
}

static void read_some(raw_source* source) {
  uint8_t chunk[CHUNK];
  const ssize_t n = read(source->fd, chunk, sizeof chunk);
  if (n > 0) {
    deliver(source, chunk, (size_t)n);
  } else if (n < 0 && (errno == EAGAIN || errno == EINTR)) {
    return;
  } else if (n == 0 && source->kind == STREAM_FIFO && reopen_fifo(source)) {
    struct pollfd ready = {.fd = source->fd, .events = POLLIN};
    if (poll(&ready, 1, 0) > 0 && !(ready.revents & POLLIN)) {
      htz_midi_in_pause(source->in, HUNG_UP_MS);
    }
  } else {
    gone(source);
  }
}

static void* run(void* argument) {
  raw_source* source = argument;
  htz_thread_realtime(source->realtime, HTZ_PRIORITY_MIDI);
  while (!htz_midi_in_stopping(source->in)) {
    const bool settled = htz_midi_slot_settle(slot_of(source));
    if (settled && source->over) {
      break;
    }
    struct pollfd ready[2] = {{.fd = source->in->wake[0], .events = POLLIN}, {.fd = source->fd, .events = POLLIN}};
    const int timeout = !settled ? SETTLE_MS : source->fd < 0 ? RETRY_MS : -1;
    const int n = poll(ready, 2, timeout); // a descriptor of -1 is passed over
    if (htz_midi_in_stopping(source->in)) {
      break;
    }
    if (source->fd >= 0 && n > 0 && ready[1].revents) {
      read_some(source);
    } else if (source->fd < 0 && !source->over && settled) {
      try_again(source);
    }
  }
  atomic_store_explicit(&source->ended, true, memory_order_release);
  return NULL;
}

static void stop(void* state) {
  raw_state* raw = state;
  if (!raw) {
    return;
  }
  for (size_t i = 0; i < raw->n; ++i) {
    raw_source* source = &raw->source[i];
    if (source->started) {
      pthread_join(source->thread, NULL);
    }
    if (source->fd > STDIN_FILENO) {
      close(source->fd);
    }
    free((void*)source->path);
  }
  free(raw);
}

static htz_status start_one(htz_midi_in* in, const htz_midi_wish* wish, const char* path, raw_source* source, char* why,
                            size_t why_size) {
  *source = (raw_source){.in = in, .path = strdup(path), .fd = -1, .hotplug = wish->hotplug, .realtime = wish->realtime};
  atomic_init(&source->ended, false);
  if (!source->path) {
    snprintf(why, why_size, "MIDI stream: %s", htz_status_text(HTZ_NO_MEMORY));
    return HTZ_NO_MEMORY;
  }
  const htz_status st = open_stream(source, why, why_size);
  if (st) {
    return st;
  }
  source->slot = htz_midi_slot_take(in, &htz_midi_raw, source->kind == STREAM_STDIN ? "standard input" : path);
  htz_midi_slot_connected(in, source->slot, true);
  if (pthread_create(&source->thread, NULL, run, source) != 0) {
    snprintf(why, why_size, "MIDI stream %s: %s", path, htz_status_text(HTZ_NO_THREAD));
    return HTZ_NO_THREAD;
  }
  source->started = true;
  return HTZ_OK;
}

static htz_status start(htz_midi_in* in, const htz_midi_wish* wish, void** state, char* why, size_t why_size) {
  if (wish->n_raw == 0) {
    return HTZ_OK;
  }
  raw_state* raw = calloc(1, sizeof *raw);
  if (!raw) {
    snprintf(why, why_size, "MIDI: %s", htz_status_text(HTZ_NO_MEMORY));
    return HTZ_NO_MEMORY;
  }
  *state = raw;
  htz_status st = HTZ_OK;
  while (raw->n < wish->n_raw && !st) {
    st = start_one(in, wish, wish->raw[raw->n], &raw->source[raw->n], why, why_size);
    ++raw->n; // also the one that failed, for its path
  }
  return st;
}

static bool may_come(void* state) {
  raw_state* raw = state;
  for (size_t i = 0; raw && i < raw->n; ++i) {
    if (!atomic_load_explicit(&raw->source[i].ended, memory_order_acquire)) {
      return true;
    }
  }
  return false;
}

const htz_midi_class htz_midi_raw = {.name = "raw", .start = start, .stop = stop, .may_come = may_come};
