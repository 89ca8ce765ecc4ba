// Channel messages become strikes, holds and parameter changes at their frame.
#include "map_bench.h"

static void a_note_strikes_and_holds_then_is_released(void** state) {
  bench* b = *state;
  send(b, 0x90, 60, 100, 7);
  send(b, 0x80, 60, 64, 9);
  assert_int_equal(b->engine.n, 3);
  expect(b, 0, STRIKE, 0, 60, 100.0, 7);
  expect(b, 1, HOLD, 0, 60, 0.0, 7);
  expect(b, 2, RELEASE, 0, 60, 0.0, 9);
}

static void velocity_zero_is_a_note_off(void** state) {
  bench* b = *state;
  send(b, 0x90, 60, 100, 0);
  send(b, 0x90, 60, 0, 1);
  expect(b, 2, RELEASE, 0, 60, 0.0, 1);
}

static void holds_are_counted(void** state) {
  bench* b = *state;
  send(b, 0x90, 60, 100, 0);
  send(b, 0x90, 60, 50, 1);
  send(b, 0x80, 60, 64, 2);
  assert_int_equal(b->engine.n, 4); // two strikes with a hold each, no release yet
  expect(b, 2, STRIKE, 0, 60, 50.0, 1);
  send(b, 0x80, 60, 64, 3);
  expect(b, 4, RELEASE, 0, 60, 0.0, 3);
  send(b, 0x80, 60, 64, 4); // one too many
  assert_int_equal(b->engine.n, 5);
  assert_int_equal(b->map.counters.stray_offs, 1);
}

static void order_at_one_frame_is_kept(void** state) {
  bench* b = *state;
  send(b, 0xB0, 7, 10, 5);
  send(b, 0x90, 60, 100, 5);
  send(b, 0xB0, 7, 20, 5);
  send(b, 0x80, 60, 0, 5);
  send(b, 0x90, 60, 90, 5);
  const call_kind wanted[] = {CHANGE, STRIKE, HOLD, CHANGE, RELEASE, STRIKE, HOLD};
  assert_int_equal(b->engine.n, sizeof wanted / sizeof wanted[0]);
  for (size_t i = 0; i < b->engine.n; i++) {
    assert_int_equal(b->engine.calls[i].kind, wanted[i]);
    assert_int_equal(b->engine.calls[i].frame, 5);
  }
}

static void transposition_moves_on_and_off_and_stops_at_the_ends(void** state) {
  bench* b = *state;
  b->map.transpose = 12;
  send(b, 0x90, 60, 100, 0);
  send(b, 0x80, 60, 0, 1);
  expect(b, 0, STRIKE, 0, 72, 100.0, 0);
  expect(b, 2, RELEASE, 0, 72, 0.0, 1);
  send(b, 0x90, 116, 100, 2);
  send(b, 0x80, 116, 0, 3);
  assert_int_equal(b->engine.n, 3);
  assert_int_equal(b->map.counters.out_of_range, 1);
  b->map.transpose = -61;
  send(b, 0x90, 60, 100, 4);
  assert_int_equal(b->map.counters.out_of_range, 2);
}

static void the_velocity_curve_is_applied(void** state) {
  bench* b = *state;
  assert_int_equal(htz_velocity_parse("fixed=33", &b->map.velocity, NULL, 0), HTZ_OK);
  send(b, 0x90, 60, 100, 0);
  expect(b, 0, STRIKE, 0, 60, 33.0, 0);
}

static void channels_are_filtered_and_counted(void** state) {
  bench* b = *state;
  b->map.channels = (uint16_t) ~(1u << 9);
  htz_midi_map_choose_all(&b->map, 9, 0);
  send(b, 0x99, 36, 100, 0);
  send(b, 0x89, 36, 100, 1);
  send(b, 0xB9, 120, 0, 1);
  assert_int_equal(b->engine.n, 0);
  assert_int_equal(b->map.counters.muted, 1);
  send(b, 0x92, 36, 100, 2); // listened to, but nobody plays it
  assert_int_equal(b->map.counters.unplayed, 1);
  assert_int_equal(b->engine.n, 0);
}

