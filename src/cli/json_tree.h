#ifndef HERTZIAN_CLI_JSON_TREE_H
#define HERTZIAN_CLI_JSON_TREE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

enum { HTZ_JSON_DEPTH_MAX = 32 };

/** JSON that is written as it goes, one member or item a line; short lists on one. */
typedef struct {
  FILE* out;
  size_t depth;
  bool any[HTZ_JSON_DEPTH_MAX]; ///< something stands already at this depth
  bool flat[HTZ_JSON_DEPTH_MAX];
} htz_json_tree;

/** Begin an object or list, the value of `key`; NULL: an item of a list. `flat`: on one line. */
void htz_json_open(htz_json_tree* tree, const char* key, char bracket, bool flat);
void htz_json_close(htz_json_tree* tree, char bracket);

/** Members, or with NULL as key items. */
void htz_json_text(htz_json_tree* tree, const char* key, const char* text);
void htz_json_value(htz_json_tree* tree, const char* key, double value);
void htz_json_flag(htz_json_tree* tree, const char* key, bool value);

#endif
