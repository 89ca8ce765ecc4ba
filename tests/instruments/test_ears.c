/*
   Instruments that are heard at ears: levels and phases by radiation, width and lateness by where things are.
*/
#include "check.h"
#include "sound/loudness.h"
#include "sound/partials.h"
#include "sound/render.h"

#include "hertzian/contact/modal_island.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double rate_hz = 48000.0;
static const char bars[] = HTZ_SOURCE_DIR "/tests/fixtures/instruments/ears.yaml";
static const char pair[] = HTZ_SOURCE_DIR "/tests/fixtures/instruments/ears-pair.yaml";
static const char board[] = HTZ_SOURCE_DIR "/tests/fixtures/instruments/ears-board.yaml";

enum { PARTIALS = 3 };

/** Amplitudes of a bar's first three partials 50 ms after the stroke, of one side. */
static void measure(sound* s, unsigned key, size_t side, double amplitude[PARTIALS]) {
  const partial_window window = {.rate_hz = rate_hz, .drop_db = 30.0, .longest_s = 0.4};
  htz_arena arena;
  htz_modes modes;
  const char* why;
  note n;
  partial p[PARTIALS] = {{0}};
  htz_arena_measure(&arena);
  assert_int_equal(htz_spec_modes(&s->spec->bodies[0], key, &arena, &modes, &why), HTZ_OK);
  for (size_t k = 0; k < PARTIALS; ++k) {
    p[k] = (partial){.hz = modes.omega[2 + k] / 6.28318530717958647693, .sigma = modes.sigma[2 + k], .wanted = true};
  }
  sound_note(s, key, 64.0, 0, (size_t)rate_hz / 2, &n);
  const size_t from = (size_t)(0.05 * rate_hz);
  partials_measure((side ? n.right : n.left) + from, n.frames - from, &window, p, PARTIALS);
  for (size_t k = 0; k < PARTIALS; ++k) {
    amplitude[k] = p[k].found.amplitude;
  }
  note_free(&n);
  htz_arena_free(&arena);
}

/** A bar of which an ear, and for comparison a point, is heard. */
static void open_bar(sound* s, const char* pickup) {
  char text[2048];
  snprintf(
      text, sizeof text,
      "format: 1\nname: Bar\nkeys: [48, 60]\nper_key:\n  bar: {body: bar, material: aluminium, length: 0.36, width: 0.05, "
      "thickness: 0.0127, partials: [1, 4, 10], t60: 8, t60_high: 1, modes: 5, place: [{48: -0.5, 60: 0.1}, 0, 0], axis: y}\n"
      "mallet: {strikes: bar, mass: 0.02, speed: [0.2, 4], at: 0.42, contact: {stiffness: 3.0e+8}}\n"
      "pickups: [{of: bar, %s, pan: -1}]\n",
      pickup);
  assert_true(sound_open_text(s, text, rate_hz));
}

/** Each partial's pressure is omega |H| of the velocity that a point of it has over its shape there; the file's full scale is 20 Pa. */
static void partials_have_the_pressure_that_they_radiate(void** state) {
  (void)state;
  sound at_ear, at_point;
  open_bar(&at_ear, "ear: [0.2, -0.5, 0.6]");
  open_bar(&at_point, "at: 0, gain: 1");
  for (unsigned key = 48; key <= 60; key += 6) {
    double heard[PARTIALS], moved[PARTIALS], re[16], im[16], phi[16];
    htz_arena arena;
    htz_modes modes;
    const char* why;
    measure(&at_ear, key, 0, heard);
    measure(&at_point, key, 0, moved);
    htz_arena_measure(&arena);
    assert_int_equal(htz_spec_modes(&at_ear.spec->bodies[0], key, &arena, &modes, &why), HTZ_OK);
    const htz_ear ear = {-0.5, -(0.2 - (-0.5 + 0.05 * (key - 48))), 0.6}; // as the bar, which lies along y, sees it
    assert_int_equal(htz_radiation_own(&modes, &ear, re, im), HTZ_OK);
    modes.shape(&modes, 0.0, phi);
    const double late = at_ear.instrument->keys[key].late[HTZ_EARS_PLAYER][0] / rate_hz; // heard when it has decayed less
    for (size_t k = 0; k < PARTIALS; ++k) {
      const double expected = moved[k] / fabs(phi[2 + k]) * modes.omega[2 + k] * hypot(re[2 + k], im[2 + k]) / 20.0 *
                              exp(modes.sigma[2 + k] * late);
      check_close(heard[k], expected, 2e-3); // sigma/omega = 1e-3 of the phase's part, and the fits
    }
    htz_arena_free(&arena);
  }
  sound_close(&at_ear);
  sound_close(&at_point);
}

