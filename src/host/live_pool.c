#include "hertzian/host/live_pool.h"

#include <stdlib.h>
#include <string.h>

enum {
  AHEAD_MAIN = 4,          // of the instrument that plays unless told: as many channels may begin at the same moment
  AHEAD_OTHER = 1,         // of every other: program changes come one at a time
  AHEAD_BYTES = 512 << 20, // for an instrument of its own, one for every channel as long as that takes no more memory
};

static uint32_t number_of(const htz_live_pool* pool, const htz_spec* spec) {
  uint32_t i = 0;
  while (i < pool->n_specs && pool->spec[i] != spec) {
    i++;
  }
  return i < pool->n_specs ? i : 0;
}

void htz_live_pool_init(htz_live_pool* pool, const htz_orchestra* orchestra, const htz_performance* performance,
                        htz_live* live) {
  *pool = (htz_live_pool){.orchestra = orchestra, .performance = performance, .live = live};
  const bool one_channel = (performance->channels & (performance->channels - 1)) == 0;
  pool->n_specs = htz_orchestra_players(orchestra, pool->spec); // number 0 is the main instrument, which is built first
  for (unsigned channel = 0; channel < HTZ_MIDI_CHANNELS; channel++) {
    for (unsigned program = 0; program < HTZ_MIDI_PROGRAMS; program++) {
      live->spec_for[channel][program] = (uint8_t)number_of(pool, htz_orchestra_for(orchestra, channel, program));
    }
  }
  for (size_t i = 0; i < pool->n_specs; i++) {
    pool->most[i] = one_channel ? 1 : HTZ_MIDI_CHANNELS;
    pool->ahead[i] = i > 0 ? AHEAD_OTHER : AHEAD_MAIN;
  }
}

static htz_status build(htz_live_pool* pool, uint32_t spec, const char** why) {
  htz_live_prebuilt* prebuilt = calloc(1, sizeof *prebuilt);
  if (!prebuilt) {
    return HTZ_NO_MEMORY;
  }
  prebuilt->spec = spec;
  const htz_status st = htz_built_new(pool->spec[spec], pool->live->rate_hz, pool->performance, &prebuilt->built, why);
  if (st) {
    free(prebuilt);
    return st;
  }
  if (pool->built[spec] < AHEAD_MAIN) {
    htz_built_touch(&prebuilt->built); // for more channels than that, memory is worth more than a late block
  }
  if (pool->n_specs == 1 && pool->built[0] == 0 && prebuilt->built.memory.size <= AHEAD_BYTES / HTZ_MIDI_CHANNELS) {
    pool->ahead[0] = HTZ_MIDI_CHANNELS;
  }
  prebuilt->next = pool->all;
  pool->all = prebuilt;
  pool->built[spec]++;
  htz_ring_push(&pool->live->prebuilt_ring, &prebuilt); // larger than all that can wait
  return HTZ_OK;
}

void htz_live_pool_expect(htz_live_pool* pool, const htz_smf_info* song, uint16_t channels) {
  const uint16_t play = channels & pool->performance->channels & song->channels_with_notes;
  for (unsigned channel = 0; channel < HTZ_MIDI_CHANNELS; channel++) {
    for (unsigned program = 0; play >> channel & 1u && program < HTZ_MIDI_PROGRAMS; program++) {
      if (song->programs[channel][program / 32] >> (program % 32) & 1u) {
        uint16_t* cast = &pool->cast[pool->live->spec_for[channel][program]];
        *cast = (uint16_t)(*cast | 1u << channel);
      }
    }
  }
}

static uint32_t expected(const htz_live_pool* pool, uint32_t spec) {
  uint32_t n = 0;
  for (unsigned channel = 0; channel < HTZ_MIDI_CHANNELS; channel++) {
    n += pool->cast[spec] >> channel & 1u;
  }
  return n < pool->most[spec] ? n : pool->most[spec];
}

bool htz_live_pool_ready(const htz_live_pool* pool) {
  bool ready = true;
  for (uint32_t i = 0; i < pool->n_specs; i++) {
    ready = ready && pool->built[i] >= expected(pool, i);
  }
  return ready || pool->failed;
}

htz_status htz_live_pool_build(htz_live_pool* pool, bool* built, const char** why) {
  *built = false;
  *why = NULL;
  uint32_t best = HTZ_LIVE_SPECS, fewest = UINT32_MAX;
  for (uint32_t i = 0; i < pool->n_specs && !pool->failed; i++) {
    const uint32_t taken = (uint32_t)atomic_load_explicit(&pool->live->taken[i], memory_order_relaxed);
    const uint32_t asked = (uint32_t)atomic_load_explicit(&pool->live->asked[i], memory_order_relaxed);
    const uint32_t ready = pool->built[i] - taken;
    if (pool->built[i] < pool->most[i] && (asked > pool->built[i] || pool->built[i] < expected(pool, i))) {
      best = i; // a channel waits for it, or will
      break;
    }
    if (ready < pool->ahead[i] && pool->built[i] < pool->most[i] && ready < fewest) {
      best = i;
      fewest = ready;
    }
  }
  if (best == HTZ_LIVE_SPECS) {
    return HTZ_OK;
  }
  const htz_status st = build(pool, best, why);
  pool->failed = st != HTZ_OK;
  *built = st == HTZ_OK;
  return st;
}

void htz_live_pool_discard(htz_live_pool* pool) {
  for (htz_live_prebuilt* prebuilt = pool->all; prebuilt; prebuilt = prebuilt->next) {
    htz_built_discard(&prebuilt->built);
  }
}

void htz_live_pool_free(htz_live_pool* pool) {
  while (pool->all) {
    htz_live_prebuilt* prebuilt = pool->all;
    pool->all = prebuilt->next;
    htz_built_free(&prebuilt->built);
    free(prebuilt);
  }
}
