#ifndef HERTZIAN_CLI_LIVE_SONGS_H
#define HERTZIAN_CLI_LIVE_SONGS_H

#include "live_keys.h"
#include "song_file.h"

#include "hertzian/host/live_pool.h"
#include "hertzian/host/song_feed.h"

/** Songs that a live performance plays. The control thread's. */
typedef struct {
  const htz_options* options;
  htz_song_say say;
  void* user;
  size_t n;                  ///< that can be played
  const char** path;         ///< [n], as given
  htz_song_feed_item* items; ///< [n]
  htz_notes* notes;          ///< [n], of each
  htz_dials dials;           ///< of all of them
  int code;                  ///< exit code of the first that cannot, or 0
  uint16_t channels;         ///< of songs that are played, bits
  size_t expected;           ///< songs whose parts are asked of the pool
  htz_song_feed feed;
  unsigned begun_seen;
  size_t said; ///< one more than the song that was last described, 0: none yet
} htz_songs;

/** True when the command line names songs. */
bool htz_songs_wanted(const htz_options* options);

/**
   Load what the command line names, and say what cannot be played. Instruments that were dialled in are added to the orchestra.

   @return 0 when at least one song can be; else the exit code of the first that cannot
*/
int htz_songs_load(htz_songs* songs, const htz_options* options, htz_orchestra* orchestra, htz_song_say say, void* user);

/** What to do where nothing can be heard, to be put behind the reason `why`; empty without songs. */
void htz_songs_advice(const htz_options* options, const char* why, char* text, size_t size);

/** Ask the pool for the parts of the first song. @return an exit code */
int htz_songs_expect(htz_songs* songs, htz_live_pool* pool);

/** Begin: the first song is heard from the next block on. @return an exit code */
int htz_songs_start(htz_songs* songs, htz_live* live);

/** Obey a key, announce a song that has begun, let the next ones begin when their parts are built. */
void htz_songs_tend(htz_songs* songs, htz_live_pool* pool, htz_key_pressed key);

/** True when the last song is over and what is heard has died away; also without songs. */
bool htz_songs_over(const htz_songs* songs);

/** What became of the songs, said where it was nothing that can be heard. @return an exit code */
int htz_songs_verdict(const htz_songs* songs);

/** `name 0:41/2:04`, and whether it is paused, for the status line. */
void htz_songs_status(const htz_songs* songs, char* text, size_t size);

/** When the audio thread has left; also what was never loaded, if zero. */
void htz_songs_free(htz_songs* songs);

#endif
