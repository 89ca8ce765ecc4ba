#ifndef HERTZIAN_IO_SOUND_IN_H
#define HERTZIAN_IO_SOUND_IN_H

#include "hertzian/base/status.h"

#include <stddef.h>
#include <stdint.h>

/*
   Reading audio files of every format libsndfile knows, as one channel: the mean of all channels. A piece at a time, so that memory
   is constant whatever the length. Nothing here is for the audio thread.
*/
typedef struct htz_sound_in htz_sound_in;

enum {
  HTZ_SOUND_IN_WHY = 256,
  HTZ_SOUND_IN_MOST = 1000, ///< 60 dB over full scale: no sound, but a file of something else
};

typedef struct {
  uint32_t rate_hz;  ///< [Hz]
  unsigned channels; ///< in the file
  uint64_t frames;   ///< as the header says; damage may end it earlier
} htz_sound_in_info;

/**
   Open the regular file at `path`.

   @param why one line without the path on failure
   @return HTZ_OK, HTZ_NOT_FOUND, HTZ_IO (cannot be read), HTZ_BAD_INPUT (no sound in it), HTZ_NO_MEMORY, HTZ_NO_FILES
*/
htz_status htz_sound_in_open(const char* path, htz_sound_in** out, htz_sound_in_info* info, char why[HTZ_SOUND_IN_WHY]);

/**
   Read on into mono [frames], full scale 1; values beyond are kept up to HTZ_SOUND_IN_MOST, what is not finite is 0.

   @return frames read: fewer only at the end, or where the file is damaged
*/
size_t htz_sound_in_read(htz_sound_in* in, float* mono, size_t frames);

/** What ended the reading before the end that the header promises, or NULL. Valid as long as `in`. */
const char* htz_sound_in_fault(const htz_sound_in* in);

/** Frames read so far that were changed. */
typedef struct {
  uint64_t broken; ///< not finite: 0 in their place
  uint64_t beyond; ///< larger than HTZ_SOUND_IN_MOST: held to that
} htz_sound_in_count;

htz_sound_in_count htz_sound_in_counted(const htz_sound_in* in);

/** NULL is allowed. */
void htz_sound_in_free(htz_sound_in* in);

#endif
