#include "engine_private.h"

// Not struck just now, not on its way to silence already. Where mallets stay they may be on their way for ever.
static bool can_be_spared(const key_state* key) {
  const htz_island* island = key->plan->island;
  return !key->fading && key->n_events == 0 && (key->plan->object->stays || !island->cls->busy(island));
}

uint32_t htz_engine_relieve(htz_engine* engine, uint32_t keys) {
  const key_event e = {.offset = 0, .kind = EVENT_SILENCE};
  uint32_t done = 0;
  for (; done < keys; ++done) {
    part* where = NULL;
    uint32_t which = 0;
    for (uint32_t i = 0; i < engine->n_parts; ++i) {
      part* p = engine->parts[i];
      for (size_t w = 0; w < MASK_WORDS; ++w) {
        for (uint64_t left_over = p->awake[w]; left_over; left_over &= left_over - 1) {
          const uint32_t k = (uint32_t)(w * 64) + lowest_bit(left_over);
          if (can_be_spared(&p->keys[k]) && (!where || p->keys[k].audible < where->keys[which].audible)) {
            where = p;
            which = k;
          }
        }
      }
    }
    if (!where) {
      break;
    }
    htz_key_post(engine, where, which, &e);
    ++engine->counters.relieved;
  }
  return done;
}
