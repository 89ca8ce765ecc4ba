#include "live_session.h"

#include <stdlib.h>

static bool arguments_ok(const htz_options* options) {
  if (options->command == HTZ_CMD_RECORD && options->n_args > 1) {
    htz_log_say(options->log, HTZ_LOG_ERROR, "%s: one file only; hertzian play --record FILE SONG.mid records a song",
                options->args[1]);
    return false;
  }
  return true;
}

int htz_cmd_play(const htz_options* options) {
  if (!arguments_ok(options)) {
    return HTZ_EXIT_USAGE;
  }
  htz_session* session = malloc(sizeof *session);
  if (!session) {
    htz_log_say(options->log, HTZ_LOG_ERROR, "%s", htz_status_text(HTZ_NO_MEMORY));
    return HTZ_EXIT_INTERNAL;
  }
  int code = htz_session_open(session, options);
  if (code == HTZ_EXIT_DONE) {
    htz_session_watch(session);
  }
  const bool gone = atomic_load_explicit(&session->signals.stop, memory_order_relaxed) != 0 && !session->live;
  code = htz_session_close(session, code);
  if (!session->dead) {
    free(session); // else the audio thread may still look at it
  }
  return gone ? HTZ_EXIT_DONE : code; // stopped while waiting for a device
}
