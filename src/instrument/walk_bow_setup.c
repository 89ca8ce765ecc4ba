#include "walk.h"

#include <string.h>

/*
   A bow, or two, beside a mallet or in place of one, and a left hand that makes a few strings serve all keys. The same words for bodies
   with modes and strings on grids.
*/

static const walk_range at_range = {"at", "", 0.01, 0.9};
static const walk_range at_y_range = {"at_y", "", 0.0, 1.0};
static const walk_range force_range = {"force", "N", 1e-4, 50.0};
static const walk_range speed_range = {"speed", "m/s", 1e-3, 5.0};
static const walk_range attack_range = {"attack", "s", 0.0, 5.0};
static const walk_range torsion_range = {"torsion", "", 0.5, 100.0};
static const walk_range glide_range = {"glide", "s", 0.0, 1.0};
static const walk_range key_range = {"keys", "", 0.0, HTZ_KEYS - 1};

static const double at_default = 0.12;
static const double attack_default[2] = {0.1, 0.02};
static const double glide_default = 0.02;

/** Numbers of a friction law: where they go, and what they are unless given. */
enum { SHARPNESS = 0, MU_STATIC, MU_DYNAMIC, STRIBECK, STIFFNESS, DAMPING, VISCOUS, NUMBERS };
static const walk_range numbers[NUMBERS] = {{"sharpness", "s^2/m^2", 0.1, 1e6}, {"static", "", 0.01, 10.0},
                                            {"dynamic", "", 0.01, 10.0},        {"stribeck", "m/s", 1e-4, 10.0},
                                            {"stiffness", "N/m", 1.0, 1e8},     {"damping", "N s/m", 0.0, 1e3},
                                            {"viscous", "N s/m", 0.0, 1e3}};
// The curve of Bilbao's bowed strings; bristles with the friction of Serafin, Avanzini and Rocchesso, and with so little damping that a
// cello's string still flies back freely.
static const double number_defaults[NUMBERS] = {100.0, 0.8, 0.3, 0.1, 1e4, 0.01, 0.02};

static void walk_friction(walk* w, const tree_node* node, htz_friction* law) {
  enum { LAW = 0, COUNT = NUMBERS + 1 };
  static const char* const laws[] = {"static", "bristles"};
  static const walk_field fields[COUNT] = {{"law", true},       {"sharpness", false}, {"static", false},  {"dynamic", false},
                                           {"stribeck", false}, {"stiffness", false}, {"damping", false}, {"viscous", false}};
  const tree_node* values[COUNT];
  double* to[NUMBERS] = {&law->sharpness, &law->mu_static, &law->mu_dynamic, &law->stribeck, &law->s0, &law->s1, &law->s2};
  const size_t faults = w->diags->n;
  if (!htz_walk_map(w, node, "friction", COUNT, fields, values)) {
    return;
  }
  const size_t kind = values[LAW] ? htz_walk_word(w, values[LAW], "law", 2, laws) : 2;
  if (kind == 2) {
    return; // which numbers it has is not known
  }
  law->kind = kind == 1 ? HTZ_FRICTION_BRISTLES : HTZ_FRICTION_STATIC;
  for (size_t i = 0; i < NUMBERS; ++i) {
    const bool belongs = (i == SHARPNESS) == (law->kind == HTZ_FRICTION_STATIC);
    if (values[i + 1] && !belongs) {
      htz_walk_fault(w, values[i + 1], "%s: the law %s has none", numbers[i].name, laws[kind == 1]);
    } else if (values[i + 1]) {
      htz_walk_number(w, values[i + 1], &numbers[i], to[i]);
    }
  }
  const char* why = NULL;
  if (w->diags->n == faults && !htz_friction_valid(law, &why)) {
    htz_walk_fault(w, node, "friction: %s", why);
  }
}

