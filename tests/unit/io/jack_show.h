#ifndef HERTZIAN_TESTS_UNIT_IO_JACK_SHOW_H
#define HERTZIAN_TESTS_UNIT_IO_JACK_SHOW_H

// A JACK server of our own with its dummy driver, under a private name.

#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { JACK_RATE = 48000, JACK_FRAMES = 128 };

static inline void pause_ms(long ms) {
  const struct timespec span = {.tv_sec = ms / 1000, .tv_nsec = ms % 1000 * 1000000};
  nanosleep(&span, NULL);
}

static inline pid_t jack_spawn(const char* const* words) {
  const pid_t child = fork();
  if (child == 0) {
    const int nowhere = open("/dev/null", O_RDWR);
    dup2(nowhere, STDOUT_FILENO);
    dup2(nowhere, STDERR_FILENO);
    execvp(words[0], (char* const*)words);
    _exit(127);
  }
  return child;
}

static inline pid_t jack_serve(void) {
  const char* const words[] = {"jackd", "-n",    getenv("JACK_DEFAULT_SERVER"),
                               "-R",    "-P",    "60",
                               "-d",    "dummy", "-r",
                               "48000", "-p",    "128",
                               "-C",    "2",     "-P",
                               "2",     NULL};
  return jack_spawn(words);
}

// Always the same name: JACK keeps eight, those of dead servers too, until they are used again. @return 0: no jackd to be had here
static inline pid_t jack_begin(const char* name) {
  setenv("JACK_DEFAULT_SERVER", name, 1);
  setenv("JACK_NO_START_SERVER", "1", 1);
  signal(SIGPIPE, SIG_IGN); // as the program does: the server's end of a pipe may go
  const pid_t server = jack_serve();
  for (int i = 0; i < 200 && server > 0 && waitpid(server, NULL, WNOHANG) == 0; ++i) {
    if (system("jack_lsp >/dev/null 2>&1") == 0) {
      return server;
    }
    pause_ms(50);
  }
  fprintf(stderr, "no jackd to be had here\n");
  return 0;
}

static inline void jack_end(pid_t server, int signal_number) {
  kill(server, signal_number);
  waitpid(server, NULL, 0);
}

// Whether a command of a shell succeeds before long.
static inline bool jack_soon(const char* command) {
  for (int i = 0; i < 100; ++i) {
    if (system(command) == 0) {
      return true;
    }
    pause_ms(50);
  }
  return false;
}

#endif
