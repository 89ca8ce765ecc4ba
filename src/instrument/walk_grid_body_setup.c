#include "walk_grid.h"

#include <math.h>
#include <string.h>

// The bodies of a file of the grid family.

static bool is_line(htz_spec_grid_kind kind) {
  return kind == HTZ_GRID_STRING || kind == HTZ_GRID_BAR;
}

static bool is_surface(htz_spec_grid_kind kind) {
  return kind == HTZ_GRID_PLATE || kind == HTZ_GRID_MEMBRANE;
}

size_t htz_walk_grid_places(const htz_spec_grid_body* body) {
  if (body->kind == HTZ_GRID_MODES) {
    return body->modes && body->modes->surface ? 2 : 1;
  }
  return is_line(body->kind) ? 1 : is_surface(body->kind) ? 2 : 0;
}

size_t htz_walk_grid_body_name(walk* w, const tree_node* node, const char* name) {
  const char* names[HTZ_SPEC_GRID_BODIES_MAX];
  const htz_spec_grid* grid = w->spec->grid;
  if (!w->settled) {
    return grid->n_bodies;
  }
  for (size_t i = 0; i < grid->n_bodies; ++i) {
    names[i] = grid->bodies[i].name;
  }
  const size_t index = htz_walk_reference(w, node, name, grid->n_bodies, names);
  return index < grid->n_bodies && w->unsure >> index & 1u ? grid->n_bodies : index;
}

bool htz_walk_grid_kind(walk* w, const tree_node* node, const char* name, size_t index, unsigned mask) {
  const htz_spec_grid* grid = w->spec->grid;
  if (index >= grid->n_bodies) {
    return false; // reported already
  }
  const htz_spec_grid_body* body = &grid->bodies[index];
  if (mask >> body->kind & 1u) {
    return true;
  }
  const char* names[HTZ_GRID_KINDS] = {NULL};
  char list[HTZ_DIAG_TEXT / 4];
  size_t n = 0;
  for (unsigned k = 0; k < HTZ_GRID_KINDS; ++k) {
    if (mask >> k & 1u) {
      names[n++] = htz_spec_grid_kind_name((htz_spec_grid_kind)k);
    }
  }
  htz_walk_fault(w, node, "%s: \"%s\" is a %s; allowed: %s", name, body->name, htz_spec_grid_kind_name(body->kind),
                 htz_walk_names(n, names, sizeof list, list));
  return false;
}

void htz_walk_grid_place(walk* w, const tree_node* node, size_t index, htz_table at[2]) {
  const htz_spec_grid* grid = w->spec->grid;
  if (index >= grid->n_bodies) {
    return;
  }
  const htz_spec_grid_body* body = &grid->bodies[index];
  const htz_range range = htz_walk_range_of(HTZ_ROW_KICK_AT); // every place is a fraction
  switch (htz_walk_grid_places(body)) {
  case 1:
    if (node->type == TREE_LIST) {
      htz_walk_fault(w, node, "at: a place on \"%s\" is one number, a fraction of its length", body->name);
    } else {
      htz_walk_table(w, node, &range, &at[0]);
    }
    return;
  case 2:
    if (node->type != TREE_LIST || node->n != 2) {
      htz_walk_fault(w, node, "at: a place on \"%s\" is [x, y], fractions of its length and width", body->name);
      return;
    }
    htz_walk_table(w, node->first, &range, &at[0]);
    htz_walk_table(w, node->first->next, &range, &at[1]);
    return;
  default:
    htz_walk_fault(w, node, "at: \"%s\" is a %s; it has no places", body->name, htz_spec_grid_kind_name(body->kind));
  }
}

