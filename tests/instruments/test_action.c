/*
   What keys hit besides what they play: a case that drives the board. When it is hit, how hard, by whom, and that nothing is heard of it
   but by way of the board.
*/
#include "check.h"
#include "sound/render.h"

#include "hertzian/contact/modal_island.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double rate_hz = 48000.0;
static const double pi = 3.14159265358979323846;
static const char fixture[] = HTZ_SOURCE_DIR "/tests/fixtures/instruments/action.yaml";
enum { KEY = 60, QUANTA = 400, FRAMES = QUANTA * HTZ_QUANTUM, TEXT = 4096 };

/** The fixture with `from` replaced, where it is not NULL, and a second time. */
static void read_file(const char* const change[4], char text[TEXT]) {
  FILE* file = fopen(fixture, "r");
  assert_non_null(file);
  text[fread(text, 1, TEXT - 1, file)] = 0;
  fclose(file);
  for (size_t i = 0; i < 4 && change[i]; i += 2) {
    char copy[TEXT];
    char* at = strstr(text, change[i]);
    assert_non_null(at);
    strcpy(copy, at + strlen(change[i]));
    snprintf(at, (size_t)(text + TEXT - at), "%s%s", change[i + 1], copy);
  }
}

static void open_with(sound* s, const char* const change[4]) {
  char text[TEXT];
  read_file(change, text);
  assert_true(sound_open_text(s, text, rate_hz));
  assert_true(sound_set(s, "room", 0.0));
}

static void set(sound* s, htz_param_index index, double value) {
  const htz_param_change change = {.frame = htz_engine_now(s->engine), .key = HTZ_KEY_ALL, .index = index, .value = value};
  htz_engine_change(s->engine, &change);
}

static void run(sound* s, size_t quanta, float* left) {
  float l[HTZ_QUANTUM], r[HTZ_QUANTUM];
  htz_rt_enter();
  for (size_t q = 0; q < quanta; ++q) {
    htz_engine_quantum(s->engine, left ? left + q * HTZ_QUANTUM : l, r);
  }
  htz_rt_leave();
}

static void press(sound* s, uint32_t key, double velocity) {
  htz_engine_hold(s->engine, 0, key, true, htz_engine_now(s->engine));
  htz_engine_strike(s->engine, 0, key, velocity, htz_engine_now(s->engine));
}

static double greatest(const float* x, size_t n) {
  double most = 0.0;
  for (size_t i = 0; i < n; ++i) {
    most = fmax(most, fabs((double)x[i]));
  }
  return most;
}

/** First frame that is not silent. */
static size_t onset(const float* x) {
  size_t i = 0;
  while (i < FRAMES && x[i] == 0.0f) {
    ++i;
  }
  return i;
}

static const char* const no_string[4] = {"gain: 0.4", "gain: 0"};

/** Nothing goes from strings and case to the board: not a bit is heard, pressed or let go. */
static void without_drives_there_is_silence(void** state) {
  static float x[FRAMES];
  static const char* const none[4] = {"gain: 0.4", "gain: 0", "gain: 300", "gain: 0"};
  sound s;
  (void)state;
  for (int ways = 0; ways < 2; ++ways) {
    open_with(&s, none);
    set(&s, HTZ_PARAM_BOARD, ways);
    press(&s, KEY, 127.0);
    run(&s, QUANTA / 2, x);
    htz_engine_release(s.engine, 0, KEY, 127.0, htz_engine_now(s.engine));
    run(&s, QUANTA / 2, x + FRAMES / 2);
    assert_true(greatest(x, FRAMES) == 0.0);
    sound_close(&s);
  }
}

/** Softer keys come down later, by the way over the speed, to two samples: that which it is thrown in and the one it begins to press in. */
static void a_key_arrives_when_it_has_gone_its_way(void** state) {
  static const double gap_m = 0.004, slow = 0.1, fast = 1.0;
  static const double velocities[] = {1.0, 40.0, 80.0, 127.0};
  static float x[FRAMES];
  double last = 0.0;
  (void)state;
  for (size_t v = 0; v < sizeof velocities / sizeof velocities[0]; ++v) {
    sound s;
    open_with(&s, no_string);
    press(&s, KEY, velocities[v]);
    run(&s, QUANTA, x);
    const double speed = slow * pow(fast / slow, (velocities[v] - 1.0) / 126.0);
    const double frames = gap_m / speed * rate_hz;
    print_message("velocity %g: %.1f frames on its way, heard after %zu, %.2g\n", velocities[v], frames, onset(x),
                  greatest(x, FRAMES));
    check_near((double)onset(x) - frames, 0.0, 2.0);
    check_above(greatest(x, FRAMES), 1.5 * last);
    last = greatest(x, FRAMES);
    sound_close(&s);
  }
}

