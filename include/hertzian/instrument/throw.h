#ifndef HERTZIAN_INSTRUMENT_THROW_H
#define HERTZIAN_INSTRUMENT_THROW_H

#include "hertzian/instrument/instrument.h"

/** Share of the way from velocity 1 to 127, of a velocity held within these. Any thread. */
double htz_key_share(double velocity);

/** The throw that `share` means on a key as its file has it: speed exponential, stiffness a power of it. Any thread. */
htz_strike htz_key_throw(const htz_key* key, double share);

/** The same with another of the object's mallets. Any thread. */
void htz_strike_with(htz_strike* strike, const htz_mallet_kind* kind);

#endif
