#ifndef HERTZIAN_MIDI_SYSEX_H
#define HERTZIAN_MIDI_SYSEX_H

#include "hertzian/midi/bytes.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
   System exclusive messages as plain data. One that is understood means one or more htz_midi_message of status HTZ_MIDI_SYSTEM, so that
   whatever carries channel messages carries these, too. A tuning dump means one for each key.

   Understood: GM system on and off, GM2 on, GS and XG resets; master volume (universal, GS, XG), master fine and coarse tuning; of the MIDI
   Tuning Standard bulk dumps (with and without bank, of keys and of octaves), single note changes, real time and not, and scale/octave
   tuning of one and two bytes. Any device is meant. Banks of tunings are not told apart: there is one.
*/

/** What a message of status HTZ_MIDI_SYSTEM means; in its data1. */
typedef enum {
  HTZ_SYSTEM_RESET = 0, ///< GM, GM2, GS or XG is switched on or off: everything as at power-up
  HTZ_SYSTEM_VOLUME,    ///< value: master volume, 0..16383
  HTZ_SYSTEM_FINE,      ///< value: master fine tuning, 0..16383, 8192 is none, 100 cents either way
  HTZ_SYSTEM_COARSE,    ///< data2: master coarse tuning, 64 is none [semitone]
  HTZ_SYSTEM_KEY,       ///< data2: key; value: htz_system_pitch()
  HTZ_SYSTEM_UNTUNE,    ///< master volume and all tuning as the performance began; our own: 7D 48 54 5A 01
  HTZ_SYSTEM_OCTAVE,    ///< data2: pitch class, 0 is C; value: htz_system_octave()
  HTZ_SYSTEM_DIAL,      ///< something was dialled in, as a text says; data2, value: which. Means nothing to a map
} htz_system_kind;

/** True of a message, or an event of a song, that says that something was dialled in. */
static inline bool htz_midi_is_dial(uint8_t status, uint8_t data1) {
  return status == HTZ_MIDI_SYSTEM && data1 == HTZ_SYSTEM_DIAL;
}

enum {
  HTZ_SYSEX_MAX = HTZ_PARSER_SYSEX, ///< bytes between F0 and F7 of the longest that is understood: 127 single notes with bank
  HTZ_SYSEX_WRITTEN = 64,           ///< bytes that htz_sysex_write() needs
  HTZ_SYSTEM_NO_CHANGE = -1,        ///< pitch that leaves a key as it is
};

/** The tuning of a key. */
typedef struct {
  int pitch;        ///< [semitone / 16384], or HTZ_SYSTEM_NO_CHANGE
  unsigned program; ///< tuning program 0..127
  bool now;         ///< in real time: also notes that sound
} htz_system_pitch;

/** The tuning of a pitch class on some channels. */
typedef struct {
  int offset;        ///< [200 cent / 16384], -8192..8191
  uint16_t channels; ///< bit c: channel c
  bool now;          ///< in real time: also notes that sound
} htz_system_octave;

/** Messages that the `size` bytes between F0 and F7 mean; 0 when they are not understood or their checksum is wrong. */
HTZ_RT size_t htz_sysex_count(const uint8_t* bytes, size_t size);

/** Message `index` (less than htz_sysex_count()) of them; its frame is 0. */
HTZ_RT htz_midi_message htz_sysex_message(const uint8_t* bytes, size_t size, size_t index);

/** The tuning that a HTZ_SYSTEM_KEY message means. */
HTZ_RT htz_system_pitch htz_system_pitch_of(const htz_midi_message* message);

/** The message that means it. */
HTZ_RT htz_midi_message htz_system_pitch_message(unsigned key, htz_system_pitch pitch);

/** The tuning that a HTZ_SYSTEM_OCTAVE message means. */
HTZ_RT htz_system_octave htz_system_octave_of(const htz_midi_message* message);

/** The message that means it. */
HTZ_RT htz_midi_message htz_system_octave_message(unsigned class, htz_system_octave octave);

/**
   Bytes, F0 and F7 included, that mean what `message` of status HTZ_MIDI_SYSTEM does. Pitch classes go twelve at a time.

   @param octave  [12] values of the pitch classes up to this one, kept by the caller
   @return bytes written to `out`; 0 of a pitch class before the last
*/
HTZ_RT size_t htz_sysex_write(const htz_midi_message* message, uint32_t octave[12], uint8_t out[HTZ_SYSEX_WRITTEN]);

#endif
