#ifndef HERTZIAN_CLI_SCHEMA_KIND_H
#define HERTZIAN_CLI_SCHEMA_KIND_H

#include "hertzian/instrument/schema.h"
#include "hertzian/model/kind.h"

/** A number of a kind of bodies, a grid or a law, as a row of the table of properties. */
htz_row htz_row_of_number(const htz_param_desc* desc);

/** What is done with a row; it lasts as long as the call. */
typedef void htz_row_use(void* user, const htz_row* row);

/** Each property of a kind of bodies, beside those that all have: numbers, lists, words. */
void htz_kind_rows(const htz_body_kind* kind, htz_row_use* use, void* user);

#endif
