#include "check.h"

#include "song.h"

#include <math.h>

__extension__ typedef unsigned __int128 wide; // the tests' own arithmetic, wider than the code's

static const double rates[] = {8000.0, 44100.0, 48000.0, 88200.0, 96000.0, 192000.0};
enum { rate_count = sizeof rates / sizeof *rates };

static htz_smf* loaded(const song* s) {
  htz_smf* smf = NULL;
  htz_smf_diag diag;
  const htz_status status = htz_smf_load(s->bytes, s->size, &smf, &diag);
  if (status || diag.text[0]) {
    print_error("%s\n", diag.text);
  }
  assert_int_equal(status, HTZ_OK);
  assert_int_equal(htz_smf_get_info(smf)->damage, 0);
  return smf;
}

// floor(numerator / denominator * rate + 1/2), exactly
static uint64_t nearest_frame(wide numerator, wide denominator, double rate_hz) {
  return (uint64_t)((2 * numerator * (uint64_t)rate_hz + denominator) / (2 * denominator));
}

// 180 tempo changes, 48 ticks per quarter, ten minutes, the last onset within no sample at all of the exact time.
static void many_tempo_changes_do_not_drift(void** state) {
  (void)state;
  enum { changes = 180, ticks = 48, gap = 337 };
  song s = {0};
  wide exact[changes];
  wide time = 0; // [us / ticks]
  uint32_t seed = 1;
  song_header(&s, 1, 2, ticks);
  song_track(&s);
  for (int i = 0; i < changes; ++i) {
    seed = seed * 1664525U + 1013904223U;
    const uint32_t tempo = 250000 + (seed >> 8) % 450001; // 86 to 240 beats per minute, odd microseconds
    song_tempo(&s, i ? gap : 0, tempo);
    time += (wide)tempo * gap;
    exact[i] = time;
  }
  song_end(&s, gap);
  song_track(&s);
  for (int i = 0; i < changes; ++i) {
    song_event(&s, gap, 0x90, 60, 100); // exactly where the next tempo begins
  }
  song_end(&s, 0);
  htz_smf* smf = loaded(&s);
  const htz_smf_info* info = htz_smf_get_info(smf);
  assert_int_equal(info->units_per_second, ticks * 1000000);
  assert_true(info->end == exact[changes - 1]);
  check_above(htz_smf_seconds(smf, info->end), 500.0); // about ten minutes
  for (int r = 0; r < rate_count; ++r) {
    size_t count = 0;
    htz_smf_event* events = song_play(smf, rates[r], 1.0, &count);
    assert_int_equal(count, changes);
    for (int i = 0; i < changes; ++i) {
      assert_true(events[i].time == exact[i]);
      assert_int_equal(events[i].frame, nearest_frame(exact[i], ticks * 1000000, rates[r]));
    }
    free(events);
  }
  htz_smf_free(smf);
  song_free(&s);
}

// Tempo changes at other ticks than the notes, in a later track, for eleven hours.
static void hours_stay_exact(void** state) {
  (void)state;
  enum { ticks = 961, notes = 4000 };
  song s = {0};
  wide* exact = calloc(notes, sizeof *exact);
  wide time = 0; // [us / ticks]
  uint32_t tempo = 500000;
  uint32_t tempo_gap = 0; // ticks since the last change
  uint32_t seed = 3;
  song tempos = {0};
  song_header(&s, 1, 2, ticks);
  song_track(&s);
  song_track(&tempos);
  for (int i = 0; i < notes; ++i) {
    seed = seed * 1664525U + 1013904223U;
    const uint32_t gap = 15000 + (seed >> 8) % 10007;
    song_event(&s, gap, 0x90, 60, 100);
    if (i % 3 == 1) { // a change in the middle of the gap
      const uint32_t part = gap / 3;
      const uint32_t next = 300000 + (seed >> 5) % 500009;
      song_tempo(&tempos, tempo_gap + part, next);
      time += (wide)part * tempo + (wide)(gap - part) * next;
      tempo = next;
      tempo_gap = gap - part;
    } else {
      time += (wide)gap * tempo;
      tempo_gap += gap;
    }
    exact[i] = time;
  }
  song_end(&s, 0);
  song_end(&tempos, 0);
  song_put(&s, tempos.bytes, tempos.size);
  htz_smf* smf = loaded(&s);
  check_above(htz_smf_seconds(smf, htz_smf_get_info(smf)->end), 11.0 * 3600.0);
  for (int r = 0; r < rate_count; ++r) {
    size_t count = 0;
    htz_smf_event* events = song_play(smf, rates[r], 1.0, &count);
    assert_int_equal(count, notes);
    for (int i = 0; i < notes; ++i) {
      assert_true(events[i].time == exact[i]);
      assert_int_equal(events[i].frame, nearest_frame(exact[i], (wide)ticks * 1000000, rates[r]));
    }
    free(events);
  }
  htz_smf_free(smf);
  song_free(&s);
  song_free(&tempos);
  free(exact);
}

