#ifndef HERTZIAN_INSTRUMENT_PROGRAMS_H
#define HERTZIAN_INSTRUMENT_PROGRAMS_H

#include "hertzian/instrument/catalog.h"

/**
   Which instrument plays which General MIDI program, and which kit which program of the drum channel.

   From what comes first: the user's own table, the instrument whose `programs:` or `kits:` claims it, the installed table, which says
   what stands in for programs that no instrument is made for. Read-only once loaded.
*/
enum {
  HTZ_PROGRAMS = 128,
  HTZ_PROGRAM_NAME = 48,
  HTZ_PROGRAM_PLAYS = 64,
  HTZ_VARIANTS_MAX = 256,
  HTZ_BANK_KITS = 128, ///< beyond those that MIDI can select: the drum channel's, where a program is a kit
};

typedef enum {
  HTZ_PROGRAM_UNPLAYED = 0, ///< no table and no instrument names it
  HTZ_PROGRAM_OWN,          ///< an instrument is made for it
  HTZ_PROGRAM_STAND_IN,     ///< by the installed table
  HTZ_PROGRAM_CHOSEN,       ///< by the user's table
  HTZ_PROGRAM_GIVEN         ///< one instrument was asked for and plays everything
} htz_program_reason;

typedef struct {
  char name[HTZ_PROGRAM_NAME];         ///< as General MIDI calls it; empty when no table says
  const htz_spec_entry* plays;         ///< in the catalog, NULL when unplayed
  char performance[HTZ_PROGRAM_PLAYS]; ///< in place of an instrument: the name of a performance; else empty
  htz_program_reason reason;
} htz_program;

/** A program of another bank: a variant of that of bank 0, which plays where there is none; a kit, where the standard one, 0, does. */
typedef struct {
  uint8_t program, bank;
  htz_program plays;
} htz_variant;

typedef struct {
  htz_program program[HTZ_PROGRAMS];
  size_t n_variants;
  htz_variant variant[HTZ_VARIANTS_MAX];
} htz_programs;

/** Some of the programs 0 to 127. */
typedef struct {
  uint32_t word[HTZ_PROGRAMS / 32];
} htz_program_set;

static inline void htz_program_set_add(htz_program_set* set, unsigned program) {
  set->word[program / 32 % (HTZ_PROGRAMS / 32)] |= 1u << program % 32;
}

static inline bool htz_program_set_has(const htz_program_set* set, unsigned program) {
  return set->word[program / 32 % (HTZ_PROGRAMS / 32)] >> program % 32 & 1u;
}

/** What `program` of `bank` is. Any thread. */
const htz_program* htz_programs_at(const htz_programs* programs, unsigned bank, unsigned program);

/** The place of `program` of `bank` in `programs`, made if it is not there; NULL when there are too many. Set-up thread. */
htz_program* htz_programs_place(htz_programs* programs, unsigned bank, unsigned program);

/**
   Read both tables against what is installed. A table that is not there is no fault; an instrument that the installed table names and
   that is not there, or is known to have faults, is passed over; one that the user names has to be there, and may not be known to have any.

   @param diags faults of the first table that has any
   @return HTZ_OK, HTZ_BAD_INPUT, HTZ_IO, HTZ_NO_MEMORY, HTZ_NO_FILES. Set-up thread.
*/
htz_status htz_programs_load(const htz_spec_catalog* catalog, htz_programs* out, htz_diags* diags);

/** A reason as one word: `own`, `stand-in`, `chosen`, `given`, `none`. Any thread. */
const char* htz_program_reason_text(htz_program_reason reason);

#endif
