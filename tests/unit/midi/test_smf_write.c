// What was played, written so that one tick is one frame: read again, every event is on its frame.
#include "check.h"

#include "hertzian/midi/smf.h"
#include "hertzian/midi/smf_write.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char path[256];

static int set_up(void** state) {
  (void)state;
  const char* folder = getenv("TMPDIR");
  snprintf(path, sizeof path, "%s/hertzian-smf-%ld.mid", folder ? folder : "/tmp", (long)getpid());
  unlink(path);
  return 0;
}

static int tear_down(void** state) {
  (void)state;
  unlink(path);
  return 0;
}

static void one_tick_is_one_frame_at_every_usual_rate(void** state) {
  (void)state;
  const double rates[] = {8000,  11025, 16000, 22050, 32000,  44100,  48000, 64000,
                          88200, 96000, 128e3, 176e3, 176400, 192000, 12345, 47999.0};
  for (size_t i = 0; i < sizeof rates / sizeof rates[0]; ++i) {
    unsigned division = 0, tempo = 0;
    const bool exact = htz_smf_frame_ticks(rates[i], &division, &tempo);
    assert_true(division >= 1 && division <= 32767);
    assert_true(tempo >= 1 && tempo <= 0xFFFFFF);
    if (rates[i] == 47999.0) { // a prime above 15 bits
      assert_false(exact);
      check_close(division * 1e6 / tempo, rates[i], 1e-5);
    } else {
      assert_true(exact);
      assert_true(division * UINT64_C(1000000) == (uint64_t)rates[i] * tempo);
    }
  }
  unsigned division = 0, tempo = 0;
  assert_false(htz_smf_frame_ticks(44100.5, &division, &tempo));
}

static const htz_midi_message played[] = {
    {0, 0x90, 60, 100, 3, 0},        {0, 0xC1, 12, 0, 2, 0},          {1, 0xB0, 7, 90, 3, 0},
    {127, 0xE3, 1, 64, 3, 0},        {128, 0x80, 60, 3, 3, 0},        {16384, 0x9F, 127, 1, 3, 0},
    {16384, 0xD2, 5, 0, 2, 0},       {3000000000, 0x90, 61, 1, 3, 0}, {3000000001, 0x90, 61, 2, 3, 0},
    {3000000002, 0xA0, 61, 9, 3, 0},
};
enum { PLAYED = sizeof played / sizeof played[0] };

static htz_smf* load(void) {
  htz_smf* song = NULL;
  htz_smf_diag diag;
  assert_int_equal(htz_smf_load_file(path, &song, &diag), HTZ_OK);
  assert_string_equal(diag.text, "");
  assert_int_equal(htz_smf_get_info(song)->damage, 0);
  return song;
}

static size_t compare(const htz_smf* song, double rate_hz) {
  htz_smf_clock clock;
  htz_smf_iter* iter = NULL;
  htz_smf_event event;
  size_t n = 0;
  assert_int_equal(htz_smf_clock_init(song, rate_hz, 1.0, &clock), HTZ_OK);
  assert_int_equal(htz_smf_iter_new(song, &clock, &iter), HTZ_OK);
  for (; htz_smf_iter_next(iter, &event); ++n) {
    if (n < PLAYED) {
      assert_int_equal(event.frame, played[n].frame);
      assert_int_equal(event.status, played[n].status);
      assert_int_equal(event.data1, played[n].data1);
      assert_int_equal(event.data2, played[n].data2);
    } else {
      // What was held at the end: key 127 of channel 16, key 61 twice.
      assert_int_equal(event.status & 0xF0, 0x80);
      assert_int_equal(event.frame, 3000001000);
    }
  }
  htz_smf_iter_free(iter);
  return n;
}

static void everything_comes_back_on_its_frame(void** state) {
  (void)state;
  const double rates[] = {44100.0, 48000.0, 96000.0};
  for (size_t r = 0; r < 3; ++r) {
    htz_smf_writer* writer = NULL;
    unlink(path);
    assert_int_equal(htz_smf_writer_open(path, rates[r], &writer), HTZ_OK);
    for (size_t i = 0; i < PLAYED; ++i) {
      assert_int_equal(htz_smf_writer_put(writer, &played[i]), HTZ_OK);
      if (i % 3 == 0) {
        assert_int_equal(htz_smf_writer_sync(writer), HTZ_OK);
        htz_smf* song = load(); // whole at any time
        assert_int_equal(compare(song, rates[r]), i + 1);
        htz_smf_free(song);
      }
    }
    assert_int_equal(htz_smf_writer_count(writer), PLAYED);
    assert_int_equal(htz_smf_writer_close(writer, 3000001000), HTZ_OK);
    htz_smf* song = load();
    assert_int_equal(compare(song, rates[r]), PLAYED + 3);
    assert_int_equal(htz_smf_get_info(song)->missing_offs, 0);
    htz_smf_free(song);
  }
}

