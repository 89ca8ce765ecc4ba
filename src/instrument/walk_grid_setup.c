#include "bow.h"
#include "walk_grid.h"

#include <math.h>
#include <string.h>

// A file of the grid family from its top.

static const double nominal_rate_hz = 48000.0; // at which a file is tried

/** A finger, other than one that lets a harmonic sound, retunes its string: by no more than the grid has room for. */
static void check_fingers(walk* w, const tree_node* node) {
  const htz_spec* spec = w->spec;
  const htz_spec_fingered* hand = &spec->fingered;
  for (int key = spec->key_low; hand->n > 0 && !hand->harmonics && key <= spec->key_high; ++key) {
    int open = hand->keys[0];
    for (size_t i = 0; i < hand->n; ++i) {
      open = hand->keys[i] <= key ? hand->keys[i] : open;
    }
    if (key - open > spec->grid->bend) {
      htz_walk_fault(w, node,
                     "fingered: key %d is %d semitones above its open string %d; allowed: up to bend_range, %g, or with "
                     "`harmonics: true` any",
                     key, key - open, open, spec->grid->bend);
      return;
    }
  }
}

/** Make every key of the range that has bodies of its own once, so that what cannot be made is said now. */
static void try_keys(walk* w) {
  htz_spec_grid_look looks[HTZ_SPEC_GRID_BODIES_MAX];
  const htz_spec* spec = w->spec;
  for (int key = spec->key_low; key <= spec->key_high; ++key) {
    if (!htz_spec_has_key(spec, key) || !htz_bow_has_island(spec, key)) {
      continue; // played on the bodies of an open string's key
    }
    char where[HTZ_SPEC_WHERE], body[WALK_NAME_BYTES + 1] = "";
    const char* why = NULL;
    const htz_status st = htz_spec_grid_try(spec, key, nominal_rate_hz, htz_kernels_select(), looks, where, &why);
    if (st == HTZ_NO_MEMORY) {
      w->spec->memory.failed = true;
    } else if (st) {
      const htz_spec_mark at = htz_spec_place(spec, where);
      const bool named = sscanf(where, "per_key.%32[^.]", body) == 1;
      htz_diags_add(w->diags, at.line, at.column, "%s%s%s (at key %d, %g Hz)", body, named ? ": " : "",
                    why ? why : "cannot be made from these values", key, nominal_rate_hz);
    }
    if (st) {
      return;
    }
  }
}

/** The parameters start from what the file says of the middle key. */
static void derive(htz_spec* spec) {
  const double key = 0.5 * (spec->key_low + spec->key_high);
  const htz_excite first = spec->grid->gesture[0];
  if (!spec->param_given[HTZ_PARAM_GESTURE]) {
    spec->params[HTZ_PARAM_GESTURE] = first;
  }
  if (first != HTZ_EXCITE_MALLET) { // the place that the player moves starts from where this is
    spec->mallet.at = spec->grid->gestures[first].at;
    spec->mallet.at_y = spec->grid->gestures[first].at_y;
  }
  for (size_t c = 0; c < spec->grid->n_contacts; ++c) {
    const htz_spec_grid_contact* contact = &spec->grid->contacts[c];
    const size_t end = spec->grid->bodies[contact->above].kind == HTZ_GRID_STRING ? 1 : 0;
    const double at = htz_table_at(&contact->at[end][0], key), gap = htz_table_at(&contact->gap, key);
    if (contact->role == HTZ_ROLE_BRIDGE && !spec->param_given[HTZ_PARAM_BRIDGE_GAP]) {
      spec->params[HTZ_PARAM_BRIDGE_GAP] = gap > 0.0 ? gap : 0.0;
    } else if (contact->role == HTZ_ROLE_RATTLE) {
      const bool own_gap = !spec->param_given[HTZ_PARAM_RATTLE_GAP], own_at = !spec->param_given[HTZ_PARAM_RATTLE_AT];
      spec->params[HTZ_PARAM_RATTLE_GAP] = own_gap ? (gap > 0.0 ? gap : 0.0) : spec->params[HTZ_PARAM_RATTLE_GAP];
      spec->params[HTZ_PARAM_RATTLE_AT] = own_at ? at : spec->params[HTZ_PARAM_RATTLE_AT];
    } else if (contact->role == HTZ_ROLE_SCREW && !spec->param_given[HTZ_PARAM_SCREW_AT]) {
      spec->params[HTZ_PARAM_SCREW_AT] = at;
    } else if (contact->role == HTZ_ROLE_RUBBER && !spec->param_given[HTZ_PARAM_RUBBER_AT]) {
      spec->params[HTZ_PARAM_RUBBER_AT] = at;
    } else if (contact->role == HTZ_ROLE_THREAD && !spec->param_given[HTZ_PARAM_THREAD_AT]) {
      double from, to;
      htz_spec_grid_bridge(spec, contact->at[end][0].n ? (end ? contact->above : contact->below) : 0, key, &from, &to);
      const double x = to > from ? (at - from) / (to - from) : at;
      spec->params[HTZ_PARAM_THREAD_AT] = x < 0.0 ? 0.0 : x > 1.0 ? 1.0 : x;
    }
  }
}

