#include "walk_prepared.h"

#include "hertzian/instrument/spec_prepared.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

/*
   What is fixed to the struck body or lies loose on it. Where a player may move one thing for all keys, the parameter starts from what
   stands here.
*/

static const walk_range at_range = {"at", "", 0.0, 1.0};
static const walk_range at_y_range = {"at_y", "", 0.0, 1.0};
static const walk_range mass_range = {"mass", "kg", 1e-6, 10.0};
static const walk_range gap_range = {"gap", "m", 0.0, 0.02};
static const walk_range spring_range = {"spring", "Hz", 0.0, 200.0};
static const walk_range spring_damping_range = {"damping", "", 0.0, 2.0};
static const walk_range gravity_range = {"gravity", "m/s^2", 0.0, 50.0};
static const walk_range resistance_range = {"damping", "N s/m", 0.0, 100.0};
static const walk_range stiffness_range = {"stiffness", "N/m", 0.0, 1e9};

static const double damping_default = 0.1; // of the spring of what hovers: it swings out in a few turns

/** Where it is: `on` the body that is struck. */
static void walk_on(walk* w, const tree_node* node, htz_spec_thing* thing) {
  const size_t index = htz_walk_body_name(w, node, "on");
  thing->on = index;
  if (index < w->spec->n_bodies && w->struck < w->spec->n_bodies && index != w->struck) {
    htz_walk_fault(w, node, "on: only what the mallet strikes can be prepared, and that is not \"%s\"",
                   w->spec->bodies[index].name);
  }
}

/** Keys that have it: a list of key numbers; every key when there is none. */
static void walk_which(walk* w, const tree_node* node, htz_spec_thing* thing) {
  static const walk_range range = {"keys", "", 0.0, HTZ_KEYS - 1};
  if (!node) {
    thing->keys[0] = thing->keys[1] = ~UINT64_C(0);
    return;
  }
  if (!htz_walk_list(w, node, "keys", 1, HTZ_KEYS)) {
    return;
  }
  for (const tree_node* item = node->first; item; item = item->next) {
    long key;
    if (!htz_walk_whole(w, item, &range, &key)) {
      continue;
    }
    if (htz_spec_thing_at(thing, (int)key)) {
      htz_walk_fault(w, item, "keys: key %ld stands twice", key);
    }
    thing->keys[key / 64] |= UINT64_C(1) << (key % 64);
  }
}

static void walk_loose_contact(walk* w, const tree_node* node, htz_spec_loose* loose) {
  enum { STIFFNESS = 0, EXPONENT, VISCOSITY, COUNT };
  static const walk_field fields[COUNT] = {{"stiffness", true}, {"exponent", false}, {"viscosity", false}};
  const tree_node* values[COUNT];
  htz_table* tables[COUNT] = {&loose->stiffness, &loose->exponent, &loose->viscosity};
  const htz_law_class* law = &htz_law_hunt_crossley;
  if (!htz_walk_map(w, node, "contact", COUNT, fields, values)) {
    return;
  }
  for (size_t i = 0; i < COUNT; ++i) {
    const htz_param_desc* p = &law->params[htz_param_find(law->params, law->n_params, fields[i].name)];
    const walk_range range = {p->name, p->unit, p->minimum, p->maximum};
    htz_walk_table_or(w, values[i], p->initial, &range, tables[i]);
  }
}

/** The file has one of that kind already. */
static bool is_first(const walk* w, const htz_spec_thing* thing) {
  const htz_spec_prepared* p = w->spec->prepared;
  bool first = true;
  for (size_t i = 0; i < p->n && &p->things[i] != thing; ++i) {
    first = first && p->things[i].kind != thing->kind;
  }
  return first;
}

