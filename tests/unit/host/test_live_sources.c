// What sources of MIDI do that the audio thread has to mind: fall silent, send pedals the wrong way round, send a great deal at once.
#include "live_show.h"

// Active sensing that stops is a pulled cable: what the source holds is let go of, once, and nobody else's.
static void a_source_that_falls_silent_is_let_go_of(void** state) {
  (void)state;
  static const uint8_t sensing = 0xFE;
  const uint32_t second = (uint32_t)rate_hz / 128;
  show s;
  htz_midi_message m[32];
  open_show(&s, 128, false);
  build(&s, 1);
  run(&s, 10, NULL);
  note(&s, 0, s.time_s, 0x90, 60, 100);
  note(&s, 0, s.time_s, 0xB0, 64, 127);
  note(&s, 1, s.time_s, 0x90, 64, 100); // never sends it
  stamp(&s, 0, s.time_s, &sensing, 1);
  for (int i = 0; i < 4; i++) { // sensing alone keeps it
    run(&s, second / 3, NULL);
    stamp(&s, 0, s.time_s, &sensing, 1);
  }
  run(&s, second * 4 / 10, NULL);
  assert_int_equal(s.live->map->holds[0][60], 1);
  atomic_store(&s.live->log_midi, true);
  run(&s, second * 2 / 10, NULL);
  assert_int_equal(heard(&s, m, 32), 2);
  assert_true(m[0].status == 0x80 && m[0].data1 == 60);
  assert_true(m[1].status == 0xB0 && m[1].data1 == 64 && m[1].data2 == 0);
  assert_int_equal(s.live->map->holds[0][64], 1);
  assert_int_equal(atomic_load(&s.live->view.silent[0]), 1);
  assert_int_equal(atomic_load(&s.live->view.silent[1]), 0);
  note(&s, 0, s.time_s, 0x90, 60, 100); // it plays on, without sensing: as if it had never been
  run(&s, second, NULL);
  assert_int_equal(s.live->map->holds[0][60], 1);
  s.live->sensing = false; // --no-active-sensing
  stamp(&s, 0, s.time_s, &sensing, 1);
  run(&s, second, NULL);
  assert_int_equal(s.live->map->holds[0][60], 1);
  assert_int_equal(atomic_load(&s.live->view.silent[0]), 1);
  close_show(&s);
}

static void pedals_go_the_way_they_are_told_or_learnt(void** state) {
  (void)state;
  const struct {
    htz_pedal way;
    uint8_t sent[3], heard[3];
  } cases[] = {{HTZ_PEDAL_NORMAL, {0, 127, 0}, {0, 127, 0}},
               {HTZ_PEDAL_INVERTED, {0, 27, 127}, {127, 100, 0}},
               {HTZ_PEDAL_LEARNT, {0, 127, 0}, {127, 0, 127}},
               {HTZ_PEDAL_LEARNT, {127, 0, 127}, {127, 0, 127}}};
  for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++) {
    show s;
    htz_midi_message m[16];
    open_show(&s, 128, false);
    build(&s, 1);
    s.live->source[0].pedal_way = cases[c].way;
    atomic_store(&s.live->log_midi, true);
    run(&s, 10, NULL);
    for (size_t i = 0; i < 3; i++) {
      note(&s, 0, s.time_s, 0xB3, 64, cases[c].sent[i]);
    }
    run(&s, 3, NULL);
    assert_int_equal(heard(&s, m, 16), 3);
    for (size_t i = 0; i < 3; i++) {
      assert_int_equal(m[i].data2, cases[c].heard[i]);
    }
    close_show(&s);
  }
}

// A tuning dump is 128 messages of one source; none is lost, and what is written down has them all.
static void a_tuning_dump_is_heard_whole_before_the_note_behind_it(void** state) {
  (void)state;
  enum { MOST = 200 };
  show s;
  static htz_midi_message m[MOST];
  uint8_t bytes[600] = {0xF0, 0x7E, 0x7F, 8, 1, 0};
  size_t n = 6 + 16;
  for (unsigned key = 0; key < 128; key++) {
    bytes[n++] = (uint8_t)key;
    bytes[n++] = 64;
    bytes[n++] = 0;
  }
  for (size_t i = 1; i < n; i++) {
    bytes[n] ^= bytes[i];
  }
  bytes[n] &= 0x7F;
  n++;
  bytes[n++] = 0xF7;
  open_show(&s, 128, false);
  build(&s, 1);
  atomic_store(&s.live->log_midi, true);
  run(&s, 10, NULL);
  stamp(&s, 0, s.time_s, bytes, n);
  note(&s, 0, s.time_s, 0x90, 60, 100);
  run(&s, 3, NULL);
  assert_int_equal(heard(&s, m, MOST), 129);
  assert_int_equal(m[128].status, 0x90);
  for (unsigned key = 0; key < 128; key++) {
    assert_true(m[key].status == HTZ_MIDI_SYSTEM && m[key].data2 == key);
  }
  check_near((double)s.live->map->pitch[0][60], 60.5, 1e-6);
  close_show(&s);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_source_that_falls_silent_is_let_go_of),
      cmocka_unit_test(pedals_go_the_way_they_are_told_or_learnt),
      cmocka_unit_test(a_tuning_dump_is_heard_whole_before_the_note_behind_it),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
