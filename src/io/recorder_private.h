#ifndef HERTZIAN_IO_RECORDER_PRIVATE_H
#define HERTZIAN_IO_RECORDER_PRIVATE_H

#include "hertzian/base/ring.h"
#include "hertzian/io/disk_sync.h"
#include "hertzian/io/recorder.h"
#include "hertzian/io/wav_head.h"

#include <pthread.h>
#include <sndfile.h>
#include <stdatomic.h>

/** What goes through the ring. */
typedef struct {
  uint64_t frame;
  uint32_t take;
  float samples[HTZ_RECORDER_FRAMES * HTZ_RECORDER_CHANNELS];
} htz_recorder_item;

/** The file of one take. */
typedef struct {
  const htz_recorder_disk* disk;
  unsigned rate_hz;
  int fd;
  int error;        // errno of the first failure, 0 none
  int64_t length;   // of the file [byte]
  uint64_t frames;  // written whole
  uint64_t claimed; // the header says so many
  uint64_t durable; // so many are on the disk, whatever happens
  uint64_t on_way;  // and will be when the job is done
  uint64_t job;     // that brings them there, 0 none
  unsigned looks;   // at it since it was asked for
  uint64_t clipped; // samples beyond full scale, where that is cut off
  SNDFILE* flac;    // NULL: a WAV file
  int64_t position; // flac's, of the next byte
} htz_take_file;

/** Create `path`, which must not exist, with the header of an empty take; FLAC by its ending. @return HTZ_OK or HTZ_IO with `error` set */
htz_status htz_take_file_open(htz_take_file* file, const char* path, unsigned rate_hz, const htz_recorder_disk* disk);

/** Append interleaved frames. @return false, now and ever after, once anything was not written */
bool htz_take_file_write(htz_take_file* file, const float* samples, size_t frames);

/**
   Make the header say what is there; when it is `due`, have it brought to the disk. While that lasts the header says what is there
   for certain, so that it is true after a power cut as it is after a crash.
*/
void htz_take_file_tend(htz_take_file* file, htz_disk_sync* sync, bool due);

/** Cut off what is not a whole frame, marks, header; `file->job` brings it to the disk and closes it. @return false when anything was not written */
bool htz_take_file_close(htz_take_file* file, const htz_wav_mark* marks, size_t n_marks, htz_disk_sync* sync);

enum {
  HTZ_TAKES_WAITING = 8, ///< begun and not on the disk yet
  HTZ_TAKES_KNOWN = 16,  ///< whose beginning and end are remembered
};

typedef struct {
  uint32_t number;
  bool preroll;
  char path[HTZ_RECORDER_PATH];
  htz_take_file file;
} htz_recorder_take;

struct htz_recorder {
  htz_recorder_desc desc; // [config]
  htz_arena arena;
  htz_ring ring;
  htz_disk_sync* sync;
  bool own_sync;
  bool keeps;                // what is played before a take is wanted, too
  atomic_uint_fast32_t take; // being recorded, 0 none; the control thread's
  uint32_t last_number;      // the control thread's
  pthread_t writer;
  void* state_of_writer;
  bool started;
  // Guarded by `lock`.
  pthread_mutex_t lock;
  htz_recorder_take* waiting[HTZ_TAKES_WAITING]; // opened, in order; [0] may be the one being written
  size_t n_waiting;
  size_t n_closing; // written, on their way to the disk
  uint32_t ended;   // takes up to this one are over once the ring is empty
  bool leaving;
  htz_recorder_state state;
  htz_recorder_span known[HTZ_TAKES_KNOWN]; // take n at n % HTZ_TAKES_KNOWN
  htz_wav_mark marks[HTZ_RECORDER_MARKS];   // at frames of the engine
  size_t n_marks;
};

/** What htz_recorder_write() works with, for htz_recorder_writer_free(). @return NULL without memory */
void* htz_recorder_writer_new(htz_recorder* recorder);
void htz_recorder_writer_free(void* writer);

/** The writer's thread. */
void* htz_recorder_write(void* writer);

#endif
