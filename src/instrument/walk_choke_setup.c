#include "walk.h"

#include <stdlib.h>

// Keys of which one ends the sound of the others.

static bool has(const uint64_t keys[2], long key) {
  return keys[key / 64] >> (key % 64) & 1u;
}

/** One key of the group. */
static void walk_key(walk* w, const tree_node* item, htz_spec_choke* choke) {
  long key;
  if (!htz_walk_key(w, item, &key)) {
    return;
  }
  for (const htz_spec_choke* other = w->spec->chokes; other <= choke; ++other) {
    if (has(other->keys, key)) {
      htz_walk_fault(w, item, "keys: %ld %s; a key is choked by one group", key,
                     other == choke ? "stands twice" : "is in another group already");
      return;
    }
  }
  choke->keys[key / 64] |= UINT64_C(1) << (key % 64);
}

static void walk_choke(walk* w, const tree_node* node) {
  walk_block in;
  if (!htz_walk_block(w, node, "choke", HTZ_BLOCK_CHOKE, HTZ_ANY_CHOICE, &in)) {
    return;
  }
  htz_spec_choke* choke = &w->spec->chokes[w->spec->n_chokes++];
  const tree_node* keys = htz_walk_value(&in, HTZ_ROW_CHOKE_KEYS);
  if (keys && htz_walk_row_list(w, keys, HTZ_ROW_CHOKE_KEYS)) {
    for (const tree_node* item = keys->first; item; item = item->next) {
      walk_key(w, item, choke);
    }
  }
  htz_walk_row_table(w, &in, HTZ_ROW_CHOKE_LOSS, &choke->loss);
}

void htz_walk_chokes(walk* w, const tree_node* node) {
  if (htz_walk_row_list(w, node, HTZ_ROW_FILE_CHOKES)) {
    for (const tree_node* item = node->first; item; item = item->next) {
      walk_choke(w, item);
    }
  }
}

void htz_walk_check_chokes(walk* w, const tree_node* node) {
  size_t index = 0;
  for (const tree_node* item = node->first; item; item = item->next, ++index) {
    for (const tree_node* key = htz_walk_value_of(item, "keys")->first; key; key = key->next) {
      const int number = (int)strtol(key->text, NULL, 10);
      const htz_spec* object = htz_spec_object(w->spec, number);
      if (!object || !htz_spec_has_key(object, number)) {
        htz_walk_fault(w, key, "keys: %d is no key of the instrument", number);
      } else if (object->fingered.n > 0) {
        htz_walk_fault(w, key, "keys: key %d is fingered; its string serves other keys too, and cannot be choked for one",
                       number);
      } else if (!htz_spec_can_be_damped(object)) {
        htz_walk_fault(w, key, "keys: key %d has nothing that a damper damps: only masses and barriers", number);
      }
    }
  }
}
