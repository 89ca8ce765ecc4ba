#include "check.h"

#include "hertzian/io/audio.h"
#include "hertzian/io/midi_in.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

typedef struct {
  htz_arena arena;
  htz_ring rings[HTZ_MIDI_SOURCES_MAX];
  char folder[64];
  char path[128];
  htz_midi_in* in;
  pthread_mutex_t lock;
  int came, went; // news, under the lock
} stage;

static void pause_ms(long ms) {
  const struct timespec span = {.tv_sec = ms / 1000, .tv_nsec = ms % 1000 * 1000000};
  nanosleep(&span, NULL);
}

static void news(void* context, const char* name, bool connected) {
  stage* s = context;
  pthread_mutex_lock(&s->lock);
  s->came += connected;
  s->went += !connected;
  pthread_mutex_unlock(&s->lock);
  assert_non_null(name);
}

static int set_up(void** state) {
  stage* s = calloc(1, sizeof *s);
  pthread_mutex_init(&s->lock, NULL);
  htz_arena_measure(&s->arena);
  for (size_t i = 0; i < HTZ_MIDI_SOURCES_MAX; ++i) {
    if (htz_ring_init(&s->rings[i], HTZ_MIDI_RING, sizeof(htz_midi_stamped), &s->arena)) {
      return -1;
    }
  }
  snprintf(s->folder, sizeof s->folder, "/tmp/hertzian-midi-XXXXXX");
  if (!mkdtemp(s->folder)) {
    return -1;
  }
  snprintf(s->path, sizeof s->path, "%s/bytes", s->folder);
  *state = s;
  return 0;
}

static int tear_down(void** state) {
  stage* s = *state;
  htz_midi_in_close(s->in);
  htz_arena_free(&s->arena);
  unlink(s->path);
  rmdir(s->folder);
  pthread_mutex_destroy(&s->lock);
  free(s);
  return 0;
}

static htz_status open_raw(stage* s, const char* const* paths, size_t n, char* why) {
  static const char* const none[] = {"none"};
  const htz_midi_wish wish = {.names = none, .n_names = 1, .raw = paths, .n_raw = n, .hotplug = true};
  return htz_midi_in_open(&wish, s->rings, news, s, &s->in, why, 256);
}

static void listen_to(stage* s, const char* path) {
  char why[256] = "x";
  assert_int_equal(open_raw(s, &path, 1, why), HTZ_OK);
  assert_string_equal(why, "");
}

// Wait up to 5 s for the next item.
static htz_midi_stamped next(stage* s, size_t ring) {
  htz_midi_stamped item = {0};
  for (int i = 0; i < 5000; ++i) {
    if (htz_ring_pop(&s->rings[ring], &item)) {
      return item;
    }
    pause_ms(1);
  }
  fail_msg("nothing came");
  return item;
}

static void expect_bytes(stage* s, const char* bytes, size_t n) {
  for (size_t i = 0; i < n; ++i) {
    const htz_midi_stamped item = next(s, 0);
    assert_int_equal(item.kind, HTZ_MIDI_IN_BYTE);
    assert_int_equal(item.byte, (uint8_t)bytes[i]);
  }
}

static void expect_quiet(stage* s, long ms) {
  pause_ms(ms);
  assert_int_equal(htz_ring_count(&s->rings[0]), 0);
}

static int writer(const stage* s) {
  const int fd = open(s->path, O_WRONLY);
  assert_true(fd >= 0);
  return fd;
}

static void send(int fd, const char* bytes, size_t n) {
  assert_int_equal(write(fd, bytes, n), (ssize_t)n);
}