static size_t count_plays(const walk_block* in) {
  size_t n = 0;
  for (size_t i = HTZ_FIRST_FILE; i < HTZ_END_FILE; ++i) {
    n += (htz_schema[i].one_of & HTZ_IN_GRID) && htz_walk_value(in, (htz_row_id)i);
  }
  return n;
}

/** What the file says of playing, taken together. */
static void check_playing(walk* w, const tree_node* root, bool foreign, const walk_block* in) {
  const tree_node* soft_pedal = htz_walk_value(in, HTZ_ROW_FILE_SOFT_PEDAL);
  const tree_node* preparations = htz_walk_value(in, HTZ_ROW_FILE_PREPARATIONS);
  if (count_plays(in) == 0 && !foreign) {
    htz_walk_fault(w, root, "%s: nothing is played; give one of: mallet, throw, kick, pluck, bow", htz_walk_top_name(w));
  }
  if (soft_pedal && !htz_walk_value(in, HTZ_ROW_FILE_MALLET) && !foreign) {
    htz_walk_fault(w, soft_pedal, "soft_pedal: it changes the mallet's hardness, and no mallet is thrown here");
  }
  if (preparations) {
    htz_walk_fault(
        w, preparations,
        "preparations: on grids what is fixed or lies loose is a body of `per_key`, held by one of `contacts` with a "
        "role: rattle, loose-bridge, screw, rubber");
  }
  const size_t lines = w->spec->n_pickups + (w->spec->board.n_drives > 0);
  if (lines > HTZ_ISLAND_PICKUPS_MAX) {
    htz_walk_fault(w, htz_walk_value(in, HTZ_ROW_FILE_PICKUPS), "pickups: %zu of a key's own bodies; beside drives at most %d",
                   w->spec->n_pickups, (int)HTZ_ISLAND_PICKUPS_MAX - 1);
  }
}

