#ifndef HERTZIAN_HOST_ORCHESTRA_H
#define HERTZIAN_HOST_ORCHESTRA_H

#include "hertzian/base/log.h"
#include "hertzian/host/performance.h"
#include "hertzian/instrument/performance_file.h"
#include "hertzian/instrument/programs.h"

#include <stddef.h>
#include <stdint.h>

/**
   Who plays what: instruments, the roles they have, and what of these a channel or a program change chooses. `-i`, `-i CH:NAME`, layers,
   splits, performance files and the table of programs are all said by it; live and rendered it is the same. Read-only once loaded, so
   threads may share it.
*/
enum {
  HTZ_ORCHESTRA_MAX = 128,           ///< different instruments, at most
  HTZ_ROLES_MAX = 192,               ///< roles, at most
  HTZ_CAST_ROLES = 32,               ///< of them that play together, at most
  HTZ_ORCHESTRA_OWN = HTZ_ROLES_MAX, ///< instruments that were asked for by name, at most
};

/** An instrument and the notes that it plays. On each channel that it does, it is a part of its own. */
typedef struct {
  const htz_spec* spec; ///< NULL: a free place
  uint16_t channels;    ///< bit c: channel c (0..15)
  htz_map_zone zone;
  double gain; ///< factor on its sound
  double pan;  ///< added to its channel's, -1..1
  size_t n_settings;
  htz_setting* settings; ///< [n_settings] its own, before those of the whole performance; by the number of the parameter
  uint32_t added;        ///< roles that were there before it ever, from 0: its place among all, while places are used anew
  uint32_t reading;      ///< which time it is that files were read again; 0: read once
  uint32_t nth;          ///< which it is of its instrument's of that reading, from 1
} htz_role;

/** What plays together. */
typedef struct {
  uint8_t n; ///< 0: a free place
  uint8_t role[HTZ_CAST_ROLES];
} htz_cast;

/** An instrument that was asked for by name. */
typedef struct {
  htz_spec* spec;  ///< owned; NULL: a free place
  uint32_t loaded; ///< how many were before it, ever
} htz_orchestra_own;

typedef struct {
  size_t n_own; ///< places in use, free ones among them; of roles and casts likewise
  htz_orchestra_own own[HTZ_ORCHESTRA_OWN];
  htz_spec_catalog catalog; ///< what is installed, where programs choose, loaded as far as it is wanted; else empty
  htz_programs programs;    ///< likewise
  const htz_spec* fallback; ///< the first of all: it plays programs that nothing else is there for
  size_t n_roles;
  htz_role role[HTZ_ROLES_MAX];
  size_t n_casts;
  htz_cast cast[HTZ_CASTS_MAX];
  uint16_t own_channels;              ///< bit c: channel c (0..15) has an instrument of its own
  uint8_t cast_of[HTZ_MIDI_CHANNELS]; ///< cast of a channel; HTZ_CAST_BY_PROGRAM: its program says
  uint8_t cast_for[HTZ_MIDI_BANKS][HTZ_MIDI_PROGRAMS];
  uint32_t loaded, added, readings; ///< instruments by name, roles, and readings of files again, ever
  uint32_t reading;                 ///< files are read again though they are loaded already: which time that is; else 0
  uint32_t reading_from;            ///< what is loaded from then on is of that reading
  bool lent;                        ///< the catalog, and as much of `own` and `role` as follows, are another's
  size_t n_lent_own, n_lent_roles;
} htz_orchestra;

/** Whether an instrument's keys are taken from what it is beside. */
typedef enum {
  HTZ_SPLIT_NONE = 0, ///< they sound together
  HTZ_SPLIT_BELOW,    ///< it has the keys up to its highest, but for those of splits still lower
  HTZ_SPLIT_FROM,     ///< it has the keys from its lowest on, likewise
} htz_split;

/** An instrument beside others. */
typedef struct {
  const char* name;
  int channel; ///< 0..15; -1: all that have no instrument of their own
  htz_split split;
  bool keyed; ///< its keys are given; else they are those that splits leave
  htz_map_zone zone;
  double level_db; ///< [dB]
  double pan;
} htz_orchestra_layer;

enum { HTZ_LAYERS_MAX = 16 };

/** What was asked for. */
typedef struct {
  const char* instrument;                    ///< an instrument or a performance, by name or file; NULL: programs choose
  const char* of_channel[HTZ_MIDI_CHANNELS]; ///< the same for one channel; NULL: it has none of its own
  const htz_program_set* asked;              ///< programs that can be asked for; NULL: any. The others' instruments stay unread
  size_t n_layers;
  htz_orchestra_layer layer[HTZ_LAYERS_MAX];
} htz_orchestra_wish;

/**
   Load the instrument `name` (a name or a file), or with NULL everything that programs choose from.

   Says what is wrong, all faults of a file at once.
   @return HTZ_OK; HTZ_NO_MEMORY, HTZ_NOT_FOUND, HTZ_BAD_INPUT, HTZ_IO, HTZ_BAD_VALUE, HTZ_FULL, HTZ_UNSUPPORTED
*/
htz_status htz_orchestra_load(htz_orchestra* orchestra, const char* name, htz_log* log);

/** The same of all that is asked for. */
htz_status htz_orchestra_open(htz_orchestra* orchestra, const htz_orchestra_wish* wish, htz_log* log);

