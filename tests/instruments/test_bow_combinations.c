/*
   What a bow goes with: mallets, pins, fingers, rattles, screws and rubbers, courses, other bows, a wheel, bodies of every kind. Each file is
   played, and what it must sound like is heard.
*/
#include "check.h"
#include "sound/render.h"
#include "sound/spectrum.h"

#include "hertzian/contact/modal_island.h"

#include <complex.h>
#include <math.h>
#include <stdio.h>

static const double rate_hz = 48000.0;
static const double pi = 3.14159265358979323846;

enum { SECOND = 48000, QUANTA = SECOND / HTZ_QUANTUM, FRAMES = QUANTA * HTZ_QUANTUM };

static void open_fixture(sound* s, const char* name) {
  char path[HTZ_PATH_MAX];
  snprintf(path, sizeof path, "%s/tests/fixtures/instruments/%s.yaml", HTZ_SOURCE_DIR, name);
  assert_true(sound_open(s, path, rate_hz));
}

/** Hear a second, into x unless that is NULL. @return its root mean square */
static double hear(sound* s, double* x) {
  double sum = 0.0;
  for (size_t q = 0; q < QUANTA; ++q) {
    float left[HTZ_QUANTUM], right[HTZ_QUANTUM];
    htz_engine_quantum(s->engine, left, right);
    for (size_t i = 0; i < HTZ_QUANTUM; ++i) {
      const double y = (double)left[i] + (double)right[i];
      sum += y * y;
      if (x) {
        x[q * HTZ_QUANTUM + i] = y;
      }
    }
  }
  return sqrt(sum / FRAMES);
}

static void press(sound* s, uint32_t key, double velocity) {
  htz_engine_strike(s->engine, 0, key, velocity, htz_engine_now(s->engine));
  htz_engine_hold(s->engine, 0, key, true, htz_engine_now(s->engine));
}

static void let_go(sound* s, uint32_t key) {
  htz_engine_hold(s->engine, 0, key, false, htz_engine_now(s->engine));
}

static void quanta(sound* s, size_t n) {
  float left[HTZ_QUANTUM], right[HTZ_QUANTUM];
  for (size_t q = 0; q < n; ++q) {
    htz_engine_quantum(s->engine, left, right);
  }
}

static htz_island* island_of(const sound* s, uint32_t key) {
  return s->instrument->keys[key].island;
}

static htz_network* network_of(const sound* s, uint32_t key) {
  return htz_modal_island_network(island_of(s, key));
}

/** Nothing ran away, no bound was hit. */
static void check_sane(const sound* s) {
  const htz_engine_counters c = htz_engine_count(s->engine);
  assert_int_equal(c.resets, 0);
  assert_int_equal(c.solver_bounds, 0);
}

/**
   Of the first quarter of a second of x, what is within 20 cents of `hz` and of its next nine harmonics, as a share of all; the window
   tells 8 Hz apart, finer than a half step from 140 Hz on.
*/
static double harmonic_share(const double* x, double hz) {
  enum { WINDOW = FRAMES / 4, STEP = 4, WITHIN = 20 };
  double all = 0.0, at = 0.0;
  for (size_t i = 0; i < WINDOW; ++i) {
    const double w = 0.5 - 0.5 * cos(2.0 * pi * (double)i / WINDOW);
    all += w * w * x[i] * x[i];
  }
  for (int n = 1; n <= 10; ++n) {
    double most = 0.0;
    for (int cents = -WITHIN; cents <= WITHIN; cents += STEP) {
      const double f = n * hz * exp2(cents / 1200.0);
      double complex sum = 0.0;
      for (size_t i = 0; i < WINDOW; ++i) {
        sum += (0.5 - 0.5 * cos(2.0 * pi * (double)i / WINDOW)) * x[i] * cexp(-I * 2.0 * pi * f * (double)i / rate_hz);
      }
      // Of a sine of amplitude a, a WINDOW/4 here and 3/16 a^2 WINDOW in `all`.
      const double power = creal(sum * conj(sum)) * 3.0 / WINDOW;
      most = power > most ? power : most;
    }
    at += most;
  }
  return at / all;
}

