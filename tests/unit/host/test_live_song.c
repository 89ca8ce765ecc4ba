// A song in live playing: its clock to the sample, what it holds, pauses, keyboards beside it; the same sound as rendered.
#include "song_show.h"

#include "hertzian/host/output.h"
#include "hertzian/host/player.h"

enum { FRAMES = 96000 };
static float sound[2 * FRAMES], again[2 * FRAMES];

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
  const float gain = (float)htz_output_gain(0.0); // as a render leaves the program
  float peak = 0.0f, left[HTZ_QUANTUM], right[HTZ_QUANTUM];
  for (size_t frame = 0; frame < FRAMES; frame += HTZ_QUANTUM) {
    htz_player_quantum(player, left, right);
    for (size_t i = 0; i < HTZ_QUANTUM; i++) {
      again[2 * (frame + i)] = left[i] * gain;
      again[2 * (frame + i) + 1] = right[i] * gain;
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
  run(&s, 200 * TICK - 64, NULL);
  const uint64_t now = htz_engine_now(s.live->engine);
  assert_in_range(200 * TICK - now, 1, 64); // the song's first note is in the next block
  const double later_s = (200.0 * TICK + 50.0 + 0.5 - (double)now - s.live->delay) / rate_hz;
  s.time_s += later_s; // to be heard 50 frames after that one
  key(&s, 0x90, 60, 90);
  s.time_s -= later_s;
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
      cmocka_unit_test(channels_of_the_song_are_its_own), cmocka_unit_test(an_empty_ring_stops_the_clock),
      cmocka_unit_test(floods_are_bounded_apart),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
