// What may stand on a board that moves, as a file has it: preparations, a ball, own pickups, a resonator that drives the board, a bar beside.
#include "check.h"

#include "hertzian/contact/modal_island.h"
#include "sound/partials.h"
#include "sound/render.h"

#include <math.h>
#include <string.h>

static const double rate_hz = 48000.0;

enum { PREPARED = 48, RATTLED = 52, BALL = 60, HEARD = 66, BAR = 72, FRAMES = 24000 };

static void open_fixture(sound* s, bool two_way) {
  assert_true(sound_open(s, HTZ_SOURCE_DIR "/tests/fixtures/instruments/on-board.yaml", rate_hz));
  assert_true(sound_set(s, "board", two_way));
}

static double string_energy(const sound* s, int key) {
  const htz_body* string = htz_modal_body(htz_modal_island_body(s->instrument->keys[key].island, 0));
  return string->cls->energy(string);
}

static double rms(const double* x, size_t n) {
  double sum = 0.0;
  for (size_t i = 0; i < n; ++i) {
    sum += x[i] * x[i];
  }
  return sqrt(sum / (double)n);
}

/** Every object sounds, and the strings of the others answer on a board that moves and on no other. */
static void all_move_the_board_and_feel_it(void** state) {
  static const int keys[] = {PREPARED, PREPARED + 2, RATTLED, BALL, HEARD, BAR};
  (void)state;
  for (size_t i = 0; i < sizeof keys / sizeof keys[0]; ++i) {
    double answer[2];
    for (unsigned two_way = 0; two_way < 2; ++two_way) {
      sound s;
      note n;
      open_fixture(&s, two_way);
      sound_note(&s, (unsigned)keys[i], 110.0, 13, FRAMES, &n);
      check_above(rms(n.mono, FRAMES), 1e-5); // -100 dBFS
      answer[two_way] = string_energy(&s, keys[i] == HEARD ? HEARD - 1 : HEARD);
      assert_int_equal(htz_engine_count(s.engine).resets, 0);
      note_free(&n);
      sound_close(&s);
    }
    print_message("key %d: %.2g J in another string\n", keys[i], answer[1]);
    assert_true(answer[0] == 0.0);
    assert_true(answer[1] > 1e-14);
  }
}

/** A rattle on a string that feels the board rattles; the ball comes back until it lies. */
static void contacts_go_on(void** state) {
  (void)state;
  sound s;
  note n;
  uint64_t closures[2];
  for (unsigned there = 0; there < 2; ++there) {
    open_fixture(&s, true);
    assert_true(sound_set(&s, "rattle.mass", there));
    sound_note(&s, RATTLED, 120.0, 0, FRAMES, &n);
    closures[there] = htz_engine_count(s.engine).closures;
    note_free(&n);
    sound_close(&s);
  }
  assert_true(closures[1] > closures[0] + 10);
  open_fixture(&s, true);
  sound_note(&s, BALL, 60.0, 0, FRAMES, &n);
  assert_true(htz_engine_count(s.engine).closures > 5);
  note_free(&n);
  sound_close(&s);
}

/** String and resonator are heard by themselves, left and right, about as loud as where the board only listens. */
static void own_pickups_are_heard(void** state) {
  (void)state;
  double side[2][2];
  for (unsigned two_way = 0; two_way < 2; ++two_way) {
    sound s;
    note n;
    open_fixture(&s, two_way);
    sound_note(&s, HEARD, 100.0, 0, FRAMES, &n);
    side[two_way][0] = rms(n.left, FRAMES);
    side[two_way][1] = rms(n.right, FRAMES);
    note_free(&n);
    sound_close(&s);
  }
  print_message("own pickups: left %.2f dB, right %.2f dB\n", decibels(side[1][0] / side[0][0]),
                decibels(side[1][1] / side[0][1]));
  check_near(decibels(side[1][0] / side[0][0]), 0.0, 3.0);
  check_near(decibels(side[1][1] / side[0][1]), 0.0, 3.0);
}

