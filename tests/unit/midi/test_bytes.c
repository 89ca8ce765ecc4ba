#include "check.h"

#include "hertzian/base/rt.h"
#include "hertzian/midi/bytes.h"

#include <stdlib.h>
#include <string.h>

enum { capacity = 64 };

typedef struct {
  htz_midi_parser parser;
  htz_midi_message got[capacity];
  size_t count;
} fixture;

// Feed bytes one by one inside an audio-thread section; the frame is the index of the byte.
static void feed(fixture* f, const uint8_t* bytes, size_t count) {
  f->count = 0;
  htz_rt_enter();
  for (size_t i = 0; i < count; ++i) {
    htz_midi_message message;
    for (bool more = htz_midi_parser_feed(&f->parser, bytes[i], i, &message); more && f->count < capacity;
         more = htz_midi_parser_more(&f->parser, i, &message)) {
      f->got[f->count++] = message;
    }
  }
  htz_rt_leave();
}

#define FEED(f, ...) feed((f), (const uint8_t[]){__VA_ARGS__}, sizeof(const uint8_t[]){__VA_ARGS__})

static void expect(const fixture* f, size_t index, unsigned status, unsigned data1, unsigned data2, uint64_t frame) {
  assert_true(index < f->count);
  assert_int_equal(f->got[index].status, status);
  assert_int_equal(f->got[index].data1, data1);
  assert_int_equal(f->got[index].data2, data2);
  assert_int_equal(f->got[index].frame, frame);
}

static int start(void** state) {
  static fixture f;
  memset(&f, 0xA5, sizeof f); // init must not rely on zeroed memory
  htz_midi_parser_init(&f.parser);
  *state = &f;
  return 0;
}

static void clock_and_sensing_do_not_disturb_running_status(void** state) {
  fixture* f = *state;
  FEED(f, 0x90, 0x3C, 0x64, 0xF8, 0x40, 0x7F, 0xFE, 0x3C, 0x00);
  assert_int_equal(f->count, 3);
  expect(f, 0, 0x90, 60, 100, 2);
  expect(f, 1, 0x90, 64, 127, 5);
  expect(f, 2, 0x80, 60, 64, 8);
}

static void clock_inside_a_message_is_not_data(void** state) {
  fixture* f = *state;
  FEED(f, 0x90, 0x3C, 0xF8, 0x64);
  assert_int_equal(f->count, 1);
  expect(f, 0, 0x90, 60, 100, 3);
}

static void every_real_time_byte_anywhere_changes_nothing(void** state) {
  fixture* f = *state;
  static const uint8_t plain[] = {0x91, 60,   100, 61, 0,    0xC2, 5,    0xF0, 1, 2,    3,    0xF7, 0xB1, 7,
                                  99,   0xF2, 1,   2,  0xD3, 44,   0xE4, 1,    2, 0xF1, 0x10, 0xA5, 3,    4};
  feed(f, plain, sizeof plain);
  htz_midi_message expected[capacity];
  const size_t expected_count = f->count;
  memcpy(expected, f->got, sizeof expected);
  assert_int_equal(expected_count, 7);
  for (unsigned real_time = 0xF8; real_time < 0xFF; ++real_time) {
    uint8_t mixed[2 * sizeof plain];
    for (size_t i = 0; i < sizeof plain; ++i) {
      mixed[2 * i] = plain[i];
      mixed[2 * i + 1] = (uint8_t)real_time;
    }
    htz_midi_parser_init(&f->parser);
    feed(f, mixed, sizeof mixed);
    assert_int_equal(f->count, expected_count);
    for (size_t i = 0; i < expected_count; ++i) {
      expect(f, i, expected[i].status, expected[i].data1, expected[i].data2, 2 * expected[i].frame);
    }
  }
}

static void each_kind_has_its_length(void** state) {
  fixture* f = *state;
  for (unsigned status = 0x80; status < 0xF0; ++status) {
    const bool one = (status & 0xF0) == 0xC0 || (status & 0xF0) == 0xD0;
    assert_int_equal(htz_midi_data_length((uint8_t)status), one ? 1 : 2);
    htz_midi_parser_init(&f->parser);
    FEED(f, (uint8_t)status, 1, 2);
    assert_int_equal(f->count, one ? 2 : 1);
    expect(f, 0, status, 1, one ? 0 : 2, one ? 1 : 2);
    assert_int_equal(f->got[0].length, one ? 2 : 3);
  }
  assert_int_equal(htz_midi_data_length(0x7F), 0);
  assert_int_equal(htz_midi_data_length(0xF2), 0);
}

