// The player's two hands on a bowed instrument: strokes, slurs, pedals, controllers, natural harmonics.
#include "check.h"

#include "hertzian/contact/modal_island.h"
#include "hertzian/midi/map.h"

#include "sound/render.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const double rate_hz = 48000.0;
static const double moderate = 64.0; // velocity

enum { OPEN = 57, STOPPED = 60, QUARTER = 188 }; // two notes of one string; quanta in a quarter of a second

static const char file[] = "format: 1\n"
                           "name: Two strings\n"
                           "keys: [50, 81]\n"
                           "per_key:\n"
                           "  string: {body: string, length: 0.69, lin_density: {0: 0.0025, 50: 0.0025, 57: 0.00166},\n"
                           "    inharmonicity: 2.0e-5, t60: 3, t60_high: 0.3, t60_high_hz: 3000, limit_hz: 9000, modes: 60}\n"
                           "bow: {plays: string, at: 0.13, force: [0.2, 0.9], speed: [0.06, 0.35], attack: [0.15, 0.06],\n"
                           "  friction: {law: static, sharpness: 200}, torsion: 3.3}\n"
                           "fingered: {keys: [50, 57], glide: 0.02%s}\n"
                           "pickups:\n"
                           "  - {of: string, quantity: velocity, at: 0.9, gain: 0.1}\n"
                           "controls:\n"
                           "  bow.force: {cc: [11, pressure], range: [0.2, 2]}\n"
                           "  bow.speed: {cc: 2, range: [0.1, 0.6]}\n"
                           "  bow.position: {cc: 74, range: [0.2, 0.05]}\n";

static void open_file(sound* s, const char* more) {
  char text[sizeof file + 40];
  snprintf(text, sizeof text, file, more);
  assert_true(sound_open_text(s, text, rate_hz));
}

static void press(sound* s, uint32_t key, double velocity) {
  const uint64_t now = htz_engine_now(s->engine);
  htz_engine_strike(s->engine, 0, key, velocity, now);
  htz_engine_hold(s->engine, 0, key, true, now);
}

static void let_go(sound* s, uint32_t key) {
  htz_engine_hold(s->engine, 0, key, false, htz_engine_now(s->engine));
}

static float out[HTZ_QUANTUM * QUARTER * 2];

static void run(sound* s, size_t quanta) {
  float right[HTZ_QUANTUM];
  for (size_t q = 0; q < quanta; ++q) {
    htz_engine_quantum(s->engine, out + q * HTZ_QUANTUM, right);
  }
}

static double rms(size_t quanta) {
  double sum = 0.0;
  for (size_t i = 0; i < quanta * HTZ_QUANTUM; ++i) {
    sum += (double)out[i] * (double)out[i];
  }
  return sqrt(sum / (double)(quanta * HTZ_QUANTUM));
}

/** The largest second difference: what a click is made of. */
static double roughest(size_t quanta) {
  double most = 0.0;
  for (size_t i = 2; i < quanta * HTZ_QUANTUM; ++i) {
    const double bend = fabs((double)out[i] - 2.0 * (double)out[i - 1] + (double)out[i - 2]);
    most = bend > most ? bend : most;
  }
  return most;
}

/** Pitch of the last run, near `hz`: the lag in periods at which it is most like itself. */
static double pitch(size_t quanta, double hz) {
  enum { PERIODS = 8 };
  const size_t n = quanta * HTZ_QUANTUM;
  const double lag = PERIODS * rate_hz / hz;
  double best = -HUGE_VAL, value[3] = {0.0}, at = 0.0;
  for (size_t l = (size_t)(lag * 0.97); l < (size_t)(lag * 1.03); ++l) {
    for (size_t j = 0; j < 3; ++j) {
      value[j] = 0.0;
      for (size_t i = 0; i + l + 2 < n; ++i) {
        value[j] += (double)out[i] * (double)out[i + l + j];
      }
    }
    if (value[1] > best && value[1] >= value[0] && value[1] >= value[2]) {
      best = value[1];
      at = (double)l + 1.0 + 0.5 * (value[0] - value[2]) / (value[0] - 2.0 * value[1] + value[2]);
    }
  }
  return PERIODS * rate_hz / at;
}

