#include "map_bench.h"

#include <math.h>

/* Layers, splits and banks: which parts a note is handed to. */

static void add_part(bench* b, uint32_t part, htz_map_zone zone) {
  assert_int_equal(htz_midi_map_add_part(&b->map, part, 1u << 0, &b->instrument), HTZ_OK);
  htz_midi_map_set_zone(&b->map, part, &zone);
  b->map.parts_for[0][0] |= UINT64_C(1) << part;
}

static void split(bench* b) {
  htz_midi_map_set_zone(&b->map, 0, &(htz_map_zone){60, 127, 0, 127, 0});
  add_part(b, 1, (htz_map_zone){0, 59, 0, 127, 12});
}

/** The strokes since the bench was asked last: bit p is part p. */
static uint64_t struck(bench* b, uint32_t keys[HTZ_PARTS_MAX]) {
  uint64_t parts = 0;
  for (size_t i = 0; i < b->engine.n; i++) {
    if (b->engine.calls[i].kind == STRIKE) {
      parts |= UINT64_C(1) << b->engine.calls[i].part;
      keys[b->engine.calls[i].part] = b->engine.calls[i].key;
    }
  }
  b->engine.n = 0;
  return parts;
}

static void a_split_shares_the_keys(void** state) {
  bench* b = *state;
  uint32_t keys[HTZ_PARTS_MAX] = {0};
  split(b);
  for (uint8_t note = 0; note < HTZ_KEYS; note++) {
    send(b, 0x90, note, 100, 0);
    assert_int_equal(struck(b, keys), note < 60 ? 2 : 1);
    assert_int_equal(keys[note < 60], note < 60 ? note + 12 : note);
    send(b, 0x80, note, 64, 1);
    assert_int_equal(b->engine.n, 1);
    assert_true(b->engine.calls[0].kind == RELEASE && b->engine.calls[0].key == keys[note < 60]);
    b->engine.n = 0;
  }
  assert_int_equal(b->map.counters.notes, HTZ_KEYS);
  assert_int_equal(b->map.counters.outside + b->map.counters.out_of_range, 0);
}

static void layers_sound_together_and_end_together(void** state) {
  bench* b = *state;
  uint32_t keys[HTZ_PARTS_MAX] = {0};
  add_part(b, 1, (htz_map_zone){0, 127, 0, 127, -12});
  send(b, 0x90, 60, 100, 0);
  send(b, 0x90, 60, 90, 0);
  assert_int_equal(struck(b, keys), 3);
  assert_int_equal(keys[1], 48);
  send(b, 0x80, 60, 64, 1);
  assert_int_equal(b->engine.n, 0); // pressed twice
  send(b, 0x80, 60, 64, 2);
  assert_int_equal(b->engine.n, 2);
  assert_true(b->engine.calls[0].kind == RELEASE && b->engine.calls[1].kind == RELEASE);
  // A key that one of them has not is played by the other, and counted as a note.
  b->engine.n = 0;
  send(b, 0x90, 5, 100, 3);
  assert_int_equal(struck(b, keys), 1);
  assert_int_equal(b->map.counters.out_of_range, 0);
}

// Softer than 64 the one, from 64 on the other: without a gap, also with the finer velocities of controller 88 and of curves.
static void velocities_share_the_notes(void** state) {
  bench* b = *state;
  uint32_t keys[HTZ_PARTS_MAX] = {0};
  htz_midi_map_set_zone(&b->map, 0, &(htz_map_zone){0, 127, 0, 63, 0});
  add_part(b, 1, (htz_map_zone){0, 127, 64, 127, 0});
  for (uint8_t velocity = 1; velocity < HTZ_KEYS; velocity++) {
    for (uint8_t fine = 0; fine < HTZ_KEYS; fine += 63) {
      send(b, 0xB0, 88, fine, 0);
      send(b, 0x90, 60, velocity, 0);
      assert_int_equal(struck(b, keys), velocity < 64 ? 1 : 2);
    }
  }
  // What is held is let go of, whatever it was struck with.
  send(b, 0xB0, 123, 0, 1);
  assert_int_equal(b->engine.n, 2);
}

