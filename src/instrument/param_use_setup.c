#include "hertzian/instrument/spec_grid.h"
#include "hertzian/instrument/spec_prepared.h"

/** Anything is heard of what is only fed. */
static bool resonates(const htz_spec* spec) {
  if (spec->grid) {
    return spec->n_bodies > 0; // each of them is heard
  }
  for (size_t p = 0; p < spec->n_pickups; ++p) {
    if (spec->pickups[p].of >= spec->n_linked) {
      return true;
    }
  }
  for (size_t d = 0; d < spec->board.n_drives; ++d) {
    if (spec->board.drives[d].from >= spec->n_linked) {
      return true;
    }
  }
  return false;
}

/** Anything is heard beside the middle. */
static bool spreads(const htz_spec* spec) {
  for (size_t p = 0; p < spec->n_pickups; ++p) {
    const htz_spec_pickup* pickup = &spec->pickups[p];
    if (pickup->by_key ? pickup->spread > 0.0 && spec->whole->key_low < spec->whole->key_high : pickup->pan != 0.0) {
      return true;
    }
  }
  for (size_t b = 0; b <= spec->n_linked_shared; ++b) {
    const htz_spec_board* board = b < spec->n_linked_shared ? &spec->linked_shared[b] : &spec->board;
    for (size_t p = 0; p < board->n_pickups; ++p) {
      if (board->pickups[p].pan != 0.0) {
        return true;
      }
    }
  }
  return false;
}

/** Ears of the pair hear a body of the object, or the one that all keys share. */
static bool heard_by_pair(const htz_spec* spec) {
  bool any = false;
  for (size_t p = 0; p < spec->n_pickups; ++p) {
    any = any || spec->pickups[p].moves;
  }
  for (size_t p = 0; p < spec->board.n_pickups; ++p) {
    any = any || spec->board.pickups[p].moves;
  }
  return any;
}

bool htz_spec_has_pair(const htz_spec* spec) {
  bool any = false;
  for (size_t i = 0; i < spec->n_objects; ++i) {
    any = any || heard_by_pair(spec->objects[i]);
  }
  return any || heard_by_pair(spec);
}

/** How many places the pair has. */
static size_t places_of_pair(const htz_spec* spec) {
  size_t n = 0;
  for (size_t i = 0; i < HTZ_EARS; ++i) {
    n += spec->ears_given[i];
  }
  return n;
}

// Lumped masses have losses of their own and no damper.
bool htz_spec_can_be_damped(const htz_spec* spec) {
  bool any = !spec->grid;
  for (size_t b = 0; !any && b < spec->grid->n_bodies; ++b) {
    any = spec->grid->bodies[b].kind != HTZ_GRID_MASS && spec->grid->bodies[b].kind != HTZ_GRID_BARRIER;
  }
  return any;
}

/** Moving that field of a thing of the kind changes anything. */
static bool moves(const htz_spec* spec, htz_prepared_kind kind, htz_thing_field field) {
  bool any = spec->grid != NULL;
  for (size_t i = 0; spec->prepared && i < spec->prepared->n; ++i) {
    any = any || (spec->prepared->things[i].kind == kind && htz_spec_thing_moves(spec, i, field));
  }
  return any;
}

/** Any key of the range has a damper. */
static bool damps(const htz_spec* spec) {
  for (int key = spec->key_low; key <= spec->key_high; ++key) {
    if (spec->damper.n && key >= spec->damper_keys[0] && key <= spec->damper_keys[1] &&
        htz_table_at(&spec->damper, key) > 0.0) {
      return true;
    }
  }
  return false;
}

