#include "engine_private.h"

#include <stddef.h>

/*
   What goes on acting at a key: gravity, an audio signal or a rolling hand on mallets that stay, what lies loose on the body.
*/

static const double pedal_half = 64.0; // from here on the sustain pedal keeps what a key would let go

/** Held since it was pressed, by the key itself or a pedal that was down when it was let go. */
static void latch(const part* p, key_state* key) {
  key->kept = key->down || key->captured || (key->kept && p->params[HTZ_PARAM_SUSTAIN] >= pedal_half);
}

/** Something may. */
static bool acts(const key_state* key) {
  return key->plan->object->stays || key->plan->object->influenced;
}

/** From frame `at` of the quantum on. */
static htz_influence influence_on(const htz_engine* engine, const part* p, const key_state* key, uint32_t at) {
  htz_influence influence = {.value = key->params,
                             .drive = engine->driven && key->plan->object->driven ? engine->drive + at : NULL,
                             .held = key->kept,
                             .finger = key->finger};
  if (key->plan->object->n_bows > 0) {
    htz_bow_influence(engine, p, key, at, &influence);
  }
  return influence;
}

void htz_key_influence(const htz_engine* engine, const part* p, key_state* key, uint32_t at) {
  if (acts(key)) {
    latch(p, key);
    const htz_influence influence = influence_on(engine, p, key, at);
    key->plan->island->cls->influence(key->plan->island, &influence);
  }
}

void htz_key_external_work(key_state* key) {
  if (acts(key)) {
    const double external_work = key->plan->island->cls->external_work(key->plan->island);
    key->budget += external_work > 0.0 ? external_work : 0.0;
  }
}

void htz_key_sleep(const part* p, key_state* key) {
  htz_island* island = key->plan->island;
  if (!key->plan->object->stays || !island->cls->retains(island)) {
    htz_key_settle(p, key);
  }
}

void htz_part_disturb(const htz_engine* engine, part* p) {
  for (uint32_t k = 0; p->instrument->stays && k < HTZ_KEYS; ++k) {
    key_state* key = &p->keys[k];
    const htz_island* island = key->plan->island;
    if (!island || !key->plan->object->stays || is_awake(p, k)) {
      continue;
    }
    latch(p, key);
    if (!island->cls->retains(island)) {
      continue;
    }
    const htz_influence influence = influence_on(engine, p, key, 0);
    if (island->cls->disturbed(island, &influence)) {
      p->awake[k / 64] |= UINT64_C(1) << (k % 64);
    }
  }
}
