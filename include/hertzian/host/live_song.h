#ifndef HERTZIAN_HOST_LIVE_SONG_H
#define HERTZIAN_HOST_LIVE_SONG_H

#include "hertzian/base/ring.h"
#include "hertzian/midi/bytes.h"
#include "hertzian/midi/map.h"

#include <stdatomic.h>

/**
   A song as the audio thread of a live performance sees it: messages in a ring, filled ahead by another thread, each at a frame of
   the song's own clock. The clock goes with the engine's while the song plays and stands still while it is paused, waits or has
   nothing in the ring, so no note is ever skipped.
*/
enum { HTZ_LIVE_SONG_RING = 1 << 15 }; ///< items ahead: seconds of the densest songs

typedef enum {
  HTZ_SONG_MESSAGE = 0, ///< a channel message, a system reset or what a system exclusive one means
  HTZ_SONG_DIAL,        ///< what was dialled in, number `value` of htz_live.dials
  HTZ_SONG_REST,        ///< controller `data1` of the channel in `status` goes back to where a reset puts it
  HTZ_SONG_BEGIN,       ///< song number `song` begins, or another pass of it
  HTZ_SONG_END,         ///< its last event is over: what it holds is released, its pedals are lifted
  HTZ_SONG_QUIET,       ///< the clock waits until what rings has died away
  HTZ_SONG_OVER,        ///< nothing follows
} htz_song_kind;

typedef struct {
  uint64_t frame; ///< of the song's clock; never less than the one before
  uint32_t epoch; ///< filled for this value of htz_live_song.epoch: items of an earlier one are thrown away
  uint32_t song;
  uint8_t kind, status, data1, data2, length;
  uint32_t value; ///< of a HTZ_MIDI_SYSTEM message, or of HTZ_SONG_DIAL
} htz_song_item;

typedef struct {
  htz_ring ring; ///< [config] of htz_song_item
  // Of the control thread.
  atomic_uint epoch; ///< counts up when the song goes on elsewhere than at the ring's next item
  atomic_bool pause;
  // What other threads may read; written by the audio thread.
  atomic_uint song;           ///< that plays
  atomic_uint begun;          ///< HTZ_SONG_BEGIN so far
  atomic_uint_fast64_t began; ///< frame of the clock at which it began
  atomic_uint_fast64_t clock; ///< frame of the clock
  atomic_uint over_epoch;     ///< epoch, from 1, of the last HTZ_SONG_OVER
  // [state] of the audio thread
  htz_song_item next;
  bool waiting; ///< `next` is filled
  bool fresh;   ///< the clock is set by the next item
  bool paused, quiet, over;
  uint64_t now;         ///< the clock
  uint64_t quiet_since; ///< frame of the engine
  uint32_t epoch_done;
  uint8_t pedal[HTZ_MIDI_CHANNELS][3]; ///< where its pedals were when it was paused
} htz_live_song;

#endif
