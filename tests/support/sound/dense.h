#ifndef HTZ_TEST_SOUND_DENSE_H
#define HTZ_TEST_SOUND_DENSE_H

#include "sound/render.h"

/** What playing at random is made of. */
typedef struct {
  uint64_t seed; ///< the same seed, instrument and rate play the same
  bool plain;    ///< notes alone, besides the following
  bool silenced; ///< controller 120 comes as well, and unless plain 121, 123 and system reset
  bool changed;  ///< every parameter the instrument has, as after `-s`, on all keys or one
} dense_desc;

/** What came of it. */
typedef struct {
  uint64_t messages;  ///< MIDI messages and changes of parameters
  uint64_t resets;    ///< keys reset
  uint64_t unsolved;  ///< bounds that a solver hit
  uint64_t steps;     ///< of contact, to compare with those
  uint64_t broken;    ///< samples that were not finite
  double first_reset; ///< when [s]; NaN: never
  double peak;        ///< largest sample, full scale 1
  double mean;        ///< of one channel, the larger, from rest to rest, full scale 1
} dense_result;

/**
   Play `seconds` at random on all keys, then silence them: notes, wheel with bend ranges up to the widest, pedals, pressure, the
   controllers that the instrument has and others. Each half second is sparse (some ten messages), dense (one in each quantum or so) or a
   flood (hundreds in a quantum). Once a second or so something silences what sounds, where that is asked for.
*/
dense_result dense_play(sound* s, const dense_desc* desc, double seconds);

#endif