static bool bowed(const sound* s, uint32_t string) {
  const htz_island* island = s->instrument->keys[string].island;
  return island->cls->busy(island);
}

static void a_slur_moves_the_finger_under_the_bow(void** unused) {
  (void)unused;
  sound s;
  open_file(&s, "");
  press(&s, OPEN, moderate);
  run(&s, 2 * QUARTER);
  run(&s, QUARTER);
  check_close(pitch(QUARTER, htz_key_hz(OPEN)), htz_key_hz(OPEN), cents(5.0));
  const double level = rms(QUARTER), rough = roughest(QUARTER);
  const uint64_t strokes = htz_engine_count(s.engine).strikes;
  press(&s, STOPPED, moderate);
  run(&s, QUARTER);
  assert_int_equal(htz_engine_count(s.engine).strikes, strokes); // no new stroke
  check_below(roughest(QUARTER), 2.0 * rough);                   // a shorter string has steeper waves, by less than that
  check_near(decibels(rms(QUARTER) / level), 0.0, 3.0);
  run(&s, QUARTER);
  check_close(pitch(QUARTER, htz_key_hz(STOPPED)), htz_key_hz(STOPPED), cents(5.0));
  let_go(&s, STOPPED); // the lower key is still held
  run(&s, QUARTER);
  run(&s, QUARTER);
  check_close(pitch(QUARTER, htz_key_hz(OPEN)), htz_key_hz(OPEN), cents(5.0));
  assert_true(bowed(&s, OPEN));
  let_go(&s, OPEN);
  run(&s, 30); // 40 ms
  assert_false(bowed(&s, OPEN));
  run(&s, QUARTER);
  check_above(rms(QUARTER), 1e-5); // and the string rings on
  assert_int_equal(htz_engine_count(s.engine).solver_bounds, 0);
  assert_int_equal(htz_engine_count(s.engine).resets, 0);
  sound_close(&s);
}

static void pedal_and_silence(void** unused) {
  (void)unused;
  sound s;
  open_file(&s, "");
  htz_param_change change = {.value = 127.0, .key = HTZ_KEY_ALL, .index = HTZ_PARAM_SUSTAIN};
  press(&s, OPEN, moderate);
  run(&s, QUARTER);
  htz_engine_change(s.engine, &change);
  let_go(&s, OPEN);
  run(&s, QUARTER);
  assert_true(bowed(&s, OPEN)); // the pedal keeps the bow going
  change.frame = htz_engine_now(s.engine);
  change.value = 0.0;
  htz_engine_change(s.engine, &change);
  run(&s, QUARTER);
  assert_false(bowed(&s, OPEN));
  press(&s, STOPPED, moderate);
  run(&s, QUARTER);
  htz_engine_silence(s.engine, 0, htz_engine_now(s.engine));
  run(&s, 16); // 20 ms
  assert_true(htz_engine_asleep(s.engine));
  let_go(&s, STOPPED);
  press(&s, OPEN, moderate); // and plays again
  run(&s, 2 * QUARTER);
  run(&s, QUARTER);
  check_close(pitch(QUARTER, htz_key_hz(OPEN)), htz_key_hz(OPEN), cents(5.0));
  assert_int_equal(htz_engine_count(s.engine).resets, 0);
  sound_close(&s);
}

