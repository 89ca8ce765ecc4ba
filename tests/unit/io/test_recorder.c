// The recorder: what is pushed is in the file, to the frame; a slow, full or broken disk; many takes.
#include "check.h"

#include "hertzian/base/rt.h"
#include "hertzian/io/recorder.h"
#include "hertzian/io/wav_head.h"

#include <errno.h>
#include <math.h>
#include <sndfile.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { RATE = 48000, BLOCK = HTZ_RECORDER_FRAMES * HTZ_RECORDER_CHANNELS };

static char folder[256];

static const char* in_folder(const char* name, char path[512]) {
  snprintf(path, 512, "%s/%s", folder, name);
  return path;
}

static int set_up(void** state) {
  (void)state;
  const char* base = getenv("TMPDIR");
  snprintf(folder, sizeof folder, "%s/hertzian-recorder-XXXXXX", base ? base : "/tmp");
  assert_non_null(mkdtemp(folder));
  return 0;
}

static int tear_down(void** state) {
  (void)state;
  char path[512];
  const char* names[] = {"a.wav", "b.wav", "c.wav", "a.flac"};
  for (size_t i = 0; i < sizeof names / sizeof names[0]; ++i) {
    unlink(in_folder(names[i], path));
  }
  return rmdir(folder);
}

// The sample of a channel at a frame: every one different from its neighbours.
static float sample(uint64_t frame, unsigned channel) {
  return (float)((frame * 2 + channel) % 65521) / 65521.0f;
}

static void push(htz_recorder* r, uint64_t first_block, uint64_t blocks) {
  float x[BLOCK];
  for (uint64_t b = first_block; b < first_block + blocks; ++b) {
    for (uint64_t i = 0; i < HTZ_RECORDER_FRAMES; ++i) {
      x[2 * i] = sample(b * HTZ_RECORDER_FRAMES + i, 0);
      x[2 * i + 1] = sample(b * HTZ_RECORDER_FRAMES + i, 1);
    }
    htz_rt_enter();
    htz_recorder_push(r, b * HTZ_RECORDER_FRAMES, x);
    htz_rt_leave();
  }
}

// Frames in the file; each must be the one pushed, from `first` on, but for `silence` frames of zero from `silent_from` on.
static uint64_t check_file(const char* name, uint64_t first, uint64_t silent_from, uint64_t silence) {
  char path[512];
  SF_INFO info = {0};
  SNDFILE* file = sf_open(in_folder(name, path), SFM_READ, &info);
  assert_non_null(file);
  assert_int_equal(info.samplerate, RATE);
  assert_int_equal(info.channels, 2);
  assert_int_equal(info.format & SF_FORMAT_SUBMASK, SF_FORMAT_FLOAT);
  float x[BLOCK];
  uint64_t n = 0;
  for (sf_count_t got; (got = sf_readf_float(file, x, HTZ_RECORDER_FRAMES)) > 0;) {
    for (sf_count_t i = 0; i < got; ++i, ++n) {
      const uint64_t frame = first + n;
      const bool silent = frame >= silent_from && frame < silent_from + silence;
      assert_true(x[2 * i] == (silent ? 0.0f : sample(frame, 0)));
      assert_true(x[2 * i + 1] == (silent ? 0.0f : sample(frame, 1)));
    }
  }
  assert_int_equal(n, info.frames);
  sf_close(file);
  return n;
}

static htz_recorder* open_on(double ring_s, const htz_recorder_disk* disk, htz_disk_sync* sync) {
  const htz_recorder_desc desc = {.rate_hz = RATE, .ring_s = ring_s, .disk = disk, .sync = sync};
  htz_recorder* r = NULL;
  assert_int_equal(htz_recorder_new(&desc, &r), HTZ_OK);
  return r;
}

static void start(htz_recorder* r, const char* name) {
  char path[512], why[HTZ_RECORDER_WHY] = "";
  assert_int_equal(htz_recorder_start(r, in_folder(name, path), false, NULL, why), HTZ_OK);
}