static bool walk_body_kind(walk* w, const tree_node* node, htz_spec_grid_body* body) {
  const htz_row* row = &htz_schema[HTZ_ROW_GRID_BODY_KIND];
  const tree_node* kind = htz_walk_kind_of(node);
  if (!kind) {
    const char* names[HTZ_GRID_KINDS];
    char list[HTZ_DIAG_TEXT / 4];
    size_t n = 0;
    while (n < HTZ_GRID_KINDS && htz_row_word(row, n)) {
      names[n] = htz_row_word(row, n);
      ++n;
    }
    htz_walk_fault(w, node, "%s: missing key \"body\", the kind of body: %s", body->name,
                   htz_walk_names(n, names, sizeof list, list));
    return false;
  }
  const size_t index = htz_walk_word_of(w, kind, HTZ_ROW_GRID_BODY_KIND);
  // Bodies with modes, which go by `family`, are not among the words.
  body->kind = index < HTZ_GRID_MODES ? (htz_spec_grid_kind)index : HTZ_GRID_BARRIER;
  return index != HTZ_NO_WORD;
}

/** `key`, `own`, or a number. A mass without any is free. */
static void walk_pitch(walk* w, const tree_node* node, htz_spec_grid_body* body) {
  enum { KEY = 0, OWN };
  size_t word;
  const bool known = htz_walk_instead(node, HTZ_ROW_GRID_BODY_FREQUENCY, &word);
  if (known && word == KEY && !is_surface(body->kind)) {
    body->pitch = HTZ_PITCH_KEY;
  } else if (known && word == OWN && body->kind != HTZ_GRID_MASS) {
    body->pitch = HTZ_PITCH_OWN;
  } else if (htz_walk_bare_word(node)) {
    htz_walk_fault(w, node, "frequency: unknown \"%.20s\". Allowed: a number or table in Hz%s%s", node->text,
                   is_surface(body->kind) ? "" : ", `key` (the key's pitch)",
                   body->kind == HTZ_GRID_MASS ? "" : ", `own` (as dimensions and material make it)");
  } else if (is_surface(body->kind)) {
    htz_walk_fault(w, node, "frequency: the pitch of a %s follows from its dimensions and material",
                   htz_spec_grid_kind_name(body->kind));
  } else {
    const htz_range range = htz_walk_range_of(HTZ_ROW_GRID_BODY_FREQUENCY);
    body->pitch = HTZ_PITCH_FIXED;
    htz_walk_table(w, node, &range, &body->frequency);
  }
}

/** How one end is held. */
static htz_grid_end walk_end(walk* w, const tree_node* node, const htz_spec_grid_body* body) {
  // A string under tension has to be held: its ends take the words of edges.
  const size_t index =
      htz_walk_word_as(w, node, "ends", body->kind == HTZ_GRID_BAR ? HTZ_ROW_GRID_BODY_ENDS : HTZ_ROW_GRID_BODY_EDGES);
  return index == HTZ_NO_WORD ? HTZ_GRID_SUPPORTED : (htz_grid_end)index;
}

/** One word for both ends, or one each. */
static void walk_ends(walk* w, const tree_node* node, htz_spec_grid_body* body) {
  if (node->type != TREE_LIST) {
    body->ends[0] = body->ends[1] = walk_end(w, node, body);
  } else if (htz_walk_list(w, node, "ends", 2, 2)) {
    body->ends[0] = walk_end(w, node->first, body);
    body->ends[1] = walk_end(w, node->first->next, body);
  }
}

