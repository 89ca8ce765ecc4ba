#ifndef HERTZIAN_CLI_SONG_DIALS_H
#define HERTZIAN_CLI_SONG_DIALS_H

#include "song_file.h"

#include "hertzian/host/dials.h"

/** What was dialled in while a song was taken, and the orchestra that plays it then. Zero at the start. */
typedef struct {
  htz_dials dials;
  htz_dial_span span;
  htz_orchestra* orchestra; ///< the one that all songs share, and what this one adds; NULL where it adds nothing
} htz_song_dials;

/**
   Read what was dialled in in a song that is rendered beside others.

   @return an exit code; what cannot be done is said, as an error with --strict
*/
int htz_song_dials_read(htz_song_dials* out, const char* path, const htz_smf* song, const htz_options* options,
                        const htz_orchestra* shared, htz_song_say say, void* user);

/** Say what could not be done. @return an exit code */
int htz_song_dials_tell(const char* path, const htz_dial_faults* faults, const htz_options* options, htz_song_say say,
                        void* user);

void htz_song_dials_free(htz_song_dials* dials);

#endif
