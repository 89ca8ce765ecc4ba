#include "bow.h"
#include "still.h"
#include "text.h"
#include "walk_grid.h"
#include "walk_prepared.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double format_version = 1.0;

void htz_walk_format(walk* w, const tree_node* node) {
  const htz_range range = {"format", "", 0.0, 1e6};
  double version;
  if (htz_walk_number(w, node, &range, &version) && version != format_version) {
    htz_walk_fault(w, node, "format: %.20s is not one this program reads; it reads 1", node->text);
  }
}

void htz_walk_keys(walk* w, const tree_node* node) {
  if (!w->object) { // whose keys are known before the rest of it is read
    w->keyed = htz_walk_key_range(w, node, "keys", &w->spec->key_low, &w->spec->key_high);
  }
}

/** More lines out of one key than it can have: one per pickup and one to the shared body. */
static void check_lines(walk* w, const tree_node* pickups) {
  const htz_spec* spec = w->spec;
  const size_t lines = spec->n_pickups + (spec->board.n_drives > 0);
  if (lines > HTZ_ISLAND_PICKUPS_MAX) {
    htz_walk_fault(w, pickups, "pickups: %zu of a key's own bodies; beside drives at most %d", spec->n_pickups,
                   (int)HTZ_ISLAND_PICKUPS_MAX - 1);
  }
}

/** Faults that only the whole file shows. All references are known to be good here. */
static void check_whole(walk* w, const walk_block* in) {
  const tree_node* pickups = htz_walk_value(in, HTZ_ROW_FILE_PICKUPS);
  const htz_spec* spec = w->spec;
  for (size_t b = 0; b < spec->n_bodies; ++b) {
    size_t signals = 0;
    for (size_t f = 0; f < spec->n_feeds; ++f) {
      signals += spec->feeds[f].from == b;
    }
    for (size_t p = 0; p < spec->n_pickups; ++p) {
      signals += spec->pickups[p].of == b;
    }
    for (size_t d = 0; d < spec->board.n_drives; ++d) {
      signals += spec->board.drives[d].from == b;
    }
    if (signals > HTZ_PICKUPS_MAX) {
      htz_walk_fault(w, pickups, "\"%s\" is listened to %zu times (feeds, drives and pickups together); at most %d",
                     spec->bodies[b].name, signals, (int)HTZ_PICKUPS_MAX);
    }
  }
  if (!w->object) {
    htz_walk_check_board(w, htz_walk_value(in, HTZ_ROW_FILE_SHARED));
  }
  check_lines(w, pickups);
  htz_walk_order(w, htz_walk_value(in, HTZ_ROW_FILE_PER_KEY), htz_walk_value(in, HTZ_ROW_FILE_FEEDS));
}

/**
   Which kind of bodies the file speaks of: 0 bodies with modes, 1 grids. Faults of `family` are said when its turn comes; where it does
   not tell, the words that only one of the two has do.
*/
static size_t family_of(const tree_node* root) {
  static const unsigned in[2] = {HTZ_IN_MODAL, HTZ_IN_GRID};
  size_t n[2] = {0, 0};
  for (const tree_node* key = root->type == TREE_MAP ? root->first : NULL; key; key = key->next->next) {
    for (size_t f = 0; f < 2 && key->type == TREE_SCALAR; ++f) {
      const tree_node* value = key->next;
      const char* names[] = {htz_row_word(&htz_schema[HTZ_ROW_FILE_FAMILY], 0),
                             htz_row_word(&htz_schema[HTZ_ROW_FILE_FAMILY], 1)};
      if (strcmp(key->text, "family") == 0 && value->type == TREE_SCALAR && htz_suggest(value->text, names, 2) == names[f]) {
        return f;
      }
      for (size_t i = HTZ_FIRST_FILE; i < HTZ_END_FILE; ++i) {
        const htz_row* row = &htz_schema[i];
        n[f] += (row->where & in[f]) && !(row->where & in[1 - f]) && strcmp(key->text, row->range.name) == 0;
      }
    }
    n[1] += key->type == TREE_SCALAR && strcmp(key->text, "family") == 0; // files with modes need none
  }
  return n[1] > n[0];
}

void htz_walk_family(walk* w, const tree_node* node) {
  htz_walk_word_of(w, node, HTZ_ROW_FILE_FAMILY);
}

