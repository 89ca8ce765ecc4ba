#include "check.h"

#include "song.h"

#include <stdio.h>
#include <unistd.h>

static htz_smf* loaded_with(const song* s, uint32_t damage, uint32_t irregular) {
  htz_smf* smf = NULL;
  htz_smf_diag diag;
  const htz_status status = htz_smf_load(s->bytes, s->size, &smf, &diag);
  if (status || htz_smf_get_info(smf)->damage != damage) {
    print_error("%s\n", diag.text);
  }
  assert_int_equal(status, HTZ_OK);
  assert_int_equal(htz_smf_get_info(smf)->damage, damage);
  assert_int_equal(htz_smf_get_info(smf)->irregular, irregular);
  assert_int_equal(diag.text[0] != '\0', damage > 0);
  return smf;
}

static void expect(const htz_smf_event* e, uint64_t frame, unsigned track, unsigned status, unsigned data1, unsigned data2) {
  assert_int_equal(e->frame, frame);
  assert_int_equal(e->track, track);
  assert_int_equal(e->status, status);
  assert_int_equal(e->data1, data1);
  assert_int_equal(e->data2, data2);
}

static void tracks_merge_by_time_then_track_then_place(void** state) {
  (void)state;
  song s = {0};
  song_header(&s, 1, 3, 0xE700 | 40); // ticks of a millisecond
  song_track(&s);
  song_event(&s, 10, 0x90, 1, 1);
  song_event(&s, 0, 0x90, 2, 1);
  song_event(&s, 20, 0x90, 3, 1);
  song_end(&s, 0);
  song_track(&s);
  song_event(&s, 5, 0x91, 4, 1);
  song_event(&s, 5, 0x91, 5, 1);
  song_event(&s, 0, 0xC1, 6, 0);
  song_end(&s, 500);
  song_track(&s);
  song_event(&s, 10, 0x92, 7, 1);
  song_event(&s, 20, 0x92, 8, 1);
  song_end(&s, 1);
  htz_smf* smf = loaded_with(&s, 0, 0);
  size_t count = 0;
  htz_smf_event* e = song_play(smf, 1000.0, 1.0, &count);
  assert_int_equal(count, 8);
  expect(&e[0], 5, 1, 0x91, 4, 1);
  expect(&e[1], 10, 0, 0x90, 1, 1);
  expect(&e[2], 10, 0, 0x90, 2, 1);
  expect(&e[3], 10, 1, 0x91, 5, 1);
  expect(&e[4], 10, 1, 0xC1, 6, 0);
  expect(&e[5], 10, 2, 0x92, 7, 1);
  expect(&e[6], 30, 0, 0x90, 3, 1);
  expect(&e[7], 30, 2, 0x92, 8, 1);
  assert_int_equal(e[4].length, 2);
  assert_int_equal(e[5].length, 3);
  const htz_smf_info* info = htz_smf_get_info(smf);
  assert_int_equal(info->format, 1);
  assert_int_equal(info->tracks, 3);
  assert_true(htz_smf_seconds(smf, info->end) == 0.510);
  assert_true(htz_smf_seconds(smf, info->last_event) == 0.030);
  free(e);
  htz_smf_free(smf);
  song_free(&s);
}

static void a_tempo_in_any_track_rules_all(void** state) {
  (void)state;
  song s = {0};
  song_header(&s, 1, 3, 100);
  song_track(&s);
  song_event(&s, 100, 0x90, 60, 1); // 0.5 s at the default
  song_event(&s, 100, 0x90, 61, 1); // 1 s later
  song_event(&s, 100, 0x90, 62, 1); // 0.25 s later
  song_end(&s, 0);
  song_track(&s);
  song_tempo(&s, 200, 777777); // overruled by the later track at the same tick
  song_end(&s, 0);
  song_track(&s);
  song_tempo(&s, 100, 1000000);
  song_tempo(&s, 100, 123456);
  song_tempo(&s, 0, 250000);
  song_end(&s, 0);
  htz_smf* smf = loaded_with(&s, 0, 0);
  size_t count = 0;
  htz_smf_event* e = song_play(smf, 1000.0, 1.0, &count);
  assert_int_equal(count, 3);
  assert_int_equal(e[0].frame, 500);
  assert_int_equal(e[1].frame, 1500);
  assert_int_equal(e[2].frame, 1750);
  free(e);
  htz_smf_free(smf);
  song_free(&s);
}

