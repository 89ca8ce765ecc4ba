// What drives hammers in live playing: input of a device in blocks of any size, a file that comes too late, its reader's thread.
#include "check.h"

#include "hertzian/host/live_feed.h"
#include "hertzian/host/live_pool.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const double rate_hz = 48000.0;
static const char driven[] = "tests/fixtures/instruments/driven.yaml";

enum { FRAMES = 9600, AHEAD_MAX = HTZ_QUANTUM };
static float input[FRAMES + AHEAD_MAX], sound[2 * FRAMES], again[2 * FRAMES];

typedef struct {
  htz_performance performance;
  htz_log log;
  htz_orchestra orchestra;
  htz_live* live;
  htz_live_pool pool;
} show;

// One key of a driven instrument is held from frame 0 on.
static void open_show(show* s, uint32_t frames, htz_drive_from from) {
  char path[1024];
  const char* why = NULL;
  bool built = false;
  memset(s, 0, sizeof *s);
  s->performance = (htz_performance){.channels = HTZ_MIDI_OMNI};
  htz_velocity_linear(&s->performance.velocity);
  snprintf(path, sizeof path, "%s/%s", HTZ_SOURCE_DIR, driven);
  assert_int_equal(htz_orchestra_load_driven(&s->orchestra, path, &s->log), HTZ_OK);
  const htz_live_desc desc = {
      .rate_hz = rate_hz, .frames = frames, .performance = &s->performance, .asap = true, .drive_from = from};
  assert_int_equal(htz_live_new(&desc, &s->live), HTZ_OK);
  htz_live_pool_init(&s->pool, &s->orchestra, &s->performance, s->live);
  assert_int_equal(htz_live_pool_build(&s->pool, &built, &why), HTZ_OK);
  assert_true(built);
  const uint8_t note[] = {0x90, 60, 40};
  for (size_t i = 0; i < sizeof note; i++) {
    const htz_midi_stamped item = {1.0, note[i], HTZ_MIDI_IN_BYTE};
    assert_true(htz_ring_push(&s->live->midi[0], &item));
  }
}

static void close_show(show* s) {
  htz_live_pool_discard(&s->pool);
  htz_live_free(s->live);
  htz_live_pool_free(&s->pool);
  htz_orchestra_free(&s->orchestra);
}

static void beats(void) {
  uint32_t random = 1;
  for (size_t i = 0; i < FRAMES + AHEAD_MAX; i++) {
    random = random * 1664525u + 1013904223u;
    input[i] = (float)((random >> 8) / 16777216.0 - 0.5) * expf(-(float)(i % 1200) / 200.0f);
  }
}

// `in` comes in blocks; all of FRAMES that whole blocks fill.
static size_t play(show* s, const float* in, uint32_t frames, float* out) {
  size_t done = 0;
  for (; done + frames <= FRAMES; done += frames) {
    htz_live_hear(s->live, in + done, frames, false);
    htz_live_run(s->live, out + done * 2, frames, 1.0 + (double)done / rate_hz, false);
  }
  return done;
}

static uint64_t missing(const show* s) {
  return atomic_load(&s->live->view.drive_missing);
}

// Whole quanta go through at once; other blocks wait for one to be full, as long as they must and no longer.
static void blocks_of_any_size_drive_the_same(void** state) {
  (void)state;
  static const struct {
    uint32_t frames, later;
  } sizes[] = {{64, 0}, {128, 0}, {4096, 0}, {16, 48}, {32, 32}, {48, 48}, {100, 60}};
  beats();
  for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
    show s;
    open_show(&s, 64, HTZ_DRIVE_DEVICE);
    // What the block size delays by is made up for in what the reference hears.
    static float delayed[FRAMES];
    memset(delayed, 0, sizes[i].later * sizeof *delayed);
    memcpy(delayed + sizes[i].later, input, (FRAMES - sizes[i].later) * sizeof *delayed);
    play(&s, delayed, 64, sound);
    close_show(&s);
    open_show(&s, sizes[i].frames, HTZ_DRIVE_DEVICE);
    const size_t n = play(&s, input, sizes[i].frames, again);
    assert_memory_equal(again, sound, n * 2 * sizeof *again);
    assert_int_equal(missing(&s), 0);
    check_above((double)atomic_load(&s.live->view.drive_level_max), 0.4);
    close_show(&s);
  }
}

static void the_keys_hammer_hears_it(void** state) {
  (void)state;
  show s;
  float loudest = 0.0f;
  beats();
  open_show(&s, 64, HTZ_DRIVE_DEVICE);
  play(&s, input, 64, sound);
  close_show(&s);
  memset(input, 0, sizeof input);
  open_show(&s, 64, HTZ_DRIVE_DEVICE);
  play(&s, input, 64, again);
  close_show(&s);
  for (size_t i = 0; i < 2 * FRAMES; i++) {
    loudest = fmaxf(loudest, fabsf(sound[i] - again[i]));
  }
  check_above((double)loudest, 1e-4);
}

