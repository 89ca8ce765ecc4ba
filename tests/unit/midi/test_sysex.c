// System exclusive messages: bytes to messages that are plain data, and back.
#include "check.h"

#include "song.h"

#include "hertzian/midi/bytes.h"
#include "hertzian/midi/sysex.h"

#include <string.h>

enum { MOST = 600, DUMP = 4 + 1 + 16 + 128 * 3 + 1 };

// What the bytes between F0 and F7 mean, as a live stream would have it.
static size_t parse(const uint8_t* body, size_t size, htz_midi_message* out, size_t capacity) {
  htz_midi_parser parser;
  htz_midi_message message;
  size_t n = 0;
  htz_midi_parser_init(&parser);
  assert_false(htz_midi_parser_feed(&parser, 0xF0, 0, &message));
  for (size_t i = 0; i < size; ++i) {
    assert_false(htz_midi_parser_feed(&parser, body[i], i, &message));
  }
  for (bool more = htz_midi_parser_feed(&parser, 0xF7, 77, &message); more;
       more = htz_midi_parser_more(&parser, 77, &message)) {
    assert_true(n < capacity);
    assert_int_equal(message.frame, 77);
    out[n++] = message;
  }
  assert_false(htz_midi_parser_feed(&parser, 0x90, 78, &message)); // and the stream goes on
  assert_false(htz_midi_parser_feed(&parser, 60, 78, &message));
  assert_true(htz_midi_parser_feed(&parser, 100, 78, &message));
  return n;
}

static void means(const uint8_t* body, size_t size, htz_system_kind kind, unsigned data2, uint32_t value) {
  htz_midi_message got[MOST];
  assert_int_equal(parse(body, size, got, MOST), 1);
  assert_int_equal(got[0].status, HTZ_MIDI_SYSTEM);
  assert_int_equal(got[0].data1, kind);
  assert_int_equal(got[0].data2, data2);
  assert_int_equal(got[0].value, value);
}

#define MEANS(kind, data2, value, ...)                                                                                         \
  means((const uint8_t[]){__VA_ARGS__}, sizeof(const uint8_t[]){__VA_ARGS__}, kind, data2, value)

static void resets_of_every_maker_for_any_device(void** state) {
  (void)state;
  MEANS(HTZ_SYSTEM_RESET, 0, 0, 0x7E, 0x7F, 9, 1);
  MEANS(HTZ_SYSTEM_RESET, 0, 0, 0x7E, 0x10, 9, 2);
  MEANS(HTZ_SYSTEM_RESET, 0, 0, 0x7E, 0x7F, 9, 3);
  MEANS(HTZ_SYSTEM_RESET, 0, 0, 0x41, 0x10, 0x42, 0x12, 0x40, 0, 0x7F, 0, 0x41);
  MEANS(HTZ_SYSTEM_RESET, 0, 0, 0x41, 0x17, 0x42, 0x12, 0, 0, 0x7F, 0, 1);
  MEANS(HTZ_SYSTEM_RESET, 0, 0, 0x43, 0x10, 0x4C, 0, 0, 0x7E, 0);
}

static void master_volume_and_tuning(void** state) {
  (void)state;
  MEANS(HTZ_SYSTEM_VOLUME, 0, 0x1234 & 0x3FFF, 0x7F, 0x7F, 4, 1, 0x34, 0x24);
  MEANS(HTZ_SYSTEM_VOLUME, 0, 100 << 7 | 100, 0x41, 0x10, 0x42, 0x12, 0x40, 0, 4, 100, 0x58);
  MEANS(HTZ_SYSTEM_VOLUME, 0, 127 << 7 | 127, 0x43, 0x10, 0x4C, 0, 0, 4, 127);
  MEANS(HTZ_SYSTEM_FINE, 0, 0x60 << 7 | 3, 0x7F, 0, 4, 3, 3, 0x60);
  MEANS(HTZ_SYSTEM_COARSE, 63, 0, 0x7F, 0x7F, 4, 4, 0, 63);
}

static void a_note_change_has_its_frequency_program_and_time(void** state) {
  (void)state;
  const uint8_t body[] = {0x7F, 0x7F, 8, 2, 5, 3, 60, 61, 0x10, 0x20, 61, 0x7F, 0x7F, 0x7F, 62, 0, 0, 1};
  htz_midi_message got[MOST];
  assert_int_equal(parse(body, sizeof body, got, MOST), 3);
  htz_system_pitch pitch = htz_system_pitch_of(&got[0]);
  assert_int_equal(got[0].data1, HTZ_SYSTEM_KEY);
  assert_int_equal(got[0].data2, 60);
  assert_int_equal(pitch.pitch, 61 << 14 | 0x10 << 7 | 0x20);
  assert_int_equal(pitch.program, 5);
  assert_true(pitch.now);
  assert_int_equal(htz_system_pitch_of(&got[1]).pitch, HTZ_SYSTEM_NO_CHANGE);
  assert_int_equal(htz_system_pitch_of(&got[2]).pitch, 1);
  const uint8_t later[] = {0x7E, 0x7F, 8, 7, 0, 9, 1, 60, 61, 0, 0};
  assert_int_equal(parse(later, sizeof later, got, MOST), 1);
  pitch = htz_system_pitch_of(&got[0]);
  assert_false(pitch.now);
  assert_int_equal(pitch.program, 9);
}

