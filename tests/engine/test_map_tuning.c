// Tuning, master volume, pressure of keys, velocity of 14 bits: what reaches the engine.
#include "map_bench.h"

#include "hertzian/midi/sysex.h"

static void system_message(bench* b, htz_midi_message message, uint64_t frame) {
  message.frame = frame;
  message.status = HTZ_MIDI_SYSTEM;
  htz_midi_map_message(&b->map, &message);
}

static void rpn(bench* b, uint8_t number, uint8_t msb, uint8_t lsb) {
  send(b, 0xB0, 101, 0, 0);
  send(b, 0xB0, 100, number, 0);
  send(b, 0xB0, 6, msb, 0);
  send(b, 0xB0, 38, lsb, 0);
}

static const call* last(const bench* b) {
  assert_true(b->engine.n > 0);
  return &b->engine.calls[b->engine.n - 1];
}

static double bent_to(const bench* b) {
  const call* c = last(b);
  assert_true(c->kind == CHANGE && c->index == HTZ_PARAM_BEND && c->only == HTZ_KEY_ALL);
  return c->value;
}

static void fine_coarse_and_master_tuning_add_up_with_the_wheel(void** state) {
  bench* b = *state;
  rpn(b, 1, 96, 0); // half of what is above the centre
  check_near(bent_to(b), 0.5, 1e-12);
  rpn(b, 2, 61, 127);
  check_near(bent_to(b), -2.5, 1e-12);
  bend(b, 16383, 0);
  check_near(bent_to(b), -0.5, 1e-12);
  system_message(b, (htz_midi_message){.data1 = HTZ_SYSTEM_FINE, .value = 0}, 1);
  check_near(bent_to(b), -1.5, 1e-12);
  system_message(b, (htz_midi_message){.data1 = HTZ_SYSTEM_COARSE, .data2 = 66}, 2);
  check_near(bent_to(b), 0.5, 1e-12);
  send(b, 0xB0, 101, 127, 3); // nothing is selected
  send(b, 0xB0, 100, 127, 3);
  const size_t n = b->engine.n;
  send(b, 0xB0, 6, 1, 3);
  assert_int_equal(b->engine.n, n);
  send(b, 0xB0, 121, 0, 4); // a reset centres the wheel, tuning stays
  check_near(b->engine.calls[n].value, -1.5, 1e-12);
}

static void increments_step_fine_by_its_lower_half_and_coarse_by_semitones(void** state) {
  bench* b = *state;
  rpn(b, 1, 64, 0);
  send(b, 0xB0, 96, 0, 0);
  check_near(bent_to(b), 1.0 / 8192.0, 1e-12);
  rpn(b, 1, 64, 0);
  rpn(b, 2, 64, 0);
  send(b, 0xB0, 97, 0, 0);
  check_near(bent_to(b), -1.0, 1e-12);
}

static void modulation_depth_scales_the_wheel_and_no_other_controller(void** state) {
  bench* b = *state; // controller 1 goes from 0.5 to 0.1 of mallet.at, 74 is hardness
  send(b, 0xB0, 1, 127, 0);
  check_near(last(b)->value, 0.1, 1e-12);
  rpn(b, 5, 0, 32); // a quarter of a semitone: half the usual depth
  check_near(last(b)->value, 0.3, 1e-12);
  rpn(b, 5, 0, 72); // and an eighth more than the usual: beyond where the file ends
  check_near(last(b)->value, 0.05, 1e-12);
  rpn(b, 5, 2, 0); // no further than the parameter goes
  check_near(last(b)->value, 0.0, 1e-12);
  send(b, 0xB0, 74, 127, 0);
  check_near(last(b)->value, 10.0, 1e-12);
}

static void a_note_is_tuned_before_it_is_struck_and_once(void** state) {
  bench* b = *state;
  htz_midi_message to = htz_system_pitch_message(60, (htz_system_pitch){(60 << 14) + 8192, 0, false});
  b->engine.sounds[60] = true; // not in real time: what sounds stays
  system_message(b, to, 3);
  assert_int_equal(b->engine.n, 0);
  send(b, 0x90, 60, 100, 5);
  const call* c = &b->engine.calls[0];
  assert_true(c->kind == CHANGE && c->index == HTZ_PARAM_SCALE && c->only == 60 && c->frame == 5);
  check_near(c->value, 50.0, 1e-4); // of single precision near key 60
  expect(b, 1, STRIKE, 0, 60, 100.0, 5);
  send(b, 0x90, 60, 100, 6);
  expect(b, 3, STRIKE, 0, 60, 100.0, 6);
  b->engine.n = 0;
  to = htz_system_pitch_message(60, (htz_system_pitch){61 << 14, 0, true});
  system_message(b, to, 7); // in real time: at once
  assert_true(b->engine.n == 1 && b->engine.calls[0].only == 60);
  check_near(b->engine.calls[0].value, 100.0, 1e-4);
  to = htz_system_pitch_message(61, (htz_system_pitch){60 << 14, 0, false});
  system_message(b, to, 8); // at rest: strings that ring along are to know
  check_near(last(b)->value, -100.0, 1e-4);
}

