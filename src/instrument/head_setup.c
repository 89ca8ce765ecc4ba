#include "head.h"
#include "text.h"

#include <stdlib.h>

htz_status htz_head_read(const char* path, size_t most, htz_head_look* look, void* user) {
  htz_diags* diags = malloc(sizeof *diags); // too large for a stack
  htz_arena memory = {0};
  tree_node* root;
  char* text = NULL;
  size_t length = 0;
  if (!diags) {
    return HTZ_NO_MEMORY;
  }
  htz_diags_init(diags, path);
  htz_status status = htz_text_read(path, most, &text, &length, diags);
  if (!status && length <= most) {
    htz_arena_measure(&memory);
    status = htz_tree_parse(text, length, &memory, diags, &root);
    if (!status) {
      look(root, diags, user);
    }
  }
  htz_arena_free(&memory);
  free(text);
  free(diags);
  return htz_status_starved(status) ? status : HTZ_OK;
}
