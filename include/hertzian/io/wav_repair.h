#ifndef HERTZIAN_IO_WAV_REPAIR_H
#define HERTZIAN_IO_WAV_REPAIR_H

#include "hertzian/base/status.h"

#include <stdbool.h>
#include <stdint.h>

/** What is found in a WAV file, and what there is of it. */
typedef struct {
  unsigned rate_hz, channels, block; ///< [Hz], [], bytes of a frame
  uint64_t said;                     ///< frames, by its header
  uint64_t found;                    ///< frames that are there
  bool changed;                      ///< the header was not true, and is now
} htz_wav_repair_result;

enum { HTZ_WAV_REPAIR_WHY = 200 };

/**
   Make the header of a RIFF, RF64 or BW64 file of samples true, whatever program wrote it: where it says that there are no samples, more
   than there are, or fewer and what follows is nothing but samples. Nothing else in the file is changed but for a last frame that is not
   whole, which is cut off.

   @param why one line without the path on failure
   @return HTZ_OK; HTZ_BAD_INPUT (no such file format, or no samples in it); HTZ_UNSUPPORTED (longer than 4 GiB, and no place in the
   header to say so); HTZ_NOT_FOUND, HTZ_IO. Set-up threads.
*/
htz_status htz_wav_repair(const char* path, htz_wav_repair_result* result, char why[HTZ_WAV_REPAIR_WHY]);

#endif
