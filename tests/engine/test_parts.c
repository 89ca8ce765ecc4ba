// Parts that join a running engine, and keys that are given up to save work.
#include "check.h"

#include "sound/stage.h"

#include <math.h>
#include <string.h>

static const double rate_hz = 48000.0;
static const char bars[] = "tests/fixtures/instruments/damped.yaml";

enum { LONG = 400 };
static float left[LONG * HTZ_QUANTUM], right[LONG * HTZ_QUANTUM];
static float want[LONG * HTZ_QUANTUM], unused[LONG * HTZ_QUANTUM];

/** A second and a third instrument beside a stage's own. */
typedef struct {
  htz_arena memory;
  htz_instrument* instrument;
  htz_part* part;
} guest;

static void invite(guest* g, const stage* s) {
  const char* why = NULL;
  assert_int_equal(htz_instrument_build(s->spec, rate_hz, htz_kernels_select(), NULL, &g->memory, &g->instrument, &why),
                   HTZ_OK);
  assert_int_equal(htz_engine_prepare_part(g->instrument, &g->part), HTZ_OK);
}

static double peak(const float* x, size_t from, size_t to) {
  double m = 0.0;
  for (size_t i = from; i < to; ++i) {
    m = fabs((double)x[i]) > m ? fabs((double)x[i]) : m;
  }
  return m;
}

// Struck at the frame at which it joins, a part sounds as one that was there all the time.
static void a_part_that_joins_sounds_as_if_it_had_been_there(void** state) {
  (void)state;
  for (int late = 0; late < 2; ++late) {
    stage s;
    guest g = {0};
    uint32_t number = 0;
    stage_open(&s, bars, rate_hz, 0);
    invite(&g, &s);
    if (!late) {
      assert_true(htz_engine_attach_part(s.engine, g.part, 5, &number));
    }
    htz_engine_strike(s.engine, s.part, 60, 90.0, 17);
    stage_run(&s, 100, late ? left : want, unused);
    if (late) {
      assert_true(htz_engine_attach_part(s.engine, g.part, 5, &number));
    }
    assert_int_equal(number, 1);
    htz_engine_strike(s.engine, number, 64, 110.0, htz_engine_now(s.engine) + 23);
    stage_run(&s, 100, (late ? left : want) + 100 * HTZ_QUANTUM, unused);
    stage_close(&s);
    htz_arena_free(&g.memory);
  }
  check_above(peak(want, 100 * HTZ_QUANTUM, 200 * HTZ_QUANTUM), 1e-3);
  assert_memory_equal(left, want, sizeof(float) * 200 * HTZ_QUANTUM);
}

// Three parts sounding: rounding depends on the order of the sum, which the ranks decide and not the order of joining.
static void the_sum_does_not_depend_on_who_came_first(void** state) {
  (void)state;
  for (int order = 0; order < 2; ++order) {
    stage s;
    guest g[3] = {0};
    uint32_t number[3];
    stage_open(&s, bars, rate_hz, 0); // its own part stays silent
    for (int i = 0; i < 3; ++i) {
      invite(&g[i], &s);
    }
    for (uint32_t i = 0; i < 3; ++i) {
      const uint32_t which = order ? 2 - i : i;
      assert_true(htz_engine_attach_part(s.engine, g[which].part, 10 + which, &number[which]));
    }
    for (uint32_t i = 0; i < 3; ++i) {
      htz_engine_strike(s.engine, number[i], 60 + 5 * i, 60.0 + 20.0 * i, 3 * i);
    }
    stage_run(&s, 200, order ? left : want, unused);
    stage_close(&s);
    for (int i = 0; i < 3; ++i) {
      htz_arena_free(&g[i].memory);
    }
  }
  assert_memory_equal(left, want, sizeof(float) * 200 * HTZ_QUANTUM);
}

static void a_full_engine_takes_no_more(void** state) {
  (void)state;
  stage s;
  guest g = {0};
  uint32_t number = 99;
  stage_open(&s, bars, rate_hz, 0);
  for (uint32_t i = 1; i < HTZ_PARTS_MAX; ++i) {
    assert_int_equal(htz_engine_add_part(s.engine, s.instrument, &number), HTZ_OK);
  }
  invite(&g, &s);
  number = 99;
  assert_false(htz_engine_attach_part(s.engine, g.part, 0, &number));
  assert_int_equal(number, 99);
  assert_int_equal(htz_engine_add_part(s.engine, s.instrument, &number), HTZ_FULL);
  htz_engine_discard_part(g.part);
  htz_engine_discard_part(NULL);
  stage_close(&s);
  htz_arena_free(&g.memory);
}

// Energy in one key after all others have gone tells whether it was spared.
static void the_quietest_keys_go_and_the_others_do_not_notice(void** state) {
  (void)state;
  for (int relieve = 0; relieve < 2; ++relieve) {
    stage s;
    stage_open(&s, bars, rate_hz, 0);
    for (uint32_t i = 0; i < 6; ++i) {
      htz_engine_hold(s.engine, s.part, 60 + i, true, 0);
    }
    htz_engine_strike(s.engine, s.part, 60, 120.0, 0);
    if (relieve) { // soft ones, which are to go
      for (uint32_t i = 1; i < 5; ++i) {
        htz_engine_strike(s.engine, s.part, 60 + i, 5.0 + i, 0);
      }
    }
    stage_run(&s, 100, relieve ? left : want, unused); // 133 ms: mallets are away
    if (relieve) {
      assert_int_equal(htz_engine_count(s.engine).ringing, 5);
      assert_int_equal(htz_engine_relieve(s.engine, 4), 4);
      assert_int_equal(htz_engine_count(s.engine).relieved, 4);
    }
    stage_run(&s, 15, relieve ? left : want, unused); // 20 ms
    assert_int_equal(htz_engine_count(s.engine).ringing, 1);
    stage_run(&s, 100, relieve ? left : want, unused);
    stage_close(&s);
  }
  check_above(peak(want, 0, 100 * HTZ_QUANTUM), 1e-3);
  assert_memory_equal(left, want, sizeof(float) * 100 * HTZ_QUANTUM);
}

