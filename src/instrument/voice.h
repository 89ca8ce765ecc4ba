#ifndef HERTZIAN_INSTRUMENT_VOICE_H
#define HERTZIAN_INSTRUMENT_VOICE_H

#include "hertzian/instrument/spec.h"

/** How strongly a stroke sets off a key's first partial where it is heard, gains included; 0: not known. */
typedef struct {
  double pickup[HTZ_ISLAND_PICKUPS_MAX]; ///< in each of the spec's pickups, relative to the same pickup at other keys
  double drive[HTZ_SPEC_DRIVES_MAX];     ///< and in each of its drives
  double slower; ///< power of the tuning with which a stroke gives the first partial less, as it touches for more of its period
} htz_voice;

/**
   Estimate the voice of `key`, from its first audible mode alone.

   A mallet lighter than what it strikes bounces off: it gives a momentum, M v phi/m of the mode. A string throws its hammer off only
   when it has taken its energy: sqrt(N M/m) v phi, with N strings to share it; heavy strings, in the bass, lie between. What this leaves
   out is nearly the same at neighbouring keys. A pin lets go of a mode that is displaced by lift/phi.

   @return HTZ_OK, also when there is no such body; HTZ_NO_MEMORY. Set-up thread.
*/
htz_status htz_voice_of(const htz_spec* spec, double key, htz_voice* voice);

/** Power of the tuning with which this quantity goes of a mode of `body` that is struck, or plucked, alike, or fed by what is. */
double htz_voice_climb(const htz_spec* spec, size_t body, htz_quantity quantity);

#endif