static void programs_choose_parts_and_a_held_key_is_let_go_where_it_was_struck(void** state) {
  bench* b = *state;
  htz_midi_map_add_part(&b->map, 1, 1u << 0, &b->instrument);
  htz_midi_map_choose(&b->map, 0, 9, 1);
  send(b, 0x90, 60, 100, 0);
  send(b, 0xC0, 9, 0, 1);
  send(b, 0x80, 60, 0, 2);
  expect(b, 2, RELEASE, 0, 60, 0.0, 2);
  send(b, 0x90, 60, 100, 3);
  expect(b, 3, STRIKE, 1, 60, 100.0, 3);
  send(b, 0xC0, 12, 0, 4);
  send(b, 0x90, 60, 80, 5); // while part 1 still holds the key
  expect(b, 5, RELEASE, 1, 60, 0.0, 5);
  expect(b, 6, STRIKE, 0, 60, 80.0, 5);
  send(b, 0x80, 60, 0, 6);
  expect(b, 8, RELEASE, 0, 60, 0.0, 6);
  assert_int_equal(b->engine.n, 9);
}

static void volume_pan_and_expression_reach_every_part_of_the_channel(void** state) {
  bench* b = *state;
  htz_midi_map_add_part(&b->map, 1, 1u << 0, &b->instrument);
  htz_midi_map_add_part(&b->map, 2, 1u << 1, &b->instrument);
  send(b, 0xB0, 7, 90, 3);
  send(b, 0xB0, 10, 0, 4);
  send(b, 0xB0, 11, 127, 5);
  assert_int_equal(b->engine.n, 6);
  for (uint32_t part = 0; part < 2; part++) {
    expect(b, part, CHANGE, part, HTZ_PARAM_VOLUME, 90.0, 3);
    expect(b, 2 + part, CHANGE, part, HTZ_PARAM_PAN, 0.0, 4);
    expect(b, 4 + part, CHANGE, part, HTZ_PARAM_EXPRESSION, 127.0, 5);
  }
}

static void pedals_and_send_are_parameters(void** state) {
  bench* b = *state;
  send(b, 0xB0, 64, 37, 5);
  send(b, 0xB0, 66, 127, 6);
  send(b, 0xB0, 67, 1, 7);
  send(b, 0xB0, 91, 50, 8);
  expect(b, 3, CHANGE, 0, HTZ_PARAM_SEND, 50.0, 8);
  expect(b, 0, CHANGE, 0, HTZ_PARAM_SUSTAIN, 37.0, 5);
  expect(b, 1, CHANGE, 0, HTZ_PARAM_SOSTENUTO, 127.0, 6);
  expect(b, 2, CHANGE, 0, HTZ_PARAM_SOFT, 1.0, 7);
}

static void release_velocity_is_handed_on(void** state) {
  bench* b = *state;
  send(b, 0x90, 60, 100, 0);
  send(b, 0x80, 60, 17, 1);
  send(b, 0x90, 60, 100, 2);
  send(b, 0x90, 60, 0, 3); // the usual one
  check_near(b->engine.calls[2].value, 17.0, 0.0);
  check_near(b->engine.calls[5].value, 64.0, 0.0);
}

static void declared_controllers_use_the_files_range_on_the_parameters_scale(void** state) {
  bench* b = *state;
  assert_int_equal(b->engine.n, 0); // nothing is moved before its controller was seen
  send(b, 0xB0, 74, 0, 0);
  send(b, 0xB0, 74, 127, 1);
  send(b, 0xB0, 1, 127, 2);
  expect(b, 0, CHANGE, 0, HTZ_PARAM_MALLET_HARDNESS, 0.1, 0);
  expect(b, 1, CHANGE, 0, HTZ_PARAM_MALLET_HARDNESS, 10.0, 1);
  expect(b, 2, CHANGE, 0, HTZ_PARAM_MALLET_AT, 0.1, 2);
  // Logarithmic: 63 and 64 of 127 lie evenly about the geometric mean, 1.
  send(b, 0xB0, 74, 63, 3);
  send(b, 0xB0, 74, 64, 4);
  check_close(b->engine.calls[3].value * b->engine.calls[4].value, 1.0, 1e-12);
  send(b, 0xB0, 65, 127, 5); // portamento means nothing here
  send(b, 0xB0, 2, 127, 5);
  assert_int_equal(b->engine.n, 5);
}

