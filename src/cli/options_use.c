#include "options.h"

#include "hertzian/instrument/diag.h"

#include <stdlib.h>
#include <string.h>

/* What the options mean to those who play. */

const char* htz_input_file(const char* input) {
  static const char prefix[] = "file:";
  const size_t n = sizeof prefix - 1;
  return input && strncmp(input, prefix, n) == 0 ? input + n : NULL;
}

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

htz_performance htz_options_performance(const htz_options* options, uint16_t unless_told) {
  enum { OMNI = 0xFFFF };
  const uint16_t channels = options->channel == HTZ_CHANNEL_DEFAULT ? unless_told
                            : options->channel == HTZ_CHANNEL_OMNI  ? (uint16_t)OMNI
                                                                    : (uint16_t)(1u << (options->channel - 1));
  return (htz_performance){.settings = options->settings,
                           .n_settings = options->n_settings,
                           .mpe = options->mpe,
                           .mpe_bend = options->mpe_bend,
                           .binds = options->binds,
                           .n_binds = options->n_binds,
                           .velocity = options->velocity,
                           .transpose = options->transpose,
                           .channels = channels,
                           .pitch = options->tuned ? options->pitch : NULL};
}
