#ifndef HERTZIAN_CLI_SCHEMA_JSON_PRIVATE_H
#define HERTZIAN_CLI_SCHEMA_JSON_PRIVATE_H

#include "json_tree.h"

#include "hertzian/instrument/schema.h"

enum { HTZ_SCHEMA_CONTEXTS = 6 };

typedef struct {
  htz_json_tree tree;
  bool wanted[HTZ_SCHEMA_BLOCKS][HTZ_SCHEMA_CONTEXTS]; ///< some definition refers to it
} htz_schema_writer;

/** A reference to a block in a context, with `word` (or NULL: any) as that which it goes by: as a value of `key`, or as a member. */
void htz_schema_refer(htz_schema_writer* w, const char* key, unsigned block, unsigned context, const char* word);
void htz_schema_refer_here(htz_schema_writer* w, unsigned block, unsigned context, const char* word);

/** A file, or an object of one, by its family, in the one context or the other. */
void htz_schema_by_family(htz_schema_writer* w, const char* key, unsigned modal, unsigned grid);

/** The members that say what may stand in a row. */
void htz_schema_form(htz_schema_writer* w, const htz_row* row, unsigned context);

#endif