void htz_walk_grid_file(walk* w, const tree_node* root) {
  static const struct {
    htz_row_id row;
    void (*read)(walk*, const tree_node*);
  } part[] = {{HTZ_ROW_FILE_FORMAT, htz_walk_format},
              {HTZ_ROW_FILE_FAMILY, htz_walk_family},
              {HTZ_ROW_FILE_KEYS, htz_walk_keys},
              {HTZ_ROW_FILE_GRID_PER_KEY, htz_walk_grid_bodies},
              {HTZ_ROW_FILE_RESONATORS, htz_walk_grid_resonators},
              {HTZ_ROW_FILE_CONTACTS, htz_walk_grid_contacts},
              {HTZ_ROW_FILE_SHARED, htz_walk_shared},
              {HTZ_ROW_FILE_FEEDS, htz_walk_grid_feeds},
              {HTZ_ROW_FILE_DRIVES, htz_walk_grid_drives},
              {HTZ_ROW_FILE_MALLET, htz_walk_grid_mallet},
              {HTZ_ROW_FILE_THROW, htz_walk_grid_throw},
              {HTZ_ROW_FILE_KICK, htz_walk_grid_kick},
              {HTZ_ROW_FILE_PLUCK, htz_walk_grid_pluck},
              {HTZ_ROW_FILE_BOW, htz_walk_grid_bow},
              {HTZ_ROW_FILE_FINGERED, htz_walk_fingered},
              {HTZ_ROW_FILE_PICKUPS, htz_walk_grid_pickups},
              {HTZ_ROW_FILE_DAMPER, htz_walk_damper},
              {HTZ_ROW_FILE_SOFT_PEDAL, htz_walk_soft_pedal},
              {HTZ_ROW_FILE_CHOKES, htz_walk_chokes},
              {HTZ_ROW_FILE_PROGRAMS, htz_walk_programs},
              {HTZ_ROW_FILE_KITS, htz_walk_kits},
              {HTZ_ROW_FILE_DEFAULTS, htz_walk_defaults},
              {HTZ_ROW_FILE_CONTROLS, htz_walk_controls}};
  walk_block in;
  w->spec->grid = htz_walk_alloc(w, 1, sizeof *w->spec->grid);
  if (!w->spec->grid || !htz_walk_top(w, root, &in)) {
    return;
  }
  const bool foreign = w->foreign > 0;
  const tree_node *bow = htz_walk_value(&in, HTZ_ROW_FILE_BOW), *fingered = htz_walk_value(&in, HTZ_ROW_FILE_FINGERED);
  const tree_node *shared = htz_walk_value(&in, HTZ_ROW_FILE_SHARED), *chokes = htz_walk_value(&in, HTZ_ROW_FILE_CHOKES);
  htz_walk_grid_nothing(w);
  htz_walk_titles(w, &in);
  htz_walk_row_number(w, &in, HTZ_ROW_FILE_BEND, &w->spec->grid->bend);
  w->unsure_bow = !bow && (foreign || count_plays(&in) == 0);
  for (size_t i = 0; i < sizeof part / sizeof part[0]; ++i) {
    const tree_node* value = htz_walk_value(&in, part[i].row);
    if (part[i].row == HTZ_ROW_FILE_CONTACTS) {
      w->unsure_contacts = !value && foreign;
    }
    const size_t faults = w->diags->n + w->diags->more;
    if (value) {
      part[i].read(w, value);
    }
    const bool unsure = w->diags->n + w->diags->more > faults || (!value && foreign);
    w->unsure_own = w->unsure_own || (htz_walk_names_params(part[i].row) && unsure);
    if (part[i].row == HTZ_ROW_FILE_BOW) {
      htz_walk_bind(w);
    }
    if (part[i].row == HTZ_ROW_FILE_SHARED) {
      w->unsure_shared = w->unsure_shared || (!w->spec->board.given && (value || foreign));
    }
  }
  check_playing(w, root, foreign, &in);
  htz_walk_check_bow(w, bow, fingered);
  if (w->diags->n == 0) {
    htz_walk_grid_check_driven(w, htz_walk_value(&in, HTZ_ROW_FILE_RESONATORS), shared);
  }
  if (w->diags->n == 0 && fingered) {
    check_fingers(w, fingered);
  }
  if (w->diags->n == 0 && !w->spec->memory.failed) {
    derive(w->spec);
    htz_walk_check_params(w, htz_walk_value(&in, HTZ_ROW_FILE_DEFAULTS), htz_walk_value(&in, HTZ_ROW_FILE_CONTROLS));
    if (chokes) {
      htz_walk_check_chokes(w, chokes);
    }
    try_keys(w);
  }
}