static void type_2_tracks_follow_each_other_with_tempos_of_their_own(void** state) {
  (void)state;
  song s = {0};
  song_header(&s, 2, 3, 100);
  song_track(&s);
  song_tempo(&s, 0, 1000000);
  song_event(&s, 100, 0x90, 60, 1);
  song_end(&s, 100); // at 2 s
  song_track(&s);
  song_event(&s, 0, 0x90, 61, 1);
  song_event(&s, 100, 0x90, 62, 1); // the default tempo again: 2.5 s
  song_tempo(&s, 0, 2000000);
  song_end(&s, 50); // 3.5 s
  song_track(&s);
  song_event(&s, 1, 0x90, 63, 1);
  song_end(&s, 0);
  htz_smf* smf = loaded_with(&s, 0, 0);
  size_t count = 0;
  htz_smf_event* e = song_play(smf, 1000.0, 1.0, &count);
  assert_int_equal(count, 4);
  expect(&e[0], 1000, 0, 0x90, 60, 1);
  expect(&e[1], 2000, 1, 0x90, 61, 1);
  expect(&e[2], 2500, 1, 0x90, 62, 1);
  expect(&e[3], 3505, 2, 0x90, 63, 1);
  assert_true(htz_smf_seconds(smf, htz_smf_get_info(smf)->end) == 3.505);
  free(e);
  htz_smf_free(smf);
  song_free(&s);
}

// The same music, once with a status byte on each event and once with running status.
static void running_status_equals_explicit_status(void** state) {
  (void)state;
  song songs[2] = {{0}, {0}};
  for (int running = 0; running < 2; ++running) {
    song* s = &songs[running];
    unsigned last = 0;
    song_header(s, 0, 1, 480);
    song_track(s);
    for (unsigned i = 0; i < 300; ++i) {
      const unsigned status = 0x90 + i / 7 % 3 * 16 + i / 50;
      if (running && status == last) {
        const uint8_t bytes[2] = {(uint8_t)(i & 0x7F), (uint8_t)(i * 5 & 0x7F)};
        song_delta(s, i);
        song_put(s, bytes, (status & 0xF0) == 0xC0 ? 1 : 2);
      } else {
        song_event(s, i, status, i & 0x7F, i * 5 & 0x7F);
      }
      last = status;
    }
    song_end(s, 0);
  }
  assert_true(songs[1].size < songs[0].size);
  htz_smf_event* e[2];
  size_t count[2];
  for (int i = 0; i < 2; ++i) {
    htz_smf* smf = loaded_with(&songs[i], 0, 0);
    e[i] = song_play(smf, 48000.0, 1.0, &count[i]);
    htz_smf_free(smf);
    song_free(&songs[i]);
  }
  assert_int_equal(count[0], 300);
  assert_int_equal(count[1], 300);
  for (size_t i = 0; i < 300; ++i) {
    expect(&e[1][i], e[0][i].frame, 0, e[0][i].status, e[0][i].data1, e[0][i].data2);
  }
  free(e[0]);
  free(e[1]);
}

static void running_status_after_meta_is_understood_and_counted(void** state) {
  (void)state;
  song s = {0};
  song_header(&s, 0, 1, 480);
  song_track(&s);
  song_event(&s, 0, 0x90, 60, 100);
  song_tempo(&s, 10, 500000);
  song_put(&s, "\x0A\x3D\x65", 3); // data only
  song_put(&s, "\x0A\x3E\x66", 3);
  song_put(&s, "\x00\xF0\x02\x01\xF7", 5);
  song_put(&s, "\x0A\x3F\x67", 3);
  song_end(&s, 0);
  htz_smf* smf = loaded_with(&s, 0, 2);
  size_t count = 0;
  htz_smf_event* e = song_play(smf, 1000.0, 1.0, &count);
  assert_int_equal(count, 4);
  expect(&e[1], 21, 0, 0x90, 61, 101);
  expect(&e[3], 42, 0, 0x90, 63, 103);
  free(e);
  htz_smf_free(smf);
  song_free(&s);
}

static void sysex_continuations_and_escapes_are_skipped(void** state) {
  (void)state;
  song s = {0};
  song_header(&s, 0, 1, 480);
  song_track(&s);
  song_put(&s, "\x00\xF0\x03\x43\x12\x00", 6);     // begins
  song_put(&s, "\x0A\xF7\x03\x43\x12\x90", 6);     // goes on
  song_put(&s, "\x0A\xF7\x02\x01\xF7", 5);         // ends
  song_put(&s, "\x00\xF7\x02\xF3\x01", 5);         // escape
  song_put(&s, "\x00\xFF\x7F\x03\x90\x40\x40", 7); // a sequencer's own
  song_event(&s, 0, 0x90, 60, 100);
  song_end(&s, 0);
  htz_smf* smf = loaded_with(&s, 0, 0);
  size_t count = 0;
  htz_smf_event* e = song_play(smf, 960.0, 1.0, &count);
  assert_int_equal(count, 1);
  expect(&e[0], 20, 0, 0x90, 60, 100);
  free(e);
  htz_smf_free(smf);
  song_free(&s);
}

