#ifndef HERTZIAN_CLI_PICTURE_H
#define HERTZIAN_CLI_PICTURE_H

#include "options.h"

#include <stdio.h>

/** What is drawn: as a gnuplot script, and, where there is no gnuplot, as numbers. Both are handed `what`. */
typedef struct {
  void (*script)(FILE* out, const char* path, const void* what);
  void (*numbers)(FILE* out, const void* what); ///< comma-separated values
  const void* what;
  const char* kept; ///< a file that has the numbers already, or NULL: they are written beside the picture's name
} htz_picture;

/** Draw it in `--plot`; says what went wrong. @return the exit code */
int htz_picture_draw(const htz_options* o, const htz_picture* picture);

#endif
