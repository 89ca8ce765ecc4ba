#ifndef HERTZIAN_INSTRUMENT_DIAG_H
#define HERTZIAN_INSTRUMENT_DIAG_H

#include "hertzian/base/log.h"

#include <stddef.h>
#include <stdio.h>

/**
   Faults found in a file, all at once: where, what is wrong, what is allowed.
*/
enum {
  HTZ_DIAGS_MAX = 50, ///< faults kept; further ones are only counted
  HTZ_WARNINGS_MAX = 20,
  HTZ_DIAG_TEXT = 480,  ///< bytes of one message: room for the list of a body's property names
  HTZ_DIAG_FILE = 1024, ///< bytes of the file's name
};

typedef struct {
  unsigned line;   ///< from 1; 0: the file as a whole
  unsigned column; ///< from 1, in characters
  char text[HTZ_DIAG_TEXT];
} htz_diag;

typedef struct {
  char file[HTZ_DIAG_FILE]; ///< as given by the user
  size_t n;                 ///< in `item`, sorted by place
  size_t more;              ///< found but not kept
  htz_diag item[HTZ_DIAGS_MAX];
  size_t n_warnings; ///< in `warning`, in the order they were found; more are forgotten. They make a file no worse
  htz_diag warning[HTZ_WARNINGS_MAX];
} htz_diags;

/** Forget everything and remember `file` for the messages. */
void htz_diags_init(htz_diags* diags, const char* file);

/** Add a fault. Control characters of the text are shown as `\xNN`. */
void htz_diags_add(htz_diags* diags, unsigned line, unsigned column, const char* format, ...) HTZ_PRINTF(4, 5);

/** Add a warning, likewise. */
void htz_diags_warn(htz_diags* diags, unsigned line, unsigned column, const char* format, ...) HTZ_PRINTF(4, 5);

/** Say the warnings, `FILE:LINE:COLUMN: warning: text`. */
void htz_diags_say_warnings(const htz_diags* diags, htz_log* log);

/** Sort by line and column, equal places in the order they were found. */
void htz_diags_sort(htz_diags* diags);

/** Write `FILE:LINE:COLUMN: text` lines to `out`, and a last one when faults were left out. */
void htz_diags_print(const htz_diags* diags, FILE* out);

/** The same through a log, as errors. */
void htz_diags_say(const htz_diags* diags, htz_log* log, htz_log_level level);

/** The same for what a file could not be loaded for: a lack of memory or descriptors is said as such and not as the file's fault. */
void htz_diags_say_status(const htz_diags* diags, htz_status status, htz_log* log);

/**
   The member of names[0..count) that `word` most likely was meant to be, or NULL when none is near.

   Near: at most one edit in three letters (insert, drop, replace, swap of neighbours), case ignored.
*/
const char* htz_suggest(const char* word, const char* const* names, size_t count);

#endif
