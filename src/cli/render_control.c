#include "render_control.h"

#include <errno.h>
#include <math.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static const double bar_every_s = 0.1; // [s] the progress bar moves no faster
static const double wait_s = 0.05;     // [s] between two looks at everything
static const double patience_s = 0.3;  // [s] render threads get after a signal; the promise is 0.5 s for all of it

double htz_control_now(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + (double)now.tv_nsec * 1e-9; // 1e-9: nanoseconds to seconds
}

bool htz_control_stopped(const htz_job* job) {
  return atomic_load_explicit(&job->control->signal, memory_order_relaxed) != 0;
}

const char* htz_job_shown(const char* path, bool output) {
  return strcmp(path, "-") != 0 ? path : output ? "standard output" : "standard input";
}

void htz_job_say(htz_job* job, htz_log_level level, const char* format, ...) {
  va_list args, again;
  va_start(args, format);
  va_copy(again, args);
  char* text = htz_log_format(format, args);
  va_end(args);
  htz_control* control = job->control;
  pthread_mutex_lock(&control->lock);
  if (text && job->n_lines == job->lines_room) {
    const size_t room = job->lines_room * 2 + 8; // grows by doubling from a handful
    htz_job_line* lines = realloc(job->lines, room * sizeof *lines);
    if (lines) {
      job->lines = lines;
      job->lines_room = room;
    }
  }
  if (text && job->n_lines < job->lines_room) {
    job->lines[job->n_lines++] = (htz_job_line){level, text};
    text = NULL;
  } else { // without memory to keep it, at once and out of turn
    char cut[HTZ_USAGE_TEXT];
    vsnprintf(cut, sizeof cut, format, again);
    htz_log_say(control->options->log, level, "%s", cut);
  }
  pthread_cond_broadcast(&control->changed);
  pthread_mutex_unlock(&control->lock);
  va_end(again);
  free(text);
}

void htz_job_free(htz_job* job) {
  for (size_t i = 0; i < job->n_lines; i++) {
    free(job->lines[i].text);
  }
  free(job->lines);
  free(job->output);
  free(job->part);
  free(job->result.reason);
}

bool htz_control_begin(htz_job* job) {
  htz_control* control = job->control;
  pthread_mutex_lock(&control->lock);
  job->state = HTZ_JOB_RUNNING;
  pthread_cond_broadcast(&control->changed);
  pthread_mutex_unlock(&control->lock);
  return !htz_control_stopped(job);
}

static void* render_thread(void* user) {
  htz_control* control = user;
  pthread_mutex_lock(&control->lock);
  while (control->next < control->n_jobs && atomic_load_explicit(&control->signal, memory_order_relaxed) == 0) {
    htz_job* job = &control->jobs[control->next++];
    job->state = HTZ_JOB_LOADING;
    pthread_mutex_unlock(&control->lock);
    htz_job_run(job);
    pthread_mutex_lock(&control->lock);
    job->state = HTZ_JOB_DONE;
    pthread_cond_broadcast(&control->changed);
  }
  control->running--;
  pthread_cond_broadcast(&control->changed);
  pthread_mutex_unlock(&control->lock);
  return NULL;
}

static void stop_signals(sigset_t* set) {
  sigemptyset(set);
  sigaddset(set, SIGINT);
  sigaddset(set, SIGTERM);
  sigaddset(set, SIGHUP);
}

// Signals are taken by waiting for them, on a thread that does nothing else: no handler, and no state for one.
static void* signal_thread(void* user) {
  htz_control* control = user;
  sigset_t set;
  int number = 0;
  stop_signals(&set);
  if (sigwait(&set, &number) == 0) {
    atomic_store_explicit(&control->signal, number, memory_order_relaxed);
    pthread_mutex_lock(&control->lock);
    pthread_cond_broadcast(&control->changed);
    pthread_mutex_unlock(&control->lock);
  }
  return NULL;
}

