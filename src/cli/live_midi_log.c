#include "live_midi_log.h"

#include "hertzian/midi/smf_write.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static const struct timespec glance = {0, 20 * 1000000L}; // 20 ms between two looks at the ring: what a crash may cost
static const struct timespec wait_step = {0, 2 * 1000000L};

struct htz_midi_log {
  htz_live* live;
  htz_smf_writer* writer; // the thread's
  pthread_t thread;
  bool started;
  pthread_mutex_t lock;
  // Guarded by `lock`.
  bool stopping, finished;
  uint64_t end; // frame at which it stops
  htz_midi_log_state state;
  char path[]; // owned
};

static void note(htz_midi_log* log, htz_status status) {
  const int error = status ? (errno ? errno : EIO) : 0;
  pthread_mutex_lock(&log->lock);
  log->state.error = log->state.error ? log->state.error : error;
  log->state.lost = htz_ring_refused(&log->live->played);
  pthread_mutex_unlock(&log->lock);
}

static void* run(void* user) {
  htz_midi_log* log = user;
  for (bool over = false; !over;) {
    htz_midi_message message;
    // Asked before the ring is found empty, or its last messages could come in between.
    pthread_mutex_lock(&log->lock);
    over = log->stopping;
    const uint64_t end = log->end;
    pthread_mutex_unlock(&log->lock);
    while (htz_ring_pop(&log->live->played, &message)) {
      htz_smf_writer_put(log->writer, &message); // what cannot be written is found below
    }
    if (over) {
      note(log, htz_smf_writer_close(log->writer, end));
    } else {
      note(log, htz_smf_writer_sync(log->writer));
      nanosleep(&glance, NULL);
    }
  }
  pthread_mutex_lock(&log->lock);
  log->finished = true;
  pthread_mutex_unlock(&log->lock);
  return NULL;
}

htz_status htz_midi_log_open(const char* path, htz_live* live, htz_midi_log** out) {
  *out = NULL;
  const size_t size = strlen(path) + 1;
  htz_midi_log* log = calloc(1, sizeof *log + size);
  if (!log) {
    return HTZ_NO_MEMORY;
  }
  log->live = live;
  memcpy(log->path, path, size);
  const htz_status st = htz_smf_writer_open(path, live->rate_hz, &log->writer);
  if (st) {
    const int error = errno;
    free(log);
    errno = error;
    return st;
  }
  pthread_mutex_init(&log->lock, NULL);
  log->started = pthread_create(&log->thread, NULL, run, log) == 0;
  if (!log->started) {
    htz_smf_writer_close(log->writer, 0);
    htz_midi_log_free(log, false);
    return HTZ_NO_THREAD;
  }
  *out = log;
  return HTZ_OK;
}

htz_midi_log_state htz_midi_log_get(htz_midi_log* log) {
  pthread_mutex_lock(&log->lock);
  const htz_midi_log_state state = log->state;
  pthread_mutex_unlock(&log->lock);
  return state;
}

void htz_midi_log_stop(htz_midi_log* log) {
  const uint64_t end = atomic_load_explicit(&log->live->view.frames, memory_order_relaxed);
  pthread_mutex_lock(&log->lock);
  log->end = log->stopping ? log->end : end;
  log->stopping = true;
  pthread_mutex_unlock(&log->lock);
}

bool htz_midi_log_wait(htz_midi_log* log, double limit_s) {
  for (double waited = 0.0;; waited += (double)wait_step.tv_nsec * 1e-9) { // 1e-9: nanoseconds to seconds
    pthread_mutex_lock(&log->lock);
    const bool finished = log->finished;
    pthread_mutex_unlock(&log->lock);
    if (finished || waited >= limit_s) {
      return finished;
    }
    nanosleep(&wait_step, NULL);
  }
}

void htz_midi_log_free(htz_midi_log* log, bool keep) {
  if (!log) {
    return;
  }
  if (log->started) {
    htz_midi_log_stop(log);
    pthread_join(log->thread, NULL);
  }
  if (!keep) {
    unlink(log->path);
  }
  pthread_mutex_destroy(&log->lock);
  free(log);
}
