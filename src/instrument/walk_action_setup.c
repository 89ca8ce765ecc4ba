#include "walk.h"

// What keys hit as they are pressed and let go.

static void walk_blow(walk* w, const tree_node* node) {
  walk_block in;
  htz_spec_action* action = &w->spec->action;
  htz_spec_blow* blow = &action->blows[action->n_blows++];
  blow->thrown.law = &htz_law_hunt_crossley;
  if (!htz_walk_block(w, node, "blow", HTZ_BLOCK_BLOW, HTZ_ANY_CHOICE, &in)) {
    return;
  }
  const tree_node* contact = htz_walk_value(&in, HTZ_ROW_BLOW_CONTACT);
  blow->release = htz_walk_row_word(w, &in, HTZ_ROW_BLOW_WHEN) == 1;
  htz_walk_row_table(w, &in, HTZ_ROW_BLOW_MASS, &blow->thrown.mass);
  htz_walk_row_rising(w, &in, HTZ_ROW_BLOW_SPEED, blow->thrown.speed);
  htz_walk_row_table(w, &in, HTZ_ROW_BLOW_GAP, &blow->gap);
  htz_walk_row_table(w, &in, HTZ_ROW_BLOW_AT, &blow->thrown.at);
  if (contact) {
    htz_walk_mallet_contact(w, contact, &blow->thrown);
  }
}

/** The one body, by a name of its own. */
static void walk_body(walk* w, const tree_node* node) {
  const tree_node* key = node->type == TREE_MAP ? node->first : NULL;
  if (!key || node->n != 1) {
    if (!node->broken) {
      htz_walk_fault(w, node, "body: expected one body as `name: {body: KIND, ...}`");
    }
    return;
  }
  if (!htz_walk_good_name(key)) {
    if (!key->broken) {
      htz_walk_fault(w, key, "body: a body's name is made of 1 to %d letters, digits, - and _", (int)WALK_NAME_BYTES);
    }
    return;
  }
  w->spec->action.body.name = htz_walk_text(w, key, "body", WALK_NAME_BYTES);
  w->shared = true;
  htz_walk_body(w, key->next, &w->spec->action.body);
  w->shared = false;
}

void htz_walk_action(walk* w, const tree_node* node) {
  walk_block in;
  htz_spec_action* action = &w->spec->action;
  if (!htz_walk_block(w, node, "action", HTZ_BLOCK_ACTION, HTZ_ANY_CHOICE, &in)) {
    return;
  }
  const tree_node *body = htz_walk_value(&in, HTZ_ROW_ACTION_BODY), *blows = htz_walk_value(&in, HTZ_ROW_ACTION_BLOWS);
  if (!w->spec->board.given && !w->unsure_shared) {
    htz_walk_fault(w, node, "action: it is heard by way of the shared body, and there is none");
  }
  if (body) {
    walk_body(w, body);
  }
  action->given = true;
  action->quantity = htz_walk_quantity(w, &in, HTZ_ROW_ACTION_QUANTITY);
  htz_walk_check_force(w, htz_walk_value(&in, HTZ_ROW_ACTION_QUANTITY), action->quantity, &action->body);
  htz_walk_row_number(w, &in, HTZ_ROW_ACTION_AT, &action->at);
  htz_walk_row_number(w, &in, HTZ_ROW_ACTION_ALONG, &action->along);
  htz_walk_row_number(w, &in, HTZ_ROW_ACTION_GAIN, &action->gain);
  if (blows && htz_walk_row_list(w, blows, HTZ_ROW_ACTION_BLOWS)) {
    action->blows = htz_walk_alloc(w, blows->n, sizeof *action->blows);
    for (const tree_node* item = blows->first; item && action->blows; item = item->next) {
      walk_blow(w, item);
    }
  }
}
