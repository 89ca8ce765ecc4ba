// A fault in what hears a body, and not in the body: its energy tells nothing of it, and it must not sound on for ever.
#include "check.h"

#include "sound/stage.h"

#include <math.h>

static const double rate_hz = 48000.0;

enum { LONG = 40 };
static float left[LONG * HTZ_QUANTUM], right[LONG * HTZ_QUANTUM];

static void all_finite(size_t quanta) {
  for (size_t i = 0; i < quanta * HTZ_QUANTUM; ++i) {
    assert_true(isfinite(left[i]) && isfinite(right[i]));
  }
}

static double peak(size_t quanta) {
  double most = 0.0;
  for (size_t i = 0; i < quanta * HTZ_QUANTUM; ++i) {
    most = fmax(most, fabs((double)left[i]));
  }
  return most;
}

// Plant it, hear a reset and numbers, and the next stroke as ever.
static void planted(const char* path, uint32_t key, double room, htz_modal* (*where)(const stage*, uint32_t)) {
  stage s;
  stage_open(&s, path, rate_hz, 0);
  stage_set(&s, HTZ_PARAM_ROOM, room);
  htz_engine_strike(s.engine, s.part, key, 100.0, 0);
  stage_run(&s, 4, left, right);
  const double before = peak(4);
  check_above(before, 1e-4);
  htz_modal_lift_ear(where(&s, key), 0, (double)NAN);
  stage_run(&s, LONG, left, right);
  assert_int_equal(htz_engine_count(s.engine).resets, 1);
  all_finite(LONG);
  htz_engine_strike(s.engine, s.part, key, 100.0, htz_engine_now(s.engine));
  stage_run(&s, 4, left, right);
  all_finite(4);
  check_above(peak(4), 0.5 * before);
  assert_int_equal(htz_engine_count(s.engine).resets, 1);
  stage_close(&s);
}

static htz_modal* of_key(const stage* s, uint32_t key) {
  return htz_modal_island_body(s->instrument->keys[key].island, 0);
}

static htz_modal* of_board(const stage* s, uint32_t key) {
  (void)key;
  return s->instrument->board.body;
}

static void of_a_key(void** state) {
  (void)state;
  planted("instruments/glockenspiel.yaml", 84, 0.0, of_key);
  planted("instruments/glockenspiel.yaml", 84, 0.5, of_key); // a room that heard it would never be quiet again
}

static void of_a_board(void** state) {
  (void)state;
  planted("tests/fixtures/instruments/ears-board.yaml", 60, 0.3, of_board);
}

// Without an ear a body's pickup has no memory: what it makes of the modes is spoilt, and stays so.
static void of_what_is_linked(void** state) {
  (void)state;
  static const char* const files[] = {"tests/fixtures/instruments/strings-on-deck.yaml",
                                      "tests/fixtures/instruments/linked-bars.yaml"};
  for (size_t i = 0; i < 2; ++i) {
    stage s;
    const double *aq = NULL, *av = NULL;
    stage_open(&s, files[i], rate_hz, 0);
    htz_engine_strike(s.engine, s.part, 60, 100.0, 0);
    stage_run(&s, 4, left, right);
    htz_modal_signal(i == 0 ? s.instrument->linked.shared[0] : of_key(&s, 60), 0, &aq, &av);
    ((double*)aq)[0] = ((double*)av)[0] = (double)NAN;
    stage_run(&s, LONG, left, right);
    assert_true(htz_engine_count(s.engine).resets > 0);
    all_finite(LONG);
    stage_close(&s);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(of_a_key), cmocka_unit_test(of_a_board),
                                     cmocka_unit_test(of_what_is_linked)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
