#ifndef HERTZIAN_CLI_SHOW_PERFORMANCE_H
#define HERTZIAN_CLI_SHOW_PERFORMANCE_H

#include "hertzian/base/log.h"
#include "hertzian/instrument/diag.h"

#include <stdbool.h>
#include <stdio.h>

/** True when `name` is a performance, by name or file, and no instrument. */
bool htz_is_performance(const char* name);

/** Read it. Faults are left in `diags`. @return as htz_orchestra_open() */
htz_status htz_check_performance(const char* name, htz_diags* diags, htz_log* log);

/** Print who plays what in it, as a table or as JSON. @return an exit code; unless it is 0 faults are said */
int htz_show_performance(FILE* out, const char* name, bool json, htz_log* log);

/** Print a line for each performance there is, under a heading; nothing when there is none. @return an exit code, likewise */
int htz_show_performances(FILE* out, htz_log* log);

#endif
