#ifndef HERTZIAN_HOST_SONG_SPAN_H
#define HERTZIAN_HOST_SONG_SPAN_H

#include "hertzian/midi/smf.h"

/** What of a song is wanted. Plain data. */
typedef struct {
  uint16_t channels; ///< bit c: channel c (0..15) is played
  double rate_hz;
  double tempo;   ///< speed factor, as htz_smf_clock_init() takes it
  double start_s; ///< in the song's time at that tempo [s]
  double end_s;   ///< likewise, may be infinite
  uint64_t least; ///< it lasts that long at least [frame]
} htz_song_wish;

/** Which part of a song is played and where it ends, the same for playing and rendering. Plain data, in frames of the song. */
typedef struct {
  htz_smf_clock clock;
  uint64_t lead;  ///< what is before leads in to a take; the times that are wished for count from here
  uint64_t start; ///< what is before is not heard
  uint64_t last;  ///< the last event of the whole song
  uint64_t
      close;    ///< the last event that is played, where held keys are released: `last`, or an earlier end that was wished for
  bool cut;     ///< `close` lies within the song: events at `close` itself are left out too
  uint64_t end; ///< End of Track, or an earlier end that was wished for; not before `close`
} htz_song_span;

/**
   Keys and pedals that nobody releases are released at End of Track, which is then the last event.

   @return HTZ_OK or HTZ_BAD_VALUE. Any thread.
*/
htz_status htz_song_span_init(htz_song_span* span, const htz_smf* song, const htz_song_wish* wish);

#endif
