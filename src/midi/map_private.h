#ifndef HERTZIAN_MIDI_MAP_PRIVATE_H
#define HERTZIAN_MIDI_MAP_PRIVATE_H

#include "hertzian/midi/map.h"

enum {
  HTZ_BEND_CENTRE = 8192,        ///< pitch bend at rest, of 14 bits
  HTZ_MAP_COARSE_NONE = 64,      ///< coarse tuning that moves nothing
  HTZ_MAP_MODULATION_USUAL = 64, ///< modulation depth at power-up, General MIDI 2's 50 cents [semitone / 128]
};

/** A channel as MIDI has it after power-up: program 0, bend range two semitones, nothing selected. */
HTZ_RT void htz_map_channel_init(htz_map_channel* channel);

/** No registered parameter is selected. */
HTZ_RT void htz_map_select_nothing(htz_map_channel* state);

/** True of the controllers that select or set registered and non-registered parameters. */
HTZ_RT bool htz_map_is_registered(uint8_t cc);

/** A controller that selects or sets a registered parameter. @return false when it is none */
HTZ_RT bool htz_map_registered(htz_midi_map* map, unsigned channel, uint8_t cc, uint8_t value, uint64_t frame);

/** The manager of the zone that `channel` is a member of; itself when it is none. */
HTZ_RT unsigned htz_map_manager_of(const htz_midi_map* map, unsigned channel);

/** Members of the zone that `channel` manages (bits). */
HTZ_RT uint16_t htz_map_zone_of(const htz_midi_map* map, unsigned channel);

/** Give `manager` so many members. */
HTZ_RT void htz_map_set_zone(htz_midi_map* map, unsigned manager, unsigned members, uint64_t frame);

/** The bend range of a member is that of all members. */
HTZ_RT void htz_map_share_range(htz_midi_map* map, unsigned channel, uint64_t frame);

/** Zones as the performance began. */
HTZ_RT void htz_map_start_zones(htz_midi_map* map, uint64_t frame);

/** What a message of status HTZ_MIDI_SYSTEM means. */
HTZ_RT void htz_map_system(htz_midi_map* map, const htz_midi_message* m);

/** Everything as at power-up. */
HTZ_RT void htz_map_reset_system(htz_midi_map* map, uint64_t frame);

/** The key on which `part` plays `note`; it may lie beyond the keyboard. */
static inline int htz_map_key(const htz_midi_map* map, unsigned part, unsigned note) {
  return (int)note + (map->parts[part].kit ? 0 : map->transpose) + map->parts[part].zone.transpose;
}

/** False when the tuning in force leaves `note` silent on all of `parts` (bits). */
HTZ_RT bool htz_map_is_mapped(const htz_midi_map* map, uint64_t parts, unsigned channel, unsigned note);

/** Tell `part` what the tuning of `channel` asks of `note`, unless it knows; `at_rest`: not while it sounds. */
HTZ_RT void htz_map_tune_key(htz_midi_map* map, unsigned part, unsigned channel, unsigned note, bool at_rest, uint64_t frame);

/** The same of every note. */
HTZ_RT void htz_map_tune_part(htz_midi_map* map, unsigned part, unsigned channel, bool at_rest, uint64_t frame);

/** The same of every part of the channel; `now`: also what sounds. */
HTZ_RT void htz_map_tune_channel(htz_midi_map* map, unsigned channel, bool now, uint64_t frame);

/** A key's pitch in a tuning program; a pitch class's tuning. */
HTZ_RT void htz_map_take_pitch(htz_midi_map* map, const htz_midi_message* m);
HTZ_RT void htz_map_take_octave(htz_midi_map* map, const htz_midi_message* m);

/** Tunings as the performance began; parts are not told. */
HTZ_RT void htz_map_untune(htz_midi_map* map);

/** Send a parameter's value, in its unit, to one part. */
HTZ_RT void htz_map_send_part(htz_midi_map* map, unsigned part, htz_param_index param, double value, uint64_t frame);

/** The pressure of one key, as received. */
HTZ_RT void htz_map_press(htz_midi_map* map, unsigned channel, uint8_t note, uint8_t value, uint64_t frame);

/** A note begins: its key's own pressure is forgotten. */
HTZ_RT void htz_map_unpress(htz_midi_map* map, unsigned channel, uint8_t note, uint64_t frame);

/** Send a parameter's value to every part of a channel; `value` is in the parameter's unit. */
HTZ_RT void htz_map_send(htz_midi_map* map, unsigned channel, htz_param_index param, double value, uint64_t frame);

/** A controller message. */
HTZ_RT void htz_map_control_change(htz_midi_map* map, unsigned channel, uint8_t cc, uint8_t value, uint64_t frame);

/** Controller `cc`, or HTZ_CONTROL_PRESSURE, of every part of a channel. */
HTZ_RT void htz_map_move(htz_midi_map* map, unsigned channel, uint8_t cc, uint8_t value, uint64_t frame);

/** Controller `cc` of one part: what the instrument declares, or the usual meaning. */
HTZ_RT void htz_map_move_part(htz_midi_map* map, unsigned part, unsigned channel, uint8_t cc, uint8_t value, uint64_t frame);

/** Let what takes hold of a parameter only in passing take hold of it where the controller was before the part joined. */
HTZ_RT void htz_map_reach_part(htz_midi_map* map, unsigned part, unsigned channel, uint8_t cc);

/** What bends the pitch of a channel: its wheel on its present range, its tuning and the master's [semitone]. */
HTZ_RT double htz_map_bend_of(const htz_midi_map* map, unsigned channel);

/** Send it to the channel's parts. */
HTZ_RT void htz_map_bend(htz_midi_map* map, unsigned channel, uint64_t frame);

/** Release every held key of a channel. @return keys released */
HTZ_RT unsigned htz_map_notes_off(htz_midi_map* map, unsigned channel, uint64_t frame);

/** Controllers back as RP-015 has it; with `everything`, also those that it leaves alone. */
HTZ_RT void htz_map_reset_controllers(htz_midi_map* map, unsigned channel, bool everything, uint64_t frame);

#endif
