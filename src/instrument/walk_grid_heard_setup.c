#include "walk_grid.h"

#include <string.h>

// What is heard of the bodies of a file of the grid family, by the player, by resonators and by the body all keys share.

enum {
  NAMES_MAX = HTZ_SPEC_GRID_BODIES_MAX + HTZ_SPEC_GRID_CONTACTS_MAX + HTZ_SPEC_GRID_STRETCHES_MAX + HTZ_ISLAND_BODIES_MAX
};

/** All that a key has to be heard: bodies, contacts that have a name, resonators. */
typedef struct {
  size_t n;
  const char* names[NAMES_MAX];
  htz_spec_grid_source source[NAMES_MAX];
  size_t of[NAMES_MAX];
} source_list;

static void add_source(source_list* list, const char* name, htz_spec_grid_source source, size_t of) {
  if (name) {
    list->names[list->n] = name;
    list->source[list->n] = source;
    list->of[list->n++] = of;
  }
}

static void list_sources(const htz_spec* spec, source_list* list) {
  const htz_spec_grid* grid = spec->grid;
  list->n = 0;
  for (size_t b = 0; b < grid->n_bodies; ++b) {
    add_source(list, grid->bodies[b].name, HTZ_SOURCE_BODY, b);
  }
  for (size_t c = 0; c < grid->n_contacts; ++c) {
    add_source(list, grid->contacts[c].name, HTZ_SOURCE_CONTACT, c);
  }
  for (size_t s = 0; s < grid->n_stretches; ++s) {
    add_source(list, grid->stretches[s].name, HTZ_SOURCE_STRETCH, s);
  }
  for (size_t r = 0; r < spec->n_bodies; ++r) {
    add_source(list, spec->bodies[r].name, HTZ_SOURCE_RESONATOR, r);
  }
}

/** What `node` names. @return false when it is nothing, or that is not known */
static bool walk_source(walk* w, const tree_node* node, const char* name, htz_spec_grid_tap* tap) {
  source_list list;
  const htz_spec_grid* grid = w->spec->grid;
  if (!w->settled) {
    return false;
  }
  list_sources(w->spec, &list);
  for (size_t i = 0; w->unsure_contacts && (i == list.n || node->type != TREE_SCALAR || strcmp(list.names[i], node->text) != 0);
       ++i) {
    if (i == list.n) {
      return false; // it may be a contact
    }
  }
  const size_t index = htz_walk_reference(w, node, name, list.n, list.names);
  w->unsure_contacts = w->unsure_contacts || (index == list.n && grid->n_contacts + grid->n_stretches == 0);
  if (index == list.n || (list.source[index] == HTZ_SOURCE_BODY && w->unsure >> list.of[index] & 1u)) {
    return false;
  }
  tap->source = list.source[index];
  tap->of = list.of[index];
  return true;
}

/** On a resonator: a fraction of its length, or of a surface [x, y]. */
static void walk_resonator_place(walk* w, const tree_node* node, size_t r, htz_row_id row, htz_table at[2]) {
  const htz_spec_body* body = &w->spec->bodies[r];
  const htz_range range = htz_walk_range_of(row);
  if (node->type != TREE_LIST) {
    htz_walk_table(w, node, &range, &at[0]);
    return;
  }
  if (body->most_modes > 0 && !body->surface) {
    htz_walk_fault(w, node, "%s: \"%s\" is no surface; it has places along its length only", range.name, body->name);
  } else if (htz_walk_list(w, node, range.name, 2, 2)) {
    htz_walk_table(w, node->first, &range, &at[0]);
    htz_walk_table(w, node->first->next, &range, &at[1]);
  }
}

/** Where a tap listens. */
static void walk_heard_place(walk* w, const tree_node* node, htz_spec_grid_tap* tap) {
  htz_table at[2] = {{0}, {0}};
  if (node && tap->source == HTZ_SOURCE_RESONATOR) {
    walk_resonator_place(w, node, tap->of, HTZ_ROW_FEED_AT, at);
  } else if (node) {
    htz_walk_grid_place(w, node, tap->of, at);
  }
  tap->at = at[0].n ? at[0] : tap->at;
  tap->at_y = at[1].n ? at[1] : tap->at_y;
}

/** The rows of a block that say what is heard. */
typedef struct {
  htz_row_id of, quantity, at, gain;
} tap_rows;

