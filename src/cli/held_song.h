#ifndef HERTZIAN_CLI_HELD_SONG_H
#define HERTZIAN_CLI_HELD_SONG_H

#include "hertzian/midi/smf.h"

/**
   A song of one key that goes down at frame 0 and is released where everything is, at the end: what `--drive` plays without a song.

   @param channel 0..15
   @return as htz_smf_load()
*/
htz_status htz_held_song(unsigned channel, unsigned key, htz_smf** out);

#endif