static void what_nobody_plays_is_counted(void** state) {
  bench* b = *state;
  htz_midi_map_set_zone(&b->map, 0, &(htz_map_zone){60, 72, 1, 127, 0});
  send(b, 0x90, 59, 100, 0);
  send(b, 0x80, 59, 64, 0);
  assert_int_equal(b->engine.n, 0);
  assert_int_equal(b->map.counters.outside, 1);
  assert_int_equal(b->map.counters.notes, 0);
  b->map.transpose = 100;
  send(b, 0x90, 60, 100, 0);
  assert_int_equal(b->map.counters.out_of_range, 1);
}

// A program change under held keys: those of the layers before are let go of, those that go on playing are not.
static void a_program_keeps_what_it_shares(void** state) {
  bench* b = *state;
  uint32_t keys[HTZ_PARTS_MAX] = {0};
  add_part(b, 1, HTZ_MAP_ZONE_ALL);
  b->map.parts_for[0][5] = 1u << 1;
  send(b, 0x90, 60, 100, 0);
  assert_int_equal(struck(b, keys), 3);
  send(b, 0xC0, 5, 0, 1);
  send(b, 0x90, 60, 100, 2);
  assert_true(b->engine.calls[0].kind == RELEASE && b->engine.calls[0].part == 0);
  assert_int_equal(struck(b, keys), 2);
  send(b, 0x80, 60, 64, 3);
  send(b, 0x80, 60, 64, 3);
  assert_true(b->engine.n == 1 && b->engine.calls[0].part == 1);
}

static void banks_choose_variants(void** state) {
  bench* b = *state;
  uint32_t keys[HTZ_PARTS_MAX] = {0};
  b->map.cast_for[8][24] = 200;
  b->map.parts_for[0][200] = 1u << 1;
  b->map.parts_for[0][24] = 1u << 0;
  add_part(b, 1, HTZ_MAP_ZONE_ALL);
  static const struct {
    uint8_t high, low;
    uint64_t plays;
  } cases[] = {{8, 0, 2}, {8, 3, 2}, {0, 8, 2}, {121, 8, 2}, {0, 0, 1}, {9, 0, 1}, {121, 0, 1}};
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    send(b, 0xB0, 0, cases[i].high, 0);
    send(b, 0xB0, 32, cases[i].low, 0);
    send(b, 0xB0, 121, 0, 0); // takes it back as little as RP-015 says
    send(b, 0xC0, 24, 0, 0);
    send(b, 0xB0, 0, 77, 0); // nothing before the next program change
    b->engine.n = 0;
    send(b, 0x90, 60, 100, 1);
    assert_int_equal(struck(b, keys), cases[i].plays);
    send(b, 0x80, 60, 64, 2);
  }
  send(b, 0xB0, 0, 8, 0);
  send(b, 0xB0, 32, 0, 0);
  send(b, 0xC0, 24, 0, 0);
  send(b, 0xFF, 0, 0, 0); // a system reset does
  send(b, 0xC0, 24, 0, 0);
  b->engine.n = 0;
  send(b, 0x90, 60, 100, 1);
  assert_int_equal(struck(b, keys), 1);
}

// Programs of the drum channel are kits, whatever bank was selected; as a member of a zone it is a channel like the others.
static void the_drum_channel_has_kits(void** state) {
  bench* b = *state;
  uint32_t keys[HTZ_PARTS_MAX] = {0};
  assert_int_equal(htz_midi_map_add_part(&b->map, 1, 1u << HTZ_DRUM_CHANNEL, &b->instrument), HTZ_OK);
  b->map.cast_for[HTZ_BANK_KITS][40] = 200;
  b->map.parts_for[HTZ_DRUM_CHANNEL][200] = 1u << 1;
  send(b, 0xB9, 0, 5, 0);
  send(b, 0xC9, 40, 0, 0);
  assert_int_equal(htz_midi_map_bank(&b->map, HTZ_DRUM_CHANNEL), HTZ_BANK_KITS);
  b->engine.n = 0;
  send(b, 0x99, 38, 100, 0);
  assert_int_equal(struck(b, keys), 2);
  htz_midi_map_mpe(&b->map, HTZ_MPE_LOWER, HTZ_MPE_BEND);
  assert_int_equal(htz_midi_map_bank(&b->map, HTZ_DRUM_CHANNEL), b->map.channel[HTZ_DRUM_CHANNEL].bank);
}