static void what_is_pushed_is_in_the_file(void** state) {
  (void)state;
  htz_recorder* r = open_on(1.0, NULL, NULL);
  push(r, 0, 5); // nothing is recorded yet
  start(r, "a.wav");
  push(r, 5, 500);
  htz_recorder_stop(r);
  push(r, 505, 5);
  assert_true(htz_recorder_wait(r, 10.0));
  const htz_recorder_state s = htz_recorder_get(r);
  assert_false(s.recording);
  assert_int_equal(s.frames, 500 * HTZ_RECORDER_FRAMES);
  assert_int_equal(s.first_frame, 5 * HTZ_RECORDER_FRAMES);
  assert_int_equal(s.takes, 1);
  assert_int_equal(s.failed, 0);
  assert_int_equal(s.dropped, 0);
  assert_int_equal(check_file("a.wav", s.first_frame, 0, 0), s.frames);
  check_near(s.peak, (double)sample((uint64_t)505 * HTZ_RECORDER_FRAMES - 1, 1), 1e-6);
  htz_recorder_free(r);
}

// One take after another without a stop in between: no frame is lost or twice there.
static void a_new_take_begins_where_the_last_one_ends(void** state) {
  (void)state;
  htz_recorder* r = open_on(5.0, NULL, NULL);
  start(r, "a.wav");
  push(r, 0, 300);
  start(r, "b.wav");
  push(r, 300, 1);
  start(r, "c.wav");
  push(r, 301, 200);
  htz_recorder_free(r); // finishes
  assert_int_equal(check_file("a.wav", 0, 0, 0), 300 * HTZ_RECORDER_FRAMES);
  assert_int_equal(check_file("b.wav", 300 * HTZ_RECORDER_FRAMES, 0, 0), HTZ_RECORDER_FRAMES);
  assert_int_equal(check_file("c.wav", 301 * HTZ_RECORDER_FRAMES, 0, 0), 200 * HTZ_RECORDER_FRAMES);
}

static void an_empty_take_is_a_file_too(void** state) {
  (void)state;
  char path[512];
  htz_recorder* r = open_on(1.0, NULL, NULL);
  start(r, "a.wav");
  htz_recorder_stop(r);
  assert_true(htz_recorder_wait(r, 10.0));
  assert_int_equal(htz_recorder_get(r).takes, 1);
  assert_int_equal(check_file("a.wav", 0, 0, 0), 0);
  FILE* file = fopen(in_folder("a.wav", path), "rb");
  unsigned char head[8];
  assert_int_equal(fread(head, 1, 8, file), 8);
  fseek(file, 0, SEEK_END);
  assert_int_equal(head[4] | head[5] << 8 | head[6] << 16, ftell(file) - 8);
  fclose(file);
  htz_recorder_free(r);
}

static void what_is_there_is_never_overwritten(void** state) {
  (void)state;
  char path[512], why[HTZ_RECORDER_WHY] = "";
  FILE* file = fopen(in_folder("a.wav", path), "wb");
  fputs("precious", file);
  fclose(file);
  htz_recorder* r = open_on(1.0, NULL, NULL);
  assert_int_equal(htz_recorder_start(r, path, false, NULL, why), HTZ_IO);
  assert_non_null(strstr(why, "never overwrite"));
  struct stat info;
  assert_int_equal(stat(path, &info), 0);
  assert_int_equal(info.st_size, 8);
  htz_recorder_free(r);
}

/** A disk to order. */
typedef struct {
  atomic_int stall_ms; ///< every write waits for this long once
  atomic_long room;    ///< bytes it still takes, at most up to this length of the file
  int error;           ///< when it is full; 0: it writes nothing and says nothing
} bad_disk;

