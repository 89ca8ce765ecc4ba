#ifndef HERTZIAN_IO_CONTROL_H
#define HERTZIAN_IO_CONTROL_H

#include "hertzian/base/status.h"

#include <stddef.h>

/**
   Asking a program that runs for things, from another one: a socket in the file system that its owner alone may use.

   A request is lines of a word each, an empty line ends it; the answer is a line with an exit code, then text, then the end. So
   `printf 'status\n\n' | nc -U PATH` does, too. Who connects is told by the system, not by what is sent: anybody but the owner and
   root is refused.
*/
enum {
  HTZ_CONTROL_PATH = 108,    ///< bytes of a path, its end included: as many as a socket's name may have
  HTZ_CONTROL_WORDS = 32,    ///< of a request, at most
  HTZ_CONTROL_REQUEST = 4096 ///< bytes of a request, at most
};

typedef struct htz_control htz_control;

/** What is answered. */
typedef struct {
  int code;   ///< exit code of whoever asked
  char* text; ///< from malloc, or NULL: none
} htz_control_reply;

/** Obey `words` [n], n > 0. On a thread of the request's own; several may be at work at a time. */
typedef void (*htz_control_obey)(void* context, const char* const* words, size_t n, htz_control_reply* reply);

/**
   Where the socket lies unless told: in $XDG_RUNTIME_DIR, or in a folder of the user's in /tmp. Set-up thread.

   @return HTZ_OK; HTZ_IO with `why` filled when there is no such folder and none can be made that is ours alone
*/
htz_status htz_control_usual(char path[HTZ_CONTROL_PATH], char* why, size_t why_size);

/**
   Begin to listen at `path`. What a program left there that is gone is taken away; anything else is kept.

   @param why  one line on failure
   @return HTZ_OK, HTZ_BAD_VALUE (the path is too long), HTZ_IO, or what the system has no more of. Set-up thread.
*/
htz_status htz_control_open(const char* path, htz_control_obey obey, void* context, htz_control** out, char* why,
                            size_t why_size);

/** Stop listening, wait for what is being obeyed, remove the socket. NULL is allowed. Set-up thread. */
void htz_control_close(htz_control* control);

/**
   Ask whoever listens at `path`.

   @param why  one line on failure
   @return HTZ_OK with `reply` filled; HTZ_NOT_FOUND when nobody listens there; HTZ_BAD_VALUE; HTZ_IO
*/
htz_status htz_control_ask(const char* path, const char* const* words, size_t n, htz_control_reply* reply, char* why,
                           size_t why_size);

#endif
