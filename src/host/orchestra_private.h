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

/** A performance that a program chooses, read once. */
typedef struct {
  char name[HTZ_PROGRAM_PLAYS];
  uint8_t cast;
} htz_known_performance;

/** Casts on their way into an orchestra. */
typedef struct {
  htz_orchestra* o;
  htz_log* log;
  htz_performance_file* file; ///< the performance read last
  bool again;                 ///< what is there already will do
  bool any;                   ///< a cast was added,
  uint8_t last;               ///< this
  size_t n_known;
  htz_known_performance known[HTZ_CASTS_MAX];
} htz_casting;

/** A cast of what is called `name`, an instrument or a performance. @return as htz_orchestra_open() */
htz_status htz_casting_named(htz_casting* c, const char* name, uint8_t* number);

/** A cast of the instruments of cast `from`, their files read again. @return likewise */
htz_status htz_casting_again(htz_casting* c, unsigned from, uint8_t* number);

/** Load the instrument that lies at `path`, or take it from what is loaded. Faults are said. */
htz_status htz_orchestra_file(htz_orchestra* orchestra, const char* path, const htz_spec** out, htz_log* log);

/** True when both have the same notes of the same instrument, with the same settings. */
bool htz_role_same(const htz_role* a, const htz_role* b);

/** List what is installed, read the table of programs, and load what programs of `asked` (NULL: any) can choose, and the fallback. */
htz_status htz_orchestra_load_installed(htz_orchestra* orchestra, const htz_program_set* asked, htz_log* log);

#endif