static ssize_t bad_write(void* context, int fd, const void* bytes, size_t count, off_t at) {
  bad_disk* disk = context;
  const int stall = atomic_exchange(&disk->stall_ms, 0);
  const struct timespec span = {stall / 1000, stall % 1000 * 1000000L};
  nanosleep(&span, NULL);
  const long room = atomic_load(&disk->room) - (long)at;
  if (room <= 0) {
    errno = disk->error;
    return disk->error ? -1 : 0;
  }
  return pwrite(fd, bytes, count < (size_t)room ? count : (size_t)room, at);
}

static void a_stall_loses_nothing_while_the_ring_lasts(void** state) {
  (void)state;
  bad_disk bad = {.error = ENOSPC};
  atomic_init(&bad.room, 1L << 30);
  const htz_recorder_disk disk = {.write = bad_write, .context = &bad};
  htz_recorder* r = open_on(10.0, &disk, NULL);
  start(r, "a.wav");
  push(r, 0, 10);
  atomic_store(&bad.stall_ms, 700);
  push(r, 10, RATE * 9 / HTZ_RECORDER_FRAMES); // nine seconds within a moment
  htz_recorder_stop(r);
  assert_true(htz_recorder_wait(r, 20.0));
  const htz_recorder_state s = htz_recorder_get(r);
  assert_int_equal(s.dropped, 0);
  assert_int_equal(check_file("a.wav", 0, 0, 0), (10 + RATE * 9 / HTZ_RECORDER_FRAMES) * HTZ_RECORDER_FRAMES);
  htz_recorder_free(r);
}

static void a_longer_one_leaves_silence_of_the_right_length(void** state) {
  (void)state;
  bad_disk bad = {.error = ENOSPC};
  atomic_init(&bad.room, 1L << 30);
  const htz_recorder_disk disk = {.write = bad_write, .context = &bad};
  htz_recorder* r = open_on(0.1, &disk, NULL); // 75 blocks, which makes 128
  start(r, "a.wav");
  atomic_store(&bad.stall_ms, 500);
  push(r, 0, 1);
  const struct timespec moment = {0, 100 * 1000 * 1000L};
  nanosleep(&moment, NULL); // the writer has taken it and hangs
  push(r, 1, 300);
  const struct timespec second = {1, 0};
  nanosleep(&second, NULL);
  push(r, 301, 20);
  htz_recorder_stop(r);
  assert_true(htz_recorder_wait(r, 10.0));
  const htz_recorder_state s = htz_recorder_get(r);
  assert_int_equal(s.dropped, (300 - 128) * HTZ_RECORDER_FRAMES);
  assert_int_equal(check_file("a.wav", 0, 129 * HTZ_RECORDER_FRAMES, s.dropped), 321 * HTZ_RECORDER_FRAMES);
  htz_recorder_free(r);
}

static void a_full_disk(int error) {
  bad_disk bad = {.error = error};
  const long room = 100003; // ends within a sample
  atomic_init(&bad.room, room);
  const htz_recorder_disk disk = {.write = bad_write, .context = &bad};
  htz_recorder* r = open_on(5.0, &disk, NULL);
  start(r, "a.wav");
  push(r, 0, 400); // 204800 bytes
  htz_recorder_stop(r);
  assert_true(htz_recorder_wait(r, 10.0));
  const htz_recorder_state s = htz_recorder_get(r);
  assert_int_equal(s.failed, 1);
  assert_non_null(strstr(s.why, strerror(ENOSPC)));
  const uint64_t frames = check_file("a.wav", 0, 0, 0); // valid, whole frames, all that fits but for the header
  assert_int_equal(frames, s.frames);
  assert_in_range(frames, (room - 200) / 8, room / 8);
  // The next take is well again.
  atomic_store(&bad.room, 1L << 30);
  start(r, "b.wav");
  push(r, 400, 10);
  htz_recorder_free(r);
  assert_int_equal(check_file("b.wav", 400 * HTZ_RECORDER_FRAMES, 0, 0), 10 * HTZ_RECORDER_FRAMES);
}

