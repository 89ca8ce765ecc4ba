#include "walk_grid.h"

// What a key does in a file of the grid family: throw a mallet or a mass, kick a body, pluck a string.

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

static const double middle = 0.5;
static const double hertz = 1.5;          // exponent of two round bodies
static const double width_default = 0.05; // of the length: a fingertip on a string of a metre
static const double time_default = 0.004; // from touch to release of a quick finger [s]
static const double mallet_default = 1e6; // stiffness where there is no mallet: not used [N/m^alpha]

/** What is not said of what strikes, so that every number is there. */
static void walk_nothing(walk* w) {
  htz_spec_mallet* mallet = &w->spec->mallet;
  mallet->law = &htz_law_hunt_crossley;
  mallet->pool = 1;
  htz_walk_constant(w, 0.0, &mass_range, &mallet->mass);
  htz_walk_constant(w, middle, &at_range, &mallet->at);
  htz_walk_constant(w, 1.0, &touch_range, &mallet->touch);
  htz_walk_constant(w, mallet_default, &stiffness_range, &mallet->stiffness);
  htz_walk_constant(w, hertz, &exponent_range, &mallet->exponent);
  htz_walk_constant(w, 0.0, &viscosity_range, &mallet->viscosity);
  htz_walk_constant(w, width_default, &width_range, &w->spec->grid->width);
  htz_walk_constant(w, 0.0, &height_range, &w->spec->grid->height);
  htz_walk_constant(w, time_default, &time_range, &w->spec->grid->time);
}

static void walk_where(walk* w, const tree_node* node) {
  htz_table at[2] = {{0}, {0}};
  htz_walk_grid_place(w, node, w->spec->grid->excited, at);
  w->spec->mallet.at = at[0].n ? at[0] : w->spec->mallet.at;
  w->spec->mallet.at_y = at[1].n ? at[1] : w->spec->mallet.at_y;
}

static bool walk_what(walk* w, const tree_node* node, const char* name, unsigned mask) {
  w->spec->grid->excited = w->spec->grid->n_bodies;
  if (node) {
    w->spec->grid->excited = htz_walk_grid_body_name(w, node, name);
    return htz_walk_grid_kind(w, node, name, w->spec->grid->excited, mask);
  }
  return false;
}

static const unsigned lines = 1u << HTZ_GRID_STRING | 1u << HTZ_GRID_BAR;
static const unsigned surfaces = 1u << HTZ_GRID_PLATE | 1u << HTZ_GRID_MEMBRANE;
static const unsigned masses = 1u << HTZ_GRID_MASS;

static void walk_head(walk* w, const tree_node* node) {
  enum { STIFFNESS = 0, EXPONENT, VISCOSITY, COUNT };
  static const walk_field fields[COUNT] = {{"stiffness", true}, {"exponent", false}, {"viscosity", false}};
  const tree_node* values[COUNT];
  htz_spec_mallet* mallet = &w->spec->mallet;
  if (!htz_walk_map(w, node, "contact", COUNT, fields, values)) {
    return;
  }
  if (values[STIFFNESS]) {
    htz_walk_table(w, values[STIFFNESS], &stiffness_range, &mallet->stiffness);
  }
  if (values[EXPONENT]) {
    htz_walk_table(w, values[EXPONENT], &exponent_range, &mallet->exponent);
  }
  if (values[VISCOSITY]) {
    htz_walk_table(w, values[VISCOSITY], &viscosity_range, &mallet->viscosity);
  }
}

void htz_walk_grid_mallet(walk* w, const tree_node* node) {
  enum { STRIKES = 0, MASS, SPEED, PLACE, CONTACT, TOUCH, COUNT };
  static const walk_field fields[COUNT] = {{"strikes", true}, {"mass", true},    {"speed", true},
                                           {"at", false},     {"contact", true}, {"touch", false}};
  static const walk_range weight_range = {"mass", "kg", 1e-6, 100.0};
  const tree_node* values[COUNT];
  walk_nothing(w);
  w->spec->grid->excite = HTZ_EXCITE_MALLET;
  if (!htz_walk_map(w, node, "mallet", COUNT, fields, values)) {
    return;
  }
  walk_what(w, values[STRIKES], "strikes", lines | surfaces | masses);
  if (values[MASS]) {
    htz_walk_table(w, values[MASS], &weight_range, &w->spec->mallet.mass);
  }
  if (values[SPEED]) {
    htz_walk_touch_range(w, values[SPEED], &speed_range, w->spec->mallet.speed);
  }
  if (values[PLACE]) {
    walk_where(w, values[PLACE]);
  }
  if (values[CONTACT]) {
    walk_head(w, values[CONTACT]);
  }
  if (values[TOUCH]) {
    htz_walk_table(w, values[TOUCH], &touch_range, &w->spec->mallet.touch);
  }
}

