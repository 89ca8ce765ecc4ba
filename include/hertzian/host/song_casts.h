#ifndef HERTZIAN_HOST_SONG_CASTS_H
#define HERTZIAN_HOST_SONG_CASTS_H

#include "hertzian/host/dials.h"
#include "hertzian/host/orchestra.h"
#include "hertzian/midi/smf.h"

/** What a song asks for on each channel. */
typedef struct {
  htz_cast_set of[HTZ_MIDI_CHANNELS];               ///< casts that its notes are played by
  uint64_t notes[HTZ_MIDI_CHANNELS][HTZ_KEYS / 64]; ///< bit n%64 of word n/64: note n is struck, as the song has it
} htz_song_casts;

/** Walk a song, and find it. @param dials of the song @return HTZ_OK, HTZ_NO_MEMORY. Set-up thread. */
htz_status htz_song_casts_find(const htz_smf* song, const htz_orchestra* orchestra, const htz_performance* performance,
                               const htz_dial_span* dials, htz_song_casts* out);

#endif
