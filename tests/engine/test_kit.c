/*
   The drum kit: every key of General MIDI's percussion and its neighbours sounds, and what a player has under hands and foot is heard.
*/
#include "check.h"

#include "sound/render.h"

#include "hertzian/contact/modal_island.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const double rate_hz = 48000.0;
enum { LOWEST = 27, HIGHEST = 87, QUANTA = 750 }; // a second

static void open_keys(sound* s, const char* path, const int* keys, size_t n) {
  uint64_t some[HTZ_KEYS / 64] = {0};
  for (size_t i = 0; i < n; ++i) {
    some[keys[i] / 64] |= UINT64_C(1) << (keys[i] % 64);
  }
  assert_true(sound_open_keys(s, path, rate_hz, n ? some : NULL));
}

static void open_kit(sound* s, const int* keys, size_t n) {
  char path[HTZ_PATH_MAX];
  instrument_path("drum-kit", path);
  open_keys(s, path, keys, n);
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

/** Kinetic energy of the snare's wires a tenth of a second after a stroke on `key`, and of its skins: what moves them [J]. */
static double moved_by(int key, double velocity, double* skins) {
  const int keys[] = {38, 41, 45, 48};
  enum { BATTER, UNDER, WIRES };
  sound s;
  open_keys(&s, HTZ_SOURCE_DIR "/tests/fixtures/instruments/drums-on-one-air.yaml", keys, 4);
  assert_true(sound_set(&s, "human", 0.0));
  strike(&s, key, velocity);
  double most = 0.0;
  *skins = 0.0;
  for (size_t q = 0; q < 75; ++q) {
    run(&s, 1);
    const htz_island* snare = s.instrument->keys[38].island;
    most = fmax(most, htz_modal_kinetic(htz_modal_island_body((htz_island*)snare, WIRES)));
    *skins = fmax(*skins, htz_modal_kinetic(htz_modal_island_body((htz_island*)snare, UNDER)));
  }
  assert_int_equal(htz_engine_count(s.engine).resets, 0);
  sound_close(&s);
  return most;
}

/** Drums on one air: a stroke on any tom moves the skin that the wires lie on, and that throws the wires off; a harder one farther. */
static void toms_set_off_the_wires(void** state) {
  static const int toms[] = {41, 45, 48};
  (void)state;
  for (size_t i = 0; i < 3; ++i) {
    double skin[2], wires[2];
    for (size_t hard = 0; hard < 2; ++hard) {
      wires[hard] = moved_by(toms[i], hard ? 120.0 : 60.0, &skin[hard]);
    }
    print_message("tom %d: skin %.2g and %.2g J, wires %.2g and %.2g J\n", toms[i], skin[0], skin[1], wires[0], wires[1]);
    check_above(wires[0], 1e-13);
    check_above(wires[1], wires[0]);
    check_above(skin[1], skin[0]);
  }
}

typedef struct {
  const char* name;
  double beats_per_minute;
  size_t steps; // sixteenths in a bar
  struct {
    int key;
    double velocity;
    size_t later;
  } stroke[16][3]; // of each step, `later` in quanta; key 0: none
} pattern;

enum { BARS = 2, PARTS_MAX = 32, FRAMES_MAX = 8192 };

/** Quanta of a sixteenth. */
static size_t sixteenth(const pattern* p) {
  return (size_t)(60.0 / p->beats_per_minute / 4.0 * rate_hz) / HTZ_QUANTUM;
}

static void play_step(sound* s, const pattern* p, size_t step, size_t quanta, float* heard) {
  float left[HTZ_QUANTUM], right[HTZ_QUANTUM];
  for (size_t q = 0; q < quanta; ++q) {
    for (size_t i = 0; i < 3; ++i) {
      if (p->stroke[step][i].key && p->stroke[step][i].later == q) {
        strike(s, p->stroke[step][i].key, p->stroke[step][i].velocity);
      }
    }
    htz_engine_quantum(s->engine, left, right);
    for (size_t i = 0; i < HTZ_QUANTUM; ++i) {
      assert_true(isfinite(left[i]) && isfinite(right[i]));
      heard[q * HTZ_QUANTUM + i] = left[i] + right[i];
    }
  }
}

/** By a hand that is all of a machine: what still rings makes every stroke another one; none is lost and nothing gives up. */
static void hold(const pattern* p) {
  static float heard[PARTS_MAX][FRAMES_MAX];
  const size_t quanta = sixteenth(p), frames = quanta * HTZ_QUANTUM, n = BARS * p->steps;
  int keys[48];
  size_t n_keys = 0;
  sound s;
  assert_true(frames <= FRAMES_MAX && n <= PARTS_MAX);
  for (size_t i = 0; i < p->steps * 3; ++i) {
    if (p->stroke[i / 3][i % 3].key) {
      keys[n_keys++] = p->stroke[i / 3][i % 3].key;
    }
  }
  open_kit(&s, keys, n_keys);
  assert_true(sound_set(&s, "human", 0.0));
  for (size_t i = 0; i < n; ++i) {
    play_step(&s, p, i % p->steps, quanta, heard[i]);
  }
  double least = HUGE_VAL;
  for (size_t i = 0; i < n; ++i) {
    double power = 0.0;
    for (size_t f = 0; f < frames; ++f) {
      power += (double)heard[i][f] * heard[i][f];
    }
    least = fmin(least, power / (double)frames);
    for (size_t k = 0; k < i; ++k) {
      assert_true(memcmp(heard[i], heard[k], frames * sizeof(float)) != 0);
    }
  }
  print_message("%s: softest sixteenth %.1f dBFS\n", p->name, 10.0 * log10(least));
  check_above(10.0 * log10(least), -60.0); // none of them is silent
  const htz_engine_counters count = htz_engine_count(s.engine);
  assert_int_equal(count.resets, 0);
  assert_int_equal(count.solver_bounds, 0);
  sound_close(&s);
}

/** Sixteenths on one body, each struck while the one before rings. */
static void rolls_hold(void** state) {
  static const int keys[] = {38, 41, 42, 49, 51};
  (void)state;
  for (size_t k = 0; k < sizeof keys / sizeof keys[0]; ++k) {
    pattern p = {.name = "roll", .beats_per_minute = 140.0, .steps = 8};
    for (size_t i = 0; i < p.steps; ++i) {
      p.stroke[i][0].key = keys[k];
      p.stroke[i][0].velocity = 90.0;
    }
    hold(&p);
  }
}

/** A soft stroke 24 ms before a hard one, on the snare and on a tom. */
static void flams_hold(void** state) {
  pattern p = {.name = "flams", .beats_per_minute = 120.0, .steps = 4};
  (void)state;
  for (size_t i = 0; i < p.steps; ++i) {
    const int key = i % 2 ? 45 : 38;
    p.stroke[i][0].key = p.stroke[i][1].key = key;
    p.stroke[i][0].velocity = 40.0;
    p.stroke[i][1].velocity = 110.0;
    p.stroke[i][1].later = 18;
  }
  hold(&p);
}

/** At 220 beats a minute: kick and snare in turn, hats on each, a crash at the start of a bar. */
static void a_blast_beat_holds(void** state) {
  pattern p = {.name = "blast beat", .beats_per_minute = 220.0, .steps = 16};
  (void)state;
  for (size_t i = 0; i < p.steps; ++i) {
    p.stroke[i][0].key = i % 2 ? 38 : 36;
    p.stroke[i][0].velocity = 110.0;
    p.stroke[i][1].key = 42;
    p.stroke[i][1].velocity = 90.0;
  }
  p.stroke[0][2].key = 49;
  p.stroke[0][2].velocity = 120.0;
  hold(&p);
}

/** Quavers on the ride while a crash, struck at the start of a bar, rings over them. */
static void a_ride_under_a_crash_holds(void** state) {
  pattern p = {.name = "ride", .beats_per_minute = 130.0, .steps = 8};
  (void)state;
  for (size_t i = 0; i < p.steps; i += 2) {
    p.stroke[i][0].key = 51;
    p.stroke[i][0].velocity = 80.0;
  }
  p.stroke[0][1].key = 49;
  p.stroke[0][1].velocity = 110.0;
  hold(&p);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_key_sounds),
      cmocka_unit_test(closing_the_hats_ends_them),
      cmocka_unit_test(the_foot_closes_the_hats),
      cmocka_unit_test(toms_set_off_the_wires),
      cmocka_unit_test(rolls_hold),
      cmocka_unit_test(flams_hold),
      cmocka_unit_test(a_blast_beat_holds),
      cmocka_unit_test(a_ride_under_a_crash_holds),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
