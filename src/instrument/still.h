#ifndef HERTZIAN_INSTRUMENT_STILL_H
#define HERTZIAN_INSTRUMENT_STILL_H

#include "hertzian/instrument/spec.h"

// What moves by less than this share of what moves elsewhere stands still: -120 dB, below the last bit of 24 when the best place peaks
// at -20 dBFS.
static const double still_share = 1e-6;

/**
   Report every place in a file of bodies with modes at which the body stands still: what strikes, feeds, hears or lies there would do
   nothing. Faults of the lowest key that has any. Grids have htz_grid_check_places().

   @return HTZ_OK, also with faults; HTZ_NO_MEMORY. Set-up thread.
*/
htz_status htz_spec_check_still(const htz_spec* spec, htz_diags* diags);

#endif
