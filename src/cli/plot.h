#ifndef HERTZIAN_CLI_PLOT_H
#define HERTZIAN_CLI_PLOT_H

#include "options.h"

#include <stdbool.h>
#include <stdio.h>

/** Whether a file's ending says how it is drawn: .png or .svg. */
bool htz_plot_ending(const char* path);

/** Begin a gnuplot script for `path`: terminal, no file name, so that no name is ever read by gnuplot. */
void htz_plot_begin(FILE* script, const char* path);
void htz_plot_begin_wide(FILE* script, const char* path); // for several side by side

/** Write `text` as a gnuplot string. */
void htz_plot_text(FILE* script, const char* text);

/** A number as gnuplot reads it; NaN breaks a line. */
void htz_plot_number(FILE* script, double value);

typedef enum { HTZ_PLOT_DRAWN = 0, HTZ_PLOT_NO_GNUPLOT, HTZ_PLOT_FAILED, HTZ_PLOT_STARVED } htz_plot_result;

/**
   Have gnuplot run `script`, a file open for reading and writing, and put what it draws in `path`. Says what went wrong, except that
   gnuplot is not installed. HTZ_PLOT_STARVED: the system had no memory, process or descriptor left.
*/
htz_plot_result htz_plot_draw(FILE* script, const char* path, htz_log* log);

#endif