static void a_full_disk_ends_the_take_with_a_true_header(void** state) {
  (void)state;
  a_full_disk(ENOSPC);
}

static void a_disk_that_silently_writes_nothing_too(void** state) {
  (void)state;
  a_full_disk(0);
}

static void the_header_is_true_while_it_records(void** state) {
  (void)state;
  htz_recorder* r = open_on(5.0, NULL, NULL);
  start(r, "a.wav");
  push(r, 0, 100);
  for (int tries = 0; tries < 200 && htz_recorder_get(r).frames == 0; ++tries) {
    const struct timespec moment = {0, 10 * 1000 * 1000L};
    nanosleep(&moment, NULL);
  }
  const struct timespec second = {1, 0};
  nanosleep(&second, NULL);
  assert_int_equal(check_file("a.wav", 0, 0, 0), 100 * HTZ_RECORDER_FRAMES);
  htz_recorder_free(r);
}

static void rest(int milliseconds) {
  const struct timespec span = {milliseconds / 1000, milliseconds % 1000 * 1000000L};
  nanosleep(&span, NULL);
}

static void a_take_may_begin_before_it_was_asked_for(void** state) {
  (void)state;
  const htz_recorder_desc desc = {.rate_hz = RATE, .ring_s = 2.0, .preroll_s = 0.1}; // 75 blocks
  char path[512], why[HTZ_RECORDER_WHY] = "";
  htz_recorder* r = NULL;
  htz_recorder_span span;
  uint32_t number = 0;
  assert_int_equal(htz_recorder_new(&desc, &r), HTZ_OK);
  push(r, 0, 200);
  assert_int_equal(htz_recorder_start(r, in_folder("a.wav", path), true, &number, why), HTZ_OK);
  assert_true(htz_recorder_where(r, number, &span));
  assert_false(span.begun);
  push(r, 200, 10);
  htz_recorder_stop(r);
  assert_true(htz_recorder_wait(r, 10.0));
  assert_true(htz_recorder_where(r, number, &span));
  assert_true(span.begun && span.over);
  assert_int_equal(span.first, 125 * HTZ_RECORDER_FRAMES);
  assert_int_equal(span.end, 210 * HTZ_RECORDER_FRAMES);
  assert_int_equal(check_file("a.wav", span.first, 0, 0), 85 * HTZ_RECORDER_FRAMES);
  // One that goes on where the last one ends has nothing before it; one that finds a gap before it neither.
  assert_int_equal(htz_recorder_start(r, in_folder("b.wav", path), false, &number, why), HTZ_OK);
  push(r, 210, 10);
  assert_int_equal(htz_recorder_start(r, in_folder("c.wav", path), true, NULL, why), HTZ_OK);
  push(r, 400, 10);
  htz_recorder_free(r);
  assert_int_equal(check_file("b.wav", (uint64_t)210 * HTZ_RECORDER_FRAMES, 0, 0), 10 * HTZ_RECORDER_FRAMES);
  assert_int_equal(check_file("c.wav", (uint64_t)400 * HTZ_RECORDER_FRAMES, 0, 0), 10 * HTZ_RECORDER_FRAMES);
}

