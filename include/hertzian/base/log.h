#ifndef HERTZIAN_BASE_LOG_H
#define HERTZIAN_BASE_LOG_H

#include "hertzian/base/status.h"

#include <stdarg.h>
#include <stdio.h>

typedef enum {
  HTZ_LOG_NOTHING = -1, ///< of htz_log.level: nothing reaches stderr
  HTZ_LOG_ERROR = 0,
  HTZ_LOG_WARNING,
  HTZ_LOG_NOTICE,
  HTZ_LOG_INFO,
  HTZ_LOG_DEBUG
} htz_log_level;

/**
   Where messages go: one line each, to stderr down to `level`, and all of them with a time stamp to `file` if there is one.

   Never used on the audio thread. Not shared between threads without the caller's own order.
*/
typedef struct {
  htz_log_level level; ///< least important level that still reaches stderr
  FILE* file;          ///< `--log-file`, or NULL
  const char* prefix;  ///< program name put before each line, or NULL
} htz_log;

#if defined(__GNUC__)
#define HTZ_PRINTF(fmt, args) __attribute__((format(printf, fmt, args)))
#else
#define HTZ_PRINTF(fmt, args)
#endif

/** The text that `format` and `args` make, to be freed with free(); NULL without memory. Set-up threads. */
char* htz_log_format(const char* format, va_list args) HTZ_PRINTF(1, 0);

/** Say one line. A newline is added; control characters inside are shown as `\xNN` so that a file name cannot break the line. */
void htz_log_say(htz_log* log, htz_log_level level, const char* format, ...) HTZ_PRINTF(3, 4);

#endif