/**
   One body of a key stands on the board. Others that move with it, a box with something loose on it and a bar under a bow, do so there as
   on a board that only listens.
*/
static void others_of_the_key_move_beside(void** state) {
  (void)state;
  enum { KEY = 55 };
  for (unsigned bowed = 0; bowed < 2; ++bowed) {
    double side[2][2];
    for (unsigned two_way = 0; two_way < 2; ++two_way) {
      sound s;
      note n;
      assert_true(sound_open(&s, HTZ_SOURCE_DIR "/tests/fixtures/instruments/beside-board.yaml", rate_hz));
      assert_true(sound_set(&s, "board", two_way));
      assert_true(sound_set(&s, "gesture", bowed));
      htz_engine_hold(s.engine, 0, KEY, true, 0);
      sound_note(&s, KEY, 100.0, 0, FRAMES, &n);
      side[two_way][0] = rms(n.left, FRAMES);
      side[two_way][1] = rms(n.right, FRAMES);
      const htz_engine_counters c = htz_engine_count(s.engine);
      assert_int_equal(c.resets, 0);
      assert_true(bowed || c.closures > 10);
      note_free(&n);
      sound_close(&s);
    }
    print_message("%s: box %.2f dB, bar %.2f dB\n", bowed ? "bowed" : "struck", decibels(side[1][0] / side[0][0]),
                  decibels(side[1][1] / side[0][1]));
    check_above(side[1][bowed], 1e-3);
    check_near(decibels(side[1][bowed] / side[0][bowed]), 0.0, 3.0);
  }
}

/** Strings that a spring holds to the ground and a wire lies beside, struck or bowed, move a board and another string through it; then all is still. */
static void linked_strings_move_the_board(void** state) {
  enum { KEY = 45, OCTAVE = 57 };
  (void)state;
  for (unsigned bowed = 0; bowed < 2; ++bowed) {
    double answer[2];
    for (unsigned two_way = 0; two_way < 2; ++two_way) {
      sound s;
      note n;
      uint64_t closures[2];
      for (unsigned far = 0; far < 2; ++far) {
        assert_true(sound_open(&s, HTZ_SOURCE_DIR "/tests/fixtures/instruments/linked-board.yaml", rate_hz));
        assert_true(sound_set(&s, "board", two_way));
        assert_true(sound_set(&s, "gesture", bowed));
        assert_true(sound_set(&s, "wire.gap", far ? 0.01 : bowed ? 1e-4 : 2e-4));
        htz_engine_hold(s.engine, 0, KEY, true, 0);
        htz_engine_hold(s.engine, 0, OCTAVE, true, 0);
        sound_note(&s, KEY, 110.0, 0, FRAMES, &n);
        closures[far] = htz_engine_count(s.engine).closures;
        answer[two_way] = string_energy(&s, OCTAVE);
        check_above(rms(n.mono, FRAMES), 1e-4);
        note_free(&n);
        htz_engine_hold(s.engine, 0, KEY, false, htz_engine_now(s.engine));
        htz_engine_hold(s.engine, 0, OCTAVE, false, htz_engine_now(s.engine));
        sound_rest(&s);
        assert_true(htz_engine_asleep(s.engine));
        assert_int_equal(htz_engine_count(s.engine).resets, 0);
        sound_close(&s);
      }
      print_message("%s, two-way %u: %llu closures, %llu with the wire away\n", bowed ? "bowed" : "struck", two_way,
                    (unsigned long long)closures[0], (unsigned long long)closures[1]);
      assert_true(closures[0] > closures[1] + 10);
    }
    assert_true(answer[0] == 0.0);
    assert_true(answer[1] > 1e-14);
  }
}

/** The level of one object beside the others' is heard on a board that moves: its strings lean on the board by a shorter lever. */
static void a_level_of_its_own_is_heard(void** state) {
  (void)state;
  double loud[2];
  for (unsigned soft = 0; soft < 2; ++soft) {
    sound s;
    note n;
    open_fixture(&s, true);
    const htz_param_change change = {
        .index = HTZ_PARAM_LEVEL, .key = PREPARED + 5, .value = soft ? -12.0 : 0.0}; // no preparation there
    htz_engine_change(s.engine, &change);
    sound_note(&s, PREPARED + 5, 100.0, 0, FRAMES, &n);
    loud[soft] = rms(n.mono, FRAMES / 8);
    note_free(&n);
    sound_close(&s);
  }
  print_message("level: %.2f dB\n", decibels(loud[1] / loud[0]));
  check_near(decibels(loud[1] / loud[0]), -12.0, 1.0);
}

