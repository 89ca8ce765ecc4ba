#include "walk.h"

#include <string.h>

// What a player moves: programs, defaults and controllers.

static const long expression = 11; // number of the controller

/** What a controller number is for, or NULL when it is free. */
static const char* reserved(long cc) {
  static const struct {
    long first, last;
    const char* use;
  } uses[] = {
      {0, 0, "bank select"},
      {6, 6, "data entry"},
      {7, 7, "channel volume"},
      {10, 10, "pan"},
      {11, 11, "expression"},
      {32, 32, "bank select"},
      {38, 38, "data entry"},
      {64, 67, "the pedals"},
      {96, 101, "registered parameters"},
      {120, 127, "channel mode messages"},
  };
  for (size_t i = 0; i < sizeof uses / sizeof uses[0]; ++i) {
    if (cc >= uses[i].first && cc <= uses[i].last) {
      return uses[i].use;
    }
  }
  return NULL;
}

size_t htz_walk_program_list(walk* w, const tree_node* node, htz_row_id row, uint8_t out[HTZ_SPEC_PROGRAMS_MAX]) {
  const htz_range range = htz_walk_range_of(row);
  bool seen[HTZ_SPEC_PROGRAMS_MAX] = {false};
  size_t n = 0;
  if (!htz_walk_row_list(w, node, row)) {
    return 0;
  }
  for (const tree_node* item = node->first; item; item = item->next) {
    long program;
    if (!htz_walk_whole(w, item, &range, &program)) {
      continue;
    }
    if (seen[program]) {
      htz_walk_fault(w, item, "%s: %ld stands twice", htz_schema[row].range.name, program);
      continue;
    }
    seen[program] = true;
    out[n++] = (uint8_t)program;
  }
  return n;
}

void htz_walk_programs(walk* w, const tree_node* node) {
  w->spec->n_programs = htz_walk_program_list(w, node, HTZ_ROW_FILE_PROGRAMS, w->spec->programs);
}

void htz_walk_kits(walk* w, const tree_node* node) {
  w->spec->n_kits = htz_walk_program_list(w, node, HTZ_ROW_FILE_KITS, w->spec->kits);
}

/** Names of the parameters that a file may name, its own first; or of those that it has a use for. @return how many */
static size_t param_names(const walk* w, bool used, const char** names) {
  const size_t n = htz_spec_n_params(w->spec);
  size_t count = 0;
  for (size_t k = 0; k < n; ++k) {
    const size_t i = k < n - HTZ_PARAM_COUNT ? HTZ_PARAM_COUNT + k : k - (n - HTZ_PARAM_COUNT);
    const bool named = i < HTZ_PARAM_NAMED || i >= HTZ_PARAM_COUNT;
    if (named && (!used || htz_spec_param_used(w->spec, i))) {
      names[count++] = htz_spec_param(w->spec, i).name;
    }
  }
  return count;
}

/** The parameter a key names, or htz_spec_n_params() after reporting that it names none. */
static size_t walk_param(walk* w, const tree_node* key, const char* where) {
  const size_t none = htz_spec_n_params(w->spec);
  if (key->type == TREE_SCALAR) {
    const size_t channel = htz_param_find(htz_instrument_params, HTZ_PARAM_COUNT, key->text);
    if (channel >= HTZ_PARAM_NAMED && channel < HTZ_PARAM_COUNT) {
      htz_walk_fault(w, key, "%s: \"%s\" belongs to the channel and is moved by its own messages", where,
                     htz_instrument_params[channel].name);
      return none;
    }
    const size_t index = htz_spec_param_find(w->spec, key->text);
    if (index < none) {
      return index;
    }
  }
  const char** names = htz_walk_alloc(w, none, sizeof *names);
  const bool may_be_own = w->unsure_own && key->type == TREE_SCALAR && strchr(key->text, '.');
  if (names && !may_be_own) {
    htz_walk_word(w, key, where, param_names(w, w->stage, names), names); // of an instrument itself it is not known yet
  }
  return none;
}

static htz_range param_range(const walk* w, size_t index) {
  const htz_param_desc desc = htz_spec_param(w->spec, index);
  return (htz_range){desc.name, desc.unit, desc.minimum, desc.maximum};
}

/** A value of the parameter. */
static bool walk_value(walk* w, const tree_node* node, size_t index, double* value) {
  const htz_range range = param_range(w, index);
  const char* const* words = htz_spec_param_words(w->spec, index);
  if (words) {
    size_t count = 0;
    while (words[count]) {
      ++count;
    }
    const size_t word = htz_walk_word(w, node, range.name, count, words);
    *value = word < count ? (double)word : *value;
    return word < count;
  }
  if (htz_spec_param(w->spec, index).scale == HTZ_SCALE_STEPS) {
    long whole;
    const bool good = htz_walk_whole(w, node, &range, &whole);
    *value = good ? (double)whole : *value;
    return good;
  }
  return htz_walk_number(w, node, &range, value);
}

