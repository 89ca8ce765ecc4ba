#include "walk_grid.h"

// What a key does in a file of the grid family: throw a mallet or a mass, kick a body, pluck a string, bow it.

static const walk_range mass_range = {"mass", "kg", 0.0, 1e3};
static const walk_range speed_range = {"speed", "m/s", 1e-4, 100.0};
static const walk_range pluck_range = {"height", "m", 1e-7, 0.05};
static const walk_range height_range = {"height", "m", 0.0, 0.1};
static const walk_range width_range = {"width", "", 0.005, 0.5};
static const walk_range time_range = {"time", "s", 2e-4, 0.1};
static const walk_range at_range = {"at", "", 0.0, 1.0};
static const walk_range touch_range = {"touch", "", 1e-4, 100.0};
static const walk_range stiffness_range = {"stiffness", "N/m^exponent", 1.0, 1e14};
static const walk_range exponent_range = {"exponent", "", 1.0, 5.0};
static const walk_range viscosity_range = {"viscosity", "s/m", 0.0, 100.0};

static const walk_range hysteresis_range = {"hysteresis", "", 0.0, 0.999};
static const walk_range relaxation_range = {"relaxation", "s", 1e-7, 1.0};

static const double middle = 0.5;
static const double hysteresis_default = 0.5; // as felt under modal bodies has them
static const double relaxation_default = 1e-4;
static const double hertz = 1.5;          // exponent of two round bodies
static const double width_default = 0.05; // of the length: a fingertip on a string of a metre
static const double time_default = 0.004; // from touch to release of a quick finger [s]
static const double mallet_default = 1e6; // stiffness where there is no mallet: not used [N/m^alpha]

/** What is not said of what strikes, so that every number is there. */
void htz_walk_grid_nothing(walk* w) {
  htz_spec_mallet* mallet = &w->spec->mallet;
  mallet->law = &htz_law_hunt_crossley;
  mallet->pool = 1;
  htz_walk_constant(w, 0.0, &mass_range, &mallet->mass);
  htz_walk_constant(w, middle, &at_range, &mallet->at);
  htz_walk_constant(w, 1.0, &touch_range, &mallet->touch);
  htz_walk_constant(w, mallet_default, &stiffness_range, &mallet->stiffness);
  htz_walk_constant(w, hertz, &exponent_range, &mallet->exponent);
  htz_walk_constant(w, 0.0, &viscosity_range, &mallet->viscosity);
  for (size_t i = 0; i < 2; ++i) {
    htz_walk_constant(w, 1.0, &speed_range, &mallet->speed[i]);
  }
}

/** One more of the things that a key does. */
static htz_spec_gesture* begin(walk* w, htz_excite kind) {
  htz_spec_grid* grid = w->spec->grid;
  htz_spec_gesture* gesture = &grid->gestures[kind];
  grid->gesture[grid->n_gestures++] = kind;
  gesture->body = grid->n_bodies;
  htz_walk_constant(w, middle, &at_range, &gesture->at);
  htz_walk_constant(w, width_default, &width_range, &gesture->width);
  htz_walk_constant(w, 0.0, &height_range, &gesture->height);
  htz_walk_constant(w, time_default, &time_range, &gesture->time);
  for (size_t i = 0; i < 2; ++i) {
    htz_walk_constant(w, 1.0, &speed_range, &gesture->speed[i]);
  }
  return gesture;
}

static void walk_where(walk* w, const tree_node* node, size_t body, htz_table* x, htz_table* y) {
  htz_table at[2] = {{0}, {0}};
  htz_walk_grid_place(w, node, body, at);
  *x = at[0].n ? at[0] : *x;
  *y = at[1].n ? at[1] : *y;
}

static bool walk_what(walk* w, const tree_node* node, const char* name, unsigned mask, htz_spec_gesture* gesture) {
  if (node) {
    gesture->body = htz_walk_grid_body_name(w, node, name);
    return htz_walk_grid_kind(w, node, name, gesture->body, mask);
  }
  return false;
}