/** A bowed note stands where it was for a second more, and is gone a while after the key is. */
static void sustains(const char* name, uint32_t key, double loud_enough, double in_tune) {
  static double x[FRAMES];
  sound s;
  open_fixture(&s, name);
  if (s.spec->thrown) {
    assert_true(sound_set(&s, "gesture", 1.0));
  }
  press(&s, key, 100.0);
  hear(&s, NULL);
  const double first = hear(&s, x), second = hear(&s, NULL), share = harmonic_share(x, htz_key_hz(key));
  print_message("%-14s key %u: %.4f, %.4f a second later, %lu catches, %.2f of it at its pitch\n", name, key, first, second,
                (unsigned long)htz_network_count(network_of(&s, key))->catches, share);
  check_above(share, in_tune);
  check_above(first, loud_enough);
  check_near(decibels(second / first), 0.0, 3.0);
  check_above((double)htz_network_friction(network_of(&s, key), 0)->catches, 10.0);
  let_go(&s, key);
  hear(&s, NULL);
  check_below(hear(&s, NULL), 0.05 * second);
  check_sane(&s);
  sound_close(&s);
}

static void a_bow_plays_bodies_of_every_kind(void** unused) {
  (void)unused;
  sustains("bowed-bars", 60, 1e-3, 0.8);
  sustains("bowed-plate", 60, 1e-3, 0.0);
  sustains("bowed-skin", 55, 1e-3, 0.0);
  sustains("bowed-list", 72, 1e-3, 0.8);
}

enum { ROUND_S = 5, HOP = 15, ROUND_HOPS = ROUND_S * SECOND / (HOP * HTZ_QUANTUM) };

/** Share of d that swings at `hz`: 1 where it is a sine of that frequency. */
static double share_at(const double* d, size_t n, double hz) {
  double complex sum = 0.0;
  double power = 0.0;
  for (size_t i = 0; i < n; ++i) {
    sum += d[i] * cexp(-2.0 * I * pi * hz * (double)(i * HOP * HTZ_QUANTUM) / rate_hz);
    power += d[i] * d[i];
  }
  return 2.0 * creal(sum * conj(sum)) / ((double)n * power);
}

/**
   A stick that rubs a rim takes what it sets going along: a pattern of n diameters that goes round f times a second is cos n(t - 2 pi f T), so
   that of two places half a lobe apart the difference of what is heard, squared, over its sum swings 2 n f times a second, f the speed over
   the way round.
*/
static void what_is_rubbed_goes_round_with_the_stick(void** unused) {
  (void)unused;
  enum { KEY = 57 };
  static double d[ROUND_HOPS];
  const double way = 0.5, diameters = 2.0;
  double speed, force, at;
  sound s;
  open_fixture(&s, "rubbed-rim");
  press(&s, KEY, 127.0);
  hear(&s, NULL);
  hear(&s, NULL);
  htz_modal_island_bow(island_of(&s, KEY), 0, &speed, &force, &at);
  double loud = 0.0;
  for (size_t h = 0; h < ROUND_HOPS; ++h) {
    double side[2] = {0.0, 0.0};
    for (size_t q = 0; q < HOP; ++q) {
      float y[2][HTZ_QUANTUM];
      htz_engine_quantum(s.engine, y[0], y[1]);
      for (size_t i = 0; i < 2 * HTZ_QUANTUM; ++i) {
        side[i / HTZ_QUANTUM] += (double)y[i / HTZ_QUANTUM][i % HTZ_QUANTUM] * (double)y[i / HTZ_QUANTUM][i % HTZ_QUANTUM];
      }
    }
    d[h] = (side[0] - side[1]) / (side[0] + side[1]);
    loud += (side[0] + side[1]) / (HOP * HTZ_QUANTUM * (double)ROUND_HOPS);
  }
  const double expected = 2.0 * diameters * speed / way, found = share_at(d, ROUND_HOPS, expected);
  print_message("rubbed rim: %.4f loud, %.2f of it goes round %.2f times a second; 15 %% slower %.2f\n", sqrt(loud), found,
                expected / (2.0 * diameters), share_at(d, ROUND_HOPS, 0.85 * expected));
  check_above(sqrt(loud), 1e-3);
  check_above(found, 0.7);
  check_below(share_at(d, ROUND_HOPS, 0.85 * expected), 0.3);
  check_sane(&s);
  sound_close(&s);
}

/** Hear a second. @param side [2] roots of the mean squares, left and right */
static void hear_sides(sound* s, double side[2]) {
  double sum[2] = {0.0, 0.0};
  for (size_t q = 0; q < QUANTA; ++q) {
    float y[2][HTZ_QUANTUM];
    htz_engine_quantum(s->engine, y[0], y[1]);
    for (size_t i = 0; i < 2 * HTZ_QUANTUM; ++i) {
      const double x = (double)y[i / HTZ_QUANTUM][i % HTZ_QUANTUM];
      sum[i / HTZ_QUANTUM] += x * x;
    }
  }
  side[0] = sqrt(sum[0] / FRAMES);
  side[1] = sqrt(sum[1] / FRAMES);
}

