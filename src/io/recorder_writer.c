#include "recorder_private.h"

#include "hertzian/io/sound_out.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum {
  GATHER = 64, // items written at a time: 4096 frames
  ITEM = HTZ_RECORDER_FRAMES * HTZ_RECORDER_CHANNELS,
};

static const long rest_ns = 10 * 1000 * 1000L; // between two looks at an empty ring
static const double header_every_s = 0.1;      // what a crash may cost at most
static const double sync_every_s = 0.5;        // a power cut: twice this, and the time that the disk takes

/** The writer's own state. */
typedef struct {
  htz_recorder* recorder;
  htz_recorder_take* take; // being written, NULL none
  bool begun;              // it has had a frame
  uint64_t next;           // frame expected
  uint64_t first;
  double peak;
  double header_at, sync_at; // when the header was last made true, and all brought to the disk [s]
  uint64_t dropped;
  htz_recorder_take* closing[HTZ_TAKES_WAITING]; // on their way to the disk, in order
  // What was played last, for the beginning of a take.
  float* kept; // `room` items, in a circle
  size_t room, n_kept, kept_at;
  uint64_t kept_end; // frame after the last
  size_t filled;     // frames in `samples`
  float samples[GATHER * ITEM];
} writer;

static double now_s(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + (double)now.tv_nsec * 1e-9; // 1e-9: nanoseconds to seconds
}

static void rest(void) {
  const struct timespec span = {0, rest_ns};
  nanosleep(&span, NULL);
}

// Tell what there is to tell of the current take.
static void publish(writer* w) {
  htz_recorder* r = w->recorder;
  pthread_mutex_lock(&r->lock);
  r->state.dropped = w->dropped;
  if (w->take) {
    r->state.frames = w->take->file.frames;
    r->state.first_frame = w->first;
    r->state.peak = w->peak;
  }
  pthread_mutex_unlock(&r->lock);
}

static void fail(htz_recorder* r, int error) {
  pthread_mutex_lock(&r->lock);
  r->state.failed++;
  snprintf(r->state.why, sizeof r->state.why, "%s", strerror(error));
  pthread_mutex_unlock(&r->lock);
}

static void flush(writer* w) {
  if (w->take && w->filled > 0) {
    htz_take_file* file = &w->take->file;
    const bool was_well = file->error == 0;
    if (!htz_take_file_write(file, w->samples, w->filled) && was_well) {
      // Said at once, not at the end: the player may still do something about it.
      htz_take_file_tend(file, w->recorder->sync, false);
      publish(w);
      fail(w->recorder, file->error);
    }
  }
  w->filled = 0;
}

// A look at the header and the disk, when it is time.
static void tend(writer* w) {
  const double now = now_s();
  if (!w->take || now - w->header_at <= header_every_s) {
    return;
  }
  const bool due = now - w->sync_at > sync_every_s;
  const bool was_well = w->take->file.error == 0;
  flush(w);
  publish(w);
  htz_take_file_tend(&w->take->file, w->recorder->sync, due);
  w->header_at = now;
  w->sync_at = due ? now : w->sync_at;
  if (was_well && w->take->file.error) {
    fail(w->recorder, w->take->file.error);
  }
}

// The marks that lie in the take, by its own frames; those before its end are not needed any more. `lock` is held.
static size_t gather_marks(htz_recorder* r, uint64_t first, uint64_t end, htz_wav_mark* out) {
  size_t n = 0, left = 0;
  for (size_t i = 0; i < r->n_marks; i++) {
    const htz_wav_mark mark = r->marks[i];
    if (mark.frame >= end) {
      r->marks[left++] = mark;
    } else if (mark.frame >= first) {
      out[n] = mark;
      out[n++].frame -= first;
    }
  }
  r->n_marks = left;
  return n;
}

static void finish(writer* w) {
  htz_recorder* r = w->recorder;
  htz_wav_mark* marks = malloc(HTZ_RECORDER_MARKS * sizeof *marks);
  flush(w);
  const bool was_well = w->take->file.error == 0;
  pthread_mutex_lock(&r->lock);
  const size_t n_marks = marks ? gather_marks(r, w->first, w->next, marks) : 0;
  pthread_mutex_unlock(&r->lock);
  const bool well = htz_take_file_close(&w->take->file, marks, n_marks, r->sync);
  free(marks);
  char target[HTZ_SOUND_PATH_MAX];
  if (!well && w->take->file.frames == 0 && htz_sound_target(w->take->path, target) == HTZ_OK) {
    unlink(target); // nothing was recorded, and the name would be in the way of the next try
  }
  publish(w);
  if (!well && was_well) {
    fail(r, w->take->file.error);
  }
  pthread_mutex_lock(&r->lock);
  htz_recorder_span* span = &r->known[w->take->number % HTZ_TAKES_KNOWN];
  if (span->number == w->take->number) {
    *span = (htz_recorder_span){w->take->number, w->begun, true, w->first, w->begun ? w->next : w->first};
  }
  r->state.takes++;
  r->state.clipped += w->take->file.clipped;
  r->n_waiting--;
  memmove(r->waiting, r->waiting + 1, r->n_waiting * sizeof r->waiting[0]);
  r->state.recording = r->n_waiting > 0;
  w->closing[r->n_closing++] = w->take;
  pthread_mutex_unlock(&r->lock);
  w->take = NULL;
}

