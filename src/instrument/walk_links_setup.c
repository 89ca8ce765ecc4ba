#include "walk.h"

#include "hertzian/instrument/spec_link.h"

#include <string.h>

// Two-way links between the bodies of a key.

static const char* const types[] = {"spring", "damper", "rigid", "contact"};
enum { TYPES = sizeof types / sizeof types[0] };
_Static_assert(HTZ_SPEC_LINK_SPRING == 0 && HTZ_SPEC_LINK_DAMPER == 1 && HTZ_SPEC_LINK_RIGID == 2 && HTZ_SPEC_LINK_CONTACT == 3,
               "order of the words above");

static const char* const ground = "ground";
static const char* const next = "next."; // before the name of a body of the next key up

static const walk_range at_range = {"at", "", 0.0, 1.0};
static const walk_range stiffness_range = {"stiffness", "N/m", 0.0, 1e12};
static const walk_range damping_range = {"damping", "N s/m", 0.0, 1e6};
static const walk_range cubic_range = {"cubic", "N/m^3", 0.0, 1e18};
static const walk_range gap_range = {"gap", "m", 0.0, 0.1};

enum {
  TYPE = 0,
  BETWEEN,
  AT,
  KEYS,
  DAMPING,
  CUBIC,
  GAP,
  SIDE,
  LAW, // this and what follows is also said of the contact of a mallet
  STIFFNESS,
  EXPONENT,
  VISCOSITY,
  HYSTERESIS,
  RELAXATION,
  COUNT
};

static const walk_field fields[COUNT] = {[TYPE] = {"type", true},
                                         [BETWEEN] = {"between", true},
                                         [AT] = {"at", false},
                                         [KEYS] = {"keys", false},
                                         [DAMPING] = {"damping", false},
                                         [CUBIC] = {"cubic", false},
                                         [GAP] = {"gap", false},
                                         [SIDE] = {"side", false},
                                         [LAW] = {"law", false},
                                         [STIFFNESS] = {"stiffness", false},
                                         [EXPONENT] = {"exponent", false},
                                         [VISCOSITY] = {"viscosity", false},
                                         [HYSTERESIS] = {"hysteresis", false},
                                         [RELAXATION] = {"relaxation", false}};

/** What each type may say beside its name, ends, places and keys; a contact's numbers are those of its law. */
static const bool has[TYPES][COUNT] = {
    [HTZ_SPEC_LINK_SPRING] = {[STIFFNESS] = true, [DAMPING] = true, [CUBIC] = true},
    [HTZ_SPEC_LINK_DAMPER] = {[DAMPING] = true},
    [HTZ_SPEC_LINK_CONTACT] = {[GAP] = true,
                               [SIDE] = true,
                               [LAW] = true,
                               [STIFFNESS] = true,
                               [EXPONENT] = true,
                               [VISCOSITY] = true,
                               [HYSTERESIS] = true,
                               [RELAXATION] = true},
};

enum { NAMES_MAX = HTZ_ISLAND_BODIES_MAX + HTZ_SPEC_SHARED_MAX + 1 };

/** A name of what there is, own bodies, shared ones and the ground. */
static void walk_any(walk* w, const tree_node* node, htz_spec_link_end* end) {
  const char* names[NAMES_MAX] = {NULL};
  const htz_spec* spec = w->spec;
  const size_t own = spec->n_bodies, all = own + spec->n_linked_shared;
  bool taken = false; // a body may be called that
  for (size_t i = 0; i < all; ++i) {
    names[i] = i < own ? spec->bodies[i].name : spec->linked_shared[i - own].body.name;
    taken = taken || strcmp(names[i], ground) == 0;
  }
  names[all] = ground;
  for (size_t i = 0; w->unsure_shared && node->type == TREE_SCALAR; ++i) {
    if (i == own) {
      return; // what is none of the key's own may be the shared one
    }
    if (strcmp(names[i], node->text) == 0) {
      break;
    }
  }
  const size_t index = htz_walk_reference(w, node, "between", taken ? all : all + 1, names);
  end->whose = index < own ? HTZ_SPEC_END_OWN : index < all ? HTZ_SPEC_END_SHARED : HTZ_SPEC_END_GROUND;
  end->body = index < own ? index : index < all ? index - own : own;
}

/** `next.` and the name of a body of a key. */
static void walk_next(walk* w, const tree_node* node, htz_spec_link_end* end) {
  tree_node name = *node;
  name.text += strlen(next);
  name.length -= strlen(next);
  name.column += (unsigned)strlen(next);
  end->whose = HTZ_SPEC_END_NEXT;
  end->body = htz_walk_body_name(w, &name, "between");
}

