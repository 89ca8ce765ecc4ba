#include "check.h"

#include "song.h"

#include <stdio.h>
#include <time.h>

// Damage in a track that other players read on through: what is played of it, and what is said.

#define BYTES(text) text, sizeof text - 1
#define END "\0\xFF\x2F\0"

typedef struct {
  const char* what;
  const char* bytes; // of the track
  size_t size;
  const char* events; // three bytes each, as they are to come out
  size_t n_events;
  const char* text; // of the first fault
  uint32_t damage;
  uint64_t last; // time of the last event, in ticks
} repair_case;

#define CASE(what, bytes, events, text, damage, last)                                                                          \
  { what, BYTES(bytes), events, (sizeof events - 1) / 3, text, damage, last }

static const repair_case cases[] = {
    CASE("one data byte, the first", "\0\xB0\x87\x40\0\x90\x3C\x40" END, "\xB0\x7F\x40\x90\x3C\x40",
         "byte 24: track 1 has a data byte of 135 (0x87), played as 127", 1, 0),
    CASE("one data byte, the second", "\0\xB0\x07\x80\0\x90\x3C\x40" END, "\xB0\x07\x7F\x90\x3C\x40",
         "byte 25: track 1 has a data byte of 128 (0x80), played as 127", 1, 0),
    CASE("both data bytes", "\0\xE0\xFF\xFE\0\x90\x3C\x40" END, "\xE0\x7F\x7F\x90\x3C\x40",
         "byte 24: track 1 has a data byte of 255 (0xFF), played as 127 (and 1 more)", 2, 0),
    CASE("the only data byte", "\0\xC0\xC8\0\x90\x3C\x40" END, "\xC0\x7F\0\x90\x3C\x40",
         "byte 24: track 1 has a data byte of 200 (0xC8), played as 127", 1, 0),
    CASE("in running status", "\0\x90\x3C\x40\x05\x3D\xC0\x05\x3E\x40" END, "\x90\x3C\x40\x90\x3D\x7F\x90\x3E\x40",
         "byte 28: track 1 has a data byte of 192 (0xC0), played as 127", 1, 10),
    CASE("the last event, and no End of Track", "\0\x90\x3C\x40\x05\x90\x3D\xC0", "\x90\x3C\x40\x90\x3D\x7F",
         "byte 29: track 1 has a data byte of 192 (0xC0), played as 127", 1, 5),
    CASE("cut short, the next status at once", "\0\x90\x3C\x90\x3E\x40\x83\x60\x80\x3E\x40" END, "\x90\x3E\x40\x80\x3E\x40",
         "byte 25: track 1 has an event that is cut short, left out", 1, 480),
    CASE("cut short after its status", "\0\x90\x3C\x40\x05\xB0\x90\x3E\x40" END, "\x90\x3C\x40\x90\x3E\x40",
         "byte 28: track 1 has an event that is cut short, left out", 1, 5),
    CASE("cut short, End of Track at once", "\0\x90\x3C\x40\x05\xB0\x07\xFF\x2F\0", "\x90\x3C\x40",
         "byte 29: track 1 has an event that is cut short, left out", 1, 0),
    CASE("cut short, then a delta time", "\0\x90\x3C\x40\0\xB0\x83\x60\x80\x3C\x40" END, "\x90\x3C\x40\x80\x3C\x40",
         "byte 28: track 1 has an event that is cut short, left out", 1, 480),
    // Either reading would do: with 127 the track reads on as it stands.
    CASE("both readings fit", "\0\x90\x3C\xC0\x05\x90\x3E\x40" END, "\x90\x3C\x7F\x90\x3E\x40",
         "byte 25: track 1 has a data byte of 192 (0xC0), played as 127", 1, 5),
    CASE("a data byte missing", "\0\x90\x3C\0\x90\x3E\x40\x18\x80\x3E\x40\0\x80\x3C\x40" END,
         "\x80\x3C\x40\x90\x3E\x40\x80\x3E\x40\x80\x3C\x40",
         "byte 26: track 1 lacks a byte: an event without its delta time, played", 1, 24),
    CASE("undefined, twice one kind", "\0\xF4\0\x90\x3C\x40\0\xF4\0\xFD\x05\x90\x3D\x40" END, "\x90\x3C\x40\x90\x3D\x40",
         "byte 23: track 1 has the undefined status 0xF4, left out (and 1 more)", 2, 5),
    CASE("undefined under running status", "\0\x90\x3C\x40\x05\xF9\x05\x3D\x40\0\xF5\0\x3E\x40" END,
         "\x90\x3C\x40\x90\x3D\x40\x90\x3E\x40", "byte 27: track 1 has the undefined status 0xF9, left out (and 1 more)", 2,
         10),
    CASE("undefined, with a data byte", "\0\xF5\x01\0\x90\x3C\x40" END, "\x90\x3C\x40",
         "byte 23: track 1 has a message 0xF5 without its length, left out", 1, 0),
    CASE("system exclusive as on a cable", "\0\xF0\x7E\x7F\x09\x01\xF7\x05\x90\x3C\x40" END, "\x90\x3C\x40",
         "byte 23: track 1 has a message 0xF0 without its length, left out", 1, 5),
    CASE("a number of five bytes", "\x80\x80\x80\x83\x60\x90\x3C\x40" END, "\x90\x3C\x40",
         "byte 22: track 1 has a number of more than 4 bytes, played as it is", 1, 480),
    CASE("data without a status", "\0\x3C\x40\0\x90\x3D\x40" END, "\x90\x3D\x40",
         "byte 22: track 1 has data without a status byte; left out", 1, 0),
    CASE("a text that is longer than the track", "\0\x90\x3C\x40\0\xFF\x01\x40\0\x90\x3D\x40" END, "\x90\x3C\x40\x90\x3D\x40",
         "byte 26: track 1 breaks off inside an event; left out", 1, 0),
    CASE("after End of Track", END "\0\x90\x3C\x40" END "\x05\x80\x3C\x40" END, "\x90\x3C\x40\x80\x3C\x40",
         "byte 24: track 1 goes on after its End of Track, played (and 1 more)", 2, 5),
    CASE("damage after End of Track", END "\0\x90\x3C\xC0" END, "\x90\x3C\x7F",
         "byte 24: track 1 goes on after its End of Track, played (and 1 more)", 2, 0),
    CASE("noise after End of Track", "\0\x90\x3C\x40" END "\x01\x02\x03\x84\x05", "\x90\x3C\x40",
         "byte 30: track 1 has 5 bytes after its End of Track, left out", 1, 0),
    CASE("nothing after End of Track", "\0\x90\x3C\x40" END "\0\0\0\0\0\0", "\x90\x3C\x40", "", 0, 0),
    CASE("End of Track twice", "\0\x90\x3C\x40" END END, "\x90\x3C\x40", "", 0, 0),
};

