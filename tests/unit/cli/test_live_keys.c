// Keys of a terminal while a song plays: what bytes mean, and that a terminal comes back as it was.
#define _XOPEN_SOURCE 700 // pseudo terminals

#include "check.h"

#include "live_keys.h"

#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

static void bytes_are_keys(void** state) {
  (void)state;
  static const struct {
    const char* bytes;
    htz_key_pressed last;
  } cases[] = {
      {" ", HTZ_KEY_PAUSE},         {"n", HTZ_KEY_NEXT},         {"b", HTZ_KEY_BACK},
      {"q", HTZ_KEY_QUIT},          {"x", HTZ_KEY_SILENCE},      {"r", HTZ_KEY_RECORD},
      {"?", HTZ_KEY_HELP},          {"\x1b[B", HTZ_KEY_DOWN},    {"+", HTZ_KEY_MORE},
      {"-", HTZ_KEY_LESS},          {"0", HTZ_KEY_DIGIT},        {"7", (htz_key_pressed)(HTZ_KEY_DIGIT + 7)},
      {"y", HTZ_KEY_NONE},          {"\x1b[C", HTZ_KEY_RIGHT},   {"\x1b[D", HTZ_KEY_LEFT},
      {"\x1bOC", HTZ_KEY_RIGHT},    {"\x1b[A", HTZ_KEY_UP},      {"\x1b[1;5C", HTZ_KEY_RIGHT},
      {"\x1b[1", HTZ_KEY_NONE},     {"\x1b ", HTZ_KEY_PAUSE},    {"\x1bn", HTZ_KEY_NEXT},
      {"\x1b\x1b[D", HTZ_KEY_LEFT}, {"\x1b[15~q", HTZ_KEY_QUIT}, {"\xff", HTZ_KEY_NONE},
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    htz_key_reader reader = {0};
    htz_key_pressed key = HTZ_KEY_NONE;
    for (const char* at = cases[i].bytes; *at; at++) {
      assert_int_equal(key, HTZ_KEY_NONE); // only the last byte is a key
      key = htz_key_feed(&reader, (unsigned char)*at);
    }
    assert_int_equal(key, cases[i].last);
  }
}

static bool waits_for_lines(int terminal) {
  struct termios now;
  assert_int_equal(tcgetattr(terminal, &now), 0);
  return now.c_lflag & ICANON && now.c_lflag & ECHO;
}

// A session of its own whose terminal is standard input; leaves it in `way`.
static void child(const char* terminal, int ready, int way) {
  setsid();
  const int fd = open(terminal, O_RDWR);
  ioctl(fd, TIOCSCTTY, 0);
  dup2(fd, STDIN_FILENO);
  if (way != 0) {
    signal(way, SIG_DFL); // the test's own handler is not to catch it
  }
  if (!htz_keys_open() || write(ready, "x", 1) != 1) {
    _exit(99);
  }
  while (htz_keys_read() != HTZ_KEY_PAUSE) {
    usleep(1000);
  }
  if (way != 0) {
    raise(way);
  }
  htz_keys_close();
  _exit(7);
}

static void the_terminal_comes_back(void** state) {
  (void)state;
  static const int ways[] = {0, SIGSEGV, SIGABRT, SIGQUIT, SIGFPE};
  for (size_t i = 0; i < sizeof ways / sizeof ways[0]; i++) {
    int ready[2], status = 0;
    char byte;
    const int master = posix_openpt(O_RDWR | O_NOCTTY);
    assert_true(master >= 0 && grantpt(master) == 0 && unlockpt(master) == 0);
    const int terminal = open(ptsname(master), O_RDWR | O_NOCTTY); // keeps it there when the child has gone
    assert_true(waits_for_lines(terminal));
    assert_int_equal(pipe(ready), 0);
    const pid_t pid = fork();
    if (pid == 0) {
      child(ptsname(master), ready[1], ways[i]);
    }
    assert_int_equal(read(ready[0], &byte, 1), 1);
    assert_false(waits_for_lines(terminal));
    assert_int_equal(write(master, "x ", 2), 2);
    assert_int_equal(waitpid(pid, &status, 0), pid);
    if (ways[i] != 0) {
      assert_true(WIFSIGNALED(status) && WTERMSIG(status) == ways[i]); // as without the keys
    } else {
      assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 7);
    }
    assert_true(waits_for_lines(terminal));
    close(terminal);
    close(master);
    close(ready[0]);
    close(ready[1]);
  }
}

static void without_a_terminal_there_are_no_keys(void** state) {
  (void)state;
  const int before = dup(STDIN_FILENO), null = open("/dev/null", O_RDONLY);
  dup2(null, STDIN_FILENO);
  assert_false(htz_keys_open());
  assert_false(htz_keys_are_open());
  assert_int_equal(htz_keys_read(), HTZ_KEY_NONE);
  htz_keys_close();
  dup2(before, STDIN_FILENO);
  close(before);
  close(null);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(bytes_are_keys),
      cmocka_unit_test(the_terminal_comes_back),
      cmocka_unit_test(without_a_terminal_there_are_no_keys),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