static void silent_note_on_is_a_note_off(void** state) {
  (void)state;
  song s = {0};
  song_header(&s, 0, 1, 480);
  song_track(&s);
  song_event(&s, 0, 0x93, 60, 100);
  song_event(&s, 9, 0x93, 60, 0);
  song_event(&s, 9, 0x93, 60, 100);
  song_event(&s, 9, 0x83, 60, 64);
  song_end(&s, 0);
  htz_smf* smf = loaded_with(&s, 0, 0);
  size_t count = 0;
  htz_smf_event* e = song_play(smf, 960.0, 1.0, &count);
  assert_int_equal(count, 4);
  expect(&e[1], 9, 0, 0x83, 60, 64);
  expect(&e[3], 27, 0, 0x83, 60, 64);
  assert_int_equal(htz_smf_get_info(smf)->notes, 2);
  assert_int_equal(htz_smf_get_info(smf)->missing_offs, 0);
  free(e);
  htz_smf_free(smf);
  song_free(&s);
}

static void the_survey_counts_what_is_played(void** state) {
  (void)state;
  song s = {0};
  song_header(&s, 0, 1, 480);
  song_track(&s);
  song_event(&s, 0, 0x90, 60, 100); // program 0
  song_event(&s, 0, 0xC0, 127, 0);
  song_event(&s, 0, 0x90, 61, 100);
  song_event(&s, 0, 0xC0, 40, 0); // never played
  song_event(&s, 0, 0xC5, 33, 0);
  song_event(&s, 0, 0x95, 10, 100);
  song_event(&s, 0, 0x95, 10, 100);
  song_event(&s, 0, 0x95, 11, 100);
  song_event(&s, 5, 0x85, 10, 0);
  song_event(&s, 5, 0x85, 99, 0); // was not on
  song_event(&s, 0, 0x97, 1, 1);
  song_event(&s, 0, 0x97, 2, 1);
  song_event(&s, 1, 0xB7, 123, 0); // all notes off
  song_event(&s, 1, 0xE7, 0, 64);
  song_end(&s, 100);
  htz_smf* smf = loaded_with(&s, 0, 0);
  const htz_smf_info* info = htz_smf_get_info(smf);
  assert_int_equal(info->events, 14);
  assert_int_equal(info->notes, 7);
  assert_int_equal(info->missing_offs, 4);
  assert_int_equal(info->held[0][60], 1);
  assert_int_equal(info->held[0][61], 1);
  assert_int_equal(info->held[5][10], 1);
  assert_int_equal(info->held[5][11], 1);
  assert_int_equal(info->channels_with_notes, 1U << 0 | 1U << 5 | 1U << 7);
  assert_int_equal(info->programs[0][0], 1);
  assert_int_equal(info->programs[0][1], 0);
  assert_int_equal(info->programs[0][3], 0x80000000U);
  assert_int_equal(info->programs[5][1], 2);
  assert_int_equal(info->programs[7][0], 1);
  assert_int_equal(info->last_event, UINT64_C(12) * 500000);
  assert_int_equal(info->end, UINT64_C(112) * 500000);
  htz_smf_free(smf);
  song_free(&s);
}

static void the_survey_knows_pedals_left_down(void** state) {
  (void)state;
  song s = {0};
  song_header(&s, 0, 1, 480);
  song_track(&s);
  song_event(&s, 0, 0xB0, 64, 127); // left down
  song_event(&s, 0, 0xB1, 64, 127);
  song_event(&s, 0, 0xB2, 66, 127); // left down
  song_event(&s, 0, 0xB2, 64, 127);
  song_event(&s, 0, 0xB3, 66, 127);
  song_event(&s, 0, 0xB4, 67, 127); // holds nothing
  song_event(&s, 0, 0xB5, 64, 1);   // not quite up
  song_event(&s, 9, 0xB1, 64, 0);
  song_event(&s, 9, 0xB2, 64, 0);
  song_event(&s, 9, 0xB3, 121, 0);
  song_end(&s, 0);
  htz_smf* smf = loaded_with(&s, 0, 0);
  assert_int_equal(htz_smf_get_info(smf)->pedals_down, 1U << 0 | 1U << 2 | 1U << 5);
  htz_smf_free(smf);
  song_free(&s);
}

static void little(song* s, uint32_t value) {
  for (int i = 0; i < 4; ++i) {
    const uint8_t byte = (uint8_t)(value >> (8 * i));
    song_put(s, &byte, 1);
  }
}

static void note_song(song* s) {
  song_header(s, 0, 1, 480);
  song_track(s);
  song_event(s, 480, 0x90, 60, 100);
  song_end(s, 0);
}

