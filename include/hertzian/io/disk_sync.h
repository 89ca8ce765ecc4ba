#ifndef HERTZIAN_IO_DISK_SYNC_H
#define HERTZIAN_IO_DISK_SYNC_H

#include "hertzian/base/status.h"

#include <stdbool.h>
#include <stdint.h>

/**
   A thread of its own that waits for the disk, so that whoever writes files never does: a power cut then loses what came since the last
   job that was done. Jobs are done one after the other. Every function may be called from any thread but the audio thread.
*/
typedef struct htz_disk_sync htz_disk_sync;

/** As fdatasync(); for tests that need a slow or a bad disk. */
typedef int (*htz_disk_sync_call)(void* context, int fd);

/** @param call NULL: the system's own. @return HTZ_OK, HTZ_NO_MEMORY, HTZ_NO_THREAD */
htz_status htz_disk_sync_new(htz_disk_sync_call call, void* context, htz_disk_sync** out);

/** Bring what was written to `fd` to the disk; it stays open until that is done. @return the job, 0 when too many wait */
uint64_t htz_disk_sync_data(htz_disk_sync* sync, int fd);

/** The same, and then close `fd`, which is the thread's from now on. @return the job; without room for one it is done here, and 0 */
uint64_t htz_disk_sync_close(htz_disk_sync* sync, int fd, int* error);

/** Bring the name of `path`, which was just made or renamed, to the disk. What fails is passed over: not every file system can. */
void htz_disk_sync_name(htz_disk_sync* sync, const char* path);

/** @param error receives the errno that the job failed with, 0 none; unless NULL. @return whether it is done */
bool htz_disk_sync_done(htz_disk_sync* sync, uint64_t job, int* error);

/** Do what is left, end the thread, free. NULL is allowed. */
void htz_disk_sync_free(htz_disk_sync* sync);

/** Bring the name of `path` to the disk here and now. */
void htz_sync_folder_of(const char* path);

#endif
