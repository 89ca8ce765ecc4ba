#ifndef HERTZIAN_INSTRUMENT_BUILD_H
#define HERTZIAN_INSTRUMENT_BUILD_H

#include "hertzian/dsp/fractional.h"
#include "hertzian/instrument/instrument.h"

/** What one construction needs to know. */
typedef struct {
  const htz_spec* spec; // the file, then the object whose key is built
  double rate_hz;
  const htz_kernels* kernels;
  htz_arena* arena;
  const char* why;              // on failure one line, or NULL
  char where[HTZ_SPEC_WHERE];   // and what of the file it is about, for htz_spec_place()
  const uint64_t* keys;         // set of those wanted, or NULL: all
  bool in_earnest;              // it is to be played: ears get their weights, which cost time; else they are deaf
  double first_heard[HTZ_EARS]; // htz_ears_first()
  htz_fractional reader;        // of a file with a clock of its own, htz_build_reader(); no table: each key makes one
} builder;

/** An island while it is being built: the bodies of the file, the struck one as often as it is there. */
typedef struct {
  htz_modal_island_desc desc;
  const htz_modes* modes[HTZ_ISLAND_BODIES_MAX]; // of each body of the file
  uint32_t first[HTZ_ISLAND_BODIES_MAX];         // of each body of the file: where in the island its copies begin
  uint32_t count[HTZ_ISLAND_BODIES_MAX];         // and how many there are
  double key;
  size_t n_modes;
  uint32_t n_ears;
  htz_moving_ear ears[HTZ_ISLAND_OUTPUTS_MAX]; // of all bodies, those that move
} island_plan;

/** The island of one key. @return HTZ_OK, HTZ_BAD_VALUE, HTZ_UNSUPPORTED (not at this sample rate), HTZ_NO_MEMORY. Set-up thread. */
htz_status htz_build_island(builder* build, double key, htz_island** island, island_plan* plan);

/** What all keys of a file with a clock of its own are read out through, in `build->arena`. @return HTZ_OK, HTZ_BAD_VALUE, HTZ_NO_MEMORY */
htz_status htz_build_reader(builder* build);

/** Contact points of body `b` of the file that mallets, bows and a finger have; those of what is fixed to it or lies on it come behind. */
size_t htz_build_played_points(const htz_spec* spec, size_t b);

/** And with these; points of its links and of what feeds it come behind. */
size_t htz_build_own_points(const htz_spec* spec, double key, size_t b);

/** And with them. */
size_t htz_build_points(const htz_spec* spec, const island_plan* plan, size_t b);

/** Ends of links on body `b` of `key` before end `end` of link `l`, those of the key below that reach up to it included. */
size_t htz_build_ends_before(const htz_spec* spec, double key, size_t b, size_t l, size_t end);

/** The law of a link that is not rigid. */
htz_law htz_build_link_law(const htz_spec_link* link, double key);

/** The point of `b` that feed `f` drives. */
uint32_t htz_build_fed_point(const htz_spec* spec, const island_plan* plan, size_t b, size_t f);

/** The rate at which the keys of the file run [Hz]: that of its own clock, or the host's. */
double htz_build_clock(const builder* build);

/**
   Measure the keys that the file wants tuned as they sound, and tune those of `keys` [HTZ_KEYS] that are built (htz_key.tuned): between
   two measured ones in proportion, beyond them as the nearest.

   @return HTZ_OK, HTZ_NO_MEMORY
*/
htz_status htz_build_tuned(builder* build, htz_key* keys);

/** Put the points of links and feeds on one copy of body `b` where they belong. */
void htz_build_place_links(const htz_spec* spec, const island_plan* plan, size_t b, htz_modal* modal);

/** The links of the key, in `build->arena`. @return HTZ_OK or HTZ_NO_MEMORY */
htz_status htz_build_links(builder* build, island_plan* plan);

/**
   Keys that are linked to each other, and what they share that way; of `keys` [HTZ_KEYS], whose islands are built, of the file `spec`.

   @return HTZ_OK, HTZ_BAD_VALUE, HTZ_NO_MEMORY
*/
htz_status htz_build_linked(builder* build, const htz_spec* spec, htz_key* keys, htz_linked* linked, size_t* n_modes);
/** Where drive point `z` of `zones` of the shared body is, fraction of its line. */
double htz_build_zone(size_t z, size_t zones);

/** The body all keys share, and the bridge where there can be one. */
htz_status htz_build_board(builder* build, htz_board* board, size_t* n_modes);

/** What keys hit besides; nothing where the file has no action. @return HTZ_OK, HTZ_BAD_VALUE, HTZ_NO_MEMORY */
htz_status htz_build_action(builder* build, htz_action* action, size_t* n_modes);

/** Output line of pickup `p`: pickups in one place share one. With p = n_pickups: the line after those, to the shared body. */
uint32_t htz_build_line_of(const htz_spec* spec, size_t p);

/** Note that `why`, "property: reason" or NULL, is about `part` of the file, a path. */
void htz_build_blame(builder* build, const char* part, const char* why);

#endif