/** The bell, heard left, rings under the mallet alone and dies away; the string, heard right, stands under the bow; each has its pitch. */
static void mallet_and_bow_play_different_bodies(void** unused) {
  (void)unused;
  static double x[FRAMES];
  enum { KEY = 57, BELL = 0, STRING = 1 };
  double struck[2], bowed[2], later[2], both[2];
  sound s;
  open_fixture(&s, "beside");
  assert_true(sound_set(&s, "gesture", 0.0));
  press(&s, KEY, 100.0);
  hear_sides(&s, struck);
  check_above(struck[BELL], 1e-3);
  check_below(struck[STRING], 1e-3 * struck[BELL]); // it sleeps
  assert_int_equal(htz_network_friction(network_of(&s, KEY), 0)->catches, 0);
  check_sane(&s);
  sound_close(&s);

  open_fixture(&s, "beside");
  assert_true(sound_set(&s, "gesture", 1.0));
  press(&s, KEY, 100.0);
  hear(&s, NULL);
  hear(&s, x);
  check_above(harmonic_share(x, htz_key_hz(KEY)), 0.8);
  hear_sides(&s, bowed);
  hear_sides(&s, later);
  check_above(bowed[STRING], 1e-3);
  check_near(decibels(later[STRING] / bowed[STRING]), 0.0, 1.0);
  check_below(bowed[BELL], 1e-3 * bowed[STRING]);
  check_above((double)htz_network_friction(network_of(&s, KEY), 0)->catches, 100.0);

  // Struck while the bow is drawn: the bow is lifted, the string rings on beside the bell, and both are damped.
  assert_true(sound_set(&s, "gesture", 0.0));
  press(&s, KEY, 100.0);
  hear_sides(&s, both);
  print_message("bell: %.4f struck, %.4f beside the string; string: %.4f bowed, %.4f left alone\n", struck[BELL], both[BELL],
                bowed[STRING], both[STRING]);
  check_near(decibels(both[BELL] / struck[BELL]), 0.0, 0.1);
  check_above(both[STRING], 0.1 * bowed[STRING]);
  check_below(both[STRING], bowed[STRING]);
  let_go(&s, KEY);
  hear_sides(&s, both);
  hear_sides(&s, later);
  check_below(later[BELL], 0.01 * struck[BELL]);
  check_below(later[STRING], 0.01 * bowed[STRING]);
  check_sane(&s);
  sound_close(&s);
}

static void one_string_is_bowed_plucked_and_struck(void** unused) {
  (void)unused;
  static double arco[FRAMES], pizzicato[FRAMES], legno[FRAMES];
  enum { OPEN = 57, KEY = 60 };
  sound s;
  open_fixture(&s, "arco");
  assert_true(sound_set(&s, "rattle.mass", 0.0));
  press(&s, KEY, 90.0);
  hear(&s, NULL);
  const double bowed = hear(&s, arco);
  check_above(bowed, 1e-3);
  check_above(harmonic_share(arco, htz_key_hz(KEY)), 0.8);
  // Plucked, the bow still on it: that is lifted, within its 30 ms and the pluck's quantum.
  double speed, force, at;
  assert_true(sound_set(&s, "gesture", 0.0));
  press(&s, KEY, 100.0);
  htz_modal_island_bow(island_of(&s, OPEN), 0, &speed, &force, &at);
  check_above(force, 0.0);
  quanta(&s, 1 + (size_t)(0.03 * rate_hz / HTZ_QUANTUM) + 2);
  htz_modal_island_bow(island_of(&s, OPEN), 0, &speed, &force, &at);
  check_near(force, 0.0, 0.0);
  sound_rest(&s);
  press(&s, KEY, 100.0);
  const double plucked = hear(&s, pizzicato);
  check_above(plucked, 1e-3);
  check_above(harmonic_share(pizzicato, htz_key_hz(KEY)), 0.8);
  check_below(hear(&s, NULL), 0.7 * plucked); // it decays: nothing drives it
  sound_rest(&s);
  assert_true(sound_set(&s, "mallet.kind", 1.0));
  press(&s, KEY, 100.0);
  check_above(hear(&s, legno), 1e-4);
  // A hard stick that leaves at once is brighter than a finger that pulls.
  check_above(spectral_centroid(legno, FRAMES, rate_hz), 1.3 * spectral_centroid(pizzicato, FRAMES, rate_hz));
  // And back to the bow.
  assert_true(sound_set(&s, "gesture", 1.0));
  press(&s, KEY, 90.0);
  hear(&s, NULL);
  check_near(decibels(hear(&s, NULL) / bowed), 0.0, 6.0);
  check_sane(&s);
  sound_close(&s);
}

