#ifndef HERTZIAN_CLI_LIVE_HISTORY_PRIVATE_H
#define HERTZIAN_CLI_LIVE_HISTORY_PRIVATE_H

#include "history_folder.h"
#include "live_history.h"

#include "hertzian/midi/chase.h"
#include "hertzian/midi/smf_write.h"

#include <pthread.h>

enum {
  HTZ_HISTORY_TAKES = 16, // whose MIDI is being written
  HTZ_HISTORY_FILES = 2,  // of the whole performance
  HTZ_HISTORY_MARKS = 64, // not put yet
};

/** A message, and where the history stood before it. */
typedef struct {
  htz_midi_message message;
  uint64_t place;
} htz_history_recent;

/** A file that is written. */
typedef struct {
  htz_smf_writer* writer;
  uint64_t job; ///< that brings it to the disk, 0 none
  bool changed;
  bool wanted; ///< by the player: its failure counts
  char path[HTZ_RECORDER_PATH];
} htz_history_file;

/** The MIDI of a take. */
typedef struct {
  htz_recorder* recorder; ///< NULL: a free place
  uint32_t number, last;  ///< takes of the recorder: the one that it begins with, and ends with
  uint64_t first;         ///< frame
  uint64_t fed;           ///< message that is next
  bool begun;             ///< `file` was made, or could not be
  htz_history_file file;
} htz_history_take_midi;

/** Something to be said in the files. */
typedef struct {
  uint64_t frame;
  char text[64];
} htz_history_marker;

/** Lines of words. */
typedef struct {
  size_t n, room;
  char** of; // owned
} htz_history_words;

struct htz_history {
  htz_history_desc desc;
  pthread_t thread;
  bool started;
  char* played[HTZ_HISTORY_ARGUMENTS]; // owned
  size_t n_played;
  bool named; // the history has a file of its own, in `folder`
  char folder[HTZ_RECORDER_PATH];
  uint64_t begins; // first message's place in the history
  // The thread's.
  htz_history_file files[HTZ_HISTORY_FILES]; // the history, and what was asked for
  htz_history_recent* recent;                // messages not older than a take may begin, in a circle
  size_t room;                               // a power of two
  uint64_t from, to;                         // numbers of the oldest and the next one
  htz_chase chase;                           // settings before the oldest
  uint64_t chased;                           // frame of the last message before it
  htz_history_words dialled;                 // what was dialled in before the oldest, as far as it holds
  htz_history_words parted;                  // words for the parts that were silenced or freed since, the oldest first
  uint32_t parted_from;                      // number of the one before it
  bool down[2];                              // controllers that are pressed
  bool full;                                 // the history is
  bool any;                                  // anything was played
  // Guarded by `lock`.
  pthread_mutex_t lock;
  bool stopping, finished;
  uint64_t end; // frame at which it stops
  htz_history_state state;
  htz_history_take_midi takes[HTZ_HISTORY_TAKES];
  size_t newest;
  htz_history_words said; // words that orders came with, the oldest that is remembered first
  uint32_t said_from;     // number of the one before it
  htz_history_marker marks[HTZ_HISTORY_MARKS];
  size_t n_marks;
};

bool htz_history_is_dial(const htz_midi_message* m);

/** Let a message that names a part carry the number of its words instead: what plays it may be freed later. The thread's. */
void htz_history_name_part(htz_history* h, htz_midi_message* m);

/** Put a message into a file, with its words if it has any. The thread's, like those below. */
void htz_history_put(htz_history* history, htz_smf_writer* writer, const htz_midi_message* m);

/** The message is too old to be asked for again. */
void htz_history_forget_dial(htz_history* history, const htz_midi_message* m);

/** Put what was dialled in before the oldest message at the beginning of a file. */
void htz_history_put_dialled(htz_history* history, htz_smf_writer* writer);

void htz_history_free_words(htz_history* history);

/** The thread that writes. */
void* htz_history_run(void* history);

#endif