static void walk_modal_file(walk* w, const tree_node* root) {
  static const struct {
    htz_row_id row;
    void (*read)(walk*, const tree_node*);
  } part[] = {{HTZ_ROW_FILE_FORMAT, htz_walk_format},     {HTZ_ROW_FILE_FAMILY, htz_walk_family},
              {HTZ_ROW_FILE_KEYS, htz_walk_keys},         {HTZ_ROW_FILE_TUNED_AT, htz_walk_tuned_at},
              {HTZ_ROW_FILE_PER_KEY, htz_walk_bodies},    {HTZ_ROW_FILE_SHARED, htz_walk_shared},
              {HTZ_ROW_FILE_MALLET, htz_walk_mallet},     {HTZ_ROW_FILE_BOW, htz_walk_bow},
              {HTZ_ROW_FILE_FINGERED, htz_walk_fingered}, {HTZ_ROW_FILE_PREPARATIONS, htz_walk_preparations},
              {HTZ_ROW_FILE_LINKS, htz_walk_links},       {HTZ_ROW_FILE_FEEDS, htz_walk_feeds},
              {HTZ_ROW_FILE_DRIVES, htz_walk_drives},     {HTZ_ROW_FILE_ACTION, htz_walk_action},
              {HTZ_ROW_FILE_EARS, htz_walk_ears},         {HTZ_ROW_FILE_PICKUPS, htz_walk_pickups},
              {HTZ_ROW_FILE_DAMPER, htz_walk_damper},     {HTZ_ROW_FILE_SOFT_PEDAL, htz_walk_soft_pedal},
              {HTZ_ROW_FILE_CHOKES, htz_walk_chokes},     {HTZ_ROW_FILE_PROGRAMS, htz_walk_programs},
              {HTZ_ROW_FILE_KITS, htz_walk_kits},         {HTZ_ROW_FILE_DEFAULTS, htz_walk_defaults},
              {HTZ_ROW_FILE_CONTROLS, htz_walk_controls}};
  walk_block in;
  if (!htz_walk_top(w, root, &in)) {
    return;
  }
  const bool foreign = w->foreign > 0;
  const tree_node *mallet = htz_walk_value(&in, HTZ_ROW_FILE_MALLET), *bow = htz_walk_value(&in, HTZ_ROW_FILE_BOW);
  const tree_node *soft_pedal = htz_walk_value(&in, HTZ_ROW_FILE_SOFT_PEDAL), *links = htz_walk_value(&in, HTZ_ROW_FILE_LINKS);
  const tree_node* preparations = htz_walk_value(&in, HTZ_ROW_FILE_PREPARATIONS);
  htz_walk_titles(w, &in);
  w->unsure_ears = w->unsure_ears || foreign;
  if (!mallet && !bow && !foreign) {
    htz_walk_fault(w, root, "%s: missing key \"mallet\" (or \"bow\")", htz_walk_top_name(w));
  }
  if (soft_pedal && !mallet && bow && !foreign) { // without both, one line says it
    htz_walk_fault(w, soft_pedal, "soft_pedal: it changes the mallet, and no mallet is thrown here");
  }
  for (size_t i = 0; i < sizeof part / sizeof part[0]; ++i) {
    const tree_node* value = htz_walk_value(&in, part[i].row);
    if (part[i].row == HTZ_ROW_FILE_MALLET) {
      w->struck = w->spec->n_bodies;
      w->unsure_bow = !mallet && !bow;
    }
    const size_t faults = w->diags->n + w->diags->more;
    if (value) {
      part[i].read(w, value);
    }
    const bool unsure = w->diags->n + w->diags->more > faults || (!value && foreign);
    w->unsure_own = w->unsure_own || (htz_walk_names_params(part[i].row) && unsure);
    if (part[i].row == HTZ_ROW_FILE_LINKS) {
      htz_walk_bind(w);
    }
    if (part[i].row == HTZ_ROW_FILE_SHARED) {
      w->unsure_shared = w->unsure_shared || (!w->spec->board.given && w->spec->n_linked_shared == 0 && (value || foreign));
    }
  }
  htz_walk_check_solver(w);
  if (w->diags->n == 0 && !w->spec->memory.failed) {
    check_whole(w, &in);
  }
  if (w->diags->n == 0 && !w->spec->memory.failed) {
    if (mallet) {
      htz_walk_check_stay(w, mallet);
    }
    htz_walk_check_bow(w, bow, htz_walk_value(&in, HTZ_ROW_FILE_FINGERED));
    if (htz_walk_value(&in, HTZ_ROW_FILE_CLOCK)) {
      htz_walk_check_clock(w, htz_walk_value(&in, HTZ_ROW_FILE_CLOCK));
    }
    if (htz_walk_value(&in, HTZ_ROW_FILE_TUNED_AT)) {
      htz_walk_check_tuned(w, htz_walk_value(&in, HTZ_ROW_FILE_TUNED_AT));
    }
    if (links && w->spec->n_links > 0) {
      htz_walk_check_links(w, links);
    }
    if (preparations) {
      htz_walk_check_preparations(w, preparations);
    }
  }
  if (w->diags->n == 0 && !w->spec->memory.failed) {
    htz_walk_check_ears(w, htz_walk_value(&in, HTZ_ROW_FILE_EARS));
    htz_walk_check_params(w, htz_walk_value(&in, HTZ_ROW_FILE_DEFAULTS), htz_walk_value(&in, HTZ_ROW_FILE_CONTROLS));
    if (htz_walk_value(&in, HTZ_ROW_FILE_CHOKES)) {
      htz_walk_check_chokes(w, htz_walk_value(&in, HTZ_ROW_FILE_CHOKES));
    }
  }
  if (w->diags->n == 0 && !w->spec->memory.failed && htz_spec_check_still(w->spec, w->diags)) {
    w->spec->memory.failed = true;
  }
}

