#ifndef HERTZIAN_IO_SAMPLE_FORMAT_H
#define HERTZIAN_IO_SAMPLE_FORMAT_H

#include "hertzian/io/sound_out.h"

#include <stdint.h>

/** Turns float samples into what a file holds, and measures them. */
typedef struct {
  htz_encoding encoding;
  uint64_t dither;       ///< state of the generator
  htz_sound_stats stats; ///< its `frames` are the caller's to count
} htz_sample_format;

/** Start with the generator at its fixed beginning. */
void htz_sample_format_init(htz_sample_format* format, htz_encoding encoding);

/** Integer encodings: each sample in the upper bits of an int32, which is exactly what libsndfile narrows again. */
void htz_sample_format_to_int(htz_sample_format* format, const float* in, int32_t* out, size_t count);

/** Float encoding: the samples themselves, with what is not finite replaced by zero. */
void htz_sample_format_to_float(htz_sample_format* format, const float* in, float* out, size_t count);

#endif
