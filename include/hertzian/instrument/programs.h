#ifndef HERTZIAN_INSTRUMENT_PROGRAMS_H
#define HERTZIAN_INSTRUMENT_PROGRAMS_H

#include "hertzian/instrument/spec.h"

/**
   Which instrument plays which General MIDI program, and on the drum channel, where a program is a kit, which kit.

   From what comes first: the user's own table, the instrument whose `programs:` or `kits:` claims it, the installed table, which says
   what stands in for programs that no instrument is made for; kits that are nobody's are played by the standard one, 0. Read-only once
   loaded.
*/
enum { HTZ_PROGRAMS = 128, HTZ_PROGRAM_NAME = 48 };

typedef enum {
  HTZ_PROGRAM_UNPLAYED = 0, ///< no table and no instrument names it
  HTZ_PROGRAM_OWN,          ///< an instrument is made for it
  HTZ_PROGRAM_STAND_IN,     ///< by the installed table
  HTZ_PROGRAM_CHOSEN,       ///< by the user's table
  HTZ_PROGRAM_GIVEN         ///< one instrument was asked for and plays everything
} htz_program_reason;

typedef struct {
  char name[HTZ_PROGRAM_NAME]; ///< as General MIDI calls it; empty when no table says
  const htz_spec_entry* plays; ///< in the catalog, NULL when unplayed
  htz_program_reason reason;
} htz_program;

/** What the numbers mean that a program change sends. */
typedef enum {
  HTZ_PROGRAMS_MELODIC = 0,
  HTZ_PROGRAMS_KITS, ///< on the drum channel
  HTZ_PROGRAMS_MEANINGS
} htz_programs_meaning;

typedef struct {
  htz_program of[HTZ_PROGRAMS_MEANINGS][HTZ_PROGRAMS];
} htz_programs;

/**
   Read both tables against what is installed. A table that is not there is no fault; an instrument that the installed table names and
   that is not there, or has faults, is passed over; one that the user names has to be there.

   @param diags faults of the first table that has any
   @return HTZ_OK, HTZ_BAD_INPUT, HTZ_IO, HTZ_NO_MEMORY, HTZ_NO_FILES. Set-up thread.
*/
htz_status htz_programs_load(const htz_spec_catalog* catalog, htz_programs* out, htz_diags* diags);

/** A reason as one word: `own`, `stand-in`, `chosen`, `given`, `none`. Any thread. */
const char* htz_program_reason_text(htz_program_reason reason);

#endif
