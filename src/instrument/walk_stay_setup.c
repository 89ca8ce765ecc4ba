#include "walk.h"

/*
   Mallets that stay: balls that fall back, hammers on an arm driven by a signal, balls that roll. What a player may move is given to
   the parameter of that name, as its default.
*/

static const walk_range spring_range = {"spring", "Hz", 0.1, 200.0};
static const walk_range damping_range = {"damping", "", 0.0, 2.0};
static const walk_range travel_range = {"speed", "m/s", 1e-3, 10.0};
static const walk_range grain_range = {"grain", "m", 1e-4, 0.1};
static const walk_range radius_range = {"radius", "m", 1e-3, 1.0};
static const walk_range friction_range = {"friction", "", 1e-4, 1.0};

static const double spring_default_hz = 12.0; // weak: an arm that swings back slower than any note repeats
static const double damping_default = 0.3;
static const double grain_default = 2e-3;
static const double friction_default = 0.03;

/** A number that is where the parameter `index` starts. */
static void walk_start(walk* w, const tree_node* node, htz_param_index index, const char* name) {
  const htz_param_desc* desc = &htz_instrument_params[index];
  const walk_range range = {name, desc->unit, desc->minimum, desc->maximum};
  htz_walk_number(w, node, &range, &w->spec->params[index]);
}

static void number_or(walk* w, const tree_node* node, double value, const walk_range* range, double* out) {
  *out = value;
  if (node) {
    htz_walk_number(w, node, range, out);
  }
}

void htz_walk_mallet_gravity(walk* w, const tree_node* node) {
  w->spec->mallet.stay.given = true;
  w->spec->mallet.falls = true;
  walk_start(w, node, HTZ_PARAM_GRAVITY, "gravity");
}

void htz_walk_mallet_drive(walk* w, const tree_node* node) {
  enum { GAIN = 0, REST, SPRING, DAMPING, COUNT };
  static const walk_field fields[COUNT] = {{"gain", true}, {"rest", true}, {"spring", false}, {"damping", false}};
  const tree_node* values[COUNT];
  htz_spec_mallet* mallet = &w->spec->mallet;
  mallet->stay.given = true;
  mallet->driven = true;
  mallet->pool = 1; // one hammer a key, unless the file says otherwise
  if (!htz_walk_map(w, node, "drive", COUNT, fields, values)) {
    return;
  }
  if (values[GAIN]) {
    walk_start(w, values[GAIN], HTZ_PARAM_DRIVE_GAIN, "gain");
  }
  if (values[REST]) {
    walk_start(w, values[REST], HTZ_PARAM_DRIVE_REST, "rest");
  }
  number_or(w, values[SPRING], spring_default_hz, &spring_range, &mallet->stay.spring_hz);
  number_or(w, values[DAMPING], damping_default, &damping_range, &mallet->stay.damping);
}

static void walk_travel(walk* w, const tree_node* node) {
  htz_table* travel = w->spec->mallet.travel;
  if (!htz_walk_list(w, node, "speed", 2, 2)) {
    return;
  }
  const bool low = htz_walk_table(w, node->first, &travel_range, &travel[0]);
  const bool high = htz_walk_table(w, node->first->next, &travel_range, &travel[1]);
  for (int key = w->spec->key_low; w->keyed && low && high && key <= w->spec->key_high; ++key) {
    if (!(htz_table_at(&travel[0], key) <= htz_table_at(&travel[1], key))) {
      htz_walk_fault(w, node, "speed: the speed at velocity 1 must not be above the one at velocity 127 (key %d)", key);
      return;
    }
  }
}

void htz_walk_mallet_roll(walk* w, const tree_node* node) {
  enum { SPEED = 0, ROUGHNESS, GRAIN, RADIUS, ASYMMETRY, FRICTION, COUNT };
  static const walk_field fields[COUNT] = {{"speed", true},  {"roughness", true},  {"grain", false},
                                           {"radius", true}, {"asymmetry", false}, {"friction", false}};
  const tree_node* values[COUNT];
  htz_spec_mallet* mallet = &w->spec->mallet;
  mallet->stay.given = true;
  mallet->stay.rolls = true;
  mallet->stay.radius = 1.0;
  mallet->pool = 1;
  if (!htz_walk_map(w, node, "roll", COUNT, fields, values)) {
    return;
  }
  if (values[SPEED]) {
    walk_travel(w, values[SPEED]);
  }
  if (values[ROUGHNESS]) {
    walk_start(w, values[ROUGHNESS], HTZ_PARAM_ROLL_ROUGHNESS, "roughness");
  }
  if (values[RADIUS]) {
    htz_walk_number(w, values[RADIUS], &radius_range, &mallet->stay.radius);
  }
  if (values[ASYMMETRY]) {
    walk_start(w, values[ASYMMETRY], HTZ_PARAM_ROLL_ASYMMETRY, "asymmetry");
  }
  number_or(w, values[GRAIN], grain_default, &grain_range, &mallet->stay.grain);
  number_or(w, values[FRICTION], friction_default, &friction_range, &mallet->stay.friction);
}

void htz_walk_check_stay(walk* w, const tree_node* node) {
  const htz_spec_mallet* mallet = &w->spec->mallet;
  if (mallet->stay.rolls && !mallet->falls && !mallet->driven) {
    htz_walk_fault(w, node, "roll: nothing presses the ball on; give the mallet a gravity, such as 9.81, or a drive's arm");
  }
}
