#include "still.h"
#include "walk.h"

#include "hertzian/instrument/spec_link.h"

#include <string.h>

/*
   A file whose keys have different objects. What belongs to the instrument stands at the top; each object is read as a file of its own
   is, without that.
*/

bool htz_walk_has_objects(const tree_node* root) {
  static const char* const per_key = "per_key";
  const char* objects = htz_schema[HTZ_ROW_FILE_OBJECTS].range.name;
  if (root->type != TREE_MAP || htz_walk_value_of(root, objects) || htz_walk_value_of(root, per_key)) {
    return root->type == TREE_MAP && htz_walk_value_of(root, objects);
  }
  bool near = false; // misspelt, and nothing that would make it another kind of file
  for (const tree_node* key = root->first; key; key = key->next->next) {
    near = near || (key->type == TREE_SCALAR && htz_suggest(key->text, &objects, 1));
  }
  return near;
}

const char* htz_walk_top_name(const walk* w) {
  return w->object ? "the object" : "the file";
}

bool htz_walk_top(walk* w, const tree_node* root, walk_block* in) {
  const unsigned whole = w->spec->grid ? HTZ_IN_GRID : HTZ_IN_MODAL;
  if (!htz_walk_block(w, root, htz_walk_top_name(w), HTZ_BLOCK_FILE, HTZ_ANY_CHOICE, in)) {
    return false;
  }
  for (size_t i = HTZ_FIRST_FILE; w->object && i < HTZ_END_FILE; ++i) {
    const htz_row* row = &htz_schema[i];
    const tree_node** value = &in->value[i - HTZ_FIRST_FILE];
    if (*value && (row->told & htz_walk_context(w)) && (row->where & whole)) {
      htz_walk_fault(w, *value, "%s: belongs to the whole file; it stands beside `objects`", row->range.name);
      *value = NULL;
    }
  }
  return true;
}

void htz_walk_check_board(walk* w, const tree_node* shared) {
  const htz_spec* spec = w->spec;
  const htz_spec_board* board = &spec->board;
  size_t drives = 0;
  for (size_t i = 0; i < spec->n_objects; ++i) {
    drives += spec->objects[i]->board.n_drives;
  }
  if (board->given && drives == 0) {
    htz_walk_fault(w, shared, "shared: nothing moves \"%s\"; it needs drives", board->body.name);
  }
  if (board->given && board->n_pickups == 0) {
    htz_walk_fault(w, shared, "shared: \"%s\" is not heard; it needs pickups", board->body.name);
  }
  htz_walk_check_stirred(w, shared);
}

static bool has(const htz_spec* spec, long key) {
  return spec->keys[key / 64] >> (key % 64) & 1u;
}

static void add_key(htz_spec* spec, long key) {
  spec->keys[key / 64] |= UINT64_C(1) << (key % 64);
  spec->key_low = key < spec->key_low ? (int)key : spec->key_low;
  spec->key_high = key > spec->key_high ? (int)key : spec->key_high;
}

/** Keys one by one. @return false after a fault */
static bool walk_key_list(walk* w, const tree_node* node, htz_spec* object) {
  walk_block in;
  if (!htz_walk_block(w, node, "keys", HTZ_BLOCK_KEY_LIST, HTZ_ANY_CHOICE, &in)) {
    return false;
  }
  const tree_node* list = htz_walk_value(&in, HTZ_ROW_KEY_LIST_LIST);
  if (!list || !htz_walk_row_list(w, list, HTZ_ROW_KEY_LIST_LIST)) {
    return false;
  }
  bool good = true;
  for (const tree_node* item = list->first; item; item = item->next) {
    long key;
    if (!htz_walk_key(w, item, &key)) {
      good = false;
    } else if (has(object, key)) {
      htz_walk_fault(w, item, "keys: %ld stands twice", key);
      good = false;
    } else {
      add_key(object, key);
    }
  }
  return good;
}

/** One key, a range [first, last], or {list: [...]}. @return false after a fault */
static bool walk_keys(walk* w, const tree_node* node, htz_spec* object) {
  long key;
  int low, high;
  object->key_low = HTZ_KEYS - 1;
  object->key_high = 0;
  if (node->type == TREE_MAP) {
    return walk_key_list(w, node, object);
  }
  if (node->type == TREE_SCALAR) {
    const bool good = htz_walk_key(w, node, &key);
    if (good) {
      add_key(object, key);
    }
    return good;
  }
  if (!htz_walk_key_range(w, node, "keys", &low, &high)) {
    return false;
  }
  for (key = low; key <= high; ++key) {
    add_key(object, key);
  }
  return true;
}

/** No key has two objects. */
static void check_apart(walk* w, const tree_node* node, size_t index) {
  const htz_spec* object = w->spec->objects[index];
  for (int key = 0; key < HTZ_KEYS; ++key) {
    for (size_t i = 0; i < index && has(object, key); ++i) {
      if (has(w->spec->objects[i], key)) {
        htz_walk_fault(w, node, "keys: key %d belongs to object %zu of the file already", key, i + 1);
        return;
      }
    }
  }
}

