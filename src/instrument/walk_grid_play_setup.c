#include "walk_grid.h"

// What a key does in a file of the grid family: throw a mallet or a mass, kick a body, pluck a string, bow it.

static const double mallet_default = 1e6; // stiffness where there is no mallet: not used [N/m^alpha]

/** What is not said of what strikes, so that every number is there. */
void htz_walk_grid_nothing(walk* w) {
  htz_spec_mallet* mallet = &w->spec->mallet;
  const htz_range mass = {"mass", "kg", 0.0, 1.0}, stiffness = htz_walk_range_of(HTZ_ROW_GRID_HEAD_STIFFNESS);
  const htz_range speed = htz_walk_range_of(HTZ_ROW_MALLET_SPEED);
  mallet->law = &htz_law_hunt_crossley;
  mallet->pool = 1;
  htz_walk_constant(w, 0.0, &mass, &mallet->mass);
  htz_walk_row_default(w, HTZ_ROW_MALLET_AT, &mallet->at);
  htz_walk_row_default(w, HTZ_ROW_MALLET_TOUCH, &mallet->touch);
  htz_walk_constant(w, mallet_default, &stiffness, &mallet->stiffness);
  htz_walk_row_default(w, HTZ_ROW_GRID_HEAD_EXPONENT, &mallet->exponent);
  htz_walk_row_default(w, HTZ_ROW_GRID_HEAD_VISCOSITY, &mallet->viscosity);
  for (size_t i = 0; i < 2; ++i) {
    htz_walk_constant(w, 1.0, &speed, &mallet->speed[i]);
  }
}

/** One more of the things that a key does. */
static htz_spec_gesture* begin(walk* w, htz_excite kind) {
  htz_spec_grid* grid = w->spec->grid;
  htz_spec_gesture* gesture = &grid->gestures[kind];
  const htz_range speed = htz_walk_range_of(HTZ_ROW_MALLET_SPEED);
  grid->gesture[grid->n_gestures++] = kind;
  gesture->body = grid->n_bodies;
  htz_walk_row_default(w, HTZ_ROW_KICK_AT, &gesture->at);
  htz_walk_row_default(w, HTZ_ROW_KICK_WIDTH, &gesture->width);
  htz_walk_row_default(w, HTZ_ROW_THROW_HEIGHT, &gesture->height);
  htz_walk_row_default(w, HTZ_ROW_PLUCK_TIME, &gesture->time);
  for (size_t i = 0; i < 2; ++i) {
    htz_walk_constant(w, 1.0, &speed, &gesture->speed[i]);
  }
  return gesture;
}

static void walk_where(walk* w, const tree_node* node, size_t body, htz_table* x, htz_table* y) {
  htz_table at[2] = {{0}, {0}};
  if (!node) {
    return;
  }
  htz_walk_grid_place(w, node, body, at);
  *x = at[0].n ? at[0] : *x;
  *y = at[1].n ? at[1] : *y;
}

static void walk_what(walk* w, const walk_block* in, htz_row_id row, unsigned mask, htz_spec_gesture* gesture) {
  const tree_node* node = htz_walk_value(in, row);
  const char* name = htz_schema[row].range.name;
  if (node) {
    gesture->body = htz_walk_grid_body_name(w, node, name);
    htz_walk_grid_kind(w, node, name, gesture->body, mask);
  }
}

static const unsigned lines = 1u << HTZ_GRID_STRING | 1u << HTZ_GRID_BAR;
static const unsigned surfaces = 1u << HTZ_GRID_PLATE | 1u << HTZ_GRID_MEMBRANE;
static const unsigned masses = 1u << HTZ_GRID_MASS;

/** A mallet's head; with law `stulov` of felt that relaxes. */
static void walk_head(walk* w, const tree_node* node) {
  enum { FELT = 1 };
  walk_block in;
  htz_spec_mallet* mallet = &w->spec->mallet;
  htz_table* const tables[] = {&mallet->stiffness, &mallet->exponent, &mallet->viscosity, &mallet->hysteresis,
                               &mallet->relaxation};
  if (!htz_walk_block(w, node, "contact", HTZ_BLOCK_GRID_HEAD, HTZ_ANY_CHOICE, &in)) {
    return;
  }
  const bool foreign = w->foreign > 0 && !htz_walk_value(&in, HTZ_ROW_GRID_HEAD_LAW);
  const size_t law = htz_walk_row_word(w, &in, HTZ_ROW_GRID_HEAD_LAW);
  if (law == HTZ_NO_WORD) {
    return; // which numbers it has is not known
  }
  mallet->law = law == FELT ? &htz_law_stulov : &htz_law_hunt_crossley;
  for (size_t i = HTZ_ROW_GRID_HEAD_STIFFNESS; i <= HTZ_ROW_GRID_HEAD_RELAXATION; ++i) {
    const tree_node* value = htz_walk_value(&in, (htz_row_id)i);
    if (htz_row_in(&htz_schema[i], HTZ_IN_ANY, law)) {
      htz_walk_row_table(w, &in, (htz_row_id)i, tables[i - HTZ_ROW_GRID_HEAD_STIFFNESS]);
    } else if (value && !foreign) {
      htz_walk_fault(w, value, "%s: the law %s has none", htz_schema[i].range.name, mallet->law->name);
    }
  }
}