static void input_that_does_not_come_is_silence_and_counted(void** state) {
  (void)state;
  show s;
  const float bad[HTZ_QUANTUM] = {NAN, INFINITY, -INFINITY, 0.25f};
  open_show(&s, 64, HTZ_DRIVE_DEVICE);
  htz_live_hear(s.live, NULL, 64, false);
  htz_live_run(s.live, sound, 64, 1.0, false);
  assert_int_equal(missing(&s), 64);
  htz_live_hear(s.live, bad, 64, true);
  htz_live_run(s.live, sound, 64, 1.0, false);
  assert_int_equal(missing(&s), 128);
  assert_true(atomic_load(&s.live->view.drive_level_max) == 0.25f);
  close_show(&s);
}

static void push(show* s, uint64_t quantum) {
  htz_live_drive_item item = {.frame = quantum * HTZ_QUANTUM};
  memcpy(item.samples, input + item.frame, sizeof item.samples);
  assert_true(htz_ring_push(&s->live->drive, &item));
}

static void a_file_that_comes_too_late_stays_in_its_place(void** state) {
  (void)state;
  enum { GAP_AT = 30, GAP = 5, QUANTA = FRAMES / HTZ_QUANTUM };
  show s;
  beats();
  open_show(&s, 64, HTZ_DRIVE_FILE);
  for (uint64_t q = 0; q < QUANTA; q++) {
    if (q < GAP_AT) {
      push(&s, q);
    }
    // All that was missing comes at once, when most of it has had its time.
    for (uint64_t late = GAP_AT; q == GAP_AT + GAP && late <= q; late++) {
      push(&s, late);
    }
    if (q > GAP_AT + GAP) {
      push(&s, q);
    }
    htz_live_run(s.live, again + q * HTZ_QUANTUM * 2, HTZ_QUANTUM, 1.0 + (double)q, false);
  }
  assert_int_equal(missing(&s), GAP * HTZ_QUANTUM);
  atomic_store(&s.live->drive_over, true);
  htz_live_run(s.live, sound, HTZ_QUANTUM, 1e3, false);
  assert_int_equal(missing(&s), GAP * HTZ_QUANTUM); // after its end nothing is missed
  close_show(&s);
  memset(input + GAP_AT * HTZ_QUANTUM, 0, GAP * HTZ_QUANTUM * sizeof *input);
  open_show(&s, 64, HTZ_DRIVE_DEVICE);
  play(&s, input, 64, sound);
  assert_memory_equal(again, sound, sizeof sound);
  close_show(&s);
}

static void put(FILE* file, unsigned long value, int bytes) {
  for (int i = 0; i < bytes; i++) {
    fputc((int)(value >> (8 * i) & 0xFF), file);
  }
}

static void write_wav(const char* path, size_t frames) {
  FILE* file = fopen(path, "wb");
  assert_non_null(file);
  fputs("RIFF", file);
  put(file, 36 + frames * 4, 4);
  fputs("WAVEfmt ", file);
  put(file, 16, 4);
  put(file, 3, 2); // float
  put(file, 1, 2);
  put(file, 48000, 4);
  put(file, 48000 * 4, 4);
  put(file, 4, 2);
  put(file, 32, 2);
  fputs("data", file);
  put(file, frames * 4, 4);
  assert_int_equal(fwrite(input, sizeof *input, frames, file), frames);
  fclose(file);
}

static void the_reader_is_seconds_ahead_and_ends(void** state) {
  (void)state;
  char path[] = "/tmp/hertzian-feed-XXXXXX", why[HTZ_DRIVE_WHY];
  assert_true(mkstemp(path) >= 0);
  beats();
  write_wav(path, FRAMES);
  show s;
  htz_live_feed feed;
  open_show(&s, 64, HTZ_DRIVE_FILE);
  check_above((double)(s.live->drive.mask + 1) * HTZ_QUANTUM / rate_hz, 2.0);
  assert_int_equal(htz_live_feed_open(&feed, path, s.live, why), HTZ_OK);
  assert_int_equal(htz_ring_count(&s.live->drive), FRAMES / HTZ_QUANTUM); // there before the first block
  assert_false(htz_live_feed_over(&feed));
  for (size_t done = 0; done < FRAMES; done += 64) {
    htz_live_run(s.live, again + done * 2, 64, 1.0 + (double)done / rate_hz, false);
  }
  assert_true(htz_live_feed_over(&feed));
  assert_null(htz_live_feed_fault(&feed));
  assert_int_equal(missing(&s), 0);
  htz_live_feed_close(&feed);
  close_show(&s);
  unlink(path);
  open_show(&s, 64, HTZ_DRIVE_DEVICE);
  play(&s, input, 64, sound);
  assert_memory_equal(again, sound, sizeof sound); // from a file as from a device
  close_show(&s);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(blocks_of_any_size_drive_the_same),
      cmocka_unit_test(the_keys_hammer_hears_it),
      cmocka_unit_test(input_that_does_not_come_is_silence_and_counted),
      cmocka_unit_test(a_file_that_comes_too_late_stays_in_its_place),
      cmocka_unit_test(the_reader_is_seconds_ahead_and_ends),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