void htz_walk_one(walk* w, const tree_node* root) {
  if (family_of(root) == 1) {
    htz_walk_grid_file(w, root);
  } else {
    walk_modal_file(w, root);
  }
}

/** File name without folder and ending. */
static const char* id_of(htz_spec* spec, const char* file) {
  const char* slash = strrchr(file, '/');
  const char* base = slash ? slash + 1 : file;
  const char* ending = strrchr(base, '.');
  size_t n = ending && strcmp(ending, ".yaml") == 0 ? (size_t)(ending - base) : strlen(base);
  char* id = htz_arena_alloc(&spec->memory, n + 1, 1);
  if (id) {
    memcpy(id, base, n);
  }
  return id;
}

htz_spec* htz_walk_new_spec(void) {
  htz_spec* spec = calloc(1, sizeof *spec);
  if (!spec) {
    return NULL;
  }
  htz_arena_measure(&spec->memory);
  spec->objects = htz_arena_alloc(&spec->memory, 1, sizeof(htz_spec*));
  if (spec->objects) {
    spec->objects[0] = spec;
    spec->n_objects = 1;
  }
  spec->whole = spec;
  spec->about = "";
  spec->key_high = HTZ_KEYS - 1;
  spec->keys[0] = spec->keys[1] = UINT64_MAX;
  spec->mallet.soft = 1.0;
  htz_walk_stay_controls(&spec->mallet.stay);
  for (size_t i = 0; i < HTZ_PARAM_COUNT; ++i) {
    spec->params[i] = htz_instrument_params[i].initial;
  }
  return spec;
}

static htz_spec* new_file(const char* file) {
  htz_spec* spec = htz_walk_new_spec();
  if (!spec) {
    return NULL;
  }
  char* copy = htz_arena_alloc(&spec->memory, strlen(file) + 1, 1);
  if (copy) {
    strcpy(copy, file);
  }
  spec->file = copy;
  spec->id = id_of(spec, file);
  return spec;
}

void htz_walk_derive(htz_spec* spec) {
  if (!spec->param_given[HTZ_PARAM_MALLET_AT]) {
    spec->params[HTZ_PARAM_MALLET_AT] = htz_table_at(&spec->mallet.at, 0.5 * (spec->key_low + spec->key_high));
  }
  if (!spec->param_given[HTZ_PARAM_MALLET_AT_Y]) {
    const double y = htz_table_at(&spec->mallet.at_y, 0.5 * (spec->key_low + spec->key_high));
    spec->params[HTZ_PARAM_MALLET_AT_Y] = isnan(y) ? 0.5 : y; // in the middle, unless the body's line says otherwise
  }
  htz_bow_start(spec);
  htz_walk_derive_preparations(spec);
}