static double energy_of(const double* x, size_t n) {
  double sum = 0.0;
  for (size_t i = 0; i < n; ++i) {
    sum += x[i] * x[i];
  }
  return sum;
}

/** First sample above a thousandth of the peak. */
static double onset(const double* x, size_t n) {
  const double least = 1e-3 * peak_of(x, n);
  size_t i = 0;
  while (i < n && fabs(x[i]) < least) {
    ++i;
  }
  return (double)i;
}

static void bars_stand_where_they_lie(void** state) {
  (void)state;
  sound s;
  assert_true(sound_open(&s, bars, rate_hz));
  static const unsigned keys[] = {48, 66, 84};
  for (size_t i = 0; i < 3; ++i) {
    note n;
    const double x = -0.9 + 0.9 * (double)i;
    sound_note(&s, keys[i], 80.0, 0, (size_t)rate_hz / 2, &n);
    const double late = (sqrt(pow(x + 0.1, 2.0) + 0.5) - sqrt(pow(x - 0.1, 2.0) + 0.5)) / 343.0 * rate_hz;
    check_near(onset(n.left, n.frames) - onset(n.right, n.frames), late, 4.0); // a soft onset, and samples
    const double louder = 5.0 * log10(energy_of(n.left, n.frames) / energy_of(n.right, n.frames)) * 2.0;
    if (i == 1) {
      check_near(louder, 0.0, 1e-6); // both sides are as far away
    } else {
      check_above(i == 0 ? louder : -louder, 0.4); // 0.2 m of 1.2 m of way: 1 dB by distance, the dipoles' angle adds
    }
    check_above(decibels(peak_of(n.mono, n.frames)), -40.0);
    check_below(decibels(peak_of(n.mono, n.frames)), -6.0);
    note_free(&n);
  }
  sound_rest(&s); // nothing late is left waiting
  assert_true(htz_engine_asleep(s.engine));
  sound_close(&s);
}

static void a_board_is_heard_by_both_ears(void** state) {
  (void)state;
  // From 0.8307 m and 2.0833 m: 175.3 frames.
  const double late = (sqrt(0.3 * 0.3 + 1.9 * 1.9 + 0.64) - sqrt(0.49 + 0.04 + 0.16)) / 343.0 * rate_hz;
  for (size_t two_way = 0; two_way < 2; ++two_way) {
    sound s;
    assert_true(sound_open(&s, board, rate_hz));
    assert_true(!two_way || sound_set(&s, "board", 1.0));
    for (unsigned key = 40; key <= 76; key += 12) {
      note n;
      sound_note(&s, key, 90.0, 0, (size_t)rate_hz, &n);
      check_near((double)first_sound(n.right, n.frames) - (double)first_sound(n.left, n.frames), late, 1.0);
      check_above(decibels(peak_of(n.left, n.frames)), -50.0);
      check_below(decibels(peak_of(n.left, n.frames)), -6.0);
      check_above(peak_of(n.left, n.frames), peak_of(n.right, n.frames)); // it is nearer
      note_free(&n);
    }
    sound_rest(&s);
    assert_true(htz_engine_asleep(s.engine));
    sound_close(&s);
  }
}

