#include "hertzian/instrument/spec.h"
#include "tree.h"

#include <stdlib.h>
#include <string.h>

/** The value called `name` of a map, or item number `name` of a list; NULL when there is none. */
static const tree_node* below(const tree_node* node, const char* name, size_t length) {
  const tree_node* it = node->first;
  if (node->type == TREE_LIST) {
    for (unsigned long i = strtoul(name, NULL, 10); it && i > 0; --i) {
      it = it->next;
    }
    return it;
  }
  while (node->type == TREE_MAP && it) {
    if (it->type == TREE_SCALAR && it->length == length && strncmp(it->text, name, length) == 0) {
      return it->next;
    }
    it = it->next->next;
  }
  return NULL;
}

htz_spec_mark htz_spec_place(const htz_spec* spec, const char* path) {
  const tree_node* at = spec->tree;
  for (const tree_node* node = at; node && *path;) {
    const size_t length = strcspn(path, ".");
    node = below(node, path, length);
    at = node ? node : at;
    path += length + (path[length] == '.');
  }
  return at ? (htz_spec_mark){at->line, at->column} : (htz_spec_mark){0, 0};
}
