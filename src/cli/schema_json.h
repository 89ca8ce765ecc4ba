#ifndef HERTZIAN_CLI_SCHEMA_JSON_H
#define HERTZIAN_CLI_SCHEMA_JSON_H

#include <stdio.h>

/** Write the language of instrument files as a JSON Schema (draft 2020-12), for editors. */
void htz_schema_json(FILE* out);

#endif