/** A rattle, or a loose bridge, which has one gap for all keys; that of the first is its parameter's. */
static void walk_loose(walk* w, const tree_node* node, htz_spec_thing* thing) {
  enum { ON = 0, AT, AT_Y, MASS, GAP, SPRING, DAMPING, GRAVITY, CONTACT, WHICH, COUNT };
  static const walk_field fields[COUNT] = {{"on", true},      {"at", true},      {"at_y", false},    {"mass", true},
                                           {"gap", true},     {"spring", false}, {"damping", false}, {"gravity", false},
                                           {"contact", true}, {"keys", false}};
  const tree_node* values[COUNT];
  htz_spec_loose* loose = &thing->as.loose;
  if (!htz_walk_map(w, node, thing->name, COUNT, fields, values)) {
    return;
  }
  const bool foreign = w->foreign > 0;
  walk_which(w, values[WHICH], thing);
  if (values[ON]) {
    walk_on(w, values[ON], thing);
  }
  if (values[AT]) {
    htz_walk_table(w, values[AT], &at_range, &loose->at);
  }
  if (values[AT_Y]) {
    htz_walk_table(w, values[AT_Y], &at_y_range, &loose->at_y);
    htz_walk_check_surface(w, values[AT_Y], htz_walk_body_at(w, w->struck));
  }
  if (values[MASS]) {
    htz_walk_table(w, values[MASS], &mass_range, &loose->mass);
  }
  if (values[GAP] && thing->kind == HTZ_PREPARED_BRIDGE) {
    const htz_param_desc* p = &htz_instrument_params[HTZ_PARAM_BRIDGE_GAP];
    const walk_range range = {"gap", p->unit, p->minimum, p->maximum};
    double gap = p->initial;
    htz_walk_number(w, values[GAP], &range, &gap);
    htz_walk_constant(w, gap, &range, &loose->gap);
    if (is_first(w, thing)) {
      w->spec->params[HTZ_PARAM_BRIDGE_GAP] = gap;
    }
  } else if (values[GAP]) {
    htz_walk_table(w, values[GAP], &gap_range, &loose->gap);
  }
  htz_walk_table_or(w, values[SPRING], 0.0, &spring_range, &loose->spring);
  htz_walk_table_or(w, values[DAMPING], damping_default, &spring_damping_range, &loose->damping);
  htz_walk_table_or(w, values[GRAVITY], 0.0, &gravity_range, &loose->gravity);
  if (!values[SPRING] && !values[GRAVITY] && !foreign) {
    htz_walk_fault(w, node, "%s: nothing holds it there; it needs a spring [Hz], a gravity [m/s^2], or both", thing->name);
  }
  if (values[CONTACT]) {
    walk_loose_contact(w, values[CONTACT], loose);
  }
}

static void walk_screw(walk* w, const tree_node* node, htz_spec_thing* thing) {
  enum { ON = 0, AT, MASS, STRINGS, WHICH, COUNT };
  static const walk_field fields[COUNT] = {{"on", true}, {"at", true}, {"mass", true}, {"between", false}, {"keys", false}};
  static const char* const words[] = {"all", "outer"};
  const tree_node* values[COUNT];
  htz_spec_screw* screw = &thing->as.screw;
  if (!htz_walk_map(w, node, thing->name, COUNT, fields, values)) {
    return;
  }
  walk_which(w, values[WHICH], thing);
  if (values[ON]) {
    walk_on(w, values[ON], thing);
  }
  if (values[AT]) {
    htz_walk_table(w, values[AT], &at_range, &screw->at);
  }
  if (values[MASS]) {
    htz_walk_table(w, values[MASS], &mass_range, &screw->mass);
  }
  screw->outer = values[STRINGS] && htz_walk_word(w, values[STRINGS], "between", 2, words) == 1;
}

