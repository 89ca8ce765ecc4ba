#include "map_private.h"

#include "hertzian/midi/sysex.h"

/* What is the whole synthesizer's: resets, master volume and master tuning. */

static const double full = 16383.0;       // 14 bits
static const double fine_centre = 8192.0; // for 100 cents either way
static const int coarse_centre = 64;      // [semitone]

static void send_master(htz_midi_map* map, uint64_t frame) {
  for (unsigned part = 0; part < HTZ_PARTS_MAX; part++) {
    if (map->known >> part & 1u) {
      htz_map_send_part(map, part, HTZ_PARAM_MASTER, map->master_volume, frame);
    }
  }
}

static void bend_all(htz_midi_map* map, uint64_t frame) {
  for (unsigned channel = 0; channel < HTZ_MIDI_CHANNELS; channel++) {
    htz_map_bend(map, channel, frame);
  }
}

/** Master volume and all tuning as they were at first; channels are not told. */
static void forget_master(htz_midi_map* map, uint64_t frame) {
  const bool quieter = map->master_volume != 1.0;
  map->master_volume = 1.0;
  map->master_fine = 0.0;
  map->master_coarse = 0.0;
  htz_map_untune(map);
  if (quieter) {
    send_master(map, frame);
  }
}

void htz_map_reset_system(htz_midi_map* map, uint64_t frame) {
  forget_master(map, frame);
  for (unsigned channel = 0; channel < HTZ_MIDI_CHANNELS; channel++) {
    htz_map_notes_off(map, channel, frame);
    htz_map_channel_init(&map->channel[channel]);
    htz_map_reset_controllers(map, channel, true, frame);
    htz_map_tune_channel(map, channel, true, frame);
  }
  htz_map_start_zones(map, frame);
}

static void untune(htz_midi_map* map, uint64_t frame) {
  forget_master(map, frame);
  bend_all(map, frame);
  for (unsigned channel = 0; channel < HTZ_MIDI_CHANNELS; channel++) {
    htz_map_tune_channel(map, channel, true, frame);
  }
}

void htz_map_system(htz_midi_map* map, const htz_midi_message* m) {
  switch ((htz_system_kind)m->data1) {
  case HTZ_SYSTEM_RESET:
    htz_map_reset_system(map, m->frame);
    break;
  case HTZ_SYSTEM_UNTUNE:
    untune(map, m->frame);
    break;
  case HTZ_SYSTEM_VOLUME:
    map->master_volume = m->value / full;
    send_master(map, m->frame);
    break;
  case HTZ_SYSTEM_FINE:
    map->master_fine = (m->value - fine_centre) / fine_centre;
    bend_all(map, m->frame);
    break;
  case HTZ_SYSTEM_COARSE:
    map->master_coarse = m->data2 - coarse_centre;
    bend_all(map, m->frame);
    break;
  case HTZ_SYSTEM_KEY:
    htz_map_take_pitch(map, m);
    break;
  case HTZ_SYSTEM_OCTAVE:
    htz_map_take_octave(map, m);
    break;
  case HTZ_SYSTEM_DIAL: // whoever knows the parts does it
    break;
  }
}
