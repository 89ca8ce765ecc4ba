#include "walk.h"

#include <string.h>

static const walk_range mass_range = {"mass", "kg", 1e-6, 100.0};
static const walk_range speed_range = {"speed", "m/s", 1e-4, 100.0};
static const walk_range at_range = {"at", "", 0.0, 1.0};
static const walk_range at_y_range = {"at_y", "", 0.0, 1.0};
static const walk_range lift_range = {"lift", "m", 1e-6, 0.1};
static const walk_range touch_range = {"touch", "", 1e-4, 100.0};
static const walk_range hardness_range = {"hardness", "", 1e-3, 1e3};
static const walk_range factor_range = {"mass", "", 0.1, 10.0};
static const walk_range pool_range = {"pool", "", 1.0, HTZ_ISLAND_MALLETS_MAX};

static const double at_default = 0.5;
static const double touch_default = 1.0;
static const size_t pool_default = 4; // a roll faster than a mallet's contact and flight does not occur

size_t htz_walk_law_range(const htz_law_class* law, const char* name, walk_range* range, double* initial) {
  const size_t i = htz_param_find(law->params, law->n_params, name);
  if (i < law->n_params) {
    *range = (walk_range){law->params[i].name, law->params[i].unit, law->params[i].minimum, law->params[i].maximum};
    *initial = law->params[i].initial;
  }
  return i;
}

static bool law_range(const htz_law_class* law, const char* name, walk_range* range, double* initial) {
  return htz_walk_law_range(law, name, range, initial) < law->n_params;
}

/** What a contact of a mallet may say: its law, and that law's parameters of these. */
enum { LAW = 0, STIFFNESS, EXPONENT, VISCOSITY, HYSTERESIS, RELAXATION, CONTACT_FIELDS };
static const walk_field contact_fields[CONTACT_FIELDS] = {{"law", false},       {"stiffness", true},   {"exponent", false},
                                                          {"viscosity", false}, {"hysteresis", false}, {"relaxation", false}};

/** What a mallet's contact must be: one-sided, of stiffness and exponent, and of nothing that a throw cannot carry. */
static bool suits_mallet(const htz_law_class* law) {
  walk_range range;
  double initial;
  size_t known = 0;
  for (size_t i = STIFFNESS; i < CONTACT_FIELDS; ++i) {
    known += law_range(law, contact_fields[i].name, &range, &initial);
  }
  return law->one_sided && law->n_params == known && law_range(law, "stiffness", &range, &initial) &&
         law_range(law, "exponent", &range, &initial);
}

const htz_law_class* htz_walk_law(walk* w, const tree_node* node) {
  enum { LAWS_MAX = 16 };
  const char* names[LAWS_MAX];
  const htz_law_class* laws[LAWS_MAX];
  size_t n = 0;
  for (size_t i = 0; n < LAWS_MAX && htz_law_at(i); ++i) {
    if (suits_mallet(htz_law_at(i))) {
      laws[n] = htz_law_at(i);
      names[n] = laws[n]->name;
      ++n;
    }
  }
  const size_t index = htz_walk_word(w, node, "law", n, names);
  return index < n ? laws[index] : NULL;
}

void htz_walk_mallet_contact(walk* w, const tree_node* node) {
  const tree_node* values[CONTACT_FIELDS];
  htz_spec_mallet* mallet = &w->spec->mallet;
  htz_table* tables[CONTACT_FIELDS] = {
      NULL, &mallet->stiffness, &mallet->exponent, &mallet->viscosity, &mallet->hysteresis, &mallet->relaxation};
  if (!htz_walk_map(w, node, "contact", CONTACT_FIELDS, contact_fields, values)) {
    return;
  }
  const bool foreign = w->foreign > 0 && !values[LAW];
  mallet->law = &htz_law_hunt_crossley;
  if (values[LAW]) {
    const htz_law_class* law = htz_walk_law(w, values[LAW]);
    if (!law) {
      return; // which numbers it has is not known
    }
    mallet->law = law;
  }
  for (size_t i = STIFFNESS; i < CONTACT_FIELDS; ++i) {
    walk_range range = {contact_fields[i].name, "", 0.0, 0.0};
    double initial = 0.0;
    if (!law_range(mallet->law, range.name, &range, &initial) && values[i]) {
      if (foreign) {
        continue; // the law may be meant by a key that means nothing
      }
      htz_walk_fault(w, values[i], "%s: the law %s has none", range.name, mallet->law->name);
    } else if (values[i]) {
      htz_walk_table(w, values[i], &range, tables[i]);
    } else {
      htz_walk_constant(w, initial, &range, tables[i]);
    }
  }
}

