#include "walk_prepared.h"

#include "hertzian/instrument/spec_prepared.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

/*
   What is fixed to bodies of a key or lies loose on them. Where a player may move one thing for all keys, the parameter starts from what
   stands here.
*/

/** Keys that have it: a list of key numbers; every key when there is none. */
static void walk_which(walk* w, const tree_node* node, htz_spec_thing* thing) {
  if (!node) {
    thing->keys[0] = thing->keys[1] = ~UINT64_C(0);
    return;
  }
  if (!htz_walk_row_list(w, node, HTZ_ROW_THING_KEYS)) {
    return;
  }
  for (const tree_node* item = node->first; item; item = item->next) {
    long key;
    if (!htz_walk_key(w, item, &key)) {
      continue;
    }
    if (htz_spec_thing_at(thing, (int)key)) {
      htz_walk_fault(w, item, "keys: key %ld stands twice", key);
    }
    thing->keys[key / 64] |= UINT64_C(1) << (key % 64);
  }
}

static void walk_loose_contact(walk* w, const tree_node* node, htz_spec_loose* loose) {
  walk_block in;
  htz_table* const tables[] = {&loose->stiffness, &loose->exponent, &loose->viscosity};
  if (!htz_walk_block(w, node, "contact", HTZ_BLOCK_LOOSE_CONTACT, HTZ_ANY_CHOICE, &in)) {
    return;
  }
  for (size_t i = HTZ_ROW_LOOSE_CONTACT_STIFFNESS; i <= HTZ_ROW_LOOSE_CONTACT_VISCOSITY; ++i) {
    htz_range range;
    double initial;
    htz_walk_law_range(&htz_law_hunt_crossley, htz_schema[i].range.name, &range, &initial);
    htz_walk_table_or(w, htz_walk_value(&in, (htz_row_id)i), initial, &range, tables[i - HTZ_ROW_LOOSE_CONTACT_STIFFNESS]);
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
static void walk_loose(walk* w, const tree_node* node, const walk_block* in, htz_spec_thing* thing) {
  const bool foreign = w->foreign > 0;
  const tree_node* contact = htz_walk_value(in, HTZ_ROW_THING_CONTACT);
  htz_spec_loose* loose = &thing->as.loose;
  htz_walk_row_table(w, in, HTZ_ROW_THING_AT, &loose->at);
  htz_walk_row_table(w, in, HTZ_ROW_THING_AT_Y, &loose->at_y);
  htz_walk_check_surface(w, htz_walk_value(in, HTZ_ROW_THING_AT_Y), htz_walk_body_at(w, thing->on));
  htz_walk_row_table(w, in, HTZ_ROW_THING_MASS, &loose->mass);
  htz_walk_row_table(w, in, HTZ_ROW_THING_GAP, &loose->gap);
  if (htz_walk_value(in, HTZ_ROW_THING_BRIDGE_GAP)) {
    const htz_range range = htz_walk_range_of(HTZ_ROW_THING_BRIDGE_GAP);
    double gap = htz_instrument_params[HTZ_PARAM_BRIDGE_GAP].initial;
    htz_walk_row_number(w, in, HTZ_ROW_THING_BRIDGE_GAP, &gap);
    htz_walk_constant(w, gap, &range, &loose->gap);
    if (is_first(w, thing)) {
      w->spec->params[HTZ_PARAM_BRIDGE_GAP] = gap;
    }
  }
  htz_walk_row_table(w, in, HTZ_ROW_THING_SPRING, &loose->spring);
  htz_walk_row_table(w, in, HTZ_ROW_THING_LOOSE_DAMPING, &loose->damping);
  htz_walk_row_table(w, in, HTZ_ROW_THING_GRAVITY, &loose->gravity);
  if (!htz_walk_value(in, HTZ_ROW_THING_SPRING) && !htz_walk_value(in, HTZ_ROW_THING_GRAVITY) && !foreign) {
    htz_walk_fault(w, node, "%s: nothing holds it there; it needs a spring [Hz], a gravity [m/s^2], or both", thing->name);
  }
  if (contact) {
    walk_loose_contact(w, contact, loose);
  }
}

static void walk_screw(walk* w, const walk_block* in, htz_spec_screw* screw) {
  htz_walk_row_table(w, in, HTZ_ROW_THING_AT, &screw->at);
  htz_walk_row_table(w, in, HTZ_ROW_THING_MASS, &screw->mass);
  screw->outer = htz_walk_row_word(w, in, HTZ_ROW_THING_BETWEEN) == 1;
}

static void walk_rubber(walk* w, const walk_block* in, htz_spec_rubber* rubber) {
  htz_walk_row_table(w, in, HTZ_ROW_THING_AT, &rubber->at);
  htz_walk_row_table(w, in, HTZ_ROW_THING_DAMPING, &rubber->damping);
  htz_walk_row_table(w, in, HTZ_ROW_THING_STIFFNESS, &rubber->stiffness);
  rubber->between = htz_walk_row_word(w, in, HTZ_ROW_THING_AGAINST) == 1;
}

static void walk_thing(walk* w, const tree_node* node, htz_spec_thing* thing) {
  walk_block in;
  if (!htz_walk_block(w, node, thing->name, HTZ_BLOCK_THING, (size_t)thing->kind, &in)) {
    return;
  }
  const size_t foreign = w->foreign;
  walk_which(w, htz_walk_value(&in, HTZ_ROW_THING_KEYS), thing);
  if (htz_walk_value(&in, HTZ_ROW_THING_ON)) {
    thing->on = htz_walk_body_name(w, htz_walk_value(&in, HTZ_ROW_THING_ON), "on");
  }
  w->foreign = foreign;
  switch (thing->kind) {
  case HTZ_PREPARED_SCREW:
    walk_screw(w, &in, &thing->as.screw);
    break;
  case HTZ_PREPARED_RUBBER:
    walk_rubber(w, &in, &thing->as.rubber);
    break;
  default:
    walk_loose(w, node, &in, thing);
    break;
  }
}

enum { NAMES = HTZ_PREPARED_KINDS + HTZ_SPEC_PREPARED_MAX };

static const char* kind_name(size_t kind) {
  return htz_row_word(&htz_schema[HTZ_ROW_THING_KIND], kind);
}

/** What `name`, a kind or a kind and a number from 1 to 99, is one of. @return HTZ_PREPARED_KINDS when it is none */
static htz_prepared_kind kind_of(const char* name) {
  for (int k = 0; k < HTZ_PREPARED_KINDS; ++k) {
    const size_t length = strlen(kind_name((size_t)k));
    if (strncmp(name, kind_name((size_t)k), length) == 0) {
      const char* number = name + length;
      const bool counts = isdigit((unsigned char)number[0]) && number[0] != '0' &&
                          (!number[1] || (isdigit((unsigned char)number[1]) && !number[2]));
      return !number[0] || counts ? (htz_prepared_kind)k : HTZ_PREPARED_KINDS;
    }
  }
  return HTZ_PREPARED_KINDS;
}

/** It says itself what it is. */
static bool says_kind(const tree_node* key) {
  return key->next->type == TREE_MAP && htz_walk_value_of(key->next, htz_schema[HTZ_ROW_THING_KIND].range.name);
}

/** The kinds, and the names that the map has besides. @return how many they are, NAMES + 1 when there are too many */
static size_t list_names(const tree_node* node, walk_field fields[NAMES]) {
  size_t n = 0;
  for (; n < HTZ_PREPARED_KINDS; ++n) {
    fields[n] = (walk_field){.name = kind_name(n)};
  }
  for (const tree_node* key = node->type == TREE_MAP ? node->first : NULL; key; key = key->next->next) {
    bool known = key->type != TREE_SCALAR || key->broken || (kind_of(key->text) == HTZ_PREPARED_KINDS && !says_kind(key));
    for (size_t i = 0; i < n && !known; ++i) {
      known = strcmp(fields[i].name, key->text) == 0;
    }
    if (known) {
      continue;
    }
    if (n == NAMES) {
      return NAMES + 1;
    }
    fields[n++] = (walk_field){.name = key->text};
  }
  return n;
}

/** Names that the file chose: as those of bodies, and none that parameters begin with. */
static void check_names(walk* w, const tree_node* node) {
  for (const tree_node* key = node->first; key; key = key->next->next) {
    if (key->type != TREE_SCALAR || key->broken || kind_of(key->text) < HTZ_PREPARED_KINDS || !says_kind(key)) {
      continue;
    }
    if (!htz_walk_good_name(key)) {
      htz_walk_fault(w, key, "preparations: a name is made of 1 to %d letters, digits, - and _", (int)WALK_NAME_BYTES);
    } else if (htz_walk_param_word(key->text)) {
      htz_walk_fault(w, key, "preparations: \"%s\" is what parameters of other things begin with; choose another name",
                     key->text);
    }
  }
}

/** What the thing in `node` is, by its own word or else by its name. */
static htz_prepared_kind walk_kind(walk* w, const tree_node* node, const char* name) {
  const htz_prepared_kind called = kind_of(name);
  const char* said = htz_schema[HTZ_ROW_THING_KIND].range.name;
  const tree_node* kind = node->type == TREE_MAP ? htz_walk_value_of(node, said) : NULL;
  if (!kind) {
    return called;
  }
  const size_t word = htz_walk_word_of(w, kind, HTZ_ROW_THING_KIND);
  if (word != HTZ_NO_WORD && called < HTZ_PREPARED_KINDS && (size_t)called != word) {
    htz_walk_fault(w, kind, "kind: what is called \"%s\" is a %s", name, kind_name((size_t)called));
  }
  return word == HTZ_NO_WORD ? HTZ_PREPARED_KINDS : (htz_prepared_kind)word;
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
  const char* where = node->type == TREE_MAP ? "preparations, where a name of your own needs a `kind`" : "preparations";
  if (!htz_walk_map(w, node, where, n, fields, values)) {
    return;
  }
  check_names(w, node);
  spec->prepared = htz_walk_alloc(w, 1, sizeof *spec->prepared);
  for (size_t i = 0; i < n && spec->prepared; ++i) {
    const htz_prepared_kind kind = values[i] ? walk_kind(w, values[i], fields[i].name) : HTZ_PREPARED_KINDS;
    if (kind < HTZ_PREPARED_KINDS) {
      htz_spec_thing* thing = &spec->prepared->things[spec->prepared->n++];
      thing->name = fields[i].name;
      thing->kind = kind;
      walk_thing(w, values[i], thing);
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
