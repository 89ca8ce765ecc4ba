// Gestures that no instrument of the house has together: what a key plays and keeps with them side by side.
#include "check.h"
#include "sound/stage.h"

#include "hertzian/contact/modal_island.h"

#include <math.h>

static const double rate_hz = 48000.0;
enum { SECOND = 48000 / HTZ_QUANTUM, KEY = 60 };

static htz_island* island_of(const stage* s, uint32_t key) {
  return s->instrument->keys[key].island;
}

static void open(stage* s, const char* path) {
  stage_open(s, path, rate_hz, 0);
  stage_set(s, HTZ_PARAM_ROOM, 0.0);
}

static void press(stage* s, uint32_t key, double velocity) {
  htz_engine_hold(s->engine, s->part, key, true, htz_engine_now(s->engine));
  htz_engine_strike(s->engine, s->part, key, velocity, htz_engine_now(s->engine));
}

/** Root mean square of `quanta` quanta, driven by a sine of amplitude `drive`. */
static double hear(stage* s, size_t quanta, double drive) {
  float left[HTZ_QUANTUM], right[HTZ_QUANTUM], signal[HTZ_QUANTUM];
  double sum = 0.0;
  for (size_t q = 0; q < quanta; ++q) {
    for (size_t i = 0; i < HTZ_QUANTUM; ++i) {
      signal[i] = (float)(drive * sin(0.012 * (double)(htz_engine_now(s->engine) + i)));
    }
    htz_engine_drive(s->engine, drive != 0.0 ? signal : NULL);
    stage_run(s, 1, left, right);
    for (size_t i = 0; i < HTZ_QUANTUM; ++i) {
      const double x = (double)left[i] + (double)right[i];
      assert_true(isfinite(x));
      sum += x * x;
    }
  }
  return sqrt(sum / (double)(quanta * HTZ_QUANTUM));
}

static double until_asleep(stage* s, double most) {
  size_t quanta = 0;
  for (; (double)quanta < most * SECOND && !htz_engine_asleep(s->engine); ++quanta) {
    stage_run(s, 1, NULL, NULL);
  }
  return (double)quanta / SECOND;
}

/** A felted ball bounces on a course with things on it until it lies there; thrown again it plays again. */
static void a_ball_plays_a_prepared_course(void** state) {
  stage s;
  double q, v;
  (void)state;
  open(&s, "tests/fixtures/instruments/ball-course.yaml");
  press(&s, KEY, 100.0);
  const double loud = hear(&s, SECOND / 5, 0.0);
  const htz_network* net = htz_modal_island_network(island_of(&s, KEY));
  hear(&s, SECOND, 0.0);
  for (size_t b = 0; b < 3; ++b) {
    assert_true(htz_network_account(net, b)->closures > 3); // it bounces on each string
  }
  assert_true(htz_modal_island_prepared(island_of(&s, KEY)).closures > 3); // and the rattle rattles
  check_above(loud, 1e-4);
  check_below(until_asleep(&s, 40.0), 40.0);
  assert_true(htz_modal_island_mallet(island_of(&s, KEY), 0, &q, &v));
  htz_engine_strike(s.engine, s.part, KEY, 100.0, htz_engine_now(s.engine));
  check_above(hear(&s, SECOND / 5, 0.0), 0.5 * loud);
  assert_int_equal(htz_engine_count(s.engine).reused, 0);
  assert_int_equal(htz_engine_count(s.engine).resets, 0);
  stage_close(&s);
}

/** Parameters of what is fixed there act while a ball lies on the strings: on average over throws, for it bounces as it likes. */
static void what_is_fixed_moves_under_a_ball(void** state) {
  static const double thrown[] = {50.0, 56.0, 60.0, 64.0, 70.0};
  double heard[2] = {0.0, 0.0};
  (void)state;
  for (size_t i = 0; i < 2 * sizeof thrown / sizeof thrown[0]; ++i) {
    stage s;
    open(&s, "tests/fixtures/instruments/ball-course.yaml");
    stage_set(&s, HTZ_PARAM_SCREW_MASS, i % 2 ? 0.0 : 1.0);
    stage_set(&s, HTZ_PARAM_RUBBER_LOSS, i % 2 ? 0.0 : 1.0);
    press(&s, KEY, thrown[i / 2]);
    hear(&s, SECOND / 4, 0.0);
    heard[i % 2] += hear(&s, SECOND / 2, 0.0);
    assert_int_equal(htz_engine_count(s.engine).resets, 0);
    stage_close(&s);
  }
  print_message("with %g, without %g\n", heard[0], heard[1]);
  check_above(heard[1], 1.3 * heard[0]); // the rubber takes sound away
}

