#ifndef HERTZIAN_CLI_LIVE_COMMANDS_H
#define HERTZIAN_CLI_LIVE_COMMANDS_H

#include "live_control.h"

#include <stdio.h>

/** What `hertzian ctl` can ask of a performance. */
typedef struct {
  const char* name;
  const char* takes;  ///< what follows it, for messages; "" nothing
  size_t least, most; ///< words that follow it
  /** On the control thread; NULL: it is done at once. @return an exit code; what is written to `out` is the answer */
  int (*obey)(htz_session* session, const htz_live_request* request, FILE* out);
  int number;      ///< without `obey`: the signal that does it
  bool owner_only; ///< it takes the socket, which only the owner may use
} htz_live_command_row;

/** Every command, ended by a row without a name. */
extern const htz_live_command_row htz_live_commands[];

/** Look at the words. @return NULL with `why` filled when they are no command */
const htz_live_command_row* htz_live_command_find(const char* const* words, size_t n, char* why, size_t why_size);

/** Answer what need not wait for the control thread, which may be building a part. @return whether it was that. Any thread */
bool htz_live_command_at_once(htz_session* session, htz_live_request* request);

/** What OSC may ask for, and is to wait for nobody, is done. @return whether it was that. Any thread */
bool htz_live_command_urgent(const char* const* words, size_t n);

/** Obey a request. Control thread. */
void htz_live_command(htz_session* session, htz_live_request* request);

/** `status`, in words or as JSON. */
int htz_live_status(htz_session* session, const htz_live_request* request, FILE* out);

#endif