static bool bar_wanted(const htz_options* options) {
  return options->progress == HTZ_PROGRESS_ALWAYS ||
         (options->progress == HTZ_PROGRESS_AUTO && options->verbosity >= 0 && isatty(STDERR_FILENO));
}

static void clear_bar(htz_control* control) {
  enum { BAR_LINE = 70 }; // columns that the bar's line takes at most
  if (control->bar) {
    fprintf(stderr, "\r%*s\r", BAR_LINE, "");
    control->bar = false;
  }
}

static void draw_bar(htz_control* control, double began) {
  enum { BAR = 20, HUNDRED = 100 };
  const htz_job* job = &control->jobs[control->head];
  const double now = htz_control_now();
  if (job->state != HTZ_JOB_RUNNING || now - control->bar_at < bar_every_s) {
    return;
  }
  const double done = (double)atomic_load_explicit(&job->frames_done, memory_order_relaxed);
  const double expected = (double)atomic_load_explicit(&job->frames_expected, memory_order_relaxed);
  const double part = done < expected ? done / expected : 1.0;
  const double elapsed = now - began;
  char bar[BAR + 1], count[48] = "";
  memset(bar, ' ', BAR);
  memset(bar, '=', (size_t)(part * BAR));
  if (part < 1.0 && part > 0.0) {
    bar[(size_t)(part * BAR)] = '>';
  }
  bar[BAR] = '\0';
  if (control->n_jobs > 1) {
    snprintf(count, sizeof count, " %zu/%zu", control->head + 1, control->n_jobs);
  }
  fprintf(stderr, "\rrendering%s  [%s] %3.0f%%  %.1fx ", count, bar, floor(part * HUNDRED),
          elapsed > 0.0 ? done / control->options->rate_hz / elapsed : 0.0);
  fflush(stderr);
  control->bar = true;
  control->bar_at = now;
}

static void say_line(htz_control* control, const htz_job_line* line) {
  htz_log plain = *control->options->log;
  if (line->level > HTZ_LOG_WARNING) {
    plain.prefix = NULL; // what goes as it should is said without our name
  }
  if (line->level <= plain.level) {
    clear_bar(control);
  }
  htz_log_say(&plain, line->level, "%s", line->text);
}

// Say what jobs have to say, in the order of the songs.
static void say_lines(htz_control* control) {
  while (control->head < control->n_jobs) {
    htz_job* job = &control->jobs[control->head];
    while (job->lines_said < job->n_lines) {
      say_line(control, &job->lines[job->lines_said++]);
    }
    if (job->state != HTZ_JOB_DONE) {
      return;
    }
    clear_bar(control);
    if (control->head + 1 == control->n_jobs) {
      return;
    }
    control->head++;
  }
}

static void wait_a_little(htz_control* control) {
  struct timespec until;
  clock_gettime(CLOCK_REALTIME, &until);
  until.tv_nsec += (long)(wait_s * 1e9); // 1e9: seconds to nanoseconds
  if (until.tv_nsec >= 1000000000L) {
    until.tv_nsec -= 1000000000L;
    until.tv_sec++;
  }
  pthread_cond_timedwait(&control->changed, &control->lock, &until);
}

// True when a signal kept a job from its end; a job that failed by itself is not meant.
static bool interrupted(const htz_control* control) {
  for (size_t i = 0; i < control->n_jobs; i++) {
    const htz_job* job = &control->jobs[i];
    if (!job->result.finished && job->result.code == HTZ_EXIT_DONE) {
      return true;
    }
  }
  return false;
}

// A render thread hangs in a write that nobody takes. What it was making goes away with us.
static void leave_at_once(const htz_control* control, int number) {
  for (size_t i = 0; i < control->n_threads; i++) {
    pthread_detach(control->threads[i]);
  }
  if (control->has_waiting) {
    pthread_detach(control->waiting);
  }
  for (size_t i = 0; i < control->n_jobs; i++) {
    htz_job* job = &control->jobs[i];
    if (atomic_load_explicit(&job->open, memory_order_acquire)) {
      unlink(job->part);
    }
  }
  htz_log_say(control->options->log, HTZ_LOG_NOTICE, "interrupted; what was not finished is not written");
  _exit(HTZ_EXIT_SIGNAL + number);
}