static htz_status no_memory(htz_diags* diags) {
  htz_diags_add(diags, 0, 0, "out of memory");
  return HTZ_NO_MEMORY;
}

static htz_status parse_into(htz_spec* spec, const char* text, size_t length, htz_diags* diags) {
  tree_node* root;
  htz_status st = htz_tree_parse(text, length, &spec->memory, diags, &root);
  if (!st && htz_tree_is_performance(root)) {
    htz_diags_add(diags, root->line, root->column, "a performance of several instruments; one instrument is wanted here");
    return HTZ_UNSUPPORTED;
  }
  if (!st) {
    walk w = {.spec = spec, .diags = diags, .top = root};
    spec->tree = root;
    if (htz_walk_has_objects(root)) {
      htz_walk_objects_file(&w, root);
    } else {
      htz_walk_one(&w, root);
      if (diags->n == 0 && !spec->memory.failed) {
        htz_walk_derive(spec);
      }
    }
    st = diags->n ? HTZ_BAD_INPUT : HTZ_OK;
  }
  return spec->memory.failed ? HTZ_NO_MEMORY : st;
}

htz_status htz_spec_parse(const char* name, const char* text, size_t length, htz_spec** out, htz_diags* diags) {
  *out = NULL;
  htz_diags_init(diags, name);
  if (length > HTZ_SPEC_BYTES_MAX) {
    htz_diags_add(diags, 0, 0, "longer than %d bytes; this is no instrument file", (int)HTZ_SPEC_BYTES_MAX);
    return HTZ_BAD_INPUT;
  }
  htz_spec* spec = new_file(name);
  if (!spec) {
    return no_memory(diags);
  }
  const htz_status st = parse_into(spec, text, length, diags);
  htz_diags_sort(diags);
  if (st) {
    htz_spec_free(spec);
    return st == HTZ_NO_MEMORY ? no_memory(diags) : st;
  }
  *out = spec;
  return HTZ_OK;
}

htz_status htz_spec_load(const char* path, htz_spec** out, htz_diags* diags) {
  *out = NULL;
  htz_diags_init(diags, path);
  char* text;
  size_t length;
  htz_status st = htz_text_read(path, HTZ_SPEC_BYTES_MAX, &text, &length, diags);
  if (!st) {
    st = htz_spec_parse(path, text, length, out, diags);
  }
  free(text);
  return st;
}

const htz_spec* htz_spec_object(const htz_spec* spec, int key) {
  for (size_t i = 0; i < spec->n_objects; ++i) {
    if (spec->objects[i] == spec || htz_spec_has_key(spec->objects[i], key)) {
      return spec->objects[i];
    }
  }
  return NULL;
}

size_t htz_spec_count_keys(const htz_spec* spec) {
  size_t n = 0;
  for (int key = spec->key_low; key <= spec->key_high; ++key) {
    const htz_spec* object = htz_spec_object(spec, key);
    n += object && htz_spec_has_key(object, key);
  }
  return n;
}

int htz_spec_middle_key(const htz_spec* spec) {
  const int middle = (spec->key_low + spec->key_high) / 2;
  for (int away = 0; away < HTZ_KEYS; ++away) {
    for (int sign = 1; sign >= -1; sign -= 2) {
      const int key = middle + sign * away;
      const htz_spec* object = key >= spec->key_low && key <= spec->key_high ? htz_spec_object(spec, key) : NULL;
      if (object && htz_spec_has_key(object, key)) {
        return key;
      }
    }
  }
  return middle;
}

int htz_spec_octave(const htz_spec* spec, int key) {
  enum { OCTAVE = 12 };
  const bool kit = spec->n_objects != 1 || spec->objects[0] != spec; // its keys are things and no scale
  int mate = key;
  while (!kit && mate < spec->key_low) {
    mate += OCTAVE;
  }
  while (!kit && mate > spec->key_high) {
    mate -= OCTAVE;
  }
  return mate >= spec->key_low && mate <= spec->key_high ? mate : key;
}

void htz_spec_free(htz_spec* spec) {
  if (spec) {
    for (size_t i = 0; i < spec->n_objects; ++i) {
      if (spec->objects[i] != spec) {
        htz_spec_free(spec->objects[i]);
      }
    }
    htz_arena memory = spec->memory;
    htz_arena_free(&memory);
    free(spec);
  }
}
