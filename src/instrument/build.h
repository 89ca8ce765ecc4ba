#ifndef HERTZIAN_INSTRUMENT_BUILD_H
#define HERTZIAN_INSTRUMENT_BUILD_H

#include "hertzian/instrument/instrument.h"

/** What one construction needs to know. */
typedef struct {
  const htz_spec* spec; // the file, then the object whose key is built
  double rate_hz;
  const htz_kernels* kernels;
  htz_arena* arena;
  const char* why;            // on failure one line, or NULL
  char where[HTZ_SPEC_WHERE]; // and what of the file it is about, for htz_spec_place()
  const uint64_t* keys;       // set of those wanted, or NULL: all
  bool in_earnest;            // it is to be played: ears get their weights, which cost time; else they are deaf
  double first_heard;         // travel time of the sound to the ear that hears first [s]
} builder;

/** An island while it is being built: the bodies of the file, the struck one as often as it is there. */
typedef struct {
  htz_struck_desc desc;
  const htz_modes* struck; // its modes
  double key;
  size_t n_modes;
} island_plan;

/** The island of one key. @return HTZ_OK, HTZ_BAD_VALUE, HTZ_UNSUPPORTED (not at this sample rate), HTZ_NO_MEMORY. Set-up thread. */
htz_status htz_build_island(builder* build, double key, htz_island** island, island_plan* plan);

/** Where drive point `z` of `zones` of the shared body is, fraction of its line. */
double htz_build_zone(size_t z, size_t zones);

/** The body all keys share, and the bridge where there can be one. */
htz_status htz_build_board(builder* build, htz_board* board, size_t* n_modes);

/** Output line of pickup `p`: pickups in one place share one. With p = n_pickups: the line after those, to the shared body. */
uint32_t htz_build_line_of(const htz_spec* spec, size_t p);

/** Note that `why`, "property: reason" or NULL, is about `part` of the file, a path. */
void htz_build_blame(builder* build, const char* part, const char* why);

#endif
