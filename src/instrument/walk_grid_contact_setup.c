#include "walk_grid.h"

#include <math.h>
#include <string.h>

// What joins the bodies of a file of the grid family.

static const walk_range at_range = {"at", "", 0.0, 1.0};
static const walk_range stiffness_range = {"stiffness", "N/m^exponent", 0.0, 1e14};
static const walk_range exponent_range = {"exponent", "", 1.0, 5.0};
static const walk_range viscosity_range = {"viscosity", "s/m", 0.0, 100.0};
static const walk_range cubic_range = {"cubic", "N/m^3", 0.0, 1e16};
static const walk_range damping_range = {"damping", "N s/m", 0.0, 1e4};
static const walk_range gap_range = {"gap", "m", -0.05, 0.05};
static const walk_range curvature_range = {"curvature", "1/m", 0.0, 100.0};
static const walk_range frets_range = {"frets", "", 1.0, 30.0};
static const walk_range hysteresis_range = {"hysteresis", "", 0.0, 0.999};
static const walk_range relaxation_range = {"relaxation", "s", 1e-7, 1.0};

static const double middle = 0.5;
static const double hertz = 1.5; // two round bodies

static const char* const force_words[] = {"collision", "connection", "spring"};
static const char* const method_words[] = {"newton", "plain", "cases", "release"};
static const char* const role_words[] = {"none", "loose-bridge", "thread", "rattle", "screw", "rubber"};
enum { FORCES = 3, METHODS = 4 };
_Static_assert(HTZ_GRID_COLLISION == 0 && HTZ_GRID_CONNECTION == 1 && HTZ_GRID_SPRING == 2, "order of the words above");
_Static_assert(HTZ_GRID_NEWTON == 0 && HTZ_GRID_PLAIN == 1 && HTZ_GRID_CASES == 2 && HTZ_GRID_RELEASE == 3, "likewise");
_Static_assert(sizeof role_words / sizeof role_words[0] == HTZ_ROLES, "likewise");

enum {
  BETWEEN = 0,
  NAME,
  AT,
  FORCE,
  STIFFNESS,
  EXPONENT,
  VISCOSITY,
  CUBIC,
  DAMPING,
  HYSTERESIS,
  RELAXATION,
  GAP,
  SOLVER,
  ROLE,
  FROM,
  TO,
  PROFILE,
  PARABOLA,
  FRETS,
  FIELDS
};

static const walk_field contact_fields[FIELDS] = {[BETWEEN] = {"between", true},
                                                  [NAME] = {"name", false},
                                                  [AT] = {"at", false},
                                                  [FORCE] = {"force", false},
                                                  [STIFFNESS] = {"stiffness", true},
                                                  [EXPONENT] = {"exponent", false},
                                                  [VISCOSITY] = {"viscosity", false},
                                                  [CUBIC] = {"cubic", false},
                                                  [DAMPING] = {"damping", false},
                                                  [HYSTERESIS] = {"hysteresis", false},
                                                  [RELAXATION] = {"relaxation", false},
                                                  [GAP] = {"gap", false},
                                                  [SOLVER] = {"solver", false},
                                                  [ROLE] = {"role", false},
                                                  [FROM] = {"from", false},
                                                  [TO] = {"to", false},
                                                  [PROFILE] = {"profile", false},
                                                  [PARABOLA] = {"parabola", false},
                                                  [FRETS] = {"frets", false}};

static unsigned bit(htz_spec_grid_kind kind) {
  return 1u << kind;
}