/** An empty spec for each item, with the keys it has, so that the range of all is known before bodies are read. */
static void add_objects(walk* w, const tree_node* node, bool* keyed) {
  htz_spec* spec = w->spec;
  htz_spec** objects = htz_walk_alloc(w, node->n, sizeof *objects);
  if (!objects) {
    return;
  }
  spec->objects = objects;
  spec->n_objects = 0;
  spec->key_low = HTZ_KEYS - 1;
  spec->key_high = 0;
  for (const tree_node* item = node->first; item; item = item->next) {
    htz_spec* object = htz_walk_new_spec();
    if (!object) {
      spec->memory.failed = true;
      return;
    }
    const size_t index = spec->n_objects++;
    const tree_node* keys = item->type == TREE_MAP ? htz_walk_value_of(item, htz_schema[HTZ_ROW_FILE_KEYS].range.name) : NULL;
    objects[index] = object;
    object->file = spec->file;
    object->id = spec->id;
    object->whole = spec;
    object->tree = item;
    object->strict = true;
    object->keys[0] = object->keys[1] = 0;
    keyed[index] = keys && walk_keys(w, keys, object);
    if (keyed[index]) {
      check_apart(w, keys, index);
      spec->key_low = object->key_low < spec->key_low ? object->key_low : spec->key_low;
      spec->key_high = object->key_high > spec->key_high ? object->key_high : spec->key_high;
      w->keyed = true;
    }
  }
  if (!w->keyed) {
    spec->key_low = 0;
    spec->key_high = HTZ_KEYS - 1;
  }
}

/** The range over which keys are placed: that of all objects, unless the file gives a wider one. */
static void walk_range_of_all(walk* w, const tree_node* node) {
  htz_spec* spec = w->spec;
  int low, high;
  if (htz_walk_key_range(w, node, "keys", &low, &high)) {
    if (w->keyed && (spec->key_low < low || spec->key_high > high)) {
      htz_walk_fault(w, node, "keys: the objects have keys %d to %d, which is beyond", spec->key_low, spec->key_high);
    }
    spec->key_low = low;
    spec->key_high = high;
    w->keyed = true;
  }
}

static void check_name(walk* w, const tree_node* item, size_t index) {
  const htz_spec* object = w->spec->objects[index];
  const tree_node* name = item->type == TREE_MAP ? htz_walk_value_of(item, htz_schema[HTZ_ROW_FILE_NAME].range.name) : NULL;
  if (!name || !object->name) {
    return;
  }
  if (!htz_walk_good_name(name)) {
    htz_walk_fault(w, name, "name: that of an object is made of 1 to %d letters, digits, - and _", (int)WALK_NAME_BYTES);
  }
  for (size_t i = 0; i < index; ++i) {
    if (w->spec->objects[i]->name && strcmp(w->spec->objects[i]->name, object->name) == 0) {
      htz_walk_fault(w, name, "name: \"%s\" is that of object %zu already", object->name, i + 1);
    }
  }
}

static void walk_object(walk* w, const tree_node* item, size_t index, bool keyed) {
  htz_spec* object = w->spec->objects[index];
  walk own = {
      .spec = object, .diags = w->diags, .top = w->top, .object = true, .keyed = keyed, .unsure_shared = w->unsure_shared};
  object->board = w->spec->board;
  object->n_linked_shared = w->spec->n_linked_shared;
  object->linked_shared = w->spec->linked_shared;
  object->params[HTZ_PARAM_EARS] = w->spec->params[HTZ_PARAM_EARS];
  htz_walk_one(&own, item);
  w->unsure_own = w->unsure_own || own.unsure_own;
  check_name(w, item, index);
  for (size_t b = 0; b < object->n_bodies; ++b) {
    bool shared = object->board.given && strcmp(object->bodies[b].name, object->board.body.name) == 0;
    for (size_t i = 0; i < object->n_linked_shared; ++i) {
      shared = shared || strcmp(object->bodies[b].name, object->linked_shared[i].body.name) == 0;
    }
    if (shared) {
      htz_walk_fault(w, item, "per_key: \"%s\" is the name of the body that all keys share", object->bodies[b].name);
    }
  }
  if (w->diags->n == 0 && object->n_pickups == 0 && object->board.n_drives == 0 && !htz_spec_object_linked(object)) {
    htz_walk_fault(w, item, "the object: nothing is heard of it; give it pickups%s",
                   object->board.given ? ", or drives of the shared body" : "");
  }
  w->spec->memory.failed = w->spec->memory.failed || object->memory.failed;
}

/** What is heard of the shared body; objects have pickups of their own. */
static void walk_pickups(walk* w, const tree_node* node) {
  if (w->spec->board.given || w->spec->n_linked_shared || w->unsure_shared) {
    htz_walk_pickups(w, node);
  } else {
    htz_walk_fault(w, node, "pickups: here they hear a shared body, and there is none; each object has its own");
  }
}

