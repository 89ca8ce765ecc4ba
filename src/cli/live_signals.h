#ifndef HERTZIAN_CLI_LIVE_SIGNALS_H
#define HERTZIAN_CLI_LIVE_SIGNALS_H

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>

/**
   Signals of a live performance, taken by waiting for them on a thread that does nothing else. After INT or TERM that thread is
   also the watchdog: when the program has not ended by itself in time, it ends it.
*/
typedef struct {
  pthread_t thread;
  bool started;
  sigset_t before;
  pthread_mutex_t lock;
  pthread_cond_t changed;
  atomic_int stop;     ///< number of the signal that asked us to stop, 0 none
  atomic_uint hangups; ///< HUP so far
  atomic_uint toggles; ///< USR1 so far
  atomic_uint panics;  ///< USR2 so far
  atomic_bool done;    ///< the program ends by itself
  atomic_int code;     ///< with which the watchdog would end it
} htz_signals;

/** Before any other thread is made: they inherit what is blocked. */
void htz_signals_open(htz_signals* signals);

/** Sleep until a signal comes, `seconds` at most. */
void htz_signals_wait(htz_signals* signals, double seconds);

void htz_signals_close(htz_signals* signals);

#endif
