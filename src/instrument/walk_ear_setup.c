#include "walk.h"

#include <string.h>

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

void htz_walk_ears(walk* w, const tree_node* node) {
  walk_field fields[HTZ_EARS];
  const tree_node* values[HTZ_EARS];
  for (size_t i = 0; i < HTZ_EARS; ++i) {
    fields[i] = (walk_field){htz_param_words(HTZ_PARAM_EARS)[i], false};
  }
  if (!htz_walk_map(w, node, "ears", HTZ_EARS, fields, values)) {
    return;
  }
  htz_spec* spec = w->spec;
  size_t n = 0;
  w->shared = true; // they are where they are for all keys
  for (size_t i = 0; i < HTZ_EARS; ++i) {
    if (values[i] && htz_walk_list(w, values[i], fields[i].name, 2, 2)) {
      spec->ears_given[i] = htz_walk_metres(w, values[i]->first, fields[i].name, spec->ears[i][0]) &&
                            htz_walk_metres(w, values[i]->first->next, fields[i].name, spec->ears[i][1]);
      spec->params[HTZ_PARAM_EARS] = n == 0 ? (double)i : spec->params[HTZ_PARAM_EARS];
    }
    n += values[i] != NULL;
  }
  w->shared = false;
  if (n == 0 && w->foreign == 0) {
    htz_walk_fault(w, node, "ears: say where they are: {%s: [[-0.3, -0.5, 0.5], [0.3, -0.5, 0.5]]}", fields[0].name);
  }
}

void htz_walk_check_ears(walk* w, const tree_node* ears) {
  if (ears && !htz_spec_has_pair(w->spec)) {
    htz_walk_fault(w, ears, "ears: nothing is heard by the pair; a pickup is with `ear: both`");
  }
}

htz_ears htz_spec_first_ears(const htz_spec* spec) {
  return (htz_ears)spec->whole->params[HTZ_PARAM_EARS];
}

bool htz_walk_both_ears(const tree_node* ear) {
  return ear && ear->type == TREE_SCALAR && !ear->quoted && strcmp(ear->text, "both") == 0;
}

void htz_walk_one_of_ears(const htz_spec* spec, size_t side, htz_table ear[HTZ_EARS][3]) {
  const htz_spec* whole = spec->whole;
  for (size_t i = 0; i < HTZ_EARS; ++i) {
    const size_t there = whole->ears_given[i] ? i : (size_t)htz_spec_first_ears(spec);
    memcpy(ear[i], whole->ears[there][side], sizeof ear[i]);
  }
}

/** The ears that `both` means. */
static void walk_both(walk* w, const tree_node* node, const tree_node* place, htz_table ear[HTZ_EARS][3]) {
  if (place) {
    htz_walk_fault(w, place, "ear: both ears are heard left and right; nothing places them but where they are");
  }
  if (htz_walk_value_of(w->top, "ears")) {
    htz_walk_one_of_ears(w->spec, 0, ear);
  } else {
    htz_walk_fault(w, node, "ear: the file has no pair of ears; it is given as `ears: {player: [[x, y, z], [x, y, z]]}`");
  }
}

void htz_walk_ear(walk* w, const tree_node* node, const tree_node* const other[], size_t others, const tree_node* place,
                  const htz_spec_body* body, htz_table ear[HTZ_EARS][3]) {
  if (htz_walk_both_ears(node)) {
    walk_both(w, node, place, ear);
  } else if (node->type == TREE_SCALAR) {
    htz_walk_fault(w, node, "ear: expected a place such as [0.3, -0.5, 0.5], or `both` for the pair of `ears`");
  } else {
    htz_walk_metres(w, node, "ear", ear[0]);
    for (size_t i = 1; i < HTZ_EARS; ++i) {
      memcpy(ear[i], ear[0], sizeof ear[i]);
    }
  }
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