static void a_declared_controller_takes_the_place_of_the_usual_one(void** state) {
  bench* b = *state;
  b->map.parts[0].controls[0].cc = 11;
  send(b, 0xB0, 11, 127, 0);
  assert_int_equal(b->engine.n, 1);
  expect(b, 0, CHANGE, 0, HTZ_PARAM_MALLET_HARDNESS, 10.0, 0);
}

static void all_sound_off_silences_and_all_notes_off_releases(void** state) {
  bench* b = *state;
  for (uint8_t cc = 123; cc <= 127; cc++) {
    b->engine.n = 0;
    send(b, 0x90, 60, 100, 0);
    send(b, 0x90, 60, 100, 0);
    send(b, 0x90, 64, 100, 0);
    send(b, 0xB0, cc, 0, 1);
    assert_int_equal(b->engine.n, 8);
    expect(b, 6, RELEASE, 0, 60, 0.0, 1);
    expect(b, 7, RELEASE, 0, 64, 0.0, 1);
  }
  b->engine.n = 0;
  send(b, 0x90, 60, 100, 0);
  send(b, 0xB0, 120, 0, 2);
  expect(b, 2, RELEASE, 0, 60, 0.0, 2);
  expect(b, 3, SILENCE, 0, 0, 0.0, 2);
  send(b, 0x80, 60, 0, 3); // released already
  assert_int_equal(b->engine.n, 4);
}

static bool changed(const bench* b, htz_param_index index, double value) {
  for (size_t i = 0; i < b->engine.n; i++) {
    const call* c = &b->engine.calls[i];
    if (c->kind == CHANGE && c->index == (uint32_t)index) {
      return c->value == value;
    }
  }
  return false;
}

static bool touched(const bench* b, htz_param_index index) {
  for (size_t i = 0; i < b->engine.n; i++) {
    if (b->engine.calls[i].kind == CHANGE && b->engine.calls[i].index == (uint32_t)index) {
      return true;
    }
  }
  return false;
}

static void reset_is_rp_015s(void** state) {
  bench* b = *state;
  htz_midi_map_set_initial(&b->map, 0, HTZ_PARAM_MALLET_AT, 0.3); // as a player chose
  range(b, 12, 0);
  bend(b, 16383, 0);
  send(b, 0x90, 60, 100, 0);
  b->engine.n = 0;
  send(b, 0xB0, 121, 0, 4);
  assert_true(changed(b, HTZ_PARAM_BEND, 0.0));
  assert_true(changed(b, HTZ_PARAM_EXPRESSION, 127.0));
  assert_true(changed(b, HTZ_PARAM_SUSTAIN, 0.0)); // pedals come up
  assert_true(changed(b, HTZ_PARAM_SOSTENUTO, 0.0));
  assert_true(changed(b, HTZ_PARAM_SOFT, 0.0));
  assert_true(changed(b, HTZ_PARAM_MALLET_AT, 0.3)); // on controller 1
  assert_false(touched(b, HTZ_PARAM_VOLUME));
  assert_false(touched(b, HTZ_PARAM_PAN));
  assert_false(touched(b, HTZ_PARAM_MALLET_HARDNESS)); // on a sound controller
  for (size_t i = 0; i < b->engine.n; i++) {
    assert_int_equal(b->engine.calls[i].kind, CHANGE); // no note is let go
  }
  // The parameter number is forgotten, the range is not.
  send(b, 0xB0, 6, 24, 5);
  b->engine.n = 0;
  bend(b, 16383, 6);
  expect(b, 0, CHANGE, 0, HTZ_PARAM_BEND, 12.0, 6);
}

