#include "build_grid.h"

#include <math.h>

// What a key does: the bodies and contacts that its gestures bring.

static const double middle = 0.5;
static const double hand_hold = 40.0;  // stiffness of a hand that pulls a string, over that of the string there
static const double finger_hold = 0.5; // damping of a light finger, over the string's wave impedance: it stops what moves there

/** Stiffness of a line pulled aside at x, held at both ends [N/m]. */
static double pull_stiffness(const grid_plan* plan, size_t b, double x) {
  const htz_grid* line = plan->grids[b];
  const double length = htz_grid_string_spacing(line) * (double)htz_grid_string_intervals(line);
  const double tension = htz_grid_string_tension(line), inside = x * (1.0 - x) > 0.01 ? x * (1.0 - x) : 0.01;
  // Of a bar the weight of a millisecond's swing stands for its stiffness: tension is 0 there.
  const double least = 100.0;
  const double k = tension / (length * inside);
  return k > least ? k : least;
}

/** What a hand holds the excited body by: a body that stands still. */
static htz_status add_hand(assembly* a, size_t* hand) {
  *hand = a->plan.n++;
  return htz_grid_barrier_new(a->plan.arena, &a->plan.grids[*hand]);
}

/** A spring between a body and a hand, switched off. @return its number */
static uint32_t add_hold(assembly* a, size_t body, size_t hand, uint32_t point, double stiffness, double damping) {
  a->contacts[a->n_contacts] = (htz_grid_contact_desc){.force = HTZ_GRID_SPRING,
                                                       .stiffness = stiffness,
                                                       .exponent = 1.0,
                                                       .damping = damping,
                                                       .body_a = (uint32_t)body,
                                                       .point_a = point,
                                                       .body_b = (uint32_t)hand,
                                                       .point_b = (uint32_t)a->next[hand]++,
                                                       .direction = 1.0};
  return (uint32_t)a->n_contacts++;
}

static htz_status add_mallet(assembly* a, htz_grid_gesture* gesture, double x, double y) {
  const htz_spec_mallet* m = &a->plan.spec->mallet;
  const double key = a->plan.key;
  const htz_grid_mass_desc d = {.mass = htz_table_at(&m->mass, key)};
  gesture->mallet = (uint32_t)a->plan.n;
  gesture->contact = (uint32_t)a->n_contacts;
  a->island.n_mallets = m->pool;
  a->island.stay = m->stay;
  a->island.stay.seed = (uint64_t)key;
  for (size_t i = 0; i < m->pool; ++i) {
    const size_t b = a->plan.n;
    const htz_status st = htz_grid_mass_new(&d, a->plan.rate_hz, a->plan.arena, &a->plan.grids[b], &a->plan.why);
    if (st) {
      return st;
    }
    a->plan.n = b + 1;
    const uint32_t point = i > 0 ? htz_grid_take_point(a, gesture->body, x, y) : gesture->point;
    a->contacts[a->n_contacts++] = (htz_grid_contact_desc){.stiffness = htz_table_at(&m->stiffness, key),
                                                           .exponent = htz_table_at(&m->exponent, key),
                                                           .viscosity = htz_table_at(&m->viscosity, key),
                                                           .hysteresis = htz_grid_table_or(&m->hysteresis, key, 0.0),
                                                           .relaxation = htz_grid_table_or(&m->relaxation, key, 0.0),
                                                           .body_a = (uint32_t)b,
                                                           .point_a = (uint32_t)a->next[b]++,
                                                           .body_b = gesture->body,
                                                           .point_b = point,
                                                           .direction = 1.0};
  }
  return HTZ_OK;
}

/** A throw goes towards the first contact of the mass: up when the other lies above. */
static double toward(const htz_spec_grid* grid, size_t mass) {
  for (size_t c = 0; c < grid->n_contacts; ++c) {
    if (grid->contacts[c].below == mass || grid->contacts[c].above == mass) {
      return grid->contacts[c].below == mass ? 1.0 : -1.0;
    }
  }
  return 1.0;
}

/** What of string `body` speaks under a bow: the longer side of its bridge, the place nearest to an end where it is joined to something both ways. */
static void find_speaking(const assembly* a, size_t body, double speaks[2]) {
  const htz_spec_grid* grid = a->plan.spec->grid;
  speaks[0] = 0.0;
  speaks[1] = 1.0;
  for (size_t c = 0; c < grid->n_contacts; ++c) {
    const htz_spec_grid_contact* contact = &grid->contacts[c];
    const bool above = contact->above == body;
    if (contact->force != HTZ_GRID_COLLISION && (above || contact->below == body)) {
      const double at = htz_grid_table_or(&contact->at[above][0], a->plan.key, 1.0);
      if (at > middle) {
        speaks[1] = at < speaks[1] ? at : speaks[1];
      } else {
        speaks[0] = at > speaks[0] ? at : speaks[0];
      }
    }
  }
}

