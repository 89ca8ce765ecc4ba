#include "map_private.h"

static const uint8_t release_usual = 64; // release velocity of a note that says none

static void note_on(htz_midi_map* map, unsigned channel, uint8_t note, uint8_t velocity, uint64_t frame) {
  const int key = note + map->transpose;
  const uint8_t part = map->part_for[channel][map->channel[channel].program];
  if (key < 0 || key >= HTZ_KEYS) {
    map->counters.out_of_range++;
    return;
  }
  if (part == HTZ_MAP_NO_PART) {
    map->counters.unplayed++;
    return;
  }
  uint16_t* holds = &map->holds[channel][note];
  uint8_t* held_by = &map->held_by[channel][note];
  if (*holds > 0 && *held_by != part) {
    // The program changed under a held key: the earlier instrument is let go, or nobody ever would.
    htz_engine_hold(map->engine, *held_by, (uint32_t)key, false, frame);
    *holds = 0;
  }
  *held_by = part;
  *holds = (uint16_t)(*holds + (*holds < UINT16_MAX));
  map->counters.notes++;
  htz_engine_strike(map->engine, part, (uint32_t)key, htz_velocity_map(&map->velocity, velocity), frame);
  htz_engine_hold(map->engine, part, (uint32_t)key, true, frame);
}

static void note_off(htz_midi_map* map, unsigned channel, uint8_t note, uint8_t velocity, uint64_t frame) {
  uint16_t* holds = &map->holds[channel][note];
  if (*holds == 0) {
    map->counters.stray_offs++;
    return;
  }
  if (--*holds == 0) {
    // Only keys within range are ever held.
    htz_engine_release(map->engine, map->held_by[channel][note], (uint32_t)(note + map->transpose), velocity, frame);
  }
}

unsigned htz_map_notes_off(htz_midi_map* map, unsigned channel, uint64_t frame) {
  unsigned released = 0;
  for (unsigned note = 0; note < HTZ_KEYS; note++) {
    if (map->holds[channel][note] > 0) {
      map->holds[channel][note] = 1;
      note_off(map, channel, (uint8_t)note, release_usual, frame);
      released++;
    }
  }
  return released;
}

unsigned htz_midi_map_release_all(htz_midi_map* map, uint64_t frame) {
  unsigned released = 0;
  for (unsigned channel = 0; channel < HTZ_MIDI_CHANNELS; channel++) {
    released += htz_map_notes_off(map, channel, frame);
  }
  return released;
}

static void system_reset(htz_midi_map* map, uint64_t frame) {
  for (unsigned channel = 0; channel < HTZ_MIDI_CHANNELS; channel++) {
    htz_map_notes_off(map, channel, frame);
    htz_map_channel_init(&map->channel[channel]);
    htz_map_reset_controllers(map, channel, true, frame);
  }
}

void htz_midi_map_message(htz_midi_map* map, const htz_midi_message* message) {
  const uint64_t frame = message->frame;
  if (message->status == HTZ_MIDI_RESET) {
    system_reset(map, frame);
    return;
  }
  const unsigned channel = message->status & HTZ_MIDI_CHANNEL_MASK;
  const uint8_t data1 = message->data1 & 0x7F;
  const uint8_t data2 = message->data2 & 0x7F;
  uint8_t kind = message->status & HTZ_MIDI_KIND_MASK;
  if (kind == HTZ_MIDI_NOTE_ON && data2 == 0) {
    kind = HTZ_MIDI_NOTE_OFF;
  }
  if (!(map->channels >> channel & 1u)) {
    map->counters.muted += kind == HTZ_MIDI_NOTE_ON;
    return;
  }
  switch (kind) {
  case HTZ_MIDI_NOTE_ON:
    note_on(map, channel, data1, data2, frame);
    break;
  case HTZ_MIDI_NOTE_OFF:
    note_off(map, channel, data1, message->status >> 4 == 9 ? release_usual : data2, frame);
    break;
  case HTZ_MIDI_CONTROL:
    htz_map_control_change(map, channel, data1, data2, frame);
    break;
  case HTZ_MIDI_CHANNEL_PRESSURE:
    htz_map_move(map, channel, HTZ_CONTROL_PRESSURE, data1, frame);
    break;
  case HTZ_MIDI_PROGRAM:
    map->channel[channel].program = data1;
    break;
  case HTZ_MIDI_BEND:
    map->channel[channel].bend = (uint16_t)(data2 << 7 | data1);
    htz_map_bend(map, channel, frame);
    break;
  default:
    break;
  }
}

double htz_map_bend_of(const htz_map_channel* state) {
  const double range = state->range_semitones + state->range_cents / 100.0; // [semitone]
  const int offset = (int)state->bend - HTZ_BEND_CENTRE;
  // The two halves of the wheel differ by one step; both ends mean exactly the range.
  const double position = offset < 0 ? offset / 8192.0 : offset / 8191.0;
  return position * range;
}

void htz_map_bend(htz_midi_map* map, unsigned channel, uint64_t frame) {
  htz_map_send(map, channel, HTZ_PARAM_BEND, htz_map_bend_of(&map->channel[channel]), frame);
}