static song one_track(const char* bytes, size_t size) {
  song s = {0};
  song_header(&s, 0, 1, 480);
  song_track(&s);
  song_put(&s, bytes, size);
  song_close(&s);
  return s;
}

static void expect_song(const song* s, const repair_case* c) {
  htz_smf* smf = NULL;
  htz_smf_diag diag;
  assert_int_equal(htz_smf_load(s->bytes, s->size, &smf, &diag), HTZ_OK);
  size_t count = 0;
  htz_smf_event* events = song_play(smf, 960.0, 1.0, &count); // a frame is a tick
  if (strcmp(diag.text, c->text) != 0 || count != c->n_events || htz_smf_get_info(smf)->damage != c->damage) {
    print_message("%s: %zu events, %u faults, \"%s\"\n", c->what, count, htz_smf_get_info(smf)->damage, diag.text);
  }
  assert_string_equal(diag.text, c->text);
  assert_int_equal(htz_smf_get_info(smf)->damage, c->damage);
  assert_int_equal(count, c->n_events);
  for (size_t i = 0; i < count; ++i) {
    assert_int_equal(events[i].status, (uint8_t)c->events[3 * i]);
    assert_int_equal(events[i].data1, (uint8_t)c->events[3 * i + 1]);
    assert_int_equal(events[i].data2, (uint8_t)c->events[3 * i + 2]);
  }
  assert_int_equal(count ? events[count - 1].frame : 0, c->last);
  free(events);
  htz_smf_free(smf);
}

static void the_track_goes_on(void** state) {
  (void)state;
  for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
    song s = one_track(cases[i].bytes, cases[i].size);
    expect_song(&s, &cases[i]);
    song_free(&s);
  }
}

// Lengths that are not those of their tracks, with another track after it.
static void tracks_end_where_they_end(void** state) {
  (void)state;
  static const struct {
    uint32_t length;
    uint64_t notes;
    uint32_t damage;
  } lengths[] = {{12, 2, 0}, {0, 2, 1},  {3, 2, 1},  {4, 2, 1},         {11, 2, 1},
                 {13, 2, 0}, {20, 2, 0}, {28, 2, 0}, {0xFFFFFFFF, 2, 1}};
  for (size_t i = 0; i < sizeof lengths / sizeof *lengths; ++i) {
    song s = {0};
    song_header(&s, 1, 2, 480);
    song_track(&s);
    song_event(&s, 0, 0x90, 60, 100);
    song_event(&s, 5, 0x80, 60, 64);
    song_end(&s, 0);
    song_patch(&s, s.track_at - 4, lengths[i].length);
    song_track(&s);
    song_event(&s, 0, 0x91, 61, 100);
    song_event(&s, 5, 0x81, 61, 64);
    song_end(&s, 0);
    htz_smf* smf = NULL;
    htz_smf_diag diag;
    assert_int_equal(htz_smf_load(s.bytes, s.size, &smf, &diag), HTZ_OK);
    const htz_smf_info* info = htz_smf_get_info(smf);
    if (info->notes != lengths[i].notes || info->damage != lengths[i].damage || info->tracks != 2) {
      print_message("length %u: %s\n", lengths[i].length, diag.text);
    }
    assert_int_equal(info->tracks, 2);
    assert_int_equal(info->notes, lengths[i].notes);
    assert_int_equal(info->missing_offs, 0);
    assert_int_equal(info->damage, lengths[i].damage);
    htz_smf_free(smf);
    song_free(&s);
  }
}