/**
   The same for a performance that an audio signal drives: without an instrument the first installed one that is there to be driven (no program means it); one that
   cannot is HTZ_UNSUPPORTED.
*/
htz_status htz_orchestra_open_driven(htz_orchestra* orchestra, const htz_orchestra_wish* wish, htz_log* log);
htz_status htz_orchestra_load_driven(htz_orchestra* orchestra, const char* name, htz_log* log);

/**
   Give `spec` what it is played with by `play`, `render` and the library unless told otherwise, where the file says nothing of it: a
   little room, and a hand that is not a machine's. Whoever measures an instrument (lab, bench, tests) has it dry and every stroke as the
   last: these are the parameters' own initial values. Set-up thread.
*/
void htz_orchestra_as_played(htz_spec* spec);

/** The same for every instrument loaded. Before the orchestra is shared. */
void htz_orchestra_all_as_played(htz_orchestra* orchestra);

/**
   Where what is called `name` lies, and whether it is a performance, as far as names tell: of the user's own, then of instruments, then
   those beside instruments. Set-up thread.

   @return HTZ_OK; HTZ_NOT_FOUND and the rest of htz_spec_find(), with one line in `diags`
*/
htz_status htz_orchestra_find(const char* name, char path[HTZ_PATH_MAX], bool* performance, htz_diags* diags);

/** Read the performance that lies at `path`; its instruments become the orchestra's, which is zero or opened. Faults are left in `diags`. */
htz_status htz_orchestra_read(htz_orchestra* orchestra, const char* path, htz_performance_file* out, htz_diags* diags,
                              htz_log* log);

/** The cast that plays `program` (from 0) of `bank` on `channel`. Any thread. */
const htz_cast* htz_orchestra_cast(const htz_orchestra* orchestra, unsigned channel, unsigned bank, unsigned program);

/** Why. Any thread. */
htz_program_reason htz_orchestra_why(const htz_orchestra* orchestra, unsigned channel, unsigned bank, unsigned program);

/** True when the notes of a song on the drum channel are played: a kit is there, or what was asked for on that channel. Any thread. */
bool htz_orchestra_drums(const htz_orchestra* orchestra);

/** True when `role` is part of `cast` on `channel`. Any thread. */
bool htz_orchestra_plays(const htz_orchestra* orchestra, const htz_cast* cast, unsigned role, unsigned channel);

/** The casts that `role` is part of, whatever the channel. Any thread. */
htz_cast_set htz_orchestra_casts_of(const htz_orchestra* orchestra, unsigned role);

/** Tell a map what programs mean. Before it knows any part. */
void htz_orchestra_tell(const htz_orchestra* orchestra, htz_midi_map* map);

/** The different instruments that have a role, the fallback first. Any thread. @return how many, at least 1 */
size_t htz_orchestra_players(const htz_orchestra* orchestra, const htz_spec* out[HTZ_ORCHESTRA_MAX]);

/** Place of a part in the mix, for htz_engine_attach_part(): by channel, then by when its role was added. Any thread. */
static inline uint32_t htz_orchestra_rank(const htz_orchestra* orchestra, unsigned channel, unsigned role) {
  enum { ADDED_BITS = 28 }; // the upper four are the channel
  return (uint32_t)channel << ADDED_BITS | (orchestra->role[role].added & ((UINT32_C(1) << ADDED_BITS) - 1));
}

/** Place of a role among those that play together, 0 the first: they are not played by one hand. Any thread. */
unsigned htz_orchestra_beside(const htz_orchestra* orchestra, unsigned role);

/** True when some program, or no program, has `role` play on `channel`. Any thread. */
bool htz_orchestra_wants(const htz_orchestra* orchestra, unsigned role, unsigned channel);

/**
   Add a cast of what is called `name`, an instrument or a performance, while others read the casts and roles that were there before, which
   stay as they are.

   @param reading  0, or read its files again, whatever was read before: which time that is, htz_orchestra_next_reading() unless told
   @return as htz_orchestra_open(), faults are said; nothing has changed unless HTZ_OK. The thread that opened it
*/
htz_status htz_orchestra_add(htz_orchestra* orchestra, const char* name, uint32_t reading, uint8_t* cast, htz_log* log);

/**
   The same of what cast `from` is: each of its instruments' files is read again, and has the notes, the place and the settings that it has
   in that. What the performance that it may be of says by now is not looked at.
*/
htz_status htz_orchestra_add_again(htz_orchestra* orchestra, unsigned from, uint32_t reading, uint8_t* cast, htz_log* log);

/**
   What to do where there is no room for another reading of the files of cast `from`: the one of them that was read longest ago stands for
   it, and has its number. So it is where what a live performance did is done again: that has let go of readings so old. Set-up thread.

   @return false when there are no others of these files
*/
bool htz_orchestra_reuse(htz_orchestra* orchestra, unsigned from, uint32_t reading, uint8_t* cast);

/** The number of the next reading. */
static inline uint32_t htz_orchestra_next_reading(const htz_orchestra* orchestra) {
  return orchestra->readings + 1;
}

/** True when `cast` was read again and has been since: no name leads to it any more. The thread that opened it. */
bool htz_orchestra_outdated(const htz_orchestra* orchestra, unsigned cast);

/** Free an outdated cast, its roles, and the instruments that nothing else plays: no other thread and no part refers to them. */
void htz_orchestra_forget(htz_orchestra* orchestra, unsigned cast);

/** An orchestra like another, which outlives it and stays what it is, so that more can be added. To be freed, too. */
void htz_orchestra_borrow(const htz_orchestra* from, htz_orchestra* out);

/** Free everything loaded. */
void htz_orchestra_free(htz_orchestra* orchestra);

#endif
