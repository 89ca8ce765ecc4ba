#ifndef HERTZIAN_CLI_ORCHESTRA_H
#define HERTZIAN_CLI_ORCHESTRA_H

#include "hertzian/base/log.h"
#include "hertzian/instrument/spec.h"

/** The instruments at hand: one for everything, or what is installed. Read-only once loaded, so threads may share it. */
typedef struct {
  htz_spec* only;           ///< from `-i`, or NULL
  htz_spec_catalog catalog; ///< empty with `only`
  const htz_spec* fallback; ///< plays programs that no instrument claims
} htz_orchestra;

/**
   Load the instrument `name` (a name or a file), or with NULL everything that is installed.

   Says what is wrong, all faults of a file at once.
   @return an exit code of the program
*/
int htz_orchestra_load(htz_orchestra* orchestra, const char* name, htz_log* log);

/** The instrument for General MIDI program `program` (from 0), never NULL. Any thread. */
const htz_spec* htz_orchestra_for(const htz_orchestra* orchestra, unsigned program);

/** Free everything loaded. */
void htz_orchestra_free(htz_orchestra* orchestra);

/** Say every fault, one line each. */
void htz_say_diags(htz_log* log, htz_log_level level, const htz_diags* diags);

#endif