// A byte over 127 and a length that is wrong, too: the track is as long as the file has it.
static void damage_and_a_wrong_length(void** state) {
  (void)state;
  for (uint32_t wrong = 0; wrong < 40; wrong += 3) {
    song s = one_track(BYTES("\0\x90\x3C\x40\x05\x90\x3E\xC0\x05\x90\x40\x40" END));
    song_patch(&s, s.track_at - 4, wrong);
    htz_smf* smf = NULL;
    htz_smf_diag diag;
    assert_int_equal(htz_smf_load(s.bytes, s.size, &smf, &diag), HTZ_OK);
    assert_int_equal(htz_smf_get_info(smf)->notes, 3);
    assert_true(htz_smf_get_info(smf)->damage > 0);
    htz_smf_free(smf);
    song_free(&s);
  }
}

// Before the header, and behind the song.
static void songs_are_found(void** state) {
  (void)state;
  for (int kind = 0; kind < 5; ++kind) {
    song s = {0};
    if (kind == 0) { // MacBinary
      static const uint8_t mac[128] = {0, 4, 's', 'o', 'n', 'g', [65] = 'M', 'i', 'd', 'i'};
      song_put(&s, mac, sizeof mac);
    } else if (kind == 1) {
      song_put(&s, "MThMThd", 3);
    } else if (kind == 2) {
      song_put(&s, "RIFF\4\0\0\0RMIDjunk", 16);
    } else if (kind == 3) {
      song_put(&s, "HTTP/1.0 200 OK\r\n\r\n", 19);
    }
    song_header(&s, 0, 1, 480);
    song_track(&s);
    song_event(&s, 0, 0x90, 60, 100);
    song_end(&s, 480);
    if (kind == 4) { // another song
      song_header(&s, 0, 1, 96);
      song_track(&s);
      song_event(&s, 0, 0x90, 61, 100);
      song_end(&s, 96);
    }
    htz_smf* smf = NULL;
    htz_smf_diag diag;
    assert_int_equal(htz_smf_load(s.bytes, s.size, &smf, &diag), HTZ_OK);
    assert_int_equal(htz_smf_get_info(smf)->damage, 1);
    assert_int_equal(htz_smf_get_info(smf)->notes, 1);
    assert_non_null(
        strstr(diag.text, kind < 4 ? "before the song's header, stepped over" : "another song begins there, left out"));
    htz_smf_free(smf);
    song_free(&s);
  }
}

// Every byte of a song's track over 127 in its turn: no note but the one that is hit may be lost.
static void one_bad_byte_costs_no_other_note(void** state) {
  (void)state;
  enum { NOTES = 50, EVENT = 4 };
  for (size_t bad = 0; bad < NOTES; ++bad) {
    for (size_t place = 2; place < EVENT; ++place) {
      song s = {0};
      song_header(&s, 0, 1, 480);
      song_track(&s);
      for (unsigned i = 0; i < NOTES; ++i) {
        song_event(&s, 10, 0x90, 30 + i, 1 + i);
      }
      song_end(&s, 0);
      s.bytes[s.track_at + bad * EVENT + place] |= 0x80;
      htz_smf* smf = NULL;
      htz_smf_diag diag;
      assert_int_equal(htz_smf_load(s.bytes, s.size, &smf, &diag), HTZ_OK);
      assert_int_equal(htz_smf_get_info(smf)->notes, NOTES);
      assert_int_equal(htz_smf_get_info(smf)->damage, 1);
      assert_int_equal(diag.offset, s.track_at + bad * EVENT + place);
      htz_smf_free(smf);
      song_free(&s);
    }
  }
}

