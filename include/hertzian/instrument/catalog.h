#ifndef HERTZIAN_INSTRUMENT_CATALOG_H
#define HERTZIAN_INSTRUMENT_CATALOG_H

#include "hertzian/instrument/spec.h"

/**
   What is installed. Which programs an instrument claims stands in its head, which is read at once; the instrument itself is read when it
   is wanted. Set-up thread.
*/

/** One installed instrument. */
typedef struct {
  char* id; ///< what `-i` takes
  char* path;
  size_t n_programs, n_kits;
  uint8_t programs[HTZ_SPEC_PROGRAMS_MAX], kits[HTZ_SPEC_PROGRAMS_MAX]; ///< that its head claims
  htz_spec* spec;                                                       ///< NULL when the file has faults, or is not loaded
  size_t faults;                                                        ///< 0 when it is not loaded
} htz_spec_entry;

typedef struct {
  size_t n;
  htz_spec_entry* entry; ///< sorted by id; where two folders have the same id, the first of the search order
} htz_spec_catalog;

/**
   Every installed instrument, none of them loaded. Files that cannot be read claim nothing.

   @return HTZ_OK (also when there is none), HTZ_NO_MEMORY, HTZ_NO_FILES.
*/
htz_status htz_spec_list_heads(htz_spec_catalog* out);

/**
   Load those of the entries that are wanted and neither loaded nor known to have faults, several at once where there are processors for it.

   @param wanted [catalog->n]; NULL: all
   @return HTZ_OK (whatever faults files have), HTZ_NO_MEMORY, HTZ_NO_FILES
*/
htz_status htz_spec_list_load(htz_spec_catalog* catalog, const bool* wanted);

/** List and load every installed instrument. An entry's spec may be taken out (set it to NULL) and kept. @return as both */
htz_status htz_spec_list(htz_spec_catalog* out);

/** Free a catalog and the specs still in it. */
void htz_spec_list_free(htz_spec_catalog* catalog);

/**
   The entry whose `programs:` has General MIDI program `program` (from 0), or with `kit` whose `kits:` has it, or NULL; one that is known to
   have faults has none.
*/
const htz_spec_entry* htz_spec_for_program(const htz_spec_catalog* catalog, bool kit, unsigned program);

#endif
