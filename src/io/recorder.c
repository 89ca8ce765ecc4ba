#include "recorder_private.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static const double longest_ring_s = 120.0; // a gigabyte at the highest rates is not asked for by mistake

static size_t ring_items(const htz_recorder_desc* desc) {
  return (size_t)(desc->ring_s * desc->rate_hz / HTZ_RECORDER_FRAMES) + 1;
}

static htz_status lay(htz_recorder* r) {
  htz_arena sizes;
  htz_arena_measure(&sizes);
  htz_status st = htz_ring_init(&r->ring, ring_items(&r->desc), sizeof(htz_recorder_item), &sizes);
  if (!st) {
    st = htz_arena_init(&r->arena, sizes.used);
  }
  htz_arena_free(&sizes);
  return st ? st : htz_ring_init(&r->ring, ring_items(&r->desc), sizeof(htz_recorder_item), &r->arena);
}

// The audio thread must not be the first to touch the ring's pages.
static void touch(htz_ring* ring) {
  memset(ring->items, 0, (ring->mask + 1) * ring->item_size);
}

static bool valid(const htz_recorder_desc* desc) {
  return desc->rate_hz > 0 && desc->ring_s > 0.0 && desc->ring_s <= longest_ring_s && desc->preroll_s >= 0.0 &&
         desc->preroll_s <= HTZ_RECORDER_PREROLL;
}

static htz_status find_sync(htz_recorder* r) {
  const htz_recorder_disk* disk = r->desc.disk;
  r->sync = r->desc.sync;
  r->own_sync = !r->sync;
  return r->sync ? HTZ_OK : htz_disk_sync_new(disk ? disk->sync : NULL, disk ? disk->context : NULL, &r->sync);
}

htz_status htz_recorder_new(const htz_recorder_desc* desc, htz_recorder** out) {
  *out = NULL;
  if (!valid(desc)) {
    return HTZ_BAD_VALUE;
  }
  htz_recorder* r = aligned_alloc(HTZ_ALIGN, (sizeof *r + HTZ_ALIGN - 1) / HTZ_ALIGN * HTZ_ALIGN);
  if (!r) {
    return HTZ_NO_MEMORY;
  }
  memset(r, 0, sizeof *r);
  r->desc = *desc;
  r->keeps = desc->preroll_s > 0.0;
  atomic_init(&r->take, 0);
  pthread_mutex_init(&r->lock, NULL);
  htz_status st = lay(r);
  st = st ? st : find_sync(r);
  if (!st) {
    touch(&r->ring);
    r->state_of_writer = htz_recorder_writer_new(r);
    st = r->state_of_writer ? HTZ_OK : HTZ_NO_MEMORY;
  }
  if (!st) {
    r->started = pthread_create(&r->writer, NULL, htz_recorder_write, r->state_of_writer) == 0;
    st = r->started ? HTZ_OK : HTZ_NO_THREAD;
  }
  if (st) {
    htz_recorder_free(r);
    return st;
  }
  *out = r;
  return HTZ_OK;
}

htz_status htz_recorder_start(htz_recorder* r, const char* path, bool preroll, uint32_t* number, char why[HTZ_RECORDER_WHY]) {
  htz_recorder_take* take = calloc(1, sizeof *take);
  if (!take || strlen(path) >= sizeof take->path) {
    const htz_status st = take ? HTZ_IO : HTZ_NO_MEMORY;
    snprintf(why, HTZ_RECORDER_WHY, "%s", take ? strerror(ENAMETOOLONG) : htz_status_text(st));
    free(take);
    return st;
  }
  pthread_mutex_lock(&r->lock);
  const bool full = r->n_waiting + r->n_closing >= HTZ_TAKES_WAITING;
  pthread_mutex_unlock(&r->lock);
  if (full) {
    snprintf(why, HTZ_RECORDER_WHY, "the disk is too slow, earlier takes are not finished");
    free(take);
    return HTZ_FULL;
  }
  memcpy(take->path, path, strlen(path) + 1);
  const htz_status st = htz_take_file_open(&take->file, path, r->desc.rate_hz, r->desc.disk);
  if (st) {
    const char* reason =
        take->file.error == EEXIST ? "is there already; recordings never overwrite" : strerror(take->file.error);
    snprintf(why, HTZ_RECORDER_WHY, "%s", reason);
    const htz_status starved = htz_status_of_errno(take->file.error, st);
    free(take);
    return starved;
  }
  htz_disk_sync_name(r->sync, path);
  take->number = ++r->last_number;
  take->preroll = preroll;
  if (number) {
    *number = take->number;
  }
  pthread_mutex_lock(&r->lock);
  r->waiting[r->n_waiting++] = take;
  r->state.recording = true;
  r->known[take->number % HTZ_TAKES_KNOWN] = (htz_recorder_span){.number = take->number};
  pthread_mutex_unlock(&r->lock);
  atomic_store_explicit(&r->take, take->number, memory_order_relaxed);
  return HTZ_OK;
}

void htz_recorder_stop(htz_recorder* r) {
  atomic_store_explicit(&r->take, 0, memory_order_relaxed);
  pthread_mutex_lock(&r->lock);
  r->ended = r->last_number;
  pthread_mutex_unlock(&r->lock);
}

bool htz_recorder_wait(htz_recorder* r, double limit_s) {
  const long step_ns = 2 * 1000 * 1000L; // between two looks
  for (double waited = 0.0;; waited += (double)step_ns * 1e-9) {
    pthread_mutex_lock(&r->lock);
    const bool done = r->n_waiting + r->n_closing == 0;
    pthread_mutex_unlock(&r->lock);
    if (done || waited >= limit_s) {
      return done;
    }
    const struct timespec span = {0, step_ns};
    nanosleep(&span, NULL);
  }
}

htz_recorder_state htz_recorder_get(htz_recorder* r) {
  pthread_mutex_lock(&r->lock);
  const htz_recorder_state state = r->state;
  pthread_mutex_unlock(&r->lock);
  return state;
}

bool htz_recorder_where(htz_recorder* r, uint32_t number, htz_recorder_span* span) {
  pthread_mutex_lock(&r->lock);
  *span = r->known[number % HTZ_TAKES_KNOWN];
  pthread_mutex_unlock(&r->lock);
  return span->number == number;
}

void htz_recorder_mark(htz_recorder* r, uint64_t frame, const char* label) {
  pthread_mutex_lock(&r->lock);
  if (r->n_marks < HTZ_RECORDER_MARKS) {
    htz_wav_mark* mark = &r->marks[r->n_marks++];
    mark->frame = frame;
    snprintf(mark->label, sizeof mark->label, "%s", label);
  }
  pthread_mutex_unlock(&r->lock);
}

void htz_recorder_free(htz_recorder* r) {
  if (!r) {
    return;
  }
  if (r->started) {
    htz_recorder_stop(r);
    pthread_mutex_lock(&r->lock);
    r->leaving = true;
    pthread_mutex_unlock(&r->lock);
    pthread_join(r->writer, NULL);
  }
  pthread_mutex_destroy(&r->lock);
  htz_arena_free(&r->arena);
  htz_recorder_writer_free(r->state_of_writer);
  if (r->own_sync) {
    htz_disk_sync_free(r->sync);
  }
  free(r);
}
