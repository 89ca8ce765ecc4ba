/*
   Plates whose modes couple, as played: hard strokes get brighter after they are struck and soft ones do not, gongs glide, hands choke, rivets and
   rims that meet are heard, bows and feeds move them; nothing is reset and no bound is hit.
*/
#include "check.h"
#include "instruments/counted.h"
#include "sound/render.h"

#include "hertzian/contact/modal_island.h"
#include "hertzian/model/disc.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double rate_hz = 48000.0;
static const double pi = 3.14159265358979323846;
static const double pp = 1.0, ff = 127.0;

enum { TEXT_MAX = 16384 };

static void open_file(sound* s, const char* path) {
  assert_true(sound_open(s, path, rate_hz));
  assert_true(sound_set(s, "room", 0.0));
  assert_true(sound_set(s, "human", 0.0));
}

static void open_fixture(sound* s, const char* found, const char* instead) {
  char path[HTZ_PATH_MAX], file[TEXT_MAX], text[TEXT_MAX];
  instrument_path("../tests/fixtures/instruments/bent-plates", path);
  FILE* from = fopen(path, "rb");
  assert_non_null(from);
  const size_t got = fread(file, 1, sizeof file - 1, from);
  fclose(from);
  assert_true(got > 0 && got < sizeof file - 1);
  file[got] = '\0';
  const char* at = found ? strstr(file, found) : NULL;
  assert_true(!found || at);
  if (at) {
    snprintf(text, sizeof text, "%.*s%s%s", (int)(at - file), file, instead, at + strlen(found));
  }
  assert_true(sound_open_text(s, at ? text : file, rate_hz));
  assert_true(sound_set(s, "room", 0.0));
  assert_true(sound_set(s, "human", 0.0));
}

static void play(sound* s, int key, double velocity, double seconds, note* n) {
  sound_rest(s);
  htz_engine_hold(s->engine, 0, (uint32_t)key, true, htz_engine_now(s->engine));
  sound_note(s, (unsigned)key, velocity, 0, (size_t)(seconds * s->rate_hz), n);
  for (size_t i = 0; i < n->frames; ++i) {
    assert_true(isfinite(n->mono[i]));
  }
}

/** Mean frequency of the bending modes of a key's first body, a round plate, each with its energy [Hz]; and that energy [J]. */
static double centroid(const sound* s, int key, double* energy) {
  htz_modal* body = htz_modal_island_body(s->instrument->keys[key].island, 0);
  double sum = 0.0, moment = 0.0;
  for (size_t k = HTZ_DISC_RIGID_MODES; k < htz_modal_count(body); ++k) {
    const double w = htz_modal_omega(body)[k], q = htz_modal_q(body)[k], v = htz_modal_v(body)[k];
    const double here = 0.5 * htz_modal_mass(body)[k] * (v * v + w * w * q * q);
    sum += here;
    moment += w / (2.0 * pi) * here;
  }
  *energy = sum;
  return moment / sum;
}

static double level(const note* n, double from_s, double to_s) {
  double sum = 0.0;
  for (size_t i = (size_t)(from_s * rate_hz); i < (size_t)(to_s * rate_hz) && i < n->frames; ++i) {
    sum += n->mono[i] * n->mono[i];
  }
  return sum;
}

/** The cascade: energy goes up through the modes for tens of milliseconds after a hard stroke, as the whole falls. */
static void hard_crashes_bloom(void** state) {
  static const double times_s[] = {0.005, 0.02, 0.05, 0.1};
  enum { TIMES = sizeof times_s / sizeof times_s[0] };
  char path[HTZ_PATH_MAX];
  sound s;
  note n;
  (void)state;
  instrument_path("crash", path);
  open_file(&s, path);
  const int key = (s.spec->key_low + s.spec->key_high) / 2;
  double hz[2][TIMES], energy[2][TIMES];
  for (int hard = 0; hard < 2; ++hard) {
    for (size_t i = 0; i < TIMES; ++i) {
      play(&s, key, hard ? ff : pp, times_s[i], &n);
      hz[hard][i] = centroid(&s, key, &energy[hard][i]);
      print_message("%s: after %3.0f ms %.3g J at %.0f Hz on average\n", hard ? "ff" : "pp", 1e3 * times_s[i], energy[hard][i],
                    hz[hard][i]);
      note_free(&n);
    }
  }
  close_counted(&s);
  check_above(hz[1][3] / hz[1][0], 1.3);
  check_below(hz[0][3] / hz[0][0], 1.1);
  check_below(energy[1][3], energy[1][0]);
}

