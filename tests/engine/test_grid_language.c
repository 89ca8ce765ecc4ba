// What files of the grid family say in the words of the others: boards, feeds, pedals, kinds, mallets that stay, several gestures.
#include "check.h"

#include "hertzian/contact/grid_island.h"

#include "sound/render.h"

#include <math.h>
#include <stdio.h>

static const double rate_hz = 48000.0;
static const char folder[] = HTZ_SOURCE_DIR "/tests/fixtures/instruments/";

enum { KEY = 57, SECOND = 48000 / HTZ_QUANTUM };

static void open_key(sound* s, const char* name, int key) {
  char path[512];
  uint64_t keys[HTZ_KEYS / 64] = {0};
  keys[key / 64] |= UINT64_C(1) << (key % 64);
  snprintf(path, sizeof path, "%s%s.yaml", folder, name);
  assert_true(sound_open_keys(s, path, rate_hz, keys));
}

typedef struct {
  double square, peak; // mean of the square, greatest magnitude
  double slope;        // of the slope over that of the signal: how bright
} heard;

/** Run `quanta` quanta, under a drive of a sine of `drive` N per full scale where that is not 0. */
static heard listen(sound* s, size_t quanta, double drive) {
  float left[HTZ_QUANTUM], right[HTZ_QUANTUM], signal[HTZ_QUANTUM];
  heard h = {0.0, 0.0, 0.0};
  double before = 0.0;
  for (size_t q = 0; q < quanta; ++q) {
    for (size_t i = 0; i < HTZ_QUANTUM; ++i) {
      signal[i] = (float)(drive * sin(6.283185307179586 * 90.0 * (double)(htz_engine_now(s->engine) + i) / rate_hz));
    }
    htz_engine_drive(s->engine, drive != 0.0 ? signal : NULL);
    htz_engine_quantum(s->engine, left, right);
    for (size_t i = 0; i < HTZ_QUANTUM; ++i) {
      const double x = (double)left[i] + (double)right[i];
      assert_true(isfinite(x));
      h.square += x * x;
      h.slope += (x - before) * (x - before);
      h.peak = fmax(h.peak, fabs(x));
      before = x;
    }
  }
  h.slope = h.square > 0.0 ? sqrt(h.slope / h.square) : 0.0;
  h.square /= (double)(quanta * HTZ_QUANTUM);
  return h;
}

static void press(sound* s, int key, double velocity) {
  htz_engine_strike(s->engine, 0, (uint32_t)key, velocity, htz_engine_now(s->engine));
  htz_engine_hold(s->engine, 0, (uint32_t)key, true, htz_engine_now(s->engine));
}

static void change(sound* s, htz_param_index index, double value) {
  htz_engine_change(
      s->engine, &(htz_param_change){.frame = htz_engine_now(s->engine), .value = value, .key = HTZ_KEY_ALL, .index = index});
}

static heard one_note(sound* s, int key, double velocity) {
  sound_rest(s);
  press(s, key, velocity);
  return listen(s, SECOND / 2, 0.0);
}

static void assert_sound(const sound* s) {
  const htz_engine_counters c = htz_engine_count(s->engine);
  assert_int_equal(c.resets, 0);
  assert_int_equal(c.solver_bounds, 0);
}

/** The string is heard by the board and the tube alone; without tubes less is heard, and a motor lets what is left through in turns. */
static void a_grid_drives_board_and_tube(void** state) {
  sound s;
  (void)state;
  open_key(&s, "grid-board", KEY);
  const heard both = one_note(&s, KEY, 100.0);
  assert_true(sound_set(&s, "tube.level", 0.0));
  const heard board = one_note(&s, KEY, 100.0);
  assert_true(sound_set(&s, "tube.level", 4.0));
  const heard more = one_note(&s, KEY, 100.0);
  print_message("board %.3g, with tube %.3g, with four times as much %.3g\n", board.square, both.square, more.square);
  assert_true(board.square > 0.0 && both.square > 1.05 * board.square && more.square > 1.05 * both.square);
  // With the motor at 5 Hz the tube swells and fades: slices of a tenth of a second are not alike.
  assert_true(sound_set(&s, "motor.rate", 5.0));
  sound_rest(&s);
  press(&s, KEY, 100.0);
  listen(&s, SECOND / 10, 0.0);
  const heard first = listen(&s, SECOND / 20, 0.0), second = listen(&s, SECOND / 20, 0.0);
  const double turns = first.square > second.square ? first.square / second.square : second.square / first.square;
  check_above(turns, 1.2);
  assert_sound(&s);
  // What rings in board and tube ends as well.
  htz_engine_hold(s.engine, 0, KEY, false, htz_engine_now(s.engine));
  listen(&s, 8 * SECOND, 0.0);
  assert_true(htz_engine_asleep(s.engine));
  sound_close(&s);
}

