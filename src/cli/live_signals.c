#include "live_signals.h"

#include "live_keys.h"

#include <string.h>
#include <time.h>
#include <unistd.h>

static const double patience_s = 0.45; // [s] after INT or TERM; the promise is half a second
static const double trust_s = 0.3;     // [s] of it in which the control thread may finish the files
static const long glance_ns = 5 * 1000 * 1000L;

static void set_of(sigset_t* set) {
  sigemptyset(set);
  sigaddset(set, SIGINT);
  sigaddset(set, SIGTERM);
  sigaddset(set, SIGHUP);
  sigaddset(set, SIGUSR1);
  sigaddset(set, SIGUSR2);
  if (htz_keys_are_open()) { // the terminal is handed back while the program is stopped
    sigaddset(set, SIGTSTP);
    sigaddset(set, SIGCONT);
  }
}

static double now_s(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + (double)now.tv_nsec * 1e-9; // 1e-9: nanoseconds to seconds
}

// @return whether the program has come to its end by itself before `end`
static bool ends_by_itself(htz_signals* signals, double end) {
  const struct timespec glance = {0, glance_ns};
  // By the clock: on a busy machine every sleep is longer than asked for.
  while (now_s() < end) {
    if (atomic_load_explicit(&signals->done, memory_order_acquire)) {
      return true;
    }
    nanosleep(&glance, NULL);
  }
  return false;
}

static void watchdog(htz_signals* signals, double began) {
  const double end = began + patience_s;
  int code = atomic_load_explicit(&signals->code, memory_order_acquire);
  if (ends_by_itself(signals, began + trust_s)) {
    return;
  }
  pthread_mutex_lock(&signals->lock); // what is guarded is not freed meanwhile
  const htz_signals_guard guard = signals->guard;
  if (guard.begin && !atomic_load_explicit(&signals->settled, memory_order_acquire)) {
    code = guard.finish(guard.context, end - now_s());
  }
  pthread_mutex_unlock(&signals->lock);
  if (!ends_by_itself(signals, end)) {
    const bool settled = atomic_load_explicit(&signals->settled, memory_order_acquire);
    _exit(settled ? atomic_load_explicit(&signals->code, memory_order_acquire) : code);
  }
}

// Stop as anybody would, but with the terminal as it was.
static void stand_still(void) {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGTSTP);
  htz_keys_release();
  pthread_sigmask(SIG_UNBLOCK, &set, NULL);
  raise(SIGTSTP); // goes on here, once continued
  pthread_sigmask(SIG_BLOCK, &set, NULL);
  htz_keys_renew();
}

static void* take_signals(void* user) {
  htz_signals* signals = user;
  sigset_t set;
  int number = 0;
  set_of(&set);
  while (sigwait(&set, &number) == 0 && !atomic_load_explicit(&signals->done, memory_order_acquire)) {
    const double came = now_s();
    pthread_mutex_lock(&signals->lock);
    switch (number) {
    case SIGTSTP:
      stand_still();
      break;
    case SIGCONT:
      htz_keys_renew();
      break;
    case SIGHUP:
      atomic_fetch_add_explicit(&signals->hangups, 1, memory_order_relaxed);
      break;
    case SIGUSR1:
      atomic_fetch_add_explicit(&signals->toggles, 1, memory_order_relaxed);
      break;
    case SIGUSR2:
      atomic_fetch_add_explicit(&signals->panics, 1, memory_order_relaxed);
      if (signals->guard.panic) {
        signals->guard.panic(signals->guard.context, atomic_load_explicit(&signals->panics, memory_order_relaxed));
      }
      break;
    default:
      atomic_store_explicit(&signals->stop, number, memory_order_relaxed);
      if (signals->guard.begin) {
        signals->guard.begin(signals->guard.context);
      }
      break;
    }
    pthread_cond_broadcast(&signals->changed);
    pthread_mutex_unlock(&signals->lock);
    if (atomic_load_explicit(&signals->stop, memory_order_relaxed) != 0) {
      htz_keys_release(); // the watchdog may be the one that ends
      watchdog(signals, came);
      return NULL;
    }
  }
  return NULL;
}

htz_status htz_signals_open(htz_signals* signals) {
  sigset_t set;
  memset(signals, 0, sizeof *signals);
  atomic_init(&signals->stop, 0);
  atomic_init(&signals->hangups, 0);
  atomic_init(&signals->toggles, 0);
  atomic_init(&signals->panics, 0);
  atomic_init(&signals->done, false);
  atomic_init(&signals->settled, false);
  atomic_init(&signals->code, 0);
  pthread_mutex_init(&signals->lock, NULL);
  pthread_condattr_t attributes;
  pthread_condattr_init(&attributes);
  pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
  pthread_cond_init(&signals->changed, &attributes);
  pthread_condattr_destroy(&attributes);
  // A shell starts background jobs with SIGINT ignored; whoever sends one by hand means it.
  signal(SIGINT, SIG_DFL);
  set_of(&set);
  pthread_sigmask(SIG_BLOCK, &set, &signals->before);
  signals->started = pthread_create(&signals->thread, NULL, take_signals, signals) == 0;
  return signals->started ? HTZ_OK : HTZ_NO_THREAD;
}

void htz_signals_guard_with(htz_signals* signals, htz_signals_guard guard) {
  pthread_mutex_lock(&signals->lock);
  signals->guard = guard;
  pthread_mutex_unlock(&signals->lock);
}

void htz_signals_wait(htz_signals* signals, double seconds) {
  struct timespec until;
  clock_gettime(CLOCK_MONOTONIC, &until);
  until.tv_nsec += (long)(seconds * 1e9); // 1e9: seconds to nanoseconds
  until.tv_sec += until.tv_nsec / 1000000000L;
  until.tv_nsec %= 1000000000L;
  pthread_mutex_lock(&signals->lock);
  if (atomic_load_explicit(&signals->stop, memory_order_relaxed) == 0) {
    pthread_cond_timedwait(&signals->changed, &signals->lock, &until);
  }
  pthread_mutex_unlock(&signals->lock);
}

void htz_signals_close(htz_signals* signals) {
  atomic_store_explicit(&signals->done, true, memory_order_release);
  if (signals->started) {
    pthread_kill(signals->thread, SIGTERM); // lets it go, if nobody did so before
    pthread_join(signals->thread, NULL);
  }
  // The signals stay blocked: one more would change the exit code.
  pthread_cond_destroy(&signals->changed);
  pthread_mutex_destroy(&signals->lock);
}