// What is on the disk is done with.
static void settle_closing(writer* w) {
  htz_recorder* r = w->recorder;
  pthread_mutex_lock(&r->lock);
  const size_t n = r->n_closing;
  pthread_mutex_unlock(&r->lock);
  int error = 0;
  if (n == 0 || !htz_disk_sync_done(r->sync, w->closing[0]->file.job, &error)) {
    return;
  }
  if (error && !w->closing[0]->file.error) {
    fail(r, error);
  }
  free(w->closing[0]);
  memmove(w->closing, w->closing + 1, (n - 1) * sizeof w->closing[0]);
  pthread_mutex_lock(&r->lock);
  r->n_closing--;
  pthread_mutex_unlock(&r->lock);
}

// The oldest take not finished, if its number is not beyond `number`.
static void pick_up(writer* w, uint32_t number) {
  htz_recorder* r = w->recorder;
  pthread_mutex_lock(&r->lock);
  if (r->n_waiting > 0 && r->waiting[0]->number <= number) {
    w->take = r->waiting[0];
    memcpy(r->state.path, w->take->path, sizeof r->state.path);
    r->state.recording = true;
  }
  pthread_mutex_unlock(&r->lock);
  w->begun = false;
  w->peak = 0.0;
  w->first = 0;
  w->next = 0;
  w->header_at = now_s();
  w->sync_at = w->header_at;
}

static void append(writer* w, const float* samples) {
  if (w->filled == (size_t)GATHER * HTZ_RECORDER_FRAMES) {
    flush(w);
  }
  float* to = w->samples + w->filled * HTZ_RECORDER_CHANNELS;
  for (size_t i = 0; i < ITEM; i++) {
    to[i] = samples ? samples[i] : 0.0f;
    const double magnitude = fabs((double)to[i]);
    w->peak = magnitude > w->peak ? magnitude : w->peak;
  }
  w->filled += HTZ_RECORDER_FRAMES;
}

static void keep(writer* w, const htz_recorder_item* item) {
  if (w->room == 0) {
    return;
  }
  w->n_kept = w->kept_end == item->frame ? w->n_kept : 0; // what does not belong together is no beginning
  memcpy(w->kept + w->kept_at * ITEM, item->samples, sizeof item->samples);
  w->kept_at = (w->kept_at + 1) % w->room;
  w->n_kept += w->n_kept < w->room;
  w->kept_end = item->frame + HTZ_RECORDER_FRAMES;
}

static void begin(writer* w, uint64_t frame) {
  htz_recorder* r = w->recorder;
  const size_t before = w->take->preroll && w->kept_end == frame ? w->n_kept : 0;
  w->begun = true;
  w->first = frame - before * HTZ_RECORDER_FRAMES;
  w->next = frame;
  for (size_t i = 0; i < before; i++) {
    append(w, w->kept + (w->kept_at + w->room - before + i) % w->room * ITEM);
  }
  pthread_mutex_lock(&r->lock);
  htz_recorder_span* span = &r->known[w->take->number % HTZ_TAKES_KNOWN];
  if (span->number == w->take->number) {
    span->begun = true;
    span->first = w->first;
  }
  pthread_mutex_unlock(&r->lock);
}

static void write_item(writer* w, const htz_recorder_item* item) {
  while (!w->take || w->take->number < item->take) {
    if (w->take) {
      finish(w);
    }
    pick_up(w, item->take);
    if (!w->take) {
      return; // of a take that is over: it was stopped while this was on its way
    }
  }
  if (w->take->number != item->take) {
    return;
  }
  if (!w->begun) {
    begin(w, item->frame);
  }
  for (; w->next < item->frame; w->next += HTZ_RECORDER_FRAMES) {
    append(w, NULL);
    w->dropped += HTZ_RECORDER_FRAMES;
  }
  append(w, item->samples);
  w->next = item->frame + HTZ_RECORDER_FRAMES;
}

// With the ring empty: finish what is over. @return true when it is time to leave
static bool settle(writer* w, uint32_t ended) {
  htz_recorder* r = w->recorder;
  flush(w);
  publish(w);
  settle_closing(w);
  pthread_mutex_lock(&r->lock);
  const bool leaving = r->leaving && r->n_waiting + r->n_closing == 0; // not before everything is finished
  const bool over = r->n_waiting > 0 && r->waiting[0]->number <= ended;
  pthread_mutex_unlock(&r->lock);
  if (over) {
    if (!w->take) {
      pick_up(w, ended); // one that never had a frame
    }
    finish(w);
    return false;
  }
  tend(w);
  return leaving;
}

void* htz_recorder_writer_new(htz_recorder* recorder) {
  const htz_recorder_desc* desc = &recorder->desc;
  writer* w = calloc(1, sizeof *w);
  const size_t room = (size_t)(desc->preroll_s * desc->rate_hz / HTZ_RECORDER_FRAMES + 0.5);
  float* kept = w && room > 0 ? calloc(room, ITEM * sizeof *kept) : NULL;
  if (!w || (room > 0 && !kept)) {
    free(w);
    return NULL;
  }
  w->recorder = recorder;
  w->room = room;
  w->kept = kept;
  return w;
}

void htz_recorder_writer_free(void* user) {
  writer* w = user;
  if (w) {
    free(w->kept);
    free(w);
  }
}

void* htz_recorder_write(void* user) {
  writer* w = user;
  htz_recorder* r = w->recorder;
  for (;;) {
    htz_recorder_item item;
    // What is over is asked before the ring is found empty, or its last frames could come in between.
    pthread_mutex_lock(&r->lock);
    const uint32_t ended = r->ended;
    pthread_mutex_unlock(&r->lock);
    while (htz_ring_pop(&r->ring, &item)) {
      if (item.take > 0) {
        write_item(w, &item);
      }
      keep(w, &item);
      tend(w);
    }
    if (settle(w, ended)) {
      break;
    }
    rest();
  }
  return NULL;
}
