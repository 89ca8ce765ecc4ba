#ifndef HERTZIAN_CLI_SHOW_INSTRUMENT_H
#define HERTZIAN_CLI_SHOW_INSTRUMENT_H

#include "hertzian/instrument/catalog.h"

#include <stdio.h>

/** Everything about one instrument, for people and for programs. */
void htz_show_instrument(FILE* out, const htz_spec* spec);
void htz_show_instrument_json(FILE* out, const htz_spec* spec);

/** A table of what is installed. */
void htz_show_catalog(FILE* out, const htz_spec_catalog* catalog);
void htz_show_catalog_json(FILE* out, const htz_spec_catalog* catalog);

enum { HTZ_KEY_NAME = 16 }; ///< bytes of a key's name

/** Name of a MIDI key, middle C (60) being C4. @return `text` */
const char* htz_key_name(int key, char text[HTZ_KEY_NAME]);

/** Lines about the bow of `spec`, and the fingers: of strings with modes and on grids. */
void htz_show_bow(FILE* out, const htz_spec* spec);

#endif
