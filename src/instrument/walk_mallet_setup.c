#include "walk.h"

#include <string.h>

static const size_t pool_default = 4; // a roll faster than a mallet's contact and flight does not occur

size_t htz_walk_law_range(const htz_law_class* law, const char* name, htz_range* range, double* initial) {
  const size_t i = htz_param_find(law->params, law->n_params, name);
  if (i < law->n_params) {
    *range = (htz_range){law->params[i].name, law->params[i].unit, law->params[i].minimum, law->params[i].maximum};
    *initial = law->params[i].initial;
  }
  return i;
}

static bool law_range(const htz_law_class* law, const char* name, htz_range* range, double* initial) {
  return htz_walk_law_range(law, name, range, initial) < law->n_params;
}

/** What a mallet's contact must be: one-sided, of stiffness and exponent, and of nothing that a throw cannot carry. */
static bool suits_mallet(const htz_law_class* law) {
  htz_range range;
  double initial;
  size_t known = 0;
  for (size_t i = HTZ_ROW_HEAD_STIFFNESS; i <= HTZ_ROW_HEAD_DEPTH; ++i) {
    known += law_range(law, htz_schema[i].range.name, &range, &initial);
  }
  return law->one_sided && law->n_params == known && law_range(law, "stiffness", &range, &initial) &&
         law_range(law, "exponent", &range, &initial);
}

const char* htz_walk_law_name(size_t index) {
  for (size_t i = 0; htz_law_at(i); ++i) {
    if (suits_mallet(htz_law_at(i)) && index-- == 0) {
      return htz_law_at(i)->name;
    }
  }
  return NULL;
}

const htz_law_class* htz_walk_law(walk* w, const walk_block* in, htz_row_id row) {
  const char* name = htz_row_word(&htz_schema[row], htz_walk_row_word(w, in, row));
  for (size_t i = 0; name && htz_law_at(i); ++i) {
    if (strcmp(htz_law_at(i)->name, name) == 0) {
      return htz_law_at(i);
    }
  }
  return NULL;
}

void htz_walk_mallet_contact(walk* w, const tree_node* node, htz_spec_mallet* mallet) {
  walk_block in;
  htz_table* const tables[] = {&mallet->stiffness,  &mallet->exponent, &mallet->viscosity,     &mallet->hysteresis,
                               &mallet->relaxation, &mallet->core,     &mallet->core_exponent, &mallet->depth};
  if (!htz_walk_block(w, node, "contact", HTZ_BLOCK_HEAD, HTZ_ANY_CHOICE, &in)) {
    return;
  }
  const bool foreign = w->foreign > 0 && !htz_walk_value(&in, HTZ_ROW_HEAD_LAW);
  mallet->law = htz_walk_law(w, &in, HTZ_ROW_HEAD_LAW);
  if (!mallet->law) {
    mallet->law = &htz_law_hunt_crossley;
    return; // which numbers it has is not known
  }
  for (size_t i = HTZ_ROW_HEAD_STIFFNESS; i <= HTZ_ROW_HEAD_DEPTH; ++i) {
    const tree_node* value = htz_walk_value(&in, (htz_row_id)i);
    htz_range range = {htz_schema[i].range.name, "", 0.0, 0.0};
    double initial = 0.0;
    if (!law_range(mallet->law, range.name, &range, &initial) && value) {
      if (!foreign) { // else the law may be meant by a key that means nothing
        htz_walk_fault(w, value, "%s: the law %s has none", range.name, mallet->law->name);
      }
    } else {
      htz_walk_table_or(w, value, initial, &range, tables[i - HTZ_ROW_HEAD_STIFFNESS]);
    }
  }
}

/** A pin that plucks: alone with the contact, and with nothing else to do. */
static void check_lift(walk* w, const tree_node* node) {
  const htz_spec_mallet* mallet = &w->spec->mallet;
  if (mallet->stay.given) {
    htz_walk_fault(w, node,
                   "lift: a pin that has let go is not near the body any more, and has nothing to bounce, hang or roll on: no "
                   "gravity, drive or roll beside it");
  }
  if (mallet->solver) {
    htz_walk_fault(w, node,
                   "lift: only the default solver plucks; the others follow one hammer from its throw to its flight away");
  }
}

static void walk_kind(walk* w, const tree_node* node) {
  walk_block in;
  htz_spec_mallet_kind* kind = &w->spec->kinds[w->spec->n_kinds++]; // also a faulty one counts, for what goes by its number
  const bool lifts = w->spec->mallet.lift[0].n > 0;
  *kind = (htz_spec_mallet_kind){.hardness = 1.0, .mass = 1.0, .plucks = lifts};
  if (!htz_walk_block(w, node, "kind", HTZ_BLOCK_KIND, HTZ_ANY_CHOICE, &in)) {
    return;
  }
  const tree_node* name = htz_walk_value(&in, HTZ_ROW_KIND_NAME);
  const tree_node* plucks = htz_walk_value(&in, HTZ_ROW_KIND_PLUCKS);
  if (name) {
    kind->name = htz_walk_text(w, name, "name", htz_schema[HTZ_ROW_KIND_NAME].most);
  }
  htz_walk_row_number(w, &in, HTZ_ROW_KIND_HARDNESS, &kind->hardness);
  htz_walk_row_number(w, &in, HTZ_ROW_KIND_MASS, &kind->mass);
  if (htz_walk_row_flag(w, &in, HTZ_ROW_KIND_PLUCKS, &kind->plucks) && plucks && kind->plucks && !lifts) {
    htz_walk_fault(w, plucks, "plucks: how far it lifts the body is not said; the mallet needs `lift`");
  }
}

