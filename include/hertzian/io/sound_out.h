#ifndef HERTZIAN_IO_SOUND_OUT_H
#define HERTZIAN_IO_SOUND_OUT_H

#include "hertzian/base/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/*
   Writing audio files. A regular file is written beside its target as `NAME.part` and takes its place only when complete, so
   that a failure leaves what was there. Memory is constant whatever the length. Nothing here is for the audio thread.
*/

typedef enum {
  HTZ_CONTAINER_WAV = 0, ///< RIFF, RF64 by itself past 4 GiB
  HTZ_CONTAINER_RF64,
  HTZ_CONTAINER_W64,
  HTZ_CONTAINER_FLAC,
  HTZ_CONTAINER_RAW, ///< little-endian samples without a header
  HTZ_CONTAINER_COUNT
} htz_container;

typedef enum { HTZ_ENCODING_S16 = 0, HTZ_ENCODING_S24, HTZ_ENCODING_S32, HTZ_ENCODING_F32, HTZ_ENCODING_COUNT } htz_encoding;

/** Names as after `-f` and `-e`; a container's is also its file ending. */
const char* htz_container_name(htz_container container);
const char* htz_encoding_name(htz_encoding encoding);

/** In words: "24-bit", "32-bit float". */
const char* htz_encoding_words(htz_encoding encoding);

/** True when `container` can hold `encoding` (FLAC takes s16 and s24, the others all). */
bool htz_sound_pair_ok(htz_container container, htz_encoding encoding);

/**
   Whether a file of this container, encoding, rate and number of channels can be written. Not a table of limits: a frame is
   written to nowhere, so that it is the library itself that says.

   @return HTZ_OK, HTZ_UNSUPPORTED, or HTZ_NO_MEMORY when that cannot be found out
*/
htz_status htz_sound_rate_ok(htz_container container, htz_encoding encoding, unsigned rate_hz, unsigned channels);

/** In words, the rates that `container` can hold. */
const char* htz_sound_rates(htz_container container);

enum { HTZ_SOUND_PATH_MAX = 4096, HTZ_SOUND_WHY = 200 };

typedef struct {
  const char* path; ///< a file, a device, a FIFO, or "-" for standard output
  htz_container container;
  htz_encoding encoding;
  unsigned rate_hz;  ///< [Hz]
  unsigned channels; ///< 1 or more
  bool no_clobber;   ///< refuse to replace a regular file
} htz_sound_desc;

/** What went through so far. */
typedef struct {
  uint64_t frames;
  double peak;      ///< largest magnitude before any limit, 1 is full scale
  uint64_t clipped; ///< samples beyond full scale, counted for integer encodings only
  uint64_t broken;  ///< samples that were not finite, written as zero
} htz_sound_stats;

typedef struct htz_sound_out htz_sound_out;

/**
   The file that writing to `path` makes or replaces: what is behind symbolic links, whether it exists or not.

   @return HTZ_OK; HTZ_BAD_VALUE when the name is too long or the links go in a circle, with errno set
*/
htz_status htz_sound_target(const char* path, char target[HTZ_SOUND_PATH_MAX]);

/**
   The name under which `path` is written first: the target (behind symbolic links) with `.part`, or an empty text when it is
   written directly because it is "-" or an existing file that is not a regular one.

   @return HTZ_OK, or HTZ_BAD_VALUE as htz_sound_target()
*/
htz_status htz_sound_part_name(const char* path, char part[HTZ_SOUND_PATH_MAX]);

/**
   Open an output. What is not seekable gets a header that is true all the same: the file is made in an unlinked temporary
   file and copied out by htz_sound_out_commit(); raw samples go straight through.

   @param out  NULL on failure
   @param why  receives one line without the path on failure
   @return HTZ_OK, HTZ_BAD_VALUE, HTZ_NO_MEMORY, HTZ_UNSUPPORTED (a pair of formats), HTZ_NO_FILES or HTZ_IO
*/
htz_status htz_sound_out_open(const htz_sound_desc* desc, htz_sound_out** out, char why[HTZ_SOUND_WHY]);

/**
   Write `frames` frames of interleaved samples, 1 is full scale.

   Integer samples are scaled by 2^(bits-1), rounded to nearest and limited to the range; 16-bit ones get triangular dither
   of one step from a generator that always starts alike, so that equal audio makes equal files. Float samples are written as
   they are.

   @return HTZ_OK or HTZ_IO; later calls, with no frames too, repeat the failure
*/
htz_status htz_sound_out_write(htz_sound_out* out, const float* samples, size_t frames);

/** What was written so far. */
htz_sound_stats htz_sound_out_stats(const htz_sound_out* out);

/**
   Finish: header, everything to the disk, rename over the target. Nothing may be written after it.

   @return HTZ_OK or HTZ_IO; see htz_sound_out_error()
*/
htz_status htz_sound_out_commit(htz_sound_out* out);

/** Free `out`; unless it was committed, remove the `.part` and leave the target alone. NULL is allowed. */
void htz_sound_out_free(htz_sound_out* out);

/** What kind of failure a write or the commit had: HTZ_IO, or what the system had no more of. */
htz_status htz_sound_out_status(const htz_sound_out* out);

/** Why a write or the commit failed: one line without the path, static or owned by `out`. */
const char* htz_sound_out_error(const htz_sound_out* out);

/** True when that was because nobody reads the pipe any more. */
bool htz_sound_out_hung_up(const htz_sound_out* out);

/**
   A file without a name, in $TMPDIR or /tmp, that goes away with the process.

   @param why  receives one line on failure
   @return HTZ_OK, HTZ_IO, HTZ_NO_FILES or HTZ_NO_MEMORY
*/
htz_status htz_temporary_file(FILE** out, char why[HTZ_SOUND_WHY]);

#endif
