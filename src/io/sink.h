#ifndef HERTZIAN_IO_SINK_H
#define HERTZIAN_IO_SINK_H

#include "hertzian/io/part_file.h"
#include "hertzian/io/sound_out.h"

#include <stdint.h>
#include <sys/types.h>

/*
   Where bytes go: a `.part` file to be renamed, an unlinked temporary file to be copied out, or straight to a pipe or device.
   Every short write is kept as an error, since libsndfile forgets them.
*/

enum { HTZ_SINK_BUFFER = 1 << 16 }; ///< bytes gathered before a system call

typedef enum { HTZ_SINK_FILE = 0, HTZ_SINK_COPIED, HTZ_SINK_DIRECT } htz_sink_kind;

typedef struct {
  htz_sink_kind kind;
  int fd;          ///< what is written to, -1 none
  int stream_fd;   ///< HTZ_SINK_COPIED: what it is copied to in the end, else -1
  bool no_clobber; ///< HTZ_SINK_FILE: do not replace the target
  bool committed;
  int error;              ///< errno of the first failure, 0 none
  const char* error_text; ///< static text that says it better, or NULL
  int64_t position;       ///< of the next byte, `fill` included [byte]
  int64_t length;         ///< [byte]
  size_t fill;            ///< bytes in `buffer`, which end at `position`
  htz_part_file part;     ///< HTZ_SINK_FILE
  unsigned char buffer[HTZ_SINK_BUFFER];
} htz_sink;

/** Open for `path`; `seekable` asks for a file in which a header can be rewritten. @return HTZ_OK, or HTZ_IO, HTZ_NO_FILES, HTZ_NO_MEMORY with error set */
htz_status htz_sink_open(htz_sink* sink, const char* path, bool seekable, bool no_clobber);

/** Append or overwrite at the position. @return false, now and ever after, once anything failed */
bool htz_sink_write(htz_sink* sink, const void* bytes, size_t count);

/** Move the position; not for HTZ_SINK_DIRECT. @return false on failure */
bool htz_sink_seek(htz_sink* sink, int64_t position);

/** Read back at the position. @return bytes read */
size_t htz_sink_read(htz_sink* sink, void* bytes, size_t count);

/** Write out what is gathered, put it on the disk, and rename or copy. @return HTZ_OK or HTZ_IO */
htz_status htz_sink_commit(htz_sink* sink);

/** Close; remove the `.part` unless committed. */
void htz_sink_close(htz_sink* sink);

/** One line on the first failure, never NULL. */
const char* htz_sink_error(const htz_sink* sink);

#endif
