#ifndef HERTZIAN_CLI_TRY_INSTRUMENT_H
#define HERTZIAN_CLI_TRY_INSTRUMENT_H

#include "hertzian/host/orchestra.h"
#include "hertzian/instrument/spec.h"

/**
   Do with an instrument file what `play` and `render` will do: make every key of its range at each usual sample rate, and strike each at
   48 kHz until it is heard.

   @param diags what is wrong is added, with its line; what is only to be known, as a warning
   @return HTZ_OK, HTZ_BAD_INPUT after a fault, HTZ_NO_MEMORY and what else starting an engine may fail with. Set-up thread.
*/
htz_status htz_try_instrument(const htz_spec* spec, htz_diags* diags);

/**
   Say of the first instrument that has keys which cannot be made at `rate_hz` which line of its file is the reason, as `FILE:LINE:COLUMN: text`.

   @return false when every key of every instrument can be made, or without memory
*/
bool htz_try_explain(const htz_orchestra* orchestra, double rate_hz, size_t size, char* text);

#endif
