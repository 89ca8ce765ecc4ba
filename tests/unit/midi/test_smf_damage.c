#include "check.h"

#include "song.h"

#include <stdio.h>
#include <time.h>

#ifndef HTZ_SOURCE_DIR
#define HTZ_SOURCE_DIR "."
#endif
#define FIXTURES HTZ_SOURCE_DIR "/tests/fixtures/midi/"

static void good_fixtures_are_whole(void** state) {
  (void)state;
  static const struct {
    const char* name;
    unsigned format, tracks;
    uint64_t notes;
    double seconds;
  } cases[] = {
      {"song.mid", 0, 1, 120, 30.0},
      {"smpte.mid", 0, 1, 120, 28.8}, // 120 notes of 240 ticks of a millisecond
      {"type2.mid", 2, 2, 28, 7.0},   // 9 and 19 notes of a quarter second
      {"clean.mid", 0, 1, 2, 1.0},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
    char path[512];
    htz_smf* smf = NULL;
    htz_smf_diag diag;
    snprintf(path, sizeof path, FIXTURES "%s", cases[i].name);
    assert_int_equal(htz_smf_load_file(path, &smf, &diag), HTZ_OK);
    const htz_smf_info* info = htz_smf_get_info(smf);
    assert_string_equal(diag.text, "");
    assert_int_equal(info->damage, 0);
    assert_int_equal(info->irregular, 0);
    assert_int_equal(info->format, cases[i].format);
    assert_int_equal(info->tracks, cases[i].tracks);
    assert_int_equal(info->notes, cases[i].notes);
    assert_int_equal(info->missing_offs, 0);
    check_close(htz_smf_seconds(smf, info->end), cases[i].seconds, 1e-15);
    htz_smf_free(smf);
  }
}

static void damaged_fixtures_play_as_far_as_they_are_valid(void** state) {
  (void)state;
  static const struct {
    const char* name;
    const char* text;
    uint64_t notes, missing;
  } cases[] = {
      {"bad_trunc.mid", "byte 18: track 1 declares 1094 bytes, only 278 are there", 30, 1},
      {"alien.mid", "byte 14: the header declares 2 tracks, the file has 1", 4, 0},
      {"manytrk.mid", "byte 14: the header declares 65535 tracks, the file has 1", 4, 0},
      {"hugetrk.mid", "byte 18: track 1 declares 4294967295 bytes, only 4 are there", 1, 1},
      {"cc7-ff-middle.mid", "byte 34: track 1 has a data byte of 255 (0xFF), played as 127", 2, 0},
      {"pan-e2-first.mid", "byte 25: track 1 has a data byte of 226 (0xE2), played as 127", 2, 0},
      {"f4-between.mid", "byte 27: track 1 has the undefined status 0xF4, left out", 2, 0},
      {"eot-in-middle.mid", "byte 33: track 1 goes on after its End of Track, played", 3, 0},
      {"nul-before.mid", "byte 0: 1 byte before the song's header, stepped over", 2, 0},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
    char path[512];
    htz_smf* smf = NULL;
    htz_smf_diag diag;
    snprintf(path, sizeof path, FIXTURES "%s", cases[i].name);
    assert_int_equal(htz_smf_load_file(path, &smf, &diag), HTZ_OK);
    assert_string_equal(diag.text, cases[i].text);
    assert_int_equal(htz_smf_get_info(smf)->damage, 1);
    assert_int_equal(htz_smf_get_info(smf)->notes, cases[i].notes);
    assert_int_equal(htz_smf_get_info(smf)->missing_offs, cases[i].missing);
    htz_smf_free(smf);
  }
}