/** A parameter that a grid has no use for, whatever else the file says. */
static bool grid_ignores(const htz_spec* spec, htz_param_index param) {
  const htz_spec_grid* grid = spec->grid;
  bool tuned = false;
  for (size_t b = 0; b < grid->n_bodies; ++b) {
    tuned = tuned || grid->bodies[b].pitch == HTZ_PITCH_KEY;
  }
  const bool mallet = htz_spec_grid_does(grid, HTZ_EXCITE_MALLET);
  bool placed = false, across = false;
  for (size_t i = 0; i < grid->n_gestures; ++i) {
    const htz_excite kind = grid->gesture[i];
    const bool has_place = kind != HTZ_EXCITE_THROW && kind != HTZ_EXCITE_BOW;
    placed = placed || (has_place && grid->bodies[grid->gestures[kind].body].kind != HTZ_GRID_MASS);
    across = across || (has_place && grid->gestures[kind].at_y.n) || (kind == HTZ_EXCITE_MALLET && spec->mallet.at_y.n);
  }
  switch (param) {
  case HTZ_PARAM_TUNE:
    return !tuned;
  case HTZ_PARAM_MALLET_HARDNESS:
  case HTZ_PARAM_MALLET_MASS:
  case HTZ_PARAM_MALLET_KIND:
    return !mallet;
  case HTZ_PARAM_MALLET_SPEED:
    return grid->n_gestures == 1 && grid->gesture[0] == HTZ_EXCITE_BOW;
  case HTZ_PARAM_MALLET_AT:
    return !placed;
  case HTZ_PARAM_MALLET_AT_Y:
    return !across;
  case HTZ_PARAM_GESTURE:
    return grid->n_gestures < 2;
  default:
    return false;
  }
}

/** One of the bodies [from, to) has more than one place. */
static bool has_places(const htz_spec* spec, size_t from, size_t to) {
  bool any = false;
  for (size_t b = from; b < to; ++b) {
    any = any || !spec->bodies[b].same_all_over;
  }
  return any;
}

/** One of those that the mallet strikes is a surface. */
static bool strikes_surface(const htz_spec* spec) {
  bool any = false;
  for (size_t b = 0; b < spec->n_struck; ++b) {
    any = any || spec->bodies[b].surface;
  }
  return any;
}

/** One that a bow plays has more than one place. */
static bool bows_places(const htz_spec* spec) {
  bool any = false;
  for (size_t n = 0; n < spec->n_bows; ++n) {
    any = any || has_places(spec, spec->bows[n].body, spec->bows[n].body + 1);
  }
  return any;
}

/** One object has a use for the parameter. */
static bool is_used(const htz_spec* spec, htz_param_index param) {
  const htz_spec_mallet* mallet = &spec->mallet;
  if (spec->bowed && !spec->grid && !spec->thrown && param >= HTZ_PARAM_MALLET_HARDNESS && param <= HTZ_PARAM_MALLET_AT_Y) {
    return false;
  }
  if (spec->grid && grid_ignores(spec, param)) {
    return false;
  }
  switch (param) {
  case HTZ_PARAM_WIDTH:
    return spreads(spec);
  case HTZ_PARAM_RESONATOR:
  case HTZ_PARAM_MOTOR_RATE:
  case HTZ_PARAM_MOTOR_DEPTH:
    return resonates(spec);
  case HTZ_PARAM_MALLET_HARDNESS:
  case HTZ_PARAM_MALLET_MASS:
    return !mallet->solver || mallet->solver->strike_with; // else it has one hammer that cannot change
  case HTZ_PARAM_MALLET_AT:
    return spec->grid || (!mallet->solver && has_places(spec, 0, spec->n_struck));
  case HTZ_PARAM_MALLET_AT_Y:
    return spec->grid || (!mallet->solver && strikes_surface(spec));
  case HTZ_PARAM_MALLET_KIND:
    return spec->n_kinds > 1;
  case HTZ_PARAM_DAMPER:
    return damps(spec) && htz_spec_can_be_damped(spec);
  case HTZ_PARAM_BOARD:
    return htz_spec_two_way(spec);
  case HTZ_PARAM_GRAVITY:
    return mallet->falls;
  case HTZ_PARAM_DRIVE_GAIN:
  case HTZ_PARAM_DRIVE_REST:
    return mallet->driven;
  case HTZ_PARAM_ROLL_SPEED:
  case HTZ_PARAM_ROLL_ROUGHNESS:
  case HTZ_PARAM_ROLL_ASYMMETRY:
    return mallet->stay.rolls;
  case HTZ_PARAM_GESTURE:
    return spec->grid || (spec->bowed && spec->thrown);
  case HTZ_PARAM_BOW_FORCE:
  case HTZ_PARAM_BOW_SPEED:
    return spec->bowed;
  case HTZ_PARAM_BOW_POSITION:
    return spec->bowed && (spec->grid || bows_places(spec));
  case HTZ_PARAM_BRIDGE_GAP:
    return spec->loose_bridge && moves(spec, HTZ_PREPARED_BRIDGE, HTZ_THING_GAP);
  case HTZ_PARAM_BRIDGE_MASS:
    return spec->loose_bridge;
  case HTZ_PARAM_RATTLE_GAP:
    return spec->rattles && moves(spec, HTZ_PREPARED_RATTLE, HTZ_THING_GAP);
  case HTZ_PARAM_RATTLE_MASS:
    return spec->rattles;
  case HTZ_PARAM_RATTLE_AT:
    return spec->rattles && moves(spec, HTZ_PREPARED_RATTLE, HTZ_THING_AT);
  case HTZ_PARAM_SCREW_MASS:
    return spec->screws;
  case HTZ_PARAM_SCREW_AT:
    return spec->screws && moves(spec, HTZ_PREPARED_SCREW, HTZ_THING_AT);
  case HTZ_PARAM_RUBBER_LOSS:
    return spec->rubbers;
  case HTZ_PARAM_RUBBER_AT:
    return spec->rubbers && moves(spec, HTZ_PREPARED_RUBBER, HTZ_THING_AT);
  case HTZ_PARAM_EARS:
    return htz_spec_has_pair(spec->whole) && places_of_pair(spec->whole) > 1;
  case HTZ_PARAM_THREAD_AT:
    return spec->threaded;
  default:
    return true;
  }
}

