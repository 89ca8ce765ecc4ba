#ifndef HERTZIAN_CLI_SHOW_LINKS_H
#define HERTZIAN_CLI_SHOW_LINKS_H

#include "hertzian/instrument/spec.h"

#include <stdio.h>

/** A line for each link of the keys; none where there is none. */
void show_links(FILE* out, const htz_spec* spec);

#endif