static void running_status_equals_explicit_status(void** state) {
  fixture* f = *state;
  uint32_t seed = 7;
  uint8_t explicit[3 * capacity];
  uint8_t running[3 * capacity];
  size_t n_explicit = 0;
  size_t n_running = 0;
  unsigned last = 0;
  for (int i = 0; i < capacity; ++i) {
    seed = seed * 1664525U + 1013904223U;
    const unsigned status = 0x80 + (seed >> 28) % 7 * 16; // few kinds, so that they repeat
    explicit[n_explicit++] = (uint8_t)status;
    if (status != last) {
      running[n_running++] = (uint8_t)status;
    }
    last = status;
    for (unsigned d = 0; d < htz_midi_data_length((uint8_t)status); ++d) {
      explicit[n_explicit++] = running[n_running++] = (uint8_t)(seed >> (8 + 7 * d) & 0x7F);
    }
  }
  assert_true(n_running < n_explicit);
  feed(f, explicit, n_explicit);
  fixture other;
  htz_midi_parser_init(&other.parser);
  feed(&other, running, n_running);
  assert_int_equal(f->count, capacity);
  assert_int_equal(other.count, capacity);
  for (size_t i = 0; i < capacity; ++i) {
    expect(&other, i, f->got[i].status, f->got[i].data1, f->got[i].data2, other.got[i].frame);
  }
}

static void silent_note_on_is_a_note_off(void** state) {
  fixture* f = *state;
  FEED(f, 0x9F, 60, 0, 0x8F, 60, 64);
  assert_int_equal(f->count, 2);
  expect(f, 0, 0x8F, 60, 64, 2);
  expect(f, 1, 0x8F, 60, 64, 5);
}

static void sysex_cancels_running_status(void** state) {
  fixture* f = *state;
  FEED(f, 0x90, 60, 100, 0xF0, 1, 2, 0xF7, 61, 100, 62);
  assert_int_equal(f->count, 1);
  assert_int_equal(f->parser.stray, 3);
  assert_int_equal(f->parser.cut, 0);
}

static void system_common_cancels_running_status(void** state) {
  static const uint8_t commons[][3] = {{0xF1, 1, 60},  {0xF3, 1, 60},  {0xF6, 60, 61},
                                       {0xF4, 60, 61}, {0xF5, 60, 61}, {0xF7, 1, 2}};
  fixture* f = *state;
  for (size_t i = 0; i < sizeof commons / sizeof *commons; ++i) {
    htz_midi_parser_init(&f->parser);
    FEED(f, 0x90, 60, 100, commons[i][0], commons[i][1], commons[i][2], 10, 11, 0x90, 62, 1);
    assert_int_equal(f->count, 2);
    expect(f, 1, 0x90, 62, 1, 10);
    assert_int_equal(f->parser.stray, i < 2 ? 3 : 4);
    assert_int_equal(f->parser.undefined, i < 3 ? 0 : 1);
  }
  htz_midi_parser_init(&f->parser);
  FEED(f, 0x90, 60, 100, 0xF2, 1, 2, 60, 100, 0x90, 62, 1);
  assert_int_equal(f->count, 2);
  assert_int_equal(f->parser.stray, 2);
}

static void unterminated_sysex_ends_at_any_status(void** state) {
  fixture* f = *state;
  FEED(f, 0xF0, 1, 2, 3, 0x90, 60, 100);
  assert_int_equal(f->count, 1);
  expect(f, 0, 0x90, 60, 100, 6);
  assert_int_equal(f->parser.cut, 1);
  FEED(f, 0xF0, 0xF0, 0xF0, 0x80, 60, 1);
  assert_int_equal(f->count, 1);
  FEED(f, 0xF0);
  assert_int_equal(f->count, 0);
  FEED(f, 1, 2, 0xF8, 3, 0xB0, 64, 127);
  assert_int_equal(f->count, 1);
  expect(f, 0, 0xB0, 64, 127, 6);
}

static void a_mebibyte_of_sysex_passes(void** state) {
  enum { mebibyte = 1024 * 1024 };
  fixture* f = *state;
  uint8_t* bytes = malloc(mebibyte + 5);
  bytes[0] = 0xF0;
  for (size_t i = 1; i <= mebibyte; ++i) {
    bytes[i] = (uint8_t)(i & 0x7F);
  }
  memcpy(bytes + mebibyte + 1, "\xF7\x90\x3C\x40", 4);
  feed(f, bytes, mebibyte + 5);
  free(bytes);
  assert_int_equal(f->count, 1);
  expect(f, 0, 0x90, 60, 64, mebibyte + 4);
  assert_int_equal(f->parser.sysex, 1);
  assert_int_equal(f->parser.stray, 0);
}

static void a_message_cut_short_is_dropped_and_counted(void** state) {
  fixture* f = *state;
  FEED(f, 0x90, 60, 0x80, 61, 62, 0xC0, 0xB0, 7, 100);
  assert_int_equal(f->count, 2);
  expect(f, 0, 0x80, 61, 62, 4);
  expect(f, 1, 0xB0, 7, 100, 8);
  assert_int_equal(f->parser.cut, 1); // C0 had no data yet: nothing was lost but a status byte
}

