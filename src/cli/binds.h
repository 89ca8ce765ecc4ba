#ifndef HERTZIAN_CLI_BINDS_H
#define HERTZIAN_CLI_BINDS_H

#include "options.h"

#include "hertzian/host/orchestra.h"

/** Controllers that `midi learn` binds to nothing unless forced: bank select, pedals, channel mode messages. */
bool htz_bind_is_reserved(unsigned cc);

/** The player's own file of bindings, which `midi learn` writes. @return false when there is no place for one */
bool htz_binds_path(char path[HTZ_PATH_MAX]);

/**
   Read one binding, `CC=PARAM[:LO..HI][:pickup]`, where CC is 0 to 119 or `pressure`.

   @param why receives what is wrong and what is allowed; `at` the character where
   @return whether it is one
*/
bool htz_bind_parse(const char* text, htz_bind* out, size_t* at, char* why, size_t why_size);

/** The binding that a line of such a file is; false for a remark, an empty line and what is none. */
bool htz_bind_of_line(const char* line, htz_bind* out);

/** Write it as it is read. */
void htz_bind_text(const htz_bind* bind, char* text, size_t size);

/**
   Fill options->binds from `--bind` and, where none is given, the player's own file.

   @return an exit code; unless it is 0 faults are said
*/
int htz_binds_load(htz_options* options);

/** Whether every binding moves something on one of the instruments at hand. @return an exit code; unless it is 0 one line is said */
int htz_binds_check(const htz_options* options, const htz_orchestra* orchestra);

#endif
