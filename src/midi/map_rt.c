#include "map_private.h"

static const uint8_t release_usual = 64; // release velocity of a note that says none

// With its lower half, which holds for one note.
static double take_velocity(htz_midi_map* map, unsigned channel, uint8_t velocity) {
  static const double half = 128.0;
  const double all = velocity + map->channel[channel].velocity_low / half;
  map->channel[channel].velocity_low = 0;
  return all;
}

uint8_t htz_midi_map_bank(const htz_midi_map* map, unsigned channel) {
  const bool drums = channel == HTZ_DRUM_CHANNEL && htz_map_manager_of(map, channel) == channel;
  return drums ? HTZ_BANK_KITS : map->channel[channel].bank;
}

uint8_t htz_midi_map_cast(const htz_midi_map* map, unsigned channel) {
  const htz_map_channel* state = &map->channel[channel];
  const uint8_t own = map->cast_of[channel];
  return own != HTZ_CAST_BY_PROGRAM ? own : map->cast_for[htz_midi_map_bank(map, channel)][state->program];
}

/** The part whose bit is the lowest, which is taken away. */
static unsigned take_part(uint64_t* parts) {
  unsigned part = 0;
  while (!(*parts >> part & 1u)) {
    part++;
  }
  *parts &= *parts - 1;
  return part;
}

static bool plays(const htz_map_zone* zone, uint8_t note, double velocity) {
  return note >= zone->key_low && note <= zone->key_high && velocity >= zone->velocity_low &&
         velocity < zone->velocity_high + 1;
}

static bool on_keyboard(int key) {
  return key >= 0 && key < HTZ_KEYS;
}

/** Strike the key on those of `parts` that play it. @return which (bits) */
static uint64_t strike(htz_midi_map* map, uint64_t parts, unsigned channel, uint8_t note, double velocity, uint64_t frame) {
  uint64_t struck = 0;
  bool beyond = false;
  while (parts) {
    const unsigned part = take_part(&parts);
    const int key = htz_map_key(map, part, note);
    if (!plays(&map->parts[part].zone, note, velocity)) {
      continue;
    }
    beyond = beyond || !on_keyboard(key);
    if (on_keyboard(key)) {
      struck |= UINT64_C(1) << part;
      htz_map_tune_key(map, part, channel, note, false, frame);
    }
  }
  map->counters.out_of_range += !struck && beyond;
  map->counters.outside += !struck && !beyond;
  map->counters.notes += struck != 0;
  if (struck) {
    htz_map_unpress(map, channel, note, frame);
  }
  for (uint64_t left = struck; left;) {
    const unsigned part = take_part(&left);
    const uint32_t key = (uint32_t)htz_map_key(map, part, note);
    htz_engine_strike(map->engine, part, key, velocity, frame);
    htz_engine_hold(map->engine, part, key, true, frame);
  }
  return struck;
}

/** `parts` let go of the key, slowly. Only keys on the keyboard are ever held. */
static void drop(htz_midi_map* map, uint64_t parts, uint8_t note, uint64_t frame) {
  while (parts) {
    const unsigned part = take_part(&parts);
    htz_engine_hold(map->engine, part, (uint32_t)htz_map_key(map, part, note), false, frame);
  }
}

static void note_on(htz_midi_map* map, unsigned channel, uint8_t note, uint8_t velocity, uint64_t frame) {
  const uint64_t parts = map->parts_for[channel][htz_midi_map_cast(map, channel)];
  if (parts == 0) {
    map->counters.unplayed++;
    return;
  }
  if (!htz_map_is_mapped(map, parts, channel, note)) {
    map->counters.unmapped++;
    return;
  }
  uint16_t* holds = &map->holds[channel][note];
  uint64_t* held_by = &map->held_by[channel][note];
  const double speed = htz_velocity_map(&map->velocity, take_velocity(map, channel, velocity));
  const uint64_t others = *held_by & ~parts;
  if (others) {
    // The program changed under a held key: what played it before is let go, or nobody ever would.
    drop(map, others, note, frame);
    *held_by &= parts;
    *holds = *held_by ? *holds : 0;
  }
  *held_by |= strike(map, parts, channel, note, speed, frame);
  *holds = (uint16_t)(*holds + (*held_by && *holds < UINT16_MAX));
}