/** Two rollers on arms are pressed on, roll, and are shaken by a signal, together. */
static void rollers_are_driven(void** state) {
  stage s;
  double q, v;
  (void)state;
  open(&s, "tests/fixtures/instruments/driven-roll.yaml");
  press(&s, KEY, 100.0);
  hear(&s, SECOND, 0.0);
  const double rolls = hear(&s, SECOND / 2, 0.0);
  const double shaken = hear(&s, SECOND / 2, 0.5);
  print_message("rolling %.2e, shaken as well %.2e\n", rolls, shaken);
  check_above(rolls, 1e-6);
  check_above(shaken, 3.0 * rolls);
  // The second of the pool is thrown while the first rolls.
  htz_engine_strike(s.engine, s.part, KEY, 60.0, htz_engine_now(s.engine));
  hear(&s, SECOND / 4, 0.5);
  assert_true(htz_modal_island_mallet(island_of(&s, KEY), 0, &q, &v));
  assert_true(htz_modal_island_mallet(island_of(&s, KEY), 1, &q, &v));
  assert_int_equal(htz_engine_count(s.engine).reused, 0);
  // Let go, both are taken away.
  htz_engine_hold(s.engine, s.part, KEY, false, htz_engine_now(s.engine));
  check_below(until_asleep(&s, 10.0), 10.0);
  assert_false(htz_modal_island_mallet(island_of(&s, KEY), 0, &q, &v));
  assert_false(htz_modal_island_mallet(island_of(&s, KEY), 1, &q, &v));
  assert_int_equal(htz_engine_count(s.engine).resets, 0);
  stage_close(&s);
}

/** Eight things on a key, two of each kind, all act; at rest what has weight bends the strings and stays so. */
static void a_key_may_have_many_things(void** state) {
  enum { LOOSE = 4 }; // rattle, bridge, rattle2, bridge2
  stage s;
  double q, v;
  (void)state;
  open(&s, "tests/fixtures/instruments/many-things.yaml");
  htz_island* island = island_of(&s, KEY);
  for (uint32_t i = 0; i < LOOSE; ++i) {
    assert_true(htz_modal_island_loose(island, i, &q, &v));
  }
  press(&s, KEY, 100.0);
  hear(&s, SECOND / 2, 0.0);
  const htz_network* net = htz_modal_island_network(island);
  const size_t mallets = 4 * 3;
  for (size_t c = 0; c < LOOSE * 3; ++c) {
    assert_true(htz_network_account(net, mallets + c)->closures > 0);
  }
  stage_set(&s, HTZ_PARAM_RATTLE_MASS, 0.0);
  hear(&s, SECOND / 4, 0.0);
  for (uint32_t i = 0; i < LOOSE; ++i) {
    assert_true(htz_modal_island_loose(island, i, &q, &v) == (i % 2 == 1)); // both rattles are gone, both bridges there
  }
  htz_engine_hold(s.engine, s.part, KEY, false, htz_engine_now(s.engine));
  check_below(until_asleep(&s, 20.0), 20.0);
  assert_int_equal(htz_engine_count(s.engine).resets, 0);
  stage_close(&s);
}

/** What is fed has things on it as what is struck has: a rattle buzzes on the sheet, a screw makes it heavier. */
static void things_on_what_is_fed(void** state) {
  stage s;
  double heard[3];
  (void)state;
  for (int i = 0; i < 3; ++i) {
    open(&s, "tests/fixtures/instruments/buzzing-sheet.yaml");
    stage_set(&s, HTZ_PARAM_RATTLE_MASS, i == 1 ? 0.0 : 1.0);
    stage_set(&s, HTZ_PARAM_SCREW_MASS, i == 2 ? 0.0 : 1.0);
    press(&s, KEY, 110.0);
    heard[i] = hear(&s, SECOND / 2, 0.0);
    const double hits = (double)htz_modal_island_prepared(island_of(&s, KEY)).closures;
    print_message("%.0f touches, level %.3e\n", hits, heard[i]);
    if (i == 1) {
      check_below(hits, 0.5);
    } else {
      check_above(hits, 10.0);
    }
    htz_engine_hold(s.engine, s.part, KEY, false, htz_engine_now(s.engine));
    check_below(until_asleep(&s, 20.0), 20.0);
    assert_int_equal(htz_engine_count(s.engine).resets, 0);
    stage_close(&s);
  }
  check_above(fabs(heard[1] / heard[0] - 1.0), 1e-3);
  check_above(fabs(heard[2] / heard[0] - 1.0), 1e-3);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(a_ball_plays_a_prepared_course),
                                     cmocka_unit_test(what_is_fixed_moves_under_a_ball), cmocka_unit_test(rollers_are_driven),
                                     cmocka_unit_test(a_key_may_have_many_things), cmocka_unit_test(things_on_what_is_fed)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
