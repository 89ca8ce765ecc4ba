#include "options.h"

#include "hertzian/instrument/diag.h"

#include <stdlib.h>

int htz_options_tune(htz_options* options) {
  htz_diags* diags = options->tuned ? malloc(sizeof *diags) : NULL; // too large for a stack
  if (!options->tuned) {
    return HTZ_EXIT_DONE;
  }
  if (!diags) {
    htz_log_say(options->log, HTZ_LOG_ERROR, "%s", htz_status_text(HTZ_NO_MEMORY));
    return HTZ_EXIT_INTERNAL;
  }
  const htz_status status = htz_tuning_make(&options->tuning, options->pitch, diags);
  if (status) {
    htz_diags_say_status(diags, status, options->log);
  }
  free(diags);
  return htz_exit_for(status, HTZ_EXIT_INPUT);
}
