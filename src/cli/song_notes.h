#ifndef HERTZIAN_CLI_SONG_NOTES_H
#define HERTZIAN_CLI_SONG_NOTES_H

#include "options.h"

#include "hertzian/host/orchestra.h"
#include "hertzian/host/song_span.h"

/** The channels (bits) of songs that are played: unless told all that the orchestra can play. */
uint16_t htz_song_channels(const htz_options* options, const htz_orchestra* orchestra);

enum { HTZ_NOTES_OF = 512 };

/** Notes of a program on a channel. */
typedef struct {
  uint8_t channel, bank, program; ///< from 0
  uint32_t notes;
} htz_notes_of;

/** Where the notes of a song go, before any of them is struck. */
typedef struct {
  uint64_t played;   ///< handed to an instrument
  uint64_t drums;    ///< on channel 10, where there is no kit and nobody asked for pitches
  uint64_t off;      ///< on other channels that are not played
  uint64_t beyond;   ///< transposed beyond the keyboard
  uint64_t late;     ///< at or after the frame where the song is cut off
  uint16_t channels; ///< bit c: channel c (0..15) has notes
  unsigned pedals;   ///< channels that are played whose pedals are left down, to be lifted at the end
  size_t n_of;
  htz_notes_of of[HTZ_NOTES_OF]; ///< of `played`: by channel, program and bank, in ascending order
} htz_notes;

/**
   Count the notes of `song`.

   @param span  what of it is played
*/
htz_status htz_notes_count(const htz_smf* song, const htz_options* options, const htz_orchestra* orchestra,
                           const htz_song_span* span, htz_notes* out);

enum { HTZ_NOTES_TEXT = 256 };

/** Why none of the notes is played, and what plays them. @return `text` */
const char* htz_notes_why(const htz_notes* notes, const htz_options* options, char text[HTZ_NOTES_TEXT]);

#endif
