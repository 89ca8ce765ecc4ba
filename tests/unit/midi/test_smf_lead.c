// The MIDI of a take that begins in the middle of a performance: alone it begins with the take, unfolded with the performance.
#include "check.h"

#include "hertzian/midi/chase.h"
#include "hertzian/midi/smf.h"
#include "hertzian/midi/smf_write.h"
#include "hertzian/midi/sysex.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { RATE = 48000, LONG_AFTER = 700000000 }; // beyond what one number of 28 bits can wait

static char whole_path[256], take_path[256];

static int set_up(void** state) {
  (void)state;
  const char* folder = getenv("TMPDIR");
  snprintf(whole_path, sizeof whole_path, "%s/hertzian-whole-%ld.mid", folder ? folder : "/tmp", (long)getpid());
  snprintf(take_path, sizeof take_path, "%s/hertzian-take-%ld.mid", folder ? folder : "/tmp", (long)getpid());
  unlink(whole_path);
  unlink(take_path);
  return 0;
}

static int tear_down(void** state) {
  (void)state;
  unlink(whole_path);
  unlink(take_path);
  return 0;
}

static htz_smf_writer* open_writer(const char* path) {
  htz_smf_writer* writer = NULL;
  assert_int_equal(htz_smf_writer_open(path, RATE, &writer), HTZ_OK);
  assert_int_equal(htz_smf_writer_text(writer, "a text"), HTZ_OK);
  return writer;
}

static void put(htz_smf_writer* writer, uint64_t frame, unsigned status, unsigned data1, unsigned data2) {
  const htz_midi_message m = {
      .frame = frame, .status = (uint8_t)status, .data1 = (uint8_t)data1, .data2 = (uint8_t)data2, .length = 3};
  assert_int_equal(htz_smf_writer_put(writer, &m), HTZ_OK);
}

static const struct {
  uint64_t frame;
  unsigned status, data1, data2;
} before[] = {{0, 0xC0, 12, 0}, {5, 0x90, 60, 100}, {70, 0xB0, 64, 127}, {LONG_AFTER - 3, 0x80, 60, 64}},
  within[] = {{LONG_AFTER + 7, 0x90, 62, 90}, {LONG_AFTER + 1000, 0x80, 62, 3}};

static const uint64_t first = LONG_AFTER; // frame at which the take begins

// A performance, and the file of a take in it.
static void write_both(void) {
  htz_smf_writer* whole = open_writer(whole_path);
  htz_smf_writer* take = open_writer(take_path);
  const uint64_t begins = htz_smf_writer_place(whole);
  htz_chase chase = {0};
  for (size_t i = 0; i < 4; ++i) {
    put(whole, before[i].frame, before[i].status, before[i].data1, before[i].data2);
    const htz_midi_message m = {
        .status = (uint8_t)before[i].status, .data1 = (uint8_t)before[i].data1, .data2 = (uint8_t)before[i].data2};
    htz_chase_follow(&chase, &m);
  }
  const uint64_t place = htz_smf_writer_place(whole);
  for (size_t i = 0; i < 2; ++i) {
    put(whole, within[i].frame, within[i].status, within[i].data1, within[i].data2);
  }
  assert_int_equal(htz_chase_write(&chase, take), HTZ_OK);
  assert_int_equal(htz_smf_writer_lead(take, whole, begins, place, before[3].frame, first), HTZ_OK);
  for (size_t i = 0; i < 2; ++i) {
    put(take, within[i].frame - first, within[i].status, within[i].data1, within[i].data2);
  }
  assert_int_equal(htz_smf_writer_close(take, 2000), HTZ_OK);
  assert_int_equal(htz_smf_writer_close(whole, first + 2000), HTZ_OK);
}

static htz_smf* load(const char* path) {
  htz_smf* song = NULL;
  htz_smf_diag diag;
  assert_int_equal(htz_smf_load_file(path, &song, &diag), HTZ_OK);
  assert_int_equal(htz_smf_get_info(song)->damage, 0);
  assert_int_equal(htz_smf_get_info(song)->irregular, 0);
  return song;
}

static size_t events_of(const htz_smf* song, htz_smf_event* events, size_t room) {
  htz_smf_clock clock;
  htz_smf_iter* iter = NULL;
  size_t n = 0;
  assert_int_equal(htz_smf_clock_init(song, RATE, 1.0, &clock), HTZ_OK);
  assert_int_equal(htz_smf_iter_new(song, &clock, &iter), HTZ_OK);
  while (n < room && htz_smf_iter_next(iter, &events[n])) {
    ++n;
  }
  htz_smf_iter_free(iter);
  return n;
}

