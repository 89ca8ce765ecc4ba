#include "walk.h"

#include <string.h>

static const htz_body_kind* walk_kind(walk* w, const tree_node* node, const char* where) {
  enum { KINDS_MAX = 32 }; // more are not listed in messages
  const char* names[KINDS_MAX];
  size_t n = 0;
  const tree_node* body = htz_walk_kind_of(node);
  if (body) {
    return htz_body_kind_at(htz_walk_word_of(w, body, HTZ_ROW_BODY_KIND));
  }
  char list[HTZ_DIAG_TEXT / 2];
  while (n < KINDS_MAX && htz_row_word(&htz_schema[HTZ_ROW_BODY_KIND], n)) {
    names[n] = htz_row_word(&htz_schema[HTZ_ROW_BODY_KIND], n);
    ++n;
  }
  htz_walk_fault(w, node, "%s: missing key \"body\", the kind of body: %s", where, htz_walk_names(n, names, sizeof list, list));
  return NULL;
}

static void walk_frequency(walk* w, const tree_node* node, htz_spec_body* body) {
  enum { KEY = 0, OWN };
  size_t word;
  if (htz_walk_instead(node, HTZ_ROW_BODY_FREQUENCY, &word)) {
    body->pitch = word == KEY ? body->pitch : word == OWN ? HTZ_PITCH_OWN : HTZ_PITCH_STRETCHED;
    if (word != OWN && w->shared) {
      htz_walk_fault(w, node, "frequency: a shared body has no key to take its pitch from");
    } else if (body->pitch == HTZ_PITCH_STRETCHED && !body->kind->inharmonicity) {
      htz_walk_fault(w, node, "frequency: only octaves of strings are stretched by their inharmonicity; `key` or `own`");
    }
    return;
  }
  if (htz_walk_bare_word(node)) {
    htz_walk_fault(
        w, node,
        "frequency: unknown \"%.20s\". Allowed: a number or table in Hz, `key` (the key's pitch), `own` (as dimensions "
        "and material make it) or `stretched` (the key's, octaves of strings wide by their inharmonicity)",
        node->text);
    return;
  }
  const htz_range range = htz_walk_range_of(HTZ_ROW_BODY_FREQUENCY);
  body->pitch = HTZ_PITCH_FIXED;
  htz_walk_table(w, node, &range, &body->frequency);
}

/** Limit a table to what its points say. */
static void hold_within(htz_table* table) {
  table->minimum = table->maximum = table->value[0];
  for (size_t i = 1; i < table->n; ++i) {
    table->minimum = table->value[i] < table->minimum ? table->value[i] : table->minimum;
    table->maximum = table->value[i] > table->maximum ? table->value[i] : table->maximum;
  }
}

static void walk_generic(walk* w, const walk_block* in, bool foreign, htz_spec_body* body) {
  const size_t faults = w->diags->n;
  const tree_node* ratio = htz_walk_value(in, HTZ_ROW_BODY_RATIO);
  const tree_node* count = htz_walk_value(in, HTZ_ROW_BODY_COUNT);
  const tree_node* detune = htz_walk_value(in, HTZ_ROW_BODY_DETUNE);
  body->pitch = w->shared ? HTZ_PITCH_OWN : HTZ_PITCH_KEY;
  if (htz_walk_value(in, HTZ_ROW_BODY_MATERIAL)) {
    body->material = htz_material_at(htz_walk_row_word(w, in, HTZ_ROW_BODY_MATERIAL));
  }
  if (htz_walk_value(in, HTZ_ROW_BODY_FREQUENCY)) {
    walk_frequency(w, htz_walk_value(in, HTZ_ROW_BODY_FREQUENCY), body);
  }
  const bool known = w->diags->n == faults; // what the pitch follows
  htz_walk_row_table(w, in, HTZ_ROW_BODY_RATIO, &body->ratio);
  if (ratio && known && body->pitch != HTZ_PITCH_KEY && body->pitch != HTZ_PITCH_STRETCHED) {
    htz_walk_fault(w, ratio, "ratio: goes with the key's pitch, and `frequency` says otherwise; give one of the two");
  }
  htz_walk_row_whole(w, in, HTZ_ROW_BODY_MODES, &body->max_modes);
  htz_walk_row_number(w, in, HTZ_ROW_BODY_LIMIT, &body->limit_hz);
  if (htz_walk_value(in, HTZ_ROW_BODY_PLACE)) {
    htz_walk_metres(w, in, HTZ_ROW_BODY_PLACE, body->place);
  }
  const size_t axis = htz_walk_row_word(w, in, HTZ_ROW_BODY_AXIS);
  body->axis = axis == HTZ_NO_WORD ? 0 : (unsigned)axis;
  htz_walk_row_whole(w, in, HTZ_ROW_BODY_ZONES, &body->zones);
  w->held = true; // a step in it, such as {31: 1, 32: 2}, says nothing of what comes before and after
  if (htz_walk_row_table(w, in, HTZ_ROW_BODY_COUNT, &body->count) && count) {
    hold_within(&body->count);
  }
  w->held = false;
  htz_walk_row_table(w, in, HTZ_ROW_BODY_DETUNE, &body->detune);
  if (detune && !count && !foreign) {
    htz_walk_fault(w, detune, "detune: goes with `count`, the number of bodies that are detuned");
  }
}

