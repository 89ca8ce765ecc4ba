/*
   The drum kit: every key of General MIDI's percussion and its neighbours sounds, and what a player has under hands and foot is heard.
*/
#include "check.h"

#include "sound/render.h"

#include <math.h>
#include <stdio.h>

static const double rate_hz = 48000.0;
enum { LOWEST = 27, HIGHEST = 87, QUANTA = 750 }; // a second

static void open_kit(sound* s, const int* keys, size_t n) {
  char path[HTZ_PATH_MAX];
  uint64_t some[HTZ_KEYS / 64] = {0};
  for (size_t i = 0; i < n; ++i) {
    some[keys[i] / 64] |= UINT64_C(1) << (keys[i] % 64);
  }
  instrument_path("drum-kit", path);
  assert_true(sound_open_keys(s, path, rate_hz, n ? some : NULL));
}

static void strike(sound* s, int key, double velocity) {
  const uint64_t now = htz_engine_now(s->engine);
  htz_engine_hold(s->engine, 0, (uint32_t)key, true, now);
  htz_engine_strike(s->engine, 0, (uint32_t)key, velocity, now);
}

/** Mean square of what is heard over so many quanta. */
static double run(sound* s, size_t quanta) {
  float left[HTZ_QUANTUM], right[HTZ_QUANTUM];
  double sum = 0.0;
  for (size_t q = 0; q < quanta; ++q) {
    htz_engine_quantum(s->engine, left, right);
    for (size_t i = 0; i < HTZ_QUANTUM; ++i) {
      assert_true(isfinite(left[i]) && isfinite(right[i]));
      sum += (double)left[i] * left[i] + (double)right[i] * right[i];
    }
  }
  return sum / (double)(quanta * HTZ_QUANTUM);
}

static double run_db(sound* s, size_t quanta) {
  return 10.0 * log10(run(s, quanta) + 1e-30);
}

/** Softly and hard; hard is louder, by what a hand makes of it. */
static void every_key_sounds(void** state) {
  static const double heard_db = -75.0, least_db = 6.0,
                      most_db = 60.0; // root mean square [dBFS]; what velocities 40 and 127 differ by
  const size_t quanta = 110;
  size_t wrong = 0;
  sound s;
  (void)state;
  open_kit(&s, NULL, 0);
  for (int key = LOWEST; key <= HIGHEST; ++key) {
    double level_db[2];
    for (size_t i = 0; i < 2; ++i) {
      sound_rest(&s);
      strike(&s, key, i ? 127.0 : 40.0);
      level_db[i] = run_db(&s, quanta);
      htz_engine_hold(s.engine, 0, (uint32_t)key, false, htz_engine_now(s.engine));
    }
    if (!(level_db[0] > heard_db) || !(level_db[1] - level_db[0] > least_db) || !(level_db[1] - level_db[0] < most_db)) {
      print_error("key %d: %.1f dBFS at velocity 40, %.1f at 127\n", key, level_db[0], level_db[1]);
      ++wrong;
    }
  }
  assert_int_equal(wrong, 0);
  assert_int_equal(htz_engine_count(s.engine).resets, 0);
  sound_close(&s);
}

/** How much less of an open hi-hat is left over the second that begins `after` it was struck, once `key` was. */
static double left_after(int key) {
  const int keys[] = {46, 42, 44};
  const size_t after = 150;
  double left_db[2];
  for (size_t choked = 0; choked < 2; ++choked) {
    sound s;
    open_kit(&s, keys, 3);
    strike(&s, 46, 100.0);
    run(&s, after);
    if (choked) {
      strike(&s, key, 1.0); // as softly as can be: it is hardly heard itself
    }
    run(&s, after);
    left_db[choked] = run_db(&s, QUANTA);
    sound_close(&s);
  }
  return left_db[0] - left_db[1];
}

static void closing_the_hats_ends_them(void** state) {
  (void)state;
  check_above(left_after(42), 20.0);
  check_above(left_after(44), 20.0);
}

/** The foot: what controller 4 moves, as the file binds it. The more it presses the sooner it is over: rims that meet, rims that rub. */
static void the_foot_closes_the_hats(void** state) {
  const int keys[] = {46};
  double before_db = HUGE_VAL;
  (void)state;
  for (size_t i = 0; i < 3; ++i) {
    static const double down[] = {0.0, 0.3, 1.0};
    sound s;
    open_kit(&s, keys, 1);
    assert_true(sound_set(&s, "open.rim.gap", 0.01 * (1.0 - down[i])));
    assert_true(sound_set(&s, "open.rubber.loss", 1.0 + 9.0 * down[i]));
    strike(&s, 46, 100.0);
    run(&s, QUANTA / 2);
    const double left_db = run_db(&s, QUANTA);
    print_message("foot down by %g: %.1f dBFS left\n", down[i], left_db);
    check_above(before_db - left_db, 3.0);
    before_db = left_db;
    sound_close(&s);
  }
}

/** A blast beat at 220 beats a minute, all limbs in sixteenths, by a hand that is none of a machine: no two bars alike, nothing gives up. */
static void a_blast_beat_holds(void** state) {
  const int keys[] = {36, 38, 42, 49};
  enum { BARS = 2, STEPS = 16 };
  const size_t step = (size_t)(60.0 / 220.0 / 4.0 * rate_hz) / HTZ_QUANTUM;
  double bar[BARS] = {0.0};
  sound s;
  (void)state;
  open_kit(&s, keys, 4);
  assert_true(sound_set(&s, "human", 0.3));
  for (size_t i = 0; i < BARS * STEPS; ++i) {
    strike(&s, i % 2 ? 38 : 36, 110.0);
    strike(&s, 42, 90.0);
    if (i == 0) {
      strike(&s, 49, 120.0);
    }
    const double mean = run(&s, step);
    bar[i / STEPS] += i / STEPS == 0 || i % STEPS > 0 ? mean : 0.0;
  }
  assert_true(bar[0] != bar[1]);
  const htz_engine_counters count = htz_engine_count(s.engine);
  assert_int_equal(count.resets, 0);
  assert_int_equal(count.solver_bounds, 0);
  sound_close(&s);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_key_sounds),
      cmocka_unit_test(closing_the_hats_ends_them),
      cmocka_unit_test(the_foot_closes_the_hats),
      cmocka_unit_test(a_blast_beat_holds),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
