#ifndef HERTZIAN_CLI_SONG_FILE_H
#define HERTZIAN_CLI_SONG_FILE_H

#include "options.h"

#include "hertzian/midi/smf.h"

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

/** Notes on the drum channel, if that is muted because nothing else was asked for. */
uint64_t htz_song_muted(const htz_smf* song, const htz_options* options);

/** Say what the song holds. @param length_s to its last event, at the tempo asked for [s] */
void htz_song_describe(const char* path, const htz_smf_info* info, double length_s, uint64_t muted, htz_song_say say,
                       void* user);

#endif
