#include "song_dials.h"

#include "render_job.h"

#include <stdio.h>
#include <stdlib.h>

int htz_song_dials_tell(const char* path, const htz_dial_faults* faults, const htz_options* options, htz_song_say say,
                        void* user) {
  const char* name = htz_job_shown(path, false);
  const htz_log_level level = options->strict ? HTZ_LOG_ERROR : HTZ_LOG_WARNING;
  const char* prefix = options->strict ? "" : "warning: ";
  const char* suffix = options->strict ? " (--strict)" : "";
  char line[HTZ_USAGE_TEXT], more[40] = "";
  if (faults->lost > 1) {
    snprintf(more, sizeof more, ", and %zu more", faults->lost - 1);
  }
  if (faults->lost > 0) {
    snprintf(line, sizeof line, "%s: %swhat was dialled in cannot be done here: %s%s%s", name, prefix, faults->why, more,
             suffix);
    say(user, level, line);
  }
  if (faults->newer > 0 && !(options->strict && faults->lost > 0)) {
    snprintf(line, sizeof line, "%s: %swhat was dialled in is left out: written by a newer hertzian (version %u of it)%s", name,
             prefix, faults->version, suffix);
    say(user, level, line);
  }
  return options->strict && faults->lost + faults->newer > 0 ? HTZ_EXIT_INPUT : HTZ_EXIT_DONE;
}

int htz_song_dials_read(htz_song_dials* out, const char* path, const htz_smf* song, const htz_options* options,
                        const htz_orchestra* shared, htz_song_say say, void* user) {
  htz_dial_faults faults = {0};
  if (htz_smf_get_info(song)->dials == 0 || !options->dialled) {
    return HTZ_EXIT_DONE;
  }
  out->orchestra = malloc(sizeof *out->orchestra);
  if (out->orchestra) {
    htz_orchestra_borrow(shared, out->orchestra);
  }
  const htz_status status =
      out->orchestra ? htz_dials_read(&out->dials, song, out->orchestra, &out->span, &faults) : HTZ_NO_MEMORY;
  if (status) {
    char line[HTZ_USAGE_TEXT];
    snprintf(line, sizeof line, "%s (%s)", htz_status_text(status), htz_job_shown(path, false));
    say(user, HTZ_LOG_ERROR, line);
    return HTZ_EXIT_INTERNAL;
  }
  return htz_song_dials_tell(path, &faults, options, say, user);
}

void htz_song_dials_free(htz_song_dials* dials) {
  htz_dials_free(&dials->dials);
  if (dials->orchestra) {
    htz_orchestra_free(dials->orchestra);
    free(dials->orchestra);
  }
  *dials = (htz_song_dials){0};
}
