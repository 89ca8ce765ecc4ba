#ifndef HERTZIAN_MIDI_MAP_PRIVATE_H
#define HERTZIAN_MIDI_MAP_PRIVATE_H

#include "hertzian/midi/map.h"

enum { HTZ_BEND_CENTRE = 8192 }; ///< pitch bend at rest, of 14 bits

/** A channel as MIDI has it after power-up: program 0, bend range two semitones, nothing selected. */
HTZ_RT void htz_map_channel_init(htz_map_channel* channel);

/** Send a parameter's value to every part of a channel; `value` is in the parameter's unit. */
HTZ_RT void htz_map_send(htz_midi_map* map, unsigned channel, htz_param_index param, double value, uint64_t frame);

/** A controller message. */
HTZ_RT void htz_map_control_change(htz_midi_map* map, unsigned channel, uint8_t cc, uint8_t value, uint64_t frame);

/** Controller `cc`, or HTZ_CONTROL_PRESSURE, of every part of a channel. */
HTZ_RT void htz_map_move(htz_midi_map* map, unsigned channel, uint8_t cc, uint8_t value, uint64_t frame);

/** Controller `cc` of one part: what the instrument declares, or the usual meaning. */
HTZ_RT void htz_map_move_part(htz_midi_map* map, unsigned part, uint8_t cc, uint8_t value, uint64_t frame);

/** The pitch bend of a channel on its present range [semitone]. */
HTZ_RT double htz_map_bend_of(const htz_map_channel* state);

/** Send the channel's pitch bend on its present range. */
HTZ_RT void htz_map_bend(htz_midi_map* map, unsigned channel, uint64_t frame);

/** Release every held key of a channel. @return keys released */
HTZ_RT unsigned htz_map_notes_off(htz_midi_map* map, unsigned channel, uint64_t frame);

/** Controllers back as RP-015 has it; with `everything`, also those that it leaves alone. */
HTZ_RT void htz_map_reset_controllers(htz_midi_map* map, unsigned channel, bool everything, uint64_t frame);

#endif
