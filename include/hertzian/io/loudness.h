#ifndef HERTZIAN_IO_LOUDNESS_H
#define HERTZIAN_IO_LOUDNESS_H

#include "hertzian/base/status.h"

#include <stddef.h>

/**
   How loud sound is: programme loudness as ITU-R BS.1770-4 and EBU R 128 have it, the largest momentary loudness, and the true
   peak, all by libebur128. One thread at a time, not the audio thread.
*/
typedef struct htz_loudness htz_loudness;

typedef enum {
  HTZ_LOUDNESS_PROGRAMME = 0, ///< the whole, and its true peak
  HTZ_LOUDNESS_NOTES,         ///< the loudest 400 ms besides, which asks every 10 ms
} htz_loudness_use;

/** @return HTZ_OK or HTZ_NO_MEMORY; free with htz_loudness_free() */
htz_status htz_loudness_new(double rate_hz, unsigned channels, htz_loudness_use use, htz_loudness** out);

/** Hear interleaved samples [frames * channels]. @return HTZ_OK or HTZ_NO_MEMORY, after which the figures are of what was heard before */
htz_status htz_loudness_add(htz_loudness* loudness, const float* samples, size_t frames);

/** Gated loudness of all that was heard [LUFS]; minus infinity when no 400 ms of it reach -70 LUFS. */
double htz_loudness_whole(const htz_loudness* loudness);

/** The loudest 400 ms, those included that begin before the first sample [LUFS]; with HTZ_LOUDNESS_NOTES. */
double htz_loudness_loudest(const htz_loudness* loudness);

/** Largest magnitude between samples, of any channel. */
double htz_loudness_true_peak(const htz_loudness* loudness);

/** NULL is allowed. */
void htz_loudness_free(htz_loudness* loudness);

#endif
