#include "walk.h"

#include "hertzian/instrument/spec_link.h"
#include "hertzian/instrument/spec_prepared.h"

#include <math.h>
#include <string.h>

// Two-way links: between bodies of a key, of a key and what keys share, and between bodies that keys share.

static const char* const ground = "ground";
static const char* const next = "next."; // before the name of a body of the next key up

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
  const bool on_ground = !taken && node->type == TREE_SCALAR && strcmp(node->text, ground) == 0;
  for (size_t i = 0; w->unsure_shared && !on_ground && node->type == TREE_SCALAR; ++i) {
    if (i == own) {
      return; // what is none of the key's own may be the shared one
    }
    if (strcmp(names[i], node->text) == 0) {
      break;
    }
  }
  const size_t known = taken ? all : all + 1, index = htz_walk_reference(w, node, "between", known, names);
  if (index >= known) {
    return; // a body that is not there is not the ground
  }
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
  const htz_range range = htz_walk_range_of(HTZ_ROW_LINK_AT);
  if (node->type != TREE_LIST) {
    htz_walk_table(w, node, &range, &end->at);
    return;
  }
  if (!htz_walk_list(w, node, "at", 2, 2)) {
    return;
  }
  htz_walk_table(w, node->first, &range, &end->at);
  if (htz_walk_table(w, node->first->next, &range, &end->at_y)) {
    htz_walk_check_surface(w, node, body_of(w, end));
  }
}

static bool is_known(const walk* w, const htz_spec_link_end* end) {
  return w->settled && (!htz_spec_end_of_key(end) || end->body < w->spec->n_bodies);
}

