#ifndef HERTZIAN_HOST_DRIVE_FILE_H
#define HERTZIAN_HOST_DRIVE_FILE_H

#include "hertzian/base/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/**
   A sound file as the signal that drives hammers: one channel (the mean of the file's), at the rate of the performance, from its
   first frame on and then silence. Read as it is needed. Any thread but the audio thread, one at a time.
*/
typedef struct htz_drive_file htz_drive_file;

enum { HTZ_DRIVE_WHY = 256 };

/** @param why one line without the path on failure @return as htz_sound_in_open(); HTZ_BAD_INPUT also for an odd rate */
htz_status htz_drive_file_open(const char* path, double rate_hz, htz_drive_file** out, char why[HTZ_DRIVE_WHY]);

/** Frames at the rate of the performance, as the file's header says. */
uint64_t htz_drive_file_frames(const htz_drive_file* drive);

/** The next `frames` frames; silence once the file has ended. @return false when all of them are from beyond its end */
bool htz_drive_file_read(htz_drive_file* drive, float* out, size_t frames);

/** What ended the file before its time, or NULL. */
const char* htz_drive_file_fault(const htz_drive_file* drive);

/**
   What of the frames read so far was not taken as it is, one line.

   @return false when there is nothing to say
*/
bool htz_drive_file_changed(const htz_drive_file* drive, char what[HTZ_DRIVE_WHY]);

/** NULL is allowed. */
void htz_drive_file_free(htz_drive_file* drive);

#endif
