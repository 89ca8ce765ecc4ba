#include "walk.h"

#include <string.h>

// What drives the resonators, where one listens, and what stops the sound.

htz_quantity htz_walk_quantity(walk* w, const walk_block* in, htz_row_id row) {
  const size_t index = htz_walk_row_word(w, in, row);
  return index == HTZ_NO_WORD ? HTZ_HEAR_VELOCITY : (htz_quantity)index;
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
  walk_block in;
  if (!htz_walk_block(w, node, "feed", HTZ_BLOCK_FEED, HTZ_ANY_CHOICE, &in)) {
    return;
  }
  const tree_node *from = htz_walk_value(&in, HTZ_ROW_FEED_FROM), *to = htz_walk_value(&in, HTZ_ROW_FEED_TO);
  htz_spec_feed* feed = &w->spec->feeds[w->spec->n_feeds++];
  feed->from = from ? htz_walk_body_name(w, from, "from") : w->spec->n_bodies;
  feed->to = to ? htz_walk_body_name(w, to, "to") : w->spec->n_bodies;
  feed->quantity = htz_walk_quantity(w, &in, HTZ_ROW_FEED_QUANTITY);
  htz_walk_check_force(w, htz_walk_value(&in, HTZ_ROW_FEED_QUANTITY), feed->quantity, htz_walk_body_at(w, feed->from));
  htz_walk_row_table(w, &in, HTZ_ROW_FEED_AT, &feed->at);
  htz_walk_row_table(w, &in, HTZ_ROW_FEED_INTO, &feed->into);
  htz_walk_row_table(w, &in, HTZ_ROW_FEED_GAIN, &feed->gain);
  if (feed->to < w->spec->n_bodies && feed->to == feed->from) {
    htz_walk_fault(w, to, "to: a body cannot feed itself");
  }
}

void htz_walk_feeds(walk* w, const tree_node* node) {
  if (htz_walk_row_list(w, node, HTZ_ROW_FILE_FEEDS)) {
    for (const tree_node* item = node->first; item; item = item->next) {
      walk_feed(w, item);
    }
  }
}

/** @return false when it is not known what it is */
static bool walk_pan(walk* w, const walk_block* in, htz_spec_pickup* pickup) {
  const size_t faults = w->diags->n;
  const tree_node* node = htz_walk_value(in, HTZ_ROW_PICKUP_PAN);
  size_t word;
  if (node && htz_walk_instead(node, HTZ_ROW_PICKUP_PAN, &word)) {
    pickup->by_key = true;
  } else if (node && htz_walk_bare_word(node)) {
    htz_walk_fault(w, node, "pan: unknown \"%.20s\". Allowed: a number from -1 (left) to 1 (right), or `keys`", node->text);
  } else {
    htz_walk_row_number(w, in, HTZ_ROW_PICKUP_PAN, &pickup->pan);
  }
  return w->diags->n == faults;
}

void htz_walk_placed(walk* w, const walk_block* in, bool foreign, htz_spec_pickup* pickup) {
  const tree_node* spread = htz_walk_value(in, HTZ_ROW_PICKUP_SPREAD);
  const bool known = walk_pan(w, in, pickup) && (htz_walk_value(in, HTZ_ROW_PICKUP_PAN) || !foreign);
  htz_walk_row_number(w, in, HTZ_ROW_PICKUP_SPREAD, &pickup->spread);
  if (spread && known && !pickup->by_key) {
    htz_walk_fault(w, spread, "spread: goes with `pan: keys`");
  }
}

static void walk_magnet(walk* w, const walk_block* pickup_block, htz_spec_pickup* pickup) {
  walk_block in;
  const tree_node* node = htz_walk_value(pickup_block, HTZ_ROW_PICKUP_MAGNET);
  if (!node || !htz_walk_block(w, node, "magnet", HTZ_BLOCK_MAGNET, HTZ_ANY_CHOICE, &in)) {
    return;
  }
  htz_walk_row_table(w, &in, HTZ_ROW_MAGNET_DISTANCE, &pickup->magnet[0]);
  htz_walk_row_table(w, &in, HTZ_ROW_MAGNET_OFFSET, &pickup->magnet[1]);
  if (pickup->quantity != HTZ_HEAR_VELOCITY) {
    htz_walk_fault(w, node,
                   "magnet: a coil hears how fast the field changes; it goes with `quantity: velocity`, and with no ear");
  }
}