bool htz_spec_param_has(const htz_spec* spec, size_t param, double value) {
  const htz_spec_binding* binding = htz_spec_binding_at(spec, param);
  if (binding) {
    return htz_spec_param_has(spec->objects[binding->object], binding->param, value);
  }
  if (param == HTZ_PARAM_EARS) {
    return spec->ears_given[(size_t)value];
  }
  bool has = param != HTZ_PARAM_GESTURE;
  for (size_t i = 0; i < spec->n_objects; ++i) {
    const htz_spec_grid* grid = spec->objects[i]->grid;
    has = has || (grid ? htz_spec_grid_does(grid, (htz_excite)value) : value <= HTZ_EXCITE_BOW);
  }
  return has;
}

bool htz_spec_param_used(const htz_spec* spec, size_t param) {
  const htz_spec_binding* binding = htz_spec_binding_at(spec, param);
  if (binding) {
    return htz_spec_binding_used(spec, binding);
  }
  for (size_t i = 0; i < spec->n_objects; ++i) {
    if (param < HTZ_PARAM_NAMED && is_used(spec->objects[i], (htz_param_index)param)) {
      return true;
    }
  }
  return false;
}

const char* const* htz_spec_param_words(const htz_spec* spec, size_t param) {
  const htz_spec_binding* binding = htz_spec_binding_at(spec, param);
  return htz_param_words(binding ? (size_t)binding->param : param);
}

htz_param_desc htz_spec_param(const htz_spec* spec, size_t param) {
  const htz_spec_binding* binding = htz_spec_binding_at(spec, param);
  if (binding) {
    htz_param_desc own = htz_spec_param(spec->objects[binding->object], binding->param);
    own.name = binding->name;
    return own;
  }
  htz_param_desc desc = htz_instrument_params[param];
  size_t kinds = 0;
  for (size_t i = 0; i < spec->n_objects; ++i) {
    kinds = spec->objects[i]->n_kinds > kinds ? spec->objects[i]->n_kinds : kinds;
  }
  if (param == HTZ_PARAM_MALLET_KIND && kinds > 0) {
    desc.maximum = (double)kinds - 1.0;
  }
  return desc;
}
