#ifndef HERTZIAN_CLI_CMD_HISTORY_H
#define HERTZIAN_CLI_CMD_HISTORY_H

#include "options.h"

/**
   `hertzian history render`: the command line of the render that it stands for, with what was noted when it was played first, so that
   the command line's own flags overrule it.

   @param out receives the words, one NULL behind them, to be freed with htz_history_words_free()
   @return an exit code; the fault is said
*/
int htz_history_words(const htz_options* options, int argc, char** argv, char*** out);

void htz_history_words_free(char** words);

#endif