static void stray_data_is_counted(void** state) {
  fixture* f = *state;
  FEED(f, 1, 2, 3, 0x90, 60, 100);
  assert_int_equal(f->count, 1);
  assert_int_equal(f->parser.stray, 3);
}

static void system_reset_is_reported_and_disturbs_nothing(void** state) {
  fixture* f = *state;
  FEED(f, 0x90, 60, 0xFF, 100);
  assert_int_equal(f->count, 2);
  expect(f, 0, HTZ_MIDI_RESET, 0, 0, 2);
  assert_int_equal(f->got[0].length, 1);
  expect(f, 1, 0x90, 60, 100, 3);
}

static void reset_forgets_half_a_message(void** state) {
  fixture* f = *state;
  FEED(f, 0x90, 60);
  htz_midi_parser_reset(&f->parser);
  FEED(f, 100, 60, 100, 0x90, 61, 1);
  assert_int_equal(f->count, 1);
  expect(f, 0, 0x90, 61, 1, 5);
  assert_int_equal(f->parser.stray, 3);
}

static void a_flood_of_controllers_loses_nothing(void** state) {
  enum { flood = 20000, chunk = 333 };
  fixture* f = *state;
  uint8_t bytes[3 * chunk];
  size_t messages = 0;
  for (int sent = 0; sent < flood;) {
    size_t size = 0;
    for (int i = 0; i < chunk && sent < flood; ++i, ++sent) {
      bytes[size++] = 0xB0;
      bytes[size++] = 1;
      bytes[size++] = (uint8_t)(sent & 0x7F);
    }
    for (size_t at = 0; at < size;) { // fewer places than messages: the span is taken in several calls
      size_t made = 0;
      const size_t taken = htz_midi_parser_feed_span(&f->parser, bytes + at, size - at, 5, f->got, 10, &made);
      assert_true(taken > 0);
      for (size_t i = 0; i < made; ++i) {
        assert_int_equal(f->got[i].data2, (messages + i) & 0x7F);
        assert_int_equal(f->got[i].frame, 5);
      }
      at += taken;
      messages += made;
    }
  }
  assert_int_equal(messages, flood);
  FEED(f, 0x90, 60, 100);
  assert_int_equal(f->count, 1);
}

static void a_span_equals_its_bytes(void** state) {
  fixture* f = *state;
  uint32_t seed = 99;
  uint8_t bytes[capacity];
  for (int round = 0; round < 2000; ++round) {
    for (size_t i = 0; i < sizeof bytes; ++i) {
      seed = seed * 1664525U + 1013904223U;
      bytes[i] = (uint8_t)(seed >> 24 & (seed >> 16 & 3 ? 0x7F : 0xFF));
    }
    htz_midi_parser_init(&f->parser);
    feed(f, bytes, sizeof bytes);
    htz_midi_parser other;
    htz_midi_message got[capacity];
    size_t made = 0;
    htz_midi_parser_init(&other);
    assert_int_equal(htz_midi_parser_feed_span(&other, bytes, sizeof bytes, 3, got, capacity, &made), sizeof bytes);
    assert_int_equal(made, f->count);
    for (size_t i = 0; i < made; ++i) {
      assert_int_equal(got[i].status, f->got[i].status);
      assert_int_equal(got[i].data1, f->got[i].data1);
      assert_int_equal(got[i].data2, f->got[i].data2);
    }
    assert_int_equal(other.stray, f->parser.stray);
    assert_int_equal(other.cut, f->parser.cut);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup(clock_and_sensing_do_not_disturb_running_status, start),
      cmocka_unit_test_setup(clock_inside_a_message_is_not_data, start),
      cmocka_unit_test_setup(every_real_time_byte_anywhere_changes_nothing, start),
      cmocka_unit_test_setup(each_kind_has_its_length, start),
      cmocka_unit_test_setup(running_status_equals_explicit_status, start),
      cmocka_unit_test_setup(silent_note_on_is_a_note_off, start),
      cmocka_unit_test_setup(sysex_cancels_running_status, start),
      cmocka_unit_test_setup(system_common_cancels_running_status, start),
      cmocka_unit_test_setup(unterminated_sysex_ends_at_any_status, start),
      cmocka_unit_test_setup(a_mebibyte_of_sysex_passes, start),
      cmocka_unit_test_setup(a_message_cut_short_is_dropped_and_counted, start),
      cmocka_unit_test_setup(stray_data_is_counted, start),
      cmocka_unit_test_setup(system_reset_is_reported_and_disturbs_nothing, start),
      cmocka_unit_test_setup(reset_forgets_half_a_message, start),
      cmocka_unit_test_setup(a_flood_of_controllers_loses_nothing, start),
      cmocka_unit_test_setup(a_span_equals_its_bytes, start),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