static void alone_it_begins_with_the_take(void** state) {
  (void)state;
  write_both();
  htz_smf* song = load(take_path);
  htz_smf_event e[16];
  const size_t n = events_of(song, e, 16);
  assert_int_equal(n, 4); // program, pedal, and the take's own
  assert_true(e[0].frame == 0 && e[0].status == 0xC0 && e[0].data1 == 12);
  assert_true(e[1].frame == 0 && e[1].status == 0xB0 && e[1].data1 == 64 && e[1].data2 == 127);
  assert_true(e[2].frame == 7 && e[2].data1 == 62 && e[3].frame == 1000);
  htz_smf_free(song);
}

static void unfolded_it_is_the_performance(void** state) {
  (void)state;
  write_both();
  htz_smf* song = load(take_path);
  htz_smf* whole = load(whole_path);
  assert_int_equal(htz_smf_unfold(&song), HTZ_OK);
  const htz_smf_info* info = htz_smf_get_info(song);
  assert_int_equal(info->damage, 0);
  assert_int_equal(info->lead_notes, 1);
  assert_int_equal(info->end, htz_smf_get_info(whole)->end);
  htz_smf_clock clock;
  assert_int_equal(htz_smf_clock_init(song, RATE, 1.0, &clock), HTZ_OK);
  assert_int_equal(htz_smf_frame_of(&clock, info->lead), first);
  htz_smf_event ours[16], theirs[16];
  const size_t n = events_of(song, ours, 16);
  assert_int_equal(n, events_of(whole, theirs, 16));
  for (size_t i = 0; i < n; ++i) {
    assert_true(ours[i].frame == theirs[i].frame && ours[i].status == theirs[i].status && ours[i].data1 == theirs[i].data1 &&
                ours[i].data2 == theirs[i].data2);
  }
  htz_smf_free(song);
  htz_smf_free(whole);
}

static void other_songs_stay_as_they_are(void** state) {
  (void)state;
  write_both();
  htz_smf* song = load(whole_path);
  htz_smf* same = song;
  assert_int_equal(htz_smf_unfold(&song), HTZ_OK);
  assert_ptr_equal(song, same);
  assert_int_equal(htz_smf_get_info(song)->lead, 0);
  htz_smf_free(song);
}

// Whatever one byte of the file is, it is read, and no more than what is there.
static void a_damaged_lead_in_does_no_harm(void** state) {
  (void)state;
  uint8_t bytes[512];
  write_both();
  FILE* file = fopen(take_path, "rb");
  const size_t size = fread(bytes, 1, sizeof bytes, file);
  fclose(file);
  assert_in_range(size, 100, sizeof bytes - 1);
  static const uint8_t flips[] = {0x01, 0x80, 0xFF};
  for (size_t at = 0; at < size; ++at) {
    for (size_t f = 0; f < sizeof flips; ++f) {
      htz_smf* song = NULL;
      htz_smf_diag diag;
      bytes[at] ^= flips[f];
      if (htz_smf_load(bytes, size, &song, &diag) == HTZ_OK) {
        assert_int_equal(htz_smf_unfold(&song), HTZ_OK);
        htz_smf_free(song);
      }
      bytes[at] ^= flips[f];
    }
  }
  for (size_t cut = 0; cut < size; ++cut) {
    htz_smf* song = NULL;
    htz_smf_diag diag;
    if (htz_smf_load(bytes, cut, &song, &diag) == HTZ_OK) {
      assert_int_equal(htz_smf_unfold(&song), HTZ_OK);
      htz_smf_free(song);
    }
  }
}

