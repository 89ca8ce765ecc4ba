#ifndef HERTZIAN_CLI_SHOW_GRID_H
#define HERTZIAN_CLI_SHOW_GRID_H

#include "hertzian/instrument/spec_grid.h"

#include <stdio.h>

/** Bodies, their grids at 48 kHz, contacts, and what a key does, of an instrument of the grid family. */
void htz_show_grid(FILE* out, const htz_spec* spec);

/** The same as members of a JSON object, without a comma after the last. */
void htz_show_grid_json(FILE* out, const htz_spec* spec);

#endif
