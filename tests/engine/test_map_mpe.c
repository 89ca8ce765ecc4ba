// MPE: zones, what managers say for all, what members say for their note.
#include "map_bench.h"

#include "hertzian/midi/sysex.h"

// A part for every channel, number and channel the same.
static int set_up_all(void** state) {
  set_up(state);
  bench* b = *state;
  htz_midi_map_init(&b->map, &b->engine);
  for (uint32_t c = 0; c < HTZ_MIDI_CHANNELS; c++) {
    assert_int_equal(htz_midi_map_add_part(&b->map, c, (uint16_t)(1u << c), &b->instrument), HTZ_OK);
    htz_midi_map_choose_all(&b->map, c, c);
  }
  return 0;
}

static void zone(bench* b, uint8_t manager, uint8_t members) {
  send(b, (uint8_t)(0xB0 | manager), 101, 0, 0);
  send(b, (uint8_t)(0xB0 | manager), 100, 6, 0);
  send(b, (uint8_t)(0xB0 | manager), 6, members, 0);
  b->engine.n = 0;
}

static void bend_on(bench* b, uint8_t channel, int value) {
  const int wheel = value + 8192;
  send(b, (uint8_t)(0xE0 | channel), wheel & 0x7F, (uint8_t)(wheel >> 7), 1);
}

// Value that a part was told last; NaN: nothing.
static double told(const bench* b, uint32_t part, uint32_t param) {
  double value = NAN;
  for (size_t i = 0; i < b->engine.n; i++) {
    const call* c = &b->engine.calls[i];
    value = c->kind == CHANGE && c->part == part && c->index == param ? c->value : value;
  }
  return value;
}

static void the_same_key_on_two_members_has_two_pitches(void** state) {
  bench* b = *state;
  zone(b, 0, 5);
  send(b, 0x91, 60, 100, 0);
  send(b, 0x92, 60, 100, 0);
  bend_on(b, 1, -4096);
  bend_on(b, 2, -8192);
  expect(b, 0, STRIKE, 1, 60, 100.0, 0);
  expect(b, 2, STRIKE, 2, 60, 100.0, 0);
  check_near(told(b, 1, HTZ_PARAM_BEND), -24.0, 1e-12);
  check_near(told(b, 2, HTZ_PARAM_BEND), -48.0, 1e-12);
  assert_true(isnan(told(b, 0, HTZ_PARAM_BEND)));
}

static void the_managers_bend_is_added_on_a_range_of_its_own(void** state) {
  bench* b = *state;
  zone(b, 15, 2);
  bend_on(b, 14, -4096);
  bend_on(b, 15, -4096);
  check_near(told(b, 14, HTZ_PARAM_BEND), -25.0, 1e-12);
  check_near(told(b, 13, HTZ_PARAM_BEND), -1.0, 1e-12);
  check_near(told(b, 15, HTZ_PARAM_BEND), -1.0, 1e-12);
  assert_true(isnan(told(b, 12, HTZ_PARAM_BEND))); // not of the zone
}

static void the_managers_controllers_are_everyones_and_a_members_its_own(void** state) {
  bench* b = *state;
  zone(b, 0, 3);
  send(b, 0xB0, 64, 127, 0);
  send(b, 0xB2, 74, 127, 0);
  for (uint32_t part = 0; part <= 3; part++) {
    check_near(told(b, part, HTZ_PARAM_SUSTAIN), 127.0, 0.0);
  }
  assert_true(isnan(told(b, 4, HTZ_PARAM_SUSTAIN)));
  check_near(told(b, 2, HTZ_PARAM_MALLET_HARDNESS), 10.0, 1e-12);
  assert_true(isnan(told(b, 1, HTZ_PARAM_MALLET_HARDNESS)));
  send(b, 0xC0, 9, 0, 0);
  assert_true(b->map.channel[3].program == 9 && b->map.channel[4].program == 0);
  send(b, 0x91, 60, 100, 0);
  send(b, 0x94, 60, 100, 0);
  b->engine.n = 0;
  send(b, 0xB0, 123, 0, 0); // all notes off, in the zone
  assert_int_equal(b->engine.n, 1);
  expect(b, 0, RELEASE, 1, 60, 64.0, 0);
}

static void the_newer_zone_takes_what_it_needs(void** state) {
  bench* b = *state;
  zone(b, 0, 7);
  zone(b, 15, 7);
  bend_on(b, 7, -8192);
  bend_on(b, 8, -8192);
  check_near(told(b, 7, HTZ_PARAM_BEND), -48.0, 1e-12);
  check_near(told(b, 8, HTZ_PARAM_BEND), -48.0, 1e-12);
  zone(b, 15, 10); // 5 to 14: four are left for the lower one
  b->engine.n = 0;
  bend_on(b, 0, -8192);
  check_near(told(b, 4, HTZ_PARAM_BEND), -2.0, 1e-12);
  assert_true(isnan(told(b, 5, HTZ_PARAM_BEND)));
  zone(b, 0, 15); // all, and none for the other
  b->engine.n = 0;
  bend_on(b, 15, -8192);
  check_near(told(b, 15, HTZ_PARAM_BEND), -48.0, 1e-12);
  assert_true(isnan(told(b, 14, HTZ_PARAM_BEND)));
  zone(b, 0, 0); // off: two semitones again
  bend_on(b, 3, -8192);
  check_near(told(b, 3, HTZ_PARAM_BEND), -2.0, 1e-12);
  zone(b, 5, 4); // no such manager
  bend_on(b, 6, -8192);
  check_near(told(b, 6, HTZ_PARAM_BEND), -2.0, 1e-12);
}

static void a_members_range_is_all_members(void** state) {
  bench* b = *state;
  zone(b, 0, 3);
  send(b, 0xB1, 101, 0, 0);
  send(b, 0xB1, 100, 0, 0);
  send(b, 0xB1, 6, 24, 0);
  bend_on(b, 3, -8192);
  bend_on(b, 0, -8192);
  check_near(told(b, 3, HTZ_PARAM_BEND), -26.0, 1e-12); // the manager keeps its two
}

static void a_zone_from_the_start_is_there_after_a_reset(void** state) {
  bench* b = *state;
  htz_midi_map_mpe(&b->map, HTZ_MPE_LOWER, 24);
  bend_on(b, 9, -8192);
  check_near(told(b, 9, HTZ_PARAM_BEND), -24.0, 1e-12);
  zone(b, 0, 0);
  htz_midi_map_message(&b->map, &(htz_midi_message){.status = HTZ_MIDI_SYSTEM, .data1 = HTZ_SYSTEM_RESET});
  bend_on(b, 9, -8192);
  check_near(told(b, 9, HTZ_PARAM_BEND), -24.0, 1e-12);
}

#define ALL(name) cmocka_unit_test_setup_teardown(name, set_up_all, tear_down)

int main(void) {
  const struct CMUnitTest tests[] = {
      ALL(the_same_key_on_two_members_has_two_pitches),
      ALL(the_managers_bend_is_added_on_a_range_of_its_own),
      ALL(the_managers_controllers_are_everyones_and_a_members_its_own),
      ALL(the_newer_zone_takes_what_it_needs),
      ALL(a_members_range_is_all_members),
      ALL(a_zone_from_the_start_is_there_after_a_reset),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
