#ifndef HERTZIAN_CLI_MIDI_DUMP_H
#define HERTZIAN_CLI_MIDI_DUMP_H

#include "options.h"

/** `hertzian midi dump SONG.mid`: what is in a song, in words, one event a line. @return an exit code */
int htz_midi_dump(const htz_options* options, const char* path);

#endif