void htz_walk_grid_mallet(walk* w, const tree_node* node) {
  walk_block in;
  htz_spec_mallet* mallet = &w->spec->mallet;
  htz_spec_gesture* gesture = begin(w, HTZ_EXCITE_MALLET);
  if (!htz_walk_block(w, node, "mallet", HTZ_BLOCK_MALLET, HTZ_ANY_CHOICE, &in)) {
    return;
  }
  const tree_node *contact = htz_walk_value(&in, HTZ_ROW_MALLET_GRID_CONTACT), *roll = htz_walk_value(&in, HTZ_ROW_MALLET_ROLL);
  walk_what(w, &in, HTZ_ROW_MALLET_STRIKES, lines | surfaces | masses | 1u << HTZ_GRID_MODES, gesture);
  walk_where(w, htz_walk_value(&in, HTZ_ROW_MALLET_AT), gesture->body, &mallet->at, &mallet->at_y);
  if (contact) {
    walk_head(w, contact);
  }
  htz_walk_mallet_common(w, &in);
  if (roll && !mallet->falls) {
    htz_walk_fault(w, roll, "roll: nothing presses the ball on; give the mallet a gravity, such as 9.81");
  }
  htz_walk_row_whole(w, &in, HTZ_ROW_MALLET_POOL, &mallet->pool);
  htz_walk_mallet_kinds(w, &in);
}

void htz_walk_grid_throw(walk* w, const tree_node* node) {
  walk_block in;
  htz_spec_gesture* gesture = begin(w, HTZ_EXCITE_THROW);
  if (!htz_walk_block(w, node, "throw", HTZ_BLOCK_THROW, HTZ_ANY_CHOICE, &in)) {
    return;
  }
  walk_what(w, &in, HTZ_ROW_THROW_BODY, masses, gesture);
  htz_walk_row_rising(w, &in, HTZ_ROW_THROW_SPEED, gesture->speed);
  htz_walk_row_table(w, &in, HTZ_ROW_THROW_HEIGHT, &gesture->height);
}

void htz_walk_grid_kick(walk* w, const tree_node* node) {
  walk_block in;
  htz_spec_gesture* gesture = begin(w, HTZ_EXCITE_KICK);
  if (!htz_walk_block(w, node, "kick", HTZ_BLOCK_KICK, HTZ_ANY_CHOICE, &in)) {
    return;
  }
  walk_what(w, &in, HTZ_ROW_KICK_BODY, lines | surfaces | masses, gesture);
  htz_walk_row_rising(w, &in, HTZ_ROW_KICK_SPEED, gesture->speed);
  walk_where(w, htz_walk_value(&in, HTZ_ROW_KICK_AT), gesture->body, &gesture->at, &gesture->at_y);
  htz_walk_row_table(w, &in, HTZ_ROW_KICK_WIDTH, &gesture->width);
}

void htz_walk_grid_pluck(walk* w, const tree_node* node) {
  walk_block in;
  htz_spec_gesture* gesture = begin(w, HTZ_EXCITE_PLUCK);
  if (!htz_walk_block(w, node, "pluck", HTZ_BLOCK_PLUCK, HTZ_ANY_CHOICE, &in)) {
    return;
  }
  walk_what(w, &in, HTZ_ROW_PLUCK_STRING, lines, gesture);
  htz_walk_row_rising(w, &in, HTZ_ROW_PLUCK_HEIGHT, gesture->speed);
  walk_where(w, htz_walk_value(&in, HTZ_ROW_PLUCK_AT), gesture->body, &gesture->at, &gesture->at_y);
  htz_walk_row_table(w, &in, HTZ_ROW_PLUCK_TIME, &gesture->time);
}

static void walk_one_bow(walk* w, const tree_node* node, htz_spec_gesture* gesture) {
  const tree_node* plays;
  const size_t number = w->spec->n_bows;
  size_t body = w->spec->grid->n_bodies;
  htz_walk_bow_values(w, node, &plays);
  if (plays) {
    body = htz_walk_grid_body_name(w, plays, "plays");
    htz_walk_grid_kind(w, plays, "plays", body, 1u << HTZ_GRID_STRING);
  }
  w->spec->bows[number].body = body;
  gesture->body = number == 0 ? body : gesture->body;
  const tree_node* across = node->type == TREE_MAP ? htz_walk_value_of(node, "at_y") : NULL;
  if (across) {
    htz_walk_fault(w, across, "at_y: a string has places along its length only");
  }
}

void htz_walk_grid_bow(walk* w, const tree_node* node) {
  htz_spec_gesture* gesture = begin(w, HTZ_EXCITE_BOW);
  if (node->type != TREE_LIST) {
    walk_one_bow(w, node, gesture);
  } else if (htz_walk_row_list(w, node, HTZ_ROW_FILE_BOW)) {
    for (const tree_node* item = node->first; item; item = item->next) {
      walk_one_bow(w, item, gesture);
    }
  }
}
