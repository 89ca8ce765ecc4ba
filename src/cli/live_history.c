#include "live_history_private.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <time.h>
#include <unistd.h>

static const struct timespec wait_step = {0, 2 * 1000000L};

enum { RECENT_FIRST = 1024 }; // messages to begin with

// Any file that nobody finds: what was played before a take is read from it.
static htz_status open_unnamed(htz_history* h) {
  enum { TRIES = 100 };
  const char* base = getenv("TMPDIR");
  htz_history_file* f = &h->files[0];
  htz_status status = HTZ_IO;
  for (int n = 0; n < TRIES && status == HTZ_IO; n++) {
    snprintf(f->path, sizeof f->path, "%s/hertzian-%ld-%d.mid", base && base[0] ? base : "/tmp", (long)getpid(), n);
    status = htz_smf_writer_open(f->path, h->desc.live->rate_hz, &f->writer);
    if (status == HTZ_IO && errno != EEXIST) {
      break;
    }
  }
  if (status == HTZ_OK) {
    unlink(f->path);
  }
  f->path[0] = '\0';
  return status;
}

static htz_status open_kept(htz_history* h) {
  htz_history_file* f = &h->files[0];
  htz_status status = HTZ_IO;
  if (h->desc.keep_in && htz_history_folder_make(h->desc.keep_in)) {
    status =
        htz_history_name(h->desc.keep_in, f->path) ? htz_smf_writer_open(f->path, h->desc.live->rate_hz, &f->writer) : HTZ_IO;
  }
  if (status == HTZ_OK) {
    h->named = true;
    snprintf(h->folder, sizeof h->folder, "%s", h->desc.keep_in);
    (void)flock(htz_smf_writer_descriptor(f->writer), LOCK_EX | LOCK_NB); // so that nobody clears it away
    htz_disk_sync_name(h->desc.sync, f->path);
  }
  return status == HTZ_IO ? open_unnamed(h) : status;
}

static htz_status open_whole(htz_history* h) {
  htz_history_file* f = &h->files[1];
  if (!h->desc.whole) {
    return HTZ_OK;
  }
  f->wanted = true;
  snprintf(f->path, sizeof f->path, "%s", h->desc.whole);
  const htz_status status = htz_smf_writer_open(f->path, h->desc.live->rate_hz, &f->writer);
  if (status == HTZ_OK) {
    htz_disk_sync_name(h->desc.sync, f->path);
  }
  return status;
}

static htz_status open_files(htz_history* h, char why[HTZ_RECORDER_PATH + HTZ_RECORDER_WHY]) {
  htz_status status = open_whole(h);
  const char* name = h->desc.whole;
  if (status == HTZ_OK) {
    status = open_kept(h);
    name = "for the MIDI of what is played";
  }
  if (status) {
    const bool starved = htz_status_starved(status);
    const char* reason = starved ? htz_status_text(status) : strerror(errno);
    snprintf(why, HTZ_RECORDER_PATH + HTZ_RECORDER_WHY, starved ? "%s (%s)" : "%s: %s", starved ? reason : name,
             starved ? name : reason);
    return status;
  }
  for (size_t i = 0; i < HTZ_HISTORY_FILES; i++) {
    if (h->files[i].writer) {
      htz_history_put_arguments(h->files[i].writer, h->played, h->n_played);
    }
  }
  h->begins = htz_smf_writer_place(h->files[0].writer);
  return HTZ_OK;
}