/** @return true when it is known what the pitch follows */
static bool walk_generics(walk* w, const walk_block* in, htz_spec_grid_body* body) {
  bool known = true;
  const tree_node *frequency = htz_walk_value(in, HTZ_ROW_GRID_BODY_FREQUENCY),
                  *ratio = htz_walk_value(in, HTZ_ROW_GRID_BODY_RATIO);
  const tree_node *ends = htz_walk_value(in, HTZ_ROW_GRID_BODY_ENDS), *edges = htz_walk_value(in, HTZ_ROW_GRID_BODY_EDGES);
  body->pitch = is_line(body->kind) ? HTZ_PITCH_KEY : HTZ_PITCH_OWN;
  if (htz_walk_value(in, HTZ_ROW_GRID_BODY_MATERIAL)) {
    body->material = htz_material_at(htz_walk_row_word(w, in, HTZ_ROW_GRID_BODY_MATERIAL));
  }
  if (frequency) {
    const size_t faults = w->diags->n;
    walk_pitch(w, frequency, body);
    known = w->diags->n == faults;
  }
  htz_walk_row_table(w, in, HTZ_ROW_GRID_BODY_RATIO, &body->ratio);
  if (ratio && known && body->pitch != HTZ_PITCH_KEY) {
    htz_walk_fault(w, ratio, "ratio: goes with the key's pitch, which this body does not follow");
  }
  if (ends) {
    walk_ends(w, ends, body);
  }
  if (edges) {
    const size_t edge = htz_walk_row_word(w, in, HTZ_ROW_GRID_BODY_EDGES);
    body->ends[0] = edge == HTZ_NO_WORD ? HTZ_GRID_SUPPORTED : (htz_grid_end)edge;
  }
  htz_walk_row_whole(w, in, HTZ_ROW_GRID_BODY_POINTS, &body->points);
  return known;
}

/** Numbers that must be there, and those that exclude each other; stands[v]: where number v is in the file, be it good or bad. */
static void check_values(walk* w, const tree_node* node, const tree_node* const* stands, const htz_spec_grid_body* body) {
  for (int i = 0; i < HTZ_GRID_VALUES; ++i) {
    const htz_spec_grid_value value = (htz_spec_grid_value)i;
    if (htz_spec_grid_needs(body->kind, value) && !stands[value]) {
      htz_walk_fault(w, node, "%s: missing key \"%s\"", body->name, htz_spec_grid_value_desc(value)->name);
    }
  }
  if (body->kind == HTZ_GRID_STRING && body->pitch == HTZ_PITCH_OWN && !stands[HTZ_GRID_TENSION]) {
    htz_walk_fault(w, node, "%s: tension: `frequency: own` needs it", body->name);
  }
  if (body->kind == HTZ_GRID_STRING && body->pitch != HTZ_PITCH_OWN && stands[HTZ_GRID_TENSION]) {
    htz_walk_fault(w, node, "%s: tension: follows from the pitch; give it only with `frequency: own`", body->name);
  }
  const bool times = stands[HTZ_GRID_T60] || stands[HTZ_GRID_T60_HIGH] || stands[HTZ_GRID_T60_HIGH_HZ];
  if (times && (stands[HTZ_GRID_SIGMA0] || stands[HTZ_GRID_SIGMA1])) {
    htz_walk_fault(w, node, "%s: t60: give either decay times or sigma0 and sigma1", body->name);
  }
  if (stands[HTZ_GRID_T60_HIGH] && !stands[HTZ_GRID_T60]) {
    htz_walk_fault(w, node, "%s: t60_high: needs t60, the decay time of the first partial", body->name);
  }
  if (stands[HTZ_GRID_T60_HIGH_HZ] && !stands[HTZ_GRID_T60_HIGH]) {
    htz_walk_fault(w, node, "%s: t60_high_hz: needs t60_high, the decay time there", body->name);
  }
  if (body->kind == HTZ_GRID_MEMBRANE && stands[HTZ_GRID_T60_HIGH] && !stands[HTZ_GRID_T60_HIGH_HZ]) {
    htz_walk_fault(w, node, "%s: t60_high_hz: a skin needs it", body->name);
  }
}

void htz_walk_grid_no_room(walk* w, const tree_node* node) {
  static const char* const where[] = {"place", "axis"};
  for (size_t i = 0; i < sizeof where / sizeof where[0]; ++i) {
    const tree_node* at = htz_walk_value_of(node, where[i]);
    if (at) {
      htz_walk_fault(w, at, "%s: in a file of grids nobody listens from a place in the room", where[i]);
    }
  }
}

/** A force that a body has of its own, and so no place in steps that take all forces at one instant. */
static void refuse_stretch(walk* w, const tree_node* node) {
  if (node) {
    htz_walk_fault(
        w, node,
        "stretch: beside grids tension is constant: the steps in which contacts on grids are solved know no force that a "
        "body has of its own; a file without `family: grid` has it");
  }
}