static void bend(sound* s, double semitones) {
  const htz_param_change change = {
      .frame = htz_engine_now(s->engine), .value = semitones, .key = HTZ_KEY_ALL, .index = HTZ_PARAM_BEND};
  htz_engine_change(s->engine, &change);
}

/** Loudness of `key` bent by a whole tone against that of the key it is bent to: what is radiated by all partials says it, not the first. */
static void a_bent_bar_is_as_loud_as_where_it_goes(void** state) {
  (void)state;
  const double tone_db = 2.0; // as on the piano; 1.9 where bar and tube radiate alike, of which the louder alone is taken
  sound s;
  assert_true(sound_open(&s, bars, rate_hz));
  for (unsigned key = 50; key <= 82; key += 8) {
    double loud[2];
    for (size_t i = 0; i < 2; ++i) {
      note n;
      sound_rest(&s);
      bend(&s, i ? 0.0 : 2.0);
      sound_note(&s, i ? key + 2 : key, 80.0, 0, (size_t)rate_hz / 2, &n);
      loud[i] = loudness_momentary_max(n.left, n.right, n.frames, rate_hz, (size_t)rate_hz / 100);
      note_free(&n);
    }
    check_near(loud[0], loud[1], tone_db);
  }
  sound_close(&s);
}

// ---------------------------------------------------------------- a pair that moves

static const unsigned paired[] = {45, 55, 64, 80}; // strings on the board, bars

/** Take what stands from `from` up to `to`, or to the end, out of a text. */
static void cut(char* text, const char* from, const char* to) {
  char* at = strstr(text, from);
  const char* end = to ? strstr(at, to) : at + strlen(at);
  memmove(at, end, strlen(end) + 1);
}

/** The file of the pair with an ear on either side in place of it, at `places`. */
static void open_fixed(sound* s, const char* const places[2]) {
  static const struct { const char *of, *before; } heard[] = {{"board", "  "}, {"bar", "      "}, {"tube", "      "}};
  static char text[8192];
  FILE* file = fopen(pair, "rb");
  assert_non_null(file);
  const size_t n = fread(text, 1, sizeof text / 2, file);
  fclose(file);
  text[n] = '\0';
  cut(text, "\nears:", "\npickups:");
  cut(text, "\ncontrols:", NULL);
  for (size_t h = 0; h < sizeof heard / sizeof heard[0]; ++h) {
    char from[64], to[256];
    snprintf(from, sizeof from, "{of: %s, ear: both}", heard[h].of);
    snprintf(to, sizeof to, "{of: %s, ear: %s, pan: -1}\n%s- {of: %s, ear: %s, pan: 1}", heard[h].of, places[0],
             heard[h].before, heard[h].of, places[1]);
    char* at = strstr(text, from);
    assert_non_null(at);
    memmove(at + strlen(to), at + strlen(from), strlen(at + strlen(from)) + 1);
    memcpy(at, to, strlen(to));
  }
  assert_true(sound_open_text(s, text, rate_hz));
}

static double loudest_difference(const note* a, const note* b) {
  double most = 0.0;
  for (size_t i = 0; i < a->frames; ++i) {
    most = fmax(most, fmax(fabs(a->left[i] - b->left[i]), fabs(a->right[i] - b->right[i])));
  }
  return most;
}