/** Where keys hit only as they are pressed nothing is heard of letting them go: the same bits as if they were held on. */
static void what_hits_as_it_is_pressed_does_not_as_it_comes_back(void** state) {
  static const char* const change[4] = {"gain: 0.4", "gain: 0", "when: release", "when: press"};
  static float x[2][FRAMES];
  (void)state;
  for (int released = 0; released < 2; ++released) {
    sound s;
    open_with(&s, change);
    press(&s, KEY, 127.0);
    run(&s, QUANTA / 2, x[released]);
    if (released) {
      htz_engine_release(s.engine, 0, KEY, 127.0, htz_engine_now(s.engine));
    }
    run(&s, QUANTA / 2, x[released] + FRAMES / 2);
    sound_close(&s);
  }
  check_above(greatest(x[0], FRAMES), 0.0);
  assert_memory_equal(x[0], x[1], sizeof x[0]);
}

/** A key that creeps down makes no noise: one that would take more than a second for its way is not heard at all. */
static void a_key_that_creeps_makes_no_noise(void** state) {
  static const char* const change[4] = {"gain: 0.4", "gain: 0", "speed: [0.1, 1], gap: 0.004",
                                        "speed: [0.05, 1], gap: 0.06"}; // 1.2 s
  static float x[FRAMES];
  sound s;
  (void)state;
  open_with(&s, change);
  press(&s, KEY, 1.0);
  for (unsigned i = 0; i < 3; ++i) {
    run(&s, QUANTA, x);
    assert_true(greatest(x, FRAMES) == 0.0);
  }
  sound_close(&s);
}

/** Amplitude of a line at `hz` in a window from frame `from` on. */
static double line(const float* x, size_t from, double hz) {
  double re = 0.0, im = 0.0;
  const size_t n = FRAMES - from;
  for (size_t i = 0; i < n; ++i) {
    const double w = 0.5 - 0.5 * cos(2.0 * pi * (double)i / (double)n), at = 2.0 * pi * hz * (double)i / rate_hz;
    re += w * (double)x[from + i] * cos(at);
    im += w * (double)x[from + i] * sin(at);
  }
  return 4.0 * hypot(re, im) / (double)n; // Hann: half on the mean
}

/** The case rings at its own pitch, and changed, at another. */
static void it_is_the_case_that_is_heard(void** state) {
  static float x[FRAMES];
  static const double old_hz = 700.0, new_hz = 820.0;
  double at[2][2];
  (void)state;
  for (int other = 0; other < 2; ++other) {
    const char* const change[4] = {"gain: 0.4", "gain: 0", "[130, 700]", other ? "[130, 820]" : "[130, 700]"};
    sound s;
    open_with(&s, change);
    press(&s, KEY, 127.0);
    run(&s, QUANTA, x);
    at[other][0] = line(x, 4800, old_hz);
    at[other][1] = line(x, 4800, new_hz);
    sound_close(&s);
  }
  print_message("at 700 Hz %.2g, changed %.2g; at 820 Hz %.2g, changed %.2g\n", at[0][0], at[1][0], at[0][1], at[1][1]);
  check_above(at[0][0], 10.0 * at[1][0]);
  check_above(at[1][1], 10.0 * at[0][1]);
}

/** By the release velocity; once, and not by a key that is up. */
static void keys_are_heard_as_they_come_back(void** state) {
  static float x[FRAMES];
  double last = 0.0;
  (void)state;
  for (double velocity = 20.0; velocity < 128.0; velocity += 50.0) {
    sound s;
    open_with(&s, no_string);
    htz_engine_hold(s.engine, 0, KEY, true, 0); // in silence
    htz_engine_release(s.engine, 0, KEY, velocity, htz_engine_now(s.engine));
    run(&s, QUANTA, x);
    check_above(greatest(x, FRAMES), 1.5 * last);
    last = greatest(x, FRAMES);
    while (!htz_engine_asleep(s.engine)) {
      run(&s, 1, NULL);
    }
    htz_engine_release(s.engine, 0, KEY, velocity, htz_engine_now(s.engine));
    run(&s, QUANTA, x);
    assert_true(greatest(x, FRAMES) == 0.0);
    sound_close(&s);
  }
}

/** A blow gives the case no more than it has itself. */
static void a_blow_brings_its_own_energy(void** state) {
  static const double mass = 0.1, fast = 1.0;
  sound s;
  double most = 0.0;
  (void)state;
  open_with(&s, no_string);
  press(&s, KEY, 127.0);
  for (size_t q = 0; q < QUANTA; ++q) {
    run(&s, 1, NULL);
    const htz_body* body = htz_modal_body(htz_modal_island_body(s.instrument->action.island, 0));
    most = fmax(most, body->cls->energy(body));
  }
  print_message("%.3g J of %.3g\n", most, 0.5 * mass * fast * fast);
  check_above(most, 1e-6);
  check_below(most, 0.5 * mass * fast * fast);
  sound_close(&s);
}

