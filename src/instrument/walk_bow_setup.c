#include "bow.h"
#include "walk.h"

#include <string.h>

/*
   A bow, or two, beside a mallet or in place of one, and a left hand that makes a few strings serve all keys. The same words for bodies
   with modes and strings on grids.
*/

static const double attack_default[2] = {0.1, 0.02};

static void walk_friction(walk* w, const tree_node* node, htz_friction* law) {
  walk_block in;
  double* const to[] = {&law->sharpness, &law->mu_static, &law->mu_dynamic, &law->stribeck, &law->s0, &law->s1, &law->s2};
  const size_t faults = w->diags->n;
  if (!htz_walk_block(w, node, "friction", HTZ_BLOCK_FRICTION, HTZ_ANY_CHOICE, &in)) {
    return;
  }
  const size_t kind = htz_walk_row_word(w, &in, HTZ_ROW_FRICTION_LAW);
  if (kind == HTZ_NO_WORD) {
    return; // which numbers it has is not known
  }
  law->kind = (htz_friction_kind)kind;
  for (size_t i = HTZ_ROW_FRICTION_SHARPNESS; i <= HTZ_ROW_FRICTION_VISCOUS; ++i) {
    const tree_node* value = htz_walk_value(&in, (htz_row_id)i);
    if (value && !(htz_schema[i].only >> kind & 1u)) {
      htz_walk_fault(w, value, "%s: the law %s has none", htz_schema[i].range.name,
                     htz_row_word(&htz_schema[HTZ_ROW_FRICTION_LAW], kind));
    } else {
      htz_walk_row_number(w, &in, (htz_row_id)i, to[i - HTZ_ROW_FRICTION_SHARPNESS]);
    }
  }
  const char* why = NULL;
  if (w->diags->n == faults && !htz_friction_valid(law, &why)) {
    htz_walk_fault(w, node, "friction: %s", why);
  }
}

// The curve of Bilbao's bowed strings; bristles with the friction of Serafin, Avanzini and Rocchesso, and with so little damping that a
// cello's string still flies back freely.
static htz_friction usual_friction(void) {
  const htz_row* row = &htz_schema[HTZ_ROW_FRICTION_SHARPNESS];
  return (htz_friction){HTZ_FRICTION_STATIC, row[0].initial, row[1].initial, row[2].initial,
                        row[3].initial,      row[4].initial, row[5].initial, row[6].initial};
}

/** The name of a bow: as those of bodies, no other's, and nothing that parameters begin with. */
static void walk_name(walk* w, const tree_node* node, htz_spec_bow* bow) {
  if (!htz_walk_good_name(node)) {
    htz_walk_fault(w, node, "name: that of a bow is made of 1 to %d letters, digits, - and _", (int)WALK_NAME_BYTES);
    return;
  }
  if (htz_walk_param_word(node->text) && strcmp(node->text, "bow") != 0) {
    htz_walk_fault(w, node, "name: \"%s\" is what parameters of other things begin with; choose another name", node->text);
    return;
  }
  bow->name = htz_walk_text(w, node, "name", WALK_NAME_BYTES);
  for (const htz_spec_bow* other = w->spec->bows; bow->name && other < bow; ++other) {
    if (other->name && strcmp(other->name, bow->name) == 0) {
      htz_walk_fault(w, node, "name: \"%s\" is that of another bow already", bow->name);
    }
  }
}

void htz_walk_bow_values(walk* w, const tree_node* node, const tree_node** plays) {
  walk_block in;
  htz_spec_bow* bow = &w->spec->bows[w->spec->n_bows++];
  const htz_range attack_range = htz_walk_range_of(HTZ_ROW_BOW_ATTACK);
  w->spec->bowed = true;
  bow->law = usual_friction();
  htz_walk_row_default(w, HTZ_ROW_BOW_AT, &bow->at);
  for (size_t i = 0; i < 2; ++i) {
    htz_walk_constant(w, attack_default[i], &attack_range, &bow->attack[i]);
  }
  *plays = NULL;
  if (!htz_walk_block(w, node, "bow", HTZ_BLOCK_BOW, HTZ_ANY_CHOICE, &in)) {
    return;
  }
  const tree_node* friction = htz_walk_value(&in, HTZ_ROW_BOW_FRICTION);
  const tree_node* attack = htz_walk_value(&in, HTZ_ROW_BOW_ATTACK);
  *plays = htz_walk_value(&in, HTZ_ROW_BOW_PLAYS);
  if (htz_walk_value(&in, HTZ_ROW_BOW_NAME)) {
    walk_name(w, htz_walk_value(&in, HTZ_ROW_BOW_NAME), bow);
  }
  htz_walk_row_table(w, &in, HTZ_ROW_BOW_AT, &bow->at);
  htz_walk_row_table(w, &in, HTZ_ROW_BOW_AT_Y, &bow->at_y);
  htz_walk_row_ends(w, &in, HTZ_ROW_BOW_FORCE, bow->force);
  htz_walk_row_ends(w, &in, HTZ_ROW_BOW_SPEED, bow->speed);
  htz_walk_row_ends(w, &in, HTZ_ROW_BOW_ATTACK, bow->attack);
  if (friction) {
    walk_friction(w, friction, &bow->law);
  }
  htz_walk_row_number(w, &in, HTZ_ROW_BOW_TORSION, &bow->torsion);
  htz_walk_row_table(w, &in, HTZ_ROW_BOW_RIM, &bow->rim);
  htz_walk_row_flag(w, &in, HTZ_ROW_BOW_WHEEL, &bow->turns);
  if (bow->turns && attack) {
    htz_walk_fault(w, attack, "attack: a wheel turns already when the string comes to it");
  }
  for (size_t i = 0; bow->turns && i < 2; ++i) {
    htz_walk_constant(w, 0.0, &attack_range, &bow->attack[i]);
  }
}