// A byte lost at each place of a track, or its high bit turned over: one fault is told, near it, and hardly a note is lost.
static void one_lost_byte_costs_few_notes(void** state) {
  (void)state;
  enum { NOTES = 60, FEW = 3, LONGEST = 60 * 192 };
  uint64_t faults = 0;
  unsigned worse = 0;
  for (int running = 0; running < 2; ++running) {
    song good = {0};
    song_header(&good, 0, 1, 96);
    song_track(&good);
    for (unsigned i = 0; i < NOTES; ++i) {
      for (unsigned off = 0; off < 2; ++off) {
        const char bytes[] = {off ? 24 : (char)(i % 3 * 12), (char)(off && !running ? 0x82 : 0x92), (char)(50 + i * 7 % 31),
                              (char)(off ? 0 : 64 + i * 5 % 37)};
        song_put(&good, bytes, running && i + off > 0 ? 1 : 2);
        song_put(&good, bytes + 2, 2);
      }
    }
    song_end(&good, 24);
    const size_t last = good.size - 4 - 4; // no byte of End of Track, nor of the event before it
    for (size_t bad = good.track_at + 4; bad < last; ++bad) {
      for (int flip = 0; flip < 2; ++flip) {
        song s = {0};
        song_put(&s, good.bytes, bad + (flip ? 1 : 0));
        song_put(&s, good.bytes + bad + 1, good.size - bad - 1);
        s.bytes[bad] ^= flip ? 0x80 : 0;
        song_patch(&s, good.track_at - 4, (uint32_t)(s.size - good.track_at));
        htz_smf* smf = NULL;
        htz_smf_diag diag;
        assert_int_equal(htz_smf_load(s.bytes, s.size, &smf, &diag), HTZ_OK);
        const htz_smf_info* info = htz_smf_get_info(smf);
        size_t count = 0;
        htz_smf_event* events = song_play(smf, 96.0, 1.0, &count);
        const uint64_t time = events[count - 1].frame;
        // Where nothing is told the track reads straight to its end, if in another way.
        const bool many_lost = info->notes + FEW < NOTES || info->notes > NOTES + FEW;
        if (info->damage > 0 && (many_lost || info->damage > 1 || time > LONGEST)) {
          print_message("running %d, byte %zu, flip %d: %s\n", running, bad, flip, diag.text);
          ++worse;
        }
        faults += info->damage;
        free(events);
        htz_smf_free(smf);
        song_free(&s);
      }
    }
    song_free(&good);
  }
  assert_int_equal(worse, 0);
  assert_true(faults > 0);
}

// Files made to be slow: many tracks that each want to be weighed to the end of the file, and one damaged in every event.
static void weighing_is_bounded(void** state) {
  (void)state;
  htz_smf* smf = NULL;
  htz_smf_diag diag;
  const clock_t begin = clock();
  song s = {0};
  song_header(&s, 1, 5000, 480);
  for (int i = 0; i < 5000; ++i) {
    song_track(&s);
    song_put(&s, BYTES("\0\x90\x80\x81\x82\x83\x84\x85\x86\x87\x88\x89\0\x90\x90\x90"));
    song_end(&s, 0);
  }
  for (size_t at = 14; at + 8 < s.size; ++at) {
    if (memcmp(s.bytes + at, "MTrk", 4) == 0) {
      song_patch(&s, at + 4, (uint32_t)(s.size - at - 8)); // each to the end of the file
    }
  }
  assert_int_equal(htz_smf_load(s.bytes, s.size, &smf, &diag), HTZ_OK);
  assert_true(htz_smf_get_info(smf)->damage > 0);
  htz_smf_free(smf);
  song_free(&s);

  song_header(&s, 1, 65000, 480);
  for (int i = 0; i < 65000; ++i) { // these have no end
    song_track(&s);
    song_put(&s, BYTES("\0\x90\x80\x40\0\x3C\0"));
  }
  for (size_t at = 14; at + 8 < s.size; at += 15) {
    song_patch(&s, at + 4, (uint32_t)(s.size - at - 8));
  }
  assert_int_equal(htz_smf_load(s.bytes, s.size, &smf, &diag), HTZ_OK);
  assert_true(htz_smf_get_info(smf)->damage > 0);
  htz_smf_free(smf);
  song_free(&s);

  song_header(&s, 0, 1, 480);
  song_track(&s);
  for (int i = 0; i < 1000000; ++i) {
    song_put(&s, BYTES("\0\x90\x3C\xC0\0\x3C\0"));
  }
  song_end(&s, 0);
  assert_int_equal(htz_smf_load(s.bytes, s.size, &smf, &diag), HTZ_OK);
  assert_int_equal(htz_smf_get_info(smf)->notes, 1000000);
  htz_smf_free(smf);
  song_free(&s);
  check_below((double)(clock() - begin) / CLOCKS_PER_SEC, 60.0); // some 3 s without a sanitizer, and any other way takes hours
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_track_goes_on),
      cmocka_unit_test(tracks_end_where_they_end),
      cmocka_unit_test(damage_and_a_wrong_length),
      cmocka_unit_test(songs_are_found),
      cmocka_unit_test(one_bad_byte_costs_no_other_note),
      cmocka_unit_test(one_lost_byte_costs_few_notes),
      cmocka_unit_test(weighing_is_bounded),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
