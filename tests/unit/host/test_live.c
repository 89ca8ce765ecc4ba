// The audio thread's part of live playing, without a device: stamps to frames, sources, blocks, overload, panic.
#include "live_show.h"

enum { FRAMES_MAX = 96000 };
static float sound[2 * FRAMES_MAX], again[2 * FRAMES_MAX];

// Stamps within a block are heard exactly one block later, at their own distance from each other.
static void events_keep_their_spacing(void** state) {
  (void)state;
  const uint32_t sizes[] = {64, 128, 1024};
  for (size_t i = 0; i < 3; i++) {
    show s;
    htz_midi_message m[16];
    open_show(&s, sizes[i], false);
    build(&s, 1);
    atomic_store(&s.live->log_midi, true);
    run(&s, 200, NULL); // the clock has locked
    const uint64_t begin = 200 * (uint64_t)sizes[i];
    for (uint32_t k = 0; k < 8; k++) {
      // Stamped while block 200 is computed, at the very beginning of every eighth of it.
      note(&s, 0, s.time_s + (k * sizes[i] / 8 + 0.5) / rate_hz, 0x90, (uint8_t)(60 + k), 100);
    }
    run(&s, 3, NULL);
    assert_int_equal(heard(&s, m, 16), 8);
    for (uint32_t k = 0; k < 8; k++) {
      assert_int_equal(m[k].frame, begin + s.live->delay + k * sizes[i] / 8);
      assert_int_equal(m[k].data1, 60 + k);
    }
    close_show(&s);
  }
}

// Block sizes that are no multiple of a quantum: nothing is ever too late for its frame, and the sound is the same.
static void small_blocks_hear_everything_in_time(void** state) {
  (void)state;
  const uint32_t sizes[] = {16, 32, 48, 100, 300};
  for (size_t i = 0; i < 5; i++) {
    show s;
    htz_midi_message m[64];
    open_show(&s, sizes[i], false);
    build(&s, 1);
    atomic_store(&s.live->log_midi, true);
    run(&s, 300, NULL);
    double last = 0.0;
    for (uint32_t k = 0; k < 40; k++) {
      last = s.time_s + (k % 3 + 0.5) / rate_hz; // arrives while the block plays
      const double expected = (last - 100.0) * rate_hz + s.live->delay;
      note(&s, 0, last, 0x90, (uint8_t)(60 + k % 20), 100);
      run(&s, 1 + k % 3, NULL);
      while (heard(&s, m, 1) == 0) {
        run(&s, 1, NULL);
      }
      assert_int_equal(m[0].frame, (uint64_t)expected);
    }
    close_show(&s);
  }
}

static void blocks_of_any_size_give_the_same_samples(void** state) {
  (void)state;
  const uint32_t sizes[] = {64, 16, 100, 300, 2048};
  for (size_t i = 0; i < 5; i++) {
    show s;
    open_show(&s, sizes[i], false);
    build(&s, 1);
    s.live->delay = 4096; // alike for all of them
    note(&s, 0, s.time_s + 0.5 / rate_hz, 0x90, 60, 100);
    note(&s, 0, s.time_s + 777.5 / rate_hz, 0x90, 64, 80);
    const uint32_t blocks = 24000 / sizes[i];
    run(&s, blocks, i ? again : sound);
    if (i > 0) {
      assert_memory_equal(again, sound, sizeof(float) * 2 * blocks * sizes[i]);
    }
    close_show(&s);
  }
  double peak = 0.0;
  for (size_t f = 0; f < 2 * 24000; f++) {
    peak = fmax(peak, fabs((double)sound[f]));
  }
  check_above(peak, 1e-3);
}

static void asap_is_at_once(void** state) {
  (void)state;
  show s;
  htz_midi_message m[4];
  open_show(&s, 256, true);
  build(&s, 1);
  atomic_store(&s.live->log_midi, true);
  run(&s, 100, NULL);
  note(&s, 0, s.time_s - 100.0 / rate_hz, 0x90, 60, 100);
  run(&s, 1, NULL);
  assert_int_equal(heard(&s, m, 4), 1);
  assert_int_equal(m[0].frame, 100 * 256);
  close_show(&s);
}

