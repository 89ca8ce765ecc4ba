#ifndef HERTZIAN_CLI_RENDER_NAMES_H
#define HERTZIAN_CLI_RENDER_NAMES_H

#include "render_job.h"

/**
   Decide where each song goes and in which format, before anything is opened.

   @param jobs    [options->n_args], zeroed; song, output, part, container and encoding are filled in
   @param error   receives one line on failure
   @return an exit code of the program
*/
int htz_render_names(const htz_options* options, htz_job* jobs, char error[HTZ_USAGE_TEXT]);

#endif