/** A bow plays `body`. */
static void add_played(walk* w, size_t body) {
  bool known = false;
  for (size_t i = 0; i < w->n_strikes + w->n_bowed; ++i) {
    known = known || w->strikes[i] == body;
  }
  if (!known) {
    w->strikes[w->n_strikes + w->n_bowed] = body;
    ++*(w->spec->thrown ? &w->n_bowed : &w->n_strikes); // where nothing is thrown, what is bowed stands for what is struck
  }
}

static void walk_one(walk* w, const tree_node* node) {
  const tree_node* plays;
  htz_walk_bow_values(w, node, &plays);
  if (!plays) {
    return;
  }
  const size_t body = htz_walk_body_name(w, plays, "plays");
  w->struck = w->struck < w->spec->n_bodies ? w->struck : body;
  w->spec->bows[w->spec->n_bows - 1].body = body;
  add_played(w, body);
  const htz_spec_body* it = htz_walk_body_at(w, body);
  const tree_node* torsion = htz_walk_value_of(node, "torsion");
  if (torsion && it && it->kind && !htz_bow_is_string(it)) {
    htz_walk_fault(w, torsion, "torsion: a string twists under a bow, a %s does not", it->kind->name);
  }
  const tree_node* rim = htz_walk_value_of(node, "rim");
  if (rim && it && it->kind && it->most_modes > 0 && !it->closed) {
    htz_walk_fault(w, rim, "rim: the way round a modal-list with `diameters`; \"%s\" has ends, or no places at all", it->name);
  }
  const tree_node* at_y = htz_walk_value_of(node, "at_y");
  if (at_y) {
    htz_walk_check_surface(w, at_y, it);
  }
}

/** What reads the mallet finds one, that nobody throws. */
static void no_mallet(walk* w) {
  static const htz_range any = {"", "", 0.0, 1.0};
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
  } else if (htz_walk_row_list(w, node, HTZ_ROW_FILE_BOW)) {
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
  size_t strings = 0;
  for (size_t b = 0; !spec->grid && b < spec->n_struck + spec->n_bowed; ++b) {
    strings += htz_bow_is_string(&spec->bodies[b]);
  }
  if (!spec->grid && fingered && (spec->fingered.harmonics ? strings == 0 : !htz_bow_is_string(&spec->bodies[0]))) {
    htz_walk_fault(w, fingered, "fingered: fingers stop strings, and \"%s\" is a %s", spec->bodies[0].name,
                   spec->bodies[0].kind->name);
  }
  if (bow && !spec->grid && spec->mallet.solver) {
    htz_walk_fault(w, bow,
                   "bow: beside a mallet whose solver is not the house's; those solve one contact alone, not with friction");
  }
}

/** The next open string. */
static void walk_open(walk* w, const tree_node* item) {
  htz_spec_fingered* hand = &w->spec->fingered;
  long key;
  if (!htz_walk_key(w, item, &key)) {
    return;
  }
  if (hand->n > 0 && key <= hand->keys[hand->n - 1]) {
    htz_walk_fault(w, item, "keys: open strings stand from low to high; %ld is not above %d", key, hand->keys[hand->n - 1]);
  } else if (w->keyed && !htz_spec_has_key(w->spec, (int)key)) {
    htz_walk_fault(w, item, "keys: open string %ld is no key of %s; allowed: %d to %d", key,
                   w->object ? "this object" : "the instrument", w->spec->key_low, w->spec->key_high);
  }
  hand->keys[hand->n++] = (int)key;
}

void htz_walk_fingered(walk* w, const tree_node* node) {
  walk_block in;
  htz_spec_fingered* hand = &w->spec->fingered;
  if (!htz_walk_block(w, node, "fingered", HTZ_BLOCK_FINGERED, HTZ_ANY_CHOICE, &in)) {
    return;
  }
  const tree_node* keys = htz_walk_value(&in, HTZ_ROW_FINGERED_KEYS);
  if (keys && htz_walk_row_list(w, keys, HTZ_ROW_FINGERED_KEYS)) {
    for (const tree_node* item = keys->first; item; item = item->next) {
      walk_open(w, item);
    }
  }
  htz_walk_row_number(w, &in, HTZ_ROW_FINGERED_GLIDE, &hand->glide);
  htz_walk_row_flag(w, &in, HTZ_ROW_FINGERED_HARMONICS, &hand->harmonics);
  htz_walk_row_flag(w, &in, HTZ_ROW_FINGERED_CHORDS, &hand->chords);
  htz_walk_row_number(w, &in, HTZ_ROW_FINGERED_HAMMER_ON, &hand->hammer_on);
  if (hand->chords && hand->harmonics) {
    htz_walk_fault(w, node, "fingered: chords does not go with harmonics, which are each on the string that has them");
  }
  hand->frets = hand->n ? w->spec->key_high - hand->keys[hand->n - 1] : 0;
}