static void watch(htz_control* control) {
  const bool bar = bar_wanted(control->options);
  size_t bar_head = 0;
  double began = htz_control_now(), asked = 0.0;
  pthread_mutex_lock(&control->lock);
  while (control->running > 0) {
    say_lines(control);
    if (control->head != bar_head) {
      bar_head = control->head;
      began = htz_control_now();
    }
    const int number = atomic_load_explicit(&control->signal, memory_order_relaxed);
    if (number != 0) {
      asked = asked > 0.0 ? asked : htz_control_now();
      if (htz_control_now() - asked > patience_s) {
        clear_bar(control);
        leave_at_once(control, number);
      }
    } else if (bar) {
      draw_bar(control, began);
    }
    wait_a_little(control);
  }
  say_lines(control);
  clear_bar(control);
  pthread_mutex_unlock(&control->lock);
}

/** @return how many threads render: none when not one is to be had, or none that waits for signals, without which nobody could stop us */
static size_t start_threads(htz_control* control) {
  const size_t jobs = control->options->jobs < HTZ_JOBS_MAX ? control->options->jobs : HTZ_JOBS_MAX;
  const size_t wanted = control->n_jobs < jobs ? control->n_jobs : jobs;
  control->has_waiting = pthread_create(&control->waiting, NULL, signal_thread, control) == 0;
  control->running = wanted; // before the first of them can leave
  while (control->has_waiting && control->n_threads < wanted &&
         pthread_create(&control->threads[control->n_threads], NULL, render_thread, control) == 0) {
    control->n_threads++;
  }
  pthread_mutex_lock(&control->lock);
  control->running -= wanted - control->n_threads;
  pthread_mutex_unlock(&control->lock);
  return control->n_threads;
}

// No job has begun: each says so, since each is a failure of its own.
static void say_no_thread(htz_control* control) {
  for (size_t i = 0; i < control->n_jobs; i++) {
    control->jobs[i].result.code = HTZ_EXIT_INTERNAL;
    control->jobs[i].result.reason = strdup(htz_status_text(HTZ_NO_THREAD));
  }
  htz_log_say(control->options->log, HTZ_LOG_ERROR, "%s; nothing is rendered", htz_status_text(HTZ_NO_THREAD));
}

int htz_control_run(htz_control* control, const htz_options* options, htz_job* jobs, size_t n_jobs) {
  sigset_t set, before;
  memset(control, 0, sizeof *control);
  control->options = options;
  control->jobs = jobs;
  control->n_jobs = n_jobs;
  atomic_init(&control->signal, 0);
  pthread_mutex_init(&control->lock, NULL);
  pthread_cond_init(&control->changed, NULL);
  stop_signals(&set);
  pthread_sigmask(SIG_BLOCK, &set, &before); // inherited by the threads
  if (start_threads(control) > 0) {
    watch(control);
  } else {
    say_no_thread(control);
  }
  for (size_t i = 0; i < control->n_threads; i++) {
    pthread_join(control->threads[i], NULL);
  }
  const int number = atomic_load_explicit(&control->signal, memory_order_relaxed);
  if (control->has_waiting) {
    pthread_kill(control->waiting, SIGTERM); // lets it go, if nobody did so before
    pthread_join(control->waiting, NULL);
  }
  if (number == 0) {
    pthread_sigmask(SIG_SETMASK, &before, NULL); // else one more signal would change the exit code
  }
  pthread_cond_destroy(&control->changed);
  pthread_mutex_destroy(&control->lock);
  return interrupted(control) ? number : 0;
}