/** However much work the bow has done before, what it does from a silence on counts in full: strokes begin with next to nothing. */
static void a_stroke_right_after_silence_is_no_runaway(void** unused) {
  (void)unused;
  sound s;
  open_file(&s, "");
  for (uint32_t i = 0; i < 30; ++i) {
    press(&s, OPEN, 127.0);
    run(&s, QUARTER);
    const uint64_t now = htz_engine_now(s.engine) + HTZ_QUANTUM - 2 - i; // little of the quantum is left
    htz_engine_silence(s.engine, 0, now);
    let_go(&s, OPEN);
    htz_engine_strike(s.engine, 0, OPEN, 5.0, now);
    htz_engine_hold(s.engine, 0, OPEN, true, now);
    htz_engine_strike(s.engine, 0, STOPPED, 9.0, now + 1); // a bow already set on has a speed
    run(&s, 4);
    assert_int_equal(htz_engine_count(s.engine).resets, 0);
  }
  sound_close(&s);
}

static void send(htz_midi_map* map, sound* s, uint8_t status, uint8_t data1, uint8_t data2) {
  const htz_midi_message m = {
      .frame = htz_engine_now(s->engine), .status = status, .data1 = data1, .data2 = data2, .length = 3};
  htz_midi_map_message(map, &m);
}

static void controllers_move_the_bow_smoothly(void** unused) {
  (void)unused;
  static htz_midi_map map;
  sound s;
  double speed, force, at;
  open_file(&s, "");
  htz_midi_map_init(&map, s.engine);
  assert_int_equal(htz_midi_map_add_part(&map, 0, HTZ_MIDI_OMNI, s.instrument), HTZ_OK);
  htz_midi_map_choose_all(&map, 0, 0);
  send(&map, &s, 0x90, OPEN, 80);
  run(&s, 2 * QUARTER);
  run(&s, 2 * QUARTER);
  run(&s, QUARTER);
  const htz_island* island = s.instrument->keys[OPEN].island;
  const double rough = roughest(QUARTER);
  htz_modal_island_bow(island, 0, &speed, &force, &at);
  const double before = force;
  send(&map, &s, 0xB0, 11, 127); // 2 N, of 0.9
  send(&map, &s, 0xB0, 74, 0);   // 0.2 from the bridge
  run(&s, QUARTER);
  const double moving = roughest(QUARTER);
  run(&s, QUARTER);
  run(&s, QUARTER);
  // Harder pressed the wave has sharper corners, but on the way there none sharper than before or after.
  const double after = roughest(QUARTER);
  check_below(moving, 1.3 * (rough > after ? rough : after));
  htz_modal_island_bow(island, 0, &speed, &force, &at);
  check_close(force, before * 2.0 / 0.9, 0.03); // what was left of the bite
  check_near(at, 0.2, 1e-4);
  send(&map, &s, 0xD0, 0, 0); // pressure
  send(&map, &s, 0xB0, 2, 0);
  run(&s, QUARTER);
  htz_modal_island_bow(island, 0, &speed, &force, &at);
  check_close(force, before * 0.2 / 0.9, 0.03);
  const double soft = speed;
  send(&map, &s, 0xB0, 2, 127);
  run(&s, QUARTER);
  htz_modal_island_bow(island, 0, &speed, &force, &at);
  check_close(speed, 6.0 * soft, 1e-3);
  sound_close(&s);
}

static void a_light_finger_plays_the_nearest_harmonic(void** unused) {
  (void)unused;
  sound s;
  open_file(&s, ", harmonics: true");
  assert_true(sound_set(&s, "bow.force", 0.3)); // harmonics are played lightly
  press(&s, OPEN + 12, moderate);
  run(&s, 2 * QUARTER);
  run(&s, 2 * QUARTER);
  check_close(pitch(QUARTER, htz_key_hz(OPEN + 12)), htz_key_hz(OPEN + 12), cents(5.0));
  let_go(&s, OPEN + 12);
  sound_close(&s);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_slur_moves_the_finger_under_the_bow), cmocka_unit_test(pedal_and_silence),
      cmocka_unit_test(a_stroke_right_after_silence_is_no_runaway), cmocka_unit_test(controllers_move_the_bow_smoothly),
      cmocka_unit_test(a_light_finger_plays_the_nearest_harmonic)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
