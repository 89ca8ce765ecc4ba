#ifndef HERTZIAN_INSTRUMENT_EAR_H
#define HERTZIAN_INSTRUMENT_EAR_H

#include "build.h"

/** Travel time of the sound to the ear that hears first, over all keys and bodies of the file [s]; 0 where none hears. Set-up thread. */
double htz_ears_first(const htz_spec* spec);

/**
   Travel time of the sound that output line `line` of key `key` is late by [s]: that of the nearest of the bodies heard in it, after the
   first of all (htz_ears_first()); 0 where no ear hears it. What other bodies are later by stands in the phase of their weights.
*/
double htz_ears_late(const builder* build, uint32_t line, double key);

/**
   Let pickup `index` of `modal` hear the pressure at `ear`, `gain` times 1 at HTZ_EAR_FULL_SCALE, the sound being `late` already [s].

   @param zones points at which a shared body is driven: levels are matched for forces there; 0: it is struck and rings
   @return HTZ_OK, HTZ_NO_MEMORY. Set-up thread.
*/
htz_status htz_ears_listen(builder* build, htz_modal* modal, size_t index, const htz_modes* modes, const htz_ear* ear,
                           double gain, double late, size_t zones);

#endif
