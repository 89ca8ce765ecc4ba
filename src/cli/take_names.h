#ifndef HERTZIAN_CLI_TAKE_NAMES_H
#define HERTZIAN_CLI_TAKE_NAMES_H

#include "hertzian/io/recorder.h"

/* Names of takes: a sound file and the MIDI beside it, neither of which is there yet. Set-up threads. */

/** The ending of a file's name with its dot, or its end. */
const char* htz_name_ending(const char* path);

/** `sound` with the ending .mid. */
void htz_name_midi(const char* sound, char midi[HTZ_RECORDER_PATH]);

/**
   `wanted`, or with the first of -2, -3, ... before its ending that is free; so must be the MIDI beside it, with `both`.

   @param wanted in `folder` unless it says another; NULL: the program's own name; either may be NULL
   @param dated put the time before the ending
*/
void htz_name_free(const char* folder, const char* wanted, bool dated, bool both, char path[HTZ_RECORDER_PATH]);

#endif