/** Places on the two bodies: one `at` where only one of them has places, else a list of one each. */
static void walk_places(walk* w, const tree_node* contact, const tree_node* node, bool foreign, htz_spec_grid_contact* c) {
  const htz_spec_grid* grid = w->spec->grid;
  const size_t n[2] = {c->below < grid->n_bodies ? htz_walk_grid_places(&grid->bodies[c->below]) : 0,
                       c->above < grid->n_bodies ? htz_walk_grid_places(&grid->bodies[c->above]) : 0};
  const size_t body[2] = {c->below, c->above};
  for (size_t i = 0; i < 2; ++i) {
    for (size_t d = 0; d < 2; ++d) {
      htz_walk_constant(w, middle, &at_range, &c->at[i][d]);
    }
  }
  if (c->below >= grid->n_bodies || c->above >= grid->n_bodies) {
    return; // reported
  }
  if (!node) {
    if (n[0] + n[1] > 0 && !foreign) {
      htz_walk_fault(w, contact, "contact: missing key \"at\", where \"%s\" and \"%s\" meet", grid->bodies[body[0]].name,
                     grid->bodies[body[1]].name);
    }
  } else if (n[0] > 0 && n[1] > 0) {
    if (node->type != TREE_LIST || node->n != 2) {
      htz_walk_fault(w, node, "at: two places, one on \"%s\" and one on \"%s\", such as [0.2, 0.7]", grid->bodies[body[0]].name,
                     grid->bodies[body[1]].name);
      return;
    }
    htz_walk_grid_place(w, node->first, body[0], c->at[0]);
    htz_walk_grid_place(w, node->first->next, body[1], c->at[1]);
  } else {
    const size_t which = n[1] > 0 ? 1 : 0;
    htz_walk_grid_place(w, node, body[which], c->at[which]);
  }
}

/** A property that has no use where it stands. */
typedef struct {
  size_t field;
  const char* why;
} useless;

/** Report the first of them that is there: the others most likely have none for the same reason. */
static void no_use(walk* w, const tree_node* const* values, size_t n, const useless* all) {
  for (size_t i = 0; i < n; ++i) {
    if (values[all[i].field]) {
      htz_walk_fault(w, values[all[i].field], "%s: %s", contact_fields[all[i].field].name, all[i].why);
      return;
    }
  }
}

static htz_grid_method walk_method(walk* w, const tree_node* node) {
  const size_t index = node ? htz_walk_word(w, node, "solver", METHODS, method_words) : 0;
  return index < METHODS ? (htz_grid_method)index : HTZ_GRID_NEWTON;
}

static void walk_role(walk* w, const tree_node* node, htz_spec_grid_contact* c) {
  const htz_spec_grid* grid = w->spec->grid;
  const size_t index = htz_walk_word(w, node, "role", HTZ_ROLES, role_words);
  c->role = index < HTZ_ROLES ? (htz_grid_role)index : HTZ_ROLE_NONE;
  if (c->below >= grid->n_bodies || c->above >= grid->n_bodies) {
    return;
  }
  const bool mass = grid->bodies[c->below].kind == HTZ_GRID_MASS || grid->bodies[c->above].kind == HTZ_GRID_MASS;
  const bool string = grid->bodies[c->below].kind == HTZ_GRID_STRING || grid->bodies[c->above].kind == HTZ_GRID_STRING;
  if ((c->role == HTZ_ROLE_BRIDGE || c->role == HTZ_ROLE_RATTLE || c->role == HTZ_ROLE_SCREW) && !mass) {
    htz_walk_fault(w, node, "role: a %s is a contact of a mass", role_words[c->role]);
  }
  if ((c->role == HTZ_ROLE_SCREW || c->role == HTZ_ROLE_RUBBER) && c->force != HTZ_GRID_SPRING) {
    htz_walk_fault(w, node, "role: a %s holds on both ways: `force: spring`", role_words[c->role]);
  }
  if (c->role == HTZ_ROLE_THREAD && !string) {
    htz_walk_fault(w, node, "role: a thread is a contact of a string");
  }
  w->spec->loose_bridge = w->spec->loose_bridge || c->role == HTZ_ROLE_BRIDGE;
  w->spec->threaded = w->spec->threaded || c->role == HTZ_ROLE_THREAD;
  w->spec->rattles = w->spec->rattles || c->role == HTZ_ROLE_RATTLE;
  w->spec->screws = w->spec->screws || c->role == HTZ_ROLE_SCREW;
  w->spec->rubbers = w->spec->rubbers || c->role == HTZ_ROLE_RUBBER;
}