static void what_has_moved_is_followed(void** state) {
  (void)state;
  static const uint8_t stream[][3] = {{0xB1, 101, 0}, {0xB1, 100, 0},  {0xB1, 6, 12},  {0xB1, 38, 50},
                                      {0xB1, 99, 1},  {0xB1, 6, 99},   {0xB2, 6, 5},   {0xB1, 0, 3},
                                      {0xC1, 40, 0},  {0xB1, 11, 80},  {0xB1, 7, 70},  {0xE1, 0, 70},
                                      {0xD1, 9, 0},   {0xB3, 64, 127}, {0xB3, 121, 0}, {0xB1, 120, 0}};
  static const uint8_t expected[][3] = {{0xB1, 0, 3},  {0xC1, 40, 0},  {0xB1, 101, 0},   {0xB1, 100, 0},
                                        {0xB1, 6, 12}, {0xB1, 38, 50}, {0xB1, 101, 127}, {0xB1, 100, 127},
                                        {0xB1, 7, 70}, {0xB1, 11, 80}, {0xD1, 9, 0},     {0xE1, 0, 70}};
  htz_chase chase = {0};
  for (size_t i = 0; i < sizeof stream / sizeof stream[0]; ++i) {
    const htz_midi_message m = {.status = stream[i][0], .data1 = stream[i][1], .data2 = stream[i][2]};
    htz_chase_follow(&chase, &m);
  }
  htz_smf_writer* writer = open_writer(take_path);
  assert_int_equal(htz_chase_write(&chase, writer), HTZ_OK);
  assert_int_equal(htz_smf_writer_close(writer, 0), HTZ_OK);
  htz_smf* song = load(take_path);
  htz_smf_event e[32];
  const size_t n = events_of(song, e, 32);
  assert_int_equal(n, sizeof expected / sizeof expected[0]);
  for (size_t i = 0; i < n; ++i) {
    assert_true(e[i].frame == 0 && e[i].status == expected[i][0] && e[i].data1 == expected[i][1] &&
                e[i].data2 == expected[i][2]);
  }
  htz_smf_free(song);
}

static bool says(const htz_smf* song, const htz_smf_event* e, const char* words) {
  const htz_smf_dial dial = htz_smf_dial_at(song, e->value);
  return e->status == HTZ_MIDI_SYSTEM && e->data1 == HTZ_SYSTEM_DIAL && dial.version == HTZ_SMF_DIAL_VERSION &&
         dial.size == strlen(words) && memcmp(dial.text, words, dial.size) == 0;
}

// What was dialled in before is said once more at the beginning of the take, and not twice when the performance stands before it.
static void what_was_dialled_in(void** state) {
  (void)state;
  htz_smf_writer* whole = open_writer(whole_path);
  htz_smf_writer* take = open_writer(take_path);
  const uint64_t begins = htz_smf_writer_place(whole);
  assert_int_equal(htz_smf_writer_dial(whole, 3, "set level 1"), HTZ_OK);
  put(whole, 5, 0x90, 60, 100);
  const uint64_t place = htz_smf_writer_place(whole);
  put(take, 0, 0xC0, 12, 0);
  assert_int_equal(htz_smf_writer_dial(take, 0, "set level 1"), HTZ_OK);
  assert_int_equal(htz_smf_writer_lead(take, whole, begins, place, 5, first), HTZ_OK);
  assert_int_equal(htz_smf_writer_dial(take, 0, "instrument all marimba"), HTZ_OK);
  put(take, 7, 0x90, 62, 90);
  char long_words[5000];
  memset(long_words, 'x', sizeof long_words);
  long_words[sizeof long_words - 1] = '\0';
  assert_int_equal(htz_smf_writer_dial(take, 9, long_words), HTZ_BAD_VALUE);
  assert_int_equal(htz_smf_writer_close(take, 20), HTZ_OK);
  assert_int_equal(htz_smf_writer_close(whole, 20), HTZ_OK);
  htz_smf* song = load(take_path);
  htz_smf_event e[16];
  assert_int_equal(htz_smf_get_info(song)->dials, 2);
  assert_int_equal(events_of(song, e, 16), 5); // and the key is let go of
  assert_true(says(song, &e[1], "set level 1") && e[1].frame == 0);
  assert_true(says(song, &e[2], "instrument all marimba") && e[2].frame == 0);
  assert_int_equal(htz_smf_dial_at(song, 0).size, 0); // no such event
  assert_int_equal(htz_smf_unfold(&song), HTZ_OK);
  assert_int_equal(htz_smf_get_info(song)->dials, 2);
  assert_int_equal(events_of(song, e, 16), 5); // of the keys, the take lets go of its own
  assert_true(says(song, &e[0], "set level 1") && e[0].frame == 3);
  assert_true(says(song, &e[2], "instrument all marimba") && e[2].frame == first);
  htz_smf_free(song);
}

int main(void) {
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
  const struct CMUnitTest tests[] = {
      TEST(alone_it_begins_with_the_take),  TEST(unfolded_it_is_the_performance), TEST(other_songs_stay_as_they_are),
      TEST(a_damaged_lead_in_does_no_harm), TEST(what_has_moved_is_followed),     TEST(what_was_dialled_in),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
