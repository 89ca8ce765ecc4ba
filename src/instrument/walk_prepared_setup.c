#include "walk_prepared.h"

#include "hertzian/instrument/spec_prepared.h"

#include <math.h>

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
static void walk_on(walk* w, const tree_node* node) {
  const size_t index = htz_walk_body_name(w, node, "on");
  if (index < w->spec->n_bodies && w->struck < w->spec->n_bodies && index != w->struck) {
    htz_walk_fault(w, node, "on: only what the mallet strikes can be prepared, and that is not \"%s\"",
                   w->spec->bodies[index].name);
  }
}

/** Keys that have it: a list of key numbers; every key when there is none. */
static void walk_which(walk* w, const tree_node* node, htz_spec_prepared_keys* has) {
  static const walk_range range = {"keys", "", 0.0, HTZ_KEYS - 1};
  has->given = true;
  if (!node) {
    has->keys[0] = has->keys[1] = ~UINT64_C(0);
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
    if (has->keys[key / 64] >> (key % 64) & 1u) {
      htz_walk_fault(w, item, "keys: key %ld stands twice", key);
    }
    has->keys[key / 64] |= UINT64_C(1) << (key % 64);
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

/** A rattle, or a loose bridge, which has one gap for all keys: that of its parameter. */
static void walk_loose(walk* w, const tree_node* node, const char* where, htz_spec_loose* loose) {
  enum { ON = 0, AT, AT_Y, MASS, GAP, SPRING, DAMPING, GRAVITY, CONTACT, WHICH, COUNT };
  static const walk_field fields[COUNT] = {{"on", true},      {"at", true},      {"at_y", false},    {"mass", true},
                                           {"gap", true},     {"spring", false}, {"damping", false}, {"gravity", false},
                                           {"contact", true}, {"keys", false}};
  const tree_node* values[COUNT];
  if (!htz_walk_map(w, node, where, COUNT, fields, values)) {
    return;
  }
  const bool foreign = w->foreign > 0;
  walk_which(w, values[WHICH], &loose->has);
  if (values[ON]) {
    walk_on(w, values[ON]);
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
  if (values[GAP] && loose == &w->spec->prepared->loose[HTZ_LOOSE_BRIDGE]) {
    const htz_param_desc* p = &htz_instrument_params[HTZ_PARAM_BRIDGE_GAP];
    const walk_range range = {"gap", p->unit, p->minimum, p->maximum};
    double* gap = &w->spec->params[HTZ_PARAM_BRIDGE_GAP];
    htz_walk_number(w, values[GAP], &range, gap);
    htz_walk_constant(w, *gap, &range, &loose->gap);
  } else if (values[GAP]) {
    htz_walk_table(w, values[GAP], &gap_range, &loose->gap);
  }
  htz_walk_table_or(w, values[SPRING], 0.0, &spring_range, &loose->spring);
  htz_walk_table_or(w, values[DAMPING], damping_default, &spring_damping_range, &loose->damping);
  htz_walk_table_or(w, values[GRAVITY], 0.0, &gravity_range, &loose->gravity);
  if (!values[SPRING] && !values[GRAVITY] && !foreign) {
    htz_walk_fault(w, node, "%s: nothing holds it there; it needs a spring [Hz], a gravity [m/s^2], or both", where);
  }
  if (values[CONTACT]) {
    walk_loose_contact(w, values[CONTACT], loose);
  }
}

static void walk_screw(walk* w, const tree_node* node, htz_spec_screw* screw) {
  enum { ON = 0, AT, MASS, STRINGS, WHICH, COUNT };
  static const walk_field fields[COUNT] = {{"on", true}, {"at", true}, {"mass", true}, {"between", false}, {"keys", false}};
  static const char* const words[] = {"all", "outer"};
  const tree_node* values[COUNT];
  if (!htz_walk_map(w, node, "screw", COUNT, fields, values)) {
    return;
  }
  walk_which(w, values[WHICH], &screw->has);
  if (values[ON]) {
    walk_on(w, values[ON]);
  }
  if (values[AT]) {
    htz_walk_table(w, values[AT], &at_range, &screw->at);
  }
  if (values[MASS]) {
    htz_walk_table(w, values[MASS], &mass_range, &screw->mass);
  }
  screw->outer = values[STRINGS] && htz_walk_word(w, values[STRINGS], "between", 2, words) == 1;
}

static void walk_rubber(walk* w, const tree_node* node, htz_spec_rubber* rubber) {
  enum { ON = 0, AT, DAMPING, STIFFNESS, AGAINST, WHICH, COUNT };
  static const walk_field fields[COUNT] = {{"on", true},         {"at", true},       {"damping", true},
                                           {"stiffness", false}, {"against", false}, {"keys", false}};
  static const char* const words[] = {"ground", "neighbours"};
  const tree_node* values[COUNT];
  if (!htz_walk_map(w, node, "rubber", COUNT, fields, values)) {
    return;
  }
  walk_which(w, values[WHICH], &rubber->has);
  if (values[ON]) {
    walk_on(w, values[ON]);
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

void htz_walk_preparations(walk* w, const tree_node* node) {
  enum { SCREW = 0, RUBBER, RATTLE, BRIDGE, COUNT };
  static const walk_field fields[COUNT] = {{"screw", false}, {"rubber", false}, {"rattle", false}, {"bridge", false}};
  const tree_node* values[COUNT];
  htz_spec* spec = w->spec;
  if (!htz_walk_map(w, node, "preparations", COUNT, fields, values)) {
    return;
  }
  spec->prepared = htz_walk_alloc(w, 1, sizeof *spec->prepared);
  if (!spec->prepared) {
    return;
  }
  spec->screws = values[SCREW] != NULL;
  spec->rubbers = values[RUBBER] != NULL;
  spec->rattles = values[RATTLE] != NULL;
  spec->loose_bridge = values[BRIDGE] != NULL;
  if (values[SCREW]) {
    walk_screw(w, values[SCREW], &spec->prepared->screw);
  }
  if (values[RUBBER]) {
    walk_rubber(w, values[RUBBER], &spec->prepared->rubber);
  }
  if (values[RATTLE]) {
    walk_loose(w, values[RATTLE], "rattle", &spec->prepared->loose[HTZ_LOOSE_RATTLE]);
  }
  if (values[BRIDGE]) {
    walk_loose(w, values[BRIDGE], "bridge", &spec->prepared->loose[HTZ_LOOSE_BRIDGE]);
  }
}

void htz_walk_check_preparations(walk* w, const tree_node* node) {
  const htz_spec* spec = w->spec;
  if (!spec->prepared) {
    return;
  }
  if (spec->mallet.stay.given) {
    htz_walk_fault(w, node, "preparations: not beside a mallet with gravity, drive or roll");
  }
  if (spec->mallet.solver) {
    htz_walk_fault(w, node, "preparations: a mallet whose solver is not the house's is alone with its body");
  }
  for (size_t i = 0; i < HTZ_LOOSE_MAX; ++i) {
    const htz_spec_loose* loose = &spec->prepared->loose[i];
    for (int key = 0; loose->has.given && key < HTZ_KEYS; ++key) {
      if (!(htz_table_at(&loose->spring, key) > 0.0) && !(htz_table_at(&loose->gravity, key) > 0.0)) {
        htz_walk_fault(w, node, "preparations: nothing holds what is loose at key %d; it needs a spring or gravity above 0",
                       key);
        break;
      }
    }
  }
}

/** The value at the key nearest to the middle of the range that has it. */
static double middle(const htz_spec* spec, const htz_spec_prepared_keys* has, const htz_table* table) {
  const double centre = 0.5 * (spec->key_low + spec->key_high);
  int best = -1;
  for (int key = spec->key_low; key <= spec->key_high; ++key) {
    if (htz_spec_prepared_has(has, key) && (best < 0 || fabs(key - centre) < fabs(best - centre))) {
      best = key;
    }
  }
  return htz_table_at(table, best < 0 ? centre : best);
}

void htz_walk_derive_preparations(htz_spec* spec) {
  const htz_spec_prepared* p = spec->prepared;
  if (!p) {
    return;
  }
  const struct {
    htz_param_index param;
    const htz_spec_prepared_keys* has;
    const htz_table* table;
  } of[] = {
      {HTZ_PARAM_RATTLE_GAP, &p->loose[HTZ_LOOSE_RATTLE].has, &p->loose[HTZ_LOOSE_RATTLE].gap},
      {HTZ_PARAM_RATTLE_AT, &p->loose[HTZ_LOOSE_RATTLE].has, &p->loose[HTZ_LOOSE_RATTLE].at},
      {HTZ_PARAM_SCREW_AT, &p->screw.has, &p->screw.at},
      {HTZ_PARAM_RUBBER_AT, &p->rubber.has, &p->rubber.at},
  };
  for (size_t i = 0; i < sizeof of / sizeof of[0]; ++i) {
    if (of[i].has->given && !spec->param_given[of[i].param]) {
      spec->params[of[i].param] = middle(spec, of[i].has, of[i].table);
    }
  }
}