static bool is_map(walk* w, const tree_node* node, const char* where) {
  if (node->type != TREE_MAP && !node->broken) {
    htz_walk_fault(w, node, "%s: expected a map of parameters such as `mallet.hardness`", where);
  }
  return node->type == TREE_MAP;
}

void htz_walk_defaults(walk* w, const tree_node* node) {
  if (!is_map(w, node, "defaults")) {
    return;
  }
  for (const tree_node* key = node->first; key; key = key->next->next) {
    const size_t index = walk_param(w, key, "defaults");
    if (index == htz_spec_n_params(w->spec)) {
      continue;
    }
    const char* name = htz_spec_param(w->spec, index).name;
    if (w->object && index < HTZ_PARAM_COUNT && htz_param_of_part(index)) {
      htz_walk_fault(w, key, "defaults: \"%s\" belongs to all objects; it stands under the defaults beside `objects`", name);
      continue;
    }
    const htz_spec_binding* binding = htz_spec_binding_at(w->spec, index);
    htz_spec* of = binding ? w->spec->objects[binding->object] : w->spec;
    const size_t param = binding ? binding->slot : index;
    if (of->param_given[param]) {
      htz_walk_fault(w, key, binding ? "\"%s\" stands under the object's own defaults too" : "\"%s\" stands twice in defaults",
                     name);
      continue;
    }
    of->param_given[param] = true;
    walk_value(w, key->next, index, &of->params[param]);
  }
}

bool htz_walk_setting(walk* w, const tree_node* key, const char* where, size_t* param, double* value) {
  enum { LIST_BYTES = 300 };
  const htz_spec* spec = w->spec;
  *param = walk_param(w, key, where);
  if (*param == htz_spec_n_params(spec)) {
    return false;
  }
  if (!htz_spec_param_used(spec, *param)) {
    const char** names = htz_walk_alloc(w, htz_spec_n_params(spec), sizeof *names);
    char list[LIST_BYTES];
    const size_t n = names ? param_names(w, true, names) : 0;
    htz_walk_fault(w, key, "%s: \"%s\" has no effect on %s. Allowed: %s", where, key->text, spec->id,
                   htz_walk_names(n, names, sizeof list, list));
    return false;
  }
  if (!walk_value(w, key->next, *param, value)) {
    return false;
  }
  if (!htz_spec_param_has(spec, *param, *value)) {
    htz_walk_fault(w, key->next, "%s: %s has no such choice", key->text, spec->id);
    return false;
  }
  return true;
}

/** A bow plays one of the objects. */
static bool bowed(const htz_spec* spec) {
  bool any = false;
  for (size_t i = 0; i < spec->n_objects; ++i) {
    any = any || spec->objects[i]->bowed;
  }
  return any;
}

/** What moves a control: a controller's number, or `pressure`. */
static void walk_source(walk* w, const tree_node* node, htz_spec_control control) {
  const htz_range range = htz_walk_range_of(HTZ_ROW_CONTROL_CC);
  size_t word;
  long cc;
  if (htz_walk_instead(node, HTZ_ROW_CONTROL_CC, &word)) {
    control.cc = HTZ_CONTROL_PRESSURE;
  } else if (htz_walk_bare_word(node)) {
    htz_walk_fault(w, node, "cc: unknown \"%.20s\". Allowed: a controller's number, %g to %g, or `pressure`", node->text,
                   range.minimum, range.maximum);
    return;
  } else if (htz_walk_whole(w, node, &range, &cc)) {
    const char* use = reserved(cc);
    // How hard a bow presses is its expression.
    if (use && !(cc == expression && (bowed(w->spec) || w->unsure_bow))) {
      htz_walk_fault(w, node, "cc: controller %ld is taken by %s", cc, use);
    }
    control.cc = (unsigned)cc;
  } else {
    return;
  }
  if (w->spec->n_controls == HTZ_CONTROLS_MAX) {
    htz_walk_fault(w, node, "controls: at most %d", (int)HTZ_CONTROLS_MAX);
    return;
  }
  w->spec->controls[w->spec->n_controls++] = control;
}

static void walk_control(walk* w, const tree_node* node, size_t index) {
  walk_block in;
  const htz_range range = param_range(w, index);
  htz_spec_control control = {index, 0, range.minimum, range.maximum};
  if (!htz_walk_block(w, node, range.name, HTZ_BLOCK_CONTROL, HTZ_ANY_CHOICE, &in)) {
    return;
  }
  const tree_node* cc = htz_walk_value(&in, HTZ_ROW_CONTROL_CC);
  const tree_node* travel = htz_walk_value(&in, HTZ_ROW_CONTROL_RANGE);
  if (travel && htz_walk_row_list(w, travel, HTZ_ROW_CONTROL_RANGE)) {
    const bool low = walk_value(w, travel->first, index, &control.low);
    const bool high = walk_value(w, travel->first->next, index, &control.high);
    if (low && high && control.low == control.high) {
      htz_walk_fault(w, travel, "range: both ends are the same");
    }
  }
  if (cc && cc->type != TREE_LIST) {
    walk_source(w, cc, control);
  } else if (cc && htz_walk_row_list(w, cc, HTZ_ROW_CONTROL_CC)) {
    for (const tree_node* item = cc->first; item; item = item->next) {
      walk_source(w, item, control);
    }
  }
}

