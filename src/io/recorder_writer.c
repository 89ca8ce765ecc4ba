#include "recorder_private.h"

#include "hertzian/io/sound_out.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { GATHER = 64 };                          // items written at a time: 4096 frames
static const long rest_ns = 10 * 1000 * 1000L; // between two looks at an empty ring
static const double header_every_s = 0.1;      // what a crash may cost at most

/** The writer's own state. */
typedef struct {
  htz_recorder* recorder;
  htz_recorder_take* take; // being written, NULL none
  bool begun;              // it has had a frame
  uint64_t next;           // frame expected
  uint64_t first;
  double peak;
  double header_at; // when the header was last made true [s]
  uint64_t dropped;
  size_t filled; // frames in `samples`
  float samples[GATHER * HTZ_RECORDER_FRAMES * HTZ_RECORDER_CHANNELS];
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

static void flush(writer* w) {
  if (w->take && w->filled > 0) {
    const bool was_well = w->take->file.error == 0;
    if (!htz_take_file_write(&w->take->file, w->samples, w->filled) && was_well) {
      // Said at once, not at the end: the player may still do something about it.
      htz_recorder* r = w->recorder;
      htz_take_file_sync(&w->take->file);
      pthread_mutex_lock(&r->lock);
      r->state.failed++;
      snprintf(r->state.why, sizeof r->state.why, "%s", strerror(w->take->file.error));
      pthread_mutex_unlock(&r->lock);
    }
  }
  w->filled = 0;
}

static void finish(writer* w) {
  htz_recorder* r = w->recorder;
  flush(w);
  const bool was_well = w->take->file.error == 0;
  const bool well = htz_take_file_close(&w->take->file);
  char target[HTZ_SOUND_PATH_MAX];
  if (!well && w->take->file.frames == 0 && htz_sound_target(w->take->path, target) == HTZ_OK) {
    unlink(target); // nothing was recorded, and the name would be in the way of the next try
  }
  publish(w);
  pthread_mutex_lock(&r->lock);
  if (!well && was_well) {
    r->state.failed++;
    snprintf(r->state.why, sizeof r->state.why, "%s", strerror(w->take->file.error));
  }
  r->state.takes++;
  r->n_waiting--;
  memmove(r->waiting, r->waiting + 1, r->n_waiting * sizeof r->waiting[0]);
  r->state.recording = r->n_waiting > 0;
  pthread_mutex_unlock(&r->lock);
  free(w->take);
  w->take = NULL;
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
  w->header_at = now_s();
}

static void append(writer* w, const float* samples) {
  if (w->filled == (size_t)GATHER * HTZ_RECORDER_FRAMES) {
    flush(w);
  }
  float* to = w->samples + w->filled * HTZ_RECORDER_CHANNELS;
  for (size_t i = 0; i < HTZ_RECORDER_FRAMES * HTZ_RECORDER_CHANNELS; i++) {
    to[i] = samples ? samples[i] : 0.0f;
    const double magnitude = fabs((double)to[i]);
    w->peak = magnitude > w->peak ? magnitude : w->peak;
  }
  w->filled += HTZ_RECORDER_FRAMES;
}

static void take_item(writer* w, const htz_recorder_item* item) {
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
    w->begun = true;
    w->first = item->frame;
    w->next = item->frame;
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
  pthread_mutex_lock(&r->lock);
  const bool leaving = r->leaving && r->n_waiting == 0; // not before everything is finished
  const bool over = r->n_waiting > 0 && r->waiting[0]->number <= ended;
  pthread_mutex_unlock(&r->lock);
  if (over) {
    if (!w->take) {
      pick_up(w, ended); // one that never had a frame
    }
    finish(w);
    return false;
  }
  if (w->take && now_s() - w->header_at > header_every_s) {
    htz_take_file_sync(&w->take->file);
    w->header_at = now_s();
  }
  return leaving;
}

void* htz_recorder_writer_new(htz_recorder* recorder) {
  writer* w = calloc(1, sizeof *w);
  if (w) {
    w->recorder = recorder;
  }
  return w;
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
      take_item(w, &item);
      if (w->take && now_s() - w->header_at > header_every_s) {
        flush(w);
        publish(w);
        htz_take_file_sync(&w->take->file);
        w->header_at = now_s();
      }
    }
    if (settle(w, ended)) {
      break;
    }
    rest();
  }
  return NULL;
}