/** Under its damper a string on the board does not answer; with the key held it does. */
static void a_damped_string_does_not_answer(void** state) {
  enum { STRUCK = 60, OTHER = 67 };
  (void)state;
  double answer[2];
  for (unsigned open = 0; open < 2; ++open) {
    sound s;
    note n;
    assert_true(sound_open(&s, HTZ_SOURCE_DIR "/tests/fixtures/instruments/action.yaml", rate_hz));
    assert_true(sound_set(&s, "board", 1.0));
    htz_engine_hold(s.engine, 0, OTHER, open, 0);
    sound_note(&s, STRUCK, 110.0, 0, FRAMES / 4, &n);
    answer[open] = string_energy(&s, OTHER);
    note_free(&n);
    sound_close(&s);
  }
  assert_true(answer[0] == 0.0);
  assert_true(answer[1] > 1e-14);
}

/** What only drives a board that moves is as much softer as the part is, not twice that. */
static void the_level_of_the_part_acts_once(void** state) {
  (void)state;
  double loud[2];
  for (unsigned soft = 0; soft < 2; ++soft) {
    sound s;
    note n;
    open_fixture(&s, true);
    assert_true(sound_set(&s, "level", soft ? -12.0 : 0.0));
    sound_note(&s, BAR, 100.0, 0, FRAMES, &n);
    loud[soft] = rms(n.mono, FRAMES / 8);
    note_free(&n);
    sound_close(&s);
  }
  check_near(decibels(loud[1] / loud[0]), -12.0, 0.1);
}

/** However long its lever, a string on the board is in tune: its correction goes with the square of the lever. */
static void a_level_of_its_own_keeps_its_pitch(void** state) {
  (void)state;
  static const double levels[] = {0.0, 12.0};
  double hz[2];
  for (size_t i = 0; i < 2; ++i) {
    sound s;
    note n;
    open_fixture(&s, true);
    const htz_param_change change = {.index = HTZ_PARAM_LEVEL, .key = HEARD, .value = levels[i]};
    htz_engine_change(s.engine, &change);
    htz_engine_hold(s.engine, 0, HEARD, true, htz_engine_now(s.engine));
    sound_note(&s, HEARD, 80.0, 0, FRAMES, &n);
    const double expected = htz_key_hz(HEARD);
    partial p[3];
    for (size_t k = 0; k < 3; ++k) {
      p[k] = (partial){.hz = expected * (double)(k + 1), .sigma = 2.0, .wanted = k == 0};
    }
    const partial_window window = {.rate_hz = rate_hz, .drop_db = 40.0, .longest_s = 0.4};
    partials_measure(n.left + FRAMES / 8, FRAMES - FRAMES / 8, &window, p, 3);
    hz[i] = p[0].found.hz;
    note_free(&n);
    sound_close(&s);
  }
  print_message("12 dB louder: %.3f cents off\n", cents_between(hz[1], hz[0]));
  check_near(cents_between(hz[1], hz[0]), 0.0, 0.5);
}

static void change_all(sound* s, uint32_t index, double value) {
  const htz_param_change change = {.index = index, .key = HTZ_KEY_ALL, .value = value, .frame = htz_engine_now(s->engine)};
  float left[HTZ_QUANTUM], right[HTZ_QUANTUM];
  htz_engine_change(s->engine, &change);
  htz_engine_quantum(s->engine, left, right);
}

/** A string that was bent, had its level set and was bent back while nothing sounded is the one that it was. */
static void what_came_and_went_in_silence_is_not_heard(void** state) {
  enum { HIT = 5 };
  (void)state;
  note n[2];
  for (unsigned turned = 0; turned < 2; ++turned) {
    sound s;
    open_fixture(&s, true);
    sound_note(&s, PREPARED + HIT, 100.0, 0, FRAMES / 4, &n[turned]); // tuned as the board asks for
    note_free(&n[turned]);
    sound_rest(&s);
    if (turned) {
      change_all(&s, HTZ_PARAM_BEND, 1.0);
      change_all(&s, HTZ_PARAM_LEVEL, 0.0);
      change_all(&s, HTZ_PARAM_BEND, 0.0);
    }
    sound_note(&s, PREPARED + HIT, 100.0, 0, FRAMES, &n[turned]);
    sound_close(&s);
  }
  check_above(rms(n[0].mono, FRAMES), 1e-5);
  assert_memory_equal(n[1].mono, n[0].mono, FRAMES * sizeof *n[0].mono);
  note_free(&n[0]);
  note_free(&n[1]);
}