static void smpte_divisions_are_exact_and_ignore_tempos(void** state) {
  (void)state;
  static const struct {
    unsigned code; // high byte
    unsigned per_second, over;
  } cases[] = {{0xE8, 24, 1}, {0xE7, 25, 1}, {0xE3, 30000, 1001}, {0xE2, 30, 1}};
  enum { ticks = 40, notes = 200 };
  for (size_t c = 0; c < sizeof cases / sizeof *cases; ++c) {
    song s = {0};
    song_header(&s, 0, 1, cases[c].code << 8 | ticks);
    song_track(&s);
    song_tempo(&s, 0, 123457);
    for (int i = 0; i < notes; ++i) {
      song_event(&s, 70001, 0x90, 60, 100); // hours in all
    }
    song_end(&s, 0);
    htz_smf* smf = loaded(&s);
    for (int r = 0; r < rate_count; ++r) {
      size_t count = 0;
      htz_smf_event* events = song_play(smf, rates[r], 1.0, &count);
      assert_int_equal(count, notes);
      for (int i = 0; i < notes; ++i) {
        const wide ticks_so_far = (wide)70001 * (unsigned)(i + 1);
        assert_int_equal(events[i].frame,
                         nearest_frame(ticks_so_far * cases[c].over, (wide)ticks * cases[c].per_second, rates[r]));
      }
      free(events);
    }
    htz_smf_free(smf);
    song_free(&s);
  }
}

static void tempo_factor_is_exact_for_decimals(void** state) {
  (void)state;
  enum { notes = 1000, ticks = 480 };
  song s = {0};
  song_header(&s, 0, 1, ticks);
  song_track(&s);
  for (int i = 0; i < notes; ++i) {
    song_event(&s, 7777, 0x90, 60, 100);
  }
  song_end(&s, 0);
  htz_smf* smf = loaded(&s);
  static const struct {
    double factor;
    uint64_t up, down;
  } cases[] = {{1.0, 1, 1},     {2.0, 2, 1},   {0.5, 1, 2}, {1.1, 11, 10}, {0.333333, 333333, 1000000},
               {100.0, 100, 1}, {0.01, 1, 100}};
  for (size_t c = 0; c < sizeof cases / sizeof *cases; ++c) {
    size_t count = 0;
    htz_smf_event* events = song_play(smf, 44100.0, cases[c].factor, &count);
    assert_int_equal(count, notes);
    for (int i = 0; i < notes; ++i) {
      const wide time = (wide)7777 * 500000 * (unsigned)(i + 1);
      assert_int_equal(events[i].frame, nearest_frame(time * cases[c].down, (wide)ticks * 1000000 * cases[c].up, 44100.0));
    }
    free(events);
  }
  htz_smf_clock clock;
  const double bad_rates[] = {0.0, -1.0, 0.5, 44100.5, NAN, INFINITY, 1.1e7};
  const double bad_tempos[] = {0.0, -1.0, 0.009, 100.1, NAN, INFINITY};
  for (size_t i = 0; i < sizeof bad_rates / sizeof *bad_rates; ++i) {
    assert_int_equal(htz_smf_clock_init(smf, bad_rates[i], 1.0, &clock), HTZ_BAD_VALUE);
  }
  for (size_t i = 0; i < sizeof bad_tempos / sizeof *bad_tempos; ++i) {
    assert_int_equal(htz_smf_clock_init(smf, 48000.0, bad_tempos[i], &clock), HTZ_BAD_VALUE);
  }
  htz_smf_free(smf);
  song_free(&s);
}

