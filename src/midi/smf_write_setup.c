#include "smf_write_private.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
  DIVISION_MAX = 32767, // 15 bits
  TEMPO_MAX = 0xFFFFFF, // 24 bits [us]
};

static const double microseconds = 1e6; // in a second

static unsigned long common_divisor(unsigned long a, unsigned long b) {
  while (b != 0) {
    const unsigned long rest = a % b;
    a = b;
    b = rest;
  }
  return a;
}

bool htz_smf_frame_ticks(double rate_hz, unsigned* division, unsigned* tempo_us) {
  // rate = division 1e6 / tempo. The division is a multiple of rate/gcd(rate, 1e6); half a second per quarter note if possible.
  const double rounded = round(rate_hz);
  const unsigned long rate = rounded >= 1.0 ? (unsigned long)rounded : 1;
  const unsigned long least = rate / common_divisor(rate, (unsigned long)microseconds);
  if (rounded == rate_hz && least <= DIVISION_MAX) {
    const unsigned long wanted = rate / 2 < DIVISION_MAX ? rate / 2 : DIVISION_MAX;
    const unsigned long times = wanted / least > 0 ? wanted / least : 1;
    const double tempo = (double)(least * times) * microseconds / rounded;
    if (tempo <= TEMPO_MAX) {
      *division = (unsigned)(least * times);
      *tempo_us = (unsigned)llround(tempo);
      return true;
    }
  }
  *division = 24000; // any large one
  *tempo_us = (unsigned)llround(24000.0 * microseconds / rate_hz);
  return false;
}

bool htz_smf_write_at(htz_smf_writer* writer, const uint8_t* bytes, size_t count, off_t at) {
  while (count > 0) {
    const ssize_t done = pwrite(writer->fd, bytes, count, at);
    if (done < 0 && errno == EINTR) {
      continue;
    }
    if (done <= 0) {
      writer->error = writer->error ? writer->error : done < 0 ? errno : ENOSPC;
      return false;
    }
    bytes += done;
    at += done;
    count -= (size_t)done;
  }
  return true;
}

static bool write_length(htz_smf_writer* writer, off_t end) {
  const unsigned long length = (unsigned long)(end - HTZ_SMF_TRACK_AT);
  const uint8_t bytes[] = {(uint8_t)(length >> 24), (uint8_t)(length >> 16), (uint8_t)(length >> 8), (uint8_t)length};
  return htz_smf_write_at(writer, bytes, sizeof bytes, HTZ_SMF_LENGTH_AT);
}

static const uint8_t end_of_track[] = {0xFF, 0x2F, 0x00};

// What is pending with End of Track behind it, in one write. When that fails the file becomes what it was.
static void write_pending(htz_smf_writer* writer, const uint8_t* ending, size_t ending_size) {
  if (writer->error) {
    writer->fill = 0;
    return;
  }
  memcpy(writer->pending + writer->fill, ending, ending_size);
  const size_t count = writer->fill + ending_size;
  const off_t end = writer->end + (off_t)count;
  if (htz_smf_write_at(writer, writer->pending, count, writer->end) && write_length(writer, end)) {
    writer->end += (off_t)writer->fill;
  } else {
    static const uint8_t old_ending[HTZ_SMF_ENDING] = {0x00, 0xFF, 0x2F, 0x00};
    const off_t old_end = writer->end + (off_t)sizeof old_ending;
    if (htz_smf_write_at(writer, old_ending, sizeof old_ending, writer->end) && write_length(writer, old_end)) {
      (void)!ftruncate(writer->fd, old_end); // bytes behind the track harm nobody, if it cannot be done
    }
  }
  writer->fill = 0;
}

void htz_smf_write_all(htz_smf_writer* writer) {
  uint8_t ending[HTZ_SMF_ENDING] = {0};
  memcpy(ending + 1, end_of_track, sizeof end_of_track);
  write_pending(writer, ending, sizeof ending);
}

