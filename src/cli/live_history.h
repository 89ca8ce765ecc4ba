#ifndef HERTZIAN_CLI_LIVE_HISTORY_H
#define HERTZIAN_CLI_LIVE_HISTORY_H

#include "hertzian/host/live.h"

/**
   The MIDI that is played, on its way from the audio thread's ring to files. A thread of its own writes them, since the control thread
   may be building parts for seconds on a busy machine: whatever ends the program, what was played a moment ago is in the file.

   One file holds all of the performance: it is the history, and what was played before a take is read from it. Beside it there may be a
   file of the same that was asked for, and one of each take, which begins with the take.
*/
typedef struct htz_history htz_history;

typedef struct {
  htz_live* live;
  htz_disk_sync* sync; ///< borrowed
  const char* keep_in; ///< folder of histories, made if need be; NULL or where nothing can be written: a file without a name
  unsigned keep_mib;   ///< how much is kept there [MiB]
  const char* whole;   ///< a file of all that is played, or NULL
  const char* const* played; ///< arguments with which a render is the same sound; noted in all files
  size_t n_played;
  double preroll_s; ///< how long before it is asked for a take may begin [s]
  int toggle, mark; ///< controllers that begin or end a take, and mark a place; -1 none
} htz_history_desc;

/** How it goes. */
typedef struct {
  int error;                    ///< errno of the first failure of a file that was asked for, 0 none
  char path[HTZ_RECORDER_PATH]; ///< and which
  uint64_t lost;                ///< messages for which the ring had no room
  bool full;                    ///< the history has become as long as a song can be read; what follows is not in it
  unsigned toggles, marks;      ///< times that the controllers for it were pressed
} htz_history_state;

/**
   Begin. The files must not exist.

   @param why one line on failure, with the file's name
   @return HTZ_OK, HTZ_IO (`whole` cannot be written), or what the system has no more of
*/
htz_status htz_history_open(const htz_history_desc* desc, htz_history** out, char why[HTZ_RECORDER_PATH + HTZ_RECORDER_WHY]);

/** Where the history is kept; NULL nowhere. */
const char* htz_history_path(const htz_history* history);

htz_history_state htz_history_get(htz_history* history);

/**
   The MIDI of take `number` of the recorder goes into `path`, from its first frame on: until take `number` is over, or a later one as
   htz_history_go_on() says.

   @return HTZ_OK or HTZ_FULL (earlier takes are not finished). Control thread.
*/
htz_status htz_history_take(htz_history* history, htz_recorder* recorder, uint32_t number, const char* path);

/** The take that began last goes on in the recorder's take `number`. Control thread. */
void htz_history_go_on(htz_history* history, uint32_t number);

/**
   Words for what is dialled in, as hertzian/host/dials.h has them. They are put into all files when the audio thread has done it.

   @return their number, for the order; 0 without memory. Orders are given in the order of their numbers. Control thread
*/
uint32_t htz_history_say(htz_history* history, const char* text);

/** Put a marker into all files. Control thread. */
void htz_history_mark(htz_history* history, uint64_t frame, const char* text);

/** Nothing follows: held keys end here, the files are finished. Any thread; the first call counts. */
void htz_history_stop(htz_history* history);

/** Wait until the files are finished, or `limit_s` is over. Any thread. @return whether they are */
bool htz_history_wait(htz_history* history, double limit_s);

/** Stop, wait and free; with `keep` false remove the files. A history of nothing is removed in any case. NULL is allowed. */
void htz_history_free(htz_history* history, bool keep);

#endif
