#ifndef HERTZIAN_CLI_WHOLE_FILE_H
#define HERTZIAN_CLI_WHOLE_FILE_H

#include "hertzian/base/log.h"
#include "hertzian/io/part_file.h"

#include <signal.h>
#include <stdbool.h>
#include <stdio.h>

/**
   An output file that is either whole or not there: written beside its name as `.part` and renamed. "-" and what is no regular file
   are written directly. Signals that would end the program wait while one is open, so keep that short.
*/
typedef struct {
  FILE* stream;
  const char* path;   ///< as the user wrote it
  htz_part_file part; ///< without a name: written directly
  const char* why;    ///< of a fault, says it better than its errno; or NULL
  sigset_t signals;   ///< as they were before
} htz_whole_file;

/** The name in messages. */
const char* htz_whole_shown(const char* path);

/** See early whether `path` could be written; nothing stays behind. @return 0 or an errno, with `why` as in htz_whole_file */
int htz_whole_try(const char* path, const char** why);

/** Say what failed: `why` or what the errno means. @return the exit code for it, HTZ_EXIT_DONE without a fault */
int htz_whole_say(htz_log* log, const char* path, int fault, const char* why);

/** True when both names mean one file, whether it is there yet or not. What is no regular file is never the same. */
bool htz_whole_same(const char* a, const char* b);

/** @return 0 or an errno, nothing is open then */
int htz_whole_open(htz_whole_file* file, const char* path);

/** Finish it, or with `good` false throw it away. @return 0 or an errno: then nothing is left of it */
int htz_whole_close(htz_whole_file* file, bool good);

#endif