static void a_half_frame_goes_up(void** state) {
  (void)state;
  song s = {0};
  song_header(&s, 0, 1, 0xE700 | 40); // a tick is a millisecond
  song_track(&s);
  song_event(&s, 1, 0x90, 60, 100);
  song_event(&s, 1, 0x80, 60, 100);
  song_end(&s, 0);
  htz_smf* smf = loaded(&s);
  size_t count = 0;
  htz_smf_event* events = song_play(smf, 500.0, 1.0, &count);
  assert_int_equal(count, 2);
  assert_int_equal(events[0].frame, 1); // 0.5
  assert_int_equal(events[1].frame, 1);
  free(events);
  htz_smf_free(smf);
  song_free(&s);
}

// The conversion against wide arithmetic at the edges of its range.
static void frames_never_overflow(void** state) {
  (void)state;
  uint64_t seed = 5;
  for (int i = 0; i < 20000; ++i) {
    seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    const uint64_t division = 1 + (seed >> 33) % 32767;
    const uint64_t unit = division * 1000000;
    const uint64_t steps = 10000 + (seed >> 20) % 99990001;
    const htz_smf_clock clock = {.frames = (1 + (seed >> 40) % 10000000) * 1000000, .units = unit * steps};
    const uint64_t limit = unit * HTZ_SMF_MAX_HOURS * 3600;
    const uint64_t time = i % 100 ? seed % limit : limit;
    const wide exact = ((wide)2 * time * clock.frames + clock.units) / ((wide)2 * clock.units);
    assert_int_equal(htz_smf_frame_of(&clock, time), (uint64_t)exact);
  }
}

static void ticks_beyond_32_bits_work(void** state) {
  (void)state;
  enum { most = (1 << 28) - 1, notes = 40 };
  song s = {0};
  song_header(&s, 0, 1, 32767);
  song_track(&s);
  song_tempo(&s, 0, 1000); // 32767 ticks in a millisecond
  for (int i = 0; i < notes; ++i) {
    song_event(&s, most, 0x90, 60, 100);
  }
  song_end(&s, 0);
  htz_smf* smf = loaded(&s);
  size_t count = 0;
  htz_smf_event* events = song_play(smf, 48000.0, 1.0, &count);
  assert_int_equal(count, notes);
  for (int i = 0; i < notes; ++i) {
    assert_int_equal(events[i].time, UINT64_C(1000) * most * (unsigned)(i + 1));
  }
  free(events);
  htz_smf_free(smf);
  song_free(&s);
}

static void a_song_of_more_than_a_hundred_hours_is_cut(void** state) {
  (void)state;
  for (unsigned format = 0; format < 3; ++format) {
    song s = {0};
    song_header(&s, format, 2, 1);
    for (int track = 0; track < 2; ++track) {
      song_track(&s);
      song_event(&s, 100, 0x90, 60, 100);
      song_tempo(&s, 0, 16777215);
      for (int i = 0; i < 30; ++i) {
        song_event(&s, 1000, 0x90, 61, 100); // 4.66 hours each
      }
      song_event(&s, (1 << 28) - 1, 0x90, 62, 100);
      song_end(&s, 0);
    }
    htz_smf* smf = NULL;
    htz_smf_diag diag;
    assert_int_equal(htz_smf_load(s.bytes, s.size, &smf, &diag), HTZ_OK);
    assert_non_null(strstr(diag.text, "100 hours"));
    assert_int_equal(htz_smf_get_info(smf)->damage, 1);
    size_t count = 0;
    htz_smf_event* events = song_play(smf, 192000.0, 1.0, &count);
    assert_int_equal(count, (format == 2 ? 1 : 2) * 22); // 50 s + 21 * 16777.215 s < 360 000 s
    assert_int_equal(count, htz_smf_get_info(smf)->events);
    check_below(htz_smf_seconds(smf, htz_smf_get_info(smf)->end), 360000.1);
    free(events);
    htz_smf_free(smf);
    song_free(&s);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(many_tempo_changes_do_not_drift),
      cmocka_unit_test(hours_stay_exact),
      cmocka_unit_test(smpte_divisions_are_exact_and_ignore_tempos),
      cmocka_unit_test(tempo_factor_is_exact_for_decimals),
      cmocka_unit_test(a_half_frame_goes_up),
      cmocka_unit_test(frames_never_overflow),
      cmocka_unit_test(ticks_beyond_32_bits_work),
      cmocka_unit_test(a_song_of_more_than_a_hundred_hours_is_cut),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