static void what_lies_loose_rattles_under_the_bow(void** unused) {
  (void)unused;
  static double with[FRAMES], without[FRAMES];
  enum { OPEN = 57 };
  for (int on = 0; on < 2; ++on) {
    sound s;
    open_fixture(&s, "arco");
    assert_true(sound_set(&s, "rattle.mass", on ? 1.0 : 0.0));
    press(&s, OPEN, 110.0);
    hear(&s, NULL);
    hear(&s, on ? with : without);
    const htz_network_counters* c = htz_network_count(network_of(&s, OPEN));
    print_message("rattle %d: %lu closures, centroid %.0f Hz\n", on, (unsigned long)c->closures,
                  spectral_centroid(on ? with : without, FRAMES, rate_hz));
    assert_true(on ? c->closures > 50 : c->closures == 0);
    assert_int_equal(c->unconverged, 0);
    check_sane(&s);
    sound_close(&s);
  }
  double apart = 0.0, all = 0.0;
  for (size_t i = 0; i < FRAMES; ++i) {
    apart += (with[i] - without[i]) * (with[i] - without[i]);
    all += without[i] * without[i];
  }
  check_above(apart, 1e-2 * all);
}

static void struck_bars_are_bowed_where_the_note_says_so(void** unused) {
  (void)unused;
  enum { KEY = 65 };
  sound s;
  open_fixture(&s, "bowed-bars");
  press(&s, KEY, 100.0); // as the file starts: with the mallet
  hear(&s, NULL);
  const double first = hear(&s, NULL);
  assert_int_equal(htz_network_count(network_of(&s, KEY))->catches, 0);
  check_below(hear(&s, NULL), 0.95 * first);
  assert_true(sound_set(&s, "gesture", 1.0));
  press(&s, KEY, 100.0);
  hear(&s, NULL);
  hear(&s, NULL);
  check_above((double)htz_network_count(network_of(&s, KEY))->catches, 10.0);
  const double bowed = hear(&s, NULL);
  check_above(bowed, 1e-3);
  check_near(decibels(hear(&s, NULL) / bowed), 0.0, 1.0); // it goes on
  check_sane(&s);
  sound_close(&s);
}

static void six_strings_are_stopped_and_plucked(void** unused) {
  (void)unused;
  static double x[FRAMES];
  enum { OPEN = 45, LOW = 47, HIGH = 49 };
  sound s;
  open_fixture(&s, "guitar");
  for (uint32_t k = 40; k <= 76; ++k) { // open strings alone are there
    const bool open = k == 40 || k == 45 || k == 50 || k == 55 || k == 59 || k == 64;
    assert_int_equal(island_of(&s, k) != NULL, open);
  }
  press(&s, LOW, 100.0);
  const double low = hear(&s, x);
  check_above(low, 1e-3);
  check_above(harmonic_share(x, htz_key_hz(LOW)), 0.8);
  press(&s, HIGH, 100.0); // on the same string: the finger goes there, and it is plucked anew
  const double high = hear(&s, x);
  check_above(high, 0.5 * low);
  check_above(harmonic_share(x, htz_key_hz(HIGH)), 0.8);
  let_go(&s, HIGH); // the string goes back to the key still held
  quanta(&s, 10);
  hear(&s, x);
  check_above(harmonic_share(x, htz_key_hz(LOW)), 0.8);
  let_go(&s, LOW);
  hear(&s, NULL);
  check_below(hear(&s, NULL), 0.01 * high);
  check_sane(&s);
  sound_close(&s);
}

static void a_light_finger_lets_a_plucked_harmonic_sound(void** unused) {
  (void)unused;
  static double x[FRAMES];
  enum { OPEN = 45, OCTAVE = 57 };
  sound s;
  open_fixture(&s, "flageolet");
  press(&s, OCTAVE, 100.0);
  check_above(hear(&s, x), 1e-4);
  // The octave and its harmonics are left: of the open string's, every other one.
  check_above(harmonic_share(x, htz_key_hz(OCTAVE)), 0.8);
  const double* v = htz_modal_v(htz_modal_island_body(island_of(&s, OPEN), 0));
  check_above(fabs(v[1]), 10.0 * fabs(v[0]));
  sound_rest(&s);
  press(&s, OPEN, 100.0); // no finger: the open string
  hear(&s, x);
  check_below(harmonic_share(x, htz_key_hz(OCTAVE)), 0.8);
  check_sane(&s);
  sound_close(&s);
}