// A system reset lets go of everything: nothing is left to release at the end, and programs are as at the start.
static void a_system_reset_comes_back(void** state) {
  (void)state;
  static const htz_midi_message messages[] = {{0, 0xC2, 12, 0, 2, 0},
                                              {10, 0x92, 60, 100, 3, 0},
                                              {20, 0xFF, 0, 0, 1, 0},
                                              {30, 0x92, 62, 100, 3, 0},
                                              {40, 0x82, 62, 64, 3, 0}};
  enum { MESSAGES = sizeof messages / sizeof messages[0] };
  htz_smf_writer* writer = NULL;
  assert_int_equal(htz_smf_writer_open(path, 48000.0, &writer), HTZ_OK);
  for (size_t i = 0; i < MESSAGES; ++i) {
    assert_int_equal(htz_smf_writer_put(writer, &messages[i]), HTZ_OK);
  }
  assert_int_equal(htz_smf_writer_close(writer, 50), HTZ_OK);
  htz_smf* song = load();
  const htz_smf_info* info = htz_smf_get_info(song);
  assert_int_equal(info->events, MESSAGES);
  assert_int_equal(info->missing_offs, 0);
  assert_true(info->programs[2][0] == (1u | 1u << 12)); // one note each before and after
  htz_smf_clock clock;
  htz_smf_iter* iter = NULL;
  htz_smf_event event;
  assert_int_equal(htz_smf_clock_init(song, 48000.0, 1.0, &clock), HTZ_OK);
  assert_int_equal(htz_smf_iter_new(song, &clock, &iter), HTZ_OK);
  for (size_t i = 0; i < MESSAGES; ++i) {
    assert_true(htz_smf_iter_next(iter, &event));
    assert_int_equal(event.frame, messages[i].frame);
    assert_int_equal(event.status, messages[i].status);
  }
  htz_smf_iter_free(iter);
  htz_smf_free(song);
}

static void nothing_played_is_a_song_too(void** state) {
  (void)state;
  htz_smf_writer* writer = NULL;
  assert_int_equal(htz_smf_writer_open(path, 48000.0, &writer), HTZ_OK);
  const htz_midi_message start = {5, 0xFA, 0, 0, 1, 0};
  assert_int_equal(htz_smf_writer_put(writer, &start), HTZ_OK); // not for files
  assert_int_equal(htz_smf_writer_close(writer, 48000), HTZ_OK);
  FILE* file = fopen(path, "rb");
  unsigned char bytes[64];
  const size_t n = fread(bytes, 1, sizeof bytes, file);
  fclose(file);
  const unsigned char want[] = {'M', 'T', 'h', 'd', 0, 0, 0, 6, 0, 0, 0, 1, 0x5D, 0xC0, 'M', 'T', 'r', 'k', 0, 0, 0, 13, 0,
                                0xFF, 0x51, 3, 0x07, 0xA1, 0x20,
                                // 48000 frames in a number of three bytes, then End of Track
                                0x82, 0xF7, 0x00, 0xFF, 0x2F, 0x00};
  assert_int_equal(n, sizeof want);
  assert_memory_equal(bytes, want, sizeof want);
}

static void a_file_that_is_there_stays(void** state) {
  (void)state;
  FILE* file = fopen(path, "wb");
  fputs("precious", file);
  fclose(file);
  htz_smf_writer* writer = NULL;
  assert_int_equal(htz_smf_writer_open(path, 48000.0, &writer), HTZ_IO);
  assert_int_equal(errno, EEXIST);
  assert_null(writer);
}

static void a_full_disk_is_noticed(void** state) {
  (void)state;
  htz_smf_writer* writer = NULL;
  if (access("/dev/full", W_OK) != 0 || symlink("/dev/full", path) != 0) {
    skip();
  }
  // A link is something that is there; through it nothing is written.
  assert_int_equal(htz_smf_writer_open(path, 48000.0, &writer), HTZ_IO);
}

int main(void) {
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
  const struct CMUnitTest tests[] = {
      TEST(one_tick_is_one_frame_at_every_usual_rate),
      TEST(everything_comes_back_on_its_frame),
      TEST(a_system_reset_comes_back),
      TEST(nothing_played_is_a_song_too),
      TEST(a_file_that_is_there_stays),
      TEST(a_full_disk_is_noticed),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
