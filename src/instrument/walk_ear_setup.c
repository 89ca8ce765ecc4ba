#include "walk.h"

#include <string.h>

// Where bodies are, and the ears that hear them: metres from the instrument's origin.

static bool walk_place(walk* w, const tree_node* node, htz_row_id row, htz_table at[3]) {
  const htz_range range = htz_walk_range_of(row);
  bool good = htz_walk_list(w, node, range.name, 3, 3);
  const tree_node* item = node->first;
  for (size_t i = 0; i < 3 && good; ++i, item = item->next) {
    good = htz_walk_table(w, item, &range, &at[i]);
  }
  return good;
}

bool htz_walk_metres(walk* w, const walk_block* in, htz_row_id row, htz_table at[3]) {
  return walk_place(w, htz_walk_value(in, row), row, at);
}

void htz_walk_ears(walk* w, const tree_node* node) {
  static const htz_row_id rows[HTZ_EARS] = {[HTZ_EARS_PLAYER] = HTZ_ROW_EARS_PLAYER,
                                            [HTZ_EARS_AUDIENCE] = HTZ_ROW_EARS_AUDIENCE,
                                            [HTZ_EARS_CLOSE] = HTZ_ROW_EARS_CLOSE};
  walk_block in;
  if (!htz_walk_block(w, node, "ears", HTZ_BLOCK_EARS, HTZ_ANY_CHOICE, &in)) {
    return;
  }
  htz_spec* spec = w->spec;
  size_t n = 0;
  w->shared = true; // they are where they are for all keys
  for (size_t i = 0; i < HTZ_EARS; ++i) {
    const tree_node* pair = htz_walk_value(&in, rows[i]);
    if (!pair) {
      continue;
    }
    if (htz_walk_row_list(w, pair, rows[i])) {
      spec->ears_given[i] =
          walk_place(w, pair->first, rows[i], spec->ears[i][0]) && walk_place(w, pair->first->next, rows[i], spec->ears[i][1]);
    }
    spec->params[HTZ_PARAM_EARS] = n++ == 0 ? (double)i : spec->params[HTZ_PARAM_EARS];
  }
  w->shared = false;
  if (n == 0 && w->foreign == 0) {
    htz_walk_fault(w, node, "ears: nothing says where they are; allowed: player, audience and close, one or more of them");
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

bool htz_walk_both_ears(const walk_block* in, htz_row_id row) {
  const tree_node* node = htz_walk_value(in, row);
  size_t word;
  return node && htz_walk_instead(node, row, &word);
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
  const htz_spec* whole = w->spec->whole;
  bool given = htz_walk_value_of(w->top, "ears") != NULL;
  for (size_t i = 0; i < HTZ_EARS; ++i) {
    given = given || whole->ears_given[i]; // under a name that is misspelt
  }
  if (given) {
    htz_walk_one_of_ears(w->spec, 0, ear);
  } else if (!w->unsure_ears) {
    htz_walk_fault(w, node, "ear: the file has no pair of ears; it is given as `ears: {player: [[x, y, z], [x, y, z]]}`");
    w->unsure_ears = true; // told once, however many pickups hear by it
  }
}

void htz_walk_ear(walk* w, const walk_block* in, htz_row_id row, htz_row_id other, const tree_node* place,
                  const htz_spec_body* body, htz_table ear[HTZ_EARS][3]) {
  const tree_node* at = htz_walk_value(in, row);
  if (htz_walk_both_ears(in, row)) {
    walk_both(w, at, place, ear);
  } else if (htz_walk_bare_word(at)) {
    htz_walk_fault(w, at, "ear: unknown \"%.20s\". Allowed: a place such as [0.3, -0.5, 0.5], or `both` for the pair of `ears`",
                   at->text);
  } else {
    htz_walk_metres(w, in, row, ear[0]);
    for (size_t i = 1; i < HTZ_EARS; ++i) {
      memcpy(ear[i], ear[0], sizeof ear[i]);
    }
  }
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