void htz_smf_put_bytes(htz_smf_writer* writer, const uint8_t* bytes, size_t count) {
  memcpy(writer->pending + writer->fill, bytes, count);
  writer->fill += count;
}

// Between two events, so that the file always ends with a whole one.
static void make_room(htz_smf_writer* writer) {
  if (writer->fill + HTZ_SMF_EVENT > HTZ_SMF_PENDING) {
    htz_smf_write_all(writer);
  }
}

size_t htz_smf_put_number(uint8_t* out, uint32_t value) {
  size_t n = 0;
  for (int shift = 21; shift >= 0; shift -= 7) {
    if (n > 0 || value >> shift || shift == 0) {
      out[n++] = (uint8_t)((value >> shift & 0x7F) | (shift > 0 ? 0x80 : 0));
    }
  }
  return n;
}

// Bring the track to `frame`: longer waits than a number holds pass through empty texts.
void htz_smf_put_delta(htz_smf_writer* writer, uint64_t frame) {
  uint8_t number[4];
  uint64_t wait = frame > writer->last ? frame - writer->last : 0;
  writer->last += wait;
  for (; wait > HTZ_SMF_DELTA_MAX; wait -= HTZ_SMF_DELTA_MAX) {
    static const uint8_t empty_text[] = {0xFF, 0x01, 0x00};
    make_room(writer);
    htz_smf_put_bytes(writer, number, htz_smf_put_number(number, HTZ_SMF_DELTA_MAX));
    htz_smf_put_bytes(writer, empty_text, sizeof empty_text);
  }
  make_room(writer);
  htz_smf_put_bytes(writer, number, htz_smf_put_number(number, (uint32_t)wait));
}

static htz_status result(const htz_smf_writer* writer) {
  errno = writer->error;
  return writer->error ? HTZ_IO : HTZ_OK;
}

// A file in which no event could be written is of no use, and would be in the way of the next try.
static void close_file(htz_smf_writer* writer) {
  struct stat open_one, named;
  const bool ours = fstat(writer->fd, &open_one) == 0 && lstat(writer->path, &named) == 0 && open_one.st_dev == named.st_dev &&
                    open_one.st_ino == named.st_ino;
  if (close(writer->fd) != 0 && errno != EINTR && !writer->error) {
    writer->error = errno;
  }
  if (writer->error && writer->end <= HTZ_SMF_TRACK_AT + HTZ_SMF_BEAT && ours) {
    unlink(writer->path);
  }
}

htz_status htz_smf_writer_open(const char* path, double rate_hz, htz_smf_writer** out) {
  *out = NULL;
  const size_t path_size = strlen(path) + 1;
  htz_smf_writer* writer = calloc(1, sizeof *writer + path_size);
  if (!writer) {
    return HTZ_NO_MEMORY;
  }
  memcpy(writer->path, path, path_size);
  writer->fd = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  if (writer->fd < 0) {
    const int error = errno;
    free(writer);
    errno = error;
    return htz_status_of_errno(error, HTZ_IO);
  }
  unsigned division = 0, tempo = 0;
  htz_smf_frame_ticks(rate_hz, &division, &tempo);
  const uint8_t head[HTZ_SMF_TRACK_AT] = {
      'M', 'T', 'h', 'd', 0, 0, 0, 6, 0, 0, 0, 1, (uint8_t)(division >> 8), (uint8_t)division, 'M', 'T', 'r', 'k'};
  const uint8_t beat[HTZ_SMF_BEAT] = {0, 0xFF, 0x51, 3, (uint8_t)(tempo >> 16), (uint8_t)(tempo >> 8), (uint8_t)tempo};
  if (htz_smf_write_at(writer, head, sizeof head, 0)) {
    writer->end = HTZ_SMF_TRACK_AT;
    htz_smf_put_bytes(writer, beat, sizeof beat);
    htz_smf_write_all(writer);
  }
  if (writer->error) {
    const int error = writer->error;
    close_file(writer);
    free(writer);
    errno = error;
    return htz_status_of_errno(error, HTZ_IO);
  }
  *out = writer;
  return HTZ_OK;
}