/** Felt that relaxes. */
static void walk_felt(walk* w, const tree_node* const* values, htz_spec_grid_contact* c) {
  if (!values[HYSTERESIS] && !values[RELAXATION]) {
    return;
  }
  const tree_node* node = values[HYSTERESIS] ? values[HYSTERESIS] : values[RELAXATION];
  if (c->force == HTZ_GRID_CONNECTION || c->method != HTZ_GRID_NEWTON) {
    htz_walk_fault(w, node, "hysteresis: goes with collisions and `solver: newton`");
  }
  if (values[VISCOSITY]) {
    htz_walk_fault(w, values[VISCOSITY], "viscosity: felt that relaxes, with `hysteresis`, has none");
  }
  if (!values[HYSTERESIS] || !values[RELAXATION]) {
    htz_walk_fault(w, node, "hysteresis: felt that relaxes has both `hysteresis` and `relaxation`");
    return;
  }
  htz_walk_table(w, values[HYSTERESIS], &hysteresis_range, &c->hysteresis);
  htz_walk_table(w, values[RELAXATION], &relaxation_range, &c->relaxation);
}

static void walk_laws(walk* w, const tree_node* const* values, bool foreign, htz_spec_grid_contact* c) {
  const size_t force = values[FORCE] ? htz_walk_word(w, values[FORCE], "force", FORCES, force_words) : 0;
  c->force = force < FORCES ? (htz_grid_force)force : HTZ_GRID_COLLISION;
  c->method = walk_method(w, values[SOLVER]);
  if (values[STIFFNESS]) {
    htz_walk_table(w, values[STIFFNESS], &stiffness_range, &c->stiffness);
  }
  htz_walk_table_or(w, values[EXPONENT], c->force == HTZ_GRID_COLLISION ? hertz : 1.0, &exponent_range, &c->exponent);
  htz_walk_table_or(w, values[VISCOSITY], 0.0, &viscosity_range, &c->viscosity);
  htz_walk_table_or(w, values[CUBIC], 0.0, &cubic_range, &c->cubic);
  htz_walk_table_or(w, values[DAMPING], 0.0, &damping_range, &c->damping);
  static const useless of_spring[] = {{EXPONENT, "a spring has none; it may have `cubic`"},
                                      {SOLVER, "a spring needs none"},
                                      {VISCOSITY, "a spring has `damping`"},
                                      {HYSTERESIS, "goes with collisions"},
                                      {RELAXATION, "goes with collisions"}};
  static const useless of_others[] = {{CUBIC, "goes with `force: spring`"},
                                      {DAMPING, "goes with `force: spring`; a collision has `viscosity`"}};
  if (force == FORCES || (!values[FORCE] && foreign)) {
    return; // what it has is not known
  }
  if (c->force == HTZ_GRID_SPRING) {
    no_use(w, values, sizeof of_spring / sizeof of_spring[0], of_spring);
  } else {
    no_use(w, values, 2, of_others);
  }
  if (values[VISCOSITY] && c->force != HTZ_GRID_SPRING && (c->method != HTZ_GRID_NEWTON || c->force == HTZ_GRID_CONNECTION)) {
    htz_walk_fault(w, values[VISCOSITY], "viscosity: goes with collisions and `solver: newton`");
  }
  walk_felt(w, values, c);
}

static void walk_point(walk* w, const tree_node* node, const tree_node* const* values, const char* name, size_t item,
                       size_t below, size_t above, bool foreign) {
  htz_spec_grid* grid = w->spec->grid;
  if (grid->n_contacts == HTZ_SPEC_GRID_CONTACTS_MAX) {
    htz_walk_fault(w, node, "contacts: at most %d at points", (int)HTZ_SPEC_GRID_CONTACTS_MAX);
    return;
  }
  htz_spec_grid_contact* c = &grid->contacts[grid->n_contacts++];
  *c = (htz_spec_grid_contact){.name = name, .item = item, .below = below, .above = above};
  walk_laws(w, values, foreign, c);
  walk_places(w, node, values[AT], foreign, c);
  htz_walk_table_or(w, values[GAP], 0.0, &gap_range, &c->gap);
  if (values[ROLE]) {
    walk_role(w, values[ROLE], c);
  }
  static const useless here[] = {
      {PROFILE, "goes with `from` and `to`"}, {PARABOLA, "goes with `from` and `to`"}, {FRETS, "goes with `from` and `to`"}};
  if (!foreign) {
    no_use(w, values, 3, here);
  }
}

static void walk_parabola(walk* w, const tree_node* node, htz_spec_grid_stretch* s) {
  enum { APEX = 0, CURVATURE, COUNT };
  static const walk_field fields[COUNT] = {{"apex", true}, {"curvature", true}};
  const tree_node* values[COUNT];
  s->profile = HTZ_PROFILE_PARABOLA;
  if (!htz_walk_map(w, node, "parabola", COUNT, fields, values)) {
    return;
  }
  if (values[APEX]) {
    htz_walk_table(w, values[APEX], &at_range, &s->apex);
  }
  if (values[CURVATURE]) {
    htz_walk_table(w, values[CURVATURE], &curvature_range, &s->curvature);
  }
}