void htz_walk_controls(walk* w, const tree_node* node) {
  bool* seen = htz_walk_alloc(w, htz_spec_n_params(w->spec), sizeof *seen);
  if (!is_map(w, node, "controls") || !seen) {
    return;
  }
  for (const tree_node* key = node->first; key; key = key->next->next) {
    const size_t index = walk_param(w, key, "controls");
    if (index == htz_spec_n_params(w->spec)) {
      continue;
    }
    if (seen[index]) {
      htz_walk_fault(w, key, "\"%s\" stands twice in controls", key->text);
      continue;
    }
    seen[index] = true;
    walk_control(w, key->next, index);
  }
}

/** Parameters that go with one part of a file: what is fixed or loose, tubes and their discs, or what their names begin with. */
static bool same_part(size_t a, size_t b) {
  static const htz_param_index runs[][2] = {{HTZ_PARAM_BRIDGE_GAP, HTZ_PARAM_RUBBER_AT},
                                            {HTZ_PARAM_MOTOR_RATE, HTZ_PARAM_MOTOR_DEPTH}};
  const char *one = htz_instrument_params[a].name, *other = htz_instrument_params[b].name;
  const size_t n = strcspn(one, ".");
  bool same = one[n] && n == strcspn(other, ".") && strncmp(one, other, n + 1) == 0;
  for (size_t i = 0; i < sizeof runs / sizeof runs[0]; ++i) {
    const bool in_a = (a >= runs[i][0] && a <= runs[i][1]) || (i == 1 && a == HTZ_PARAM_RESONATOR);
    const bool in_b = (b >= runs[i][0] && b <= runs[i][1]) || (i == 1 && b == HTZ_PARAM_RESONATOR);
    same = same || (in_a && in_b);
  }
  return same;
}

/** Report every parameter named in `node` that changes nothing; of several that go with a part that is not there the first. */
static void check_use(walk* w, const tree_node* node, const char* where, bool told[HTZ_PARAM_NAMED]) {
  enum { LIST_BYTES = 300 };
  const char** names = htz_walk_alloc(w, htz_spec_n_params(w->spec), sizeof *names);
  char list[LIST_BYTES];
  const size_t n = names ? param_names(w, true, names) : 0;
  for (const tree_node* key = node->first; key; key = key->next->next) {
    const size_t named = htz_spec_param_find(w->spec, key->text);
    if (named == htz_spec_n_params(w->spec) || htz_spec_param_used(w->spec, named)) {
      continue;
    }
    const htz_spec_binding* binding = htz_spec_binding_at(w->spec, named);
    const size_t index = binding ? (size_t)binding->param : named;
    bool again = told[index];
    for (size_t i = 0; i < HTZ_PARAM_NAMED; ++i) {
      again = again || (told[i] && same_part(i, index));
    }
    told[index] = true;
    if (!again && index == HTZ_PARAM_BOARD) {
      htz_walk_fault(w, key, "%s: there is no two-way board here: %s", where, htz_spec_one_way_why(w->spec));
    } else if (!again) {
      htz_walk_fault(w, key, "%s: \"%s\" has no effect on this instrument. Allowed: %s", where, key->text,
                     htz_walk_names(n, names, sizeof list, list));
    }
  }
}

/** What a choice starts from is there: what a note does, where the ears are. */
static void check_choice(walk* w, const tree_node* defaults, htz_param_index param, const char* why) {
  enum { LIST_BYTES = 80 };
  const htz_spec* spec = w->spec;
  const char* const* words = htz_param_words(param);
  const char* names[HTZ_EXCITES]; // the most words that a choice has
  char list[LIST_BYTES];
  size_t n = 0;
  if (!spec->param_given[param] || !htz_spec_param_used(spec, param) || htz_spec_param_has(spec, param, spec->params[param])) {
    return;
  }
  for (size_t i = 0; words[i]; ++i) {
    if (htz_spec_param_has(spec, param, (double)i)) {
      names[n++] = words[i];
    }
  }
  const char* name = htz_instrument_params[param].name;
  htz_walk_fault(w, htz_walk_value_of(defaults, name), "%s: %s here. Allowed: %s", name, why,
                 htz_walk_names(n, names, sizeof list, list));
}

void htz_walk_check_params(walk* w, const tree_node* defaults, const tree_node* controls) {
  bool told[HTZ_PARAM_NAMED] = {false};
  if (defaults) {
    check_use(w, defaults, "defaults", told);
    check_choice(w, defaults, HTZ_PARAM_GESTURE, "a note cannot do that");
    check_choice(w, defaults, HTZ_PARAM_EARS, "the pair of ears has no such place");
  }
  if (controls) {
    check_use(w, controls, "controls", told);
  }
}