/** A pin that plucks: alone with the contact, and with nothing else to do. */
static void walk_lift(walk* w, const tree_node* node) {
  const htz_spec_mallet* mallet = &w->spec->mallet;
  htz_walk_touch_range(w, node, &lift_range, w->spec->mallet.lift);
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
  enum { NAME = 0, HARDNESS, MASS, PLUCKS, COUNT };
  static const walk_field fields[COUNT] = {{"name", true}, {"hardness", false}, {"mass", false}, {"plucks", false}};
  const tree_node* values[COUNT];
  htz_spec_mallet_kind* kind = &w->spec->kinds[w->spec->n_kinds++]; // also a faulty one counts, for what goes by its number
  const bool lifts = w->spec->mallet.lift[0].n > 0;
  *kind = (htz_spec_mallet_kind){.hardness = 1.0, .mass = 1.0, .plucks = lifts};
  if (!htz_walk_map(w, node, "kind", COUNT, fields, values)) {
    return;
  }
  if (values[NAME]) {
    kind->name = htz_walk_text(w, values[NAME], "name", WALK_NAME_BYTES);
  }
  if (values[HARDNESS]) {
    htz_walk_number(w, values[HARDNESS], &hardness_range, &kind->hardness);
  }
  if (values[MASS]) {
    htz_walk_number(w, values[MASS], &factor_range, &kind->mass);
  }
  if (values[PLUCKS] && htz_walk_flag(w, values[PLUCKS], "plucks", &kind->plucks) && kind->plucks && !lifts) {
    htz_walk_fault(w, values[PLUCKS], "plucks: how far it lifts the body is not said; the mallet needs `lift`");
  }
}

void htz_walk_mallet_kinds(walk* w, const tree_node* node) {
  if (htz_walk_list(w, node, "kinds", 1, HTZ_SPEC_KINDS_MAX)) {
    for (const tree_node* item = node->first; item; item = item->next) {
      walk_kind(w, item);
    }
  }
}

void htz_walk_mallet_pool(walk* w, const tree_node* node) {
  long pool;
  if (htz_walk_whole(w, node, &pool_range, &pool)) {
    w->spec->mallet.pool = (size_t)pool;
  }
}

void htz_walk_soft_pedal(walk* w, const tree_node* node) {
  static const walk_field field = {"hardness", true};
  const tree_node* hardness;
  if (htz_walk_map(w, node, "soft_pedal", 1, &field, &hardness) && hardness) {
    htz_walk_number(w, hardness, &hardness_range, &w->spec->mallet.soft);
  }
}

/** The body that is struck, or a list of those that are struck together. */
static void walk_strikes(walk* w, const tree_node* node) {
  const bool many = node->type == TREE_LIST;
  if (many && !htz_walk_list(w, node, "strikes", 1, HTZ_ISLAND_UNISON_MAX)) {
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
  }
  w->struck = w->strikes[0];
}

void htz_walk_mallet(walk* w, const tree_node* node) {
  enum { STRIKES = 0, MASS, SPEED, AT, AT_Y, CONTACT, TOUCH, POOL, KINDS, SOLVER, GRAVITY, DRIVE, ROLL, LIFT, COUNT };
  static const walk_field fields[COUNT] = {{"strikes", true}, {"mass", true},    {"speed", true},    {"at", false},
                                           {"at_y", false},   {"contact", true}, {"touch", false},   {"pool", false},
                                           {"kinds", false},  {"solver", false}, {"gravity", false}, {"drive", false},
                                           {"roll", false},   {"lift", false}};
  const tree_node* values[COUNT];
  htz_spec_mallet* mallet = &w->spec->mallet;
  w->spec->thrown = true;
  htz_walk_constant(w, at_default, &at_range, &mallet->at);
  htz_walk_constant(w, touch_default, &touch_range, &mallet->touch);
  mallet->pool = pool_default;
  if (!htz_walk_map(w, node, "mallet", COUNT, fields, values)) {
    return;
  }
  if (values[STRIKES]) {
    walk_strikes(w, values[STRIKES]);
  }
  if (values[MASS]) {
    htz_walk_table(w, values[MASS], &mass_range, &mallet->mass);
  }
  if (values[SPEED]) {
    htz_walk_touch_range(w, values[SPEED], &speed_range, mallet->speed);
  }
  if (values[AT]) {
    htz_walk_table(w, values[AT], &at_range, &mallet->at);
  }
  if (values[AT_Y]) {
    htz_walk_table(w, values[AT_Y], &at_y_range, &mallet->at_y);
    htz_walk_check_surface(w, values[AT_Y], htz_walk_body_at(w, w->struck));
  }
  if (values[CONTACT]) {
    htz_walk_mallet_contact(w, values[CONTACT]);
  }
  if (values[TOUCH]) {
    htz_walk_table(w, values[TOUCH], &touch_range, &mallet->touch);
  }
  if (values[SOLVER]) {
    htz_walk_solver(w, values[SOLVER]);
  }
  if (values[GRAVITY]) {
    htz_walk_mallet_gravity(w, values[GRAVITY]);
  }
  if (values[DRIVE]) {
    htz_walk_mallet_drive(w, values[DRIVE]);
  }
  if (values[ROLL]) {
    htz_walk_mallet_roll(w, values[ROLL]);
  }
  if (values[LIFT]) {
    walk_lift(w, values[LIFT]);
  }
  if (values[POOL]) {
    htz_walk_mallet_pool(w, values[POOL]);
  }
  if (values[KINDS]) {
    htz_walk_mallet_kinds(w, values[KINDS]);
  }
}