static const unsigned lines = 1u << HTZ_GRID_STRING | 1u << HTZ_GRID_BAR;
static const unsigned surfaces = 1u << HTZ_GRID_PLATE | 1u << HTZ_GRID_MEMBRANE;
static const unsigned masses = 1u << HTZ_GRID_MASS;

/** A mallet's head; with law `stulov` of felt that relaxes. */
static void walk_head(walk* w, const tree_node* node) {
  enum { LAW = 0, STIFFNESS, EXPONENT, VISCOSITY, HYSTERESIS, RELAXATION, COUNT };
  static const walk_field fields[COUNT] = {{"law", false},       {"stiffness", true},   {"exponent", false},
                                           {"viscosity", false}, {"hysteresis", false}, {"relaxation", false}};
  static const char* const laws[] = {"hunt-crossley", "stulov"};
  const tree_node* values[COUNT];
  htz_spec_mallet* mallet = &w->spec->mallet;
  if (!htz_walk_map(w, node, "contact", COUNT, fields, values)) {
    return;
  }
  const bool foreign = w->foreign > 0 && !values[LAW];
  const bool felt = values[LAW] && htz_walk_word(w, values[LAW], "law", 2, laws) == 1;
  if (values[STIFFNESS]) {
    htz_walk_table(w, values[STIFFNESS], &stiffness_range, &mallet->stiffness);
  }
  if (values[EXPONENT]) {
    htz_walk_table(w, values[EXPONENT], &exponent_range, &mallet->exponent);
  }
  if (values[VISCOSITY]) {
    htz_walk_table(w, values[VISCOSITY], &viscosity_range, &mallet->viscosity);
  }
  if (felt && values[VISCOSITY]) {
    htz_walk_fault(w, values[VISCOSITY], "viscosity: the law stulov has none");
  }
  mallet->law = felt ? &htz_law_stulov : &htz_law_hunt_crossley;
  for (size_t i = HYSTERESIS; i <= RELAXATION; ++i) {
    const walk_range* range = i == HYSTERESIS ? &hysteresis_range : &relaxation_range;
    htz_table* table = i == HYSTERESIS ? &mallet->hysteresis : &mallet->relaxation;
    if (felt) {
      htz_walk_table_or(w, values[i], i == HYSTERESIS ? hysteresis_default : relaxation_default, range, table);
    } else if (values[i] && !foreign) {
      htz_walk_fault(w, values[i], "%s: the law hunt-crossley has none", range->name);
    }
  }
}

void htz_walk_grid_mallet(walk* w, const tree_node* node) {
  enum { STRIKES = 0, MASS, SPEED, PLACE, CONTACT, TOUCH, POOL, KINDS, GRAVITY, DRIVE, ROLL, COUNT };
  static const walk_field fields[COUNT] = {{"strikes", true},  {"mass", true},   {"speed", true}, {"at", false},
                                           {"contact", true},  {"touch", false}, {"pool", false}, {"kinds", false},
                                           {"gravity", false}, {"drive", false}, {"roll", false}};
  static const walk_range weight_range = {"mass", "kg", 1e-6, 100.0};
  const tree_node* values[COUNT];
  htz_spec_mallet* mallet = &w->spec->mallet;
  htz_spec_gesture* gesture = begin(w, HTZ_EXCITE_MALLET);
  if (!htz_walk_map(w, node, "mallet", COUNT, fields, values)) {
    return;
  }
  walk_what(w, values[STRIKES], "strikes", lines | surfaces | masses | 1u << HTZ_GRID_MODES, gesture);
  if (values[MASS]) {
    htz_walk_table(w, values[MASS], &weight_range, &mallet->mass);
  }
  if (values[SPEED]) {
    htz_walk_touch_range(w, values[SPEED], &speed_range, mallet->speed);
  }
  if (values[PLACE]) {
    walk_where(w, values[PLACE], gesture->body, &mallet->at, &mallet->at_y);
  }
  if (values[CONTACT]) {
    walk_head(w, values[CONTACT]);
  }
  if (values[TOUCH]) {
    htz_walk_table(w, values[TOUCH], &touch_range, &mallet->touch);
  }
  if (values[GRAVITY]) {
    htz_walk_mallet_gravity(w, values[GRAVITY]);
  }
  if (values[DRIVE]) {
    htz_walk_mallet_drive(w, values[DRIVE]);
  }
  if (values[ROLL]) {
    htz_walk_mallet_roll(w, values[ROLL]);
    if (!mallet->falls) {
      htz_walk_fault(w, values[ROLL], "roll: nothing presses the ball on; give the mallet a gravity, such as 9.81");
    }
  }
  if (values[POOL]) {
    htz_walk_mallet_pool(w, values[POOL]);
  }
  if (values[KINDS]) {
    htz_walk_mallet_kinds(w, values[KINDS]);
  }
}

