#include "walk.h"

// Where bodies are, and the ears that hear them: metres from the instrument's origin.

bool htz_walk_metres(walk* w, const walk_block* in, htz_row_id row, htz_table at[3]) {
  const tree_node* node = htz_walk_value(in, row);
  const htz_range range = htz_walk_range_of(row);
  if (!htz_walk_row_list(w, node, row)) {
    return false;
  }
  bool good = true;
  const tree_node* item = node->first;
  for (size_t i = 0; i < 3; ++i, item = item->next) {
    good = htz_walk_table(w, item, &range, &at[i]) && good;
  }
  return good;
}

void htz_walk_ear(walk* w, const walk_block* in, htz_row_id row, htz_row_id other, const htz_spec_body* body,
                  htz_table ear[3]) {
  htz_walk_metres(w, in, row, ear);
  for (size_t i = other; i < row; ++i) {
    const tree_node* node = htz_walk_value(in, (htz_row_id)i);
    if (node) {
      htz_walk_fault(w, node, "ear: hears the pressure that the whole body makes; `quantity` and `at` do not go with it");
    }
  }
  // A body that could not be made has been reported.
  if (body && body->most_modes > 0 && body->unheard) {
    htz_walk_fault(w, htz_walk_value(in, row), "%s", body->unheard);
  }
}