/** The force that a board gets is that of the string's end: twice the gain, twice what is heard of it. */
static void a_drive_has_its_gain(void** state) {
  static const char text[] =
      "format: 1\nfamily: grid\nname: x\nkeys: [57, 57]\nbend_range: 2\nper_key:\n"
      "  string: {body: string, length: 0.6, lin_density: 0.004, t60: 4}\n"
      "shared: {board: {body: soundboard, length: 1.2, width: 0.6, thickness: 0.006, material: spruce}}\n"
      "drives: [{from: string, to: board, gain: %s}]\n"
      "kick: {body: string, speed: [0.1, 1], at: 0.3}\npickups: [{of: board, at: [0.3, 0.4]}]\n";
  double peak[2];
  (void)state;
  for (int i = 0; i < 2; ++i) {
    char file[1024];
    sound s;
    snprintf(file, sizeof file, text, i ? "2" : "1");
    assert_true(sound_open_text(&s, file, rate_hz));
    peak[i] = one_note(&s, KEY, 100.0).peak;
    assert_sound(&s);
    sound_close(&s);
  }
  check_close(peak[1], 2.0 * peak[0], 1e-5); // single precision
}

/** The soft pedal makes the hammer as soft as the file says, and a kind of mallet is as hard and heavy. */
static void pedal_and_kinds_change_the_mallet(void** state) {
  sound s;
  (void)state;
  open_key(&s, "grid-board", KEY);
  const heard usual = one_note(&s, KEY, 90.0);
  change(&s, HTZ_PARAM_SOFT, 127.0);
  const heard soft = one_note(&s, KEY, 90.0);
  change(&s, HTZ_PARAM_SOFT, 0.0);
  assert_true(sound_set(&s, "mallet.hardness", 0.2));
  const heard same = one_note(&s, KEY, 90.0);
  check_below(soft.slope, 0.9 * usual.slope);
  check_close(soft.square, same.square, 1e-6);
  assert_true(sound_set(&s, "mallet.hardness", 1.0));
  assert_true(sound_set(&s, "mallet.kind", 1.0));
  const heard hard = one_note(&s, KEY, 90.0);
  assert_true(sound_set(&s, "mallet.kind", 0.0));
  const heard softer = one_note(&s, KEY, 90.0);
  check_above(hard.slope, 1.2 * softer.slope);
  assert_sound(&s);
  sound_close(&s);
}

/** Three mallets: three blows one right after the other are three mallets in flight, a fourth takes one of them. */
static void a_pool_throws_several(void** state) {
  sound s;
  double q;
  (void)state;
  open_key(&s, "grid-board", KEY);
  const htz_island* island = s.instrument->keys[KEY].island;
  for (int i = 0; i < 3; ++i) {
    press(&s, KEY, 20.0);
    listen(&s, 1, 0.0);
  }
  for (uint32_t i = 0; i < 3; ++i) {
    assert_true(htz_grid_island_mallet(island, i, &q));
  }
  assert_int_equal(htz_engine_count(s.engine).reused, 0);
  press(&s, KEY, 20.0);
  listen(&s, 1, 0.0);
  assert_int_equal(htz_engine_count(s.engine).reused, 1);
  assert_sound(&s);
  sound_close(&s);
}

/** Two bows on one string, each by its own values, apart and in each other's reach; both are lifted when the key is let go. */
static void two_bows_play_a_string(void** state) {
  static const double places[] = {0.135, 0.121, 0.3};
  sound s;
  (void)state;
  open_key(&s, "grid-two-bows", KEY);
  const htz_grid_network* net = htz_grid_island_network(s.instrument->keys[KEY].island);
  const htz_friction_state *first = htz_grid_network_friction(net, 0), *second = htz_grid_network_friction(net, 1);
  press(&s, KEY, 100.0);
  for (size_t i = 0; i < sizeof places / sizeof places[0]; ++i) {
    assert_true(sound_set(&s, "second.position", places[i]));
    listen(&s, SECOND / 2, 0.0);
    const uint64_t caught = htz_engine_count(s.engine).closures;
    const heard h = listen(&s, SECOND / 2, 0.0);
    check_above(h.peak, 1e-3);
    check_above(first->normal, 0.3);
    check_above(second->normal, 0.2);
    assert_true(fabs(first->normal / second->normal - 1.6) < 0.2); // as the file has them
    assert_true(first->v != second->v);
    assert_true(htz_engine_count(s.engine).closures > caught + 20); // string and bows, some hundred times a second
  }
  assert_int_equal(first->unconverged + second->unconverged, 0);
  htz_engine_hold(s.engine, 0, KEY, false, htz_engine_now(s.engine));
  listen(&s, SECOND / 10, 0.0);
  assert_true(first->normal == 0.0 && second->normal == 0.0);
  assert_sound(&s);
  sound_close(&s);
}

