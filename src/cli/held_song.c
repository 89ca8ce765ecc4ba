#include "held_song.h"

#include "hertzian/midi/bytes.h"

#include <string.h>

htz_status htz_held_song(unsigned channel, unsigned key, htz_smf** out) {
  enum { NOTE_AT = 23 };
  static const uint8_t velocity = 1; // as gently as a hammer can be brought: what is heard is the sound that drives it
  // One track of 8 bytes: a note-on, and End of Track.
  static const uint8_t form[] = {'M', 'T', 'h', 'd', 0, 0, 0, 6, 0, 0, 0, 1, 0,    96,   'M',
                                 'T', 'r', 'k', 0,   0, 0, 8, 0, 0, 0, 0, 0, 0xFF, 0x2F, 0};
  uint8_t song[sizeof form];
  htz_smf_diag diag;
  memcpy(song, form, sizeof song);
  song[NOTE_AT] = (uint8_t)(HTZ_MIDI_NOTE_ON | channel);
  song[NOTE_AT + 1] = (uint8_t)key;
  song[NOTE_AT + 2] = velocity;
  return htz_smf_load(song, sizeof song, out, &diag);
}
