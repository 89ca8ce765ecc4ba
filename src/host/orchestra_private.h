#ifndef HERTZIAN_HOST_ORCHESTRA_PRIVATE_H
#define HERTZIAN_HOST_ORCHESTRA_PRIVATE_H

#include "hertzian/host/orchestra.h"
#include "hertzian/instrument/performance_file.h"

/**
   Load what is called `name`: an instrument, or, with `*spec` NULL, a performance into `file`. Faults are said.

   @return as htz_orchestra_open()
*/
htz_status htz_orchestra_name(htz_orchestra* orchestra, const char* name, const htz_spec** spec, htz_performance_file* file,
                              htz_log* log);

/** List what is installed, read the table of programs, and load what programs of `asked` (NULL: any) can choose, and the fallback. */
htz_status htz_orchestra_load_installed(htz_orchestra* orchestra, const htz_program_set* asked, htz_log* log);

#endif