/** A place for each end that has one. */
static void walk_places(walk* w, const tree_node* node, htz_spec_link* link) {
  const size_t places = (size_t)!is_ground(&link->end[0]) + !is_ground(&link->end[1]);
  for (size_t e = 0; e < 2; ++e) {
    htz_walk_row_default(w, HTZ_ROW_LINK_AT, &link->end[e].at);
  }
  const size_t least =
      is_known(w, &link->end[0]) && is_known(w, &link->end[1]) ? places : 1; // else it may as well be the ground
  if (!node || !htz_walk_list(w, node, "at", least, 2)) {
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
  if (!between || !htz_walk_row_list(w, between, HTZ_ROW_LINK_BETWEEN)) {
    link->end[0].body = link->end[1].body = w->spec->n_bodies;
    return;
  }
  const size_t faults = w->diags->n;
  walk_name(w, between->first, &link->end[0]);
  walk_name(w, between->first->next, &link->end[1]);
  const bool on[2] = {link->end[0].whose == HTZ_SPEC_END_NEXT, link->end[1].whose == HTZ_SPEC_END_NEXT};
  const htz_spec_link_end* other = &link->end[on[0]]; // of one to the next key up
  if (is_ground(&link->end[0]) && is_ground(&link->end[1]) && w->settled && w->diags->n == faults) {
    htz_walk_fault(w, between, "between: the ground does not move; a link needs a body at one end at least");
  } else if ((on[0] || on[1]) && is_ground(other)) {
    htz_walk_fault(w, between, "between: to link it to the ground, name the body without \"next.\"");
  } else if ((on[0] || on[1]) && other->whose != HTZ_SPEC_END_OWN) {
    htz_walk_fault(w, between, "between: one end of a link to the next key up is a body of the key itself");
  }
  walk_places(w, at, link);
}

/** A link that is there once has numbers, and no keys. */
static void check_once(walk* w, const walk_block* in, const htz_spec_link* link) {
  const struct {
    htz_row_id row;
    const htz_table* table;
  } tables[] = {{HTZ_ROW_LINK_AT, &link->end[0].at},        {HTZ_ROW_LINK_AT, &link->end[0].at_y},
                {HTZ_ROW_LINK_AT, &link->end[1].at},        {HTZ_ROW_LINK_AT, &link->end[1].at_y},
                {HTZ_ROW_LINK_STIFFNESS, &link->stiffness}, {HTZ_ROW_LINK_DAMPING, &link->damping},
                {HTZ_ROW_LINK_CUBIC, &link->cubic},         {HTZ_ROW_LINK_GAP, &link->gap}};
  const tree_node* keys = htz_walk_value(in, HTZ_ROW_LINK_KEYS);
  if (keys) {
    htz_walk_fault(w, keys, "keys: it joins what all keys share, and is there once, whichever of them play");
  }
  for (size_t i = 0; i < sizeof tables / sizeof tables[0]; ++i) {
    if (tables[i].table->n > 1) {
      htz_walk_fault(w, htz_walk_value(in, tables[i].row),
                     "%s: a link of what all keys share is there once: a number, no table",
                     htz_schema[tables[i].row].range.name);
      return;
    }
  }
  for (size_t i = HTZ_ROW_LINK_STIFFNESS; link->law && i <= HTZ_ROW_LINK_DEPTH; ++i) {
    htz_range range = {htz_schema[i].range.name, "", 0.0, 0.0};
    double initial = 0.0;
    const size_t number = htz_walk_law_range(link->law, htz_schema[i].range.name, &range, &initial);
    if (number < link->law->n_params && link->p[number].n > 1) {
      htz_walk_fault(w, htz_walk_value(in, (htz_row_id)i),
                     "%s: a link of what all keys share is there once: a number, no table", htz_schema[i].range.name);
      return;
    }
  }
}

static double widest(const htz_table* table) {
  double most = 0.0;
  for (size_t i = 0; i < table->n; ++i) {
    most = fmax(most, table->value[i]);
  }
  return most;
}

/** The name of a contact, as those of bodies are made, and nothing that parameters begin with. */
static void walk_contact_name(walk* w, const tree_node* node, htz_spec_link* link) {
  const double most = htz_instrument_params[HTZ_PARAM_RATTLE_GAP].maximum; // whose range it has
  if (!htz_walk_good_name(node)) {
    htz_walk_fault(w, node, "name: that of a contact is made of 1 to %d letters, digits, - and _", (int)WALK_NAME_BYTES);
  } else if (htz_walk_param_word(node->text)) {
    htz_walk_fault(w, node, "name: \"%s\" is what parameters of other things begin with; choose another name", node->text);
  } else if (htz_spec_link_leaves(link)) {
    htz_walk_fault(w, node, "name: the gap of a contact with a shared body or another key stays as it is; leave the name out");
  } else if (link->gap.n && widest(&link->gap) > most) {
    htz_walk_fault(w, node, "name: the parameter that moves its gap goes up to %g m, and the gap is more", most);
  } else {
    link->name = htz_walk_text(w, node, "name", WALK_NAME_BYTES);
  }
}

/** The law of a contact and its numbers. */
static void walk_contact(walk* w, const tree_node* node, const walk_block* in, bool foreign, htz_spec_link* link) {
  link->law = htz_walk_law(w, in, HTZ_ROW_LINK_LAW);
  if (!link->law) {
    link->law = &htz_law_hunt_crossley;
    return; // which numbers it has is not known
  }
  for (size_t i = HTZ_ROW_LINK_STIFFNESS; i <= HTZ_ROW_LINK_DEPTH; ++i) {
    const char* name = htz_schema[i].range.name;
    const tree_node* value = htz_walk_value(in, (htz_row_id)i);
    htz_range range = {name, "", 0.0, 0.0};
    double initial = 0.0;
    const size_t number = htz_walk_law_range(link->law, name, &range, &initial);
    if (number == link->law->n_params && value) {
      htz_walk_fault(w, value, "%s: the law %s has none", name, link->law->name);
    } else if (number < link->law->n_params) {
      htz_walk_table_or(w, value, initial, &range, &link->p[number]);
    }
  }
  if (!htz_walk_value(in, HTZ_ROW_LINK_STIFFNESS) && !foreign) {
    htz_walk_fault(w, node, "link: missing key \"stiffness\"");
  }
  htz_walk_row_table(w, in, HTZ_ROW_LINK_GAP, &link->gap);
  link->direction = htz_walk_row_word(w, in, HTZ_ROW_LINK_SIDE) == 1 ? -1.0 : 1.0;
}

/** A contact along a string: what goes only with that, or not with it. */
static void walk_along(walk* w, const tree_node* node, const walk_block* in, htz_spec_link* link) {
  static const htz_row_id only[] = {HTZ_ROW_LINK_PROFILE, HTZ_ROW_LINK_PARABOLA, HTZ_ROW_LINK_FRETS, HTZ_ROW_LINK_POINTS};
  const tree_node *from = htz_walk_value(in, HTZ_ROW_LINK_FROM), *to = htz_walk_value(in, HTZ_ROW_LINK_TO);
  const tree_node* at = htz_walk_value(in, HTZ_ROW_LINK_AT);
  link->along = from || to;
  for (size_t i = 0; !link->along && i < sizeof only / sizeof only[0]; ++i) {
    if (htz_walk_value(in, only[i])) {
      htz_walk_fault(w, htz_walk_value(in, only[i]), "%s: goes with `from` and `to`", htz_schema[only[i]].range.name);
    }
  }
  if (!link->along) {
    return;
  }
  if (at) {
    htz_walk_fault(w, at, "at: not with `from` and `to`");
  }
  for (size_t e = 0; e < 2; ++e) {
    const htz_spec_body* body = body_of(w, &link->end[e]);
    const bool string = body && body->kind && strcmp(body->kind->name, "string") == 0;
    if (w->settled && (link->end[e].whose > HTZ_SPEC_END_GROUND || (body && body->kind && !string))) {
      htz_walk_fault(w, htz_walk_value(in, HTZ_ROW_LINK_BETWEEN),
                     "between: `from` and `to` are places along strings; allowed: two strings of the key, or one and `ground`");
      break;
    }
  }
  if (link->law != &htz_law_hunt_crossley) {
    htz_walk_fault(w, htz_walk_value(in, HTZ_ROW_LINK_LAW), "law: along a string it is hunt-crossley");
  }
  htz_walk_row_table(w, in, HTZ_ROW_LINK_FROM, &link->from);
  htz_walk_row_table(w, in, HTZ_ROW_LINK_TO, &link->to);
  htz_walk_stretch_ends(w, from ? from : to, &link->from, &link->to);
  htz_walk_barrier(w, node, "link", htz_walk_value(in, HTZ_ROW_LINK_PROFILE), htz_walk_value(in, HTZ_ROW_LINK_PARABOLA),
                   htz_walk_value(in, HTZ_ROW_LINK_FRETS), &link->barrier);
  if (htz_walk_value(in, HTZ_ROW_LINK_POINTS) && link->barrier.frets.n) {
    htz_walk_fault(w, htz_walk_value(in, HTZ_ROW_LINK_POINTS), "points: each fret is one");
  } else if (htz_walk_value(in, HTZ_ROW_LINK_POINTS)) {
    htz_walk_row_whole(w, in, HTZ_ROW_LINK_POINTS, &link->points);
  }
}

static void walk_spring(walk* w, const tree_node* node, const walk_block* in, bool foreign, htz_spec_link* link) {
  if (!foreign && link->type == HTZ_SPEC_LINK_SPRING && !htz_walk_value(in, HTZ_ROW_LINK_STIFFNESS) &&
      !htz_walk_value(in, HTZ_ROW_LINK_CUBIC)) {
    htz_walk_fault(w, node, "link: missing key \"stiffness\"");
  }
  if (!foreign && link->type == HTZ_SPEC_LINK_DAMPER && !htz_walk_value(in, HTZ_ROW_LINK_DAMPING)) {
    htz_walk_fault(w, node, "link: missing key \"damping\"");
  }
  htz_walk_row_table(w, in, HTZ_ROW_LINK_STIFFNESS, &link->stiffness);
  htz_walk_row_table(w, in, HTZ_ROW_LINK_DAMPING, &link->damping);
  htz_walk_row_table(w, in, HTZ_ROW_LINK_CUBIC, &link->cubic);
}

static void walk_link(walk* w, const tree_node* node, htz_spec_link* link) {
  walk_block in;
  *link = (htz_spec_link){.keys = {0, HTZ_KEYS - 1}, .direction = 1.0};
  link->end[0].body = link->end[1].body = w->spec->n_bodies;
  if (!htz_walk_block(w, node, "link", HTZ_BLOCK_LINK, HTZ_ANY_CHOICE, &in)) {
    return;
  }
  const bool foreign = w->foreign > 0; // what is missing may be meant by a key that means nothing
  walk_ends(w, htz_walk_value(&in, HTZ_ROW_LINK_BETWEEN), htz_walk_value(&in, HTZ_ROW_LINK_AT), link);
  if (htz_walk_value(&in, HTZ_ROW_LINK_KEYS)) {
    htz_walk_key_range(w, htz_walk_value(&in, HTZ_ROW_LINK_KEYS), "keys", &link->keys[0], &link->keys[1]);
  }
  const size_t type = htz_walk_row_word(w, &in, HTZ_ROW_LINK_TYPE);
  if (type == HTZ_NO_WORD) {
    return; // what else it may say is not known
  }
  link->type = (htz_spec_link_type)type;
  for (size_t i = HTZ_FIRST_LINK; i < HTZ_END_LINK; ++i) {
    const tree_node** value = &in.value[i - HTZ_FIRST_LINK];
    if (*value && !htz_row_in(&htz_schema[i], HTZ_IN_ANY, type)) {
      htz_walk_fault(w, *value, "%s: a link of type %s has none", htz_schema[i].range.name,
                     htz_row_word(&htz_schema[HTZ_ROW_LINK_TYPE], type));
      *value = NULL;
    }
  }
  if (link->type == HTZ_SPEC_LINK_CONTACT) {
    walk_contact(w, node, &in, foreign, link);
    walk_along(w, node, &in, link);
    if (htz_walk_value(&in, HTZ_ROW_LINK_NAME)) {
      walk_contact_name(w, htz_walk_value(&in, HTZ_ROW_LINK_NAME), link);
    }
  } else {
    walk_spring(w, node, &in, foreign, link);
  }
  if (w->settled && htz_spec_link_once(link)) {
    check_once(w, &in, link);
  }
}

/** A thing or a bow of this name would answer to the same parameters. */
static bool taken_name(const htz_spec* spec, const char* name) {
  bool taken = false;
  for (size_t i = 0; spec->prepared && i < spec->prepared->n; ++i) {
    taken = taken || (spec->prepared->things[i].name && strcmp(spec->prepared->things[i].name, name) == 0);
  }
  for (size_t i = 0; i < spec->n_bows; ++i) {
    taken = taken || (spec->bows[i].name && strcmp(spec->bows[i].name, name) == 0);
  }
  return taken;
}

void htz_walk_check_links(walk* w, const tree_node* links) {
  for (size_t l = 0; l < w->spec->n_links; ++l) {
    const char* name = w->spec->links[l].name;
    if (name && taken_name(w->spec, name)) {
      htz_walk_fault(w, links, "links: the name \"%s\" is that of a preparation or a bow already", name);
      break;
    }
  }
  bool along = false;
  for (size_t l = 0; l < w->spec->n_links; ++l) {
    along = along || w->spec->links[l].along;
  }
  if (along && htz_spec_object_linked(w->spec)) {
    htz_walk_fault(
        w, links,
        "links: contacts along a string are solved all together, key by key; allowed beside them: links within the key");
  }
  if (htz_spec_hears_reaction(w->spec) && htz_spec_object_linked(w->spec)) {
    htz_walk_fault(w, links, "links: a reaction is heard of a key by itself; allowed beside it: links within the key");
  }
  if (w->spec->mallet.solver) {
    htz_walk_fault(w, links,
                   "links: the solver %s knows one body and its hammer; links need the house's, which solves all together",
                   w->spec->mallet.solver->name);
  }
}

/** Shared bodies that a link of `spec` stirs: from a key's body, or from one that is stirred. @return true when there are more than before */
static bool stir(const htz_spec* spec, bool* stirred) {
  bool more = false;
  for (size_t l = 0; l < spec->n_links; ++l) {
    const htz_spec_link_end* end = spec->links[l].end;
    for (size_t e = 0; e < 2; ++e) {
      const htz_spec_link_end *to = &end[e], *from = &end[1 - e];
      const bool moves = htz_spec_end_of_key(from) || (from->whose == HTZ_SPEC_END_SHARED && stirred[from->body]);
      if (to->whose == HTZ_SPEC_END_SHARED && moves && !stirred[to->body]) {
        stirred[to->body] = more = true;
      }
    }
  }
  return more;
}

void htz_walk_check_stirred(walk* w, const tree_node* shared) {
  const htz_spec* spec = w->spec;
  bool stirred[HTZ_SPEC_SHARED_MAX] = {false};
  for (bool more = true; more;) {
    more = stir(spec, stirred);
    for (size_t o = 0; o < spec->n_objects; ++o) {
      more = stir(spec->objects[o], stirred) || more;
    }
  }
  for (size_t b = 0; b < spec->n_linked_shared; ++b) {
    if (!stirred[b]) {
      htz_walk_fault(w, shared, "shared: nothing moves \"%s\"; link it to a body of a key, or to what is",
                     spec->linked_shared[b].body.name);
    }
  }
}

void htz_walk_links(walk* w, const tree_node* node) {
  if (!htz_walk_row_list(w, node, HTZ_ROW_FILE_LINKS)) {
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