static void walk_tap(walk* w, const walk_block* in, const tap_rows* rows, htz_spec_grid_tap* tap) {
  const char* name = htz_schema[rows->of].range.name;
  const tree_node *of = htz_walk_value(in, rows->of), *quantity = htz_walk_value(in, rows->quantity);
  const tree_node *place = htz_walk_value(in, rows->at), *gain = htz_walk_value(in, rows->gain);
  const htz_range gains = htz_walk_range_of(rows->gain);
  const bool known = of && walk_source(w, of, name, tap);
  const bool force = known && (tap->source == HTZ_SOURCE_CONTACT || tap->source == HTZ_SOURCE_STRETCH);
  tap->quantity = !quantity && force ? HTZ_HEAR_FORCE : htz_walk_quantity(w, in, rows->quantity);
  if (tap->quantity == HTZ_HEAR_REACTION) {
    htz_walk_fault(
        w, quantity,
        "quantity: on grids the force of a contact is heard by its name; allowed: displacement, velocity, acceleration, force");
    return;
  }
  htz_walk_row_default(w, rows->at, &tap->at);
  if (tap->source == HTZ_SOURCE_BODY) {
    htz_walk_row_default(w, rows->at, &tap->at_y);
  }
  htz_walk_table_or(w, gain, 1.0, &gains, &tap->gain);
  if (force && tap->quantity != HTZ_HEAR_FORCE) {
    htz_walk_fault(w, quantity, "quantity: of a contact the force is heard");
  }
  if (force && place) {
    htz_walk_fault(w, place, "at: a contact is where it is");
  }
  if (!known || force) {
    return;
  }
  const tree_node* at = quantity ? quantity : of;
  if (tap->source == HTZ_SOURCE_RESONATOR) {
    htz_walk_check_force(w, at, tap->quantity, htz_walk_body_at(w, tap->of));
  } else if (tap->quantity == HTZ_HEAR_FORCE) {
    htz_walk_grid_kind(w, at, "quantity: force on a support: of", tap->of, 1u << HTZ_GRID_STRING);
  } else {
    htz_walk_grid_kind(w, of, name, tap->of, (1u << HTZ_GRID_BARRIER) - 1u); // all but barriers
  }
  walk_heard_place(w, place, tap);
}

// Pickups.

static void walk_pickup(walk* w, const tree_node* node, size_t number) {
  static const tap_rows rows = {HTZ_ROW_PICKUP_OF, HTZ_ROW_PICKUP_QUANTITY, HTZ_ROW_PICKUP_AT, HTZ_ROW_PICKUP_GAIN};
  walk_block in;
  if (w->spec->n_pickups == HTZ_ISLAND_PICKUPS_MAX) {
    htz_walk_fault(w, node, "pickups: at most %d of a key's own bodies", (int)HTZ_ISLAND_PICKUPS_MAX);
    return;
  }
  if (!htz_walk_block(w, node, "pickup", HTZ_BLOCK_PICKUP, HTZ_ANY_CHOICE, &in)) {
    return;
  }
  const bool foreign = w->foreign > 0;
  htz_spec_grid_tap* tap = &w->spec->grid->hears[w->spec->n_pickups];
  htz_spec_pickup* pickup = &w->spec->pickups[w->spec->n_pickups++];
  if (htz_walk_value(&in, HTZ_ROW_PICKUP_EAR)) {
    htz_walk_fault(w, htz_walk_value(&in, HTZ_ROW_PICKUP_EAR),
                   "ear: the pressure is known of bodies with modes; of a grid and what it drives say `at` and `quantity`");
  }
  walk_tap(w, &in, &rows, tap);
  tap->item = number;
  *pickup = (htz_spec_pickup){.item = number, .of = tap->of, .quantity = tap->quantity, .at = tap->at, .gain = tap->gain};
  htz_walk_placed(w, &in, foreign, pickup);
}

void htz_walk_grid_pickups(walk* w, const tree_node* node) {
  htz_walk_each_pickup(w, node, walk_pickup);
}

// Resonators, and what drives them and the shared body.

void htz_walk_grid_resonators(walk* w, const tree_node* node) {
  if (node->type != TREE_MAP || node->n == 0) {
    if (!node->broken) {
      htz_walk_fault(w, node, "resonators: expected bodies with modes as a map of `name: {body: KIND, ...}`");
    }
    return;
  }
  for (const tree_node* key = node->first; key; key = key->next->next) {
    source_list list;
    list_sources(w->spec, &list);
    bool taken = false;
    for (size_t i = 0; i < list.n && key->type == TREE_SCALAR; ++i) {
      taken = taken || strcmp(list.names[i], key->text) == 0;
    }
    if (!htz_walk_good_name(key) || taken) {
      if (!key->broken) {
        htz_walk_fault(w, key, taken ? "resonators: the name stands twice in the file" : "resonators: no name of a body");
      }
      continue;
    }
    if (w->spec->n_bodies == HTZ_GRID_RESONATORS_MAX) {
      htz_walk_fault(w, key, "resonators: a key has at most %d", (int)HTZ_GRID_RESONATORS_MAX);
      return;
    }
    htz_spec_body* body = &w->spec->bodies[w->spec->n_bodies];
    body->name = htz_walk_text(w, key, "resonators", WALK_NAME_BYTES);
    if (body->name) {
      ++w->spec->n_bodies;
      htz_walk_body(w, key->next, body);
      if (key->next->type == TREE_MAP) {
        htz_walk_grid_no_room(w, key->next);
      }
      if (body->count.n) {
        htz_walk_fault(w, key, "count: a resonator is there once");
      }
    }
  }
}