static void a_fifo_outlives_its_writers(void** state) {
  stage* s = *state;
  assert_int_equal(mkfifo(s->path, 0600), 0);
  listen_to(s, s->path);
  htz_midi_source sources[HTZ_MIDI_SOURCES_MAX];
  assert_int_equal(htz_midi_in_sources(s->in, sources), 1);
  assert_string_equal(sources[0].name, s->path);
  assert_true(sources[0].connected);
  for (int round = 0; round < 20; ++round) {
    const int fd = writer(s);
    send(fd, "\x90\x3c", 2); // half a message, the rest by the next writer
    close(fd);
    expect_bytes(s, "\x90\x3c", 2);
    const int again = writer(s);
    send(again, "\x64", 1);
    expect_bytes(s, "\x64", 1);
    close(again);
  }
  expect_quiet(s, 50); // no HTZ_MIDI_IN_LOST: notes may be held by one writer and released by another
  assert_false(htz_midi_in_ended(s->in));
  assert_int_equal(htz_midi_in_lost(s->in), 0);
}

static void bytes_are_stamped_when_they_arrive(void** state) {
  stage* s = *state;
  assert_int_equal(mkfifo(s->path, 0600), 0);
  listen_to(s, s->path);
  const int fd = writer(s);
  double last = 0;
  for (int i = 0; i < 10; ++i) {
    const double before = htz_audio_now();
    send(fd, "\xb0", 1);
    const htz_midi_stamped item = next(s, 0);
    assert_true(item.time_s >= before);
    assert_true(item.time_s <= htz_audio_now());
    assert_true(item.time_s > last);
    last = item.time_s;
    pause_ms(3);
  }
  close(fd);
}

static void a_regular_file_ends_in_a_loss(void** state) {
  stage* s = *state;
  enum { MANY = 3 * HTZ_MIDI_RING + 17 }; // more than the ring holds: the file waits, nothing is dropped
  FILE* file = fopen(s->path, "wb");
  assert_non_null(file);
  for (int i = 0; i < MANY; ++i) {
    fputc(i % 251, file);
  }
  fclose(file);
  listen_to(s, s->path);
  pause_ms(400); // longer than a live source would wait
  for (int i = 0; i < MANY; ++i) {
    const htz_midi_stamped item = next(s, 0);
    assert_int_equal(item.kind, HTZ_MIDI_IN_BYTE);
    assert_int_equal(item.byte, i % 251);
  }
  assert_int_equal(next(s, 0).kind, HTZ_MIDI_IN_LOST);
  for (int i = 0; i < 1000 && !htz_midi_in_ended(s->in); ++i) {
    pause_ms(1);
  }
  assert_true(htz_midi_in_ended(s->in));
  assert_int_equal(htz_midi_in_lost(s->in), 0);
  htz_midi_source sources[HTZ_MIDI_SOURCES_MAX];
  assert_int_equal(htz_midi_in_sources(s->in, sources), 1);
  assert_false(sources[0].connected);
}

static void standard_input_ends_when_it_closes(void** state) {
  stage* s = *state;
  int ends[2];
  assert_int_equal(pipe(ends), 0);
  const int saved = dup(STDIN_FILENO);
  assert_true(dup2(ends[0], STDIN_FILENO) == STDIN_FILENO);
  close(ends[0]);
  listen_to(s, "-");
  send(ends[1], "\x90\x3c\x40", 3);
  expect_bytes(s, "\x90\x3c\x40", 3);
  assert_false(htz_midi_in_ended(s->in));
  send(ends[1], "\x3e", 1);
  close(ends[1]);
  expect_bytes(s, "\x3e", 1);
  assert_int_equal(next(s, 0).kind, HTZ_MIDI_IN_LOST);
  for (int i = 0; i < 1000 && !htz_midi_in_ended(s->in); ++i) {
    pause_ms(1);
  }
  assert_true(htz_midi_in_ended(s->in));
  htz_midi_in_close(s->in);
  s->in = NULL;
  assert_true(fcntl(STDIN_FILENO, F_GETFD) != -1); // not ours to close
  dup2(saved, STDIN_FILENO);
  close(saved);
  pthread_mutex_lock(&s->lock);
  assert_int_equal(s->went, 1);
  pthread_mutex_unlock(&s->lock);
}