static void walk_profile(walk* w, const tree_node* node, htz_spec_grid_stretch* s) {
  double last = -1.0;
  s->profile = HTZ_PROFILE_POINTS;
  if (!htz_walk_list(w, node, "profile", 2, HTZ_SPEC_GRID_PROFILE_MAX)) {
    return;
  }
  for (const tree_node* item = node->first; item; item = item->next) {
    double* point = s->point[s->n_points];
    if (item->type != TREE_LIST || item->n != 2) {
      htz_walk_fault(w, item, "profile: a list of points [x, gap], such as [[0, 0.001], [0.1, 0]]");
      return;
    }
    const bool good =
        htz_walk_number(w, item->first, &at_range, &point[0]) && htz_walk_number(w, item->first->next, &gap_range, &point[1]);
    if (good && !(point[0] > last)) {
      htz_walk_fault(w, item, "profile: its points go from x = 0 to 1");
    }
    last = good ? point[0] : last;
    ++s->n_points;
  }
}

static void walk_frets(walk* w, const tree_node* node, htz_spec_grid_stretch* s) {
  s->profile = HTZ_PROFILE_FRETS;
  if (!htz_walk_table(w, node, &frets_range, &s->frets)) {
    return;
  }
  for (size_t i = 0; i < s->frets.n; ++i) {
    if (s->frets.value[i] != floor(s->frets.value[i])) {
      htz_walk_fault(w, node, "frets: %g is not a whole number", s->frets.value[i]);
      return;
    }
  }
}

/** At every key a stretch has a length. */
static void check_stretch(walk* w, const tree_node* node, const htz_spec_grid_stretch* s) {
  for (int key = w->spec->key_low; w->keyed && s->from.n && s->to.n && key <= w->spec->key_high; ++key) {
    const double from = htz_table_at(&s->from, key), to = htz_table_at(&s->to, key);
    if (!(from < to)) {
      htz_walk_fault(w, node, "from: must be below `to`; at key %d they are %g and %g", key, from, to);
      return;
    }
  }
}

static void walk_stretch(walk* w, const tree_node* node, const tree_node* const* values, const char* name, size_t item,
                         size_t below, size_t above) {
  htz_spec_grid* grid = w->spec->grid;
  if (grid->n_stretches == HTZ_SPEC_GRID_STRETCHES_MAX) {
    htz_walk_fault(w, node, "contacts: at most %d with `from` and `to`", (int)HTZ_SPEC_GRID_STRETCHES_MAX);
    return;
  }
  htz_spec_grid_stretch* s = &grid->stretches[grid->n_stretches++];
  *s = (htz_spec_grid_stretch){.name = name, .item = item, .below = below, .above = above};
  const bool good =
      htz_walk_grid_kind(w, values[BETWEEN]->first, "between", below, bit(HTZ_GRID_STRING) | bit(HTZ_GRID_BARRIER));
  if (htz_walk_grid_kind(w, values[BETWEEN]->first->next, "between", above, bit(HTZ_GRID_STRING) | bit(HTZ_GRID_BARRIER)) &&
      good) {
    s->string_above = grid->bodies[above].kind == HTZ_GRID_STRING;
    if (!s->string_above && grid->bodies[below].kind != HTZ_GRID_STRING) {
      htz_walk_fault(w, values[BETWEEN], "between: `from` and `to` are places along a string; one of the two has to be one");
    }
  }
  htz_walk_table_or(w, values[FROM], 0.0, &at_range, &s->from);
  htz_walk_table_or(w, values[TO], 1.0, &at_range, &s->to);
  check_stretch(w, values[FROM] ? values[FROM] : values[TO], s);
  if (values[STIFFNESS]) {
    htz_walk_table(w, values[STIFFNESS], &stiffness_range, &s->stiffness);
  }
  htz_walk_table_or(w, values[EXPONENT], hertz, &exponent_range, &s->exponent);
  htz_walk_table_or(w, values[VISCOSITY], 0.0, &viscosity_range, &s->viscosity);
  htz_walk_table_or(w, values[GAP], 0.0, &gap_range, &s->gap);
  s->method = walk_method(w, values[SOLVER]);
  if ((values[PROFILE] != NULL) + (values[PARABOLA] != NULL) + (values[FRETS] != NULL) > 1) {
    htz_walk_fault(w, node, "contact: give one of `profile`, `parabola` and `frets`");
  } else if (values[PROFILE]) {
    walk_profile(w, values[PROFILE], s);
  } else if (values[PARABOLA]) {
    walk_parabola(w, values[PARABOLA], s);
  } else if (values[FRETS]) {
    walk_frets(w, values[FRETS], s);
  }
  static const useless here[] = {{AT, "not with `from` and `to`"},
                                 {FORCE, "along a stretch it is a collision"},
                                 {ROLE, "not with `from` and `to`"},
                                 {CUBIC, "goes with `force: spring`"},
                                 {DAMPING, "goes with `force: spring`; a collision has `viscosity`"},
                                 {HYSTERESIS, "felt that relaxes is a contact at one point"},
                                 {RELAXATION, "felt that relaxes is a contact at one point"}};
  no_use(w, values, sizeof here / sizeof here[0], here);
  if (values[VISCOSITY] && s->method != HTZ_GRID_NEWTON) {
    htz_walk_fault(w, values[VISCOSITY], "viscosity: goes with `solver: newton`");
  }
}

