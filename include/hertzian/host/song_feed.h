#ifndef HERTZIAN_HOST_SONG_FEED_H
#define HERTZIAN_HOST_SONG_FEED_H

#include "hertzian/host/live.h"
#include "hertzian/host/song_span.h"

#include <pthread.h>

/** A song to be played live. The song itself is the caller's. */
typedef struct {
  const htz_smf* song;
  htz_song_span span;  ///< at the rate of the performance
  htz_dial_span dials; ///< of it
} htz_song_feed_item;

/** What songs have moved on a channel since the first began. */
typedef struct {
  bool any;                              ///< anything but the program
  bool program;                          ///< the program
  uint32_t registered;                   ///< bit r: registered parameter r
  uint8_t control[HTZ_CONTROL_PRESSURE]; ///< 1: this controller
} htz_song_moved;

/**
   Songs on their way into a live performance, one after the other: a thread of its own walks them, seconds ahead of what is played.

   A song that begins in its middle finds programs, controllers and wheels as they would be by then; notes that began before are
   not struck. Before another song, or another pass of one, what the last one moved goes back to where a reset puts it. One song
   that is repeated goes on at the very frame at which it ends; several wait in between until what rings has died away.
*/
typedef struct {
  // [config]
  htz_live* live;
  const htz_song_feed_item* songs; ///< borrowed
  size_t n_songs;
  uint16_t channels; ///< bit c: channel c (0..15) of the songs is played
  bool loop;
  // Of several threads.
  atomic_uint target; ///< song to go on with when the epoch of the live song counts up
  atomic_uint ready;  ///< songs, from the first on, that may begin
  atomic_bool filled; ///< the ring has been full, or all there is at first
  atomic_bool failed; ///< no memory: a song was left off
  atomic_bool stop;
  // [state] of its thread
  uint32_t epoch;
  uint64_t frame;      ///< of the song's clock, at which what comes next begins
  htz_midi_map* heard; ///< without parts: what the channels' programs, controllers and wheels are set to
  htz_song_moved moved[HTZ_MIDI_CHANNELS];
  bool tuned; ///< and whether one has moved what is every channel's: master volume, tunings
  pthread_t thread;
  bool started;
} htz_song_feed;

/**
   Start the thread, and wait until it has filled the ring, so that the first song begins with the first block. `live` was made for
   a song and nobody plays it yet; song 0 may begin at once.

   @return HTZ_OK, HTZ_NO_MEMORY, HTZ_NO_THREAD. Control thread.
*/
htz_status htz_song_feed_open(htz_song_feed* feed, htz_live* live, const htz_song_feed_item* songs, size_t n_songs,
                              uint16_t channels, bool loop);

/** Let the first `n` songs begin when their turn comes: what they need is built. Control thread. */
void htz_song_feed_allow(htz_song_feed* feed, size_t n);

/** Go on with the beginning of song number `target`; with none when there is no such song. Control thread. */
void htz_song_feed_go(htz_song_feed* feed, size_t target);

/** True when the last song's End of Track has been played. Any thread. */
bool htz_song_feed_over(const htz_song_feed* feed);

/** Stop the thread; also what was never opened, if zero. */
void htz_song_feed_close(htz_song_feed* feed);

#endif