/** Cents by which the first bending mode of a key's plate is above the key, from the phase it turns by in `quanta` quanta. */
static double sharp_by(sound* s, int key, size_t quanta) {
  htz_modal* body = htz_modal_island_body(s->instrument->keys[key].island, 0);
  const size_t k = HTZ_DISC_RIGID_MODES;
  const double w = htz_modal_omega(body)[k];
  float left[HTZ_QUANTUM], right[HTZ_QUANTUM];
  double turned = 0.0, before = 0.0;
  for (size_t i = 0; i <= quanta; ++i) {
    const double now = atan2(-htz_modal_v(body)[k] / w, htz_modal_q(body)[k]);
    const double expected = before + w * HTZ_QUANTUM / s->rate_hz;
    turned += i ? w * HTZ_QUANTUM / s->rate_hz + remainder(now - expected, 2.0 * pi) : 0.0;
    before = now;
    htz_engine_quantum(s->engine, left, right);
  }
  return 1200.0 * log2(turned * s->rate_hz / ((double)quanta * HTZ_QUANTUM) / w);
}

/** A nearly flat disc is stiffer the further it bends: struck hard it starts sharp and glides down. */
static void gongs_glide(void** state) {
  char path[HTZ_PATH_MAX];
  sound s;
  note n;
  double cents_of[2][3];
  (void)state;
  instrument_path("gong", path);
  open_file(&s, path);
  for (int hard = 0; hard < 2; ++hard) {
    play(&s, 48, hard ? ff : pp, 0.1, &n);
    note_free(&n);
    for (int i = 0; i < 3; ++i) {
      cents_of[hard][i] = sharp_by(&s, 48, 200); // 0.27 s
    }
    print_message("%s: %.0f, %.0f, %.0f cents sharp after 0.2, 0.5, 0.8 s\n", hard ? "ff" : "pp", cents_of[hard][0],
                  cents_of[hard][1], cents_of[hard][2]);
  }
  close_counted(&s);
  check_above(cents_of[1][0], 80.0);
  check_below(cents_of[1][1], cents_of[1][0] - 10.0);
  check_below(cents_of[1][2], cents_of[1][1] - 10.0);
  check_below(fabs(cents_of[0][0]), 30.0);
}

/** Of a tam-tam the modes that are heard most get their energy from others: it is loudest some tenths of a second after the stroke. */
static void tam_tams_swell(void** state) {
  char path[HTZ_PATH_MAX];
  sound s;
  note n;
  (void)state;
  instrument_path("tam-tam", path);
  open_file(&s, path);
  play(&s, 42, ff, 0.4, &n);
  const double first = level(&n, 0.0, 0.03) / 0.03, later = level(&n, 0.1, 0.3) / 0.2;
  print_message("tam-tam, ff: %.1f dB louder after 0.2 s than at first\n", 0.5 * decibels(later / first));
  note_free(&n);
  close_counted(&s);
  check_above(later / first, 1.5);
}

static void hands_choke(void** state) {
  sound s;
  note n;
  (void)state;
  open_fixture(&s, NULL, NULL);
  double left[2];
  for (int choked = 0; choked < 2; ++choked) {
    sound_rest(&s);
    htz_engine_hold(s.engine, 0, 48, true, htz_engine_now(s.engine));
    htz_engine_hold(s.engine, 0, 48, !choked, htz_engine_now(s.engine) + (choked ? (uint64_t)(0.3 * rate_hz) : 0));
    sound_note(&s, 48, 110.0, 0, (size_t)rate_hz, &n);
    left[choked] = level(&n, 0.6, 0.9);
    check_above(level(&n, 0.0, 0.25), 0.0);
    note_free(&n);
  }
  print_message("choked after 0.3 s: %.1f dB after 0.6 s\n", 0.5 * decibels(left[1] / left[0]));
  check_below(left[1] / left[0], 1e-3);
  close_counted(&s);
}

/** How unlike two notes are: power of the difference over that of the first. */
static double unlike(const note* a, const note* b) {
  double off = 0.0, all = 0.0;
  for (size_t i = 0; i < a->frames; ++i) {
    off += (a->mono[i] - b->mono[i]) * (a->mono[i] - b->mono[i]);
    all += a->mono[i] * a->mono[i];
  }
  return off / all;
}

