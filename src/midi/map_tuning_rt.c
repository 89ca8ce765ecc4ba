#include "map_private.h"

#include "hertzian/midi/sysex.h"

#include <math.h>

static const double cents_per_key = 100.0;

/** What the tuning in force on `channel` asks of `note`, off equal temperament [cent]; NaN: it is silent. */
static double asked_of(const htz_midi_map* map, unsigned channel, unsigned note) {
  const htz_map_channel* state = &map->channel[channel];
  const unsigned program = state->tuning >> 7; // the upper half of the data entry
  return ((double)map->pitch[program][note] - note) * cents_per_key + (double)map->octave[channel][note % HTZ_MAP_CLASSES];
}

bool htz_map_is_mapped(const htz_midi_map* map, uint64_t parts, unsigned channel, unsigned note) {
  bool kit = false;
  for (unsigned part = 0; part < HTZ_PARTS_MAX; part++) {
    kit = kit || (map->parts[part].kit && (parts >> part & 1u));
  }
  return kit || !isnan(asked_of(map, channel, note));
}

void htz_map_tune_key(htz_midi_map* map, unsigned part, unsigned channel, unsigned note, bool at_rest, uint64_t frame) {
  const int key = htz_map_key(map, part, note);
  const double cents = map->parts[part].kit ? 0.0 : asked_of(map, channel, note);
  if (key < 0 || key >= HTZ_KEYS || isnan(cents) || (float)cents == map->scale[part][key] ||
      (at_rest && htz_engine_sounds(map->engine, part, (uint32_t)key))) {
    return;
  }
  map->scale[part][key] = (float)cents;
  const htz_param_change change = {
      .frame = frame, .value = cents, .part = (uint16_t)part, .key = (int16_t)key, .index = HTZ_PARAM_SCALE};
  htz_engine_change(map->engine, &change);
}

void htz_map_tune_part(htz_midi_map* map, unsigned part, unsigned channel, bool at_rest, uint64_t frame) {
  for (unsigned note = 0; note < HTZ_KEYS; note++) {
    htz_map_tune_key(map, part, channel, note, at_rest, frame);
  }
}

/** One note of every part of `channel`. */
static void tune_note(htz_midi_map* map, unsigned channel, unsigned note, bool now, uint64_t frame) {
  for (uint64_t parts = map->parts_of[channel], part = 0; parts; parts >>= 1, part++) {
    if (parts & 1u) {
      htz_map_tune_key(map, (unsigned)part, channel, note, !now, frame);
    }
  }
}

void htz_map_tune_channel(htz_midi_map* map, unsigned channel, bool now, uint64_t frame) {
  for (unsigned note = 0; note < HTZ_KEYS; note++) {
    tune_note(map, channel, note, now, frame);
  }
}

void htz_map_take_pitch(htz_midi_map* map, const htz_midi_message* m) {
  static const double units = 16384.0; // in a semitone
  const htz_system_pitch pitch = htz_system_pitch_of(m);
  const unsigned note = m->data2 & 0x7F;
  if (pitch.pitch == HTZ_SYSTEM_NO_CHANGE) {
    return;
  }
  map->pitch[pitch.program][note] = (float)(pitch.pitch / units);
  for (unsigned channel = 0; channel < HTZ_MIDI_CHANNELS; channel++) {
    if (map->channel[channel].tuning >> 7 == pitch.program) {
      tune_note(map, channel, note, pitch.now, m->frame);
    }
  }
}

void htz_map_take_octave(htz_midi_map* map, const htz_midi_message* m) {
  static const double units = 8192.0; // in 100 cents
  const htz_system_octave octave = htz_system_octave_of(m);
  const unsigned class = m->data2 % HTZ_MAP_CLASSES;
  for (unsigned channel = 0; channel < HTZ_MIDI_CHANNELS; channel++) {
    if (!(octave.channels >> channel & 1u)) {
      continue;
    }
    map->octave[channel][class] = (float)(octave.offset / units * cents_per_key);
    for (unsigned note = class; note < HTZ_KEYS; note += HTZ_MAP_CLASSES) {
      tune_note(map, channel, note, octave.now, m->frame);
    }
  }
}

void htz_map_untune(htz_midi_map* map) {
  for (unsigned note = 0; note < HTZ_KEYS; note++) {
    for (unsigned program = 0; program < HTZ_MAP_TUNINGS; program++) {
      map->pitch[program][note] = map->base[note];
    }
  }
  for (unsigned channel = 0; channel < HTZ_MIDI_CHANNELS; channel++) {
    for (unsigned class = 0; class < HTZ_MAP_CLASSES; class ++) {
      map->octave[channel][class] = 0.0f;
    }
  }
}
