#ifndef HERTZIAN_CLI_CONFIG_H
#define HERTZIAN_CLI_CONFIG_H

#include "options_private.h"

#include <stdbool.h>

/**
   Flags from elsewhere than the command line: files of `KEY = VALUE` lines, whose keys are the long flags, and variables of the
   environment, HERTZIAN_ and the long flag in capitals with _ for -.

   Weakest first: the system's file, the user's, the environment; the command line is above them all. What a stronger one says of a flag
   takes the place of all that weaker ones say of it, but for `set`, which adds up.
*/
typedef enum { HTZ_LAYER_SYSTEM = 0, HTZ_LAYER_USER, HTZ_LAYER_ENVIRONMENT, HTZ_LAYER_COUNT } htz_layer;

typedef struct {
  htz_flag_id flag;
  htz_layer layer;
  bool off;    ///< said of a flag without argument, or with one that can be left out: not wanted
  char* shown; ///< for messages, up to where the value begins
  char* value; ///< NULL: none
} htz_config_entry;

typedef struct htz_config {
  htz_config_entry* entry; ///< [n] in the order they were read
  size_t n;
  bool from_below[HTZ_FLAG_COUNT]; ///< the options hold what an entry said, and the command line has not spoken yet
} htz_config;

/**
   Read what there is. Every fault is said, files' with `FILE:LINE:COLUMN:`.

   @param file  the file to read in place of the system's and the user's, or NULL
   @return an exit code; htz_config_free() is owed all the same
*/
int htz_config_read(const char* file, htz_config* config, htz_log* log);

/** Carry out what `command` has a flag for. @return false with result->error filled */
bool htz_config_apply(htz_config* config, htz_options* options, htz_setting* settings, htz_parse_result* result);

void htz_config_free(htz_config* config);

#endif