/** With the pair at a place all is as with an ear there on either side; and the places differ. */
static void a_pair_hears_as_two_ears_at_its_place_do(void** state) {
  (void)state;
  static const char* const places[HTZ_EARS][2] = {{"[-0.1, -0.5, 0.5]", "[0.1, -0.5, 0.5]"},
                                                  {"[0.6, 2.5, 0.8]", "[-0.6, 2.5, 0.8]"},
                                                  {"[-0.4, 0.2, 0.25]", "[0.5, 0.3, 0.25]"}};
  sound moving;
  assert_true(sound_open(&moving, pair, rate_hz));
  double level[HTZ_EARS][4];
  for (size_t c = 0; c < HTZ_EARS; ++c) {
    sound fixed;
    open_fixed(&fixed, places[c]);
    assert_true(sound_set(&moving, "ears", (double)c));
    for (size_t k = 0; k < 4; ++k) {
      note n, m;
      sound_note(&moving, paired[k], 80.0, 0, (size_t)rate_hz / 4, &n);
      sound_note(&fixed, paired[k], 80.0, 0, (size_t)rate_hz / 4, &m);
      check_below(loudest_difference(&n, &m), 1e-6 * peak_of(n.mono, n.frames)); // both in single precision
      const note other = {.frames = n.frames, .left = n.right, .right = n.left};
      check_above(loudest_difference(&n, &other), 0.05 * peak_of(n.mono, n.frames)); // two ears hear two things
      level[c][k] = 10.0 * log10(energy_of(n.left, n.frames) + energy_of(n.right, n.frames));
      note_free(&n);
      note_free(&m);
    }
    sound_close(&fixed);
  }
  for (size_t k = 0; k < 4; ++k) {
    check_above(level[HTZ_EARS_CLOSE][k] - level[HTZ_EARS_AUDIENCE][k], 6.0); // a third of the way or less, and up
  }
  sound_close(&moving);
}

static double kink(const double* x, size_t from, size_t to) {
  double most = 0.0;
  for (size_t i = from + 2; i < to; ++i) {
    most = fmax(most, fabs(x[i] - 2.0 * x[i - 1] + x[i - 2]));
  }
  return most;
}

/** Hear a note at one place, after `after` frames at another. */
static void walk(sound* s, unsigned key, double from, double to, size_t after, note* n) {
  float left[HTZ_QUANTUM], right[HTZ_QUANTUM];
  sound_rest(s);
  assert_true(sound_set(s, "ears", from));
  sound_note(s, key, 80.0, 0, after, n); // ends with a whole quantum
  n->left = realloc(n->left, 3 * after * sizeof *n->left);
  n->right = realloc(n->right, 3 * after * sizeof *n->right);
  assert_true(n->left && n->right);
  assert_true(sound_set(s, "ears", to));
  for (; n->frames + HTZ_QUANTUM <= 3 * after; n->frames += HTZ_QUANTUM) {
    htz_engine_quantum(s->engine, left, right);
    for (size_t i = 0; i < HTZ_QUANTUM; ++i) {
      n->left[n->frames + i] = (double)left[i];
      n->right[n->frames + i] = (double)right[i];
    }
  }
}

/** While it sounds the pair walks without a click, and then hears what it would have heard there from the first. */
static void a_pair_walks_without_a_click(void** state) {
  (void)state;
  enum { AFTER = 320 * HTZ_QUANTUM, THERE = 290 * HTZ_QUANTUM }; // 0.43 s; the walk takes 0.3 s
  sound s;
  assert_true(sound_open(&s, pair, rate_hz));
  for (size_t k = 0; k < 4; ++k) {
    note moved, near, far;
    walk(&s, paired[k], HTZ_EARS_PLAYER, HTZ_EARS_CLOSE, AFTER, &moved);
    walk(&s, paired[k], HTZ_EARS_PLAYER, HTZ_EARS_PLAYER, AFTER, &far);
    walk(&s, paired[k], HTZ_EARS_CLOSE, HTZ_EARS_CLOSE, AFTER, &near);
    const size_t end = moved.frames;
    // A kink is no sharper than what is heard at either end of the way meanwhile, both together.
    const double sharpest = kink(near.left, AFTER, end) + kink(far.left, AFTER, end);
    check_below(kink(moved.left, AFTER - HTZ_QUANTUM, end), sharpest);
    double off = 0.0;
    for (size_t i = AFTER + THERE; i < end; ++i) {
      off = fmax(off, fabs(moved.left[i] - near.left[i]) + fabs(moved.right[i] - near.right[i]));
    }
    check_below(off, 1e-4 * peak_of(near.left + AFTER + THERE, end - AFTER - THERE)); // both in single precision
    check_above(fabs(moved.left[AFTER - 1] - near.left[AFTER - 1]), 0.0);
    note_free(&moved);
    note_free(&near);
    note_free(&far);
  }
  sound_rest(&s);
  assert_true(htz_engine_asleep(s.engine));
  sound_close(&s);
}

