#ifndef HERTZIAN_HOST_LIVE_FEED_H
#define HERTZIAN_HOST_LIVE_FEED_H

#include "hertzian/host/drive_file.h"
#include "hertzian/host/live.h"

#include <pthread.h>

/** A sound file that drives hammers of a live performance: a thread of its own reads it, seconds ahead of what is played. */
typedef struct {
  htz_drive_file* file;
  htz_live* live;
  uint64_t frame; ///< of the next item
  pthread_t thread;
  bool started;
  atomic_bool stop;
} htz_live_feed;

/** Open the file, read the first seconds, start the thread. @param why one line without the path on failure. Control thread. */
htz_status htz_live_feed_open(htz_live_feed* feed, const char* path, htz_live* live, char why[HTZ_DRIVE_WHY]);

/** True when the file has been read to its end and played; also when there is none. */
bool htz_live_feed_over(const htz_live_feed* feed);

/** What ended the file before its time, once it has; or NULL. */
const char* htz_live_feed_fault(const htz_live_feed* feed);

/** What of the file was not taken as it is, once it has been read to its end. @return false when there is nothing to say */
bool htz_live_feed_changed(const htz_live_feed* feed, char what[HTZ_DRIVE_WHY]);

/** Stop the thread and close; also what was never opened, if zero. */
void htz_live_feed_close(htz_live_feed* feed);

#endif