/** What the bow does at velocity 1 and at 127. */
static void walk_ends(walk* w, const tree_node* node, const walk_range* range, htz_table ends[2]) {
  if (htz_walk_list(w, node, range->name, 2, 2)) {
    htz_walk_table(w, node->first, range, &ends[0]);
    htz_walk_table(w, node->first->next, range, &ends[1]);
  }
}

void htz_walk_bow_values(walk* w, const tree_node* node, const tree_node** plays) {
  enum { PLAYS = 0, AT, AT_Y, FORCE, SPEED, ATTACK, FRICTION, TORSION, WHEEL, COUNT };
  static const walk_field fields[COUNT] = {{"plays", true},     {"at", false},      {"at_y", false},
                                           {"force", true},     {"speed", true},    {"attack", false},
                                           {"friction", false}, {"torsion", false}, {"wheel", false}};
  const tree_node* values[COUNT];
  htz_spec_bow* bow = &w->spec->bows[w->spec->n_bows++];
  w->spec->bowed = true;
  bow->law = (htz_friction){HTZ_FRICTION_STATIC,         number_defaults[SHARPNESS], number_defaults[MU_STATIC],
                            number_defaults[MU_DYNAMIC], number_defaults[STRIBECK],  number_defaults[STIFFNESS],
                            number_defaults[DAMPING],    number_defaults[VISCOUS]};
  htz_walk_constant(w, at_default, &at_range, &bow->at);
  for (size_t i = 0; i < 2; ++i) {
    htz_walk_constant(w, attack_default[i], &attack_range, &bow->attack[i]);
  }
  *plays = NULL;
  if (!htz_walk_map(w, node, "bow", COUNT, fields, values)) {
    return;
  }
  *plays = values[PLAYS];
  if (values[AT]) {
    htz_walk_table(w, values[AT], &at_range, &bow->at);
  }
  if (values[AT_Y]) {
    htz_walk_table(w, values[AT_Y], &at_y_range, &bow->at_y);
  }
  if (values[FORCE]) {
    walk_ends(w, values[FORCE], &force_range, bow->force);
  }
  if (values[SPEED]) {
    walk_ends(w, values[SPEED], &speed_range, bow->speed);
  }
  if (values[ATTACK]) {
    walk_ends(w, values[ATTACK], &attack_range, bow->attack);
  }
  if (values[FRICTION]) {
    walk_friction(w, values[FRICTION], &bow->law);
  }
  if (values[TORSION]) {
    htz_walk_number(w, values[TORSION], &torsion_range, &bow->torsion);
  }
  if (values[WHEEL]) {
    htz_walk_flag(w, values[WHEEL], "wheel", &bow->turns);
  }
  if (values[WHEEL] && bow->turns && values[ATTACK]) {
    htz_walk_fault(w, values[ATTACK], "attack: a wheel turns already when the string comes to it");
  }
  for (size_t i = 0; bow->turns && i < 2; ++i) {
    htz_walk_constant(w, 0.0, &attack_range, &bow->attack[i]);
  }
}

static void walk_one(walk* w, const tree_node* node) {
  const tree_node* plays;
  htz_walk_bow_values(w, node, &plays);
  if (!plays) {
    return;
  }
  const size_t body = htz_walk_body_name(w, plays, "plays");
  if (w->struck < w->spec->n_bodies && body < w->spec->n_bodies && body != w->struck) {
    htz_walk_fault(w, plays,
                   "plays: one body of a key is played, here \"%s\"; what a bow plays besides belongs to keys of its own",
                   w->spec->bodies[w->struck].name);
  }
  w->struck = w->struck < w->spec->n_bodies ? w->struck : body;
  const htz_spec_body* it = htz_walk_body_at(w, body);
  const tree_node* torsion = htz_walk_value_of(node, "torsion");
  if (torsion && it && it->kind && strcmp(it->kind->name, "string") != 0) {
    htz_walk_fault(w, torsion, "torsion: a string twists under a bow, a %s does not", it->kind->name);
  }
  const tree_node* at_y = htz_walk_value_of(node, "at_y");
  if (at_y) {
    htz_walk_check_surface(w, at_y, it);
  }
}