static size_t make_dump(uint8_t* body, unsigned program) {
  size_t n = 0;
  const uint8_t head[] = {0x7E, 0x7F, 8, 1, (uint8_t)program};
  memcpy(body, head, sizeof head);
  n = sizeof head;
  memset(body + n, 'x', 16);
  n += 16;
  for (unsigned key = 0; key < 128; ++key) {
    body[n++] = (uint8_t)key;
    body[n++] = (uint8_t)(127 - key);
    body[n++] = 7;
  }
  uint8_t sum = 0;
  for (size_t i = 0; i < n; ++i) {
    sum ^= body[i];
  }
  body[n++] = sum & 0x7F;
  return n;
}

static void a_dump_means_every_key_and_a_damaged_one_none(void** state) {
  (void)state;
  uint8_t body[DUMP];
  htz_midi_message got[MOST];
  const size_t size = make_dump(body, 3);
  assert_int_equal(size, DUMP);
  assert_int_equal(parse(body, size, got, MOST), 128);
  for (unsigned key = 0; key < 128; ++key) {
    const htz_system_pitch pitch = htz_system_pitch_of(&got[key]);
    assert_int_equal(got[key].data2, key);
    assert_int_equal(pitch.pitch, key << 14 | (127 - key) << 7 | 7);
    assert_int_equal(pitch.program, 3);
    assert_false(pitch.now);
  }
  body[40] ^= 1;
  assert_int_equal(parse(body, size, got, MOST), 0);
}

static void octaves_of_one_and_two_bytes(void** state) {
  (void)state;
  uint8_t one[4 + 3 + 12] = {0x7F, 0x7F, 8, 8, 3, 0, 1}, two[4 + 3 + 24] = {0x7E, 0x7F, 8, 9, 0, 2, 0};
  htz_midi_message got[MOST];
  for (int i = 0; i < 12; ++i) {
    one[7 + i] = (uint8_t)(64 + 4 * (i - 6));
    two[7 + 2 * i] = (uint8_t)(64 + i);
    two[8 + 2 * i] = (uint8_t)i;
  }
  assert_int_equal(parse(one, sizeof one, got, MOST), 12);
  for (int i = 0; i < 12; ++i) {
    const htz_system_octave o = htz_system_octave_of(&got[i]);
    assert_int_equal(got[i].data2, i);
    check_near(o.offset / 81.92, 4.0 * (i - 6), 0.5 / 81.92); // half a unit
    assert_int_equal(o.channels, 3 << 14 | 1);
    assert_true(o.now);
  }
  assert_int_equal(parse(two, sizeof two, got, MOST), 12);
  for (int i = 0; i < 12; ++i) {
    const htz_system_octave o = htz_system_octave_of(&got[i]);
    assert_int_equal(o.offset, i << 7 | i);
    assert_int_equal(o.channels, 2 << 7);
    assert_false(o.now);
  }
}

static void what_is_not_understood_means_nothing(void** state) {
  (void)state;
  htz_midi_message got[MOST];
  const uint8_t bodies[][12] = {
      {0x7E, 0x7F, 9, 4},          {0x7F, 0x7F, 9, 1},       {0x7E, 0x7F, 4, 1, 0, 0},
      {0x7F, 0x7F, 4, 2, 0, 0},    {0x7D, 1, 2, 3},          {0x41, 0x10, 0x42, 0x12, 0x40, 1, 0x30, 0, 0},
      {0x7F, 0x7F, 8, 2, 0, 2, 1}, {0x7F, 0x7F, 8, 2, 0, 0}, {0x43, 0x10, 0x4C, 0, 0, 5, 0}};
  const size_t sizes[] = {4, 4, 6, 6, 4, 9, 7, 6, 7};
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; ++i) {
    assert_int_equal(parse(bodies[i], sizes[i], got, MOST), 0);
  }
  assert_int_equal(parse(bodies[0], 0, got, MOST), 0);
  for (size_t size = 0; size < 4; ++size) { // a beginning of one that is
    assert_int_equal(parse((const uint8_t[]){0x7E, 0x7F, 9, 1}, size, got, MOST), 0);
  }
  static uint8_t endless[1 << 20]; // far beyond what is kept
  endless[0] = 0x7E;
  assert_int_equal(parse(endless, sizeof endless, got, MOST), 0);
}