static void system_reset_is_as_at_the_start(void** state) {
  bench* b = *state;
  range(b, 12, 0);
  send(b, 0xC0, 9, 0, 0);
  send(b, 0x90, 60, 100, 0);
  b->engine.n = 0;
  htz_midi_map_message(&b->map, &(htz_midi_message){.frame = 8, .status = HTZ_MIDI_RESET, .length = 1});
  expect(b, 0, RELEASE, 0, 60, 0.0, 8);
  assert_true(changed(b, HTZ_PARAM_VOLUME, 127.0));
  assert_true(changed(b, HTZ_PARAM_PAN, 64.0));
  assert_true(changed(b, HTZ_PARAM_SEND, 40.0));
  assert_true(changed(b, HTZ_PARAM_SUSTAIN, 0.0));
  assert_true(changed(b, HTZ_PARAM_MALLET_HARDNESS, 1.0));
  assert_int_equal(b->map.channel[0].program, 0);
  b->engine.n = 0;
  bend(b, 16383, 9);
  expect(b, 0, CHANGE, 0, HTZ_PARAM_BEND, 2.0, 9);
}

static void closing_releases_every_held_key_and_pedal_once(void** state) {
  bench* b = *state;
  send(b, 0x90, 60, 100, 0);
  send(b, 0x90, 60, 100, 0);
  send(b, 0x90, 61, 100, 0);
  send(b, 0x80, 61, 0, 0);
  b->engine.n = 0;
  assert_int_equal(htz_midi_map_release_all(&b->map, 3), 1);
  assert_int_equal(b->engine.n, 1);
  expect(b, 0, RELEASE, 0, 60, 0.0, 3);
  assert_int_equal(htz_midi_map_release_all(&b->map, 4), 0);
  send(b, 0xB0, 64, 127, 0);
  send(b, 0xB0, 66, 1, 0);
  send(b, 0xB0, 67, 127, 0); // holds nothing
  b->engine.n = 0;
  assert_int_equal(htz_midi_map_lift_pedals(&b->map, 3), 2);
  expect(b, 0, CHANGE, 0, HTZ_PARAM_SUSTAIN, 0.0, 3);
  expect(b, 1, CHANGE, 0, HTZ_PARAM_SOSTENUTO, 0.0, 3);
  assert_int_equal(htz_midi_map_lift_pedals(&b->map, 4), 0);
  assert_int_equal(b->engine.n, 2);
}

// A part that joins while others play: it is told what its channel's player has set, as if it had been there.
static void a_part_bound_late_hears_what_was_set(void** state) {
  bench* b = *state;
  const htz_cast_set casts = {{1u << 3}};
  htz_map_part known;
  assert_int_equal(htz_midi_map_prepare(&b->instrument, &known), HTZ_OK);
  send(b, 0xB1, 7, 90, 0);
  send(b, 0xB1, 11, 20, 0);
  send(b, 0xB1, 74, 127, 0);
  send(b, 0xE1, 0, 0, 0);
  send(b, 0xB0, 7, 1, 0); // another channel's
  b->engine.n = 0;
  htz_midi_map_bind(&b->map, 5, 1, &known, &casts, 7);
  assert_int_equal(b->engine.n, 4);
  expect(b, 0, CHANGE, 5, HTZ_PARAM_VOLUME, 90.0, 7);
  expect(b, 1, CHANGE, 5, HTZ_PARAM_EXPRESSION, 20.0, 7);
  expect(b, 2, CHANGE, 5, HTZ_PARAM_MALLET_HARDNESS, 10.0, 7);
  expect(b, 3, CHANGE, 5, HTZ_PARAM_BEND, -2.0, 7);
  send(b, 0xC1, 3, 0, 8);
  send(b, 0x91, 60, 100, 8);
  expect(b, 4, STRIKE, 5, 60, 100.0, 8);
  send(b, 0xB1, 7, 80, 9);
  expect(b, 6, CHANGE, 5, HTZ_PARAM_VOLUME, 80.0, 9);
  // Programs it does not play stay without a part.
  send(b, 0xC1, 4, 0, 10);
  send(b, 0x91, 61, 100, 10);
  assert_int_equal(b->map.counters.unplayed, 1);
}

static void what_a_reset_takes_back_is_not_heard_later(void** state) {
  bench* b = *state;
  const htz_cast_set casts = {{1}};
  htz_map_part known;
  htz_midi_map_prepare(&b->instrument, &known);
  send(b, 0xB1, 7, 90, 0);
  send(b, 0xB1, 1, 20, 0);
  send(b, 0xB1, 121, 0, 0);
  b->engine.n = 0;
  htz_midi_map_bind(&b->map, 5, 1, &known, &casts, 7);
  assert_int_equal(b->engine.n, 1); // volume stays, as RP-015 has it
  expect(b, 0, CHANGE, 5, HTZ_PARAM_VOLUME, 90.0, 7);
}

