#ifndef HERTZIAN_CLI_LIVE_TAKES_H
#define HERTZIAN_CLI_LIVE_TAKES_H

#include "live_history.h"
#include "options.h"

/** What a performance writes to files: takes of sound with their MIDI, and the history of all that was played. The control thread's. */
typedef struct {
  const htz_options* options;
  htz_live* live;
  const char* wanted; ///< the name given for a recording, or NULL
  const char* folder; ///< where takes without a folder of their own go; NULL: here
  htz_disk_sync* sync;
  htz_recorder* recorder;
  htz_history* history;
  char path[HTZ_RECORDER_PATH]; ///< of the present take, and of its MIDI
  char midi[HTZ_RECORDER_PATH];
  char whole[HTZ_RECORDER_PATH]; ///< with `--record-midi`
  bool recording;
  uint32_t number; ///< the recorder's, of the part of the take that is being written
  unsigned marked; ///< places named by hand
  uint64_t xruns_seen;
  unsigned toggles_seen, marks_seen;
  unsigned failed_seen;
  uint64_t dropped_seen, clipped_seen;
  uint64_t midi_lost_seen;
  bool midi_failed;
  bool full_said;
  bool failed; ///< anything was not written: exit code 5
} htz_takes;

enum { HTZ_TAKES_TEXT = HTZ_RECORDER_PATH + 512 };

/** A line to be said; empty when there is none. */
typedef struct {
  htz_log_level level;
  char text[HTZ_TAKES_TEXT];
} htz_takes_line;

/** Whether what the command line asks for can be, before anything is opened. @return an exit code, with `line` filled unless it is 0 */
int htz_takes_check(const htz_options* options, htz_takes_line* line);

/** Begin what the command line asks for. @return an exit code, with `line` filled unless it is 0; a warning may come with 0 */
int htz_takes_open(htz_takes* takes, const htz_options* options, htz_live* live, htz_takes_line* line);

/** Begin a take with a dated name, ending the present one; `line` says which. */
void htz_takes_renew(htz_takes* takes, htz_takes_line* line);

/** Begin or end a take. */
void htz_takes_toggle(htz_takes* takes, htz_takes_line* line);

/** Name the place that is being played, in the take and in the history. */
void htz_takes_mark(htz_takes* takes, htz_takes_line* line);

/** Look whether everything goes well, and do what controllers ask for. Every fraction of a second. */
void htz_takes_tend(htz_takes* takes, htz_takes_line* line);

/** What was not finished in time. */
typedef struct {
  bool sound, midi;
} htz_takes_unfinished;

/** Have what is open finished within `limit_s`. Any thread, several at a time, between htz_takes_open() and htz_takes_free(). */
htz_takes_unfinished htz_takes_stop(const htz_takes* takes, double limit_s);

/** Whether anything was not written so far. Any thread, as above. */
bool htz_takes_failed(const htz_takes* takes);

/** Remove the files again that htz_takes_open() made, when playing could not begin. */
void htz_takes_discard(htz_takes* takes, double limit_s);

/** Finish everything within `limit_s`, when nothing is played any more. */
void htz_takes_finish(htz_takes* takes, double limit_s, htz_takes_line* line);

/** Free, when the audio thread has left. */
void htz_takes_free(htz_takes* takes);

#endif