static void sources_are_merged_in_time(void** state) {
  (void)state;
  show s;
  htz_midi_message m[16];
  open_show(&s, 128, false);
  build(&s, 1);
  atomic_store(&s.live->log_midi, true);
  run(&s, 100, NULL);
  for (size_t source = 0; source < 3; source++) {
    for (uint32_t k = 0; k < 4; k++) {
      note(&s, source, s.time_s + (4.0 * (3.0 * k + (double)(2 - source)) + 0.5) / rate_hz, 0x90, (uint8_t)(60 + source), 100);
    }
  }
  run(&s, 2, NULL);
  assert_int_equal(heard(&s, m, 16), 12);
  for (size_t i = 0; i < 12; i++) {
    assert_int_equal(m[i].data1, 62 - i % 3);
    assert_true(i == 0 || m[i].frame == m[i - 1].frame + 4);
  }
  close_show(&s);
}

static void a_lost_source_lets_go_of_its_own(void** state) {
  (void)state;
  show s;
  htz_midi_message m[32];
  open_show(&s, 128, false);
  build(&s, 1);
  run(&s, 10, NULL);
  note(&s, 0, s.time_s, 0x90, 60, 100);
  note(&s, 0, s.time_s, 0x90, 61, 100);
  note(&s, 0, s.time_s, 0x80, 61, 64);
  note(&s, 0, s.time_s, 0xB0, 64, 127);
  note(&s, 0, s.time_s, 0xE2, 0, 100);
  note(&s, 1, s.time_s, 0x90, 60, 90);
  note(&s, 1, s.time_s, 0x90, 67, 90);
  const uint8_t half[] = {0x90, 70};
  stamp(&s, 0, s.time_s, half, 2);
  run(&s, 3, NULL);
  atomic_store(&s.live->log_midi, true);
  lose(&s, 0, s.time_s);
  run(&s, 3, NULL);
  assert_int_equal(heard(&s, m, 32), 3);
  assert_int_equal(m[0].status, 0x80);
  assert_int_equal(m[0].data1, 60);
  assert_true(m[1].status == 0xB0 && m[1].data1 == 64 && m[1].data2 == 0);
  assert_true(m[2].status == 0xE2 && m[2].data1 == 0 && m[2].data2 == 64);
  assert_int_equal(s.live->map->holds[0][60], 1); // the other source still holds it
  assert_int_equal(s.live->map->holds[0][67], 1);
  assert_int_equal(atomic_load(&s.live->view.released[0]), 1);
  // What follows starts afresh: the half message is forgotten.
  const uint8_t rest[] = {100, 0x90, 72, 100};
  stamp(&s, 0, s.time_s, rest, 4);
  run(&s, 3, NULL);
  assert_int_equal(heard(&s, m, 32), 1);
  assert_int_equal(m[0].data1, 72);
  close_show(&s);
}

// All notes off clears what sources are known to hold, so that a later loss takes nothing from another.
static void all_notes_off_forgets_the_holds(void** state) {
  (void)state;
  show s;
  open_show(&s, 128, false);
  build(&s, 1);
  run(&s, 10, NULL);
  note(&s, 0, s.time_s, 0x90, 60, 100);
  note(&s, 1, s.time_s, 0xB0, 123, 0);
  run(&s, 2, NULL);
  assert_int_equal(s.live->map->holds[0][60], 0);
  note(&s, 1, s.time_s, 0x90, 60, 100);
  run(&s, 2, NULL);
  lose(&s, 0, s.time_s);
  run(&s, 2, NULL);
  assert_int_equal(s.live->map->holds[0][60], 1);
  close_show(&s);
}