/** Twenty-four keys at once, more than masses that can fly: nothing is reset or dropped, and again it is the same to the last bit. */
static void many_keys_at_once(void** state) {
  static float x[2][FRAMES];
  sound s;
  (void)state;
  for (int again = 0; again < 2; ++again) {
    open_with(&s, (const char* const[4]){NULL});
    for (uint32_t key = 48; key < 72; ++key) {
      press(&s, key, 100.0);
    }
    run(&s, QUANTA, x[again]);
    const htz_engine_counters count = htz_engine_count(s.engine);
    assert_int_equal(count.resets, 0);
    assert_int_equal(count.dropped, 0);
    sound_close(&s);
  }
  assert_memory_equal(x[0], x[1], sizeof x[0]);
}

/** Silenced, it is gone within 20 ms, and what was on its way does not arrive. */
static void silence_ends_it(void** state) {
  static float x[FRAMES];
  const size_t gone = (size_t)(0.020 * rate_hz);
  (void)state;
  for (int ways = 0; ways < 2; ++ways) {
    sound s;
    open_with(&s, (const char* const[4]){NULL});
    set(&s, HTZ_PARAM_BOARD, ways);
    press(&s, KEY, 127.0);
    run(&s, 20, NULL);
    press(&s, KEY + 1, 1.0); // on its way for 40 ms
    htz_engine_silence(s.engine, 0, htz_engine_now(s.engine));
    run(&s, QUANTA, x);
    check_above(greatest(x, gone), 1e-6);
    assert_true(greatest(x + gone + 2 * HTZ_QUANTUM, FRAMES - gone - 2 * HTZ_QUANTUM) == 0.0);
    sound_close(&s);
  }
}

/** The level moves it as it moves the strings. */
static void level_moves_it(void** state) {
  static float x[2][FRAMES];
  (void)state;
  for (int ways = 0; ways < 2; ++ways) {
    for (int low = 0; low < 2; ++low) {
      sound s;
      open_with(&s, no_string);
      set(&s, HTZ_PARAM_BOARD, ways);
      set(&s, HTZ_PARAM_LEVEL, low ? -12.0 : 0.0);
      run(&s, 4, NULL);
      press(&s, KEY, 100.0);
      run(&s, QUANTA, x[low]);
      sound_close(&s);
    }
    check_close(greatest(x[1], FRAMES) / greatest(x[0], FRAMES), pow(10.0, -0.6), 1e-4);
  }
}

static void refused(const char* const change[4], const char* message) {
  char text[TEXT];
  htz_spec* spec = NULL;
  htz_diags diags;
  read_file(change, text);
  htz_diags_init(&diags, "action.yaml");
  assert_true(htz_spec_parse("action.yaml", text, strlen(text), &spec, &diags) != HTZ_OK);
  if (diags.n != 1 || !strstr(diags.item[0].text, message)) {
    htz_diags_print(&diags, stderr);
  }
  assert_int_equal(diags.n, 1);
  assert_non_null(strstr(diags.item[0].text, message));
}

static void what_cannot_be_is_refused(void** state) {
  (void)state;
  refused((const char* const[4]){"quantity: velocity\n  along", "quantity: force\n  along"}, "\"case\" presses on no support");
  refused((const char* const[4]){"speed: [0.1, 1]", "speed: [1, 0.1]"}, "speed");
  refused((const char* const[4]){"when: press", "when: sometimes"}, "Allowed: press, release");
  refused((const char* const[4]){"mass: [40, 40]", "mass: [{60: 40, 61: 41}, 40]"}, "mass");
  refused((const char* const[4]){"case: {body", "a case: {body"}, "a body's name is made of");
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(without_drives_there_is_silence),
                                     cmocka_unit_test(a_key_arrives_when_it_has_gone_its_way),
                                     cmocka_unit_test(it_is_the_case_that_is_heard),
                                     cmocka_unit_test(keys_are_heard_as_they_come_back),
                                     cmocka_unit_test(a_key_that_creeps_makes_no_noise),
                                     cmocka_unit_test(what_hits_as_it_is_pressed_does_not_as_it_comes_back),
                                     cmocka_unit_test(a_blow_brings_its_own_energy),
                                     cmocka_unit_test(many_keys_at_once),
                                     cmocka_unit_test(silence_ends_it),
                                     cmocka_unit_test(level_moves_it),
                                     cmocka_unit_test(what_cannot_be_is_refused)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
