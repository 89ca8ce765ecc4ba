#include "hertzian/host/live.h"

void htz_live_take_prebuilt(htz_live* live) {
  htz_live_prebuilt* prebuilt;
  while (htz_ring_peek(&live->prebuilt_ring, &prebuilt)) {
    uint32_t* n = &live->n_prebuilt[prebuilt->spec];
    if (*n == HTZ_MIDI_CHANNELS) {
      return; // later: no channel can want it now
    }
    live->prebuilt[prebuilt->spec][(*n)++] = prebuilt;
    htz_ring_pop(&live->prebuilt_ring, NULL);
  }
}

// Make `prebuilt` the channel's part for its instrument's programs. @return false when the engine is full
static bool attach(htz_live* live, uint32_t spec, unsigned channel, uint64_t now) {
  uint32_t number = 0;
  htz_live_prebuilt* prebuilt = live->prebuilt[spec][0];
  if (!htz_built_attach(&prebuilt->built, live->engine, channel * HTZ_ORCHESTRA_MAX + spec, prebuilt->built.settings,
                        prebuilt->built.n_settings, &number)) {
    return false;
  }
  htz_engine_set_player(live->engine, number, channel);
  live->parts++;
  const uint32_t left = --live->n_prebuilt[spec];
  for (uint32_t i = 0; i < left; i++) {
    live->prebuilt[spec][i] = live->prebuilt[spec][i + 1];
  }
  atomic_fetch_add_explicit(&live->taken[spec], 1, memory_order_relaxed);
  uint32_t programs[HTZ_MIDI_PROGRAMS / 32] = {0};
  for (unsigned program = 0; program < HTZ_MIDI_PROGRAMS; program++) {
    programs[program / 32] |= (uint32_t)(live->spec_for[channel][program] == spec) << (program % 32);
  }
  htz_midi_map_bind(live->map, number, channel, &prebuilt->built.known, programs, now);
  return true;
}

// One that the channel has, or could have had at the start, or any.
static uint8_t stand_in(htz_live* live, unsigned channel, uint64_t now) {
  if (live->map->parts_of[channel] == 0 && live->n_prebuilt[0] > 0) {
    attach(live, 0, channel, now);
  }
  const uint64_t own = live->map->parts_of[channel];
  uint8_t part = 0;
  while (own != 0 && !(own >> part & 1u)) {
    part++;
  }
  return live->parts > 0 ? part : HTZ_MAP_NO_PART;
}

bool htz_live_cast(htz_live* live, unsigned channel, unsigned program, uint64_t now) {
  const uint32_t spec = live->spec_for[channel][program];
  if (live->n_prebuilt[spec] > 0 && attach(live, spec, channel, now)) {
    return true;
  }
  live->map->part_for[channel][program] = stand_in(live, channel, now);
  return false;
}
