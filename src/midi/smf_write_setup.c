#include "hertzian/midi/smf_write.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
  DIVISION_MAX = 32767,  // 15 bits
  TEMPO_MAX = 0xFFFFFF,  // 24 bits [us]
  DELTA_MAX = 0xFFFFFFF, // 28 bits
  LENGTH_AT = 18,        // of the track, after its name
  TRACK_AT = 22,         // first byte of the track
  CHANNELS = 16,
  KEYS = 128,
};

static const double microseconds = 1e6; // in a second

struct htz_smf_writer {
  FILE* file;
  long end;      // where the next event goes
  uint64_t last; // frame of the last event
  uint64_t count;
  bool failed;
  uint16_t held[CHANNELS][KEYS];
};

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

static void put_bytes(htz_smf_writer* writer, const uint8_t* bytes, size_t count) {
  if (fwrite(bytes, 1, count, writer->file) != count) {
    writer->failed = true;
  }
  writer->end += (long)count;
}

static size_t put_number(uint8_t* out, uint32_t value) {
  size_t n = 0;
  for (int shift = 21; shift >= 0; shift -= 7) {
    if (n > 0 || value >> shift || shift == 0) {
      out[n++] = (uint8_t)((value >> shift & 0x7F) | (shift > 0 ? 0x80 : 0));
    }
  }
  return n;
}

// Bring the track to `frame`: longer waits than a number holds pass through empty texts.
static void put_delta(htz_smf_writer* writer, uint64_t frame) {
  uint8_t number[4];
  uint64_t wait = frame > writer->last ? frame - writer->last : 0;
  writer->last += wait;
  for (; wait > DELTA_MAX; wait -= DELTA_MAX) {
    static const uint8_t empty_text[] = {0xFF, 0x01, 0x00};
    put_bytes(writer, number, put_number(number, DELTA_MAX));
    put_bytes(writer, empty_text, sizeof empty_text);
  }
  put_bytes(writer, number, put_number(number, (uint32_t)wait));
}

htz_status htz_smf_writer_open(const char* path, double rate_hz, htz_smf_writer** out) {
  *out = NULL;
  htz_smf_writer* writer = calloc(1, sizeof *writer);
  if (!writer) {
    return HTZ_NO_MEMORY;
  }
  const int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  writer->file = fd >= 0 ? fdopen(fd, "wb") : NULL;
  if (!writer->file) {
    const int error = errno;
    if (fd >= 0) {
      close(fd);
    }
    free(writer);
    errno = error;
    return HTZ_IO;
  }
  unsigned division = 0, tempo = 0;
  htz_smf_frame_ticks(rate_hz, &division, &tempo);
  const uint8_t head[TRACK_AT] = {'M', 'T', 'h', 'd', 0, 0, 0, 6, 0, 0, 0, 1, (uint8_t)(division >> 8), (uint8_t)division,
                                  'M', 'T', 'r', 'k'};
  const uint8_t beat[] = {0, 0xFF, 0x51, 3, (uint8_t)(tempo >> 16), (uint8_t)(tempo >> 8), (uint8_t)tempo};
  put_bytes(writer, head, sizeof head);
  put_bytes(writer, beat, sizeof beat);
  *out = writer;
  return htz_smf_writer_sync(writer);
}

htz_status htz_smf_writer_put(htz_smf_writer* writer, const htz_midi_message* message) {
  const unsigned channel = message->status & HTZ_MIDI_CHANNEL_MASK;
  const unsigned kind = message->status & HTZ_MIDI_KIND_MASK;
  const uint8_t key = message->data1 & 0x7F;
  if (message->status == HTZ_MIDI_RESET) {
    static const uint8_t escaped[] = {0xF7, 1, HTZ_MIDI_RESET}; // bare, it would begin a meta event
    memset(writer->held, 0, sizeof writer->held);
    put_delta(writer, message->frame);
    put_bytes(writer, escaped, sizeof escaped);
    writer->count++;
    return writer->failed ? HTZ_IO : HTZ_OK;
  }
  if (message->status < HTZ_MIDI_NOTE_OFF || message->status >= 0xF0) {
    return HTZ_OK; // nothing a track can hold
  }
  uint16_t* held = &writer->held[channel][key];
  if (kind == HTZ_MIDI_NOTE_ON && message->data2 > 0) {
    *held = (uint16_t)(*held + (*held < UINT16_MAX));
  } else if (kind == HTZ_MIDI_NOTE_ON || kind == HTZ_MIDI_NOTE_OFF) {
    *held = (uint16_t)(*held - (*held > 0));
  }
  const uint8_t bytes[] = {message->status, key, message->data2 & 0x7F};
  put_delta(writer, message->frame);
  put_bytes(writer, bytes, htz_midi_data_length(message->status) + 1);
  writer->count++;
  return writer->failed ? HTZ_IO : HTZ_OK;
}

// End of Track at `frame`, to be overwritten by the next event.
static void finish_track(htz_smf_writer* writer, uint64_t frame) {
  static const uint8_t end_of_track[] = {0xFF, 0x2F, 0x00};
  const long end = writer->end;
  const uint64_t last = writer->last;
  put_delta(writer, frame);
  put_bytes(writer, end_of_track, sizeof end_of_track);
  const unsigned long length = (unsigned long)(writer->end - TRACK_AT);
  const uint8_t bytes[] = {(uint8_t)(length >> 24), (uint8_t)(length >> 16), (uint8_t)(length >> 8), (uint8_t)length};
  writer->failed |=
      fseek(writer->file, LENGTH_AT, SEEK_SET) != 0 || fwrite(bytes, 1, sizeof bytes, writer->file) != sizeof bytes;
  writer->failed |= fseek(writer->file, end, SEEK_SET) != 0;
  writer->failed |= fflush(writer->file) != 0;
  writer->end = end;
  writer->last = last;
}

htz_status htz_smf_writer_sync(htz_smf_writer* writer) {
  finish_track(writer, writer->last);
  return writer->failed ? HTZ_IO : HTZ_OK;
}

htz_status htz_smf_writer_close(htz_smf_writer* writer, uint64_t frame) {
  if (!writer) {
    return HTZ_OK;
  }
  for (unsigned channel = 0; channel < CHANNELS; channel++) {
    for (unsigned key = 0; key < KEYS; key++) {
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
  finish_track(writer, frame);
  const bool failed = fclose(writer->file) != 0 || writer->failed;
  free(writer);
  return failed ? HTZ_IO : HTZ_OK;
}

uint64_t htz_smf_writer_count(const htz_smf_writer* writer) {
  return writer->count;
}
