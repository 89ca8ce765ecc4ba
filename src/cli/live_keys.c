#include "live_keys.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdatomic.h>
#include <termios.h>
#include <unistd.h>

enum { ESCAPE = 0x1B, END_OF_INPUT = 0x04 };

static const int faults[] = {SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGQUIT, SIGSEGV, SIGSYS, SIGTRAP, SIGXCPU};
enum { FAULTS = sizeof faults / sizeof faults[0] };

// Of the process, as the terminal is: a handler gets no argument. `before` and `after` are written before `taken` is ever true.
static struct termios before, after;
static struct sigaction action_before[FAULTS];
static atomic_bool taken; // the terminal is ours now
static atomic_bool open_now;
static htz_key_reader reader;

htz_key_pressed htz_key_feed(htz_key_reader* r, unsigned char byte) {
  if (byte == ESCAPE) {
    r->escape = 1;
    return HTZ_KEY_NONE;
  }
  if (r->escape == 1 && (byte == '[' || byte == 'O')) {
    r->escape = 2;
    return HTZ_KEY_NONE;
  }
  if (r->escape == 2) {
    const bool ended = byte >= '@' && byte <= '~'; // parameters of the sequence come before its last byte
    r->escape = ended ? 0 : 2;
    return byte == 'A'   ? HTZ_KEY_UP
           : byte == 'B' ? HTZ_KEY_DOWN
           : byte == 'C' ? HTZ_KEY_RIGHT
           : byte == 'D' ? HTZ_KEY_LEFT
                         : HTZ_KEY_NONE;
  }
  r->escape = 0;
  switch (byte) {
  case ' ':
  case 'p':
    return HTZ_KEY_PAUSE;
  case 'n':
    return HTZ_KEY_NEXT;
  case 'b':
    return HTZ_KEY_BACK;
  case 'q':
  case END_OF_INPUT:
    return HTZ_KEY_QUIT;
  case 'x':
    return HTZ_KEY_SILENCE;
  case 'r':
    return HTZ_KEY_RECORD;
  case '?':
  case 'h':
    return HTZ_KEY_HELP;
  case '+':
  case '=':
    return HTZ_KEY_MORE;
  case '-':
    return HTZ_KEY_LESS;
  default:
    return byte >= '0' && byte <= '9' ? (htz_key_pressed)(HTZ_KEY_DIGIT + (byte - '0')) : HTZ_KEY_NONE;
  }
}

// A background job that touches the terminal is stopped for it. One that is not our session's has no jobs.
static bool in_foreground(void) {
  const pid_t group = tcgetpgrp(STDIN_FILENO);
  return group < 0 ? errno == ENOTTY : group == getpgrp();
}

static void on_fault(int number) {
  htz_keys_release();
  for (int i = 0; i < FAULTS; i++) {
    if (faults[i] == number) {
      sigaction(number, &action_before[i], NULL);
    }
  }
  raise(number); // once more, for whoever would have had it
}

static void guard(void) {
  struct sigaction action = {.sa_handler = on_fault};
  sigemptyset(&action.sa_mask);
  for (int i = 0; i < FAULTS; i++) {
    sigaction(faults[i], NULL, &action_before[i]);
    if (action_before[i].sa_handler != SIG_IGN) {
      sigaction(faults[i], &action, NULL);
    }
  }
}

bool htz_keys_open(void) {
  if (!isatty(STDIN_FILENO) || tcgetattr(STDIN_FILENO, &before) != 0) {
    return false;
  }
  after = before;
  after.c_lflag &= ~(tcflag_t)(ICANON | ECHO);
  after.c_cc[VMIN] = 1;
  after.c_cc[VTIME] = 0;
  reader = (htz_key_reader){0};
  atomic_store_explicit(&open_now, true, memory_order_relaxed);
  guard();
  htz_keys_renew();
  return true;
}

bool htz_keys_are_open(void) {
  return atomic_load_explicit(&open_now, memory_order_relaxed);
}

htz_key_pressed htz_keys_read(void) {
  htz_key_pressed key = HTZ_KEY_NONE;
  while (htz_keys_are_open() && key == HTZ_KEY_NONE && in_foreground()) {
    struct pollfd input = {.fd = STDIN_FILENO, .events = POLLIN};
    unsigned char byte = 0;
    if (poll(&input, 1, 0) <= 0) {
      return HTZ_KEY_NONE;
    }
    const ssize_t n = read(STDIN_FILENO, &byte, 1);
    if (n < 0 && errno == EINTR) {
      continue;
    }
    if (n <= 0) {
      atomic_store_explicit(&open_now, false, memory_order_relaxed); // the terminal is gone
      return HTZ_KEY_NONE;
    }
    key = htz_key_feed(&reader, byte);
  }
  return key;
}

void htz_keys_release(void) {
  const int error = errno;
  if (atomic_exchange_explicit(&taken, false, memory_order_acq_rel) && in_foreground()) {
    tcsetattr(STDIN_FILENO, TCSANOW, &before);
  }
  errno = error;
}

void htz_keys_renew(void) {
  if (in_foreground() && tcsetattr(STDIN_FILENO, TCSANOW, &after) == 0) {
    atomic_store_explicit(&taken, true, memory_order_release);
  }
}

void htz_keys_close(void) {
  htz_keys_release();
  if (atomic_exchange_explicit(&open_now, false, memory_order_relaxed)) {
    for (int i = 0; i < FAULTS; i++) {
      sigaction(faults[i], &action_before[i], NULL);
    }
  }
}
