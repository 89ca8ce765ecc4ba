#include "map_private.h"

/*
   MIDI Polyphonic Expression (MMA RP-053): a manager channel at either end of the sixteen, and next to it its members, on each of which one
   note is played at a time. What is said to the manager holds for all of its zone; what is said to a member, for its note.
*/

enum { LOWER = 0, UPPER = 15, MEMBERS_MOST = 15, BOTH_MOST = 14, MANAGER_RANGE = 2, BITS_7 = 7 };

static unsigned members_of(const htz_midi_map* map, unsigned manager) {
  return map->channel[manager].members >> BITS_7;
}

unsigned htz_map_manager_of(const htz_midi_map* map, unsigned channel) {
  return channel > LOWER && channel <= LOWER + members_of(map, LOWER)   ? LOWER
         : channel < UPPER && channel >= UPPER - members_of(map, UPPER) ? UPPER
                                                                        : channel;
}

uint16_t htz_map_zone_of(const htz_midi_map* map, unsigned channel) {
  uint16_t zone = 0;
  for (unsigned c = 0; c < HTZ_MIDI_CHANNELS; c++) {
    zone |= (uint16_t)((c != channel && htz_map_manager_of(map, c) == channel) << c);
  }
  return zone;
}

static void begin(htz_midi_map* map, unsigned channel, uint8_t range, uint64_t frame) {
  htz_map_channel* state = &map->channel[channel];
  htz_map_notes_off(map, channel, frame);
  state->range_semitones = range;
  state->range_cents = 0;
  htz_map_reset_controllers(map, channel, false, frame);
}

void htz_map_set_zone(htz_midi_map* map, unsigned manager, unsigned members, uint64_t frame) {
  if (manager != LOWER && manager != UPPER) {
    return; // the message means nothing on other channels
  }
  const unsigned other = manager == LOWER ? UPPER : LOWER;
  const unsigned n = members < MEMBERS_MOST ? members : MEMBERS_MOST, theirs = members_of(map, other);
  const unsigned left = n < BOTH_MOST ? BOTH_MOST - n : 0;
  const uint16_t before = htz_map_zone_of(map, manager);
  map->channel[manager].members = (uint16_t)(n << BITS_7);
  map->channel[other].members =
      (uint16_t)((theirs < left || n == 0 ? theirs : left) << BITS_7); // the newer zone takes what it needs
  const uint16_t zone = htz_map_zone_of(map, manager);
  begin(map, manager, MANAGER_RANGE, frame);
  for (unsigned c = 0; c < HTZ_MIDI_CHANNELS; c++) {
    if ((before | zone) >> c & 1u) {
      begin(map, c, zone >> c & 1u ? map->mpe_bend : MANAGER_RANGE, frame);
    }
  }
}

void htz_map_share_range(htz_midi_map* map, unsigned channel, uint64_t frame) {
  const unsigned manager = htz_map_manager_of(map, channel);
  const uint16_t zone = manager == channel ? 0 : htz_map_zone_of(map, manager);
  for (unsigned c = 0; c < HTZ_MIDI_CHANNELS; c++) {
    if (c != channel && zone >> c & 1u) {
      map->channel[c].range_semitones = map->channel[channel].range_semitones;
      map->channel[c].range_cents = map->channel[channel].range_cents;
      htz_map_bend(map, c, frame);
    }
  }
}

void htz_map_start_zones(htz_midi_map* map, uint64_t frame) {
  if (map->mpe_zone != HTZ_MPE_NONE) {
    htz_map_set_zone(map, map->mpe_zone == HTZ_MPE_LOWER ? LOWER : UPPER, MEMBERS_MOST, frame);
  }
}
