#ifndef HERTZIAN_HOST_OUTPUT_H
#define HERTZIAN_HOST_OUTPUT_H

#include <math.h>

/**
   How much louder everything leaves the program than an engine gives it, at a gain of 0 dB [dB]. Instruments are as loud as each other there
   (tests/instruments/test_every.c), with room below full scale for the loudest chords; songs are mixed well below what one channel at its
   loudest gives, and with this they are as loud as broadcast is used to: see docs/evidence.md for how loud, and how many clip.
*/
#define HTZ_OUTPUT_DB 4.0

/** Factor on what an engine gives, where the user asks for `gain_db` [dB]. Any thread. */
static inline double htz_output_gain(double gain_db) {
  return pow(10.0, (HTZ_OUTPUT_DB + gain_db) / 20.0);
}

#endif