static void a_key_just_struck_is_left_alone(void** state) {
  (void)state;
  stage s;
  stage_open(&s, bars, rate_hz, 0);
  htz_engine_strike(s.engine, s.part, 60, 120.0, 0);
  assert_int_equal(htz_engine_relieve(s.engine, 3), 0); // it has not even begun
  stage_run(&s, 1, left, right);
  assert_int_equal(htz_engine_relieve(s.engine, 3), 0); // the mallet is on it or near
  stage_run(&s, 100, left, right);
  assert_int_equal(htz_engine_relieve(s.engine, 3), 1);
  stage_run(&s, 1, left, right);
  assert_int_equal(htz_engine_relieve(s.engine, 3), 0); // already on its way
  stage_close(&s);
}

static void it_goes_without_a_click(void** state) {
  (void)state;
  stage s;
  stage_open(&s, bars, rate_hz, 0);
  htz_engine_hold(s.engine, s.part, 60, true, 0);
  htz_engine_strike(s.engine, s.part, 60, 120.0, 0);
  stage_run(&s, 100, NULL, NULL);
  stage_run(&s, 20, left, right);
  double before = 0.0, after = 0.0;
  for (size_t i = 1; i < (size_t)20 * HTZ_QUANTUM; ++i) {
    before = fmax(before, fabs((double)left[i] - (double)left[i - 1]));
  }
  const float last = left[20 * HTZ_QUANTUM - 1];
  assert_int_equal(htz_engine_relieve(s.engine, 1), 1);
  stage_run(&s, 20, left, right);
  for (size_t i = 0; i < (size_t)20 * HTZ_QUANTUM; ++i) {
    after = fmax(after, fabs((double)left[i] - (double)(i ? left[i - 1] : last)));
  }
  assert_true(htz_engine_asleep(s.engine));
  // A fade of 10 ms adds at most 1/480 of the level to a step; a click would add all of it.
  check_below(after, before * 1.05 + peak(left, 0, 64) / 480.0);
  stage_close(&s);
}

// Not while it sounds; then the others do not notice, its number goes to the next, and what it counted stays.
static void a_part_that_leaves_is_not_missed(void** state) {
  (void)state;
  for (int leaves = 0; leaves < 2; ++leaves) {
    stage s;
    guest first = {0}, second = {0};
    uint32_t number = 0;
    stage_open(&s, bars, rate_hz, 0);
    invite(&first, &s);
    invite(&second, &s);
    assert_true(htz_engine_attach_part(s.engine, first.part, 0, &number));
    htz_engine_hold(s.engine, s.part, 60, true, 0);
    htz_engine_strike(s.engine, s.part, 60, 90.0, 17);
    htz_engine_strike(s.engine, number, 64, 60.0, 3);
    stage_run(&s, 50, leaves ? left : want, unused);
    assert_false(htz_engine_part_asleep(s.engine, number));
    assert_null(htz_engine_detach_part(s.engine, number));
    htz_engine_silence(s.engine, number, htz_engine_now(s.engine));
    stage_run(&s, 50, (leaves ? left : want) + 50 * HTZ_QUANTUM, unused);
    assert_true(htz_engine_part_asleep(s.engine, number));
    const uint64_t steps = htz_engine_count(s.engine).contact_steps;
    if (leaves) {
      assert_ptr_equal(htz_engine_detach_part(s.engine, number), first.part);
      assert_null(htz_engine_detach_part(s.engine, number));
      assert_true(htz_engine_part_asleep(s.engine, number));
      htz_engine_discard_part(first.part);
      htz_arena_free(&first.memory); // whoever still looked at it would be told by a sanitizer
      htz_engine_strike(s.engine, number, 64, 100.0, htz_engine_now(s.engine));
      assert_true(htz_engine_count(s.engine).contact_steps >= steps);
    }
    stage_run(&s, 100, (leaves ? left : want) + 100 * HTZ_QUANTUM, unused);
    if (leaves) {
      uint32_t again = 99;
      assert_true(htz_engine_attach_part(s.engine, second.part, 0, &again));
      assert_int_equal(again, number);
    } else {
      htz_engine_discard_part(second.part);
    }
    stage_run(&s, 100, (leaves ? left : want) + 200 * HTZ_QUANTUM, unused);
    stage_close(&s);
    htz_arena_free(&second.memory);
    if (!leaves) {
      htz_arena_free(&first.memory);
    }
  }
  check_above(peak(want, 200 * HTZ_QUANTUM, 300 * HTZ_QUANTUM), 1e-4);
  assert_memory_equal(left, want, sizeof(float) * 300 * HTZ_QUANTUM);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_part_that_joins_sounds_as_if_it_had_been_there),
      cmocka_unit_test(the_sum_does_not_depend_on_who_came_first),
      cmocka_unit_test(a_full_engine_takes_no_more),
      cmocka_unit_test(a_part_that_leaves_is_not_missed),
      cmocka_unit_test(the_quietest_keys_go_and_the_others_do_not_notice),
      cmocka_unit_test(a_key_just_struck_is_left_alone),
      cmocka_unit_test(it_goes_without_a_click),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