/** One string plucked, bowed and struck, as `gesture` says; another gesture lifts the bow. */
static void a_key_does_what_gesture_says(void** state) {
  sound s;
  (void)state;
  open_key(&s, "grid-hands", KEY);
  const htz_grid_network* net = htz_grid_island_network(s.instrument->keys[KEY].island);
  const htz_friction_state* bow = htz_grid_network_friction(net, 0);
  const heard plucked = one_note(&s, KEY, 90.0); // the file's default
  assert_true(bow->normal == 0.0 && plucked.peak > 1e-4);
  assert_true(sound_set(&s, "gesture", HTZ_EXCITE_MALLET));
  const heard struck = one_note(&s, KEY, 90.0);
  assert_true(bow->normal == 0.0 && struck.peak > 1e-4);
  assert_true(fabs(struck.square / plucked.square - 1.0) > 0.05);
  assert_true(sound_set(&s, "gesture", HTZ_EXCITE_BOW));
  sound_rest(&s);
  press(&s, KEY, 90.0);
  listen(&s, SECOND / 2, 0.0);
  const heard early = listen(&s, SECOND / 2, 0.0), late = listen(&s, SECOND / 2, 0.0);
  check_above(bow->normal, 0.1);
  check_above(late.square, 0.5 * early.square); // it goes on
  assert_true(sound_set(&s, "gesture", HTZ_EXCITE_PLUCK));
  press(&s, KEY, 90.0);
  listen(&s, SECOND / 20, 0.0);
  assert_true(bow->normal == 0.0); // 30 ms later it is off the string
  const heard after = listen(&s, SECOND / 2, 0.0);
  assert_true(after.peak > 1e-4);
  assert_sound(&s);
  sound_close(&s);
}

/** A screw as heavy as nothing is not there: the string has its pitch. A rubber as soft as nothing lets it ring. */
static void screw_and_rubber_follow_their_parameters(void** state) {
  sound s;
  (void)state;
  open_key(&s, "grid-hands", KEY);
  sound_rest(&s);
  press(&s, KEY, 90.0);
  listen(&s, SECOND, 0.0);
  const double with = htz_engine_energy(s.engine, 0);
  assert_true(sound_set(&s, "rubber.loss", 0.0));
  sound_rest(&s);
  press(&s, KEY, 90.0);
  listen(&s, SECOND, 0.0);
  check_above(htz_engine_energy(s.engine, 0), 1.5 * with);
  assert_true(sound_set(&s, "screw.mass", 0.0));
  listen(&s, 4, 0.0);
  const htz_grid_network* net = htz_grid_island_network(s.instrument->keys[KEY].island);
  assert_true(htz_grid_network_contact(net, 0)->force == 0.0);
  assert_true(sound_set(&s, "screw.mass", 2.0));
  listen(&s, 1, 0.0);
  // Put on where and as the string goes: its spring is stretched by no more than its weight takes, not by how far it had drifted.
  check_below(fabs(htz_grid_network_contact(net, 0)->eta), 1e-4);
  assert_true(htz_grid_network_contact(net, 0)->force != 0.0);
  assert_sound(&s);
  sound_close(&s);
}

/** A ball comes down again and again, each bounce lower, and comes to rest; then all sleeps, and it lies there. */
static void a_ball_falls_back(void** state) {
  enum { BALL = 50 };
  sound s;
  double q = 0.0, least = 0.0, earlier = 0.0;
  (void)state;
  open_key(&s, "grid-balls", BALL);
  const htz_island* island = s.instrument->keys[BALL].island;
  press(&s, BALL, 64.0);
  for (int i = 0; i < SECOND / 2; ++i) {
    listen(&s, 1, 0.0);
    assert_true(htz_grid_island_mallet(island, 0, &q));
    least = fmin(least, q);
    earlier = i == SECOND / 8 ? least : earlier;
  }
  assert_true(least < -1e-3); // it was up (the body is above it), and not for good
  check_above(q, 0.5 * least);
  assert_sound(&s);
  for (int i = 0; i < 12 && !htz_engine_asleep(s.engine); ++i) {
    listen(&s, SECOND, 0.0);
  }
  assert_true(htz_engine_asleep(s.engine));
  assert_true(htz_grid_island_mallet(island, 0, &q)); // still there
  check_near(q, 0.0, 1e-5);
  // Gravity turned off, it is stirred, and flies off at last with the next blow that meets it.
  press(&s, BALL, 64.0);
  assert_true(sound_set(&s, "mallet.gravity", 0.0));
  listen(&s, SECOND, 0.0);
  assert_false(htz_grid_island_mallet(island, 0, &q));
  assert_sound(&s);
  sound_close(&s);
}