/** A body of the other family among grids: `family: modal`. */
static void walk_modal_body(walk* w, const tree_node* node, const tree_node* family, htz_spec_grid_body* body) {
  body->kind = HTZ_GRID_MODES;
  body->modes = htz_walk_alloc(w, 1, sizeof *body->modes);
  if (!body->modes || htz_walk_word_of(w, family, HTZ_ROW_BODY_FAMILY) != 0) {
    w->unsure |= 1u << (body - w->spec->grid->bodies);
    return;
  }
  body->modes->name = body->name;
  htz_walk_body(w, node, body->modes);
  body->pitch = body->modes->pitch;
  htz_walk_grid_no_room(w, node);
  if (body->modes->stretches) {
    refuse_stretch(w, htz_walk_value_of(node, "stretch"));
  }
  if (body->modes->count.n) {
    htz_walk_fault(w, node, "count: among grids a body is there once");
  }
  if (!body->modes->kind) {
    w->unsure |= 1u << (body - w->spec->grid->bodies);
  }
}

static void walk_grid_body(walk* w, const tree_node* node, htz_spec_grid_body* body) {
  walk_field fields[WALK_FIELDS_MAX] = {{.name = NULL}};
  htz_row_id rows[WALK_FIELDS_MAX];
  const tree_node* values[WALK_FIELDS_MAX];
  const tree_node* stands[HTZ_GRID_VALUES] = {NULL};
  walk_block in = {.first = HTZ_FIRST_GRID_BODY};
  if (node->type != TREE_MAP) {
    htz_walk_map(w, node, body->name, 0, fields, values);
  }
  const tree_node* family = node->type == TREE_MAP ? htz_walk_value_of(node, "family") : NULL;
  if (family) {
    walk_modal_body(w, node, family, body);
    return;
  }
  if (node->type != TREE_MAP || !walk_body_kind(w, node, body)) {
    w->unsure |= 1u << (body - w->spec->grid->bodies);
    return;
  }
  const size_t common = htz_walk_fields(w, HTZ_BLOCK_GRID_BODY, (size_t)body->kind, fields, rows);
  size_t n = common, value[HTZ_GRID_VALUES];
  for (size_t v = 0; v < HTZ_GRID_VALUES; ++v) {
    if (htz_spec_grid_has(body->kind, (htz_spec_grid_value)v)) {
      value[n - common] = v;
      fields[n++] = (walk_field){.name = htz_spec_grid_value_desc((htz_spec_grid_value)v)->name};
    }
  }
  fields[n] = (walk_field){.name = "stretch", .refused = true};
  htz_walk_map(w, node, body->name, n + 1, fields, values);
  refuse_stretch(w, values[n]);
  for (size_t i = 0; i < common; ++i) {
    in.value[rows[i] - in.first] = values[i];
  }
  for (size_t i = common; i < n; ++i) {
    const htz_param_desc* desc = htz_spec_grid_value_desc((htz_spec_grid_value)value[i - common]);
    const htz_range range = {desc->name, desc->unit, desc->minimum, desc->maximum};
    stands[value[i - common]] = values[i];
    if (values[i]) {
      htz_walk_table(w, values[i], &range, &body->value[value[i - common]]);
    }
  }
  // What is missing may be meant by a key that means nothing.
  if (walk_generics(w, &in, body) && w->foreign == 0) {
    check_values(w, node, stands, body);
  }
}

static void add_body(walk* w, const tree_node* node, const char* name) {
  htz_spec_grid_body* body = &w->spec->grid->bodies[w->spec->grid->n_bodies++];
  body->name = name;
  walk_grid_body(w, node, body);
}

void htz_walk_grid_bodies(walk* w, const tree_node* node) {
  htz_walk_each_body(w, node, HTZ_SPEC_GRID_BODIES_MAX, add_body);
}