// Any message at all: nothing but known parts and keys, and values within their ranges, ever reaches the engine.
static void anything_may_come_in(void** state) {
  bench* b = *state;
  uint32_t seed = 12345;
  htz_midi_map_add_part(&b->map, 63, HTZ_MIDI_OMNI, &b->instrument);
  for (unsigned c = 1; c < HTZ_MIDI_CHANNELS; c++) {
    htz_midi_map_choose_all(&b->map, c, 63);
  }
  b->map.transpose = 7;
  for (unsigned i = 0; i < 200000; i++) {
    uint8_t bytes[3];
    for (unsigned k = 0; k < 3; k++) {
      seed = seed * 1664525u + 1013904223u; // the usual congruential generator of Numerical Recipes
      bytes[k] = (uint8_t)(seed >> 24);
    }
    b->engine.n = 0;
    htz_midi_map_message(&b->map, &(htz_midi_message){i, bytes[0], bytes[1], bytes[2], 3, seed});
    for (size_t n = 0; n < b->engine.n; n++) {
      const call* c = &b->engine.calls[n];
      assert_true(c->part == 0 || c->part == 63);
      assert_true(c->key < HTZ_KEYS);
      if (c->kind == CHANGE) {
        assert_true(c->index < HTZ_PARAM_COUNT);
        const htz_param_desc* desc = &htz_instrument_params[c->index];
        // A parameter whose default is the file's own has NaN for it.
        assert_true((c->value >= desc->minimum && c->value <= desc->maximum) || (isnan(c->value) && isnan(desc->initial)));
      } else if (c->kind == STRIKE) {
        assert_true(c->value >= 1.0 && c->value <= 127.0);
      }
    }
  }
}

/** A knob that stands elsewhere than its parameter moves it from where it has come to it, or past it, on. */
static void a_knob_does_not_jump(void** state) {
  bench* b = *state;
  htz_map_control* knob = &b->map.parts[0].controls[0]; // 0.1 to 10, even in ratios
  knob->pickup = true;
  knob->held = 1.0; // in its middle
  knob->came_from = (double)NAN;
  b->engine.n = 0;
  send(b, 0xB0, 74, 10, 1);
  send(b, 0xB0, 74, 40, 2);
  assert_int_equal(b->engine.n, 0);
  send(b, 0xB0, 74, 90, 3);
  send(b, 0xB0, 74, 10, 4);
  assert_int_equal(b->engine.n, 2);
  expect(b, 0, CHANGE, 0, HTZ_PARAM_MALLET_HARDNESS, 0.1 * pow(100.0, 90.0 / 127.0), 3);
  expect(b, 1, CHANGE, 0, HTZ_PARAM_MALLET_HARDNESS, 0.1 * pow(100.0, 10.0 / 127.0), 4);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      TEST(a_note_strikes_and_holds_then_is_released),
      TEST(velocity_zero_is_a_note_off),
      TEST(holds_are_counted),
      TEST(order_at_one_frame_is_kept),
      TEST(transposition_moves_on_and_off_and_stops_at_the_ends),
      TEST(the_velocity_curve_is_applied),
      TEST(channels_are_filtered_and_counted),
      TEST(programs_choose_parts_and_a_held_key_is_let_go_where_it_was_struck),
      TEST(volume_pan_and_expression_reach_every_part_of_the_channel),
      TEST(pedals_and_send_are_parameters),
      TEST(a_knob_does_not_jump),
      TEST(release_velocity_is_handed_on),
      TEST(declared_controllers_use_the_files_range_on_the_parameters_scale),
      TEST(a_declared_controller_takes_the_place_of_the_usual_one),
      TEST(all_sound_off_silences_and_all_notes_off_releases),
      TEST(reset_is_rp_015s),
      TEST(system_reset_is_as_at_the_start),
      TEST(closing_releases_every_held_key_and_pedal_once),
      TEST(a_part_bound_late_hears_what_was_set),
      TEST(what_a_reset_takes_back_is_not_heard_later),
      TEST(anything_may_come_in),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
