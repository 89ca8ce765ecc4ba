#include "walk.h"

#include <string.h>

// The body all keys share, what drives it and where it is heard.

/** True when a body of this name is there already; that is told. */
static bool is_taken(walk* w, const tree_node* key) {
  const htz_spec* spec = w->spec;
  for (size_t b = 0; b < spec->n_bodies; ++b) {
    if (strcmp(spec->bodies[b].name, key->text) == 0) {
      htz_walk_fault(w, key, "shared: \"%s\" is the name of a body in per_key already", key->text);
      return true;
    }
  }
  for (size_t b = 0; b < spec->n_linked_shared; ++b) {
    if (strcmp(spec->linked_shared[b].body.name, key->text) == 0) {
      htz_walk_fault(w, key, "\"%s\" stands twice in shared", key->text);
      return true;
    }
  }
  return false;
}

/** A shared body: one that links name, or the one that drives drive. */
static void walk_one(walk* w, const tree_node* key) {
  htz_spec* spec = w->spec;
  if (!htz_walk_good_name(key)) {
    if (!key->broken) {
      htz_walk_fault(w, key, "shared: a body's name is made of 1 to %d letters, digits, - and _", (int)WALK_NAME_BYTES);
    }
    return;
  }
  if (is_taken(w, key)) {
    return;
  }
  const bool linked = htz_walk_links_name(w->top, key->text);
  if (!linked && spec->board.given) {
    htz_walk_fault(
        w, key,
        "shared: keys press on the one bridge of one body, `name: {body: KIND, ...}`; this is a second, and takes part where "
        "`links` name it");
    return;
  }
  htz_spec_board* board = linked ? &spec->linked_shared[spec->n_linked_shared] : &spec->board;
  board->body.name = htz_walk_text(w, key, "shared", WALK_NAME_BYTES);
  if (!board->body.name) {
    return;
  }
  board->given = true;
  spec->n_linked_shared += linked;
  w->shared = true;
  htz_walk_body(w, key->next, &board->body);
  w->shared = false;
}

void htz_walk_shared(walk* w, const tree_node* node) {
  if (node->type != TREE_MAP || node->n == 0 || node->n > HTZ_SPEC_SHARED_MAX) {
    if (!node->broken) {
      htz_walk_fault(w, node, "shared: expected one body as `name: {body: KIND, ...}`, or up to %d that keys are linked to",
                     (int)HTZ_SPEC_SHARED_MAX);
    }
    return;
  }
  w->spec->linked_shared = htz_walk_alloc(w, node->n + 1, sizeof *w->spec->linked_shared);
  if (!w->spec->linked_shared) {
    return;
  }
  for (const tree_node* key = node->first; key; key = key->next->next) {
    walk_one(w, key);
  }
}

static bool same_along(const walk* w, const htz_spec_drive* a, const htz_spec_drive* b) {
  bool same = a->by_key == b->by_key;
  for (int key = w->spec->key_low; same && !a->by_key && key <= w->spec->key_high; ++key) {
    same = htz_table_at(&a->along, key) == htz_table_at(&b->along, key);
  }
  return same;
}

void htz_walk_drive_along(walk* w, const walk_block* in, const tree_node* item, htz_spec_drive* drive) {
  const size_t faults = w->diags->n;
  const tree_node* node = htz_walk_value(in, HTZ_ROW_DRIVE_ALONG);
  size_t word;
  if (!node || htz_walk_instead(node, HTZ_ROW_DRIVE_ALONG, &word)) {
    drive->by_key = true;
  } else if (htz_walk_bare_word(node)) {
    htz_walk_fault(w, node, "along: unknown \"%.20s\". Allowed: a number or table from 0 to 1, or `keys`", node->text);
  } else {
    htz_walk_row_table(w, in, HTZ_ROW_DRIVE_ALONG, &drive->along);
  }
  // A key has one line to the shared body.
  if (w->diags->n == faults && !same_along(w, &w->spec->board.drives[0], drive)) {
    htz_walk_fault(w, node ? node : item,
                   "along: all drives of a key meet the shared body at one place, that of the first drive");
  }
}

void htz_walk_drive_to(walk* w, const tree_node* node) {
  const htz_spec_board* board = &w->spec->board;
  if (board->given) {
    const char* name = board->body.name;
    htz_walk_reference(w, node, "to", 1, &name);
  } else if (!w->unsure_shared) {
    htz_walk_tell_name(w, node);
    htz_walk_fault(w, node, "to: there is no shared body to drive; a key's own bodies are driven by feeds");
  }
}

