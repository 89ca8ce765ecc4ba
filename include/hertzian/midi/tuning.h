#ifndef HERTZIAN_MIDI_TUNING_H
#define HERTZIAN_MIDI_TUNING_H

#include "hertzian/base/status.h"
#include "hertzian/instrument/diag.h"

/*
   The pitch of every key: a temperament by name, an equal division of the octave, or files of the Scala archive's formats
   (https://www.huygens-fokker.org/scala/scl_format.html and help.htm#mappings). Set-up threads.

   Pitches are on the scale of MIDI keys: 69 is 440 Hz, 1 is an equal-tempered semitone.
*/
enum { HTZ_TUNING_KEYS = 128 };

typedef struct {
  const char*
      scale; ///< a temperament's name, `N-edo` with N from 1 to 1200, the path of a .scl file, or NULL: twelve equal steps
  const char* keymap; ///< the path of a .kbm file, or NULL
  double a4_hz;       ///< pitch of key 69 in what has a name; 0: 440 [Hz]
} htz_tuning_wish;

/**
   Work out the pitches.

   What has a name sounds A at key 69. A .scl file without a keymap has its first degree at key 60, where equal temperament on `a4_hz`
   has it; a keymap says itself, and goes with no `a4_hz`.

   @param pitch  [HTZ_TUNING_KEYS] receives the pitch of each key [semitone]; NaN: the keymap leaves it silent
   @param diags  receives the faults, with the file they are in
   @return HTZ_OK; HTZ_NOT_FOUND, HTZ_IO, HTZ_BAD_INPUT (a file), HTZ_BAD_VALUE (keymap and a4_hz), HTZ_NO_MEMORY, HTZ_NO_FILES
*/
htz_status htz_tuning_make(const htz_tuning_wish* wish, double pitch[HTZ_TUNING_KEYS], htz_diags* diags);

#endif
