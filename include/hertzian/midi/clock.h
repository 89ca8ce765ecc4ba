#ifndef HERTZIAN_MIDI_CLOCK_H
#define HERTZIAN_MIDI_CLOCK_H

#include "hertzian/base/rt.h"

#include <stdbool.h>
#include <stdint.h>

/**
   A delay-locked loop between the monotonic clock, by which MIDI is stamped, and the sound card's frames.

   Told at each block when the card asked for it, it finds the card's true rate and the block's true start, free of the jitter
   with which the thread was woken (F. Adriaensen, "Using a DLL to filter time", 2005: a second-order loop). Audio thread.
*/
typedef struct {
  double rate_hz;           ///< [config] nominal rate
  bool running;             ///< [state]
  uint64_t frame;           ///< [state] first frame of the last block
  double time_s;            ///< [state] its filtered time
  double seconds_per_frame; ///< [state] filtered
  double locked_s;          ///< [state] time since it started: the loop is wide at first
  uint64_t restarts;        ///< times it had to start again; only grows
} htz_clock;

HTZ_RT void htz_clock_init(htz_clock* clock, double rate_hz);

/** The block that begins at `frame` was asked for at `time_s`. After a gap that no jitter explains the loop starts again. */
HTZ_RT void htz_clock_block(htz_clock* clock, uint64_t frame, double time_s);

/** The frame at `time_s`, not rounded; times shortly before and after the last block make sense. */
HTZ_RT double htz_clock_frame(const htz_clock* clock, double time_s);

#endif
