#ifndef HERTZIAN_CLI_SCHEMA_MARKDOWN_H
#define HERTZIAN_CLI_SCHEMA_MARKDOWN_H

#include <stdio.h>

/** Write the reference of instrument files as a page of Markdown. */
void htz_schema_reference(FILE* out);

/** Write the parameters that instruments have, as a page of Markdown or as JSON. */
void htz_schema_parameters(FILE* out);
void htz_schema_parameters_json(FILE* out);

#endif