/** What reads the mallet finds one, that nobody throws. */
static void no_mallet(walk* w) {
  static const walk_range any = {"", "", 0.0, 1.0};
  htz_spec_mallet* mallet = &w->spec->mallet;
  htz_table* tables[] = {&mallet->mass,      &mallet->speed[0], &mallet->speed[1], &mallet->touch,
                         &mallet->stiffness, &mallet->exponent, &mallet->viscosity};
  for (size_t i = 0; i < sizeof tables / sizeof tables[0]; ++i) {
    htz_walk_constant(w, 1.0, &any, tables[i]);
  }
  htz_walk_constant(w, 0.5, &any, &mallet->at);
  mallet->law = &htz_law_hunt_crossley;
  mallet->pool = 0;
}

void htz_walk_bow(walk* w, const tree_node* node) {
  if (!w->spec->thrown) {
    no_mallet(w);
  }
  if (node->type != TREE_LIST) {
    walk_one(w, node);
  } else if (htz_walk_list(w, node, "bow", 1, HTZ_BOWS_MAX)) {
    for (const tree_node* item = node->first; item; item = item->next) {
      walk_one(w, item);
    }
  }
}

void htz_walk_check_bow(walk* w, const tree_node* bow, const tree_node* fingered) {
  const htz_spec* spec = w->spec;
  if (spec->grid && !bow && fingered && spec->fingered.harmonics && !w->unsure_bow) {
    htz_walk_fault(w, fingered, "harmonics: on grids the finger that lies lightly is that of a string under a bow");
  }
  if (!spec->grid && fingered && strcmp(spec->bodies[0].kind->name, "string") != 0) {
    htz_walk_fault(w, fingered, "fingered: fingers stop strings, and \"%s\" is a %s", spec->bodies[0].name,
                   spec->bodies[0].kind->name);
  }
  if (bow && !spec->grid && spec->mallet.solver) {
    htz_walk_fault(w, bow,
                   "bow: beside a mallet whose solver is not the house's; those solve one contact alone, not with friction");
  }
}

void htz_walk_fingered(walk* w, const tree_node* node) {
  enum { KEYS = 0, GLIDE, HARMONICS, COUNT };
  static const walk_field fields[COUNT] = {{"keys", true}, {"glide", false}, {"harmonics", false}};
  const tree_node* values[COUNT];
  htz_spec_fingered* hand = &w->spec->fingered;
  hand->glide = glide_default;
  if (!htz_walk_map(w, node, "fingered", COUNT, fields, values)) {
    return;
  }
  if (values[KEYS] && htz_walk_list(w, values[KEYS], "keys", 1, HTZ_SPEC_STRINGS_MAX)) {
    for (const tree_node* item = values[KEYS]->first; item; item = item->next) {
      long key;
      if (!htz_walk_whole(w, item, &key_range, &key)) {
        continue;
      }
      if (hand->n > 0 && key <= hand->keys[hand->n - 1]) {
        htz_walk_fault(w, item, "keys: open strings stand from low to high; %ld is not above %d", key, hand->keys[hand->n - 1]);
      } else if (w->keyed && !htz_spec_has_key(w->spec, (int)key)) {
        htz_walk_fault(w, item, "keys: open string %ld is no key of %s; allowed: %d to %d", key,
                       w->object ? "this object" : "the instrument", w->spec->key_low, w->spec->key_high);
      }
      hand->keys[hand->n++] = (int)key;
    }
  }
  if (values[GLIDE]) {
    htz_walk_number(w, values[GLIDE], &glide_range, &hand->glide);
  }
  if (values[HARMONICS]) {
    htz_walk_flag(w, values[HARMONICS], "harmonics", &hand->harmonics);
  }
}
