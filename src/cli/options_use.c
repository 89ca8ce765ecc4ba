#include "options.h"

#include <string.h>

/* What the options mean to those who play. */

const char* htz_input_file(const char* input) {
  static const char prefix[] = "file:";
  const size_t n = sizeof prefix - 1;
  return input && strncmp(input, prefix, n) == 0 ? input + n : NULL;
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