static void walk_feed(walk* w, const tree_node* node) {
  static const tap_rows rows = {HTZ_ROW_FEED_FROM, HTZ_ROW_FEED_QUANTITY, HTZ_ROW_FEED_AT, HTZ_ROW_FEED_GAIN};
  walk_block in;
  htz_spec* spec = w->spec;
  if (!htz_walk_block(w, node, "feed", HTZ_BLOCK_FEED, HTZ_ANY_CHOICE, &in)) {
    return;
  }
  const tree_node *to = htz_walk_value(&in, HTZ_ROW_FEED_TO), *place = htz_walk_value(&in, HTZ_ROW_FEED_INTO);
  htz_spec_grid_feed* feed = &spec->grid->feeds[spec->grid->n_feeds++];
  walk_tap(w, &in, &rows, &feed->tap);
  const char* names[HTZ_ISLAND_BODIES_MAX];
  for (size_t r = 0; r < spec->n_bodies; ++r) {
    names[r] = spec->bodies[r].name;
  }
  feed->to = spec->n_bodies;
  if (to && spec->n_bodies == 0) {
    htz_walk_fault(w, to, "to: a feed drives one of `resonators`, and there is none; bodies on grids meet in contacts");
  } else if (to) {
    feed->to = htz_walk_reference(w, to, "to", spec->n_bodies, names);
  }
  if (feed->to < spec->n_bodies && feed->tap.source == HTZ_SOURCE_RESONATOR && feed->tap.of >= feed->to) {
    htz_walk_fault(w, to,
                   "to: a resonator is fed by one that stands above it: in a circle one-way feeds would make "
                   "energy out of nothing");
  }
  htz_walk_row_default(w, HTZ_ROW_FEED_INTO, &feed->into);
  if (place && feed->to < spec->n_bodies) {
    htz_table into[2] = {feed->into, {0}};
    walk_resonator_place(w, place, feed->to, HTZ_ROW_FEED_INTO, into);
    feed->into = into[0];
    feed->into_y = into[1];
  }
}

void htz_walk_grid_feeds(walk* w, const tree_node* node) {
  if (htz_walk_row_list(w, node, HTZ_ROW_FILE_FEEDS)) {
    for (const tree_node* item = node->first; item; item = item->next) {
      walk_feed(w, item);
    }
  }
}

static void walk_drive(walk* w, const tree_node* node) {
  static const tap_rows rows = {HTZ_ROW_DRIVE_FROM, HTZ_ROW_DRIVE_QUANTITY, HTZ_ROW_DRIVE_AT, HTZ_ROW_DRIVE_GAIN};
  walk_block in;
  htz_spec_board* board = &w->spec->board;
  if (!htz_walk_block(w, node, "drive", HTZ_BLOCK_DRIVE, HTZ_ANY_CHOICE, &in)) {
    return;
  }
  htz_spec_grid_tap* tap = &w->spec->grid->drives[board->n_drives];
  htz_spec_drive* drive = &board->drives[board->n_drives++];
  walk_tap(w, &in, &rows, tap);
  *drive = (htz_spec_drive){.from = tap->of, .quantity = tap->quantity, .at = tap->at, .gain = tap->gain};
  if (htz_walk_value(&in, HTZ_ROW_DRIVE_TO)) {
    htz_walk_drive_to(w, htz_walk_value(&in, HTZ_ROW_DRIVE_TO));
  }
  htz_walk_drive_along(w, &in, node, drive);
}

void htz_walk_grid_drives(walk* w, const tree_node* node) {
  if (htz_walk_row_list(w, node, HTZ_ROW_FILE_DRIVES)) {
    for (const tree_node* item = node->first; item; item = item->next) {
      walk_drive(w, item);
    }
  }
}

void htz_walk_grid_check_driven(walk* w, const tree_node* resonators, const tree_node* shared) {
  const htz_spec* spec = w->spec;
  for (size_t r = 0; r < spec->n_bodies; ++r) {
    bool fed = false;
    size_t heard = 0;
    for (size_t f = 0; f < spec->grid->n_feeds; ++f) {
      const htz_spec_grid_feed* feed = &spec->grid->feeds[f];
      fed = fed || feed->to == r;
      heard += feed->tap.source == HTZ_SOURCE_RESONATOR && feed->tap.of == r;
    }
    for (size_t p = 0; p < spec->n_pickups; ++p) {
      heard += spec->grid->hears[p].source == HTZ_SOURCE_RESONATOR && spec->grid->hears[p].of == r;
    }
    for (size_t d = 0; d < spec->board.n_drives; ++d) {
      heard += spec->grid->drives[d].source == HTZ_SOURCE_RESONATOR && spec->grid->drives[d].of == r;
    }
    if (!fed) {
      htz_walk_fault(w, resonators, "resonators: nothing moves \"%s\"; it needs feeds", spec->bodies[r].name);
    } else if (heard == 0) {
      htz_walk_fault(w, resonators, "resonators: \"%s\" is not heard; it needs a pickup", spec->bodies[r].name);
    } else if (heard > HTZ_ISLAND_PICKUPS_MAX) {
      htz_walk_fault(w, resonators, "resonators: \"%s\" is listened to %zu times; at most %d", spec->bodies[r].name, heard,
                     (int)HTZ_ISLAND_PICKUPS_MAX);
    }
  }
  if (!w->object) {
    htz_walk_check_board(w, shared);
  }
}