// The keys of a kit are objects: transposing makes no cymbal of a drum, and no tuning leaves one out.
static void a_kit_is_not_transposed(void** state) {
  bench* b = *state;
  uint32_t keys[HTZ_PARTS_MAX] = {0};
  b->map.transpose = 12;
  b->map.pitch[0][38] = NAN;
  send(b, 0x90, 40, 100, 0);
  assert_int_equal(struck(b, keys), 1);
  assert_int_equal(keys[0], 52);
  b->map.parts[0].kit = true;
  send(b, 0x90, 38, 100, 0);
  assert_int_equal(struck(b, keys), 1);
  assert_int_equal(keys[0], 38);
  send(b, 0xB0, 101, 0, 0);
  send(b, 0xB0, 100, 0, 0);
  send(b, 0xB0, 6, 96, 0);
  b->engine.n = 0;
  send(b, 0xE0, 0, 0, 0); // eight octaves down: a drum goes along for one
  assert_true(b->engine.n == 1 && b->engine.calls[0].value == -12.0);
}

static void a_channel_of_its_own_has_no_programs(void** state) {
  bench* b = *state;
  uint32_t keys[HTZ_PARTS_MAX] = {0};
  add_part(b, 1, HTZ_MAP_ZONE_ALL);
  b->map.cast_of[0] = 7;
  b->map.parts_for[0][7] = 1u << 1;
  for (uint8_t program = 0; program < HTZ_MIDI_PROGRAMS; program++) {
    send(b, 0xC0, program, 0, 0);
    send(b, 0x90, 60, 100, 0);
    assert_int_equal(struck(b, keys), 2);
  }
}

/** A zone that is set up anew ends the notes of its channels. */
static void a_new_zone_ends_what_sounds(void** state) {
  bench* b = *state;
  send(b, 0x90, 60, 100, 0);
  b->engine.n = 0;
  send(b, 0xB0, 101, 0, 1);
  send(b, 0xB0, 100, 6, 1);
  send(b, 0xB0, 6, 5, 1);
  bool released = false;
  for (size_t i = 0; i < b->engine.n; i++) {
    released = released || (b->engine.calls[i].kind == RELEASE && b->engine.calls[i].key == 60);
  }
  assert_true(released);
}

/** The wheel bends a kit by an octave at most, whatever its range is. */
static void a_kit_bends_by_an_octave(void** state) {
  bench* b = *state;
  for (unsigned kit = 0; kit < 2; kit++) {
    b->map.parts[0].kit = kit;
    range(b, 48, 0);
    b->engine.n = 0;
    bend(b, 16383, 1);
    assert_true(b->engine.n > 0);
    const call* last = &b->engine.calls[b->engine.n - 1];
    assert_int_equal(last->index, HTZ_PARAM_BEND);
    check_near(last->value, kit ? 12.0 : 48.0, 1e-9);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(a_new_zone_ends_what_sounds, set_up, tear_down),
      cmocka_unit_test_setup_teardown(a_kit_bends_by_an_octave, set_up, tear_down),
      cmocka_unit_test_setup_teardown(a_split_shares_the_keys, set_up, tear_down),
      cmocka_unit_test_setup_teardown(layers_sound_together_and_end_together, set_up, tear_down),
      cmocka_unit_test_setup_teardown(velocities_share_the_notes, set_up, tear_down),
      cmocka_unit_test_setup_teardown(what_nobody_plays_is_counted, set_up, tear_down),
      cmocka_unit_test_setup_teardown(a_program_keeps_what_it_shares, set_up, tear_down),
      cmocka_unit_test_setup_teardown(banks_choose_variants, set_up, tear_down),
      cmocka_unit_test_setup_teardown(the_drum_channel_has_kits, set_up, tear_down),
      cmocka_unit_test_setup_teardown(a_kit_is_not_transposed, set_up, tear_down),
      cmocka_unit_test_setup_teardown(a_channel_of_its_own_has_no_programs, set_up, tear_down),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