/** What joins the shared bodies to each other and to the ground; objects have links of their own. */
static void walk_links(walk* w, const tree_node* node) {
  if (w->spec->n_linked_shared || w->unsure_shared) {
    w->settled = true; // there are no keys' bodies here
    htz_walk_links(w, node);
    w->settled = false;
  } else {
    htz_walk_fault(w, node, "links: here they join shared bodies, and there are none; each object has its own");
  }
}

/** Parameters: what the file says holds for every object that says nothing, and what one says is shown where the file does not. */
static void share_params(htz_spec* spec) {
  for (size_t i = 0; i < spec->n_objects; ++i) {
    htz_spec* object = spec->objects[i];
    for (size_t p = 0; p < HTZ_PARAM_COUNT; ++p) {
      if (spec->param_given[p] && !object->param_given[p]) {
        object->param_given[p] = true;
        object->params[p] = spec->params[p];
      }
    }
    htz_walk_derive(object);
  }
  for (size_t p = 0; p < HTZ_PARAM_NAMED; ++p) {
    for (size_t i = 0; i < spec->n_objects && !spec->param_given[p]; ++i) {
      if (htz_spec_param_used(spec->objects[i], (htz_param_index)p)) {
        spec->params[p] = spec->objects[i]->params[p];
        break;
      }
    }
  }
}

void htz_walk_objects_file(walk* w, const tree_node* root) {
  static const struct {
    htz_row_id row;
    void (*read)(walk*, const tree_node*);
  } playing[] = {{HTZ_ROW_FILE_CHOKES, htz_walk_chokes},
                 {HTZ_ROW_FILE_PROGRAMS, htz_walk_programs},
                 {HTZ_ROW_FILE_KITS, htz_walk_kits},
                 {HTZ_ROW_FILE_DEFAULTS, htz_walk_defaults},
                 {HTZ_ROW_FILE_CONTROLS, htz_walk_controls}};
  walk_block in;
  bool keyed[HTZ_KEYS] = {false};
  w->several = true;
  if (!htz_walk_block(w, root, "the file, beside what its objects have", HTZ_BLOCK_FILE, HTZ_ANY_CHOICE, &in)) {
    return;
  }
  const bool foreign = w->foreign > 0;
  const tree_node *objects = htz_walk_value(&in, HTZ_ROW_FILE_OBJECTS), *shared = htz_walk_value(&in, HTZ_ROW_FILE_SHARED);
  const tree_node *keys = htz_walk_value(&in, HTZ_ROW_FILE_KEYS), *chokes = htz_walk_value(&in, HTZ_ROW_FILE_CHOKES);
  const bool listed = objects && htz_walk_row_list(w, objects, HTZ_ROW_FILE_OBJECTS);
  htz_walk_titles(w, &in);
  w->spec->strict = true;
  if (htz_walk_value(&in, HTZ_ROW_FILE_FORMAT)) {
    htz_walk_format(w, htz_walk_value(&in, HTZ_ROW_FILE_FORMAT));
  }
  if (listed) {
    add_objects(w, objects, keyed);
  }
  if (keys) {
    walk_range_of_all(w, keys);
  }
  if (shared) {
    htz_walk_shared(w, shared);
  }
  w->unsure_shared = !w->spec->board.given && w->spec->n_linked_shared == 0 && (shared || foreign);
  if (htz_walk_value(&in, HTZ_ROW_FILE_EARS)) {
    htz_walk_ears(w, htz_walk_value(&in, HTZ_ROW_FILE_EARS));
  }
  if (htz_walk_value(&in, HTZ_ROW_FILE_PICKUPS)) {
    walk_pickups(w, htz_walk_value(&in, HTZ_ROW_FILE_PICKUPS));
  }
  if (htz_walk_value(&in, HTZ_ROW_FILE_LINKS)) {
    walk_links(w, htz_walk_value(&in, HTZ_ROW_FILE_LINKS));
  }
  size_t index = 0;
  for (const tree_node* item = listed ? objects->first : NULL; item && index < w->spec->n_objects; item = item->next) {
    walk_object(w, item, index, keyed[index]);
    ++index;
  }
  htz_walk_bind(w);
  w->unsure_bow = w->diags->n > 0;
  for (size_t i = 0; i < sizeof playing / sizeof playing[0]; ++i) {
    if (htz_walk_value(&in, playing[i].row)) {
      playing[i].read(w, htz_walk_value(&in, playing[i].row));
    }
  }
  if (w->diags->n == 0 && !w->spec->memory.failed) {
    htz_walk_check_board(w, shared);
    htz_walk_check_ears(w, htz_walk_value(&in, HTZ_ROW_FILE_EARS));
    htz_walk_check_params(w, htz_walk_value(&in, HTZ_ROW_FILE_DEFAULTS), htz_walk_value(&in, HTZ_ROW_FILE_CONTROLS));
    if (chokes) {
      htz_walk_check_chokes(w, chokes);
    }
  }
  if (w->diags->n == 0 && !w->spec->memory.failed) {
    share_params(w->spec);
  }
  if (w->diags->n == 0 && !w->spec->memory.failed && htz_spec_check_still(w->spec, w->diags)) {
    w->spec->memory.failed = true;
  }
}
