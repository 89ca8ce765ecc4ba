#ifndef HERTZIAN_CLI_SHOW_PREPARED_H
#define HERTZIAN_CLI_SHOW_PREPARED_H

#include "hertzian/instrument/spec.h"

#include <stdio.h>

/** Lines for what is fixed to the struck body or lies loose on it; none where nothing does. */
void show_prepared(FILE* out, const htz_spec* spec);

#endif
