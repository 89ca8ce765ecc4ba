#ifndef HERTZIAN_CLI_LIVE_SIGNALS_H
#define HERTZIAN_CLI_LIVE_SIGNALS_H

#include "hertzian/base/status.h"

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>

/**
   What the signals' thread does itself after INT, TERM or USR2, since the control thread may be busy, or get no time on a busy machine.
   None of these may wait for the control thread.
*/
typedef struct {
  void (*begin)(void* context);                  ///< at once
  int (*finish)(void* context, double limit_s);  ///< when files are still open after most of the time; returns an exit code
  void (*panic)(void* context, unsigned number); ///< at once after USR2, which came for the `number`-th time; may be NULL
  void* context;
} htz_signals_guard;

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
  atomic_bool settled; ///< its files are finished; then `code` is what the watchdog ends it with
  atomic_int code;
  htz_signals_guard guard; ///< guarded by `lock`
} htz_signals;

/** Before any other thread is made: they inherit what is blocked. @return HTZ_OK or HTZ_NO_THREAD */
htz_status htz_signals_open(htz_signals* signals);

/** From now on, until another is given, have what is played ended in time. `begin` NULL: nothing is. */
void htz_signals_guard_with(htz_signals* signals, htz_signals_guard guard);

/** Sleep until a signal comes, `seconds` at most. */
void htz_signals_wait(htz_signals* signals, double seconds);

void htz_signals_close(htz_signals* signals);

#endif
