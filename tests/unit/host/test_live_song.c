// Songs in live playing: their clock to the sample, what they hold and set, pauses, passes, several of them, keyboards beside them.
#include "check.h"

#include "hertzian/host/live_pool.h"
#include "hertzian/host/player.h"
#include "hertzian/host/song_feed.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static const double rate_hz = 48000.0;
static const char bars[] = "tests/fixtures/instruments/damped.yaml";

enum {
  TICK = 50, // frames: 480 ticks a quarter, half a second a quarter, 48000 Hz
  SONGS_MAX = 4,
  HEARD_MAX = 4096,
  FRAMES = 96000,
};
static float sound[2 * FRAMES], again[2 * FRAMES];

/** A song being written: one track of messages at ticks. */
typedef struct {
  uint8_t bytes[4096];
  size_t n;
  uint32_t tick;
} tape;

static void put_length(tape* t, uint32_t value) {
  for (int shift = 21; shift > 0; shift -= 7) {
    if (value >> shift) {
      t->bytes[t->n++] = (uint8_t)(value >> shift | 0x80);
    }
  }
  t->bytes[t->n++] = value & 0x7F;
}

static void at(tape* t, uint32_t tick, uint8_t status, uint8_t data1, uint8_t data2) {
  const uint8_t message[] = {status, data1, data2};
  const size_t length = (status & 0xF0) == 0xC0 || (status & 0xF0) == 0xD0 ? 2 : 3;
  put_length(t, tick - t->tick);
  memcpy(t->bytes + t->n, message, length);
  t->n += length;
  t->tick = tick;
}

static void begin(tape* t) {
  *t = (tape){.n = 22};
}