static htz_status put_system(htz_smf_writer* writer, const htz_midi_message* message) {
  uint8_t bytes[1 + HTZ_SYSEX_WRITTEN];
  const size_t size = htz_sysex_write(message, writer->octave, bytes + 1);
  if (size > 0) {
    bytes[0] = bytes[1]; // F0, then how much follows
    bytes[1] = (uint8_t)(size - 1);
    htz_smf_put_delta(writer, message->frame);
    htz_smf_put_bytes(writer, bytes, size + 1);
    writer->count++;
  }
  if (message->data1 == HTZ_SYSTEM_RESET) {
    memset(writer->held, 0, sizeof writer->held);
  }
  return result(writer);
}

htz_status htz_smf_writer_put(htz_smf_writer* writer, const htz_midi_message* message) {
  const unsigned channel = message->status & HTZ_MIDI_CHANNEL_MASK;
  const unsigned kind = message->status & HTZ_MIDI_KIND_MASK;
  const uint8_t key = message->data1 & 0x7F;
  if (message->status == HTZ_MIDI_RESET) {
    static const uint8_t escaped[] = {0xF7, 1, HTZ_MIDI_RESET}; // bare, it would begin a meta event
    memset(writer->held, 0, sizeof writer->held);
    htz_smf_put_delta(writer, message->frame);
    htz_smf_put_bytes(writer, escaped, sizeof escaped);
    writer->count++;
    return result(writer);
  }
  if (message->status == HTZ_MIDI_SYSTEM) {
    return put_system(writer, message);
  }
  if (message->status < HTZ_MIDI_NOTE_OFF || message->status > HTZ_MIDI_SYSTEM) {
    return HTZ_OK; // nothing a track can hold
  }
  uint16_t* held = &writer->held[channel][key];
  if (kind == HTZ_MIDI_NOTE_ON && message->data2 > 0) {
    *held = (uint16_t)(*held + (*held < UINT16_MAX));
  } else if (kind == HTZ_MIDI_NOTE_ON || kind == HTZ_MIDI_NOTE_OFF) {
    *held = (uint16_t)(*held - (*held > 0));
  }
  const uint8_t bytes[] = {message->status, key, message->data2 & 0x7F};
  htz_smf_put_delta(writer, message->frame);
  htz_smf_put_bytes(writer, bytes, htz_midi_data_length(message->status) + 1);
  writer->count++;
  return result(writer);
}

htz_status htz_smf_writer_sync(htz_smf_writer* writer) {
  if (writer->fill > 0) {
    htz_smf_write_all(writer);
  }
  return result(writer);
}

htz_status htz_smf_writer_close(htz_smf_writer* writer, uint64_t frame) {
  if (!writer) {
    return HTZ_OK;
  }
  for (unsigned channel = 0; channel < HTZ_SMF_CHANNELS; channel++) {
    for (unsigned key = 0; key < HTZ_SMF_KEYS; key++) {
      const htz_midi_message off = {.frame = frame,
                                    .status = (uint8_t)(HTZ_MIDI_NOTE_OFF | channel),
                                    .data1 = (uint8_t)key,
                                    .data2 = HTZ_MIDI_RELEASE_VELOCITY,
                                    .length = 3};
      while (writer->held[channel][key] > 0) {
        htz_smf_writer_put(writer, &off);
      }
    }
  }
  htz_smf_put_delta(writer, frame);
  write_pending(writer, end_of_track, sizeof end_of_track);
  close_file(writer);
  const int error = writer->error;
  free(writer);
  errno = error;
  return error ? HTZ_IO : HTZ_OK;
}

uint64_t htz_smf_writer_count(const htz_smf_writer* writer) {
  return writer->count;
}