/** A list property; a single value stands for a list of one. */
static void walk_items(walk* w, const tree_node* node, const htz_list_desc* desc, htz_table_list* list) {
  const htz_range range = {desc->name, desc->unit, desc->minimum, desc->maximum};
  const bool many = node->type == TREE_LIST;
  if (many && !htz_walk_list(w, node, desc->name, 1, desc->most)) {
    return;
  }
  const size_t n = many ? node->n : 1;
  htz_table* items = htz_walk_alloc(w, n, sizeof *items);
  if (!items) {
    return;
  }
  const tree_node* item = many ? node->first : node;
  for (size_t i = 0; i < n; ++i, item = item->next) {
    if (!desc->by_key && item->type == TREE_MAP) {
      htz_walk_fault(w, item, "%s: is the same for all keys; a table over keys cannot stand here", desc->name);
    } else {
      htz_walk_table(w, item, &range, &items[i]);
    }
  }
  *list = (htz_table_list){n, items};
}

/** The properties of the kind itself. */
static void walk_properties(walk* w, const tree_node* const* value, htz_spec_body* body) {
  const htz_body_kind* kind = body->kind;
  htz_table* scalars = htz_walk_alloc(w, kind->n_scalars, sizeof *scalars);
  htz_table_list* lists = htz_walk_alloc(w, kind->n_lists, sizeof *lists);
  unsigned* words = htz_walk_alloc(w, kind->n_words, sizeof *words);
  if (!scalars || !lists || !words) {
    return;
  }
  for (size_t i = 0; i < kind->n_scalars; ++i, ++value) {
    const htz_param_desc* desc = &kind->scalars[i];
    const htz_range range = {desc->name, desc->unit, desc->minimum, desc->maximum};
    if (*value) {
      htz_walk_table(w, *value, &range, &scalars[i]);
    }
  }
  for (size_t i = 0; i < kind->n_lists; ++i, ++value) {
    if (*value) {
      walk_items(w, *value, &kind->lists[i], &lists[i]);
    }
  }
  for (size_t i = 0; i < kind->n_words; ++i, ++value) {
    if (*value) {
      const size_t index = htz_walk_word(w, *value, kind->words[i].name, kind->words[i].n_choices, kind->words[i].choices);
      words[i] = index < kind->words[i].n_choices ? (unsigned)index : 0;
    }
  }
  body->scalars = scalars;
  body->lists = lists;
  body->words = words;
}