static htz_smf* finish(tape* t, uint32_t end) {
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

static void open_show(show* s, uint32_t frames, unsigned parts) {
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
static void settle(show* s) {
  const struct timespec moment = {0, 1000000L};
  for (unsigned turn = 0; turn < 2; turn++) {
    atomic_store(&s->feed.filled, false);
    while (!atomic_load(&s->feed.filled)) {
      nanosleep(&moment, NULL);
    }
  }
}

// Take over songs, of which the part from `start` to `end` [frame] is played.
static void play(show* s, htz_smf* const* songs, size_t n, double start, double end, uint16_t channels, bool loop) {
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

static void play_one(show* s, htz_smf* song) {
  play(s, &song, 1, 0.0, INFINITY, HTZ_MIDI_OMNI, false);
}

static void close_show(show* s) {
  htz_song_feed_close(&s->feed);
  for (size_t i = 0; i < SONGS_MAX; i++) {
    htz_smf_free(s->songs[i]);
  }
  htz_live_pool_discard(&s->pool);
  htz_live_free(s->live);
  htz_live_pool_free(&s->pool);
  htz_orchestra_free(&s->orchestra);
}

static void run(show* s, uint32_t frames, float* out) {
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
static void key(show* s, uint8_t status, uint8_t data1, uint8_t data2) {
  const uint8_t bytes[] = {status, data1, data2};
  for (size_t i = 0; i < sizeof bytes; i++) {
    const htz_midi_stamped item = {s->time_s, bytes[i], HTZ_MIDI_IN_BYTE};
    assert_true(htz_ring_push(&s->live->midi[0], &item));
  }
}

static void expect(const show* s, size_t index, uint64_t frame, uint8_t status, uint8_t data1, uint8_t data2) {
  assert_true(index < s->n);
  const htz_midi_message* m = &s->heard[index];
  assert_int_equal(m->frame, frame);
  assert_int_equal(m->status, status);
  assert_int_equal(m->data1, data1);
  assert_int_equal(m->data2, data2);
}

static void notes_sound_at_their_frames(void** state) {
  (void)state;
  static const uint32_t sizes[] = {64, 16, 100, 300, 1024};
  for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
    show s;
    tape t;
    open_show(&s, sizes[i], 1);
    begin(&t);
    for (uint32_t k = 0; k < 40; k++) {
      at(&t, 7 * k, 0x90, (uint8_t)(50 + k), 100);
    }
    play_one(&s, finish(&t, 300));
    run(&s, 300 * TICK + 2048, NULL);
    assert_int_equal(s.n, 80);
    for (uint32_t k = 0; k < 40; k++) {
      expect(&s, k, 7 * k * TICK, 0x90, (uint8_t)(50 + k), 100);
      expect(&s, 40 + k, 300 * TICK, 0x80, (uint8_t)(50 + k), 64); // what is never let go is at End of Track
    }
    assert_true(htz_song_feed_over(&s.feed));
    close_show(&s);
  }
}

static void melody(tape* t) {
  begin(t);
  at(t, 0, 0xB0, 7, 90);
  at(t, 3, 0x90, 60, 100);
  at(t, 5, 0x91, 72, 90);
  at(t, 100, 0xB0, 64, 127);
  at(t, 111, 0x80, 60, 64);
  at(t, 200, 0xE0, 0, 80);
  at(t, 201, 0x90, 64, 70);
  at(t, 300, 0xB0, 64, 0);
  at(t, 310, 0x80, 64, 20);
  at(t, 400, 0x81, 72, 64);
}

static void played_is_rendered(void** state) {
  (void)state;
  show s;
  tape t;
  melody(&t);
  open_show(&s, 128, 2);
  play_one(&s, finish(&t, 500));
  run(&s, FRAMES, sound);
  htz_player* player = NULL;
  const char* why = NULL;
  const htz_player_desc desc = {.song = s.songs[0],
                                .orchestra = &s.orchestra,
                                .performance = &s.performance,
                                .rate_hz = rate_hz,
                                .tempo = 1.0,
                                .close = s.items[0].span.close};
  assert_int_equal(htz_player_new(&desc, &player, &why), HTZ_OK);
  float peak = 0.0f, left[HTZ_QUANTUM], right[HTZ_QUANTUM];
  for (size_t frame = 0; frame < FRAMES; frame += HTZ_QUANTUM) {
    htz_player_quantum(player, left, right);
    for (size_t i = 0; i < HTZ_QUANTUM; i++) {
      again[2 * (frame + i)] = left[i];
      again[2 * (frame + i) + 1] = right[i];
      peak = fabsf(left[i]) > peak ? fabsf(left[i]) : peak;
    }
  }
  htz_player_free(player);
  assert_memory_equal(sound, again, sizeof sound);
  check_above((double)peak, 1e-3);
  close_show(&s);
}

static void keyboards_come_in_between(void** state) {
  (void)state;
  show s;
  tape t;
  open_show(&s, 64, 1);
  begin(&t);
  at(&t, 200, 0x90, 60, 100);
  at(&t, 202, 0x90, 62, 100);
  at(&t, 204, 0x80, 60, 64);
  play_one(&s, finish(&t, 300));
  run(&s, 200 * TICK - 10000 % 64 - 64, NULL); // up to the block before the one in which the song's first note is
  const uint64_t now = htz_engine_now(s.live->engine);
  assert_in_range(200 * TICK - now, 64, 127);
  s.time_s += (200.0 * TICK + 50.0 - (double)now - s.live->delay + 0.5) / rate_hz; // to be heard 50 frames after that one
  key(&s, 0x90, 60, 90);
  s.time_s -= (200.0 * TICK + 50.0 - (double)now - s.live->delay + 0.5) / rate_hz;
  run(&s, 1000, NULL);
  assert_int_equal(s.n, 4);
  expect(&s, 0, 200 * TICK, 0x90, 60, 100);
  expect(&s, 1, 200 * TICK + 50, 0x90, 60, 90);
  expect(&s, 2, 202 * TICK, 0x90, 62, 100);
  expect(&s, 3, 204 * TICK, 0x80, 60, 64);
  assert_int_equal(s.live->map->holds[0][60], 1); // by the keyboard
  close_show(&s);
}

// A pause lets go of what the song holds and of nothing else; everything after it is later by its length, to the frame.
static void a_pause_holds_the_clock(void** state) {
  (void)state;
  show s;
  tape t;
  open_show(&s, 64, 1);
  begin(&t);
  at(&t, 0, 0x90, 60, 100);
  at(&t, 1, 0x90, 62, 100);
  at(&t, 2, 0xB0, 64, 100);
  at(&t, 100, 0x80, 60, 64);
  at(&t, 101, 0x90, 64, 100);
  at(&t, 102, 0x80, 62, 64);
  play_one(&s, finish(&t, 200));
  run(&s, 640, NULL);
  key(&s, 0x90, 60, 90);
  run(&s, 640, NULL);
  assert_int_equal(s.n, 4);
  atomic_store(&s.live->song.pause, true);
  run(&s, 6400, NULL);
  assert_int_equal(s.n, 7);
  expect(&s, 4, 1280, 0x80, 60, 64);
  expect(&s, 5, 1280, 0x80, 62, 64);
  expect(&s, 6, 1280, 0xB0, 64, 0);
  assert_int_equal(s.live->map->holds[0][60], 1);
  assert_int_equal(s.live->map->holds[0][62], 0);
  assert_int_equal(atomic_load(&s.live->song.clock), 1280);
  atomic_store(&s.live->song.pause, false);
  run(&s, 200 * TICK, NULL);
  expect(&s, 7, 7680, 0xB0, 64, 100);              // where the pedal was
  expect(&s, 8, 6400 + 101 * TICK, 0x90, 64, 100); // the note-offs are of notes that the song holds no more
  assert_int_equal(s.live->map->holds[0][60], 1);
  expect(&s, 9, 6400 + 200 * TICK, 0x80, 64, 64);
  expect(&s, 10, 6400 + 200 * TICK, 0xB0, 64, 0);
  close_show(&s);
}

static size_t count(const show* s, uint8_t status, uint8_t data1) {
  size_t n = 0;
  for (size_t i = 0; i < s->n; i++) {
    n += s->heard[i].status == status && s->heard[i].data1 == data1;
  }
  return n;
}

// The next pass begins at the frame at which the last one ends, whatever the quanta are; settings are as at the start.
static void passes_join_to_the_sample(void** state) {
  (void)state;
  enum { PASS = 333 }; // ticks, no multiple of a quantum
  show s;
  tape t;
  open_show(&s, 128, 1);
  begin(&t);
  at(&t, 0, 0x90, 60, 100);
  at(&t, 10, 0xB0, 7, 30);
  at(&t, 11, 0xB0, 1, 30);
  at(&t, 12, 0xE0, 0, 90);
  at(&t, 13, 0xC0, 5, 0);
  at(&t, 14, 0xB0, 101, 0);
  at(&t, 14, 0xB0, 100, 0);
  at(&t, 14, 0xB0, 6, 12);
  at(&t, 20, 0x90, 64, 100);
  htz_smf* song = finish(&t, PASS);
  play(&s, &song, 1, 0.0, INFINITY, HTZ_MIDI_OMNI, true);
  run(&s, 1280, NULL);
  key(&s, 0x90, 72, 90);
  run(&s, 4 * PASS * TICK - 1280 + 256, NULL);
  size_t pass = 0;
  for (size_t i = 0; i < s.n; i++) {
    if (s.heard[i].status == 0x90 && s.heard[i].data1 == 60) {
      assert_int_equal(s.heard[i].frame, pass * PASS * TICK);
      if (pass > 0) { // released and reset at that very frame, before it
        assert_int_equal(s.heard[i - 1].frame, s.heard[i].frame);
      }
      pass++;
    }
  }
  assert_int_equal(pass, 5);
  assert_int_equal(count(&s, 0x80, 60), 4);
  assert_int_equal(count(&s, 0x80, 72), 0); // what the keyboard holds goes on
  assert_int_equal(s.live->map->holds[0][72], 1);
  // In the first ticks of the fifth pass: as at the start.
  const htz_map_channel* channel = &s.live->map->channel[0];
  assert_int_equal(channel->bend, 8192);
  assert_int_equal(channel->program, 0);
  assert_int_equal(channel->range_semitones, 2);
  assert_int_equal(channel->heard[7], 128);
  assert_int_equal(channel->heard[1], 0);
  assert_false(htz_song_feed_over(&s.feed));
  close_show(&s);
}

// From the middle on everything is set as if it had been played from the start; what was struck before is not.
static void a_start_in_the_middle_finds_everything_set(void** state) {
  (void)state;
  show s, whole;
  tape t;
  begin(&t);
  at(&t, 0, 0xC0, 7, 0);
  at(&t, 0, 0xB0, 7, 33);
  at(&t, 0, 0xB0, 101, 0);
  at(&t, 0, 0xB0, 100, 0);
  at(&t, 0, 0xB0, 6, 12);
  at(&t, 1, 0xB0, 101, 127);
  at(&t, 1, 0xB0, 100, 127);
  at(&t, 2, 0xB0, 11, 20);
  at(&t, 2, 0xB0, 64, 127);
  at(&t, 3, 0xB0, 121, 0); // takes back the two before it
  at(&t, 4, 0xB0, 1, 77);
  at(&t, 5, 0xD0, 55, 0);
  at(&t, 6, 0x90, 60, 100);
  at(&t, 7, 0xE0, 5, 99);
  at(&t, 8, 0xC3, 2, 0);
  at(&t, 500, 0x80, 60, 64);
  at(&t, 600, 0x90, 64, 64);
  htz_smf* song = finish(&t, 700);
  open_show(&whole, 128, 1);
  run(&whole, 128, NULL);
  play_one(&whole, song);
  run(&whole, 400 * TICK, NULL);
  open_show(&s, 128, 1);
  play(&s, &song, 1, 400.0 * TICK + 7.0, 650.0 * TICK, HTZ_MIDI_OMNI, false);
  whole.songs[0] = NULL; // belongs to the other now
  run(&s, 128, NULL);
  assert_memory_equal(s.live->map->channel, whole.live->map->channel, sizeof s.live->map->channel);
  for (size_t i = 0; i < s.n; i++) {
    assert_int_equal(s.heard[i].frame, 0);
    assert_int_not_equal(s.heard[i].status, 0x90);
  }
  const size_t set = s.n;
  run(&s, 300 * TICK, NULL);
  assert_int_equal(s.n, set + 2);
  expect(&s, set, 200 * TICK - 7, 0x90, 64, 64);
  expect(&s, set + 1, 250 * TICK - 7, 0x80, 64, 64); // the end that was asked for
  close_show(&s);
  close_show(&whole);
}

static htz_smf* one_note(uint8_t note, uint32_t length) {
  tape t;
  begin(&t);
  at(&t, 0, 0xB0, 7, note); // tells them apart, too
  at(&t, 1, 0x90, note, 100);
  at(&t, length, 0x80, note, 64);
  return finish(&t, length);
}

static void the_next_song_waits_for_silence(void** state) {
  (void)state;
  show s;
  htz_smf* songs[] = {one_note(60, 100), one_note(61, 100)};
  open_show(&s, 128, 1);
  play(&s, songs, 2, 0.0, INFINITY, HTZ_MIDI_OMNI, false);
  run(&s, 480000, NULL);
  assert_int_equal(count(&s, 0x90, 61), 1);
  size_t second = 0;
  while (s.heard[second].data1 != 61 || s.heard[second].status != 0x90) {
    second++;
  }
  // Half a second below -60 dBFS: not before that, and soon after, since the damper stops the bar within a fifth of a second.
  const uint64_t gap = s.heard[second].frame - 100 * TICK;
  assert_in_range(gap, 24000, 24000 + 9600 + TICK);
  assert_true(htz_song_feed_over(&s.feed));
  assert_int_equal(atomic_load(&s.live->song.begun), 2);
  close_show(&s);
}

static void going_elsewhere_drops_what_was_read_ahead(void** state) {
  (void)state;
  show s;
  htz_smf* songs[] = {one_note(60, 4000), one_note(61, 4000), one_note(62, 4000)};
  open_show(&s, 128, 1);
  play(&s, songs, 3, 0.0, INFINITY, HTZ_MIDI_OMNI, false);
  run(&s, 12800, NULL);
  key(&s, 0x90, 72, 90);
  run(&s, 1280, NULL);
  const size_t before = s.n;
  htz_song_feed_go(&s.feed, 2);
  run(&s, 128, NULL); // the audio thread may be told before the reader has begun
  settle(&s);
  run(&s, 12800, NULL);
  assert_int_equal(atomic_load(&s.live->song.song), 2);
  assert_int_equal(s.heard[before].status, 0x80); // let go of at once
  assert_int_equal(s.heard[before].data1, 60);
  assert_int_equal(count(&s, 0x90, 61), 0);
  assert_int_equal(count(&s, 0x90, 62), 1);
  assert_int_equal(s.live->map->channel[0].heard[7], 63);
  assert_int_equal(s.live->map->holds[0][72], 1);
  htz_song_feed_go(&s.feed, 3); // there is none
  settle(&s);
  run(&s, 256, NULL);
  assert_int_equal(count(&s, 0x80, 62), 1);
  assert_true(htz_song_feed_over(&s.feed));
  htz_song_feed_go(&s.feed, 0);
  assert_false(htz_song_feed_over(&s.feed));
  settle(&s);
  run(&s, 12800, NULL);
  assert_int_equal(count(&s, 0x90, 60), 2);
  close_show(&s);
}

// A song's own channels only; a keyboard is heard on all.
static void channels_of_the_song_are_its_own(void** state) {
  (void)state;
  show s;
  tape t;
  open_show(&s, 128, 2);
  begin(&t);
  at(&t, 0, 0x90, 60, 100);
  at(&t, 0, 0x99, 36, 100);
  at(&t, 0, 0xB9, 7, 1);
  htz_smf* song = finish(&t, 100);
  play(&s, &song, 1, 0.0, INFINITY, (uint16_t)(HTZ_MIDI_OMNI & ~(1u << 9)), false);
  key(&s, 0x99, 50, 100);
  run(&s, 1280, NULL);
  assert_int_equal(count(&s, 0x99, 36), 0);
  assert_int_equal(count(&s, 0xB9, 7), 0);
  assert_int_equal(count(&s, 0x99, 50), 1);
  assert_int_equal(count(&s, 0x90, 60), 1);
  close_show(&s);
}

// Nothing is skipped when the reader is late: the song's clock waits for it.
static void an_empty_ring_stops_the_clock(void** state) {
  (void)state;
  show s;
  open_show(&s, 64, 1);
  const htz_song_item first = {.frame = 10, .kind = HTZ_SONG_MESSAGE, .status = 0x90, .data1 = 60, .data2 = 100, .length = 3};
  htz_song_item second = first;
  second.frame = 1010;
  second.data1 = 61;
  assert_true(htz_ring_push(&s.live->song.ring, &first));
  run(&s, 6400, NULL);
  assert_true(htz_ring_push(&s.live->song.ring, &second));
  run(&s, 6400, NULL);
  expect(&s, 0, 10, 0x90, 60, 100);
  expect(&s, 1, 6400 + 1010, 0x90, 61, 100);
  close_show(&s);
}

// A keyboard's flood keeps no song waiting, nor a song's a keyboard.
static void floods_are_bounded_apart(void** state) {
  (void)state;
  show s;
  open_show(&s, 64, 1);
  for (unsigned i = 0; i < 2000; i++) {
    key(&s, 0xB0, 1, (uint8_t)(i % 128));
  }
  const htz_song_item item = {.frame = 640, .kind = HTZ_SONG_MESSAGE, .status = 0x90, .data1 = 60, .data2 = 100, .length = 3};
  assert_true(htz_ring_push(&s.live->song.ring, &item));
  s.live->asap = true;
  run(&s, 64, NULL);
  assert_int_equal(s.n, 512);
  run(&s, 64 * 3, NULL);
  assert_int_equal(s.n, 2000);
  run(&s, 64 * 5, NULL);
  for (unsigned i = 0; i < 2000; i++) {
    key(&s, 0xB0, 1, (uint8_t)(i % 128));
  }
  run(&s, 128, NULL);
  assert_int_equal(count(&s, 0x90, 60), 1);
  for (size_t i = 0; i < s.n; i++) {
    assert_true(s.heard[i].status != 0x90 || s.heard[i].frame == 640);
  }
  close_show(&s);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(notes_sound_at_their_frames),      cmocka_unit_test(played_is_rendered),
      cmocka_unit_test(keyboards_come_in_between),        cmocka_unit_test(a_pause_holds_the_clock),
      cmocka_unit_test(passes_join_to_the_sample),        cmocka_unit_test(a_start_in_the_middle_finds_everything_set),
      cmocka_unit_test(the_next_song_waits_for_silence),  cmocka_unit_test(going_elsewhere_drops_what_was_read_ahead),
      cmocka_unit_test(channels_of_the_song_are_its_own), cmocka_unit_test(an_empty_ring_stops_the_clock),
      cmocka_unit_test(floods_are_bounded_apart),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
