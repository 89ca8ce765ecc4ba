#ifndef HERTZIAN_INSTRUMENT_FOLDERS_H
#define HERTZIAN_INSTRUMENT_FOLDERS_H

#include "hertzian/instrument/spec.h"

/** Folder number `index` of those where instruments are looked for, first come first served. @return false beyond the last, or
    when it does not apply here (`path` is then empty) */
bool htz_folder_at(size_t index, char path[HTZ_PATH_MAX]);

enum { HTZ_FOLDERS = 5 };

/** A file beside the instruments, such as `map/general-midi.yaml`: the first there is. @return false when there is none */
bool htz_data_file(const char* name, char path[HTZ_PATH_MAX]);

/**
   Where a file of the user's settings lies or would lie: in $XDG_CONFIG_HOME/hertzian, or ~/.config/hertzian. Set-up thread.

   @return false when neither is known
*/
bool htz_config_path(const char* name, char path[HTZ_PATH_MAX]);

/** The same of what is kept from one start to the next: in $XDG_STATE_HOME/hertzian, or ~/.local/state/hertzian. */
bool htz_state_path(const char* name, char path[HTZ_PATH_MAX]);

#endif
