// What the tests of songs in live playing share: songs being written, and a performance of them whose clock is ours.
#ifndef HTZ_TEST_SONG_SHOW_H
#define HTZ_TEST_SONG_SHOW_H

#include "check.h"

#include "hertzian/host/live_pool.h"
#include "hertzian/host/song_feed.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

static const double rate_hz = 48000.0;
static const char bars[] = "tests/fixtures/instruments/damped.yaml";

enum {
  TICK = 50, // frames: 480 ticks a quarter, half a second a quarter, 48000 Hz
  SONGS_MAX = 4,
  HEARD_MAX = 4096,
};

/** A song being written: one track of messages at ticks. */
typedef struct {
  uint8_t bytes[4096];
  size_t n;
  uint32_t tick;
} tape;

static inline void put_length(tape* t, uint32_t value) {
  for (int shift = 21; shift > 0; shift -= 7) {
    if (value >> shift) {
      t->bytes[t->n++] = (uint8_t)(value >> shift | 0x80);
    }
  }
  t->bytes[t->n++] = value & 0x7F;
}

static inline void at(tape* t, uint32_t tick, uint8_t status, uint8_t data1, uint8_t data2) {
  const uint8_t message[] = {status, data1, data2};
  const size_t length = (status & 0xF0) == 0xC0 || (status & 0xF0) == 0xD0 ? 2 : 3;
  put_length(t, tick - t->tick);
  memcpy(t->bytes + t->n, message, length);
  t->n += length;
  t->tick = tick;
}

static inline void begin(tape* t) {
  *t = (tape){.n = 22};
}

static inline htz_smf* finish(tape* t, uint32_t end) {
  static const uint8_t eot[] = {0xFF, 0x2F, 0};
  static const uint8_t head[] = {'M', 'T', 'h', 'd', 0, 0, 0, 6, 0, 0, 0, 1, 480 >> 8, 480 & 0xFF, 'M', 'T', 'r', 'k', 0, 0};
  htz_smf_diag diag;
  htz_smf* song = NULL;
  put_length(t, end - t->tick);
  memcpy(t->bytes + t->n, eot, sizeof eot);
  t->n += sizeof eot;
  memcpy(t->bytes, head, sizeof head);
  t->bytes[20] = (uint8_t)((t->n - 22) >> 8);
  t->bytes[21] = (uint8_t)(t->n - 22);
  assert_int_equal(htz_smf_load(t->bytes, t->n, &song, &diag), HTZ_OK);
  assert_int_equal(htz_smf_get_info(song)->damage, 0);
  return song;
}

/** A performance of songs whose clock is ours. */
typedef struct {
  htz_performance performance;
  htz_log log;
  htz_orchestra orchestra;
  htz_live* live;
  htz_live_pool pool;
  htz_song_feed feed;
  htz_song_feed_item items[SONGS_MAX];
  htz_smf* songs[SONGS_MAX];
  uint32_t frames;
  double time_s; // of the next block
  htz_midi_message heard[HEARD_MAX];
  size_t n;
} show;

static inline void open_show(show* s, uint32_t frames, unsigned parts) {
  char path[1024];
  const char* why = NULL;
  bool built = false;
  memset(s, 0, sizeof *s);
  s->performance = (htz_performance){.channels = HTZ_MIDI_OMNI};
  htz_velocity_linear(&s->performance.velocity);
  snprintf(path, sizeof path, "%s/%s", HTZ_SOURCE_DIR, bars);
  assert_int_equal(htz_orchestra_load(&s->orchestra, path, &s->log), HTZ_OK);
  const htz_live_desc desc = {.rate_hz = rate_hz, .frames = frames, .performance = &s->performance, .song = true};
  assert_int_equal(htz_live_new(&desc, &s->live), HTZ_OK);
  htz_live_pool_init(&s->pool, &s->orchestra, &s->performance, s->live);
  for (unsigned i = 0; i < parts; i++) {
    assert_int_equal(htz_live_pool_build(&s->pool, &built, &why), HTZ_OK);
  }
  atomic_store(&s->live->log_midi, true);
  s->frames = frames;
  s->time_s = 100.0;
}

// The reader's thread has done what it was told, and waits: it may have been about to wait when it was told, so twice.
static inline void settle(show* s) {
  const struct timespec moment = {0, 1000000L};
  for (unsigned turn = 0; turn < 2; turn++) {
    atomic_store(&s->feed.filled, false);
    while (!atomic_load(&s->feed.filled)) {
      nanosleep(&moment, NULL);
    }
  }
}

// Take over songs, of which the part from `start` to `end` [frame] is played.
static inline void play(show* s, htz_smf* const* songs, size_t n, double start, double end, uint16_t channels, bool loop) {
  const htz_song_wish wish = {channels, rate_hz, 1.0, start / rate_hz, end / rate_hz, 0};
  for (size_t i = 0; i < n; i++) {
    s->songs[i] = songs[i];
    s->items[i].song = songs[i];
    assert_int_equal(htz_song_span_init(&s->items[i].span, songs[i], &wish), HTZ_OK);
  }
  assert_int_equal(htz_song_feed_open(&s->feed, s->live, s->items, n, channels, loop), HTZ_OK);
  htz_song_feed_allow(&s->feed, n);
  settle(s);
}

static inline void play_one(show* s, htz_smf* song) {
  play(s, &song, 1, 0.0, INFINITY, HTZ_MIDI_OMNI, false);
}

static inline void close_show(show* s) {
  htz_song_feed_close(&s->feed);
  for (size_t i = 0; i < SONGS_MAX; i++) {
    htz_smf_free(s->songs[i]);
  }
  htz_live_pool_discard(&s->pool);
  htz_live_free(s->live);
  htz_live_pool_free(&s->pool);
  htz_orchestra_free(&s->orchestra);
}

static inline void run(show* s, uint32_t frames, float* out) {
  float unused[2 * 8192];
  for (uint32_t done = 0; done < frames; done += s->frames) {
    htz_live_run(s->live, out ? out + (size_t)done * 2 : unused, s->frames, s->time_s, false);
    htz_live_account(s->live, s->frames, 0.0, 0.0);
    s->time_s += s->frames / rate_hz;
    while (s->n < HEARD_MAX && htz_ring_pop(&s->live->played, &s->heard[s->n])) {
      s->n++;
    }
  }
}

// A keyboard's message, heard a block after its stamp.
static inline void key(show* s, uint8_t status, uint8_t data1, uint8_t data2) {
  const uint8_t bytes[] = {status, data1, data2};
  for (size_t i = 0; i < sizeof bytes; i++) {
    const htz_midi_stamped item = {s->time_s, bytes[i], HTZ_MIDI_IN_BYTE};
    assert_true(htz_ring_push(&s->live->midi[0], &item));
  }
}

static inline void expect(const show* s, size_t index, uint64_t frame, uint8_t status, uint8_t data1, uint8_t data2) {
  assert_true(index < s->n);
  const htz_midi_message* m = &s->heard[index];
  assert_int_equal(m->frame, frame);
  assert_int_equal(m->status, status);
  assert_int_equal(m->data1, data1);
  assert_int_equal(m->data2, data2);
}

static inline size_t count(const show* s, uint8_t status, uint8_t data1) {
  size_t n = 0;
  for (size_t i = 0; i < s->n; i++) {
    n += s->heard[i].status == status && s->heard[i].data1 == data1;
  }
  return n;
}

#endif
