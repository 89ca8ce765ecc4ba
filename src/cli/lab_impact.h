#ifndef HERTZIAN_CLI_LAB_IMPACT_H
#define HERTZIAN_CLI_LAB_IMPACT_H

#include "options.h"

/** `hertzian lab impact`. @return an exit code of the program */
int htz_lab_impact_command(const htz_options* options);

#endif