/** Of a string to waves [N s/m]. */
static double impedance_of(const htz_grid* string) {
  return sqrt(htz_grid_string_tension(string) * string->mass / htz_grid_string_spacing(string));
}

/** What bow `b` of the file, which acts at `point`, needs: what of its string speaks, and how that twists. */
static void add_bow(assembly* a, size_t b, uint32_t point) {
  static const double twist_pitch = 5.0; // of twisting over that of swinging, as of strings with modes
  const htz_spec_bow* bow = &a->plan.spec->bows[b];
  const htz_grid* string = a->plan.grids[bow->body];
  const double impedance = impedance_of(string);
  const uint32_t body = (uint32_t)bow->body;
  a->island.bows[b].body = body;
  a->island.bows[b].point = point;
  find_speaking(a, bow->body, a->island.bows[b].speaks);
  a->bows[b] = (htz_grid_bow_desc){.law = bow->law, .body = body, .point = point};
  if (bow->torsion > 0.0) {
    const double at = htz_table_at(&bow->at, a->plan.key), twisting = bow->torsion * impedance;
    a->bows[b].twist_admittance = 0.5 / twisting;
    a->bows[b].spring = 2.0 * twisting * twist_pitch * htz_grid_string_partial(string, 1) / (at * (1.0 - at));
  }
}

/** The bows, the first at the gesture's point, and on the string under that a light finger with a hand to hold it. */
static htz_status add_bows(assembly* a, const htz_grid_gesture* gesture) {
  const htz_spec* spec = a->plan.spec;
  htz_grid_island_desc* island = &a->island;
  size_t hand;
  const htz_status st = add_hand(a, &hand);
  if (st) {
    return st;
  }
  for (size_t b = 0; b < spec->n_bows; ++b) {
    add_bow(a, b, b == 0 ? gesture->point : htz_grid_take_point(a, spec->bows[b].body, middle, middle));
  }
  island->n_bows = spec->n_bows;
  island->finger_point = htz_grid_take_point(a, gesture->body, middle, middle);
  island->finger =
      add_hold(a, gesture->body, hand, island->finger_point, 0.0, finger_hold * impedance_of(a->plan.grids[gesture->body]));
  return HTZ_OK;
}

static htz_status add_gesture(assembly* a, htz_excite kind) {
  const htz_spec* spec = a->plan.spec;
  const htz_spec_gesture* from = &spec->grid->gestures[kind];
  const bool mallet = kind == HTZ_EXCITE_MALLET;
  const double key = a->plan.key, x = htz_grid_table_or(mallet ? &spec->mallet.at : &from->at, key, middle),
               y = htz_grid_table_or(mallet ? &spec->mallet.at_y : &from->at_y, key, middle);
  htz_grid_gesture* gesture = &a->island.gestures[a->island.n_gestures++];
  *gesture = (htz_grid_gesture){.kind = kind,
                                .body = (uint32_t)from->body,
                                .point = htz_grid_take_point(a, from->body, x, y),
                                .toward = toward(spec->grid, from->body),
                                .width = htz_grid_table_or(&from->width, key, 0.0),
                                .height = htz_grid_table_or(&from->height, key, 0.0),
                                .time = htz_grid_table_or(&from->time, key, 0.0)};
  if (mallet) {
    return add_mallet(a, gesture, x, y);
  }
  if (kind == HTZ_EXCITE_BOW) {
    return add_bows(a, gesture);
  }
  size_t hand;
  const htz_status st = kind == HTZ_EXCITE_PLUCK ? add_hand(a, &hand) : HTZ_OK;
  if (!st && kind == HTZ_EXCITE_PLUCK) {
    const double hold = hand_hold * pull_stiffness(&a->plan, from->body, x);
    gesture->contact = add_hold(a, from->body, hand, gesture->point, hold, 0.0);
  }
  return st;
}

htz_status htz_grid_add_gestures(assembly* a) {
  const htz_spec_grid* grid = a->plan.spec->grid;
  a->island.finger = HTZ_GRID_NONE;
  htz_status st = HTZ_OK;
  for (size_t i = 0; i < grid->n_gestures && !st; ++i) {
    st = add_gesture(a, grid->gesture[i]);
  }
  return st;
}
