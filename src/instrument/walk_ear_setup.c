#include "walk.h"

// Where bodies are, and the ears that hear them: metres from the instrument's origin.

static const walk_range metres_range = {"place", "m", -100.0, 100.0};

bool htz_walk_metres(walk* w, const tree_node* node, const char* name, htz_table at[3]) {
  walk_range range = metres_range;
  range.name = name;
  if (!htz_walk_list(w, node, name, 3, 3)) {
    return false;
  }
  bool good = true;
  const tree_node* item = node->first;
  for (size_t i = 0; i < 3; ++i, item = item->next) {
    good = htz_walk_table(w, item, &range, &at[i]) && good;
  }
  return good;
}

void htz_walk_ear(walk* w, const tree_node* node, const tree_node* const other[], size_t others, const htz_spec_body* body,
                  htz_table ear[3]) {
  htz_walk_metres(w, node, "ear", ear);
  for (size_t i = 0; i < others; ++i) {
    if (other[i]) {
      htz_walk_fault(w, other[i], "ear: hears the pressure that the whole body makes; `quantity` and `at` do not go with it");
    }
  }
  // A body that could not be made has been reported.
  if (body && body->most_modes > 0 && body->unheard) {
    htz_walk_fault(w, node, "%s", body->unheard);
  }
}