static void walk_pickup(walk* w, const tree_node* node, size_t number) {
  walk_block in;
  if (!htz_walk_block(w, node, "pickup", HTZ_BLOCK_PICKUP, HTZ_ANY_CHOICE, &in)) {
    return;
  }
  if (w->spec->n_pickups == HTZ_ISLAND_PICKUPS_MAX) {
    htz_walk_fault(w, node, "pickups: at most %d of a key's own bodies", (int)HTZ_ISLAND_PICKUPS_MAX);
    return;
  }
  const bool foreign = w->foreign > 0;
  const tree_node* of = htz_walk_value(&in, HTZ_ROW_PICKUP_OF);
  const tree_node* at_y = htz_walk_value(&in, HTZ_ROW_PICKUP_AT_Y);
  const tree_node* ear = htz_walk_value(&in, HTZ_ROW_PICKUP_EAR);
  htz_spec_pickup* pickup = &w->spec->pickups[w->spec->n_pickups++];
  pickup->item = number;
  pickup->of = of ? htz_walk_any_body_name(w, of, "of") : w->spec->n_bodies;
  pickup->quantity = ear ? HTZ_HEAR_PRESSURE : htz_walk_quantity(w, &in, HTZ_ROW_PICKUP_QUANTITY);
  const htz_spec_body* body = htz_walk_body_at(w, pickup->of);
  if (ear) {
    const tree_node *pan = htz_walk_value(&in, HTZ_ROW_PICKUP_PAN), *spread = htz_walk_value(&in, HTZ_ROW_PICKUP_SPREAD);
    htz_walk_ear(w, &in, HTZ_ROW_PICKUP_EAR, HTZ_ROW_PICKUP_QUANTITY, pan ? pan : spread, body, pickup->ear);
  }
  htz_walk_check_force(w, htz_walk_value(&in, HTZ_ROW_PICKUP_QUANTITY), pickup->quantity, body);
  htz_walk_row_default(w, HTZ_ROW_PICKUP_AT, &pickup->at);
  if (pickup->of < w->spec->n_bodies && !ear) { // of what is not known, places cannot be checked
    htz_walk_row_table(w, &in, HTZ_ROW_PICKUP_AT, &pickup->at);
    htz_walk_row_table(w, &in, HTZ_ROW_PICKUP_AT_Y, &pickup->at_y);
    htz_walk_check_surface(w, at_y, body);
  }
  htz_walk_row_table(w, &in, HTZ_ROW_PICKUP_GAIN, &pickup->gain);
  walk_magnet(w, &in, pickup);
  if (!htz_walk_both_ears(&in, HTZ_ROW_PICKUP_EAR)) {
    htz_walk_placed(w, &in, foreign, pickup);
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
  if (htz_walk_row_list(w, node, HTZ_ROW_FILE_PICKUPS)) {
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
  walk_block in;
  w->spec->damper_keys[0] = 0;
  w->spec->damper_keys[1] = HTZ_KEYS - 1;
  if (!htz_walk_block(w, node, "damper", HTZ_BLOCK_DAMPER, HTZ_ANY_CHOICE, &in)) {
    return;
  }
  const tree_node* keys = htz_walk_value(&in, HTZ_ROW_DAMPER_KEYS);
  htz_walk_row_table(w, &in, HTZ_ROW_DAMPER_LOSS, &w->spec->damper);
  if (keys) {
    htz_walk_key_range(w, keys, "keys", &w->spec->damper_keys[0], &w->spec->damper_keys[1]);
  }
}