/** Amplitude of `hz` in the first quarter of a second. */
static double amplitude_at(const note* n, double hz) {
  double re = 0.0, im = 0.0;
  const size_t frames = (size_t)rate_hz / 4;
  for (size_t i = 0; i < frames; ++i) {
    const double turn = 2.0 * 3.14159265358979323846 * hz * (double)i / rate_hz;
    re += n->mono[i] * cos(turn);
    im += n->mono[i] * sin(turn);
  }
  return hypot(re, im) * 2.0 / (double)frames;
}

/** A bar struck in the middle of its width does not twist; beside it, it does, and is heard to. A hard stroke gets to the mallet's core. */
static void what_twists_is_heard(void** state) {
  (void)state;
  sound s;
  note n;
  double middle[16], twisted[2], bright[2];
  assert_true(sound_open(&s, HTZ_SOURCE_DIR "/tests/fixtures/instruments/bars-causes.yaml", rate_hz));
  const htz_modal* bar = htz_modal_island_body(s.instrument->keys[79].island, 0);
  htz_arena arena;
  htz_modes modes;
  const char* why;
  htz_arena_measure(&arena);
  assert_int_equal(htz_spec_modes(&s.spec->bodies[0], 79, &arena, &modes, &why), HTZ_OK);
  assert_int_equal(modes.n, htz_modal_count(bar));
  modes.shape(&modes, 0.0, middle);
  size_t twist = 3;
  while (twist < modes.n && middle[twist] != 0.0) {
    ++twist;
  }
  assert_true(twist < modes.n);
  const double hz = modes.omega[twist] / 6.28318530717958647693, first_hz = modes.omega[3] / 6.28318530717958647693;
  for (size_t beside = 0; beside < 2; ++beside) {
    sound_rest(&s);
    assert_true(sound_set(&s, "mallet.at_y", beside ? 0.9 : 0.5));
    sound_note(&s, 79, 100.0, 0, (size_t)rate_hz / 2, &n);
    twisted[beside] = amplitude_at(&n, hz) / amplitude_at(&n, first_hz);
    note_free(&n);
  }
  print_message("twisting at %.0f Hz: %.1f dB of the first partial, %.1f dB struck in the middle\n", hz, decibels(twisted[1]),
                decibels(twisted[0]));
  check_above(decibels(twisted[1]) - decibels(twisted[0]), 20.0);
  for (size_t hard = 0; hard < 2; ++hard) {
    sound_rest(&s);
    sound_note(&s, 79, hard ? 120.0 : 10.0, 0, (size_t)rate_hz / 2, &n);
    bright[hard] = amplitude_at(&n, modes.omega[modes.n - 1] / 6.28318530717958647693) / amplitude_at(&n, first_hz);
    note_free(&n);
  }
  check_above(decibels(bright[1]) - decibels(bright[0]), 6.0);
  htz_arena_free(&arena);
  sound_close(&s);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(partials_have_the_pressure_that_they_radiate),
      cmocka_unit_test(bars_stand_where_they_lie),
      cmocka_unit_test(a_board_is_heard_by_both_ears),
      cmocka_unit_test(a_bent_bar_is_as_loud_as_where_it_goes),
      cmocka_unit_test(a_pair_hears_as_two_ears_at_its_place_do),
      cmocka_unit_test(a_pair_walks_without_a_click),
      cmocka_unit_test(what_twists_is_heard),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
