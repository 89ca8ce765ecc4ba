#ifndef HERTZIAN_CLI_RENDER_JOB_H
#define HERTZIAN_CLI_RENDER_JOB_H

#include "options.h"
#include "song_notes.h"

#include "hertzian/host/orchestra.h"
#include "hertzian/host/player.h"

#include <stdatomic.h>

struct htz_control;

/** A message of a job, said by the control thread when it is this job's turn. */
typedef struct {
  htz_log_level level;
  char* text;
} htz_job_line;

/** What came of a job, for the summary; written by its thread, read when it is done. */
typedef struct {
  bool finished; ///< the file is there
  int code;      ///< exit code, HTZ_EXIT_DONE also when interrupted
  char* reason;  ///< first error, or NULL
  unsigned format, tracks;
  double song_s;  ///< to the last event, at the tempo asked for [s]
  uint64_t notes; ///< in the song
  uint64_t missing_offs;
  htz_notes played; ///< where its notes go
  uint32_t damage;
  double length_s; ///< of the file [s]
  double tail_s;   ///< of it after the last event [s]
  uint64_t frames;
  double peak;      ///< magnitude
  double true_peak; ///< magnitude between samples
  double lufs;      ///< loudness of the whole [LUFS]
  uint64_t clipped;
  uint16_t stems; ///< channels (bits) that have a file of their own, instead of one together
  double speed;   ///< times real time
  htz_engine_counters engine;
  uint64_t kept; ///< parts that were to be freed and still sounded
} htz_job_result;

typedef enum { HTZ_JOB_QUEUED = 0, HTZ_JOB_LOADING, HTZ_JOB_RUNNING, HTZ_JOB_DONE } htz_job_state;

/** One song to render. */
typedef struct {
  // [config]
  const char* song; ///< as given; "-" is standard input; with `alone` the sound that drives
  bool alone;       ///< no song: one key is held while a sound drives it
  char* output;     ///< where to
  char* part;       ///< name while being written, empty when written directly
  atomic_bool open; ///< it is there, and ours to remove
  htz_container container;
  htz_encoding encoding;
  const htz_options* options;
  const htz_orchestra* orchestra;
  struct htz_control* control;
  // [state] guarded by the control's lock
  htz_job_state state;
  htz_job_line* lines;
  size_t n_lines, lines_room, lines_said;
  // [state] of any thread
  atomic_uint_fast64_t frames_done, frames_expected; ///< for the progress bar
  htz_job_result result;
} htz_job;

/** Render the song; a thread of its own, which is the engine's. */
void htz_job_run(htz_job* job);

/** Name of a song or an output in messages. */
const char* htz_job_shown(const char* path, bool output);

/** Say a line later on, in the job's turn. Any thread. */
void htz_job_say(htz_job* job, htz_log_level level, const char* format, ...) HTZ_PRINTF(3, 4);

/** Free what the job owns. */
void htz_job_free(htz_job* job);

#endif
