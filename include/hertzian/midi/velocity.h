#ifndef HERTZIAN_MIDI_VELOCITY_H
#define HERTZIAN_MIDI_VELOCITY_H

#include "hertzian/base/rt.h"
#include "hertzian/base/status.h"

#include <stddef.h>
#include <stdint.h>

enum { HTZ_VELOCITIES = 128 }; ///< values of a MIDI velocity byte

/** What a key velocity becomes before it turns into a hammer's speed. Plain data. */
typedef struct {
  double out[HTZ_VELOCITIES]; ///< for each incoming velocity, 1 to 127, not rounded; [0] is 1 and belongs to no note-on
} htz_velocity_curve;

/** The curve that changes nothing. Any thread. */
HTZ_RT void htz_velocity_linear(htz_velocity_curve* curve);

/** Velocity 1..127 that `curve` makes of `velocity`, held to 0..127; straight lines between whole ones. Audio thread. */
HTZ_RT double htz_velocity_map(const htz_velocity_curve* curve, double velocity);

/**
   Make a curve from its description.

   - `linear` changes nothing;
   - `soft` makes a light touch louder, `hard` asks for more force: 1 + 126 ((v-1)/126)^p with p = 0.6 and 1/0.6;
   - `fixed=N` plays every note with velocity N, a whole number from 1 to 127;
   - `curve=IN:OUT,IN:OUT...` joins the points by straight lines: IN whole numbers from 0 to 127, each above the one before,
     OUT numbers from 0 to 127; before the first point and after the last OUT stays level.

   Results below 1 become 1. Numbers are read in the C locale whatever the process's locale.

   @param text        the description
   @param curve       receives the curve; left alone on failure
   @param error       receives one line without a newline on failure, may be NULL
   @param error_size  bytes at `error`
   @return HTZ_OK or HTZ_BAD_VALUE. Set-up threads.
*/
htz_status htz_velocity_parse(const char* text, htz_velocity_curve* curve, char* error, size_t error_size);

#endif