/** Report why a kind cannot make the body, at the property it names if that one is in the file. */
static void report_reason(walk* w, const tree_node* node, const char* name, const char* why, int key) {
  const size_t length = why ? strcspn(why, ":") : 0;
  const tree_node* at = node;
  for (const tree_node* it = node->first; it && length; it = it->next->next) {
    if (it->type == TREE_SCALAR && it->length == length && strncmp(it->text, why, length) == 0) {
      at = it->next;
    }
  }
  if (key < 0) {
    htz_walk_fault(w, at, "%s: %s", name, why ? why : "cannot be made from these values");
  } else {
    htz_walk_fault(w, at, "%s: %s (at key %d)", name, why ? why : "cannot be made from these values", key);
  }
}

static bool prepare(walk* w, const tree_node* node, htz_spec_body* body) {
  if (!body->kind->prepare) {
    return true;
  }
  double items[HTZ_KIND_LISTS_MAX][HTZ_KIND_ITEMS_MAX];
  const double* list[HTZ_KIND_LISTS_MAX];
  size_t list_n[HTZ_KIND_LISTS_MAX];
  for (size_t l = 0; l < body->kind->n_lists; ++l) {
    list_n[l] = body->kind->lists[l].by_key ? 0 : body->lists[l].n;
    list[l] = list_n[l] ? items[l] : NULL;
    for (size_t i = 0; i < list_n[l]; ++i) {
      items[l][i] = htz_table_at(&body->lists[l].item[i], 0.0);
    }
  }
  double scalar[HTZ_KIND_SCALARS_MAX];
  htz_spec_constants(body, scalar);
  const htz_kind_values values = {.scalar = scalar,
                                  .list = list,
                                  .list_n = list_n,
                                  .word = body->words,
                                  .limit_hz = body->limit_hz,
                                  .max_modes = body->max_modes};
  const char* why = NULL;
  const htz_status st = body->kind->prepare(&values, &w->spec->memory, &body->shared, &why);
  if (st == HTZ_NO_MEMORY) {
    w->spec->memory.failed = true;
  } else if (st) {
    report_reason(w, node, body->name, why, -1);
  }
  return st == HTZ_OK;
}

/** Make the body for every key of the range once, so that whatever its kind has to say is said now. */
static void try_keys(walk* w, const tree_node* node, htz_spec_body* body) {
  const double two_pi = 6.28318530717958647693;
  if (!prepare(w, node, body)) {
    return;
  }
  if (!w->keyed) {
    return; // which keys there are is not known
  }
  body->least_modes = HTZ_KIND_MODES_MAX;
  const int last = w->shared ? w->spec->key_low : w->spec->key_high;
  for (int key = w->spec->key_low; key <= last; ++key) {
    if (!w->shared && !htz_spec_has_key(w->spec, key)) {
      continue;
    }
    htz_arena arena;
    htz_modes modes;
    const char* why = NULL;
    htz_arena_measure(&arena);
    const htz_status st = htz_spec_modes(body, key, &arena, &modes, &why);
    const size_t n = st ? 0 : modes.n;
    body->has_end_force = !st && modes.end_force;
    body->stretches = body->stretches || (!st && modes.stretch > 0.0);
    body->surface = !st && modes.shape_xy && !htz_modes_is_closed(&modes);
    body->same_all_over = !st && htz_modes_same_all_over(&modes);
    body->closed = !st && htz_modes_is_closed(&modes);
    body->unheard = !st && modes.radiator.as == HTZ_RADIATES_NOTHING ? modes.radiator.why : body->unheard;
    const size_t left_out = st ? 0 : modes.left_out;
    body->left_out = left_out > body->left_out ? left_out : body->left_out;
    const double top_hz = st ? 0.0 : modes.omega[n - 1] / two_pi;
    htz_arena_free(&arena);
    if (st == HTZ_NO_MEMORY) {
      w->spec->memory.failed = true;
      return;
    }
    if (st) {
      report_reason(w, node, body->name, why, w->shared ? -1 : key);
      body->most_modes = 0; // nothing is to be said of what it cannot do
      return;
    }
    body->top_hz = top_hz > body->top_hz ? top_hz : body->top_hz;
    body->least_modes = n < body->least_modes ? n : body->least_modes;
    body->most_modes = n > body->most_modes ? n : body->most_modes;
  }
}