void htz_walk_grid_throw(walk* w, const tree_node* node) {
  enum { BODY = 0, SPEED, HEIGHT, COUNT };
  static const walk_field fields[COUNT] = {{"body", true}, {"speed", true}, {"height", false}};
  const tree_node* values[COUNT];
  htz_spec_gesture* gesture = begin(w, HTZ_EXCITE_THROW);
  if (!htz_walk_map(w, node, "throw", COUNT, fields, values)) {
    return;
  }
  walk_what(w, values[BODY], "body", masses, gesture);
  if (values[SPEED]) {
    htz_walk_touch_range(w, values[SPEED], &speed_range, gesture->speed);
  }
  if (values[HEIGHT]) {
    htz_walk_table(w, values[HEIGHT], &height_range, &gesture->height);
  }
}

void htz_walk_grid_kick(walk* w, const tree_node* node) {
  enum { BODY = 0, SPEED, PLACE, WIDTH, COUNT };
  static const walk_field fields[COUNT] = {{"body", true}, {"speed", true}, {"at", false}, {"width", false}};
  const tree_node* values[COUNT];
  htz_spec_gesture* gesture = begin(w, HTZ_EXCITE_KICK);
  if (!htz_walk_map(w, node, "kick", COUNT, fields, values)) {
    return;
  }
  walk_what(w, values[BODY], "body", lines | surfaces | masses, gesture);
  if (values[SPEED]) {
    htz_walk_touch_range(w, values[SPEED], &speed_range, gesture->speed);
  }
  if (values[PLACE]) {
    walk_where(w, values[PLACE], gesture->body, &gesture->at, &gesture->at_y);
  }
  if (values[WIDTH]) {
    htz_walk_table(w, values[WIDTH], &width_range, &gesture->width);
  }
}

void htz_walk_grid_pluck(walk* w, const tree_node* node) {
  enum { STRING = 0, HEIGHT, PLACE, TIME, COUNT };
  static const walk_field fields[COUNT] = {{"string", true}, {"height", true}, {"at", true}, {"time", false}};
  const tree_node* values[COUNT];
  htz_spec_gesture* gesture = begin(w, HTZ_EXCITE_PLUCK);
  if (!htz_walk_map(w, node, "pluck", COUNT, fields, values)) {
    return;
  }
  walk_what(w, values[STRING], "string", lines, gesture);
  if (values[HEIGHT]) {
    htz_walk_touch_range(w, values[HEIGHT], &pluck_range, gesture->speed);
  }
  if (values[PLACE]) {
    walk_where(w, values[PLACE], gesture->body, &gesture->at, &gesture->at_y);
  }
  if (values[TIME]) {
    htz_walk_table(w, values[TIME], &time_range, &gesture->time);
  }
}

void htz_walk_grid_bow(walk* w, const tree_node* node) {
  const tree_node* plays;
  htz_spec_gesture* gesture = begin(w, HTZ_EXCITE_BOW);
  if (node->type == TREE_LIST) {
    htz_walk_fault(w, node, "bow: on grids a key has one; beside contacts, one friction at a time is solved in a step");
    return;
  }
  htz_walk_bow_values(w, node, &plays);
  walk_what(w, plays, "plays", 1u << HTZ_GRID_STRING, gesture);
  const tree_node* across = node->type == TREE_MAP ? htz_walk_value_of(node, "at_y") : NULL;
  if (across) {
    htz_walk_fault(w, across, "at_y: a string has places along its length only");
  }
}