static void what_touches_a_plate_is_heard(void** state) {
  static const struct {
    int key;
    const char *found, *instead; // what is far away instead
  } cases[] = {{48, "mass: 0.0006, gap: 0, gravity: 9.81", "mass: 0.0006, gap: 0.02, spring: 10, damping: 0.5"},
               {52, "gap: 1.0e-5", "gap: 0.02"},
               {72, "nonlinear_modes: 40, t60: 2", "nonlinear_modes: 0, t60: 2"}};
  (void)state;
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
    sound s;
    note n[2];
    for (int away = 0; away < 2; ++away) {
      open_fixture(&s, away ? cases[i].found : NULL, cases[i].instead);
      play(&s, cases[i].key, 110.0, 0.5, &n[away]);
      check_above(level(&n[away], 0.0, 0.5), 0.0);
      close_counted(&s);
    }
    print_message("key %d: without it %.1f dB of difference\n", cases[i].key, 0.5 * decibels(unlike(&n[0], &n[1])));
    check_above(unlike(&n[0], &n[1]), 1e-4);
    note_free(&n[0]);
    note_free(&n[1]);
  }
}

static void bows_make_them_sing(void** state) {
  sound s;
  note n;
  (void)state;
  open_fixture(&s, NULL, NULL);
  play(&s, 60, 90.0, 2.0, &n);
  check_above(level(&n, 1.5, 1.9), 0.0);
  // Its first mode is the key's pitch, 261.6 Hz: it holds most of what swings.
  double energy;
  check_close(centroid(&s, 60, &energy), 261.6, 0.5);
  check_above(energy, 0.0);
  note_free(&n);
  close_counted(&s);
}

/** All keys at soft, hard and again while they sound, at the ends of the rates. */
static void nothing_is_reset(void** state) {
  static const double rates[] = {8000.0, 48000.0, 192000.0};
  char path[HTZ_PATH_MAX];
  (void)state;
  instrument_path("../tests/fixtures/instruments/bent-plates", path);
  for (size_t i = 0; i < sizeof rates / sizeof rates[0]; ++i) {
    sound s;
    assert_true(sound_open(&s, path, rates[i]));
    for (int key = 48; key <= 74; ++key) {
      for (int again = 0; again < 2; ++again) {
        note n;
        htz_engine_hold(s.engine, 0, (uint32_t)key, true, htz_engine_now(s.engine));
        sound_note(&s, (unsigned)key, again ? ff : pp, 3, (size_t)(0.1 * rates[i]), &n);
        assert_true(isfinite(level(&n, 0.0, 0.1)));
        note_free(&n);
      }
    }
    close_counted(&s);
  }
}

static void bend_all(sound* s, double semitones) {
  const htz_param_change change = {
      .index = HTZ_PARAM_BEND, .key = HTZ_KEY_ALL, .value = semitones, .frame = htz_engine_now(s->engine)};
  htz_engine_change(s->engine, &change);
}

/** A plate that was bent by the wheel and fell silent so couples its modes again, once the wheel has gone back, from the first stroke on. */
static void plates_that_slept_bent_couple_again(void** state) {
  (void)state;
  char path[HTZ_PATH_MAX];
  sound s;
  note n, after;
  instrument_path("ride", path);
  open_file(&s, path);
  const int key = (s.spec->key_low + s.spec->key_high) / 2;
  play(&s, key, ff, 0.5, &n);
  bend_all(&s, 2.0);
  play(&s, key, ff, 0.2, &after);
  note_free(&after);
  sound_rest(&s);
  bend_all(&s, 0.0);
  play(&s, key, ff, 0.5, &after);
  double apart = 0.0;
  for (size_t i = 0; i < n.frames; ++i) {
    apart = fmax(apart, fabs(n.mono[i] - after.mono[i]));
  }
  print_message("ride after a bend: %.0f dB apart\n", decibels(apart / peak_of(n.mono, n.frames)));
  check_below(apart, 1e-3 * peak_of(n.mono, n.frames)); // run as a linear plate it is 13 dB below the peak
  note_free(&n);
  note_free(&after);
  close_counted(&s);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(hard_crashes_bloom),
      cmocka_unit_test(gongs_glide),
      cmocka_unit_test(tam_tams_swell),
      cmocka_unit_test(hands_choke),
      cmocka_unit_test(what_touches_a_plate_is_heard),
      cmocka_unit_test(bows_make_them_sing),
      cmocka_unit_test(plates_that_slept_bent_couple_again),
      cmocka_unit_test(nothing_is_reset),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