static void walk_rubber(walk* w, const tree_node* node, htz_spec_thing* thing) {
  enum { ON = 0, AT, DAMPING, STIFFNESS, AGAINST, WHICH, COUNT };
  static const walk_field fields[COUNT] = {{"on", true},         {"at", true},       {"damping", true},
                                           {"stiffness", false}, {"against", false}, {"keys", false}};
  static const char* const words[] = {"ground", "neighbours"};
  const tree_node* values[COUNT];
  htz_spec_rubber* rubber = &thing->as.rubber;
  if (!htz_walk_map(w, node, thing->name, COUNT, fields, values)) {
    return;
  }
  walk_which(w, values[WHICH], thing);
  if (values[ON]) {
    walk_on(w, values[ON], thing);
  }
  if (values[AT]) {
    htz_walk_table(w, values[AT], &at_range, &rubber->at);
  }
  if (values[DAMPING]) {
    htz_walk_table(w, values[DAMPING], &resistance_range, &rubber->damping);
  }
  htz_walk_table_or(w, values[STIFFNESS], 0.0, &stiffness_range, &rubber->stiffness);
  rubber->between = values[AGAINST] && htz_walk_word(w, values[AGAINST], "against", 2, words) == 1;
}

enum { NAMES = HTZ_PREPARED_KINDS + HTZ_SPEC_PREPARED_MAX };

static const char* const kind_names[HTZ_PREPARED_KINDS] = {
    [HTZ_PREPARED_RATTLE] = "rattle",
    [HTZ_PREPARED_BRIDGE] = "bridge",
    [HTZ_PREPARED_SCREW] = "screw",
    [HTZ_PREPARED_RUBBER] = "rubber",
};

/** What `name`, a kind or a kind and a number from 1 to 99, is one of. @return HTZ_PREPARED_KINDS when it is none */
static htz_prepared_kind kind_of(const char* name) {
  for (int k = 0; k < HTZ_PREPARED_KINDS; ++k) {
    const size_t length = strlen(kind_names[k]);
    if (strncmp(name, kind_names[k], length) == 0) {
      const char* number = name + length;
      const bool counts = isdigit((unsigned char)number[0]) && number[0] != '0' &&
                          (!number[1] || (isdigit((unsigned char)number[1]) && !number[2]));
      return !number[0] || counts ? (htz_prepared_kind)k : HTZ_PREPARED_KINDS;
    }
  }
  return HTZ_PREPARED_KINDS;
}

/** The kinds, and the names with a number that the map has. @return how many they are, NAMES + 1 when there are too many */
static size_t list_names(const tree_node* node, walk_field fields[NAMES]) {
  size_t n = 0;
  for (; n < HTZ_PREPARED_KINDS; ++n) {
    fields[n] = (walk_field){kind_names[n], false};
  }
  for (const tree_node* key = node->type == TREE_MAP ? node->first : NULL; key; key = key->next->next) {
    bool known = key->type != TREE_SCALAR || key->broken || kind_of(key->text) == HTZ_PREPARED_KINDS;
    for (size_t i = 0; i < n && !known; ++i) {
      known = strcmp(fields[i].name, key->text) == 0;
    }
    if (known) {
      continue;
    }
    if (n == NAMES) {
      return NAMES + 1;
    }
    fields[n++] = (walk_field){key->text, false};
  }
  return n;
}

void htz_walk_preparations(walk* w, const tree_node* node) {
  walk_field fields[NAMES];
  const tree_node* values[NAMES];
  htz_spec* spec = w->spec;
  const size_t n = list_names(node, fields);
  if (n > NAMES) {
    htz_walk_fault(w, node, "preparations: too many; allowed: %d of a file", HTZ_SPEC_PREPARED_MAX);
    return;
  }
  if (!htz_walk_map(w, node, "preparations", n, fields, values)) {
    return;
  }
  spec->prepared = htz_walk_alloc(w, 1, sizeof *spec->prepared);
  for (size_t i = 0; i < n && spec->prepared; ++i) {
    if (!values[i]) {
      continue;
    }
    htz_spec_thing* thing = &spec->prepared->things[spec->prepared->n++];
    thing->name = fields[i].name;
    thing->kind = kind_of(thing->name);
    switch (thing->kind) {
    case HTZ_PREPARED_SCREW:
      walk_screw(w, values[i], thing);
      break;
    case HTZ_PREPARED_RUBBER:
      walk_rubber(w, values[i], thing);
      break;
    default:
      walk_loose(w, values[i], thing);
      break;
    }
  }
  spec->screws = htz_spec_has_prepared(spec, HTZ_PREPARED_SCREW);
  spec->rubbers = htz_spec_has_prepared(spec, HTZ_PREPARED_RUBBER);
  spec->rattles = htz_spec_has_prepared(spec, HTZ_PREPARED_RATTLE);
  spec->loose_bridge = htz_spec_has_prepared(spec, HTZ_PREPARED_BRIDGE);
}