/** A hammer on its arm hangs where it is told, silent, while its key is down; driven, it knocks, and more the more it is driven. */
static void a_hammer_is_driven(void** state) {
  enum { BAR = 64 };
  sound s;
  double q;
  (void)state;
  open_key(&s, "grid-driven", BAR);
  const htz_island* island = s.instrument->keys[BAR].island;
  press(&s, BAR, 1.0);
  listen(&s, 3 * SECOND, 0.0);
  assert_true(htz_grid_island_mallet(island, 0, &q));
  check_near(q, -0.0005, 2e-5); // its rest
  const double silent = listen(&s, SECOND / 4, 0.0).square;
  const heard some = listen(&s, SECOND, 0.3), more = listen(&s, SECOND, 1.0);
  assert_true(some.square > 10.0 * silent && more.square > some.square);
  assert_sound(&s);
  htz_engine_hold(s.engine, 0, BAR, false, htz_engine_now(s.engine));
  listen(&s, SECOND, 0.0);
  assert_false(htz_grid_island_mallet(island, 0, &q)); // let go
  sound_close(&s);
}

/** A ball that rolls is heard as long as it does; let go, it stops. A rougher surface is louder. */
static void a_ball_rolls(void** state) {
  enum { BALL = 50 };
  sound s;
  (void)state;
  open_key(&s, "grid-rolling", BALL);
  press(&s, BALL, 80.0);
  listen(&s, SECOND, 0.0);
  const heard rolling = listen(&s, SECOND, 0.0);
  assert_true(rolling.square > 0.0);
  assert_true(sound_set(&s, "roll.roughness", 1e-5));
  listen(&s, SECOND / 2, 0.0);
  const heard rough = listen(&s, SECOND, 0.0);
  check_above(rough.square, 2.0 * rolling.square);
  assert_sound(&s);
  htz_engine_hold(s.engine, 0, BALL, false, htz_engine_now(s.engine));
  for (int i = 0; i < 12 && !htz_engine_asleep(s.engine); ++i) {
    listen(&s, SECOND, 0.0);
  }
  assert_true(htz_engine_asleep(s.engine));
  sound_close(&s);
}

/** Twelve contacts on one bridge and three stretches at the same grid points: solved in every step, no more energy than was brought. */
static void a_crowd_is_solved(void** state) {
  enum { LOW = 45 };
  sound s;
  (void)state;
  open_key(&s, "grid-crowd", LOW);
  const heard h = one_note(&s, LOW, 110.0);
  const htz_grid_network* net = htz_grid_island_network(s.instrument->keys[LOW].island);
  assert_true(h.peak > 1e-4);
  for (size_t k = 0; k < 3; ++k) {
    assert_true(htz_grid_network_stretch(net, k)->closures > 0);
    assert_true(htz_grid_network_stretch(net, k)->pull_max == 0.0);
  }
  for (size_t c = 6; c < 12; ++c) {
    assert_true(htz_grid_network_contact(net, c)->closures > 0);
  }
  assert_sound(&s);
  sound_close(&s);
}

/** A string on a grid is plucked against a bell with modes: the bell sounds, at its own pitch, as it does under a mallet. */
static void two_families_meet(void** state) {
  sound s;
  (void)state;
  open_key(&s, "grid-modal", KEY);
  const htz_grid_network* net = htz_grid_island_network(s.instrument->keys[KEY].island);
  const heard plucked = one_note(&s, KEY, 110.0);
  assert_true(htz_grid_network_contact(net, 0)->closures > 10);
  assert_true(htz_grid_network_contact(net, 0)->pull_max == 0.0);
  assert_true(sound_set(&s, "gesture", HTZ_EXCITE_MALLET));
  const heard struck = one_note(&s, KEY, 90.0);
  assert_true(plucked.peak > 1e-4 && struck.peak > 1e-4);
  assert_sound(&s);
  sound_close(&s);
}

