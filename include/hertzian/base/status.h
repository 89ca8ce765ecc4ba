#ifndef HERTZIAN_BASE_STATUS_H
#define HERTZIAN_BASE_STATUS_H

#include <stdbool.h>

/**
   Result of a set-up function. Zero is success.

   Audio-thread functions never return one: they clamp, count and carry on.
*/
typedef enum {
  HTZ_OK = 0,
  HTZ_NO_MEMORY,   ///< an allocation failed
  HTZ_BAD_VALUE,   ///< an argument is outside its documented range
  HTZ_BAD_INPUT,   ///< a file's content is wrong
  HTZ_NOT_FOUND,   ///< no file or no entry of that name
  HTZ_IO,          ///< reading or writing failed
  HTZ_UNSUPPORTED, ///< valid, but not something this build can do
  HTZ_FULL,        ///< a named capacity is used up
  HTZ_NO_THREAD,   ///< the system gives no thread
  HTZ_NO_FILES,    ///< the system gives no file descriptor
} htz_status;

/** A short English phrase for `status`, never NULL. Any thread. */
const char* htz_status_text(htz_status status);

/** True when the system has nothing left to give (memory, threads, descriptors): no fault of a file or of a device. Any thread. */
bool htz_status_starved(htz_status status);

/** What an errno means: HTZ_NO_MEMORY or HTZ_NO_FILES when the system has nothing left, else `otherwise`. Any thread. */
htz_status htz_status_of_errno(int error, htz_status otherwise);

#endif