htz_status htz_history_open(const htz_history_desc* desc, htz_history** out, char why[HTZ_RECORDER_PATH + HTZ_RECORDER_WHY]) {
  *out = NULL;
  htz_history* h = calloc(1, sizeof *h);
  if (!h || !(h->recent = malloc(RECENT_FIRST * sizeof *h->recent))) {
    free(h);
    snprintf(why, HTZ_RECORDER_PATH + HTZ_RECORDER_WHY, "%s", htz_status_text(HTZ_NO_MEMORY));
    return HTZ_NO_MEMORY;
  }
  h->desc = *desc;
  h->room = RECENT_FIRST;
  for (size_t i = 0; i < desc->n_played && i < HTZ_HISTORY_ARGUMENTS; i++) {
    h->played[h->n_played] = strdup(desc->played[i]);
    h->n_played += h->played[h->n_played] != NULL; // without memory the next thing fails
  }
  pthread_mutex_init(&h->lock, NULL);
  htz_status status = open_files(h, why);
  if (!status) {
    h->started = pthread_create(&h->thread, NULL, htz_history_run, h) == 0;
    status = h->started ? HTZ_OK : HTZ_NO_THREAD;
    snprintf(why, HTZ_RECORDER_PATH + HTZ_RECORDER_WHY, "%s", h->started ? "" : htz_status_text(HTZ_NO_THREAD));
  }
  if (status) {
    const int error = errno;
    htz_history_free(h, false);
    errno = error;
    return status;
  }
  *out = h;
  return HTZ_OK;
}

const char* htz_history_path(const htz_history* h) {
  return h->named ? h->files[0].path : NULL;
}

htz_history_state htz_history_get(htz_history* h) {
  pthread_mutex_lock(&h->lock);
  const htz_history_state state = h->state;
  pthread_mutex_unlock(&h->lock);
  return state;
}

htz_status htz_history_take(htz_history* h, htz_recorder* recorder, uint32_t number, const char* path) {
  pthread_mutex_lock(&h->lock);
  size_t free_at = 0;
  while (free_at < HTZ_HISTORY_TAKES && h->takes[free_at].recorder) {
    free_at++;
  }
  if (free_at < HTZ_HISTORY_TAKES) {
    htz_history_take_midi* t = &h->takes[free_at];
    *t = (htz_history_take_midi){.recorder = recorder, .number = number, .last = number, .file.wanted = true};
    snprintf(t->file.path, sizeof t->file.path, "%s", path);
    h->newest = free_at;
  }
  pthread_mutex_unlock(&h->lock);
  return free_at < HTZ_HISTORY_TAKES ? HTZ_OK : HTZ_FULL;
}

void htz_history_go_on(htz_history* h, uint32_t number) {
  pthread_mutex_lock(&h->lock);
  h->takes[h->newest].last = number;
  pthread_mutex_unlock(&h->lock);
}

void htz_history_mark(htz_history* h, uint64_t frame, const char* text) {
  pthread_mutex_lock(&h->lock);
  if (h->n_marks < HTZ_HISTORY_MARKS) {
    htz_history_marker* m = &h->marks[h->n_marks++];
    m->frame = frame;
    snprintf(m->text, sizeof m->text, "%s", text);
  }
  pthread_mutex_unlock(&h->lock);
}

void htz_history_stop(htz_history* h) {
  const uint64_t end = atomic_load_explicit(&h->desc.live->view.frames, memory_order_relaxed);
  pthread_mutex_lock(&h->lock);
  h->end = h->stopping ? h->end : end;
  h->stopping = true;
  pthread_mutex_unlock(&h->lock);
}

bool htz_history_wait(htz_history* h, double limit_s) {
  for (double waited = 0.0;; waited += (double)wait_step.tv_nsec * 1e-9) { // 1e-9: nanoseconds to seconds
    pthread_mutex_lock(&h->lock);
    const bool finished = h->finished;
    pthread_mutex_unlock(&h->lock);
    if (finished || waited >= limit_s) {
      return finished;
    }
    nanosleep(&wait_step, NULL);
  }
}

void htz_history_free(htz_history* h, bool keep) {
  if (!h) {
    return;
  }
  if (h->started) {
    htz_history_stop(h);
    pthread_join(h->thread, NULL);
  }
  for (size_t i = 0; i < HTZ_HISTORY_FILES; i++) {
    htz_smf_writer_close(h->files[i].writer, 0); // only if there was no thread
    if (h->files[i].path[0] && (!keep || (i == 0 && !h->any))) {
      unlink(h->files[i].path);
    }
  }
  for (size_t i = 0; i < h->n_played; i++) {
    free(h->played[i]);
  }
  htz_history_free_words(h);
  pthread_mutex_destroy(&h->lock);
  free(h->recent);
  free(h);
}