static void places_are_cue_points_of_the_take_that_has_them(void** state) {
  (void)state;
  char path[512];
  htz_recorder* r = open_on(2.0, NULL, NULL);
  htz_recorder_mark(r, 3, "before any");
  start(r, "a.wav");
  push(r, 10, 100);
  htz_recorder_mark(r, 10 * HTZ_RECORDER_FRAMES + 7, "odd");
  htz_recorder_mark(r, (uint64_t)110 * HTZ_RECORDER_FRAMES, "next");
  start(r, "b.wav");
  push(r, 110, 10);
  htz_recorder_free(r);
  static const struct {
    const char* name;
    const char* label;
    uint32_t frame;
  } expected[] = {{"a.wav", "odd", 7}, {"b.wav", "next", 0}};
  for (size_t i = 0; i < 2; ++i) {
    SF_INFO info = {0};
    SF_CUES cues = {0};
    SNDFILE* file = sf_open(in_folder(expected[i].name, path), SFM_READ, &info);
    assert_non_null(file);
    assert_int_equal(sf_command(file, SFC_GET_CUE, &cues, sizeof cues), SF_TRUE);
    assert_int_equal(cues.cue_count, 1);
    assert_int_equal(cues.cue_points[0].sample_offset, expected[i].frame);
    assert_string_equal(cues.cue_points[0].name, expected[i].label);
    sf_close(file);
  }
  assert_int_equal(check_file("a.wav", 10 * HTZ_RECORDER_FRAMES, 0, 0), 100 * HTZ_RECORDER_FRAMES);
}

static void a_flac_take_has_the_same_samples_to_24_bits(void** state) {
  (void)state;
  char path[512];
  float x[BLOCK];
  htz_recorder* r = open_on(2.0, NULL, NULL);
  start(r, "a.flac");
  push(r, 0, 300);
  for (size_t i = 0; i < BLOCK; ++i) {
    x[i] = i == 5 ? 1.5f : -0.5f;
  }
  htz_recorder_push(r, 300 * HTZ_RECORDER_FRAMES, x);
  htz_recorder_stop(r);
  assert_true(htz_recorder_wait(r, 10.0));
  const htz_recorder_state s = htz_recorder_get(r);
  assert_int_equal(s.failed, 0);
  assert_int_equal(s.clipped, 1);
  htz_recorder_free(r);
  SF_INFO info = {0};
  SNDFILE* file = sf_open(in_folder("a.flac", path), SFM_READ, &info);
  assert_non_null(file);
  assert_int_equal(info.format & SF_FORMAT_TYPEMASK, SF_FORMAT_FLAC);
  assert_int_equal(info.frames, 301 * HTZ_RECORDER_FRAMES);
  for (uint64_t frame = 0; frame < 300 * HTZ_RECORDER_FRAMES; ++frame) {
    float both[2];
    assert_int_equal(sf_readf_float(file, both, 1), 1);
    check_near((double)both[1], (double)sample(frame, 1), 0x1p-23); // one step of 24 bits
  }
  sf_close(file);
}

/** A disk that takes its time to say that something is on it. */
static int slow_sync(void* context, int fd) {
  rest(*(int*)context);
  return fdatasync(fd);
}

static uint32_t frames_said(const char* name) {
  char path[512];
  unsigned char head[HTZ_WAV_HEAD];
  FILE* file = fopen(in_folder(name, path), "rb");
  assert_non_null(file);
  assert_int_equal(fread(head, 1, sizeof head, file), sizeof head);
  fclose(file);
  return (uint32_t)(head[88] | head[89] << 8 | head[90] << 16 | (unsigned)head[91] << 24) / 8;
}

// The ring holds a hundredth of what is pushed while the disk is waited for: it is drained meanwhile.
static void a_disk_that_is_waited_for_keeps_nobody(void** state) {
  (void)state;
  int wait_ms = 1500;
  htz_disk_sync* sync = NULL;
  assert_int_equal(htz_disk_sync_new(slow_sync, &wait_ms, &sync), HTZ_OK);
  htz_recorder* r = open_on(0.15, NULL, sync);
  start(r, "a.wav");
  for (uint64_t block = 0; block < 30; ++block) {
    push(r, block * 64, 64); // 85 ms at a time
    rest(60);
  }
  htz_recorder_stop(r);
  const htz_recorder_state s = htz_recorder_get(r);
  assert_int_equal(s.dropped, 0);
  assert_true(htz_recorder_wait(r, 10.0));
  assert_int_equal(check_file("a.wav", 0, 0, 0), 30 * 64 * HTZ_RECORDER_FRAMES);
  htz_recorder_free(r);
  htz_disk_sync_free(sync);
}

