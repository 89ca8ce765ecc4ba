#include "hertzian/host/live.h"

#include <math.h>
#include <string.h>

static void count_missing(htz_live* live, uint64_t frames) {
  atomic_uint_fast64_t* missing = &live->view.drive_missing;
  // One writer: no read-modify-write is needed.
  atomic_store_explicit(missing, atomic_load_explicit(missing, memory_order_relaxed) + frames, memory_order_relaxed);
}

static void raise(_Atomic float* to, float value) {
  if (value > atomic_load_explicit(to, memory_order_relaxed)) {
    atomic_store_explicit(to, value, memory_order_relaxed);
  }
}

void htz_live_hear(htz_live* live, const float* in, uint32_t frames, bool gap) {
  if (live->drive_from != HTZ_DRIVE_DEVICE) {
    return;
  }
  for (uint32_t i = 0; i < frames; i++) {
    // Some drivers hand out a first block that nobody has written to.
    live->heard[live->heard_end++ % HTZ_LIVE_HEARD] = in && isfinite(in[i]) ? in[i] : 0.0f;
  }
  if (!in || gap) {
    count_missing(live, frames);
  }
}

static const float* from_device(htz_live* live, float* to) {
  for (uint32_t i = 0; i < HTZ_QUANTUM; i++) {
    to[i] = live->heard_at < live->heard_end ? live->heard[live->heard_at++ % HTZ_LIVE_HEARD] : 0.0f;
  }
  return to;
}

// What came too late for its quantum is left out, so that the rest stays in its place.
static const float* from_file(htz_live* live, uint64_t now) {
  htz_live_drive_item* item = &live->drive_next;
  const bool over = atomic_load_explicit(&live->drive_over, memory_order_acquire); // before the look at the ring
  for (size_t bound = htz_ring_count(&live->drive); bound > 0 && (!live->drive_waiting || item->frame < now); --bound) {
    live->drive_waiting = htz_ring_pop(&live->drive, item);
  }
  if (live->drive_waiting && item->frame == now) {
    live->drive_waiting = false;
    return item->samples;
  }
  if (!over) {
    count_missing(live, HTZ_QUANTUM);
  }
  return NULL;
}

void htz_live_drive(htz_live* live, uint64_t now) {
  float heard[HTZ_QUANTUM], level = 0.0f;
  if (live->drive_from == HTZ_DRIVE_NONE) {
    return;
  }
  const float* signal = live->drive_from == HTZ_DRIVE_DEVICE ? from_device(live, heard) : from_file(live, now);
  for (uint32_t i = 0; signal && i < HTZ_QUANTUM; i++) {
    level = fabsf(signal[i]) > level ? fabsf(signal[i]) : level;
  }
  raise(&live->view.drive_level, level);
  raise(&live->view.drive_level_max, level);
  htz_engine_drive(live->engine, signal);
}