static void a_flood_that_nobody_takes_is_counted_and_told_once(void** state) {
  stage* s = *state;
  assert_int_equal(mkfifo(s->path, 0600), 0);
  listen_to(s, s->path);
  const int fd = writer(s);
  char chunk[1024];
  memset(chunk, 0x55, sizeof chunk);
  const size_t total = 3 * HTZ_MIDI_RING;
  for (size_t sent = 0; sent < total; sent += sizeof chunk) {
    send(fd, chunk, sizeof chunk);
  }
  for (int i = 0; i < 5000 && htz_midi_in_lost(s->in) < total - HTZ_MIDI_RING; ++i) {
    pause_ms(1);
  }
  assert_int_equal(htz_midi_in_lost(s->in), total - HTZ_MIDI_RING);
  assert_int_equal(htz_ring_count(&s->rings[0]), HTZ_MIDI_RING);
  for (int i = 0; i < HTZ_MIDI_RING; ++i) {
    assert_int_equal(next(s, 0).byte, 0x55);
  }
  // Told without a further byte having to come, and what comes then gets through.
  assert_int_equal(next(s, 0).kind, HTZ_MIDI_IN_LOST);
  send(fd, "\x90\x3c\x40", 3);
  expect_bytes(s, "\x90\x3c\x40", 3);
  expect_quiet(s, 20);
  close(fd);
}

// A writer faster than the audio thread is slowed down, not cut: 60 kB at once, a ring emptied every 2 ms.
static void a_flood_that_is_taken_loses_nothing(void** state) {
  stage* s = *state;
  assert_int_equal(mkfifo(s->path, 0600), 0);
  listen_to(s, s->path);
  const int fd = writer(s);
  enum { EVENTS = 20000 };
  char all[3 * EVENTS];
  for (int i = 0; i < EVENTS; ++i) {
    all[3 * i] = (char)0xb0;
    all[3 * i + 1] = (char)(i & 0x7f);
    all[3 * i + 2] = (char)(i >> 7 & 0x7f);
  }
  size_t sent = 0, taken = 0;
  fcntl(fd, F_SETFL, O_NONBLOCK);
  for (int turn = 0; turn < 10000 && taken < sizeof all; ++turn) {
    const ssize_t n = sent < sizeof all ? write(fd, all + sent, sizeof all - sent) : 0;
    sent += n > 0 ? (size_t)n : 0;
    htz_midi_stamped item;
    while (htz_ring_pop(&s->rings[0], &item)) {
      assert_int_equal(item.kind, HTZ_MIDI_IN_BYTE);
      assert_int_equal(item.byte, (uint8_t)all[taken]);
      ++taken;
    }
    pause_ms(2);
  }
  assert_int_equal(taken, sizeof all);
  assert_int_equal(htz_midi_in_lost(s->in), 0);
  close(fd);
}

static void close_in_time(stage* s) {
  const double before = htz_audio_now();
  htz_midi_in_close(s->in);
  s->in = NULL;
  check_below(htz_audio_now() - before, 0.1);
}

static void closing_is_prompt_whatever_the_thread_waits_for(void** state) {
  stage* s = *state;
  assert_int_equal(mkfifo(s->path, 0600), 0);
  listen_to(s, s->path); // no writer
  close_in_time(s);
  listen_to(s, s->path);
  int fd = writer(s); // a silent one
  pause_ms(20);
  close_in_time(s);
  close(fd);
  listen_to(s, s->path);
  fd = writer(s);
  char chunk[1024];
  memset(chunk, 0x55, sizeof chunk);
  for (size_t sent = 0; sent <= HTZ_MIDI_RING; sent += sizeof chunk) {
    send(fd, chunk, sizeof chunk);
  }
  pause_ms(100); // the ring is full and the thread waits for room
  close_in_time(s);
  close(fd);
}

