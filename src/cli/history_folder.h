#ifndef HERTZIAN_CLI_HISTORY_FOLDER_H
#define HERTZIAN_CLI_HISTORY_FOLDER_H

#include "hertzian/instrument/folders.h"
#include "hertzian/io/recorder.h"
#include "hertzian/midi/smf_write.h"

/* Where the MIDI of what was played is kept, and what is said in it of how it was played. Set-up threads. */

/** $XDG_STATE_HOME/hertzian/history, or ~/.local/state/hertzian/history. @return false when neither is known */
bool htz_history_folder(char path[HTZ_PATH_MAX]);

/** Make a folder, and those that it is in. @return false, with errno, when it is not there then */
bool htz_history_folder_make(const char* path);

/** A name by the time, that nobody has, for a file in `folder`. @return false when it is too long */
bool htz_history_name(const char* folder, char path[HTZ_RECORDER_PATH]);

enum { HTZ_HISTORY_ARGUMENTS = 128 };

/** Note the arguments of the command line with which a render sounds the same, at the beginning of a file. */
void htz_history_put_arguments(htz_smf_writer* writer, char* const* arguments, size_t n);

/**
   The arguments that are noted in a file of ours.

   @param arguments receives them, each to be freed
   @return how many
*/
size_t htz_history_arguments(const char* path, char* arguments[HTZ_HISTORY_ARGUMENTS]);

#endif