// What may be lost with the power is not in the header yet when the disk begins to write.
static void the_header_says_what_is_on_the_disk(void** state) {
  (void)state;
  int wait_ms = 250;
  htz_disk_sync* sync = NULL;
  assert_int_equal(htz_disk_sync_new(slow_sync, &wait_ms, &sync), HTZ_OK);
  htz_recorder* r = open_on(2.0, NULL, sync);
  start(r, "a.wav");
  uint32_t most = 0;
  unsigned back = 0;
  for (uint64_t block = 0; block < 120; ++block) {
    push(r, block * 15, 15); // 20 ms
    rest(20);
    const uint32_t said = frames_said("a.wav");
    assert_true(said <= (block + 1) * 15 * HTZ_RECORDER_FRAMES);
    back += said < most;
    most = said > most ? said : most;
  }
  assert_true(back > 0); // it went back to what was certain
  assert_true(most > RATE);
  htz_recorder_free(r);
  htz_disk_sync_free(sync);
}

static int broken_sync(void* context, int fd) {
  (void)fd;
  errno = *(int*)context;
  return -1;
}

static void a_disk_that_breaks_is_told(void** state) {
  (void)state;
  int error = EIO;
  htz_disk_sync* sync = NULL;
  assert_int_equal(htz_disk_sync_new(broken_sync, &error, &sync), HTZ_OK);
  htz_recorder* r = open_on(2.0, NULL, sync);
  start(r, "a.wav");
  push(r, 0, 100);
  htz_recorder_stop(r);
  assert_true(htz_recorder_wait(r, 10.0));
  const htz_recorder_state s = htz_recorder_get(r);
  assert_int_equal(s.failed, 1);
  assert_string_equal(s.why, strerror(EIO));
  htz_recorder_free(r);
  htz_disk_sync_free(sync);
}

// Past 4 GiB it is an RF64, whose sizes are in the place that was kept free.
static void a_head_is_as_long_for_any_length(void** state) {
  (void)state;
  static const uint64_t longest = (UINT32_MAX - HTZ_WAV_HEAD + 8 - 1) / 8;
  uint8_t head[HTZ_WAV_HEAD];
  htz_wav_head(head, RATE, 2, longest, 0);
  assert_memory_equal(head, "RIFF", 4);
  htz_wav_head(head, RATE, 2, longest + 1, 0);
  assert_memory_equal(head, "RF64\xff\xff\xff\xffWAVEds64", 16);
  uint64_t data = 0, frames = 0;
  memcpy(&data, head + 28, 8); // on machines that have the lowest byte first
  memcpy(&frames, head + 36, 8);
  assert_int_equal(data, (longest + 1) * 8);
  assert_int_equal(frames, longest + 1);
  assert_memory_equal(head + 84, "data\xff\xff\xff\xff", 8);
}

int main(void) {
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
  const struct CMUnitTest tests[] = {
      TEST(what_is_pushed_is_in_the_file),
      TEST(a_new_take_begins_where_the_last_one_ends),
      TEST(an_empty_take_is_a_file_too),
      TEST(what_is_there_is_never_overwritten),
      TEST(a_stall_loses_nothing_while_the_ring_lasts),
      TEST(a_longer_one_leaves_silence_of_the_right_length),
      TEST(a_full_disk_ends_the_take_with_a_true_header),
      TEST(a_disk_that_silently_writes_nothing_too),
      TEST(the_header_is_true_while_it_records),
      TEST(a_take_may_begin_before_it_was_asked_for),
      TEST(places_are_cue_points_of_the_take_that_has_them),
      TEST(a_flac_take_has_the_same_samples_to_24_bits),
      TEST(a_disk_that_is_waited_for_keeps_nobody),
      TEST(the_header_says_what_is_on_the_disk),
      TEST(a_disk_that_breaks_is_told),
      TEST(a_head_is_as_long_for_any_length),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
