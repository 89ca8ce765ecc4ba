// Signals of a live performance, and the watchdog that ends a program which does not end by itself.
#include "check.h"

#include "live_signals.h"

#include <signal.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static double now_s(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

// What a child does: `ends` by itself when asked, or hangs.
static void child(int ready, bool ends) {
  htz_signals signals;
  htz_signals_open(&signals);
  atomic_store(&signals.code, 5);
  if (write(ready, "x", 1) != 1) {
    _exit(99);
  }
  while (atomic_load(&signals.stop) == 0) {
    htz_signals_wait(&signals, 10.0);
  }
  while (!ends) {
    pause();
  }
  htz_signals_close(&signals);
  _exit(7);
}

static void ask(int number, bool ends, int code) {
  int ready[2], status = 0;
  char byte;
  assert_int_equal(pipe(ready), 0);
  const pid_t pid = fork();
  if (pid == 0) {
    child(ready[1], ends);
  }
  assert_int_equal(read(ready[0], &byte, 1), 1);
  const double began = now_s();
  kill(pid, number);
  assert_int_equal(waitpid(pid, &status, 0), pid);
  // Half a second is the promise; the rest is for a machine that is busy with other things.
  check_below(now_s() - began, 0.5 + 1.0);
  assert_true(WIFEXITED(status));
  assert_int_equal(WEXITSTATUS(status), code);
  close(ready[0]);
  close(ready[1]);
}

static void what_ends_by_itself_keeps_its_code(void** state) {
  (void)state;
  ask(SIGINT, true, 7);
  ask(SIGTERM, true, 7);
}

static void what_hangs_is_ended(void** state) {
  (void)state;
  ask(SIGINT, false, 5);
  ask(SIGTERM, false, 5);
}

static void the_others_are_counted(void** state) {
  (void)state;
  htz_signals signals;
  htz_signals_open(&signals);
  const int numbers[] = {SIGHUP, SIGUSR1, SIGUSR2, SIGUSR1};
  for (size_t i = 0; i < 4; i++) {
    const unsigned before = atomic_load(&signals.toggles) + atomic_load(&signals.panics) + atomic_load(&signals.hangups);
    kill(getpid(), numbers[i]);
    for (int tries = 0; tries < 100; tries++) {
      if (atomic_load(&signals.toggles) + atomic_load(&signals.panics) + atomic_load(&signals.hangups) > before) {
        break;
      }
      htz_signals_wait(&signals, 0.02);
    }
  }
  assert_int_equal(atomic_load(&signals.hangups), 1);
  assert_int_equal(atomic_load(&signals.toggles), 2);
  assert_int_equal(atomic_load(&signals.panics), 1);
  assert_int_equal(atomic_load(&signals.stop), 0);
  const double began = now_s();
  htz_signals_wait(&signals, 0.05);
  check_above(now_s() - began, 0.049);
  htz_signals_close(&signals);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(what_ends_by_itself_keeps_its_code),
      cmocka_unit_test(what_hangs_is_ended),
      cmocka_unit_test(the_others_are_counted),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