void htz_walk_mallet_kinds(walk* w, const walk_block* in) {
  const tree_node* node = htz_walk_value(in, HTZ_ROW_MALLET_KINDS);
  if (node && htz_walk_row_list(w, node, HTZ_ROW_MALLET_KINDS)) {
    for (const tree_node* item = node->first; item; item = item->next) {
      walk_kind(w, item);
    }
  }
}

void htz_walk_soft_pedal(walk* w, const tree_node* node) {
  walk_block in;
  if (htz_walk_block(w, node, "soft_pedal", HTZ_BLOCK_SOFT_PEDAL, HTZ_ANY_CHOICE, &in)) {
    htz_walk_row_number(w, &in, HTZ_ROW_SOFT_PEDAL_HARDNESS, &w->spec->mallet.soft);
  }
}

/** The body that is struck, or a list of those that are struck together. */
static void walk_strikes(walk* w, const tree_node* node) {
  const bool many = node->type == TREE_LIST;
  if (many && !htz_walk_row_list(w, node, HTZ_ROW_MALLET_STRIKES)) {
    return;
  }
  for (const tree_node* item = many ? node->first : node; item; item = many ? item->next : NULL) {
    const size_t body = htz_walk_body_name(w, item, "strikes");
    bool twice = false;
    for (size_t i = 0; i < w->n_strikes && body < w->spec->n_bodies; ++i) {
      twice = twice || w->strikes[i] == body;
    }
    if (twice) {
      htz_walk_fault(w, item, "strikes: \"%s\" stands twice in this list", w->spec->bodies[body].name);
    } else {
      w->strikes[w->n_strikes++] = body;
    }
    if (body == w->spec->n_bodies) {
      break; // told once: a list of what are no bodies is one mistake
    }
  }
  w->struck = w->strikes[0];
}

void htz_walk_mallet_common(walk* w, const walk_block* in) {
  htz_spec_mallet* mallet = &w->spec->mallet;
  const tree_node* gravity = htz_walk_value(in, HTZ_ROW_MALLET_GRAVITY);
  const tree_node* drive = htz_walk_value(in, HTZ_ROW_MALLET_DRIVE);
  const tree_node* roll = htz_walk_value(in, HTZ_ROW_MALLET_ROLL);
  htz_walk_row_table(w, in, HTZ_ROW_MALLET_MASS, &mallet->mass);
  htz_walk_row_rising(w, in, HTZ_ROW_MALLET_SPEED, mallet->speed);
  htz_walk_row_table(w, in, HTZ_ROW_MALLET_TOUCH, &mallet->touch);
  if (gravity) {
    htz_walk_mallet_gravity(w, in);
  }
  if (drive) {
    htz_walk_mallet_drive(w, drive);
  }
  if (roll) {
    htz_walk_mallet_roll(w, roll);
  }
}

void htz_walk_mallet(walk* w, const tree_node* node) {
  walk_block in;
  htz_spec_mallet* mallet = &w->spec->mallet;
  w->spec->thrown = true;
  mallet->pool = pool_default;
  htz_walk_row_default(w, HTZ_ROW_MALLET_AT, &mallet->at);
  htz_walk_row_default(w, HTZ_ROW_MALLET_TOUCH, &mallet->touch);
  if (!htz_walk_block(w, node, "mallet", HTZ_BLOCK_MALLET, HTZ_ANY_CHOICE, &in)) {
    return;
  }
  const tree_node* strikes = htz_walk_value(&in, HTZ_ROW_MALLET_STRIKES);
  const tree_node* contact = htz_walk_value(&in, HTZ_ROW_MALLET_CONTACT);
  const tree_node* at_y = htz_walk_value(&in, HTZ_ROW_MALLET_AT_Y);
  const tree_node* lift = htz_walk_value(&in, HTZ_ROW_MALLET_LIFT);
  if (strikes) {
    walk_strikes(w, strikes);
  }
  htz_walk_row_table(w, &in, HTZ_ROW_MALLET_AT, &mallet->at);
  htz_walk_row_table(w, &in, HTZ_ROW_MALLET_AT_Y, &mallet->at_y);
  htz_walk_check_surface(w, at_y, htz_walk_body_at(w, w->struck));
  if (contact) {
    htz_walk_mallet_contact(w, contact, mallet);
  }
  htz_walk_solver(w, &in);
  htz_walk_mallet_common(w, &in);
  htz_walk_row_rising(w, &in, HTZ_ROW_MALLET_LIFT, mallet->lift);
  if (lift) {
    check_lift(w, lift);
  }
  htz_walk_row_whole(w, &in, HTZ_ROW_MALLET_POOL, &mallet->pool);
  htz_walk_mallet_kinds(w, &in);
}
