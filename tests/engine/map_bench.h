#ifndef HERTZIAN_TESTS_ENGINE_MAP_BENCH_H
#define HERTZIAN_TESTS_ENGINE_MAP_BENCH_H

#include "check.h"

#include "fake_engine.h"

#include "hertzian/midi/map.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/** A map before an engine that writes down what it is asked. */
typedef struct {
  htz_engine engine;
  htz_midi_map map;
  htz_spec spec;
  htz_instrument instrument;
} bench;

// Part 0 on channel 1 with two controllers; nothing else.
static inline int set_up(void** state) {
  bench* b = calloc(1, sizeof *b);
  assert_non_null(b);
  b->spec.n_controls = 2;
  b->spec.controls[0] = (htz_spec_control){HTZ_PARAM_MALLET_HARDNESS, 74, 0.1, 10.0};
  b->spec.controls[1] = (htz_spec_control){HTZ_PARAM_MALLET_AT, 1, 0.5, 0.1};
  b->instrument.spec = &b->spec;
  for (size_t i = 0; i < HTZ_PARAM_COUNT; i++) {
    b->instrument.params[i] = htz_instrument_params[i].initial;
  }
  htz_midi_map_init(&b->map, &b->engine);
  assert_int_equal(htz_midi_map_add_part(&b->map, 0, 1u << 0, &b->instrument), HTZ_OK);
  htz_midi_map_choose_all(&b->map, 0, 0);
  *state = b;
  return 0;
}

static inline int tear_down(void** state) {
  free(*state);
  return 0;
}

static inline void send(bench* b, uint8_t status, uint8_t data1, uint8_t data2, uint64_t frame) {
  htz_midi_map_message(&b->map,
                       &(htz_midi_message){.frame = frame, .status = status, .data1 = data1, .data2 = data2, .length = 3});
}

static inline void expect(const bench* b, size_t index, call_kind kind, uint32_t part, uint32_t key, double value,
                          uint64_t frame) {
  assert_true(index < b->engine.n);
  const call* c = &b->engine.calls[index];
  assert_int_equal(c->kind, kind);
  assert_int_equal(c->part, part);
  assert_int_equal(kind == CHANGE ? c->index : c->key, key);
  assert_true(kind != CHANGE || c->only == HTZ_KEY_ALL);
  if (kind != RELEASE) {                                                         // its velocity has a test of its own
    check_near(c->value, value, 1e-12 * (1.0 + (value < 0.0 ? -value : value))); // a few roundings
  }
  assert_int_equal(c->frame, frame);
}

static inline void bend(bench* b, uint16_t value, uint64_t frame) {
  send(b, 0xE0, value & 0x7F, (uint8_t)(value >> 7), frame);
}

static inline void range(bench* b, uint8_t semitones, uint8_t cents_part) {
  send(b, 0xB0, 101, 0, 0);
  send(b, 0xB0, 100, 0, 0);
  send(b, 0xB0, 6, semitones, 0);
  send(b, 0xB0, 38, cents_part, 0);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

#endif
