#ifndef HERTZIAN_CLI_HISTORY_TRIM_H
#define HERTZIAN_CLI_HISTORY_TRIM_H

#include "hertzian/io/recorder.h"

#include <stdbool.h>
#include <stdint.h>

struct dirent;

/* Keeping the folder of histories small. Set-up threads. */

/** Performances in a folder, the oldest first; entries and array are to be freed. @return how many, -1 with errno */
int htz_history_scan(const char* folder, struct dirent*** out);

/** Whether a hertzian that plays writes to it. */
bool htz_history_held(const char* path);

/** What was removed to keep a folder small. */
typedef struct {
  unsigned n;      ///< performances, in all
  unsigned mib;    ///< what was kept, the last time [MiB]
  char newest[80]; ///< name of the newest of them
} htz_history_gone;

/**
   Remove the oldest performances, whole, until the rest takes no more than `mib`; never what was played in the last 24 hours, nor what is
   being written. How many it were is noted in the folder.
*/
void htz_history_trim(const char* folder, unsigned mib);

/** What is noted. @return false when nothing is */
bool htz_history_trimmed(const char* folder, htz_history_gone* out);

/** Forget what is noted. */
void htz_history_trim_forget(const char* folder);

#endif
