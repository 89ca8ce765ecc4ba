#ifndef HERTZIAN_INSTRUMENT_TREE_H
#define HERTZIAN_INSTRUMENT_TREE_H

#include "hertzian/base/arena.h"
#include "hertzian/instrument/diag.h"

#include <stdbool.h>
#include <stddef.h>

/**
   A YAML document as a tree that remembers where everything stood. Anchors, aliases and tags are not part of the language.
*/
typedef enum { TREE_SCALAR = 0, TREE_LIST, TREE_MAP } tree_type;

typedef struct tree_node tree_node;

struct tree_node {
  tree_type type;
  bool quoted;           // a scalar written in quotes or as a block
  bool broken;           // already reported; nothing more is to be said about it
  unsigned line, column; // from 1
  const char* text;      // scalar: terminated; it may hold zero bytes only if `length` says so
  size_t length;
  size_t n;         // items of a list, or pairs of a map
  tree_node* first; // items; of a map: key, value, key, value ...
  tree_node* next;
};

/**
   Parse `text` into `*root`, allocated in `arena`. What is not a document of this language (syntax, bytes, depth, size) is
   added to `diags`.

   @return HTZ_OK, HTZ_BAD_INPUT, HTZ_NO_MEMORY
*/
htz_status htz_tree_parse(const char* text, size_t length, htz_arena* arena, htz_diags* diags, tree_node** root);

/** True when the document says who plays together, and not what an instrument is made of. */
bool htz_tree_is_performance(const tree_node* root);

#endif
