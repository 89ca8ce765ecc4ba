#ifndef HERTZIAN_CLI_EXIT_CODE_H
#define HERTZIAN_CLI_EXIT_CODE_H

#include "cli.h"

#include "hertzian/base/status.h"

/** Exit code for what reading a song or an instrument, or building one, gave: HTZ_EXIT_INPUT unless it is our own fault or the command line's. */
int htz_exit_for_input(htz_status status);

#endif
