#ifndef HERTZIAN_CLI_RENDER_CONTROL_H
#define HERTZIAN_CLI_RENDER_CONTROL_H

#include "render_job.h"

#include <pthread.h>
#include <stdatomic.h>

enum { HTZ_JOBS_MAX = 64 }; ///< render threads at a time, as `-j` allows

/**
   The main thread's part of a render: hands songs to render threads, posts the settings to their engines, says what they have
   to say, draws the progress bar, and reacts to signals within half a second.
*/
typedef struct htz_control {
  // [config]
  const htz_options* options;
  htz_job* jobs;
  size_t n_jobs;
  pthread_t threads[HTZ_JOBS_MAX], waiting; ///< those that render, and the one that waits for signals
  size_t n_threads;
  bool has_waiting;
  // [state] guarded by `lock`
  pthread_mutex_t lock;
  pthread_cond_t changed;
  size_t next;    ///< job not yet taken by a thread
  size_t running; ///< render threads not yet gone
  size_t head;    ///< job whose lines are said now
  bool bar;       ///< a progress bar stands on the terminal's line
  double bar_at;  ///< when it was drawn last [s]
  // [state] of any thread
  atomic_int signal; ///< that asked us to stop, 0 none
} htz_control;

/**
   Run all jobs to their end, or until a signal.

   @return 0, or the signal's number when jobs were interrupted; does not return when a render thread hangs in a write then,
   but removes what it was writing and ends the process
*/
int htz_control_run(htz_control* control, const htz_options* options, htz_job* jobs, size_t n_jobs);

/** Say that everything is built. Render thread. @return false when asked to stop */
bool htz_control_begin(htz_job* job);

/** True when the render shall stop. Any thread. */
bool htz_control_stopped(const htz_job* job);

/** Seconds on a clock that only goes forward. */
double htz_control_now(void);

#endif
