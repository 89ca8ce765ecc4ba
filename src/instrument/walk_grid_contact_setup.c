#include "walk_grid.h"

#include <math.h>
#include <string.h>

// What joins the bodies of a file of the grid family.

static const double hertz = 1.5; // two round bodies

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
      htz_walk_row_default(w, HTZ_ROW_KICK_AT, &c->at[i][d]);
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
  htz_row_id row;
  const char* why;
} useless;

/** Report the first of them that is there: the others most likely have none for the same reason. */
static void no_use(walk* w, const walk_block* in, size_t n, const useless* all) {
  for (size_t i = 0; i < n; ++i) {
    if (htz_walk_value(in, all[i].row)) {
      htz_walk_fault(w, htz_walk_value(in, all[i].row), "%s: %s", htz_schema[all[i].row].range.name, all[i].why);
      return;
    }
  }
}

static htz_grid_method walk_method(walk* w, const walk_block* in) {
  const size_t index = htz_walk_row_word(w, in, HTZ_ROW_CONTACT_SOLVER);
  return index == HTZ_NO_WORD ? HTZ_GRID_NEWTON : (htz_grid_method)index;
}

static void walk_role(walk* w, const walk_block* in, htz_spec_grid_contact* c) {
  const tree_node* node = htz_walk_value(in, HTZ_ROW_CONTACT_ROLE);
  const htz_spec_grid* grid = w->spec->grid;
  const size_t index = htz_walk_row_word(w, in, HTZ_ROW_CONTACT_ROLE);
  const char* role = htz_row_word(&htz_schema[HTZ_ROW_CONTACT_ROLE], index);
  c->role = index == HTZ_NO_WORD ? HTZ_ROLE_NONE : (htz_grid_role)index;
  if (c->below >= grid->n_bodies || c->above >= grid->n_bodies) {
    return;
  }
  const bool mass = grid->bodies[c->below].kind == HTZ_GRID_MASS || grid->bodies[c->above].kind == HTZ_GRID_MASS;
  const bool string = grid->bodies[c->below].kind == HTZ_GRID_STRING || grid->bodies[c->above].kind == HTZ_GRID_STRING;
  if ((c->role == HTZ_ROLE_BRIDGE || c->role == HTZ_ROLE_RATTLE || c->role == HTZ_ROLE_SCREW) && !mass) {
    htz_walk_fault(w, node, "role: a %s is a contact of a mass", role);
  }
  if ((c->role == HTZ_ROLE_SCREW || c->role == HTZ_ROLE_RUBBER) && c->force != HTZ_GRID_SPRING) {
    htz_walk_fault(w, node, "role: a %s holds on both ways: `force: spring`", role);
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
static void walk_felt(walk* w, const walk_block* in, htz_spec_grid_contact* c) {
  const tree_node* hysteresis = htz_walk_value(in, HTZ_ROW_CONTACT_HYSTERESIS);
  const tree_node* relaxation = htz_walk_value(in, HTZ_ROW_CONTACT_RELAXATION);
  const tree_node* node = hysteresis ? hysteresis : relaxation;
  if (!node) {
    return;
  }
  if (c->force == HTZ_GRID_CONNECTION || c->method != HTZ_GRID_NEWTON) {
    htz_walk_fault(w, node, "hysteresis: goes with collisions and `solver: newton`");
  }
  if (htz_walk_value(in, HTZ_ROW_CONTACT_VISCOSITY)) {
    htz_walk_fault(w, htz_walk_value(in, HTZ_ROW_CONTACT_VISCOSITY),
                   "viscosity: felt that relaxes, with `hysteresis`, has none");
  }
  if (!hysteresis || !relaxation) {
    htz_walk_fault(w, node, "hysteresis: felt that relaxes has both `hysteresis` and `relaxation`");
    return;
  }
  htz_walk_row_table(w, in, HTZ_ROW_CONTACT_HYSTERESIS, &c->hysteresis);
  htz_walk_row_table(w, in, HTZ_ROW_CONTACT_RELAXATION, &c->relaxation);
}

/** The exponent, `usual` unless it is given. */
static void walk_exponent(walk* w, const walk_block* in, double usual, htz_table* exponent) {
  const htz_range range = htz_walk_range_of(HTZ_ROW_CONTACT_EXPONENT);
  htz_walk_table_or(w, htz_walk_value(in, HTZ_ROW_CONTACT_EXPONENT), usual, &range, exponent);
}

static void walk_laws(walk* w, const walk_block* in, bool foreign, htz_spec_grid_contact* c) {
  const size_t force = htz_walk_row_word(w, in, HTZ_ROW_CONTACT_FORCE);
  const tree_node* viscosity = htz_walk_value(in, HTZ_ROW_CONTACT_VISCOSITY);
  c->force = force == HTZ_NO_WORD ? HTZ_GRID_COLLISION : (htz_grid_force)force;
  c->method = walk_method(w, in);
  htz_walk_row_table(w, in, HTZ_ROW_CONTACT_STIFFNESS, &c->stiffness);
  walk_exponent(w, in, c->force == HTZ_GRID_COLLISION ? hertz : 1.0, &c->exponent);
  htz_walk_row_table(w, in, HTZ_ROW_CONTACT_VISCOSITY, &c->viscosity);
  htz_walk_row_table(w, in, HTZ_ROW_CONTACT_CUBIC, &c->cubic);
  htz_walk_row_table(w, in, HTZ_ROW_CONTACT_DAMPING, &c->damping);
  static const useless of_spring[] = {{HTZ_ROW_CONTACT_EXPONENT, "a spring has none; it may have `cubic`"},
                                      {HTZ_ROW_CONTACT_SOLVER, "a spring needs none"},
                                      {HTZ_ROW_CONTACT_VISCOSITY, "a spring has `damping`"},
                                      {HTZ_ROW_CONTACT_HYSTERESIS, "goes with collisions"},
                                      {HTZ_ROW_CONTACT_RELAXATION, "goes with collisions"}};
  static const useless of_others[] = {{HTZ_ROW_CONTACT_CUBIC, "goes with `force: spring`"},
                                      {HTZ_ROW_CONTACT_DAMPING, "goes with `force: spring`; a collision has `viscosity`"}};
  if (force == HTZ_NO_WORD || (!htz_walk_value(in, HTZ_ROW_CONTACT_FORCE) && foreign)) {
    return; // what it has is not known
  }
  if (c->force == HTZ_GRID_SPRING) {
    no_use(w, in, sizeof of_spring / sizeof of_spring[0], of_spring);
  } else {
    no_use(w, in, sizeof of_others / sizeof of_others[0], of_others);
  }
  if (viscosity && c->force != HTZ_GRID_SPRING && (c->method != HTZ_GRID_NEWTON || c->force == HTZ_GRID_CONNECTION)) {
    htz_walk_fault(w, viscosity, "viscosity: goes with collisions and `solver: newton`");
  }
  walk_felt(w, in, c);
}

static void walk_point(walk* w, const tree_node* node, const walk_block* in, const char* name, size_t item, size_t below,
                       size_t above, bool foreign) {
  htz_spec_grid* grid = w->spec->grid;
  if (grid->n_contacts == HTZ_SPEC_GRID_CONTACTS_MAX) {
    htz_walk_fault(w, node, "contacts: at most %d at points", (int)HTZ_SPEC_GRID_CONTACTS_MAX);
    return;
  }
  htz_spec_grid_contact* c = &grid->contacts[grid->n_contacts++];
  *c = (htz_spec_grid_contact){.name = name, .item = item, .below = below, .above = above};
  walk_laws(w, in, foreign, c);
  walk_places(w, node, htz_walk_value(in, HTZ_ROW_CONTACT_AT), foreign, c);
  htz_walk_row_table(w, in, HTZ_ROW_CONTACT_GAP, &c->gap);
  if (htz_walk_value(in, HTZ_ROW_CONTACT_ROLE)) {
    walk_role(w, in, c);
  }
  static const useless here[] = {{HTZ_ROW_CONTACT_PROFILE, "goes with `from` and `to`"},
                                 {HTZ_ROW_CONTACT_PARABOLA, "goes with `from` and `to`"},
                                 {HTZ_ROW_CONTACT_FRETS, "goes with `from` and `to`"}};
  if (!foreign) {
    no_use(w, in, sizeof here / sizeof here[0], here);
  }
}

static void walk_stretch(walk* w, const tree_node* node, const walk_block* in, const char* name, size_t item, size_t below,
                         size_t above) {
  htz_spec_grid* grid = w->spec->grid;
  const tree_node* between = htz_walk_value(in, HTZ_ROW_CONTACT_BETWEEN);
  const tree_node *from = htz_walk_value(in, HTZ_ROW_CONTACT_FROM), *to = htz_walk_value(in, HTZ_ROW_CONTACT_TO);
  if (grid->n_stretches == HTZ_SPEC_GRID_STRETCHES_MAX) {
    htz_walk_fault(w, node, "contacts: at most %d with `from` and `to`", (int)HTZ_SPEC_GRID_STRETCHES_MAX);
    return;
  }
  htz_spec_grid_stretch* s = &grid->stretches[grid->n_stretches++];
  *s = (htz_spec_grid_stretch){.name = name, .item = item, .below = below, .above = above};
  const bool good = htz_walk_grid_kind(w, between->first, "between", below, bit(HTZ_GRID_STRING) | bit(HTZ_GRID_BARRIER));
  if (htz_walk_grid_kind(w, between->first->next, "between", above, bit(HTZ_GRID_STRING) | bit(HTZ_GRID_BARRIER)) && good) {
    s->string_above = grid->bodies[above].kind == HTZ_GRID_STRING;
    if (!s->string_above && grid->bodies[below].kind != HTZ_GRID_STRING) {
      htz_walk_fault(w, between, "between: `from` and `to` are places along a string; one of the two has to be one");
    }
  }
  htz_walk_row_table(w, in, HTZ_ROW_CONTACT_FROM, &s->from);
  htz_walk_row_table(w, in, HTZ_ROW_CONTACT_TO, &s->to);
  htz_walk_stretch_ends(w, from ? from : to, &s->from, &s->to);
  htz_walk_row_table(w, in, HTZ_ROW_CONTACT_STIFFNESS, &s->stiffness);
  walk_exponent(w, in, hertz, &s->exponent);
  htz_walk_row_table(w, in, HTZ_ROW_CONTACT_VISCOSITY, &s->viscosity);
  htz_walk_row_table(w, in, HTZ_ROW_CONTACT_GAP, &s->gap);
  s->method = walk_method(w, in);
  htz_walk_barrier(w, node, "contact", htz_walk_value(in, HTZ_ROW_CONTACT_PROFILE),
                   htz_walk_value(in, HTZ_ROW_CONTACT_PARABOLA), htz_walk_value(in, HTZ_ROW_CONTACT_FRETS), &s->barrier);
  static const useless here[] = {{HTZ_ROW_CONTACT_AT, "not with `from` and `to`"},
                                 {HTZ_ROW_CONTACT_FORCE, "along a stretch it is a collision"},
                                 {HTZ_ROW_CONTACT_ROLE, "not with `from` and `to`"},
                                 {HTZ_ROW_CONTACT_CUBIC, "goes with `force: spring`"},
                                 {HTZ_ROW_CONTACT_DAMPING, "goes with `force: spring`; a collision has `viscosity`"},
                                 {HTZ_ROW_CONTACT_HYSTERESIS, "felt that relaxes is a contact at one point"},
                                 {HTZ_ROW_CONTACT_RELAXATION, "felt that relaxes is a contact at one point"}};
  no_use(w, in, sizeof here / sizeof here[0], here);
  if (htz_walk_value(in, HTZ_ROW_CONTACT_VISCOSITY) && s->method != HTZ_GRID_NEWTON) {
    htz_walk_fault(w, htz_walk_value(in, HTZ_ROW_CONTACT_VISCOSITY), "viscosity: goes with `solver: newton`");
  }
}

static void walk_contact(walk* w, const tree_node* node, size_t number) {
  walk_block in;
  const htz_spec_grid* grid = w->spec->grid;
  if (!htz_walk_block(w, node, "contact", HTZ_BLOCK_CONTACT, HTZ_ANY_CHOICE, &in)) {
    w->unsure_contacts = true;
    return;
  }
  const bool foreign = w->foreign > 0; // a key of it may be meant by one that means nothing
  const tree_node *called = htz_walk_value(&in, HTZ_ROW_CONTACT_NAME), *between = htz_walk_value(&in, HTZ_ROW_CONTACT_BETWEEN);
  const char* name = called ? htz_walk_text(w, called, "name", htz_schema[HTZ_ROW_CONTACT_NAME].most) : NULL;
  const bool two = between && htz_walk_row_list(w, between, HTZ_ROW_CONTACT_BETWEEN);
  w->unsure_contacts = w->unsure_contacts || !two || (!name && (called || foreign));
  if (!two) {
    return;
  }
  for (size_t r = 0; r < w->spec->n_bodies; ++r) {
    for (const tree_node* item = between->first; item; item = item->next) {
      if (item->type == TREE_SCALAR && strcmp(item->text, w->spec->bodies[r].name) == 0) {
        htz_walk_fault(w, item,
                       "between: \"%s\" is a resonator, which does not act back; to meet in a contact it stands in `per_key`, "
                       "with `family: modal`",
                       item->text);
        htz_walk_tell_name(w, item);
      }
    }
  }
  const size_t below = htz_walk_grid_body_name(w, between->first, "between");
  const size_t above = htz_walk_grid_body_name(w, between->first->next, "between");
  if (below < grid->n_bodies && below == above) {
    htz_walk_fault(w, between, "between: two different bodies");
  }
  if (below < grid->n_bodies && above < grid->n_bodies && grid->bodies[below].kind == HTZ_GRID_BARRIER &&
      grid->bodies[above].kind == HTZ_GRID_BARRIER) {
    htz_walk_fault(w, between, "between: neither of the two moves");
  }
  for (size_t b = 0; name && b < grid->n_bodies; ++b) {
    if (strcmp(grid->bodies[b].name, name) == 0) {
      htz_walk_fault(w, called, "name: \"%s\" is a body", name);
    }
  }
  if (htz_walk_value(&in, HTZ_ROW_CONTACT_FROM) || htz_walk_value(&in, HTZ_ROW_CONTACT_TO)) {
    walk_stretch(w, node, &in, name, number, below, above);
  } else {
    walk_point(w, node, &in, name, number, below, above, foreign);
  }
}

void htz_walk_grid_contacts(walk* w, const tree_node* node) {
  w->unsure_contacts = node->type != TREE_LIST;
  if (htz_walk_row_list(w, node, HTZ_ROW_FILE_CONTACTS)) {
    size_t n = 0;
    for (const tree_node* item = node->first; item; item = item->next) {
      walk_contact(w, item, n++);
    }
  }
}
