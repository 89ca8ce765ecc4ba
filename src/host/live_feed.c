#include "hertzian/host/live_feed.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

static const struct timespec glance = {0, 20 * 1000000L}; // 20 ms between two looks at the ring, which holds seconds

// As much as there is room for. @return false when the file has ended
static bool fill(htz_live_feed* feed) {
  htz_ring* ring = &feed->live->drive;
  while (htz_ring_count(ring) <= ring->mask && !atomic_load_explicit(&feed->stop, memory_order_relaxed)) {
    htz_live_drive_item item = {.frame = feed->frame};
    if (!htz_drive_file_read(feed->file, item.samples, HTZ_QUANTUM)) {
      atomic_store_explicit(&feed->live->drive_over, true, memory_order_release);
      return false;
    }
    htz_ring_push(ring, &item);
    feed->frame += HTZ_QUANTUM;
  }
  return true;
}

static void* run(void* argument) {
  htz_live_feed* feed = argument;
  while (!atomic_load_explicit(&feed->stop, memory_order_relaxed) && fill(feed)) {
    nanosleep(&glance, NULL);
  }
  return NULL;
}

htz_status htz_live_feed_open(htz_live_feed* feed, const char* path, htz_live* live, char why[HTZ_DRIVE_WHY]) {
  memset(feed, 0, sizeof *feed);
  atomic_init(&feed->stop, false);
  feed->live = live;
  const htz_status status = htz_drive_file_open(path, live->rate_hz, &feed->file, why);
  if (status) {
    return status;
  }
  if (fill(feed)) {
    feed->started = pthread_create(&feed->thread, NULL, run, feed) == 0;
    if (!feed->started) {
      snprintf(why, HTZ_DRIVE_WHY, "%s", htz_status_text(HTZ_NO_THREAD));
      htz_live_feed_close(feed);
      return HTZ_NO_THREAD;
    }
  }
  return HTZ_OK;
}

bool htz_live_feed_over(const htz_live_feed* feed) {
  return !feed->file ||
         (atomic_load_explicit(&feed->live->drive_over, memory_order_acquire) && htz_ring_count(&feed->live->drive) == 0);
}

const char* htz_live_feed_fault(const htz_live_feed* feed) {
  const bool over = feed->file && atomic_load_explicit(&feed->live->drive_over, memory_order_acquire);
  return over ? htz_drive_file_fault(feed->file) : NULL;
}

bool htz_live_feed_changed(const htz_live_feed* feed, char what[HTZ_DRIVE_WHY]) {
  const bool over = feed->file && atomic_load_explicit(&feed->live->drive_over, memory_order_acquire);
  return over && htz_drive_file_changed(feed->file, what);
}

void htz_live_feed_close(htz_live_feed* feed) {
  atomic_store_explicit(&feed->stop, true, memory_order_relaxed);
  if (feed->started) {
    pthread_join(feed->thread, NULL);
    feed->started = false;
  }
  htz_drive_file_free(feed->file);
  feed->file = NULL;
}
