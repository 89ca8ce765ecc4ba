#ifndef HERTZIAN_CLI_SHOW_EARS_H
#define HERTZIAN_CLI_SHOW_EARS_H

#include "hertzian/instrument/spec.h"

#include <stdio.h>

/** A line for every ear: what it hears, and how far it is from there on the lowest and the highest key; none where points are heard. */
void show_ears(FILE* out, const htz_spec* spec);

/** The same as `"ears":[...],`, nothing where there are none. */
void show_ears_json(FILE* out, const htz_spec* spec);

#endif