static void note_off(htz_midi_map* map, unsigned channel, uint8_t note, uint8_t velocity, uint64_t frame) {
  uint16_t* holds = &map->holds[channel][note];
  if (*holds == 0) {
    map->counters.stray_offs++;
    return;
  }
  if (--*holds == 0) {
    const double speed = take_velocity(map, channel, velocity);
    while (map->held_by[channel][note]) {
      const unsigned part = take_part(&map->held_by[channel][note]);
      htz_engine_release(map->engine, part, (uint32_t)htz_map_key(map, part, note), speed, frame);
    }
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

/** The variant that controllers 0 and 32 select: the one of them that says one, as GS (0), XG and GM2 (32, with 121 in 0) have it. */
static uint8_t bank_of(const htz_map_channel* state) {
  enum { MELODIC = 121, HIGH = 0, LOW = 32 };
  const uint8_t high = (uint8_t)(state->heard[HIGH] - (state->heard[HIGH] > 0)); // one more than their values
  const uint8_t low = (uint8_t)(state->heard[LOW] - (state->heard[LOW] > 0));
  return high == 0 || high == MELODIC ? low : high;
}

/** A message to one channel. */
static void obey(htz_midi_map* map, unsigned channel, uint8_t kind, uint8_t data1, uint8_t data2, uint64_t frame) {
  switch (kind) {
  case HTZ_MIDI_NOTE_ON:
    note_on(map, channel, data1, data2, frame);
    break;
  case HTZ_MIDI_NOTE_OFF:
    note_off(map, channel, data1, data2, frame);
    break;
  case HTZ_MIDI_CONTROL:
    htz_map_control_change(map, channel, data1, data2, frame);
    break;
  case HTZ_MIDI_KEY_PRESSURE:
    htz_map_press(map, channel, data1, data2, frame);
    break;
  case HTZ_MIDI_CHANNEL_PRESSURE:
    htz_map_move(map, channel, HTZ_CONTROL_PRESSURE, data1, frame);
    break;
  case HTZ_MIDI_PROGRAM:
    map->channel[channel].program = data1;
    map->channel[channel].bank = bank_of(&map->channel[channel]);
    break;
  case HTZ_MIDI_BEND:
    map->channel[channel].bend = (uint16_t)(data2 << 7 | data1);
    htz_map_bend(map, channel, frame);
    break;
  default:
    break;
  }
}

/** What a manager says for all of its zone: all but notes, bends, which add up, and what selects and sets registered parameters. */
static bool for_members(uint8_t kind, uint8_t data1) {
  return kind == HTZ_MIDI_PROGRAM || kind == HTZ_MIDI_CHANNEL_PRESSURE ||
         (kind == HTZ_MIDI_CONTROL && !htz_map_is_registered(data1));
}

void htz_midi_map_message(htz_midi_map* map, const htz_midi_message* message) {
  const uint64_t frame = message->frame;
  if (message->status == HTZ_MIDI_RESET) {
    htz_map_reset_system(map, frame);
    return;
  }
  if (message->status == HTZ_MIDI_SYSTEM) {
    htz_map_system(map, message);
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
  obey(map, channel, kind, data1, message->status >> 4 == 9 && kind == HTZ_MIDI_NOTE_OFF ? release_usual : data2, frame);
  const uint16_t zone = for_members(kind, data1) ? htz_map_zone_of(map, channel) : 0;
  for (unsigned member = 0; zone && member < HTZ_MIDI_CHANNELS; member++) {
    if (zone >> member & 1u) {
      obey(map, member, kind, data1, data2, frame);
    }
  }
}

static double wheel(const htz_map_channel* state) {
  const double range = state->range_semitones + state->range_cents / 100.0; // [semitone]
  const int offset = (int)state->bend - HTZ_BEND_CENTRE;
  // The two halves of the wheel differ by one step; both ends mean exactly the range.
  const double position = offset < 0 ? offset / 8192.0 : offset / 8191.0;
  return position * range;
}

// Of one channel alone.
static double bend_of(const htz_map_channel* state) {
  const double coarse = (state->coarse >> 7) - HTZ_MAP_COARSE_NONE;                   // [semitone]
  const double fine = ((int)state->fine - HTZ_BEND_CENTRE) / (double)HTZ_BEND_CENTRE; // [semitone]
  return wheel(state) + coarse + fine;
}

double htz_map_bend_of(const htz_midi_map* map, unsigned channel) {
  const unsigned manager = htz_map_manager_of(map, channel);
  const double zone = manager == channel ? 0.0 : bend_of(&map->channel[manager]);
  return bend_of(&map->channel[channel]) + zone + map->master_coarse + map->master_fine;
}

void htz_map_bend(htz_midi_map* map, unsigned channel, uint64_t frame) {
  const uint16_t zone = htz_map_zone_of(map, channel);
  htz_map_send(map, channel, HTZ_PARAM_BEND, htz_map_bend_of(map, channel), frame);
  for (unsigned member = 0; member < HTZ_MIDI_CHANNELS; member++) {
    if (zone >> member & 1u) {
      htz_map_send(map, member, HTZ_PARAM_BEND, htz_map_bend_of(map, member), frame);
    }
  }
}
