#ifndef HERTZIAN_CLI_LIVE_SESSION_H
#define HERTZIAN_CLI_LIVE_SESSION_H

#include "live_control.h"
#include "live_notify.h"
#include "live_signals.h"
#include "live_songs.h"
#include "live_takes.h"
#include "live_typed.h"

#include "hertzian/host/live_feed.h"
#include "hertzian/host/live_pool.h"
#include "hertzian/io/audio.h"

#include <time.h>

enum { HTZ_NEWS_MAX = 64 }; ///< comings and goings of MIDI sources not yet said

typedef struct {
  char name[128];
  bool connected;
  double time_s;
} htz_live_news;

/** A live performance: everything that is open, and what has been said of it. The control thread's unless said. */
struct htz_session {
  const htz_options* options;
  htz_orchestra orchestra;
  htz_performance performance;
  htz_signals signals;
  uint32_t frames;            ///< block size
  _Atomic(htz_live*) playing; ///< what the audio thread plays, NULL: silence
  htz_live* live;
  htz_live_pool pool;
  htz_takes takes;
  htz_live_feed feed; ///< with `--input file:`
  htz_songs songs;    ///< none when none are named
  htz_audio* audio;   ///< NULL while the device is gone
  htz_audio_format format;
  htz_typed typed;
  htz_midi_in* midi;
  char midi_remark[256];
  // News, from MIDI threads, guarded by `lock`.
  pthread_mutex_t lock;
  htz_live_news news[HTZ_NEWS_MAX];
  size_t n_news;
  // What has been said.
  bool status_wanted, status_shown;
  int status_wide;                 ///< characters of the status line shown
  struct timespec read_at;         ///< when instruments' files were read
  char* chosen[HTZ_MIDI_CHANNELS]; ///< owned: what channels were told to play since the start; NULL: as the command line says
  double opened_s, playing_s;      ///< when the program began, and when its first block was asked for
  double started_s, status_at_s, xruns_at_s, audio_at_s;
  float peak; ///< load's, of the last second
  double peak_at_s;
  double short_at_s; ///< when the machine was last said to be short of time; 0: never
  uint64_t xruns_said, resets_said, relieved_said, lost_said, missing_said;
  uint64_t released_said[HTZ_MIDI_SOURCES_MAX], silent_said[HTZ_MIDI_SOURCES_MAX];
  bool limiter_said, stand_in_said, feed_said;
  unsigned hangups_done, toggles_done;
  atomic_bool ended; ///< the closing lines are said, by whichever thread came to it first
  bool dead;         ///< the audio thread hangs: its memory is given up
  bool device_lost;  ///< and did not come back
  bool lost_why_said;
  htz_live_control control;
  htz_notify notify;
};

/** Say a line, above the status line. What goes as it should is said without the program's name. */
void htz_session_say(htz_session* session, htz_log_level level, const char* format, ...) HTZ_PRINTF(3, 4);

/** Open everything and begin to play. @return an exit code; unless it is 0 everything is to be closed all the same */
int htz_session_open(htz_session* session, const htz_options* options);

/** Open the audio device of that name, NULL the default, with the input of that name, NULL none. @return an exit code, with `why` filled unless it is 0 */
int htz_session_open_audio(htz_session* session, const char* device, const char* input, double rate_hz, char* why,
                           size_t why_size);

/** Close the device and open it again. @return whether it is open; else `why` is filled and it is looked for */
bool htz_session_reset_audio(htz_session* session, char* why, size_t why_size);

/** Play until a signal, the given time or the end of the input. */
void htz_session_watch(htz_session* session);

/** Fade, finish files, say the summary, close. @return an exit code */
int htz_session_close(htz_session* session, int code);

/** Say what is playing, and on what. */
void htz_report_start(htz_session* session);

/** The status line, when it is time. */
void htz_report_status(htz_session* session, double now_s);

void htz_report_clear_status(htz_session* session);

/** Say what went wrong since the last call, not too often. */
void htz_report_faults(htz_session* session, double now_s);

/** Say which MIDI sources came and went. */
void htz_report_news(htz_session* session, double now_s);

/** The closing line. */
void htz_report_summary(htz_session* session);

/** The same as JSON on standard output. */
void htz_report_stats(htz_session* session, int code);

#endif
