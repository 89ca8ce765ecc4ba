// The wheel and its range.
#include "map_bench.h"

static void bends_reach_exactly_the_range_at_both_ends(void** state) {
  bench* b = *state;
  bend(b, 16383, 0);
  bend(b, 0, 1);
  bend(b, 8192, 2);
  expect(b, 0, CHANGE, 0, HTZ_PARAM_BEND, 2.0, 0);
  expect(b, 1, CHANGE, 0, HTZ_PARAM_BEND, -2.0, 1);
  expect(b, 2, CHANGE, 0, HTZ_PARAM_BEND, 0.0, 2);
  range(b, 12, 0);
  bend(b, 16383, 3);
  expect(b, 3, CHANGE, 0, HTZ_PARAM_BEND, 12.0, 3);
  // As wide as a bend may be and no wider, so that all of the wheel's way does something.
  range(b, 127, 0);
  bend(b, 8192 + 4096, 4);
  expect(b, b->engine.n - 1, CHANGE, 0, HTZ_PARAM_BEND, 96.0 * 4096.0 / 8191.0, 4);
}

static void range_by_rpn_has_cents_and_null_and_is_per_channel(void** state) {
  bench* b = *state;
  htz_midi_map_add_part(&b->map, 1, 1u << 1, &b->instrument);
  range(b, 1, 50);
  send(b, 0xB0, 101, 127, 0);
  send(b, 0xB0, 100, 127, 0);
  send(b, 0xB0, 6, 24, 0); // belongs to nothing
  bend(b, 16383, 1);
  expect(b, 0, CHANGE, 0, HTZ_PARAM_BEND, 1.5, 1);
  send(b, 0xE1, 0x7F, 0x7F, 2);
  expect(b, 1, CHANGE, 1, HTZ_PARAM_BEND, 2.0, 2);
  // A non-registered parameter takes the data entry away.
  range(b, 3, 0);
  expect(b, 2, CHANGE, 0, HTZ_PARAM_BEND, 3.5, 0); // heard at once: the wheel is off centre; cents still 50
  expect(b, 3, CHANGE, 0, HTZ_PARAM_BEND, 3.0, 0);
  send(b, 0xB0, 99, 1, 0);
  send(b, 0xB0, 98, 8, 0);
  send(b, 0xB0, 6, 24, 0);
  assert_int_equal(b->engine.n, 4);
  // Another registered parameter, too.
  send(b, 0xB0, 101, 0, 0);
  send(b, 0xB0, 100, 4, 0);
  send(b, 0xB0, 6, 24, 0);
  assert_int_equal(b->engine.n, 4);
}

static void increment_and_decrement_step_by_cents(void** state) {
  bench* b = *state;
  range(b, 2, 99);
  bend(b, 16383, 0);
  send(b, 0xB0, 96, 0, 1);
  send(b, 0xB0, 96, 0, 2);
  send(b, 0xB0, 97, 0, 3);
  expect(b, 1, CHANGE, 0, HTZ_PARAM_BEND, 3.0, 1);
  expect(b, 2, CHANGE, 0, HTZ_PARAM_BEND, 3.01, 2);
  expect(b, 3, CHANGE, 0, HTZ_PARAM_BEND, 3.0, 3);
  range(b, 0, 0);
  send(b, 0xB0, 97, 0, 4);
  expect(b, b->engine.n - 1, CHANGE, 0, HTZ_PARAM_BEND, 0.0, 4);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      TEST(bends_reach_exactly_the_range_at_both_ends),
      TEST(range_by_rpn_has_cents_and_null_and_is_per_channel),
      TEST(increment_and_decrement_step_by_cents),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
