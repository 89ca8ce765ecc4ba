#ifndef HERTZIAN_CLI_RENDER_NAMES_H
#define HERTZIAN_CLI_RENDER_NAMES_H

#include "render_job.h"

/**
   Decide where each song goes and in which format, before anything is opened.

   @param jobs    [htz_render_count()], zeroed; song, alone, output, part, container and encoding are filled in
   @param error   receives one line on failure
   @return an exit code of the program
*/
int htz_render_names(const htz_options* options, htz_job* jobs, char error[HTZ_USAGE_TEXT]);

/** How many renders the command line asks for: one for each song, one when only a sound is given to drive a key. */
size_t htz_render_count(const htz_options* options);

#endif