void htz_walk_grid_throw(walk* w, const tree_node* node) {
  enum { BODY = 0, SPEED, HEIGHT, COUNT };
  static const walk_field fields[COUNT] = {{"body", true}, {"speed", true}, {"height", false}};
  const tree_node* values[COUNT];
  walk_nothing(w);
  w->spec->grid->excite = HTZ_EXCITE_THROW;
  if (!htz_walk_map(w, node, "throw", COUNT, fields, values)) {
    return;
  }
  if (walk_what(w, values[BODY], "body", masses)) {
    w->spec->mallet.mass = w->spec->grid->bodies[w->spec->grid->excited].value[HTZ_GRID_MASS_KG];
  }
  if (values[SPEED]) {
    htz_walk_touch_range(w, values[SPEED], &speed_range, w->spec->mallet.speed);
  }
  if (values[HEIGHT]) {
    htz_walk_table(w, values[HEIGHT], &height_range, &w->spec->grid->height);
  }
}

void htz_walk_grid_kick(walk* w, const tree_node* node) {
  enum { BODY = 0, SPEED, PLACE, WIDTH, COUNT };
  static const walk_field fields[COUNT] = {{"body", true}, {"speed", true}, {"at", false}, {"width", false}};
  const tree_node* values[COUNT];
  walk_nothing(w);
  w->spec->grid->excite = HTZ_EXCITE_KICK;
  if (!htz_walk_map(w, node, "kick", COUNT, fields, values)) {
    return;
  }
  walk_what(w, values[BODY], "body", lines | surfaces | masses);
  if (values[SPEED]) {
    htz_walk_touch_range(w, values[SPEED], &speed_range, w->spec->mallet.speed);
  }
  if (values[PLACE]) {
    walk_where(w, values[PLACE]);
  }
  if (values[WIDTH]) {
    htz_walk_table(w, values[WIDTH], &width_range, &w->spec->grid->width);
  }
}

void htz_walk_grid_pluck(walk* w, const tree_node* node) {
  enum { STRING = 0, HEIGHT, PLACE, TIME, COUNT };
  static const walk_field fields[COUNT] = {{"string", true}, {"height", true}, {"at", true}, {"time", false}};
  const tree_node* values[COUNT];
  walk_nothing(w);
  w->spec->grid->excite = HTZ_EXCITE_PLUCK;
  if (!htz_walk_map(w, node, "pluck", COUNT, fields, values)) {
    return;
  }
  walk_what(w, values[STRING], "string", lines);
  if (values[HEIGHT]) {
    htz_walk_touch_range(w, values[HEIGHT], &pluck_range, w->spec->mallet.speed);
  }
  if (values[PLACE]) {
    walk_where(w, values[PLACE]);
  }
  if (values[TIME]) {
    htz_walk_table(w, values[TIME], &time_range, &w->spec->grid->time);
  }
}

void htz_walk_grid_bow(walk* w, const tree_node* node) {
  const tree_node* plays;
  walk_nothing(w);
  w->spec->grid->excite = HTZ_EXCITE_BOW;
  htz_walk_bow_values(w, node, &plays);
  walk_what(w, plays, "plays", 1u << HTZ_GRID_STRING);
  if (w->spec->bows[0].torsion > 0.0) {
    htz_walk_fault(w, htz_walk_value_of(node, "torsion"), "torsion: a string on a grid does not twist");
  }
  for (size_t i = 0; i < 2; ++i) {
    htz_walk_constant(w, 1.0, &speed_range, &w->spec->mallet.speed[i]); // nothing is thrown
  }
}
