#ifndef HERTZIAN_CLI_SETTINGS_H
#define HERTZIAN_CLI_SETTINGS_H

#include "options.h"

#include "hertzian/host/orchestra.h"

/**
   Whether every `-s` changes something: with one instrument there, with several at hand on any of them, and is in the range that
   it has there. Says which keys cannot be tuned as `--tuning` asks.

   @return an exit code; unless it is 0 one line is said
*/
int htz_settings_check(const htz_options* options, const htz_orchestra* orchestra);

/** The first of these without a word: whether every `-s` changes something on one of the instruments at hand. */
bool htz_settings_suit(const htz_options* options, const htz_orchestra* orchestra);

/** The first of these for one instrument alone. */
int htz_settings_check_on(const htz_options* options, const htz_spec* spec);

#endif