static void a_device_that_goes_is_connected_again(void** state) {
  stage* s = *state;
  // A FIFO that is taken away from under its reader stands for a device: its path is gone when it hangs up.
  assert_int_equal(mkfifo(s->path, 0600), 0);
  listen_to(s, s->path);
  int fd = writer(s);
  send(fd, "\x90\x3c\x40", 3);
  expect_bytes(s, "\x90\x3c\x40", 3);
  unlink(s->path);
  close(fd);
  assert_int_equal(next(s, 0).kind, HTZ_MIDI_IN_LOST);
  assert_int_equal(mkfifo(s->path, 0600), 0);
  int came = 0;
  for (int i = 0; i < 3000 && !came; ++i) {
    pause_ms(1);
    pthread_mutex_lock(&s->lock);
    came = s->came;
    assert_int_equal(s->went, 1);
    pthread_mutex_unlock(&s->lock);
  }
  assert_int_equal(came, 1);
  fd = writer(s);
  send(fd, "\x91", 1);
  expect_bytes(s, "\x91", 1); // in the same ring
  close(fd);
}

static void several_streams_have_a_ring_each(void** state) {
  stage* s = *state;
  assert_int_equal(mkfifo(s->path, 0600), 0);
  const char* const paths[] = {s->path, "/dev/null", s->path};
  char why[256];
  assert_int_equal(open_raw(s, paths, 3, why), HTZ_OK);
  assert_int_equal(next(s, 1).kind, HTZ_MIDI_IN_LOST); // /dev/null has ended
  htz_midi_source sources[HTZ_MIDI_SOURCES_MAX];
  assert_int_equal(htz_midi_in_sources(s->in, sources), 3);
  const int fd = writer(s);
  send(fd, "\xf8", 1);
  htz_midi_stamped item;
  bool came = false;
  for (int i = 0; i < 5000 && !came; ++i) { // either of the two readers
    came = htz_ring_pop(&s->rings[0], &item) || htz_ring_pop(&s->rings[2], &item);
    pause_ms(1);
  }
  assert_true(came);
  assert_int_equal(item.byte, 0xf8);
  close(fd);
}

static void what_cannot_be_opened_is_named(void** state) {
  stage* s = *state;
  char why[256];
  const char* missing = "/nonexistent/fifo";
  assert_int_equal(open_raw(s, &missing, 1, why), HTZ_NOT_FOUND);
  assert_null(s->in);
  assert_non_null(strstr(why, missing));
  const char* folder = s->folder;
  assert_int_equal(open_raw(s, &folder, 1, why), HTZ_IO);
  assert_non_null(strstr(why, folder));
  const char* too_many[HTZ_MIDI_SOURCES_MAX + 1];
  for (size_t i = 0; i < sizeof too_many / sizeof too_many[0]; ++i) {
    too_many[i] = "/dev/null";
  }
  assert_int_equal(open_raw(s, too_many, HTZ_MIDI_SOURCES_MAX + 1, why), HTZ_FULL);
  // A good one before a bad one is stopped again.
  assert_int_equal(mkfifo(s->path, 0600), 0);
  const char* const mixed[] = {s->path, missing};
  assert_int_equal(open_raw(s, mixed, 2, why), HTZ_NOT_FOUND);
  assert_null(s->in);
  htz_midi_in_close(NULL);
}

#define test(f) cmocka_unit_test_setup_teardown(f, set_up, tear_down)

int main(void) {
  const struct CMUnitTest tests[] = {
      test(a_fifo_outlives_its_writers),
      test(bytes_are_stamped_when_they_arrive),
      test(a_regular_file_ends_in_a_loss),
      test(standard_input_ends_when_it_closes),
      test(a_flood_that_nobody_takes_is_counted_and_told_once),
      test(a_flood_that_is_taken_loses_nothing),
      test(closing_is_prompt_whatever_the_thread_waits_for),
      test(a_device_that_goes_is_connected_again),
      test(several_streams_have_a_ring_each),
      test(what_cannot_be_opened_is_named),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