static void riff_wrapped_songs_play(void** state) {
  (void)state;
  song inner = {0};
  note_song(&inner);
  for (int odd = 0; odd < 2; ++odd) {
    song s = {0};
    song_put(&s, "RIFF", 4);
    little(&s, (uint32_t)(4 + 8 + 4 + 8 + inner.size));
    song_put(&s, "RMID", 4);
    song_put(&s, "DISP", 4);
    little(&s, odd ? 3 : 4);
    song_put(&s, "abc\0", 4); // odd lengths are padded
    song_put(&s, "data", 4);
    little(&s, (uint32_t)inner.size);
    song_put(&s, inner.bytes, inner.size);
    song_put(&s, "LIST\4\0\0\0MTrk", 12); // behind the song: not part of it
    htz_smf* smf = loaded_with(&s, 0, 0);
    assert_int_equal(htz_smf_get_info(smf)->notes, 1);
    htz_smf_free(smf);
    s.size -= 12 + 4; // cut End of Track
    smf = loaded_with(&s, 2, 1);
    assert_int_equal(htz_smf_get_info(smf)->notes, 1);
    htz_smf_free(smf);
    song_free(&s);
  }
  song_free(&inner);
}

static void foreign_chunks_and_long_headers_are_passed(void** state) {
  (void)state;
  song s = {0};
  song_put(&s, "MThd\0\0\0\x0A\0\1\0\2\1\xE0MTrk", 18); // four bytes more than we know
  song_put(&s, "XFIH\0\0\0\x08MTrk\0\0\0\0", 16);       // not a track
  song_track(&s);
  song_event(&s, 0, 0x90, 60, 100);
  song_end(&s, 0);
  song_put(&s, "XFKM\0\0\0\0", 8);
  song_track(&s);
  song_event(&s, 0, 0x91, 60, 100);
  song_end(&s, 0);
  song_put(&s, "junk at the end", 15); // a foreign chunk that breaks off: nothing of ours is missing
  htz_smf* smf = loaded_with(&s, 0, 0);
  assert_int_equal(htz_smf_get_info(smf)->tracks, 2);
  assert_int_equal(htz_smf_get_info(smf)->notes, 2);
  htz_smf_free(smf);
  song_free(&s);
}

static void a_missing_end_of_track_is_only_irregular(void** state) {
  (void)state;
  song s = {0};
  song_header(&s, 0, 1, 480);
  song_track(&s);
  song_event(&s, 480, 0x90, 60, 100);
  song_close(&s);
  htz_smf* smf = loaded_with(&s, 0, 1);
  assert_true(htz_smf_seconds(smf, htz_smf_get_info(smf)->end) == 0.5);
  htz_smf_free(smf);
  song_free(&s);
}

static void streams_and_paths_load_alike(void** state) {
  (void)state;
  song s = {0};
  note_song(&s);
  song_put(&s, "XFKM", 4);
  song_big(&s, 100000, 4); // larger than one read
  for (int i = 0; i < 100000; ++i) {
    song_put(&s, "", 1);
  }
  char folder[] = "/tmp/htz-smf-XXXXXX";
  assert_non_null(mkdtemp(folder));
  char path[64];
  snprintf(path, sizeof path, "%s/M\xC3\xBAsica b.mid", folder);
  FILE* file = fopen(path, "wb");
  assert_non_null(file);
  assert_int_equal(fwrite(s.bytes, 1, s.size, file), s.size);
  assert_int_equal(fclose(file), 0);
  htz_smf* smf = NULL;
  htz_smf_diag diag;
  assert_int_equal(htz_smf_load_file(path, &smf, &diag), HTZ_OK);
  assert_int_equal(htz_smf_get_info(smf)->notes, 1);
  htz_smf_free(smf);
  unlink(path);
  assert_int_equal(htz_smf_load_file(path, &smf, &diag), HTZ_NOT_FOUND);
  assert_null(smf);
  assert_non_null(strstr(diag.text, "cannot be opened"));
  assert_int_equal(htz_smf_load_file(folder, &smf, &diag), HTZ_IO); // a folder
  assert_non_null(strstr(diag.text, "cannot be read"));
  rmdir(folder);
  song_free(&s);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(tracks_merge_by_time_then_track_then_place),
      cmocka_unit_test(a_tempo_in_any_track_rules_all),
      cmocka_unit_test(type_2_tracks_follow_each_other_with_tempos_of_their_own),
      cmocka_unit_test(running_status_equals_explicit_status),
      cmocka_unit_test(running_status_after_meta_is_understood_and_counted),
      cmocka_unit_test(sysex_continuations_and_escapes_are_skipped),
      cmocka_unit_test(silent_note_on_is_a_note_off),
      cmocka_unit_test(the_survey_counts_what_is_played),
      cmocka_unit_test(the_survey_knows_pedals_left_down),
      cmocka_unit_test(riff_wrapped_songs_play),
      cmocka_unit_test(foreign_chunks_and_long_headers_are_passed),
      cmocka_unit_test(a_missing_end_of_track_is_only_irregular),
      cmocka_unit_test(streams_and_paths_load_alike),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
