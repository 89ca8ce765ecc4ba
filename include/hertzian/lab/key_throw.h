#ifndef HERTZIAN_LAB_KEY_THROW_H
#define HERTZIAN_LAB_KEY_THROW_H

#include "hertzian/instrument/spec.h"
#include "hertzian/lab/impact.h"

/**
   What a key of an instrument throws, as the instrument's own tables and initial parameters say.

   A unison is struck as one of its strings by that string's share of the hammer: in tune and at rest they move alike.
*/
typedef struct {
  htz_modes modes;  ///< of the struck body (one string of a unison), in the arena given
  unsigned strings; ///< struck together
} htz_lab_key;

/**
   Fill in `out`: hammer, felt, body and place; solver, rate and phases are left.

   @param key 0..127; outside the range of an instrument that is not strict its scaling goes on
   @param velocity MIDI velocity 1..127
   @param modes memory for out->body, must outlive it
   @return HTZ_OK; HTZ_BAD_VALUE when there is no such key or body, `why` then says so; HTZ_NO_MEMORY. Set-up thread.
*/
htz_status htz_lab_key_throw(const htz_spec* spec, int key, double velocity, htz_arena* arena, htz_lab_key* modes,
                             htz_lab_throw* out, const char** why);

#endif
