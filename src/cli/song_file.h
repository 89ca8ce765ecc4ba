#ifndef HERTZIAN_CLI_SONG_FILE_H
#define HERTZIAN_CLI_SONG_FILE_H

#include "options.h"
#include "song_notes.h"

#include "hertzian/host/orchestra.h"
#include "hertzian/host/song_span.h"

/** How what there is to say of a song is said: by a render's job in its turn, or above a performance's status line. */
typedef void (*htz_song_say)(void* user, htz_log_level level, const char* line);

/**
   Load the song at `path`, "-" being standard input, and say what is wrong with it: one line as an error, when it cannot be played
   or has damage and --strict was given; else one warning.

   @param damage  receives the number of its faults
   @return an exit code; `*out` is NULL unless it is 0
*/
int htz_song_load(const char* path, const htz_options* options, htz_song_say say, void* user, htz_smf** out, uint32_t* damage);

/**
   Count where the notes of the song go, and say in one line, as an error, when it holds some and none is played.

   @return an exit code: HTZ_EXIT_USAGE where the command line alone cuts them all off, HTZ_EXIT_INPUT otherwise
*/
int htz_song_check(const char* path, const htz_smf* song, const htz_options* options, const htz_orchestra* orchestra,
                   const htz_song_span* span, htz_song_say say, void* user, htz_notes* notes);

/** Say what the song holds. @param length_s to its last event, at the tempo asked for [s] */
void htz_song_describe(const char* path, const htz_smf* song, const htz_notes* notes, double length_s, htz_song_say say,
                       void* user);

#endif
