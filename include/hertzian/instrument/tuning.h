#ifndef HERTZIAN_INSTRUMENT_TUNING_H
#define HERTZIAN_INSTRUMENT_TUNING_H

#include "hertzian/instrument/spec.h"

/**
   How far a tuner sets key `key` from equal temperament [octave], strings of the body's inharmonicity B: an octave is right when partial
   2 b of its lower key and b of its upper are one pitch, b(key) from 4 at A0 over 3 at C3 and 2 at C4 to 1.5 at C8. A4 stays, and in
   between octaves widen evenly: the sum over keys of S(key - 6)/12, S what the octave from there is wider by. Set-up thread.
*/
double htz_spec_stretch(const htz_spec_body* body, double key);

/** The partials by which a tuner sets the key's pitch, `first` to `last`: 1 and 1 unless octaves are stretched, else b to 2 b. */
void htz_spec_tuned_by(const htz_spec_body* body, double key, unsigned* first, unsigned* last);

#endif
