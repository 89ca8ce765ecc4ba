#ifndef HERTZIAN_CLI_CLI_H
#define HERTZIAN_CLI_CLI_H

#include "hertzian/base/status.h"

/** Exit codes of the program. */
enum {
  HTZ_EXIT_DONE = 0,
  HTZ_EXIT_INTERNAL = 1, ///< a fault of ours; or no memory, thread or file descriptor to be had
  HTZ_EXIT_USAGE = 2,    ///< the command line is wrong
  HTZ_EXIT_DEVICE = 3,   ///< no audio device or MIDI source to play with
  HTZ_EXIT_INPUT = 4,    ///< a song or instrument is missing, unreadable or wrong
  HTZ_EXIT_OUTPUT = 5,   ///< the output cannot be written
  HTZ_EXIT_FAIL_ON = 6,  ///< what `--fail-on` names has happened
  HTZ_EXIT_SIGNAL = 128, ///< plus the signal's number: a render was interrupted
};

/** The exit code for what a set-up function says; `fault` for everything that is not a lack of memory, threads or descriptors. */
static inline int htz_exit_for(htz_status status, int fault) {
  return status == HTZ_OK ? HTZ_EXIT_DONE : htz_status_starved(status) ? HTZ_EXIT_INTERNAL : fault;
}

typedef enum {
  HTZ_CMD_PLAY = 0,
  HTZ_CMD_RECORD,
  HTZ_CMD_RENDER,
  HTZ_CMD_DEVICES,
  HTZ_CMD_MIDI,
  HTZ_CMD_CTL,
  HTZ_CMD_TRY,
  HTZ_CMD_LEVEL,
  HTZ_CMD_CHECK,
  HTZ_CMD_INSTRUMENTS,
  HTZ_CMD_BENCH,
  HTZ_CMD_LAB,
  HTZ_CMD_HISTORY,
  HTZ_CMD_REPAIR,
  HTZ_CMD_COMPLETION,
  HTZ_CMD_COUNT
} htz_command;

#endif
