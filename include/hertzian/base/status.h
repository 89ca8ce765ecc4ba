#ifndef HERTZIAN_BASE_STATUS_H
#define HERTZIAN_BASE_STATUS_H

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
} htz_status;

/** A short English phrase for `status`, never NULL. Any thread. */
const char* htz_status_text(htz_status status);

#endif
