#include "recorder_private.h"

#include <string.h>

void htz_recorder_push(htz_recorder* recorder, uint64_t frame, const float* samples) {
  const uint32_t take = (uint32_t)atomic_load_explicit(&recorder->take, memory_order_relaxed);
  if (take == 0 && !recorder->keeps) {
    return;
  }
  htz_recorder_item item = {.frame = frame, .take = take};
  memcpy(item.samples, samples, sizeof item.samples);
  htz_ring_push(&recorder->ring, &item); // when there is no room, the writer finds the frames missing
}
