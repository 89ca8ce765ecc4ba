// Songs on their way into live playing: passes, starts in the middle, one after the other, going elsewhere.
#include "song_show.h"

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

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(passes_join_to_the_sample),
      cmocka_unit_test(a_start_in_the_middle_finds_everything_set),
      cmocka_unit_test(the_next_song_waits_for_silence),
      cmocka_unit_test(going_elsewhere_drops_what_was_read_ahead),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
