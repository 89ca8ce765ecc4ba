#include "map_private.h"

enum {
  CONTROLLERS = 120
}; // those above are channel mode messages, which set nothing; beyond them stands the channel's pressure

void htz_midi_map_bind(htz_midi_map* map, uint32_t part, unsigned channel, const htz_map_part* known, const htz_cast_set* casts,
                       uint64_t frame) {
  if (part >= HTZ_PARTS_MAX || channel >= HTZ_MIDI_CHANNELS) {
    return;
  }
  const htz_map_channel* state = &map->channel[channel];
  map->parts[part] = *known;
  map->known |= UINT64_C(1) << part;
  map->parts_of[channel] |= UINT64_C(1) << part;
  for (unsigned cast = 0; cast < HTZ_CASTS_MAX; cast++) {
    map->parts_for[channel][cast] |= (uint64_t)htz_cast_has(casts, cast) << part;
  }
  for (unsigned cc = 0; cc <= HTZ_CONTROL_PRESSURE; cc++) {
    if (state->heard[cc] > 0 && (cc < CONTROLLERS || cc == HTZ_CONTROL_PRESSURE)) {
      htz_map_reach_part(map, part, channel, (uint8_t)cc);
      htz_map_move_part(map, part, channel, (uint8_t)cc, (uint8_t)(state->heard[cc] - 1), frame);
    }
  }
  const double bend = htz_map_bend_of(map, channel);
  if (bend != 0.0) {
    htz_map_send_part(map, part, HTZ_PARAM_BEND, bend, frame);
  }
  if (map->master_volume != 1.0) {
    htz_map_send_part(map, part, HTZ_PARAM_MASTER, map->master_volume, frame);
  }
  htz_map_tune_part(map, part, channel, false, frame);
}

void htz_midi_map_unbind(htz_midi_map* map, uint32_t part) {
  if (part >= HTZ_PARTS_MAX) {
    return;
  }
  const uint64_t others = ~(UINT64_C(1) << part);
  map->known &= others;
  for (unsigned channel = 0; channel < HTZ_MIDI_CHANNELS; channel++) {
    map->parts_of[channel] &= others;
    for (unsigned cast = 0; cast < HTZ_CASTS_MAX; cast++) {
      map->parts_for[channel][cast] &= others;
    }
    for (unsigned note = 0; note < HTZ_KEYS; note++) {
      map->held_by[channel][note] &= others;
    }
  }
  for (unsigned key = 0; key < HTZ_KEYS; key++) {
    map->scale[part][key] = 0.0f; // whoever has the number next was told nothing
  }
}
