#ifndef HERTZIAN_HOST_BUILT_H
#define HERTZIAN_HOST_BUILT_H

#include "hertzian/engine/engine.h"
#include "hertzian/host/orchestra.h"
#include "hertzian/host/performance.h"
#include "hertzian/midi/map.h"

/** An instrument built for playing: all that an engine and a map need, so that it joins them without memory or waiting. */
typedef struct {
  const htz_spec* spec; ///< outlives it
  htz_part* part;       ///< the engine's once `attached`
  bool attached;        ///< audio thread
  double gain, pan;     ///< of its role
  htz_map_part known;   ///< with the settings
  size_t n_settings;
  htz_setting* settings; ///< [n_settings] those that this instrument has a parameter for, by its number
  size_t n_bodies;       ///< of the instrument, over its range
  htz_arena memory;      ///< of the instrument
} htz_built;

/**
   Build `spec` at `rate_hz` for playing with the settings and bindings of `performance`, NULL: none. Set-up thread; the engine may be running.

   @param role the role that it is to have, or NULL: its settings come before those of the performance
   @param keys bit k%64 of word k/64: key k is wanted; NULL: all are
   @param why one-line reason on failure (static text or in `spec`'s memory), or NULL
   @return as htz_instrument_build(); nothing is to be freed unless HTZ_OK
*/
htz_status htz_built_new(const htz_spec* spec, double rate_hz, const htz_role* role, const htz_performance* performance,
                         const uint64_t* keys, htz_built* out, const char** why);

/**
   Give the engine the part, at its next quantum, with `settings` [n_settings] in effect. It answers no channel yet.

   @param number receives its number
   @return false, with nothing changed, when the engine is full. Audio thread
*/
HTZ_RT bool htz_built_attach(htz_built* built, htz_engine* engine, uint32_t rank, const htz_setting* settings,
                             size_t n_settings, uint32_t* number);

/**
   Write to every page of the instrument. Memory comes from the system a page at a time, when it is first written to, which should not be
   the audio thread's doing: a page costs it from a microsecond to a tenth of a millisecond, a first strike dozens of them. Set-up thread,
   before it is attached.
*/
void htz_built_touch(const htz_built* built);

/** Free what the engine would own, unless it was attached. Set-up thread, before the engine is freed. */
void htz_built_discard(htz_built* built);

/** Free the instrument and its settings, after the engine. Set-up thread. */
void htz_built_free(htz_built* built);

#endif
