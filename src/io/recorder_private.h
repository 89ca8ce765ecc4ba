#ifndef HERTZIAN_IO_RECORDER_PRIVATE_H
#define HERTZIAN_IO_RECORDER_PRIVATE_H

#include "hertzian/base/ring.h"
#include "hertzian/io/recorder.h"

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
  int fd;
  int error;        // errno of the first failure, 0 none
  int64_t position; // of the next byte
  int64_t length;   // of the file [byte]
  int64_t data_at;  // first byte of the samples
  uint64_t frames;  // written whole
  SNDFILE* sound;
} htz_take_file;

/** Create `path`, which must not exist, with the header of an empty take. @return HTZ_OK or HTZ_IO with `error` set */
htz_status htz_take_file_open(htz_take_file* file, const char* path, unsigned rate_hz, const htz_recorder_disk* disk);

/** Append interleaved frames. @return false, now and ever after, once anything was not written */
bool htz_take_file_write(htz_take_file* file, const float* samples, size_t frames);

/** Make the header say what is there. */
void htz_take_file_sync(htz_take_file* file);

/** Cut off what is not a whole frame, header, everything to the disk, close. @return false when anything was not written */
bool htz_take_file_close(htz_take_file* file);

enum { HTZ_TAKES_WAITING = 8 };

typedef struct {
  uint32_t number;
  char path[HTZ_RECORDER_PATH];
  htz_take_file file;
} htz_recorder_take;

struct htz_recorder {
  htz_recorder_desc desc; // [config]
  htz_arena arena;
  htz_ring ring;
  atomic_uint_fast32_t take; // being recorded, 0 none; the control thread's
  uint32_t last_number;      // the control thread's
  pthread_t writer;
  void* state_of_writer;
  bool started;
  // Guarded by `lock`.
  pthread_mutex_t lock;
  htz_recorder_take* waiting[HTZ_TAKES_WAITING]; // opened, in order; [0] may be the one being written
  size_t n_waiting;
  uint32_t ended; // takes up to this one are over once the ring is empty
  bool leaving;
  htz_recorder_state state;
  // The writer's.
  uint64_t next; // frame expected next of the current take
};

/** What htz_recorder_write() works with, to be freed with free(). @return NULL without memory */
void* htz_recorder_writer_new(htz_recorder* recorder);

/** The writer's thread. */
void* htz_recorder_write(void* writer);

#endif
