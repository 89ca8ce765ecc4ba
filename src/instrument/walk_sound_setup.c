#include "walk.h"

#include <string.h>

// What drives the resonators, where one listens, and what stops the sound.

static const walk_range at_range = {"at", "", 0.0, 1.0};
static const walk_range at_y_range = {"at_y", "", 0.0, 1.0};
static const walk_range into_range = {"into", "", 0.0, 1.0};
static const walk_range drive_range = {"gain", "N per m, m/s, m/s^2 or N", -1e9, 1e9};
static const walk_range output_range = {"gain", "per m, m/s, m/s^2 or N", -1e9, 1e9};
static const walk_range pan_range = {"pan", "", -1.0, 1.0};
static const walk_range spread_range = {"spread", "", 0.0, 1.0};
static const walk_range loss_range = {"loss", "1/s", 0.0, 1e4};

static const double middle = 0.5;         // of a body: where feeds drive and one listens unless told
static const double spread_default = 0.7; // the outermost keys are not at the very edge

static const char* const quantities[] = {"displacement", "velocity", "acceleration", "force"};
enum { QUANTITIES = sizeof quantities / sizeof quantities[0] };

_Static_assert(HTZ_HEAR_DISPLACEMENT == 0 && HTZ_HEAR_VELOCITY == 1 && HTZ_HEAR_ACCELERATION == 2 && HTZ_HEAR_FORCE == 3,
               "order of the words above");

htz_quantity htz_walk_quantity(walk* w, const tree_node* node) {
  if (!node) {
    return HTZ_HEAR_VELOCITY;
  }
  const size_t index = htz_walk_word(w, node, "quantity", QUANTITIES, quantities);
  return index < QUANTITIES ? (htz_quantity)index : HTZ_HEAR_VELOCITY;
}

const htz_spec_body* htz_walk_body_at(const walk* w, size_t index) {
  return index < w->spec->n_bodies ? &w->spec->bodies[index] : NULL;
}

void htz_walk_check_force(walk* w, const tree_node* node, htz_quantity quantity, const htz_spec_body* body) {
  // A body that could not be made has been reported.
  if (quantity == HTZ_HEAR_FORCE && body && body->most_modes > 0 && !body->has_end_force) {
    htz_walk_fault(w, node, "quantity: \"%s\" presses on no support; a force is heard of strings only", body->name);
  }
}

void htz_walk_check_surface(walk* w, const tree_node* node, const htz_spec_body* body) {
  if (node && body && body->most_modes > 0 && !body->surface) {
    htz_walk_fault(w, node, "at_y: \"%s\" is no surface; it has places along its length only", body->name);
  }
}

static void walk_feed(walk* w, const tree_node* node) {
  enum { FROM = 0, TO, QUANTITY, AT, INTO, GAIN, COUNT };
  static const walk_field fields[COUNT] = {{"from", true}, {"to", true},    {"quantity", false},
                                           {"at", false},  {"into", false}, {"gain", true}};
  const tree_node* values[COUNT];
  if (!htz_walk_map(w, node, "feed", COUNT, fields, values)) {
    return;
  }
  htz_spec_feed* feed = &w->spec->feeds[w->spec->n_feeds++];
  feed->from = values[FROM] ? htz_walk_body_name(w, values[FROM], "from") : w->spec->n_bodies;
  feed->to = values[TO] ? htz_walk_body_name(w, values[TO], "to") : w->spec->n_bodies;
  feed->quantity = htz_walk_quantity(w, values[QUANTITY]);
  htz_walk_check_force(w, values[QUANTITY], feed->quantity, htz_walk_body_at(w, feed->from));
  htz_walk_table_or(w, values[AT], middle, &at_range, &feed->at);
  htz_walk_table_or(w, values[INTO], middle, &into_range, &feed->into);
  if (values[GAIN]) {
    htz_walk_table(w, values[GAIN], &drive_range, &feed->gain);
  }
  if (feed->to < w->spec->n_bodies && feed->to == feed->from) {
    htz_walk_fault(w, values[TO], "to: a body cannot feed itself");
  }
}

void htz_walk_feeds(walk* w, const tree_node* node) {
  if (htz_walk_list(w, node, "feeds", 0, HTZ_ISLAND_FEEDS_MAX)) {
    for (const tree_node* item = node->first; item; item = item->next) {
      walk_feed(w, item);
    }
  }
}

/** @return false when it is not known what it is */
static bool walk_pan(walk* w, const tree_node* node, htz_spec_pickup* pickup) {
  const size_t faults = w->diags->n;
  if (node->type == TREE_SCALAR && !node->quoted && strcmp(node->text, "keys") == 0) {
    pickup->by_key = true;
  } else if (node->type == TREE_SCALAR && node->length && strspn(node->text, "abcdefghijklmnopqrstuvwxyz") == node->length) {
    htz_walk_fault(w, node, "pan: unknown \"%.20s\". Allowed: a number from -1 (left) to 1 (right), or `keys`", node->text);
  } else {
    htz_walk_number(w, node, &pan_range, &pickup->pan);
  }
  return w->diags->n == faults;
}

void htz_walk_placed(walk* w, const tree_node* pan, const tree_node* spread, bool foreign, htz_spec_pickup* pickup) {
  const bool known = pan ? walk_pan(w, pan, pickup) : !foreign;
  pickup->spread = spread_default;
  if (spread) {
    htz_walk_number(w, spread, &spread_range, &pickup->spread);
    if (known && !pickup->by_key) {
      htz_walk_fault(w, spread, "spread: goes with `pan: keys`");
    }
  }
}

