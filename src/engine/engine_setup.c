#include "engine_private.h"

#include <math.h>
#include <stdlib.h>

static const double rate_least_hz = 8000.0;
static const double rate_most_hz = 384000.0;

static htz_status lay_rings(const htz_engine_desc* desc, htz_engine* engine, htz_arena* arena) {
  for (size_t i = 0; i < desc->rings; ++i) {
    const htz_status st = htz_ring_init(&engine->rings[i], desc->ring_capacity, sizeof(htz_param_change), arena);
    if (st) {
      return st;
    }
  }
  return HTZ_OK;
}

htz_status htz_engine_new(const htz_engine_desc* desc, htz_engine** out) {
  if (!(desc->rate_hz >= rate_least_hz) || !(desc->rate_hz <= rate_most_hz) || desc->rings > RINGS_MAX) {
    return HTZ_BAD_VALUE;
  }
  htz_engine* engine = aligned_alloc(HTZ_ALIGN, (sizeof *engine + HTZ_ALIGN - 1) / HTZ_ALIGN * HTZ_ALIGN);
  if (!engine) {
    return HTZ_NO_MEMORY;
  }
  *engine = (htz_engine){.rate = desc->rate_hz, .n_rings = desc->rings};
  htz_arena sizes = {0};
  htz_arena_measure(&sizes);
  htz_status st = lay_rings(desc, engine, &sizes);
  if (!st) {
    st = htz_arena_init(&engine->arena, sizes.used);
  }
  htz_arena_free(&sizes);
  if (!st) {
    st = lay_rings(desc, engine, &engine->arena);
  }
  if (st) {
    htz_engine_free(engine);
    return st;
  }
  *out = engine;
  return HTZ_OK;
}

void htz_engine_free(htz_engine* engine) {
  if (!engine) {
    return;
  }
  for (uint32_t i = 0; i < engine->n_parts; ++i) {
    htz_engine_discard_part(engine->parts[i]);
  }
  htz_arena_free(&engine->arena);
  free(engine);
}

static part* lay_part(htz_instrument* instrument, htz_arena* memory) {
  part* p = htz_arena_alloc(memory, 1, sizeof *p);
  if (p) {
    p->instrument = instrument;
    p->linked = htz_arena_alloc_cold(memory, instrument->linked.n_keys + 1, sizeof *p->linked);
    if (!p->linked || htz_part_room_init(p, memory) || htz_part_late_init(p, memory)) {
      return NULL;
    }
  }
  return p;
}

htz_status htz_engine_prepare_part(htz_instrument* instrument, htz_part** out) {
  htz_arena memory, sizes;
  htz_arena_measure(&sizes);
  lay_part(instrument, &sizes);
  const size_t size = sizes.used;
  const bool measured = !sizes.failed;
  htz_arena_free(&sizes);
  if (!measured || htz_arena_init(&memory, size)) {
    return HTZ_NO_MEMORY;
  }
  part* p = lay_part(instrument, &memory);
  if (!p) {
    htz_arena_free(&memory);
    return HTZ_NO_MEMORY;
  }
  p->memory = memory;
  for (size_t i = 0; i < HTZ_PARAM_COUNT; ++i) {
    p->params[i] = htz_part_initial(instrument, i);
  }
  const htz_ears first = htz_spec_first_ears(instrument->spec);
  p->ears = (ear_walk){first, first, 0, 0};
  p->board_ears.from = HTZ_EARS; // not known yet, wherever it is
  htz_fingers_off(p);
  for (uint32_t k = 0; k < HTZ_KEYS; ++k) {
    key_state* key = &p->keys[k];
    key->plan = &instrument->keys[k];
    for (size_t o = 0; o < HTZ_ISLAND_PICKUPS_MAX; ++o) {
      key->voice[0][o] = key->voice[1][o] = 1.0f;
    }
    key->seat[0] = key->seat[1] = key->plan->board_at;
    key->ratio = 1.0;
    key->loss = 1.0;
    key->glide = key->correction = key->plan->tuned;
    key->voiced = 1.0;
    key->lean = 1.0;
    key->fade = (glide){1.0f, 1.0f, 0};
    key->ears.from = HTZ_EARS;
    key->placed_width = (double)NAN; // not placed yet, whatever the width
    for (size_t i = 0; i < HTZ_PARAM_SLOTS; ++i) {
      key->params[i] = key->plan->object->params[i];
    }
    key->level = level_factor(key->params[HTZ_PARAM_LEVEL]);
    key->level_before = key->level;
    if (key->plan->island) {
      key->damper = htz_key_damper(p, key);
      key->damper_to = key->damper;
      key->plan->island->cls->damp(key->plan->island, key->damper);
    }
  }
  p->board_fade = (glide){1.0f, 1.0f, 0};
  p->linked_fade = (glide){1.0f, 1.0f, 0};
  p->motor = 1.0;
  p->mix_gain = 1.0;
  htz_part_gain(p, 0, 0);
  *out = p;
  return HTZ_OK;
}

void htz_engine_discard_part(htz_part* p) {
  if (p) {
    htz_arena memory = p->memory; // the part lies in it
    htz_arena_free(&memory);
  }
}

htz_status htz_engine_add_part(htz_engine* engine, htz_instrument* instrument, uint32_t* number) {
  htz_part* p = NULL;
  if (engine->n_mixed == HTZ_PARTS_MAX) {
    return HTZ_FULL;
  }
  const htz_status st = htz_engine_prepare_part(instrument, &p);
  if (st == HTZ_OK) {
    htz_engine_attach_part(engine, p, engine->n_mixed, number);
  }
  return st;
}

htz_ring* htz_engine_ring(htz_engine* engine, size_t index) {
  return index < engine->n_rings ? &engine->rings[index] : NULL;
}