static void a_flood_is_bounded_and_complete(void** state) {
  (void)state;
  show s;
  open_show(&s, 64, false);
  build(&s, 1);
  run(&s, 10, NULL);
  for (unsigned i = 0; i < 5000; i++) {
    note(&s, 0, s.time_s, 0xB0, 1, (uint8_t)(i % 128));
  }
  note(&s, 0, s.time_s, 0x90, 60, 100);
  uint64_t before = 0;
  for (unsigned block = 0; block < 20; block++) {
    run(&s, 1, NULL);
    const uint64_t now = atomic_load(&s.live->view.messages);
    assert_true(now - before <= 512);
    before = now;
  }
  assert_int_equal(before, 5001);
  assert_int_equal(s.live->map->counters.notes, 1);
  close_show(&s);
}

static void panic_silences(void** state) {
  (void)state;
  show s;
  open_show(&s, 64, false);
  build(&s, 2);
  for (uint8_t key = 60; key < 72; key++) {
    note(&s, 0, s.time_s, (uint8_t)(0x90 | (key & 1)), key, 120);
  }
  run(&s, 100, NULL);
  assert_false(htz_engine_asleep(s.live->engine));
  atomic_fetch_add(&s.live->panics, 1);
  run(&s, 37, sound); // 49 ms
  assert_true(htz_engine_asleep(s.live->engine));
  run(&s, 1, sound);
  for (size_t i = 0; i < 128; i++) {
    assert_true(sound[i] == 0.0f);
  }
  close_show(&s);
}

static void the_guard_acts_on_the_engines_own_load_only(void** state) {
  (void)state;
  show s;
  open_show(&s, 64, false);
  build(&s, 1);
  for (uint8_t key = 60; key < 90; key++) {
    note(&s, 0, s.time_s, 0x90, key, 100);
  }
  run(&s, 150, NULL);
  const double block_s = 64 / rate_hz;
  const uint32_t ringing = htz_engine_count(s.live->engine).ringing;
  assert_int_equal(ringing, 30);
  htz_live_account(s.live, 64, 3.0 * block_s, 0.5 * block_s); // the machine was busy with other things
  assert_int_equal(atomic_load(&s.live->view.relieved), 0);
  assert_int_equal(atomic_load(&s.live->view.xruns), 1);
  htz_live_account(s.live, 64, 1.5 * block_s, 0.84 * block_s);
  assert_int_equal(atomic_load(&s.live->view.relieved), 0);
  assert_int_equal(atomic_load(&s.live->view.xruns), 1); // late, but a driver holds two blocks
  assert_int_equal(atomic_load(&s.live->view.late), 2);
  htz_live_account(s.live, 64, 1.9 * block_s, 1.9 * block_s); // one block of many strikes
  assert_int_equal(atomic_load(&s.live->view.relieved), 0);
  uint64_t relieved = 0;
  unsigned blocks = 0;
  for (; relieved == 0 && blocks < 10; blocks++) {
    htz_live_account(s.live, 64, 1.2 * block_s, 1.2 * block_s);
    relieved = atomic_load(&s.live->view.relieved);
  }
  // Within 10 ms, from at least 85 % and at most 120 % to 70 %: 5 to 13 of the 30 keys.
  assert_true(blocks < 8);
  assert_in_range(relieved, 5, 13);
  htz_live_account(s.live, 64, 1.2 * block_s, 1.2 * block_s);
  assert_int_equal(atomic_load(&s.live->view.relieved), relieved); // what it did is not to be seen yet
  run(&s, 20, NULL);
  assert_int_equal(htz_engine_count(s.live->engine).ringing, 30 - relieved);
  close_show(&s);
}

static void the_driver_and_the_clock_count_an_xrun_once(void** state) {
  (void)state;
  show s;
  float block[128];
  open_show(&s, 64, false);
  build(&s, 1);
  run(&s, 10, NULL);
  htz_live_account(s.live, 64, 1.0, 0.0);
  htz_live_run(s.live, block, 64, s.time_s, true); // of the same
  assert_int_equal(atomic_load(&s.live->view.xruns), 1);
  htz_live_run(s.live, block, 64, s.time_s, true);
  assert_int_equal(atomic_load(&s.live->view.xruns), 2);
  close_show(&s);
}

