#ifndef HERTZIAN_CLI_SONG_FILE_H
#define HERTZIAN_CLI_SONG_FILE_H

#include "options.h"
#include "render_notes.h"

#include "hertzian/host/song_span.h"

enum { HTZ_SONG_DRUMS = 9 }; ///< General MIDI's drum channel, from 0

/** How what there is to say of a song is said: by a render's job in its turn, or above a performance's status line. */
typedef void (*htz_song_say)(void* user, htz_log_level level, const char* line);

/** The channels (bits) of songs that are played: all but the drums unless told. */
uint16_t htz_song_channels(const htz_options* options);

/**
   Load the song at `path`, "-" being standard input, and say what is wrong with it: one line as an error, when it cannot be played
   or has damage and --strict was given; else one warning.

   @param damage  receives the number of its faults
   @return an exit code; `*out` is NULL unless it is 0
*/
int htz_song_load(const char* path, const htz_options* options, htz_song_say say, void* user, htz_smf** out, uint32_t* damage);

/**
   Whether any note of a song is played: one that holds notes and would be silent is refused with one line.

   @param channels  bit c: channel c (0..15) is played
   @param notes     receives where its notes go
   @return an exit code
*/
int htz_song_check(const char* path, const htz_smf* song, const htz_options* options, uint16_t channels,
                   const htz_song_span* span, htz_song_say say, void* user, htz_notes* notes);

/** Channels that are played and whose pedals are lifted at the end. */
unsigned htz_song_pedals(const htz_smf_info* info, uint16_t channels);

/** Say what the song holds. @param length_s to its last event, at the tempo asked for [s] */
void htz_song_describe(const char* path, const htz_smf_info* info, double length_s, uint16_t channels, const htz_notes* notes,
                       htz_song_say say, void* user);

#endif