static void tuning_programs_are_chosen_by_channel(void** state) {
  bench* b = *state;
  system_message(b, htz_system_pitch_message(60, (htz_system_pitch){62 << 14, 7, true}), 0);
  assert_int_equal(b->engine.n, 0); // nobody is there
  rpn(b, 3, 7, 0);
  assert_true(b->engine.n == 1 && b->engine.calls[0].index == HTZ_PARAM_SCALE);
  check_near(b->engine.calls[0].value, 200.0, 1e-4);
  rpn(b, 3, 0, 0);
  check_near(last(b)->value, 0.0, 1e-12);
}

static void octave_tuning_is_its_channels_and_every_octaves(void** state) {
  bench* b = *state;
  const htz_system_octave other = {-4096, 0xFFFE, true}, ours = {4096, 1, true};
  system_message(b, htz_system_octave_message(4, other), 0);
  assert_int_equal(b->engine.n, 0);
  system_message(b, htz_system_octave_message(4, ours), 0);
  assert_int_equal(b->engine.n, 11); // E of every octave that MIDI has
  for (size_t i = 0; i < b->engine.n; i++) {
    assert_int_equal(b->engine.calls[i].only, 4 + 12 * (int)i);
    check_near(b->engine.calls[i].value, 50.0, 1e-5);
  }
}

static void unmapped_keys_are_silent_and_counted(void** state) {
  bench* b = *state;
  double pitch[HTZ_KEYS];
  for (int key = 0; key < HTZ_KEYS; key++) {
    pitch[key] = key == 61 ? NAN : key + 0.25;
  }
  htz_midi_map_init(&b->map, &b->engine);
  htz_midi_map_tune(&b->map, pitch);
  assert_int_equal(htz_midi_map_add_part(&b->map, 0, 1u << 0, &b->instrument), HTZ_OK);
  htz_midi_map_choose_all(&b->map, 0, 0);
  assert_int_equal(b->engine.n, HTZ_KEYS - 1); // also those that nobody strikes
  b->engine.n = 0;
  send(b, 0x90, 61, 100, 0);
  send(b, 0x80, 61, 100, 0);
  assert_int_equal(b->engine.n, 0);
  assert_int_equal(b->map.counters.unmapped, 1);
  system_message(b, (htz_midi_message){.data1 = HTZ_SYSTEM_RESET}, 1); // back to what the performance began with
  send(b, 0x90, 61, 100, 2);
  assert_int_equal(b->map.counters.unmapped, 2);
}

static void master_volume_reaches_every_part_and_those_that_come_later(void** state) {
  bench* b = *state;
  const htz_cast_set none = {{0}};
  system_message(b, (htz_midi_message){.data1 = HTZ_SYSTEM_VOLUME, .value = 8192}, 4);
  expect(b, 0, CHANGE, 0, HTZ_PARAM_MASTER, 8192.0 / 16383.0, 4);
  htz_midi_map_bind(&b->map, 1, 1, &b->map.parts[0], &none, 5);
  expect(b, 1, CHANGE, 1, HTZ_PARAM_MASTER, 8192.0 / 16383.0, 5);
  b->engine.n = 0;
  system_message(b, (htz_midi_message){.data1 = HTZ_SYSTEM_RESET}, 6);
  bool full[2] = {false, false};
  for (size_t i = 0; i < b->engine.n; i++) {
    const call* c = &b->engine.calls[i];
    if (c->kind == CHANGE && c->index == HTZ_PARAM_MASTER) {
      full[c->part] = c->value == 1.0;
    }
  }
  assert_true(full[0] && full[1]);
}

