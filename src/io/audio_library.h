#ifndef HERTZIAN_IO_AUDIO_LIBRARY_H
#define HERTZIAN_IO_AUDIO_LIBRARY_H

#include <stdbool.h>

/*
   Drivers' libraries are opened when they are first needed, so that a machine without them, or without a sound card, runs all
   the rest. They are never closed again: some leave threads or handlers behind.
*/

/**
   Open the first of `names` [up to a NULL] that is there.

   @return what dlsym() takes, or NULL, with errno ENOMEM, EMFILE or ENFILE when that was the reason
*/
void* htz_library_open(const char* const* names);

/** Look a function up: `*(void**)function` receives it, NULL when there is none. @return whether there is */
bool htz_library_find(void* library, const char* name, void* function);

/** Keep ALSA and JACK, as far as `library` depends on them, from writing to stderr. */
void htz_library_silence(void* library);

/**
   Send standard error to nowhere for a while: PortAudio as distributions build it prints the source line of each call that
   fails, and has no switch for that. Other threads' messages are lost too, so this is for single calls. Any thread: it is
   back when the last of those that sent it away has it back.

   @param away  false: leave it alone
   @return what htz_stderr_back() takes
*/
bool htz_stderr_away(bool away);
void htz_stderr_back(bool is_away);

#endif