static void the_closing_fade_is_short_and_then_silence(void** state) {
  (void)state;
  show s;
  open_show(&s, 64, false);
  build(&s, 1);
  note(&s, 0, s.time_s, 0x90, 60, 120);
  run(&s, 100, NULL);
  atomic_store(&s.live->fade, true);
  run(&s, 20, sound);
  assert_true(atomic_load(&s.live->view.faded));
  double loud = 0.0;
  for (size_t f = 0; f < 960; f++) {
    loud = fmax(loud, fabs((double)sound[2 * f]) / ((960.0 - (double)f) / 960.0 + 1e-9));
  }
  check_above(loud, 1e-3);
  double middle = 0.0; // from 8 to 12 ms, half as loud as before: a fade, and no cut
  for (size_t f = 384; f < 576; f++) {
    middle = fmax(middle, fabs((double)sound[2 * f]));
  }
  check_above(middle, 0.3 * loud);
  for (size_t f = 960; f < 20 * 64; f++) { // 20 ms
    assert_true(sound[2 * f] == 0.0f && sound[2 * f + 1] == 0.0f);
  }
  assert_int_equal(atomic_load(&s.live->view.frames), 100 * 64); // what counts as played ends where the fade begins
  close_show(&s);
}

// The limiter keeps what is played beyond full scale, and is seen to, below it.
static void loud_chords_stay_below_full_scale(void** state) {
  (void)state;
  show s;
  open_show(&s, 64, false);
  build(&s, 1);
  s.live->gain = 100.0f;
  for (uint8_t key = 60; key < 70; key++) {
    note(&s, 0, s.time_s, 0x90, key, 127);
  }
  run(&s, 200, sound);
  double peak = 0.0;
  for (size_t f = 0; f < (size_t)2 * 200 * 64; f++) {
    peak = fmax(peak, fabs((double)sound[f]));
  }
  check_above((double)atomic_load(&s.live->view.level_max), 1.0);
  check_above(peak, 0.5);
  check_below(peak, 1.0 + 1e-6);
  assert_true(atomic_load(&s.live->view.limited) > 0);
  close_show(&s);
}

// Channels get a part of their own with their first note; one comes too early and is played by another part.
static void channels_are_cast_as_they_come(void** state) {
  (void)state;
  show s;
  open_show(&s, 128, false);
  build(&s, 2);
  run(&s, 10, NULL);
  note(&s, 0, s.time_s, 0x93, 60, 100);
  note(&s, 0, s.time_s, 0x95, 60, 100);
  note(&s, 0, s.time_s, 0x97, 60, 100);
  run(&s, 3, NULL);
  assert_int_equal(s.live->map->counters.notes, 3);
  assert_int_equal(atomic_load(&s.live->view.stood_in), 1);
  assert_int_equal(atomic_load(&s.live->taken[0]), 2);
  assert_int_equal(s.live->map->parts_for[7][0], 0);
  build(&s, 1);
  note(&s, 0, s.time_s, 0x97, 62, 100);
  note(&s, 0, s.time_s, 0x87, 60, 64); // the first is still released where it was struck
  run(&s, 3, NULL);
  assert_int_equal(atomic_load(&s.live->view.stood_in), 1);
  assert_int_equal(s.live->map->parts_for[7][0], 1 << 2);
  assert_int_equal(s.live->map->holds[7][60], 0);
  close_show(&s);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(events_keep_their_spacing),
      cmocka_unit_test(small_blocks_hear_everything_in_time),
      cmocka_unit_test(blocks_of_any_size_give_the_same_samples),
      cmocka_unit_test(asap_is_at_once),
      cmocka_unit_test(sources_are_merged_in_time),
      cmocka_unit_test(a_lost_source_lets_go_of_its_own),
      cmocka_unit_test(all_notes_off_forgets_the_holds),
      cmocka_unit_test(a_flood_is_bounded_and_complete),
      cmocka_unit_test(panic_silences),
      cmocka_unit_test(the_guard_acts_on_the_engines_own_load_only),
      cmocka_unit_test(the_driver_and_the_clock_count_an_xrun_once),
      cmocka_unit_test(the_closing_fade_is_short_and_then_silence),
      cmocka_unit_test(loud_chords_stay_below_full_scale),
      cmocka_unit_test(channels_are_cast_as_they_come),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