static void walk_contact(walk* w, const tree_node* node, size_t number) {
  const tree_node* values[FIELDS];
  const htz_spec_grid* grid = w->spec->grid;
  if (!htz_walk_map(w, node, "contact", FIELDS, contact_fields, values)) {
    w->unsure_contacts = true;
    return;
  }
  const bool foreign = w->foreign > 0; // a key of it may be meant by one that means nothing
  const char* name = values[NAME] ? htz_walk_text(w, values[NAME], "name", WALK_NAME_BYTES) : NULL;
  const bool between = values[BETWEEN] && htz_walk_list(w, values[BETWEEN], "between", 2, 2);
  w->unsure_contacts = w->unsure_contacts || !between || (!name && (values[NAME] || foreign));
  if (!between) {
    return;
  }
  for (size_t r = 0; r < w->spec->n_bodies; ++r) {
    for (const tree_node* item = values[BETWEEN]->first; item; item = item->next) {
      if (item->type == TREE_SCALAR && strcmp(item->text, w->spec->bodies[r].name) == 0) {
        htz_walk_fault(w, item,
                       "between: \"%s\" is a resonator, which does not act back; to meet in a contact it stands in `per_key`, "
                       "with `family: modal`",
                       item->text);
        htz_walk_tell_name(w, item);
      }
    }
  }
  const size_t below = htz_walk_grid_body_name(w, values[BETWEEN]->first, "between");
  const size_t above = htz_walk_grid_body_name(w, values[BETWEEN]->first->next, "between");
  if (below < grid->n_bodies && below == above) {
    htz_walk_fault(w, values[BETWEEN], "between: two different bodies");
  }
  if (below < grid->n_bodies && above < grid->n_bodies && grid->bodies[below].kind == HTZ_GRID_BARRIER &&
      grid->bodies[above].kind == HTZ_GRID_BARRIER) {
    htz_walk_fault(w, values[BETWEEN], "between: neither of the two moves");
  }
  for (size_t b = 0; name && b < grid->n_bodies; ++b) {
    if (strcmp(grid->bodies[b].name, name) == 0) {
      htz_walk_fault(w, values[NAME], "name: \"%s\" is a body", name);
    }
  }
  if (values[FROM] || values[TO]) {
    walk_stretch(w, node, values, name, number, below, above);
  } else {
    walk_point(w, node, values, name, number, below, above, foreign);
  }
}

void htz_walk_grid_contacts(walk* w, const tree_node* node) {
  w->unsure_contacts = node->type != TREE_LIST;
  if (htz_walk_list(w, node, "contacts", 0, (size_t)HTZ_SPEC_GRID_CONTACTS_MAX + HTZ_SPEC_GRID_STRETCHES_MAX)) {
    size_t n = 0;
    for (const tree_node* item = node->first; item; item = item->next) {
      walk_contact(w, item, n++);
    }
  }
}
