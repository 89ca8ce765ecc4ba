#include "check.h"

#include "alloc_guard.h"
#include "hertzian/base/rt.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

// Kept alive in a volatile so that the compiler cannot drop a malloc whose result is not used.
static void* volatile held;

static void use_malloc(void) {
  held = malloc(10);
}

static void use_calloc(void) {
  held = calloc(2, 10);
}

static void use_realloc(void) {
  held = realloc(held, 100);
}

static void use_free(void) {
  free(held);
}

static void use_aligned_alloc(void) {
  held = aligned_alloc(64, 128);
}

static void use_posix_memalign(void) {
  void* memory = NULL;
  if (posix_memalign(&memory, 64, 128) == 0) {
    held = memory;
  }
}

// A library's use counts too: strdup is not our call to malloc.
static void use_strdup(void) {
  held = strdup("text");
}

static void use_nothing(void) {}

// The signal by which a child died that did `act` inside an audio-thread section, or 0 when it lived.
static int signal_of(void (*act)(void), bool inside) {
  held = malloc(16);
  const pid_t child = fork();
  assert_true(child >= 0);
  if (child == 0) {
    const struct rlimit no_core = {0, 0};
    setrlimit(RLIMIT_CORE, &no_core);
    signal(SIGABRT, SIG_DFL); // cmocka catches it
    if (!freopen("/dev/null", "w", stderr)) {
      _exit(3);
    }
    if (inside) {
      htz_rt_enter();
    }
    act();
    if (inside) {
      htz_rt_leave();
    }
    _exit(0);
  }
  int status = 0;
  assert_int_equal(waitpid(child, &status, 0), child);
  free(held);
  if (WIFSIGNALED(status)) {
    return WTERMSIG(status);
  }
  assert_true(WIFEXITED(status));
  assert_int_equal(WEXITSTATUS(status), 0);
  return 0;
}

static void heap_use_aborts_inside_and_only_there(void** state) {
  (void)state;
  if (!htz_alloc_guard_active()) {
    skip();
  }
  void (*const acts[])(void) = {use_malloc,        use_calloc,         use_realloc, use_free,
                                use_aligned_alloc, use_posix_memalign, use_strdup};
  for (size_t i = 0; i < sizeof acts / sizeof *acts; ++i) {
    const bool seen = (acts[i] != use_aligned_alloc && acts[i] != use_posix_memalign) || htz_alloc_guard_sees_aligned();
    assert_int_equal(signal_of(acts[i], true), seen ? SIGABRT : 0);
    assert_int_equal(signal_of(acts[i], false), 0);
  }
  assert_int_equal(signal_of(use_nothing, true), 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(heap_use_aborts_inside_and_only_there)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
