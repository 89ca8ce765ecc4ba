#ifndef HERTZIAN_LAB_LOAD_H
#define HERTZIAN_LAB_LOAD_H

#include "hertzian/base/status.h"
#include "hertzian/instrument/spec.h"

/** What it takes of this machine, one core, to play an instrument hard: shares of the time that there is []. */
typedef struct {
  double mean;      ///< over all of it
  double worst;     ///< of the block that took longest
  double disturbed; ///< the same by the clock, with what other programs took
  unsigned ringing; ///< keys at the end
  unsigned frames;  ///< smallest block, a power of two, whose worst would still leave a third of its time; 0: none does
} htz_load;

/**
   Play ten-note chords over the range, two a second for four seconds with the pedal down, as fast as that can be computed.

   @param frames of a block, 16..8192
   @return HTZ_OK or why the instrument could not be built, `why` then says so. Any thread but the audio thread.
*/
htz_status htz_load_measure(const htz_spec* spec, double rate_hz, unsigned frames, htz_load* out, const char** why);

#endif