static void walk_name(walk* w, const tree_node* node, htz_spec_link_end* end) {
  end->body = w->spec->n_bodies;
  if (!w->settled) {
    return;
  }
  if (node->type == TREE_SCALAR && strncmp(node->text, next, strlen(next)) == 0) {
    walk_next(w, node, end);
  } else {
    walk_any(w, node, end);
  }
}

/** True when a link in the list that `map` has names `name`. */
static bool some_link_names(const tree_node* map, const char* name) {
  const tree_node* links = map->type == TREE_MAP ? htz_walk_value_of(map, "links") : NULL;
  for (const tree_node* item = links && links->type == TREE_LIST ? links->first : NULL; item; item = item->next) {
    const tree_node* between = item->type == TREE_MAP ? htz_walk_value_of(item, "between") : NULL;
    for (const tree_node* end = between && between->type == TREE_LIST ? between->first : NULL; end; end = end->next) {
      if (end->type == TREE_SCALAR && strcmp(end->text, name) == 0) {
        return true;
      }
    }
  }
  return false;
}

bool htz_walk_links_name(const tree_node* top, const char* name) {
  const tree_node* objects = top->type == TREE_MAP ? htz_walk_value_of(top, "objects") : NULL;
  bool any = some_link_names(top, name);
  for (const tree_node* item = objects && objects->type == TREE_LIST ? objects->first : NULL; item; item = item->next) {
    any = any || some_link_names(item, name);
  }
  return any;
}

/** The body at the end, NULL when that is not known or the ground. */
static const htz_spec_body* body_of(const walk* w, const htz_spec_link_end* end) {
  return end->whose == HTZ_SPEC_END_SHARED   ? &w->spec->linked_shared[end->body].body
         : end->whose == HTZ_SPEC_END_GROUND ? NULL
                                             : htz_walk_body_at(w, end->body);
}

static bool is_ground(const htz_spec_link_end* end) {
  return end->whose == HTZ_SPEC_END_GROUND;
}

/** A place: x along the body, or [x, y] on a surface. */
static void walk_place(walk* w, const tree_node* node, htz_spec_link_end* end) {
  if (node->type != TREE_LIST) {
    htz_walk_table(w, node, &at_range, &end->at);
    return;
  }
  if (!htz_walk_list(w, node, "at", 2, 2)) {
    return;
  }
  htz_walk_table(w, node->first, &at_range, &end->at);
  if (htz_walk_table(w, node->first->next, &at_range, &end->at_y)) {
    htz_walk_check_surface(w, node, body_of(w, end));
  }
}

/** A place for each end that has one. */
static void walk_places(walk* w, const tree_node* node, htz_spec_link* link) {
  static const double middle = 0.5;
  const size_t places = (size_t)!is_ground(&link->end[0]) + !is_ground(&link->end[1]);
  for (size_t e = 0; e < 2; ++e) {
    htz_walk_constant(w, middle, &at_range, &link->end[e].at);
  }
  if (!node || !htz_walk_list(w, node, "at", places, 2)) {
    return;
  }
  const tree_node* item = node->first;
  for (size_t e = 0; e < 2 && item; ++e) {
    if (!is_ground(&link->end[e]) || node->n == 2) {
      walk_place(w, item, &link->end[e]);
      item = item->next;
    }
  }
}

static void walk_ends(walk* w, const tree_node* between, const tree_node* at, htz_spec_link* link) {
  if (!between || !htz_walk_list(w, between, "between", 2, 2)) {
    link->end[0].body = link->end[1].body = w->spec->n_bodies;
    return;
  }
  const size_t faults = w->diags->n;
  walk_name(w, between->first, &link->end[0]);
  walk_name(w, between->first->next, &link->end[1]);
  const bool stands = is_ground(&link->end[0]) && is_ground(&link->end[1]);
  const bool elsewhere = link->end[0].whose > HTZ_SPEC_END_GROUND && link->end[1].whose > HTZ_SPEC_END_GROUND;
  if (stands && w->settled && w->diags->n == faults) {
    htz_walk_fault(w, between, "between: the ground does not move; a link needs a body at one end at least");
  } else if (elsewhere) {
    htz_walk_fault(w, between, "between: one end of a link is a body of the key itself");
  } else if (htz_spec_link_leaves(link) && (is_ground(&link->end[0]) || is_ground(&link->end[1]))) {
    htz_walk_fault(w, between, "between: to link it to the ground, name the body without \"next.\"");
  }
  walk_places(w, at, link);
}

