#include "walk.h"

/*
   Mallets that stay: balls that fall back, hammers on an arm driven by a signal, balls that roll. What a player may move is given to
   the parameter of that name, as its default.
*/

/** A number that is where a parameter starts. */
static void walk_start(walk* w, const walk_block* in, htz_row_id row) {
  htz_walk_row_number(w, in, row, &w->spec->params[htz_schema[row].starts]);
}

void htz_walk_mallet_gravity(walk* w, const walk_block* in) {
  w->spec->mallet.stay.given = true;
  w->spec->mallet.falls = true;
  walk_start(w, in, HTZ_ROW_MALLET_GRAVITY);
}

void htz_walk_mallet_drive(walk* w, const tree_node* node) {
  walk_block in;
  htz_spec_mallet* mallet = &w->spec->mallet;
  mallet->stay.given = true;
  mallet->driven = true;
  mallet->pool = 1; // one hammer a key, unless the file says otherwise
  if (!htz_walk_block(w, node, "drive", HTZ_BLOCK_HAMMER, HTZ_ANY_CHOICE, &in)) {
    return;
  }
  walk_start(w, &in, HTZ_ROW_HAMMER_GAIN);
  walk_start(w, &in, HTZ_ROW_HAMMER_REST);
  htz_walk_row_number(w, &in, HTZ_ROW_HAMMER_SPRING, &mallet->stay.spring_hz);
  htz_walk_row_number(w, &in, HTZ_ROW_HAMMER_DAMPING, &mallet->stay.damping);
}

static void check_travel(walk* w, const tree_node* node) {
  const htz_table* travel = w->spec->mallet.travel;
  for (int key = w->spec->key_low; w->keyed && travel[0].n && travel[1].n && key <= w->spec->key_high; ++key) {
    if (!(htz_table_at(&travel[0], key) <= htz_table_at(&travel[1], key))) {
      htz_walk_fault(w, node, "speed: the speed at velocity 1 must not be above the one at velocity 127 (key %d)", key);
      return;
    }
  }
}

void htz_walk_mallet_roll(walk* w, const tree_node* node) {
  walk_block in;
  htz_spec_mallet* mallet = &w->spec->mallet;
  mallet->stay.given = true;
  mallet->stay.rolls = true;
  mallet->stay.radius = 1.0;
  mallet->pool = 1;
  if (!htz_walk_block(w, node, "roll", HTZ_BLOCK_ROLL, HTZ_ANY_CHOICE, &in)) {
    return;
  }
  htz_walk_row_ends(w, &in, HTZ_ROW_ROLL_SPEED, mallet->travel);
  check_travel(w, htz_walk_value(&in, HTZ_ROW_ROLL_SPEED));
  walk_start(w, &in, HTZ_ROW_ROLL_ROUGHNESS);
  walk_start(w, &in, HTZ_ROW_ROLL_ASYMMETRY);
  htz_walk_row_number(w, &in, HTZ_ROW_ROLL_RADIUS, &mallet->stay.radius);
  htz_walk_row_number(w, &in, HTZ_ROW_ROLL_GRAIN, &mallet->stay.grain);
  htz_walk_row_number(w, &in, HTZ_ROW_ROLL_FRICTION, &mallet->stay.friction);
}

void htz_walk_check_stay(walk* w, const tree_node* node) {
  const htz_spec_mallet* mallet = &w->spec->mallet;
  if (mallet->stay.rolls && !mallet->falls && !mallet->driven) {
    htz_walk_fault(w, node, "roll: nothing presses the ball on; give the mallet a gravity, such as 9.81, or a drive's arm");
  }
}
