#ifndef HERTZIAN_HOST_ORCHESTRA_H
#define HERTZIAN_HOST_ORCHESTRA_H

#include "hertzian/base/log.h"
#include "hertzian/instrument/programs.h"

#include <stddef.h>
#include <stdint.h>

/** The instruments at hand: one for everything, or what is installed. Read-only once loaded, so threads may share it. */
typedef struct {
  htz_spec* only;           ///< from `-i`, or NULL
  htz_spec_catalog catalog; ///< empty with `only`
  htz_programs programs;    ///< likewise
  const htz_spec* fallback; ///< plays programs that no instrument and no table names
  bool melodic;             ///< no channel is that of the drums, as under MPE, where 10 is a member like the others
} htz_orchestra;

enum { HTZ_DRUM_CHANNEL = 9 }; ///< General MIDI's, from 0

/**
   Load the instrument `name` (a name or a file), or with NULL everything that is installed.

   Says what is wrong, all faults of a file at once.
   @return HTZ_OK; HTZ_NO_MEMORY, HTZ_NOT_FOUND, HTZ_BAD_INPUT, HTZ_IO, HTZ_BAD_VALUE
*/
htz_status htz_orchestra_load(htz_orchestra* orchestra, const char* name, htz_log* log);

/**
   The same for a performance that an audio signal drives: with NULL the first installed instrument that can be driven; one that
   cannot is HTZ_UNSUPPORTED.
*/
htz_status htz_orchestra_load_driven(htz_orchestra* orchestra, const char* name, htz_log* log);

/**
   Give `spec` what it is played with by `play`, `render` and the library unless told otherwise, where the file says nothing of it: a
   little room, and a hand that is not a machine's. Whoever measures an instrument (lab, bench, tests) has it dry and every stroke as the
   last: these are the parameters' own initial values. Set-up thread.
*/
void htz_orchestra_as_played(htz_spec* spec);

/** The same for every instrument loaded. Before the orchestra is shared. */
void htz_orchestra_all_as_played(htz_orchestra* orchestra);

/** What `program` (0..127) means on `channel` (from 0): on that of the drums a kit, where any is installed. Any thread. */
const htz_program* htz_orchestra_program(const htz_orchestra* orchestra, unsigned channel, unsigned program);

/** The instrument for `program` (0..127) on `channel` (from 0), never NULL. Any thread. */
const htz_spec* htz_orchestra_for(const htz_orchestra* orchestra, unsigned channel, unsigned program);

/** Whether what plays `channel` (from 0) unless told can play what songs have there: of the drums only a kit can. Any thread. */
bool htz_orchestra_plays(const htz_orchestra* orchestra, unsigned channel);

enum { HTZ_ORCHESTRA_MAX = 64 }; ///< instruments that play anything, at most

/**
   The instruments that any program chooses, the fallback first, then by the lowest program, kits last: an order that is the same for
   playing and rendering. Any thread.

   @return how many, at least 1
*/
size_t htz_orchestra_players(const htz_orchestra* orchestra, const htz_spec* out[HTZ_ORCHESTRA_MAX]);

/** Place of a part in the mix, for htz_engine_attach_part(): by channel, then by the place of `spec` in that order. Any thread. */
uint32_t htz_orchestra_rank(const htz_orchestra* orchestra, unsigned channel, const htz_spec* spec);

/** Free everything loaded. */
void htz_orchestra_free(htz_orchestra* orchestra);

#endif