/** The fields of `kind` itself, after the `n` there are. @return how many in all */
static size_t body_fields(const htz_body_kind* kind, size_t n, walk_field* fields) {
  for (size_t i = 0; i < kind->n_scalars; ++i) {
    fields[n++] = (walk_field){.name = kind->scalars[i].name};
  }
  for (size_t i = 0; i < kind->n_lists; ++i) {
    fields[n++] = (walk_field){.name = kind->lists[i].name};
  }
  for (size_t i = 0; i < kind->n_words; ++i) {
    fields[n++] = (walk_field){.name = kind->words[i].name};
  }
  return n;
}

void htz_walk_body(walk* w, const tree_node* node, htz_spec_body* body) {
  walk_field fields[WALK_FIELDS_MAX] = {{.name = NULL}};
  htz_row_id rows[WALK_FIELDS_MAX];
  const tree_node* values[WALK_FIELDS_MAX];
  walk_block in = {.first = HTZ_FIRST_BODY};
  if (node->type != TREE_MAP) {
    htz_walk_map(w, node, body->name, 0, fields, values);
    return;
  }
  body->kind = walk_kind(w, node, body->name);
  if (!body->kind) {
    return;
  }
  const size_t before = w->diags->n + w->diags->more;
  const size_t common = htz_walk_fields(w, HTZ_BLOCK_BODY, HTZ_ANY_CHOICE, fields, rows);
  const size_t n = body_fields(body->kind, common, fields);
  htz_walk_map(w, node, body->name, n, fields, values);
  for (size_t i = 0; i < common; ++i) {
    in.value[rows[i] - in.first] = values[i];
  }
  walk_generic(w, &in, w->foreign > 0, body);
  walk_properties(w, values + common, body);
  if (body->material && body->kind->density == HTZ_NO_SCALAR && body->kind->young == HTZ_NO_SCALAR) {
    htz_walk_fault(w, htz_walk_value(&in, HTZ_ROW_BODY_MATERIAL), "material: a %s has no use for it", body->kind->name);
  }
  if (w->diags->n + w->diags->more == before && !w->spec->memory.failed) {
    try_keys(w, node, body);
  }
}

static void add_body(walk* w, const tree_node* node, const char* name) {
  htz_spec_body* body = &w->spec->bodies[w->spec->n_bodies++];
  body->name = name;
  htz_walk_body(w, node, body);
}

void htz_walk_bodies(walk* w, const tree_node* node) {
  htz_walk_each_body(w, node, HTZ_ISLAND_BODIES_MAX, add_body);
}

size_t htz_walk_body_name(walk* w, const tree_node* node, const char* name) {
  const char* names[HTZ_ISLAND_BODIES_MAX];
  const size_t n = w->spec->n_bodies;
  if (!w->settled) {
    return n; // the list of names is not to be trusted
  }
  for (size_t i = 0; i < n; ++i) {
    names[i] = w->spec->bodies[i].name;
  }
  return htz_walk_reference(w, node, name, n, names);
}

size_t htz_walk_any_body_name(walk* w, const tree_node* node, const char* name) {
  const char* names[HTZ_ISLAND_BODIES_MAX + HTZ_SPEC_SHARED_MAX + 1] = {NULL};
  const size_t n = w->spec->n_bodies;
  if (!w->settled) {
    return n + 1;
  }
  for (size_t i = 0; i < n; ++i) {
    names[i] = w->spec->bodies[i].name;
  }
  if (w->spec->board.given) {
    names[n] = w->spec->board.body.name;
  }
  size_t count = n + (w->spec->board.given ? 1 : 0);
  for (size_t i = 0; i < w->spec->n_linked_shared; ++i) {
    names[count++] = w->spec->linked_shared[i].body.name;
  }
  for (size_t i = 0; w->unsure_shared; ++i) {
    if (i == n || (node->type == TREE_SCALAR && strcmp(names[i], node->text) == 0)) {
      return i < n ? i : n + 1; // what is none of the key's own may be the shared one
    }
  }
  const size_t index = htz_walk_reference(w, node, name, count, names);
  return index < count ? index : n + 1;
}
