#include "live_private.h"

void htz_live_take_prebuilt(htz_live* live) {
  htz_live_prebuilt* prebuilt;
  while (htz_ring_peek(&live->prebuilt_ring, &prebuilt)) {
    uint32_t* n = &live->n_prebuilt[prebuilt->role];
    if (*n == HTZ_MIDI_CHANNELS) {
      return; // later: no channel can want it now
    }
    live->prebuilt[prebuilt->role][(*n)++] = prebuilt;
    htz_ring_pop(&live->prebuilt_ring, NULL);
  }
}

// Give the channel a part for the role. @return false when none is built, or the engine is full
static bool attach(htz_live* live, uint32_t role, unsigned channel, uint64_t now) {
  uint32_t number = 0;
  if (live->n_prebuilt[role] == 0) {
    return false;
  }
  htz_live_prebuilt* prebuilt = live->prebuilt[role][0];
  if (!htz_built_attach(&prebuilt->built, live->engine, htz_orchestra_rank(live->orchestra, channel, role),
                        prebuilt->built.settings, prebuilt->built.n_settings, &number)) {
    return false;
  }
  htz_engine_set_player(live->engine, number, channel + HTZ_MIDI_CHANNELS * prebuilt->beside);
  live->parts++;
  const uint32_t left = --live->n_prebuilt[role];
  for (uint32_t i = 0; i < left; i++) {
    live->prebuilt[role][i] = live->prebuilt[role][i + 1];
  }
  atomic_fetch_add_explicit(&live->taken[role], 1, memory_order_relaxed);
  live->part_of[channel][role] = (uint8_t)number;
  live->attached[number] = prebuilt;
  live->bytes += prebuilt->built.memory.size;
  prebuilt->channel = (uint8_t)channel;
  prebuilt->used = now;
  htz_midi_map_bind(live->map, number, channel, &prebuilt->built.known, &live->casts_of[role], now);
  htz_dialled_begin(&live->dialled, role, live->engine, number);
  return true;
}

// One that the channel has, or could have had at the start, or any. @return as a bit, 0 when there is none
static uint64_t stand_in(htz_live* live, unsigned channel, uint64_t now) {
  if (live->map->parts_of[channel] == 0 && (live->orchestra->role[0].channels >> channel & 1u)) {
    attach(live, 0, channel, now);
  }
  const uint64_t own = live->map->parts_of[channel];
  return own ? own & (~own + 1) : live->parts > 0;
}

htz_live_readiness htz_live_cast(htz_live* live, unsigned channel, unsigned number, uint64_t now) {
  const htz_orchestra* orchestra = live->orchestra;
  const htz_cast* cast = &orchestra->cast[number];
  bool missing = false;
  for (unsigned i = 0; i < cast->n; i++) {
    const uint8_t role = cast->role[i];
    if ((orchestra->role[role].channels >> channel & 1u) && live->part_of[channel][role] == HTZ_LIVE_NO_PART) {
      missing = !attach(live, role, channel, now) || missing;
    }
  }
  uint64_t* parts = &live->map->parts_for[channel][number];
  if (!missing) {
    return HTZ_LIVE_READY;
  }
  if (*parts) {
    return HTZ_LIVE_THINNED;
  }
  *parts = stand_in(live, channel, now);
  return HTZ_LIVE_STOOD_IN;
}