static void a_wheel_turns_and_its_bridge_rattles(void** unused) {
  (void)unused;
  enum { KEY = 55 };
  double speed, force, at;
  sound s;
  open_fixture(&s, "hurdy");
  press(&s, KEY, 100.0);
  quanta(&s, 1);
  htz_modal_island_bow(island_of(&s, KEY), 0, &speed, &force, &at);
  check_close(speed, 0.3, 1e-12); // at once: it turns already
  hear(&s, NULL);
  const double slow = hear(&s, NULL);
  check_above(slow, 1e-3);
  // Two strings to the key, each with half the force, and both are caught.
  check_above((double)htz_network_friction(network_of(&s, KEY), 0)->catches, 100.0);
  check_above((double)htz_network_friction(network_of(&s, KEY), 1)->catches, 100.0);
  check_above((double)htz_network_count(network_of(&s, KEY))->closures, 100.0);
  assert_true(sound_set(&s, "bow.speed", 0.6)); // a wheel turned twice as fast
  hear(&s, NULL);
  check_above(hear(&s, NULL), 1.5 * slow);
  htz_modal_island_bow(island_of(&s, KEY), 0, &speed, &force, &at);
  check_close(speed, 0.6, 1e-6);
  let_go(&s, KEY);
  hear(&s, NULL);
  check_below(hear(&s, NULL), 0.05 * slow);
  check_sane(&s);
  sound_close(&s);
}

static void the_pedal_keeps_a_wheel_turning(void** unused) {
  (void)unused;
  enum { KEY = 55 };
  sound s;
  open_fixture(&s, "hurdy");
  htz_param_change pedal = {.value = 127.0, .part = 0, .key = HTZ_KEY_ALL, .index = HTZ_PARAM_SUSTAIN};
  htz_engine_change(s.engine, &pedal);
  press(&s, KEY, 100.0);
  hear(&s, NULL);
  let_go(&s, KEY);
  hear(&s, NULL);
  const double held = hear(&s, NULL);
  check_above(held, 1e-3);
  pedal.value = 0.0;
  pedal.frame = htz_engine_now(s.engine);
  htz_engine_change(s.engine, &pedal);
  hear(&s, NULL);
  check_below(hear(&s, NULL), 0.05 * held);
  sound_close(&s);
}

static void two_bows_play_a_course_with_screw_and_rubber(void** unused) {
  (void)unused;
  enum { KEY = 55, STRINGS = 2, BOWS = 2 };
  double speed, force, at, second;
  sound s;
  open_fixture(&s, "two-bows");
  press(&s, KEY, 100.0);
  hear(&s, NULL);
  check_above(hear(&s, NULL), 1e-3);
  for (size_t i = 0; i < STRINGS * BOWS; ++i) {
    check_above(fabs(htz_network_friction(network_of(&s, KEY), i)->force), 0.0);
    check_above((double)htz_network_friction(network_of(&s, KEY), i)->catches, 50.0);
  }
  assert_int_equal(htz_network_count(network_of(&s, KEY))->unconverged, 0);
  htz_modal_island_bow(island_of(&s, KEY), 0, &speed, &force, &at);
  check_near(at, 0.12, 1e-6);
  // Moved, they keep their distance.
  assert_true(sound_set(&s, "bow.position", 0.2));
  hear(&s, NULL);
  htz_modal_island_bow(island_of(&s, KEY), 0, &speed, &force, &at);
  htz_modal_island_bow(island_of(&s, KEY), 1, &speed, &force, &second);
  check_near(at, 0.2, 1e-4);
  check_near(second - at, 0.02, 1e-4);
  let_go(&s, KEY);
  hear(&s, NULL);
  htz_modal_island_bow(island_of(&s, KEY), 1, &speed, &force, &at);
  check_near(force, 0.0, 0.0);
  check_sane(&s);
  sound_close(&s);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(a_bow_plays_bodies_of_every_kind),
                                     cmocka_unit_test(what_is_rubbed_goes_round_with_the_stick),
                                     cmocka_unit_test(mallet_and_bow_play_different_bodies),
                                     cmocka_unit_test(one_string_is_bowed_plucked_and_struck),
                                     cmocka_unit_test(what_lies_loose_rattles_under_the_bow),
                                     cmocka_unit_test(struck_bars_are_bowed_where_the_note_says_so),
                                     cmocka_unit_test(six_strings_are_stopped_and_plucked),
                                     cmocka_unit_test(a_light_finger_lets_a_plucked_harmonic_sound),
                                     cmocka_unit_test(a_wheel_turns_and_its_bridge_rattles),
                                     cmocka_unit_test(the_pedal_keeps_a_wheel_turning),
                                     cmocka_unit_test(two_bows_play_a_course_with_screw_and_rubber)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