static void a_reset_lets_go_and_puts_everything_back(void** state) {
  bench* b = *state;
  send(b, 0x90, 60, 100, 0);
  send(b, 0xB0, 64, 127, 0);
  rpn(b, 2, 70, 0);
  b->engine.n = 0;
  system_message(b, (htz_midi_message){.data1 = HTZ_SYSTEM_RESET}, 9);
  expect(b, 0, RELEASE, 0, 60, 64.0, 9);
  bool straight = false, pedal = false;
  for (size_t i = 0; i < b->engine.n; i++) {
    const call* c = &b->engine.calls[i];
    straight = straight || (c->kind == CHANGE && c->index == HTZ_PARAM_BEND && c->value == 0.0);
    pedal = pedal || (c->kind == CHANGE && c->index == HTZ_PARAM_SUSTAIN && c->value == 0.0);
  }
  assert_true(straight && pedal);
}

static void pressure_of_a_key_moves_that_key_until_its_next_note(void** state) {
  bench* b = *state;
  b->spec.n_controls = 3;
  b->spec.controls[2] = (htz_spec_control){HTZ_PARAM_BOW_FORCE, HTZ_CONTROL_PRESSURE, 0.0, 1.27};
  assert_int_equal(htz_midi_map_add_part(&b->map, 0, 1u << 0, &b->instrument), HTZ_OK);
  send(b, 0xD0, 10, 0, 0);
  expect(b, 0, CHANGE, 0, HTZ_PARAM_BOW_FORCE, 0.1, 0);
  send(b, 0xA0, 60, 100, 1);
  const call* c = &b->engine.calls[1];
  assert_true(c->kind == CHANGE && c->index == HTZ_PARAM_BOW_FORCE && c->only == 60);
  check_near(c->value, 1.0, 1e-12);
  send(b, 0x90, 61, 100, 2); // another key
  expect(b, 2, STRIKE, 0, 61, 100.0, 2);
  send(b, 0x90, 60, 100, 3);
  c = &b->engine.calls[4];
  assert_true(c->index == HTZ_PARAM_BOW_FORCE && c->only == 60);
  check_near(c->value, 0.1, 1e-12); // the channel's again
  send(b, 0xA1, 60, 100, 4);
  assert_int_equal(b->engine.n, 7);
}

static void controller_88_is_the_lower_half_of_one_velocity(void** state) {
  bench* b = *state;
  send(b, 0xB0, 88, 64, 0);
  send(b, 0x90, 60, 100, 0);
  expect(b, 0, STRIKE, 0, 60, 100.5, 0);
  send(b, 0x90, 61, 100, 0);
  expect(b, 2, STRIKE, 0, 61, 100.0, 0);
  send(b, 0xB0, 88, 64, 0);
  send(b, 0x80, 60, 20, 0);
  check_near(last(b)->value, 20.5, 1e-12);
  assert_int_equal(htz_velocity_parse("curve=0:0,100:50", &b->map.velocity, NULL, 0), HTZ_OK);
  send(b, 0xB0, 88, 32, 0);
  send(b, 0x90, 60, 10, 0);
  expect(b, 5, STRIKE, 0, 60, 5.125, 0); // the curve goes between its points
}

static void parameters_without_a_number_are_ignored(void** state) {
  bench* b = *state;
  send(b, 0xB0, 99, 1, 0);
  send(b, 0xB0, 98, 8, 0);
  for (uint8_t cc = 0; cc < 4; cc++) {
    const uint8_t entry[] = {6, 38, 96, 97};
    send(b, 0xB0, entry[cc], 99, 0);
  }
  rpn(b, 4, 3, 3);
  rpn(b, 77, 3, 3);
  assert_int_equal(b->engine.n, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      TEST(fine_coarse_and_master_tuning_add_up_with_the_wheel),
      TEST(increments_step_fine_by_its_lower_half_and_coarse_by_semitones),
      TEST(modulation_depth_scales_the_wheel_and_no_other_controller),
      TEST(a_note_is_tuned_before_it_is_struck_and_once),
      TEST(tuning_programs_are_chosen_by_channel),
      TEST(octave_tuning_is_its_channels_and_every_octaves),
      TEST(unmapped_keys_are_silent_and_counted),
      TEST(master_volume_reaches_every_part_and_those_that_come_later),
      TEST(a_reset_lets_go_and_puts_everything_back),
      TEST(pressure_of_a_key_moves_that_key_until_its_next_note),
      TEST(controller_88_is_the_lower_half_of_one_velocity),
      TEST(parameters_without_a_number_are_ignored),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
