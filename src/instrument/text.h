#ifndef HERTZIAN_INSTRUMENT_TEXT_H
#define HERTZIAN_INSTRUMENT_TEXT_H

#include "hertzian/instrument/diag.h"

#include <stddef.h>

/**
   Read a text file.

   @param most   bytes that it may have; of a longer one so many and one more are read
   @param text   receives what free() frees, NULL on failure
   @param diags  receives one line on failure
   @return HTZ_OK, HTZ_NOT_FOUND, HTZ_IO, HTZ_NO_MEMORY, HTZ_NO_FILES. Set-up thread.
*/
htz_status htz_text_read(const char* path, size_t most, char** text, size_t* length, htz_diags* diags);

#endif