static void walk_drive(walk* w, const tree_node* node) {
  walk_block in;
  const size_t faults = w->diags->n;
  if (!htz_walk_block(w, node, "drive", HTZ_BLOCK_DRIVE, HTZ_ANY_CHOICE, &in)) {
    return;
  }
  const bool understood = w->diags->n == faults; // else what seems left out may be misspelt
  const tree_node *from = htz_walk_value(&in, HTZ_ROW_DRIVE_FROM), *to = htz_walk_value(&in, HTZ_ROW_DRIVE_TO);
  const tree_node* quantity = htz_walk_value(&in, HTZ_ROW_DRIVE_QUANTITY);
  htz_spec_board* board = &w->spec->board;
  htz_spec_drive* drive = &board->drives[board->n_drives++];
  drive->from = from ? htz_walk_body_name(w, from, "from") : w->spec->n_bodies;
  if (to) {
    htz_walk_drive_to(w, to);
  }
  drive->quantity = htz_walk_quantity(w, &in, HTZ_ROW_DRIVE_QUANTITY);
  if (quantity || understood) {
    htz_walk_check_force(w, quantity ? quantity : node, drive->quantity, htz_walk_body_at(w, drive->from));
  }
  htz_walk_row_table(w, &in, HTZ_ROW_DRIVE_AT, &drive->at);
  htz_walk_drive_along(w, &in, node, drive);
  htz_walk_row_table(w, &in, HTZ_ROW_DRIVE_GAIN, &drive->gain);
}

void htz_walk_drives(walk* w, const tree_node* node) {
  if (htz_walk_row_list(w, node, HTZ_ROW_FILE_DRIVES)) {
    for (const tree_node* item = node->first; item; item = item->next) {
      walk_drive(w, item);
    }
  }
}

void htz_walk_board_pickup(walk* w, const tree_node* node, size_t number, htz_spec_board* board) {
  walk_block in;
  if (!htz_walk_block(w, node, "pickup", HTZ_BLOCK_BOARD_PICKUP, HTZ_ANY_CHOICE, &in)) {
    return;
  }
  if (board->n_pickups == HTZ_SPEC_BOARD_PICKUPS_MAX) {
    htz_walk_fault(w, node, "pickups: at most %d of a shared body", (int)HTZ_SPEC_BOARD_PICKUPS_MAX);
    return;
  }
  const tree_node* at = htz_walk_value(&in, HTZ_ROW_BOARD_PICKUP_AT);
  const tree_node* ear = htz_walk_value(&in, HTZ_ROW_BOARD_PICKUP_EAR);
  const htz_range at_range = htz_walk_range_of(HTZ_ROW_BOARD_PICKUP_AT);
  htz_spec_board_pickup* pickup = &board->pickups[board->n_pickups++];
  if (!at && !ear && w->foreign == 0) {
    htz_walk_fault(w, node, "pickup: missing key \"at\"");
  }
  pickup->item = number;
  pickup->quantity = ear ? HTZ_HEAR_PRESSURE : htz_walk_quantity(w, &in, HTZ_ROW_BOARD_PICKUP_QUANTITY);
  if (ear && board != &w->spec->board) {
    htz_walk_fault(w, ear, "ear: \"%s\" is a body that keys are linked to; it is heard at places of its own: say `at`",
                   board->body.name);
  } else if (ear) {
    w->shared = true;
    htz_walk_ear(w, &in, HTZ_ROW_BOARD_PICKUP_EAR, HTZ_ROW_BOARD_PICKUP_QUANTITY, htz_walk_value(&in, HTZ_ROW_BOARD_PICKUP_PAN),
                 &board->body, pickup->ear);
    w->shared = false;
  }
  htz_walk_check_force(w, htz_walk_value(&in, HTZ_ROW_BOARD_PICKUP_QUANTITY), pickup->quantity, &board->body);
  if (at && !ear && htz_walk_row_list(w, at, HTZ_ROW_BOARD_PICKUP_AT)) {
    htz_walk_number(w, at->first, &at_range, &pickup->at[0]);
    htz_walk_number(w, at->first->next, &at_range, &pickup->at[1]);
  }
  htz_walk_row_number(w, &in, HTZ_ROW_BOARD_PICKUP_GAIN, &pickup->gain);
  if (!htz_walk_both_ears(&in, HTZ_ROW_BOARD_PICKUP_EAR)) {
    htz_walk_row_number(w, &in, HTZ_ROW_BOARD_PICKUP_PAN, &pickup->pan);
    return;
  }
  if (board->n_pickups == HTZ_SPEC_BOARD_PICKUPS_MAX) {
    htz_walk_fault(w, node, "pickups: at most %d of a shared body; both ears are two", (int)HTZ_SPEC_BOARD_PICKUPS_MAX);
    return;
  }
  pickup->moves = true;
  pickup->pan = -1.0;
  htz_spec_board_pickup* right = &board->pickups[board->n_pickups++];
  *right = *pickup;
  right->pan = 1.0;
  htz_walk_one_of_ears(w->spec, 1, right->ear);
}