static void walk_pickup(walk* w, const tree_node* node, size_t number) {
  enum { OF = 0, QUANTITY, AT, AT_Y, EAR, GAIN, PAN, SPREAD, COUNT };
  static const walk_field fields[COUNT] = {{"of", true},   {"quantity", false}, {"at", false},  {"at_y", false},
                                           {"ear", false}, {"gain", false},     {"pan", false}, {"spread", false}};
  const tree_node* values[COUNT];
  if (!htz_walk_map(w, node, "pickup", COUNT, fields, values)) {
    return;
  }
  if (w->spec->n_pickups == HTZ_ISLAND_PICKUPS_MAX) {
    htz_walk_fault(w, node, "pickups: at most %d of a key's own bodies", (int)HTZ_ISLAND_PICKUPS_MAX);
    return;
  }
  const bool foreign = w->foreign > 0;
  htz_spec_pickup* pickup = &w->spec->pickups[w->spec->n_pickups++];
  pickup->item = number;
  pickup->of = values[OF] ? htz_walk_any_body_name(w, values[OF], "of") : w->spec->n_bodies;
  pickup->quantity = values[EAR] ? HTZ_HEAR_PRESSURE : htz_walk_quantity(w, values[QUANTITY]);
  if (values[EAR]) {
    htz_walk_ear(w, values[EAR], values + QUANTITY, EAR - QUANTITY, values[PAN] ? values[PAN] : values[SPREAD],
                 htz_walk_body_at(w, pickup->of), pickup->ear);
  }
  htz_walk_check_force(w, values[QUANTITY], pickup->quantity, htz_walk_body_at(w, pickup->of));
  const bool own = pickup->of < w->spec->n_bodies; // of what is not known, places cannot be checked
  htz_walk_table_or(w, own && !values[EAR] ? values[AT] : NULL, middle, &at_range, &pickup->at);
  if (values[AT_Y] && own && !values[EAR]) {
    htz_walk_table(w, values[AT_Y], &at_y_range, &pickup->at_y);
    htz_walk_check_surface(w, values[AT_Y], htz_walk_body_at(w, pickup->of));
  }
  htz_walk_table_or(w, values[GAIN], 1.0, &output_range, &pickup->gain);
  if (!htz_walk_both_ears(values[EAR])) {
    htz_walk_placed(w, values[PAN], values[SPREAD], foreign, pickup);
    return;
  }
  if (w->spec->n_pickups == HTZ_ISLAND_PICKUPS_MAX) {
    htz_walk_fault(w, node, "pickups: at most %d of a key's own bodies; both ears are two", (int)HTZ_ISLAND_PICKUPS_MAX);
    return;
  }
  pickup->moves = true;
  pickup->pan = -1.0;
  htz_spec_pickup* right = &w->spec->pickups[w->spec->n_pickups++];
  *right = *pickup;
  right->pan = 1.0;
  htz_walk_one_of_ears(w->spec, 1, right->ear);
}

/** The shared body that the pickup's `of` names, or NULL. */
static htz_spec_board* board_of(walk* w, const tree_node* node) {
  const tree_node* of = node->type == TREE_MAP ? htz_walk_value_of(node, "of") : NULL;
  htz_spec* spec = w->spec;
  if (!of || of->type != TREE_SCALAR) {
    return NULL;
  }
  if (spec->board.given && strcmp(of->text, spec->board.body.name) == 0) {
    return &spec->board;
  }
  for (size_t b = 0; b < spec->n_linked_shared; ++b) {
    if (strcmp(of->text, spec->linked_shared[b].body.name) == 0) {
      return &spec->linked_shared[b];
    }
  }
  return NULL;
}

void htz_walk_each_pickup(walk* w, const tree_node* node, walk_own_pickup* own) {
  if (htz_walk_list(w, node, "pickups", 1,
                    (size_t)HTZ_ISLAND_PICKUPS_MAX + (1 + w->spec->n_linked_shared) * HTZ_SPEC_BOARD_PICKUPS_MAX)) {
    size_t n = 0;
    for (const tree_node* item = node->first; item; item = item->next, ++n) {
      htz_spec_board* board = board_of(w, item);
      if (board && w->object) {
        htz_walk_fault(w, item, "pickups: \"%s\" belongs to all objects; it is heard by the pickups beside `objects`",
                       board->body.name);
      } else if (board) {
        htz_walk_board_pickup(w, item, n, board);
      } else {
        own(w, item, n);
      }
    }
  }
}

void htz_walk_pickups(walk* w, const tree_node* node) {
  htz_walk_each_pickup(w, node, walk_pickup);
}

void htz_walk_damper(walk* w, const tree_node* node) {
  enum { LOSS = 0, RANGE, COUNT };
  static const walk_field fields[COUNT] = {{"loss", true}, {"keys", false}};
  const tree_node* values[COUNT];
  w->spec->damper_keys[0] = 0;
  w->spec->damper_keys[1] = HTZ_KEYS - 1;
  if (!htz_walk_map(w, node, "damper", COUNT, fields, values)) {
    return;
  }
  if (values[LOSS]) {
    htz_walk_table(w, values[LOSS], &loss_range, &w->spec->damper);
  }
  if (values[RANGE]) {
    htz_walk_key_range(w, values[RANGE], "keys", &w->spec->damper_keys[0], &w->spec->damper_keys[1]);
  }
}