/** How many things key `key` has. */
static size_t count_at(const htz_spec* spec, int key) {
  size_t n = 0;
  for (size_t b = 0; b < spec->n_bodies; ++b) {
    n += htz_spec_prepared_count(spec, key, b);
  }
  return n;
}

void htz_walk_check_preparations(walk* w, const tree_node* node) {
  const htz_spec* spec = w->spec;
  if (!spec->prepared) {
    return;
  }
  if (spec->mallet.solver) {
    htz_walk_fault(w, node,
                   "preparations: a mallet with a solver of its own is alone with its body: that solver moves the body's modes "
                   "itself, and "
                   "nothing else can push on them");
  }
  for (size_t i = 0; i < spec->prepared->n; ++i) {
    const htz_spec_thing* thing = &spec->prepared->things[i];
    const bool loose = thing->kind == HTZ_PREPARED_RATTLE || thing->kind == HTZ_PREPARED_BRIDGE;
    for (int key = 0; loose && key < HTZ_KEYS; ++key) {
      if (htz_spec_thing_at(thing, key) && !(htz_table_at(&thing->as.loose.spring, key) > 0.0) &&
          !(htz_table_at(&thing->as.loose.gravity, key) > 0.0)) {
        htz_walk_fault(w, node, "preparations: nothing holds the %s at key %d; it needs a spring or gravity above 0",
                       thing->name, key);
        break;
      }
    }
  }
  for (int key = spec->key_low; key <= spec->key_high; ++key) {
    if (count_at(spec, key) > HTZ_PREPARED_MAX) {
      htz_walk_fault(w, node, "preparations: %zu things at key %d; allowed: %d a key", count_at(spec, key), key,
                     HTZ_PREPARED_MAX);
      break;
    }
  }
}

/** The value at the key nearest to the middle of the range that has it. */
static double middle(const htz_spec* spec, const htz_spec_thing* thing, const htz_table* table) {
  const double centre = 0.5 * (spec->key_low + spec->key_high);
  int best = -1;
  for (int key = spec->key_low; key <= spec->key_high; ++key) {
    if (htz_spec_thing_at(thing, key) && (best < 0 || fabs(key - centre) < fabs(best - centre))) {
      best = key;
    }
  }
  return htz_table_at(table, best < 0 ? centre : best);
}

void htz_walk_derive_preparations(htz_spec* spec) {
  for (size_t i = spec->prepared ? spec->prepared->n : 0; i-- > 0;) { // the first of a kind is the last that is asked
    const htz_spec_thing* t = &spec->prepared->things[i];
    const struct {
      htz_prepared_kind kind;
      htz_param_index param;
      const htz_table* table;
    } of[] = {
        {HTZ_PREPARED_RATTLE, HTZ_PARAM_RATTLE_GAP, &t->as.loose.gap},
        {HTZ_PREPARED_RATTLE, HTZ_PARAM_RATTLE_AT, &t->as.loose.at},
        {HTZ_PREPARED_SCREW, HTZ_PARAM_SCREW_AT, &t->as.screw.at},
        {HTZ_PREPARED_RUBBER, HTZ_PARAM_RUBBER_AT, &t->as.rubber.at},
    };
    for (size_t k = 0; k < sizeof of / sizeof of[0]; ++k) {
      if (of[k].kind == t->kind && !spec->param_given[of[k].param]) {
        spec->params[of[k].param] = middle(spec, t, of[k].table);
      }
    }
  }
}
