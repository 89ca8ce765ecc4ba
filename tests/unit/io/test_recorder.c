// The recorder: what is pushed is in the file, to the frame; a slow, full or broken disk; many takes.
#include "check.h"

#include "hertzian/base/rt.h"
#include "hertzian/io/recorder.h"

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
  const char* names[] = {"a.wav", "b.wav", "c.wav"};
  for (size_t i = 0; i < 3; ++i) {
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

static htz_recorder* open_recorder(double ring_s, const htz_recorder_disk* disk) {
  const htz_recorder_desc desc = {.rate_hz = RATE, .ring_s = ring_s, .disk = disk};
  htz_recorder* r = NULL;
  assert_int_equal(htz_recorder_new(&desc, &r), HTZ_OK);
  return r;
}

static void start(htz_recorder* r, const char* name) {
  char path[512], why[HTZ_RECORDER_WHY] = "";
  assert_int_equal(htz_recorder_start(r, in_folder(name, path), why), HTZ_OK);
}

static void what_is_pushed_is_in_the_file(void** state) {
  (void)state;
  htz_recorder* r = open_recorder(1.0, NULL);
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
  htz_recorder* r = open_recorder(5.0, NULL);
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
  htz_recorder* r = open_recorder(1.0, NULL);
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
  htz_recorder* r = open_recorder(1.0, NULL);
  assert_int_equal(htz_recorder_start(r, path, why), HTZ_IO);
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
  const htz_recorder_disk disk = {bad_write, &bad};
  htz_recorder* r = open_recorder(10.0, &disk);
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
  const htz_recorder_disk disk = {bad_write, &bad};
  htz_recorder* r = open_recorder(0.1, &disk); // 75 blocks, which makes 128
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
  const htz_recorder_disk disk = {bad_write, &bad};
  htz_recorder* r = open_recorder(5.0, &disk);
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
  htz_recorder* r = open_recorder(5.0, NULL);
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
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
