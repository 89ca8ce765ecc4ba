#ifndef HERTZIAN_CLI_LIVE_MIDI_LOG_H
#define HERTZIAN_CLI_LIVE_MIDI_LOG_H

#include "hertzian/host/live.h"

/**
   The MIDI that is played, on its way from the audio thread's ring to a file. A thread of its own writes it, since the control thread
   may be building parts for seconds on a busy machine: whatever ends the program, what was played a moment ago is in the file.
*/
typedef struct htz_midi_log htz_midi_log;

/** How it goes. */
typedef struct {
  int error;     ///< errno of the first failure, 0 none
  uint64_t lost; ///< messages for which the ring had no room
} htz_midi_log_state;

/** Create `path`, which must not exist, and write what comes. @return HTZ_OK, HTZ_IO (errno says why) or what the system has no more of */
htz_status htz_midi_log_open(const char* path, htz_live* live, htz_midi_log** out);

htz_midi_log_state htz_midi_log_get(htz_midi_log* log);

/** Nothing follows: held keys end here, the file is finished. Any thread; the first call counts. */
void htz_midi_log_stop(htz_midi_log* log);

/** Wait until the file is finished, or `limit_s` is over. Any thread. @return whether it is */
bool htz_midi_log_wait(htz_midi_log* log, double limit_s);

/** Stop, wait and free; with `keep` false remove the file. NULL is allowed. */
void htz_midi_log_free(htz_midi_log* log, bool keep);

#endif
