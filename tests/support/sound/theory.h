#ifndef HTZ_TEST_SOUND_THEORY_H
#define HTZ_TEST_SOUND_THEORY_H

#include "hertzian/instrument/spec.h"

/** Value of the struck body's property `name` at `key`; a name it has not ends the test program. */
double property(const htz_spec* spec, const char* name, int key);

/** Pitch of a key in equal temperament, A4 = 440 Hz, written out here and not taken from the program [Hz]. */
double pitch(int key);

#endif
