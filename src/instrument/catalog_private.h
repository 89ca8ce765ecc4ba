#ifndef HERTZIAN_INSTRUMENT_CATALOG_PRIVATE_H
#define HERTZIAN_INSTRUMENT_CATALOG_PRIVATE_H

#include "hertzian/instrument/catalog.h"

enum { HTZ_INSTALLED_MAX = 1000 }; // instruments listed; a folder with more is not one of instruments

#define HTZ_INSTRUMENT_ENDING ".yaml"
enum { HTZ_INSTRUMENT_ENDING_BYTES = sizeof HTZ_INSTRUMENT_ENDING - 1 };

/** True of what ends so, and is more than the ending. */
bool htz_is_instrument_file(const char* name);

/** Names and paths only. @return as htz_spec_list_heads() */
htz_status htz_spec_list_names(htz_spec_catalog* out);

#endif
