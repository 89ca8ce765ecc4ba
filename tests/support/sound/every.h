#ifndef HTZ_TEST_SOUND_EVERY_H
#define HTZ_TEST_SOUND_EVERY_H

#include "sound/render.h"

/** Names of all files in the source folder's `instruments/`, without the ending, sorted, so that a new file is tested unasked. */
typedef struct {
  size_t n;
  char** name;
} every_instrument;

/** Free with every_free(). A folder that cannot be read, or has none, ends the program. */
every_instrument every_list(void);

void every_free(every_instrument* all);

/** One note as sound_note() at a key that is held down until the end, so that nothing damps it. */
void every_note(sound* s, int key, double velocity, double seconds, note* n);

#endif
