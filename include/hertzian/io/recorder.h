#ifndef HERTZIAN_IO_RECORDER_H
#define HERTZIAN_IO_RECORDER_H

#include "hertzian/base/rt.h"
#include "hertzian/base/status.h"
#include "hertzian/io/disk_sync.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/**
   Recording what is played: a lock-free ring from the audio thread, a writer thread, and float WAV files (RF64 past 4 GiB) whose
   header is made true ten times a second, so that what a crash leaves can be read; or FLAC, by the name's ending. Twice a second a thread
   of its own has it all brought to the disk, so that a power cut costs no more than a second or two. A slow disk costs nothing while the
   ring lasts; a full one ends the take and nothing else.
*/
typedef struct htz_recorder htz_recorder;

enum {
  HTZ_RECORDER_FRAMES = 64,
  HTZ_RECORDER_CHANNELS = 2,
  HTZ_RECORDER_PATH = 4096,
  HTZ_RECORDER_WHY = 200,
  HTZ_RECORDER_MARKS = 1000, ///< of a take, at most
};

/** How bytes reach the disk; for tests that need a bad one. */
typedef struct {
  ssize_t (*write)(void* context, int fd, const void* bytes, size_t count, off_t at); ///< as pwrite()
  htz_disk_sync_call sync;                                                            ///< as fdatasync(); NULL: the real one
  void* context;
} htz_recorder_disk;

typedef struct {
  unsigned rate_hz;              ///< [Hz]
  double ring_s;                 ///< what the ring holds [s]
  double preroll_s;              ///< what was played before a take and can be a part of it [s], up to HTZ_RECORDER_PREROLL
  htz_disk_sync* sync;           ///< borrowed; NULL: one of its own
  const htz_recorder_disk* disk; ///< NULL: the real one
} htz_recorder_desc;

/** What there is at most of htz_recorder_desc.preroll_s [s]. */
enum { HTZ_RECORDER_PREROLL = 300 };

/** Where a take is in what was played. */
typedef struct {
  uint32_t number;
  bool begun;     ///< it has a first frame
  bool over;      ///< and an end
  uint64_t first; ///< [frame]
  uint64_t end;   ///< the frame after the last
} htz_recorder_span;

/** What the writer has done. */
typedef struct {
  bool recording;               ///< a take is open
  char path[HTZ_RECORDER_PATH]; ///< of the take that is open, else of the last one
  uint64_t frames;              ///< in it
  uint64_t first_frame;         ///< audio frame at which it began
  double peak;                  ///< largest magnitude in it
  uint64_t dropped;             ///< frames that the ring had no room for, all takes; silence stands in their place
  unsigned takes;               ///< takes finished
  unsigned failed;              ///< takes that could not be written to their end
  uint64_t clipped;             ///< samples beyond full scale in takes that cannot hold them (FLAC)
  char why[HTZ_RECORDER_WHY];   ///< of the last failure, one line without the path
} htz_recorder_state;

/** Make the ring and start the writer. @return HTZ_OK, HTZ_BAD_VALUE, HTZ_NO_MEMORY, HTZ_NO_THREAD. Control thread, like all but push. */
htz_status htz_recorder_new(const htz_recorder_desc* desc, htz_recorder** out);

/**
   Begin a take with the next push, in a file of this name, which must not exist. A take that is being recorded ends there, to the
   frame.

   @param preroll begin it earlier, with all of `preroll_s` that there is
   @param number receives the take's, from 1, unless NULL
   @param why one line without the path on failure
   @return HTZ_OK, HTZ_IO, HTZ_FULL (too many takes wait for a slow disk), HTZ_NO_MEMORY, HTZ_NO_FILES
*/
htz_status htz_recorder_start(htz_recorder* recorder, const char* path, bool preroll, uint32_t* number,
                              char why[HTZ_RECORDER_WHY]);

/** End the take with the last push; the writer then finishes the file. */
void htz_recorder_stop(htz_recorder* recorder);

/** Wait until every take is finished, or `limit_s` is over. @return whether they are */
bool htz_recorder_wait(htz_recorder* recorder, double limit_s);

/** Where take `number` is. Any thread. @return false when it is not known, or not any more */
bool htz_recorder_where(htz_recorder* recorder, uint32_t number, htz_recorder_span* span);

/** Name a place, at a frame as htz_recorder_push() has it: a cue point of the take that has it. What is too much is left out. */
void htz_recorder_mark(htz_recorder* recorder, uint64_t frame, const char* label);

/** Hand over HTZ_RECORDER_FRAMES interleaved frames that begin at `frame`; nothing happens when no take is on. Audio thread. */
HTZ_RT void htz_recorder_push(htz_recorder* recorder, uint64_t frame, const float* samples);

htz_recorder_state htz_recorder_get(htz_recorder* recorder);

/** Finish what is open and free. NULL is allowed. */
void htz_recorder_free(htz_recorder* recorder);

#endif
