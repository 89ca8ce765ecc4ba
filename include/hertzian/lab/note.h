#ifndef HERTZIAN_LAB_NOTE_H
#define HERTZIAN_LAB_NOTE_H

#include "hertzian/instrument/spec.h"

/** An instrument on an engine of its own, as it is played, one note at a time. One thread at a time, not the audio thread. */
typedef struct htz_lab_voice htz_lab_voice;

/**
   @param spec kept by pointer
   @param dry  without a room
   @param why  on failure, a one-line reason or NULL
   @return HTZ_OK, or why it cannot be built
*/
htz_status htz_lab_voice_new(const htz_spec* spec, double rate_hz, bool dry, htz_lab_voice** out, const char** why);

/** Set a parameter (htz_spec_param()) of all keys. */
void htz_lab_voice_set(htz_lab_voice* voice, size_t param, double value);

/**
   Play a key from rest: nothing of the note before is heard.

   @param held  frames for which the key is down, from the first; rounded up to a quantum
   @param out   [frames][2], interleaved; frames a multiple of HTZ_QUANTUM
*/
void htz_lab_voice_note(htz_lab_voice* voice, int key, double velocity, size_t held, size_t frames, float* out);

/** Keys that were reset since the voice was made, because their state ran away. */
uint64_t htz_lab_voice_resets(const htz_lab_voice* voice);

/** NULL is allowed. */
void htz_lab_voice_free(htz_lab_voice* voice);

/** What can be said of a note; NaN where there is no answer. */
typedef struct {
  double peak;        ///< magnitude of the larger channel
  double centroid_hz; ///< of the power of its first 80 ms, up to 20 kHz [Hz]
  double pitch_hz;    ///< of its first partial, where there is one within a semitone of what is expected [Hz]
  double t60_s;       ///< by how its level falls, down to 40 dB below its loudest [s]; NaN where it is held up, as by a bow
} htz_lab_note;

/**
   Measure a note.

   @param x [frames][2], interleaved, from its first frame until its key is let go
   @return HTZ_OK or HTZ_NO_MEMORY
*/
htz_status htz_lab_note_measure(const float* x, size_t frames, double rate_hz, double expected_hz, htz_lab_note* out);

#endif
