#ifndef HTZ_TEST_SOUND_RENDER_H
#define HTZ_TEST_SOUND_RENDER_H

#include "hertzian/engine/engine.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/**
   One instrument on an engine of its own, in this process: what the tests of sound play notes on.

   Failures of set-up print what went wrong and leave `engine` NULL. Not for the audio thread; one thread at a time.
*/
typedef struct {
  htz_spec* spec;
  htz_arena arena;
  htz_instrument* instrument;
  htz_engine* engine;
  double rate_hz;
} sound;

/** Load the instrument file at `path` for `rate_hz`. @return false, with a message on stderr, when that fails. */
bool sound_open(sound* s, const char* path, double rate_hz);

/** The same with only the keys whose bit is set in `keys` [HTZ_KEYS / 64], or all where strings answer each other. */
bool sound_open_keys(sound* s, const char* path, double rate_hz, const uint64_t* keys);

/** The same from the text of an instrument file. */
bool sound_open_text(sound* s, const char* text, double rate_hz);

void sound_close(sound* s);

/** Set the parameter called `name`, as after `-s`. @return false, and say so, when there is none or it changes nothing on this instrument. */
bool sound_set(sound* s, const char* name, double value) __attribute__((warn_unused_result));

/** Put every key to rest: silence, and wait until nothing is awake. */
void sound_rest(sound* s);

/** What was heard of one note. */
typedef struct {
  size_t frames;
  double* left;  ///< [frames], from the frame of the strike
  double* right; ///< [frames]
  double* mono;  ///< [frames] left + right
  uint64_t
      last_contact; ///< frames after the strike by which the mallet had left for good, to the next quantum; 0: never touched
} note;

/**
   Strike `key` at `velocity` from rest, `offset` frames into a quantum, and hear `frames` frames.

   The key is put to rest before, not after. `n` is filled; free it with note_free(). Out of memory aborts.
*/
void sound_note(sound* s, unsigned key, double velocity, unsigned offset, size_t frames, note* n);

void note_free(note* n);

/** Largest magnitude of x [n]. */
double peak_of(const double* x, size_t n);

/** Index of the first sample that is not zero, or n. */
size_t first_sound(const double* x, size_t n);

/** Decibel of an amplitude ratio. */
double decibels(double ratio);

/** Path of `instruments/<name>.yaml` in the source folder (HERTZIAN_SOURCE, else the folder built from). [HTZ_PATH_MAX] */
void instrument_path(const char* name, char* path);

#endif