static void files_with_nothing_to_play_are_refused(void** state) {
  (void)state;
  static const char* const cases[][2] = {
      {"bad_magic.mid", "not a Standard MIDI File (starts with \"hell\")"},
      {"empty.mid", "not a Standard MIDI File (empty)"},
      {"div0.mid", "byte 12: the time division is 0"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
    char path[512];
    htz_smf* smf = NULL;
    htz_smf_diag diag;
    snprintf(path, sizeof path, FIXTURES "%s", cases[i][0]);
    assert_int_equal(htz_smf_load_file(path, &smf, &diag), HTZ_BAD_INPUT);
    assert_null(smf);
    assert_string_equal(diag.text, cases[i][1]);
  }
}

#define BYTES(text) text, sizeof text - 1
#define HEADER(format, tracks, division) "MThd\0\0\0\6" format tracks division

static void other_hopeless_files_are_refused(void** state) {
  (void)state;
  static const struct {
    const char* bytes;
    size_t size;
    const char* text;
  } cases[] = {
      {BYTES("M"), "not a Standard MIDI File (starts with \"M\")"},
      {BYTES("\x1B[2J"), "not a Standard MIDI File (starts with \"\\x1B[2J\")"},
      {BYTES("\0\0\"\\"), "not a Standard MIDI File (starts with \"\\x00\\x00\\x22\\x5C\")"},
      {BYTES("MThd\0\0\0\6\0\1"), "byte 10: the file ends inside its header"},
      {BYTES("MThd\0\0\0\5\0\0\0\1\1\xE0"
             "MTrk\0\0\0\0"),
       "byte 4: a header of 5 bytes, at least 6 are needed"},
      {BYTES(HEADER("\0\1", "\0\0", "\1\xE0")), "byte 14: no track in the file"},
      {BYTES(HEADER("\0\1", "\0\1", "\1\xE0") "ABCD\0\0\0\0"), "byte 14: no track in the file"},
      {BYTES(HEADER("\0\1", "\0\1", "\1\xE0") "MTrk\0\0\0"), "byte 14: no track in the file"},
      {BYTES(HEADER("\0\1", "\0\1", "\1\xE0") "MTrk\0\0\0\0"), "byte 14: no valid event in any track"},
      {BYTES(HEADER("\0\1", "\0\1", "\1\xE0") "MTrk\0\0\0\4\0\x3C\x40\x40"), "byte 14: no valid event in any track"},
      {BYTES(HEADER("\0\0", "\0\1", "\xE7\0")), "byte 12: the time division is 0"},
      {BYTES(HEADER("\0\0", "\0\1", "\x80\1")), "byte 12: SMPTE frame rate 128 is none of 24, 25, 29, 30"},
      {BYTES("RIFF\4\0\0\0WAVE"), "not a Standard MIDI File (holds \"WAVE\")"},
      {BYTES("RIFF\4\0\0"), "not a Standard MIDI File (starts with \"RIFF\")"},
      {BYTES("RIFF\4\0\0\0RMID"), "RIFF file without a MIDI data chunk"},
      {BYTES("RIFF\4\0\0\0RMIDdata\4\0\0\0junk"), "not a Standard MIDI File (holds \"junk\")"},
      {BYTES("RIFF\4\0\0\0RMIDLIST\xFF\xFF\xFF\xFF"), "RIFF file without a MIDI data chunk"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
    htz_smf* smf = NULL;
    htz_smf_diag diag;
    assert_int_equal(htz_smf_load(cases[i].bytes, cases[i].size, &smf, &diag), HTZ_BAD_INPUT);
    assert_null(smf);
    assert_string_equal(diag.text, cases[i].text);
  }
}

// Each entry is a track's bytes: a good note, then something wrong, then another note that must not be played.
static void a_fault_ends_its_track_and_no_other(void** state) {
  (void)state;
  static const struct {
    const char* bytes;
    size_t size;
    const char* text;
    unsigned notes; // in the track
  } cases[] = {
      {BYTES("\0\x90\x3C\x40\x81\x81\x81\x81\0\x90\x3D\x40"), "byte 30: track 1 has a number of more than 4 bytes", 1},
      {BYTES("\0\x3C\x40\0\x90\x3D\x40"), "byte 23: track 1 has data without a status byte", 0},
      {BYTES("\0\x90\x3C\x40\0\xFF\1\x7F"
             "ab"),
       "byte 32: track 1 breaks off inside an event", 1},
      {BYTES("\0\x90\x3C\x40\0\xF0\x82\0"
             "ab"),
       "byte 32: track 1 breaks off inside an event", 1},
      {BYTES("\0\x90\x3C\x40\0\xF7\x81\x82\x83\x84\5"), "byte 32: track 1 has a number of more than 4 bytes", 1},
      {BYTES("\0\x90\x3C\x40\0\xFF"), "byte 28: track 1 breaks off inside an event", 1},
      {BYTES("\0\x90\x3C\x40\x81"), "byte 27: track 1 breaks off inside an event", 1},
      {BYTES("\0\x90\x3C\x40\0"), "byte 27: track 1 breaks off inside an event", 1},
      {BYTES("\0\x90\x3C\x40\0\xC0"), "byte 28: track 1 breaks off inside an event", 1},
      {BYTES("\0\x90\x3C\x40\0\xF2\1"), "byte 29: track 1 breaks off inside an event", 1},
      {BYTES("\0\xFF\x51\2\1\1\0\x90\x3C\x40\0\xFF\x2F\0"), "byte 24: track 1 has a tempo of fewer than 3 bytes, ignored", 1},
      {BYTES("\0\xFF\x51\3\0\0\0\0\x90\x3C\x40\0\xFF\x2F\0"), "byte 24: track 1 has a tempo of zero, ignored", 1},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
    song s = {0};
    song_header(&s, 1, 2, 480);
    song_track(&s);
    song_put(&s, cases[i].bytes, cases[i].size);
    song_close(&s);
    song_track(&s);
    song_event(&s, 480, 0x91, 70, 100);
    song_end(&s, 0);
    htz_smf* smf = NULL;
    htz_smf_diag diag;
    assert_int_equal(htz_smf_load(s.bytes, s.size, &smf, &diag), HTZ_OK);
    assert_int_equal(strncmp(diag.text, cases[i].text, strlen(cases[i].text)), 0);
    assert_int_equal(htz_smf_get_info(smf)->damage, 1);
    assert_int_equal(htz_smf_get_info(smf)->notes, cases[i].notes + 1);
    assert_true(htz_smf_seconds(smf, htz_smf_get_info(smf)->end) == 0.5); // the tempo was ignored too
    htz_smf_free(smf);
    song_free(&s);
  }
}

static void lost_chunks_are_found_again(void** state) {
  (void)state;
  htz_smf* smf = NULL;
  htz_smf_diag diag;
  for (int kind = 0; kind < 4; ++kind) {
    song s = {0};
    song_header(&s, 1, 2, 480);
    song_track(&s);
    song_event(&s, 0, 0x90, 60, 100);
    song_end(&s, 0);
    if (kind == 0) {
      song_put(&s, "\0\1\2\3\4\5\6\7\x08M", 10); // noise
    } else if (kind == 1) {
      song_put(&s, "XFIH\x7F\0\0\0", 8); // a chunk longer than the file
    } else if (kind == 2) {
      song_put(&s, "\0", 1); // padding
    } else {
      song_patch(&s, s.track_at - 4, 23); // the first track's length would swallow some of the second
    }
    song_track(&s);
    song_event(&s, 0, 0x91, 60, 100);
    song_end(&s, 0);
    assert_int_equal(htz_smf_load(s.bytes, s.size, &smf, &diag), HTZ_OK);
    assert_int_equal(htz_smf_get_info(smf)->tracks, 2);
    assert_int_equal(htz_smf_get_info(smf)->notes, 2);
    assert_int_equal(htz_smf_get_info(smf)->damage, kind < 2 ? 1 : 0);
    htz_smf_free(smf);
    song_free(&s);
  }
}

static uint8_t* read_fixture(const char* name, size_t* size) {
  char path[512];
  snprintf(path, sizeof path, FIXTURES "%s", name);
  FILE* file = fopen(path, "rb");
  assert_non_null(file);
  uint8_t* bytes = malloc(4096);
  *size = fread(bytes, 1, 4096, file);
  fclose(file);
  return bytes;
}

static void every_truncation_plays_at_least_as_much_as_a_shorter_one(void** state) {
  (void)state;
  static const char* const names[] = {"song.mid", "type2.mid", "smpte.mid", "alien.mid"};
  for (size_t n = 0; n < sizeof names / sizeof *names; ++n) {
    size_t size = 0;
    uint8_t* bytes = read_fixture(names[n], &size);
    uint64_t events = 0;
    uint64_t end = 0;
    bool playable = false;
    for (size_t cut = 0; cut <= size; ++cut) {
      // A copy of exactly this size, so that the address sanitizer sees a read beyond it.
      uint8_t* exact = malloc(cut ? cut : 1);
      memcpy(exact, bytes, cut);
      htz_smf* smf = NULL;
      htz_smf_diag diag;
      const htz_status status = htz_smf_load(exact, cut, &smf, &diag);
      free(exact);
      if (status) {
        assert_int_equal(status, HTZ_BAD_INPUT);
        assert_false(playable);
        assert_true(diag.text[0] != '\0');
        continue;
      }
      playable = true;
      const htz_smf_info* info = htz_smf_get_info(smf);
      assert_true(info->events >= events && info->end >= end);
      assert_true(cut == size || info->damage > 0);
      size_t count = 0;
      htz_smf_event* played = song_play(smf, 48000.0, 1.0, &count);
      assert_int_equal(count, info->events);
      events = info->events;
      end = info->end;
      free(played);
      htz_smf_free(smf);
    }
    assert_true(playable);
    free(bytes);
  }
}

// Random bytes put anywhere: no crash, time never runs backwards, what is counted is what is played.
static void random_damage_is_survived(void** state) {
  (void)state;
  size_t size = 0;
  uint8_t* bytes = read_fixture("type2.mid", &size);
  uint32_t seed = 11;
  for (int round = 0; round < 20000; ++round) {
    uint8_t* copy = malloc(size);
    memcpy(copy, bytes, size);
    for (int i = 0; i <= round % 8; ++i) {
      seed = seed * 1664525U + 1013904223U;
      copy[(seed >> 16) % size] = (uint8_t)(seed >> 8);
    }
    htz_smf* smf = NULL;
    htz_smf_diag diag;
    if (!htz_smf_load(copy, size, &smf, &diag)) {
      size_t count = 0;
      htz_smf_event* played = song_play(smf, 192000.0, 0.01, &count);
      assert_int_equal(count, htz_smf_get_info(smf)->events);
      for (size_t i = 1; i < count; ++i) {
        assert_true(played[i].time >= played[i - 1].time && played[i].frame >= played[i - 1].frame);
      }
      assert_true(!count || played[count - 1].time <= htz_smf_get_info(smf)->end);
      free(played);
    }
    htz_smf_free(smf);
    free(copy);
  }
  free(bytes);
}

// As many tracks as there can be, and more; and nothing but tempos. Time must grow no faster than the file.
static void large_files_load_in_bounded_time(void** state) {
  (void)state;
  htz_smf* smf = NULL;
  htz_smf_diag diag;
  song s = {0};
  const clock_t begin = clock();
  song_header(&s, 1, 65535, 480);
  for (int i = 0; i < 70000; ++i) {
    song_track(&s);
    song_event(&s, (uint32_t)(70000 - i), 0x90, 60, 100);
    song_end(&s, 0);
  }
  assert_int_equal(htz_smf_load(s.bytes, s.size, &smf, &diag), HTZ_OK);
  assert_int_equal(htz_smf_get_info(smf)->tracks, HTZ_SMF_MAX_TRACKS);
  assert_int_equal(htz_smf_get_info(smf)->damage, 1);
  size_t count = 0;
  htz_smf_event* played = song_play(smf, 48000.0, 1.0, &count);
  assert_int_equal(count, HTZ_SMF_MAX_TRACKS);
  assert_int_equal(played[0].track, HTZ_SMF_MAX_TRACKS - 1); // the last track's event is the earliest
  free(played);
  htz_smf_free(smf);
  song_free(&s);

  song_header(&s, 1, 1, 480);
  song_track(&s);
  for (int i = 0; i < 500000; ++i) {
    song_tempo(&s, 1, 1 + (uint32_t)i);
  }
  song_end(&s, 0);
  assert_int_equal(htz_smf_load(s.bytes, s.size, &smf, &diag), HTZ_OK);
  assert_int_equal(htz_smf_get_info(smf)->end, UINT64_C(500000) + UINT64_C(499999) * 500000 / 2);
  htz_smf_free(smf);
  song_free(&s);
  // Some 100 ms on an ordinary machine; a quadratic algorithm would take minutes.
  check_below((double)(clock() - begin) / CLOCKS_PER_SEC, 10.0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(good_fixtures_are_whole),
      cmocka_unit_test(damaged_fixtures_play_as_far_as_they_are_valid),
      cmocka_unit_test(files_with_nothing_to_play_are_refused),
      cmocka_unit_test(other_hopeless_files_are_refused),
      cmocka_unit_test(a_fault_ends_its_track_and_no_other),
      cmocka_unit_test(lost_chunks_are_found_again),
      cmocka_unit_test(every_truncation_plays_at_least_as_much_as_a_shorter_one),
      cmocka_unit_test(random_damage_is_survived),
      cmocka_unit_test(large_files_load_in_bounded_time),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
