// Where a reset puts what a controller moves, in the controller's own steps.
#include "check.h"

#include "hertzian/midi/map.h"

#include <stdlib.h>

static void the_value_of_a_reset_is_known_in_steps(void** state) {
  (void)state;
  htz_midi_map* map = malloc(sizeof *map);
  assert_non_null(map);
  htz_midi_map_init(map, NULL);
  map->parts_of[0] = 1; // part 0 obeys channel 1 and has two controllers
  map->parts[0].n_controls = 2;
  map->parts[0].controls[0] = (htz_map_control){.cc = 74,
                                                .param = HTZ_PARAM_MALLET_HARDNESS,
                                                .base = HTZ_PARAM_MALLET_HARDNESS,
                                                .low = 0.1,
                                                .high = 10.0,
                                                .initial = 1.0};
  map->parts[0].controls[1] = (htz_map_control){
      .cc = 1, .param = HTZ_PARAM_MALLET_AT, .base = HTZ_PARAM_MALLET_AT, .low = 0.5, .high = 0.1, .initial = 0.5};
  for (size_t i = 0; i < HTZ_PARAM_COUNT; i++) {
    map->parts[0].initial[i] = htz_instrument_params[i].initial;
  }
  map->parts[0].initial[HTZ_PARAM_MALLET_AT] = 0.5 - 0.4 * 20.3 / 127.0;
  for (unsigned channel = 0; channel < 2; channel++) { // with a part, and without
    assert_int_equal(htz_midi_map_default(map, channel, 7), 127);
    assert_int_equal(htz_midi_map_default(map, channel, 10), 64);
    assert_int_equal(htz_midi_map_default(map, channel, 91), 40);
    assert_int_equal(htz_midi_map_default(map, channel, 93), 0); // moves nothing
  }
  // 1 lies in the middle of 0.1 to 10 on a logarithmic scale: 63.5 of 127.
  assert_in_range(htz_midi_map_default(map, 0, 74), 63, 64);
  assert_int_equal(htz_midi_map_default(map, 0, 1), 20);
  assert_int_equal(htz_midi_map_default(map, 1, 1), 0);
  free(map);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_value_of_a_reset_is_known_in_steps),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
