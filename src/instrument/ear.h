#ifndef HERTZIAN_INSTRUMENT_EAR_H
#define HERTZIAN_INSTRUMENT_EAR_H

#include "build.h"

/**
   Where a body that all keys share is heard by ears: travel time of the sound to the ear that hears first, over all keys and bodies of the
   file, with the pair of ears at `there` [s]; it is taken off all of them. Infinite elsewhere: each key is then heard at once by its nearest
   ear, as a note is to start with its event however far away its body is. Set-up thread.
*/
double htz_ears_first(const htz_spec* spec, htz_ears there);

/**
   Travel time of the sound that output line `line` of key `key` is late by [s]: that of the nearest of the bodies heard in it, less what is
   taken off (htz_ears_first()); 0 where no ear hears it. What other bodies are later by stands in the phase of their weights.
*/
double htz_ears_late(const builder* build, uint32_t line, double key, htz_ears there);

/** What an ear hears of a body of key `key`. */
typedef struct {
  const htz_modes* modes;
  const htz_spec_body* body;
  double key;
  const htz_table (*at)[3]; ///< [HTZ_EARS]
  bool moves;               ///< at[] are not the same
  double late[HTZ_EARS];    ///< its line is late by that already [s]
  double gain;              ///< times 1 at HTZ_EAR_FULL_SCALE
  size_t zones; ///< points at which a shared body is driven: levels are matched for forces there; 0: it is struck and rings
} ear_wish;

/**
   Let pickup `index` of `modal` hear it. A moving ear is put into `out`; with none, or where it does not move, out->of is NULL.

   @return HTZ_OK, HTZ_NO_MEMORY. Set-up thread.
*/
htz_status htz_ears_listen(builder* build, htz_modal* modal, size_t index, const ear_wish* wish, htz_moving_ear* out);

#endif
