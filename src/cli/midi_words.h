#ifndef HERTZIAN_CLI_MIDI_WORDS_H
#define HERTZIAN_CLI_MIDI_WORDS_H

#include "hertzian/midi/bytes.h"

#include <stddef.h>

enum { HTZ_MIDI_WORDS = 96 }; ///< bytes of the longest line, its end included

/** What a message says, in words: `ch 1   note on      C4 (60), velocity 100`. @return `text` */
const char* htz_midi_words(const htz_midi_message* message, char text[HTZ_MIDI_WORDS]);

/** What controller `cc` is usually called; NULL when it has no name. */
const char* htz_midi_controller_name(unsigned cc);

#endif