static const char* const damped =
    "format: 1\nname: x\nkeys: [60, 67]\nper_key:\n"
    "  s: {body: string, length: 0.6, lin_density: 0.006, t60: 6, t60_high: 0.6, modes: 40}\n"
    "shared:\n  d: {body: modal-list, zones: 3, frequencies: [160, 333, 610], q: [25, 25, 25], mass: [0.1, 0.1, 0.1]}\n"
    "drives:\n  - {from: s, quantity: force, to: d, along: keys, gain: 1}\n"
    "mallet:\n  strikes: s\n  mass: 0.008\n  speed: [0.3, 5]\n  at: 0.12\n"
    "  contact: {stiffness: 1.0e+8, exponent: 2.3}\n"
    "pickups:\n  - {of: d, quantity: velocity, at: [0.4, 0.5]}\n"
    "damper: {loss: 60}\ndefaults: {board: two-way, human: 0}\n";

/** Strings that fall asleep bent hold the board as they do unbent: what is played after the wheel has gone back sounds as ever. */
static void what_slept_bent_holds_the_board_as_ever(void** state) {
  enum { FIRST = 60, N = 7 };
  (void)state;
  note n[2];
  for (unsigned bent = 0; bent < 2; ++bent) {
    sound s;
    assert_true(sound_open_text(&s, damped, rate_hz));
    change_all(&s, HTZ_PARAM_BEND, bent ? 12.0 : 0.0);
    for (unsigned k = 0; k < N; ++k) {
      sound_note(&s, FIRST + k, 100.0, 0, FRAMES / 10, &n[bent]);
      note_free(&n[bent]);
    }
    sound_rest(&s);
    change_all(&s, HTZ_PARAM_BEND, 0.0);
    sound_note(&s, FIRST + N, 100.0, 0, FRAMES, &n[bent]);
    sound_close(&s);
  }
  double apart = 0.0;
  for (size_t i = 0; i < FRAMES; ++i) {
    apart = fmax(apart, fabs(n[1].mono[i] - n[0].mono[i]));
  }
  const double peak = peak_of(n[0].mono, FRAMES);
  print_message("after a bend: %.0f dB apart\n", decibels(apart / peak));
  check_above(peak, 1e-5);
  check_below(apart, 1e-6 * peak); // the same tuning, to rounding
  note_free(&n[0]);
  note_free(&n[1]);
}

/** What nobody brought is stopped on a board that moves, too: energy that no hammer has is put into the board. */
static void a_runaway_of_the_board_is_stopped(void** state) {
  (void)state;
  for (unsigned hit = 0; hit < 2; ++hit) {
    sound s;
    note n;
    open_fixture(&s, true);
    sound_note(&s, HEARD, 100.0, 0, FRAMES, &n);
    note_free(&n);
    htz_modal* board = s.instrument->board.body;
    const double omega = htz_modal_omega(board)[0], energy = 1e3;
    htz_modal_q(board)[0] += hit ? sqrt(2.0 * energy / (htz_modal_mass(board)[0] * omega * omega)) : 0.0;
    sound_note(&s, HEARD + 1, 100.0, 0, FRAMES / 10, &n);
    note_free(&n);
    assert_int_equal(htz_engine_count(s.engine).resets, hit);
    sound_close(&s);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(all_move_the_board_and_feel_it),
                                     cmocka_unit_test(contacts_go_on),
                                     cmocka_unit_test(own_pickups_are_heard),
                                     cmocka_unit_test(others_of_the_key_move_beside),
                                     cmocka_unit_test(linked_strings_move_the_board),
                                     cmocka_unit_test(a_level_of_its_own_is_heard),
                                     cmocka_unit_test(a_level_of_its_own_keeps_its_pitch),
                                     cmocka_unit_test(a_damped_string_does_not_answer),
                                     cmocka_unit_test(the_level_of_the_part_acts_once),
                                     cmocka_unit_test(what_came_and_went_in_silence_is_not_heard),
                                     cmocka_unit_test(what_slept_bent_holds_the_board_as_ever),
                                     cmocka_unit_test(a_runaway_of_the_board_is_stopped)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