/** Amplitude of a partial in x [n], under a Hann window. */
static double partial_of(const double* x, size_t n, double hz) {
  const double two_pi = 6.28318530717958647693;
  double re = 0.0, im = 0.0;
  for (size_t i = 0; i < n; ++i) {
    const double w = 0.5 * (1.0 - cos(two_pi * (double)i / (double)n)), phase = two_pi * hz * (double)i / rate_hz;
    re += w * x[i] * cos(phase);
    im += w * x[i] * sin(phase);
  }
  return hypot(re, im);
}

/** A stopped string is plucked at the pitch of the key, on the open string below it. */
static void fingers_stop_a_plucked_string(void** state) {
  enum { OPEN = 45, STOPPED = 49 };
  sound s;
  note n;
  char path[512];
  (void)state;
  snprintf(path, sizeof path, "%sgrid-guitar.yaml", folder);
  assert_true(sound_open(&s, path, rate_hz));
  assert_true(s.instrument->keys[OPEN].island && !s.instrument->keys[STOPPED].island);
  sound_note(&s, STOPPED, 90.0, 0, 24000, &n);
  check_above(partial_of(n.mono, n.frames, htz_key_hz(STOPPED)), 30.0 * partial_of(n.mono, n.frames, htz_key_hz(OPEN)));
  assert_true(peak_of(n.mono, n.frames) > 1e-4);
  assert_sound(&s);
  note_free(&n);
  sound_close(&s);
}

/** A string that is bent is as loud as the key it is bent to, as on bodies with modes: here twice as loud two keys up. */
static void a_bend_keeps_its_loudness(void** state) {
  static const char text[] = "format: 1\nfamily: grid\nname: x\nkeys: [57, 61]\nbend_range: 3\nper_key:\n"
                             "  string: {body: string, length: 0.6, lin_density: {57: 0.004, 61: %s}, t60: 6}\n"
                             "%s\npickups: [{of: string, quantity: %s, at: %s, gain: {57: 0.01, 59: 0.02, 61: 0.02}}]\n";
  static const char* const plays[] = {
      "pluck: {string: string, at: 0.3, height: [1.0e-4, 1.0e-3]}", "kick: {body: string, speed: [0.1, 1], at: 0.3}",
      "mallet: {strikes: string, mass: 0.003, speed: [0.3, 3], at: 0.2, contact: {stiffness: 1.0e+6}}"};
  (void)state;
  for (size_t i = 0; i < 6; ++i) {
    char file[1024];
    double level[2];
    for (int bent = 0; bent < 2; ++bent) {
      sound s;
      snprintf(file, sizeof file, text, i % 3 == 2 ? "0.004" : "0.003", plays[i % 3], i < 3 ? "force" : "velocity",
               i < 3 ? "1" : "0.4");
      assert_true(sound_open_text(&s, file, rate_hz));
      if (bent) {
        assert_true(sound_set(&s, "tune", 200.0));
      }
      level[bent] = decibels(sqrt(one_note(&s, bent ? KEY : KEY + 2, 90.0).square));
      assert_sound(&s);
      sound_close(&s);
    }
    print_message("%.20s: key two up %.2f dB, bent %.2f dB\n", plays[i % 3], level[0], level[1]);
    // A pull and a kick scale as the first partial does; what a mallet gives to strings of another weight is a law between two limits
    // (voice.h), good to 1.5 dB: on strings alike it is only as exact as bounces are. Left alone it is 5 dB and more.
    check_near(level[1], level[0], i % 3 == 2 ? 0.5 : 0.2);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(a_grid_drives_board_and_tube),
                                     cmocka_unit_test(a_drive_has_its_gain),
                                     cmocka_unit_test(pedal_and_kinds_change_the_mallet),
                                     cmocka_unit_test(a_pool_throws_several),
                                     cmocka_unit_test(two_bows_play_a_string),
                                     cmocka_unit_test(a_key_does_what_gesture_says),
                                     cmocka_unit_test(screw_and_rubber_follow_their_parameters),
                                     cmocka_unit_test(a_ball_falls_back),
                                     cmocka_unit_test(a_hammer_is_driven),
                                     cmocka_unit_test(a_ball_rolls),
                                     cmocka_unit_test(a_crowd_is_solved),
                                     cmocka_unit_test(two_families_meet),
                                     cmocka_unit_test(a_bend_keeps_its_loudness),
                                     cmocka_unit_test(fingers_stop_a_plucked_string)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
