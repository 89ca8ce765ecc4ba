#include "options_private.h"

#include <string.h>

/* What the command line means as a whole: which of it changes the sound, so that what was played can be rendered as it was; what goes together. */

bool htz_flag_is_length(const htz_flag_use* f, const htz_options* options) {
  const bool live = options->command == HTZ_CMD_PLAY || options->command == HTZ_CMD_RECORD;
  return live && f->value[0] >= '0' && f->value[0] <= '9' && !strchr(f->value, ':');
}

void htz_flag_note_played(htz_flag_id id, const htz_flag_use* f, htz_options* options) {
  const unsigned both = 1u << HTZ_CMD_RECORD | 1u << HTZ_CMD_RENDER, neither = 1u << HTZ_CMD_DEVICES;
  const htz_flag* flag = &htz_flags[id];
  const bool other = id == HTZ_FLAG_RATE || id == HTZ_FLAG_BUFFER || (id == HTZ_FLAG_SPLIT && htz_flag_is_length(f, options));
  if ((flag->commands & (both | neither)) == both && !other && options->n_played < HTZ_PLAYED_MAX) {
    options->played[options->n_played++] = (htz_flag_given){flag->name, f->value};
  }
}

void htz_flag_forget_played(htz_flag_id id, htz_options* options) {
  size_t left = 0;
  for (size_t i = 0; i < options->n_played; i++) {
    if (strcmp(options->played[i].name, htz_flags[id].name) != 0) {
      options->played[left++] = options->played[i];
    }
  }
  options->n_played = left;
}

const char* htz_stems_refused(const htz_options* options) {
  if (options->goal != HTZ_GOAL_NONE) {
    return "--stems: goes with neither --normalize nor --loudness, which would change how loud they are beside each other; -g "
           "is "
           "for all";
  }
  if (options->output && strcmp(options->output, "-") == 0) {
    return "--stems: several files cannot go to standard output";
  }
  return options->n_args == 0 ? "--stems: of which song?" : NULL;
}