/** The law of a contact and its numbers. */
static void walk_contact(walk* w, const tree_node* node, const tree_node* const* values, htz_spec_link* link) {
  link->law = &htz_law_hunt_crossley;
  if (values[LAW]) {
    link->law = htz_walk_law(w, values[LAW]);
    if (!link->law) {
      return; // which numbers it has is not known
    }
  }
  for (size_t i = STIFFNESS; i < COUNT; ++i) {
    walk_range range = {fields[i].name, "", 0.0, 0.0};
    double initial = 0.0;
    const size_t number = htz_walk_law_range(link->law, fields[i].name, &range, &initial);
    if (number == link->law->n_params && values[i]) {
      htz_walk_fault(w, values[i], "%s: the law %s has none", fields[i].name, link->law->name);
    } else if (number < link->law->n_params) {
      htz_walk_table_or(w, values[i], initial, &range, &link->p[number]);
    }
  }
  if (!values[STIFFNESS]) {
    htz_walk_fault(w, node, "link: missing key \"stiffness\"");
  }
  htz_walk_table_or(w, values[GAP], 0.0, &gap_range, &link->gap);
  static const char* const sides[] = {"behind", "front"};
  link->direction = values[SIDE] && htz_walk_word(w, values[SIDE], "side", 2, sides) == 1 ? -1.0 : 1.0;
}

static void walk_spring(walk* w, const tree_node* node, const tree_node* const* values, htz_spec_link* link) {
  if (link->type == HTZ_SPEC_LINK_SPRING && !values[STIFFNESS] && !values[CUBIC]) {
    htz_walk_fault(w, node, "link: missing key \"stiffness\"");
  }
  if (link->type == HTZ_SPEC_LINK_DAMPER && !values[DAMPING]) {
    htz_walk_fault(w, node, "link: missing key \"damping\"");
  }
  htz_walk_table_or(w, values[STIFFNESS], 0.0, &stiffness_range, &link->stiffness);
  htz_walk_table_or(w, values[DAMPING], 0.0, &damping_range, &link->damping);
  if (values[CUBIC]) {
    htz_walk_table(w, values[CUBIC], &cubic_range, &link->cubic);
  }
}

static void walk_link(walk* w, const tree_node* node, htz_spec_link* link) {
  const tree_node* values[COUNT];
  *link = (htz_spec_link){.keys = {0, HTZ_KEYS - 1}, .direction = 1.0};
  link->end[0].body = link->end[1].body = w->spec->n_bodies;
  if (!htz_walk_map(w, node, "link", COUNT, fields, values)) {
    return;
  }
  walk_ends(w, values[BETWEEN], values[AT], link);
  if (values[KEYS]) {
    htz_walk_key_range(w, values[KEYS], "keys", &link->keys[0], &link->keys[1]);
  }
  const size_t type = values[TYPE] ? htz_walk_word(w, values[TYPE], "type", TYPES, types) : TYPES;
  if (type == TYPES) {
    return; // what else it may say is not known
  }
  link->type = (htz_spec_link_type)type;
  const tree_node* own[COUNT];
  for (size_t i = 0; i < COUNT; ++i) {
    own[i] = i < DAMPING || has[type][i] ? values[i] : NULL;
    if (values[i] && !own[i]) {
      htz_walk_fault(w, values[i], "%s: a link of type %s has none", fields[i].name, types[type]);
    }
  }
  if (link->type == HTZ_SPEC_LINK_CONTACT) {
    walk_contact(w, node, own, link);
  } else {
    walk_spring(w, node, own, link);
  }
}

void htz_walk_check_links(walk* w, const tree_node* links) {
  if (w->spec->mallet.solver) {
    htz_walk_fault(w, links,
                   "links: the solver %s knows one body and its hammer; links need the house's, which solves all together",
                   w->spec->mallet.solver->name);
  }
}

void htz_walk_links(walk* w, const tree_node* node) {
  if (!htz_walk_list(w, node, "links", 0, HTZ_SPEC_LINKS_MAX)) {
    return;
  }
  htz_spec_link* links = htz_walk_alloc(w, node->n + 1, sizeof *links);
  if (!links) {
    return;
  }
  size_t n = 0;
  for (const tree_node* item = node->first; item; item = item->next) {
    walk_link(w, item, &links[n++]);
  }
  w->spec->links = links;
  w->spec->n_links = n;
}
