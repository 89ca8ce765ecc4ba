#ifndef HTZ_TEST_SONG_H
#define HTZ_TEST_SONG_H

#include "hertzian/midi/smf.h"

#include <stdlib.h>
#include <string.h>

// Builds Standard MIDI Files byte by byte, with no help from the code under test.
typedef struct {
  uint8_t* bytes;
  size_t size, room;
  size_t track_at; // of the open track's first byte
} song;

static inline void song_put(song* s, const void* bytes, size_t count) {
  if (s->size + count > s->room) {
    s->room = 2 * (s->size + count);
    s->bytes = realloc(s->bytes, s->room);
  }
  if (count) {
    memcpy(s->bytes + s->size, bytes, count);
    s->size += count;
  }
}

static inline void song_big(song* s, uint64_t value, int count) {
  for (int i = count - 1; i >= 0; --i) {
    const uint8_t byte = (uint8_t)(value >> (8 * i));
    song_put(s, &byte, 1);
  }
}

static inline void song_header(song* s, unsigned format, unsigned tracks, unsigned division) {
  song_put(s, "MThd", 4);
  song_big(s, 6, 4);
  song_big(s, format, 2);
  song_big(s, tracks, 2);
  song_big(s, division, 2);
}

static inline void song_track(song* s) {
  song_put(s, "MTrk\0\0\0\0", 8);
  s->track_at = s->size;
}

static inline void song_patch(song* s, size_t at, uint32_t length) {
  for (int i = 0; i < 4; ++i) {
    s->bytes[at + (size_t)i] = (uint8_t)(length >> (24 - 8 * i));
  }
}

// Close the track's length without writing an End of Track.
static inline void song_close(song* s) {
  song_patch(s, s->track_at - 4, (uint32_t)(s->size - s->track_at));
}

static inline void song_delta(song* s, uint32_t ticks) {
  uint8_t bytes[4];
  int count = 0;
  do {
    bytes[3 - count] = (uint8_t)((ticks & 0x7F) | (count ? 0x80 : 0));
    ticks >>= 7;
    ++count;
  } while (ticks && count < 4);
  song_put(s, bytes + 4 - count, (size_t)count);
}

static inline void song_end(song* s, uint32_t delta) {
  song_delta(s, delta);
  song_put(s, "\xFF\x2F\x00", 3);
  song_close(s);
}

static inline void song_tempo(song* s, uint32_t delta, uint32_t tempo) {
  song_delta(s, delta);
  song_put(s, "\xFF\x51\x03", 3);
  song_big(s, tempo, 3);
}

static inline void song_event(song* s, uint32_t delta, unsigned status, unsigned data1, unsigned data2) {
  const uint8_t bytes[3] = {(uint8_t)status, (uint8_t)data1, (uint8_t)data2};
  song_delta(s, delta);
  song_put(s, bytes, (status & 0xE0) == 0xC0 ? 2 : 3);
}

static inline void song_free(song* s) {
  free(s->bytes);
  memset(s, 0, sizeof *s);
}

// Every event of a loaded song, at a rate; the caller frees.
static inline htz_smf_event* song_play(const htz_smf* smf, double rate_hz, double tempo, size_t* count) {
  const size_t room = (size_t)htz_smf_get_info(smf)->events + 1;
  htz_smf_event* events = calloc(room, sizeof *events);
  htz_smf_clock clock;
  htz_smf_iter* iter = NULL;
  *count = 0;
  if (events && !htz_smf_clock_init(smf, rate_hz, tempo, &clock) && !htz_smf_iter_new(smf, &clock, &iter)) {
    while (*count < room && htz_smf_iter_next(iter, &events[*count])) {
      ++*count;
    }
  }
  htz_smf_iter_free(iter);
  return events;
}

#endif