// Written again and read again it is the same; of pitch classes as twelve.
static void written_it_means_the_same(void** state) {
  (void)state;
  uint8_t body[DUMP], out[HTZ_SYSEX_WRITTEN], octaves[4 + 3 + 24] = {0x7F, 0x7F, 8, 9, 1, 2, 3};
  uint32_t octave[12] = {0};
  htz_midi_message got[MOST], again[MOST];
  for (int i = 0; i < 24; ++i) {
    octaves[7 + i] = (uint8_t)(5 * i);
  }
  const size_t size = make_dump(body, 3);
  const struct {
    const uint8_t* body;
    size_t size;
  } all[] = {{body, size},
             {octaves, sizeof octaves},
             {(const uint8_t[]){0x7E, 0x7F, 9, 3}, 4},
             {(const uint8_t[]){0x7D, 'H', 'T', 'Z', 1}, 5},
             {(const uint8_t[]){0x7F, 0x7F, 4, 1, 5, 6}, 6},
             {(const uint8_t[]){0x7F, 0x7F, 4, 3, 5, 6}, 6},
             {(const uint8_t[]){0x7F, 0x7F, 4, 4, 0, 6}, 6},
             {(const uint8_t[]){0x7F, 0x7F, 8, 2, 5, 1, 60, 0x7F, 0x7F, 0x7F}, 10}};
  for (size_t i = 0; i < sizeof all / sizeof *all; ++i) {
    const size_t n = parse(all[i].body, all[i].size, got, MOST);
    size_t made = 0;
    assert_true(n > 0);
    for (size_t m = 0; m < n; ++m) {
      const size_t written = htz_sysex_write(&got[m], octave, out);
      assert_true(written <= sizeof out);
      if (written > 0) {
        assert_true(out[0] == 0xF0 && out[written - 1] == 0xF7);
        made += parse(out + 1, written - 2, again + made, MOST - made);
      }
    }
    assert_int_equal(made, n);
    for (size_t m = 0; m < n; ++m) {
      assert_int_equal(again[m].data1, got[m].data1);
      assert_int_equal(again[m].data2, got[m].data2);
      assert_int_equal(again[m].value, got[m].value);
    }
  }
}

static void songs_have_them_as_events_and_in_escapes(void** state) {
  (void)state;
  uint8_t body[DUMP];
  const size_t size = make_dump(body, 0);
  song s = {0};
  song_header(&s, 0, 1, 96);
  song_track(&s);
  const uint8_t reset[] = {0, 0xF0, 5, 0x7E, 0x7F, 9, 1, 0xF7}, escaped[] = {10, 0xF7, 6, 0xF0, 0x7E, 0x7F, 9, 1, 0xF7};
  const uint8_t head[] = {10, 0xF0, (uint8_t)(0x80 | (size + 1) >> 7), (uint8_t)((size + 1) & 0x7F)};
  const uint8_t rest[] = {0xF7, 0, 0x90, 60, 100, 10, 0x80, 60, 0, 0, 0xFF, 0x2F, 0};
  song_put(&s, reset, sizeof reset);
  song_put(&s, escaped, sizeof escaped);
  song_put(&s, head, sizeof head);
  song_put(&s, body, size);
  song_put(&s, rest, sizeof rest);
  song_close(&s);
  htz_smf* smf = NULL;
  htz_smf_diag diag;
  htz_smf_clock clock;
  htz_smf_iter* iter = NULL;
  htz_smf_event event;
  assert_int_equal(htz_smf_load(s.bytes, s.size, &smf, &diag), HTZ_OK);
  assert_int_equal(htz_smf_get_info(smf)->damage, 0);
  assert_int_equal(htz_smf_clock_init(smf, 48000.0, 1.0, &clock), HTZ_OK);
  assert_int_equal(htz_smf_iter_new(smf, &clock, &iter), HTZ_OK);
  for (int i = 0; i < 2; ++i) {
    assert_true(htz_smf_iter_next(iter, &event));
    assert_true(event.status == HTZ_MIDI_SYSTEM && event.data1 == HTZ_SYSTEM_RESET);
  }
  const uint64_t at = 2 * event.frame;
  for (unsigned key = 0; key < 128; ++key) {
    assert_true(htz_smf_iter_next(iter, &event));
    assert_true(event.status == HTZ_MIDI_SYSTEM && event.data1 == HTZ_SYSTEM_KEY && event.data2 == key);
    assert_int_equal(event.frame, at);
  }
  assert_true(htz_smf_iter_next(iter, &event));
  assert_true(event.status == 0x90 && event.value == 0 && event.frame == at);
  htz_smf_iter_free(iter);
  htz_smf_free(smf);
  free(s.bytes);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(resets_of_every_maker_for_any_device),
      cmocka_unit_test(master_volume_and_tuning),
      cmocka_unit_test(a_note_change_has_its_frequency_program_and_time),
      cmocka_unit_test(a_dump_means_every_key_and_a_damaged_one_none),
      cmocka_unit_test(octaves_of_one_and_two_bytes),
      cmocka_unit_test(what_is_not_understood_means_nothing),
      cmocka_unit_test(written_it_means_the_same),
      cmocka_unit_test(songs_have_them_as_events_and_in_escapes),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
