#include "walk.h"

#include "hertzian/instrument/spec_grid.h"
#include "hertzian/instrument/spec_link.h"

#include <string.h>

/*
   What files of both families, with modes and on grids, say in the same words.
*/

void htz_walk_titles(walk* w, const walk_block* in) {
  const tree_node* name = htz_walk_value(in, HTZ_ROW_FILE_NAME);
  const tree_node* about = htz_walk_value(in, HTZ_ROW_FILE_ABOUT);
  if (name) {
    w->spec->name = htz_walk_text(w, name, "name", htz_schema[HTZ_ROW_FILE_NAME].most);
  }
  if (about) {
    w->spec->about = htz_walk_text(w, about, "about", htz_schema[HTZ_ROW_FILE_ABOUT].most);
  }
  htz_walk_row_flag(w, in, HTZ_ROW_FILE_STRICT, &w->spec->strict);
  htz_walk_row_number(w, in, HTZ_ROW_FILE_CLOCK, &w->spec->clock_hz);
}

const tree_node* htz_walk_value_of(const tree_node* map, const char* name) {
  for (const tree_node* key = map->first; key; key = key->next->next) {
    if (key->type == TREE_SCALAR && strcmp(key->text, name) == 0) {
      return key->next;
    }
  }
  return NULL;
}

const tree_node* htz_walk_kind_of(const tree_node* node) {
  static const char* const name = "body";
  const tree_node* kind = htz_walk_value_of(node, name);
  for (const tree_node* key = node->first; key && !kind; key = key->next->next) {
    kind = key->type == TREE_SCALAR && htz_suggest(key->text, &name, 1) ? key->next : NULL;
  }
  return kind;
}

void htz_walk_tell_name(walk* w, const tree_node* node) {
  if (node->type == TREE_SCALAR && node->length && !node->broken && w->n_told < WALK_TOLD_MAX) {
    w->told[w->n_told++] = node->text;
  }
}

size_t htz_walk_reference(walk* w, const tree_node* node, const char* name, size_t n, const char* const* names) {
  for (size_t i = 0; i < w->n_told && node->type == TREE_SCALAR; ++i) {
    if (strcmp(w->told[i], node->text) == 0) {
      return n;
    }
  }
  const size_t index = htz_walk_word(w, node, name, n, names);
  if (index == n) {
    htz_walk_tell_name(w, node);
  }
  return index;
}

void htz_walk_check_clock(walk* w, const tree_node* node) {
  if (htz_spec_object_linked(w->spec)) {
    htz_walk_fault(w, node,
                   "clock: keys that are linked to each other run at the rate that is played at; allowed: links within a key");
  }
  if (w->spec->mallet.driven) {
    htz_walk_fault(w, node, "clock: the signal that drives a mallet comes at the rate that is played at; allowed: no `drive`");
  }
}

void htz_walk_tuned_at(walk* w, const tree_node* node) {
  static const htz_range range = {"tuned_at", "", 0.0, HTZ_KEYS - 1};
  htz_spec* spec = w->spec;
  if (!htz_walk_row_list(w, node, HTZ_ROW_FILE_TUNED_AT)) {
    return;
  }
  for (const tree_node* item = node->first; item; item = item->next) {
    long key;
    if (htz_walk_whole(w, item, &range, &key)) {
      spec->tuned[key / 64] |= UINT64_C(1) << (key % 64);
    }
  }
}

void htz_walk_check_tuned(walk* w, const tree_node* node) {
  const struct {
    bool cannot;
    const char* why;
  } rules[] = {
      {!w->spec->thrown, "keys are struck to be measured; allowed: with a `mallet`"},
      {w->spec->fingered.n > 0, "fingers share a few strings among all keys; allowed: keys with bodies of their own"},
      {htz_spec_object_linked(w->spec), "keys that are linked to each other sound together; allowed: links within a key"},
  };
  for (size_t i = 0; i < sizeof rules / sizeof rules[0]; ++i) {
    if (rules[i].cannot) {
      htz_walk_fault(w, node, "tuned_at: %s", rules[i].why);
      return;
    }
  }
}

bool htz_walk_good_name(const tree_node* key) {
  const char* allowed = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-";
  return key->type == TREE_SCALAR && key->length > 0 && key->length <= WALK_NAME_BYTES &&
         strspn(key->text, allowed) == key->length;
}

void htz_walk_each_body(walk* w, const tree_node* node, size_t most, walk_add_body* add) {
  enum { MOST = 16 };
  _Static_assert((int)HTZ_ISLAND_BODIES_MAX <= (int)MOST && (int)HTZ_SPEC_GRID_BODIES_MAX <= (int)MOST, "room for all names");
  const char* names[MOST];
  size_t n = 0;
  if (node->type != TREE_MAP || node->n == 0) {
    if (!node->broken) {
      htz_walk_fault(w, node, "per_key: expected the bodies of a key as a map of `name: {body: KIND, ...}`");
    }
    return;
  }
  w->settled = true;
  for (const tree_node* key = node->first; key; key = key->next->next) {
    if (!htz_walk_good_name(key)) {
      if (!key->broken) {
        htz_walk_fault(w, key, "per_key: a body's name is made of 1 to %d letters, digits, - and _", (int)WALK_NAME_BYTES);
      }
      w->settled = false;
      continue;
    }
    bool twice = false;
    for (size_t i = 0; i < n; ++i) {
      twice = twice || strcmp(names[i], key->text) == 0;
    }
    if (twice) {
      htz_walk_fault(w, key, "\"%s\" stands twice in per_key", key->text);
      continue;
    }
    if (n == most) {
      htz_walk_fault(w, key, "per_key: a key has at most %d bodies", (int)most);
      w->settled = false;
      return;
    }
    names[n] = htz_walk_text(w, key, "per_key", WALK_NAME_BYTES);
    if (!names[n]) {
      return;
    }
    add(w, key->next, names[n++]);
  }
}
