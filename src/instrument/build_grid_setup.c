#include "build_grid.h"

#include <math.h>

static const double middle = 0.5;
static const double hand_hold = 40.0;  // stiffness of a hand that pulls a string, over that of the string there
static const double finger_hold = 0.5; // damping of a light finger, over the string's wave impedance: it stops what moves there
static const double out_of_reach = 1.0; // gap where there is no fret [m]
static const double frets_per_octave = 12.0;

// What excites a key adds bodies and, mallet, hand or finger, contacts.
enum { HANDS = 2 }; // of a pluck and of a light finger
_Static_assert((int)HTZ_SPEC_GRID_BODIES_MAX + HTZ_GRID_MALLETS_MAX + HANDS <= (int)HTZ_GRID_BODIES_MAX, "room for all");
_Static_assert((int)HTZ_SPEC_GRID_CONTACTS_MAX + HTZ_GRID_MALLETS_MAX + HANDS <= (int)HTZ_GRID_CONTACTS_MAX,
               "and for their contacts");
_Static_assert((int)HTZ_STRUCK_MALLETS_MAX <= (int)HTZ_GRID_MALLETS_MAX, "a file's mallets fit");
_Static_assert((int)HTZ_SPEC_GRID_CONTACTS_MAX + 2 * HTZ_ISLAND_PICKUPS_MAX + HTZ_SPEC_DRIVES_MAX + HTZ_GRID_MALLETS_MAX + 6 <=
                   (int)HTZ_GRID_POINTS_MAX,
               "all of them on one body");
_Static_assert((int)HTZ_ISLAND_PICKUPS_MAX + HTZ_SPEC_GRID_FEEDS_MAX + HTZ_SPEC_DRIVES_MAX <= (int)HTZ_GRID_ISLAND_HEARS_MAX,
               "all that listens");
_Static_assert((int)HTZ_SPEC_GRID_CONTACTS_MAX <= (int)HTZ_GRID_ISLAND_ROLES_MAX, "every contact may have a role");

static double table_or(const htz_table* table, double key, double other) {
  return table->n ? htz_table_at(table, key) : other;
}

static void count_tap(grid_plan* plan, const htz_spec_grid_tap* tap) {
  if (tap->source == HTZ_SOURCE_BODY) {
    ++plan->points[tap->of];
  }
}

/** Points that the bodies need: those of contacts, of what excites, and of what is heard. */
static void count_points(grid_plan* plan) {
  const htz_spec_grid* grid = plan->spec->grid;
  for (size_t c = 0; c < grid->n_contacts; ++c) {
    ++plan->points[grid->contacts[c].below];
    ++plan->points[grid->contacts[c].above];
  }
  for (size_t p = 0; p < plan->spec->n_pickups; ++p) {
    count_tap(plan, &grid->hears[p]);
  }
  for (size_t f = 0; f < grid->n_feeds; ++f) {
    count_tap(plan, &grid->feeds[f].tap);
  }
  for (size_t d = 0; d < plan->spec->board.n_drives; ++d) {
    count_tap(plan, &grid->drives[d]);
  }
  for (size_t i = 0; i < grid->n_gestures; ++i) {
    // Mallets, or a hand or bow and a finger.
    plan->points[grid->gestures[grid->gesture[i]].body] += grid->gesture[i] == HTZ_EXCITE_MALLET ? plan->spec->mallet.pool : 2;
  }
}

static uint32_t take_point(assembly* a, size_t b, double x, double y) {
  const size_t p = a->next[b]++;
  htz_grid_place(a->plan.grids[b], p, x, y);
  return (uint32_t)p;
}

/** Strings that meet along a stretch have as many intervals as the coarser of the two. */
static htz_status match_strings(grid_plan* plan) {
  const htz_spec_grid* grid = plan->spec->grid;
  for (size_t s = 0; s < grid->n_stretches; ++s) {
    const size_t pair[2] = {grid->stretches[s].below, grid->stretches[s].above};
    size_t least = SIZE_MAX;
    for (size_t i = 0; i < 2; ++i) {
      if (grid->bodies[pair[0]].kind != HTZ_GRID_STRING || grid->bodies[pair[1]].kind != HTZ_GRID_STRING) {
        break;
      }
      htz_arena* arena = plan->arena;
      htz_arena trial;
      htz_arena_measure(&trial);
      plan->arena = &trial;
      const htz_status st = htz_grid_build_body(plan, pair[i]);
      const size_t n = st ? 0 : htz_grid_string_intervals(plan->grids[pair[i]]);
      plan->arena = arena;
      htz_arena_free(&trial);
      if (st) {
        return st;
      }
      least = n < least ? n : least;
    }
    if (least != SIZE_MAX) {
      plan->intervals[pair[0]] = plan->intervals[pair[1]] = least;
    }
  }
  return HTZ_OK;
}

static htz_status build_bodies(assembly* a) {
  grid_plan* plan = &a->plan;
  const htz_spec_grid* grid = plan->spec->grid;
  count_points(plan);
  htz_status st = match_strings(plan);
  for (size_t b = 0; b < grid->n_bodies && !st; ++b) {
    st = htz_grid_build_body(plan, b);
  }
  plan->n = grid->n_bodies;
  return st;
}

static void add_contact(assembly* a, const htz_spec_grid_contact* c) {
  const double key = a->plan.key;
  const size_t side[2] = {c->below, c->above};
  uint32_t point[2];
  for (size_t i = 0; i < 2; ++i) {
    point[i] = take_point(a, side[i], table_or(&c->at[i][0], key, middle), table_or(&c->at[i][1], key, middle));
  }
  a->contacts[a->n_contacts++] = (htz_grid_contact_desc){.force = c->force,
                                                         .method = c->method,
                                                         .stiffness = htz_table_at(&c->stiffness, key),
                                                         .exponent = htz_table_at(&c->exponent, key),
                                                         .viscosity = htz_table_at(&c->viscosity, key),
                                                         .cubic = htz_table_at(&c->cubic, key),
                                                         .damping = htz_table_at(&c->damping, key),
                                                         .hysteresis = table_or(&c->hysteresis, key, 0.0),
                                                         .relaxation = table_or(&c->relaxation, key, 0.0),
                                                         .body_a = (uint32_t)c->below,
                                                         .point_a = point[0],
                                                         .body_b = (uint32_t)c->above,
                                                         .point_b = point[1],
                                                         .direction = 1.0,
                                                         .gap = htz_table_at(&c->gap, key),
                                                         .enabled = true};
}

void htz_spec_grid_bridge(const htz_spec* spec, size_t body, double key, double* from, double* to) {
  *from = 0.0;
  *to = 1.0;
  for (size_t s = spec->grid->n_stretches; s > 0; --s) {
    const htz_spec_grid_stretch* stretch = &spec->grid->stretches[s - 1];
    if (stretch->below == body || stretch->above == body) {
      *from = htz_table_at(&stretch->from, key);
      *to = htz_table_at(&stretch->to, key);
    }
  }
}

static double profile_at(const htz_spec_grid_stretch* s, double x) {
  size_t i = 0;
  while (i + 2 < s->n_points && x > s->point[i + 1][0]) {
    ++i;
  }
  const double share = (x - s->point[i][0]) / (s->point[i + 1][0] - s->point[i][0]);
  const double within = share < 0.0 ? 0.0 : share > 1.0 ? 1.0 : share;
  return s->point[i][1] + within * (s->point[i + 1][1] - s->point[i][1]);
}

/** Gap at grid point i of n + 1 [m], without that of the whole. */
static double gap_at(const htz_spec_grid_stretch* s, double key, double length, size_t i, size_t n) {
  const double x = (double)i / (double)n;
  switch (s->profile) {
  case HTZ_PROFILE_PARABOLA: {
    const double way = (x - htz_table_at(&s->apex, key)) * length;
    return htz_table_at(&s->curvature, key) * way * way;
  }
  case HTZ_PROFILE_POINTS:
    return profile_at(s, x);
  case HTZ_PROFILE_FRETS: {
    // The grid point nearest to a fret is the fret.
    const size_t frets = (size_t)floor(htz_table_at(&s->frets, key) + 0.5);
    for (size_t f = 1; f <= frets; ++f) {
      const double at = 1.0 - exp2(-(double)f / frets_per_octave);
      if (fabs(at * (double)n - (double)i) <= 0.5) {
        return 0.0;
      }
    }
    return out_of_reach;
  }
  default:
    return 0.0;
  }
}

static htz_status add_stretch(assembly* a, const htz_spec_grid_stretch* s) {
  const double key = a->plan.key;
  const size_t along = s->string_above ? s->above : s->below, other = s->string_above ? s->below : s->above;
  const htz_grid* string = a->plan.grids[along];
  const size_t n = htz_grid_string_intervals(string);
  const double h = htz_grid_string_spacing(string), from = htz_table_at(&s->from, key), to = htz_table_at(&s->to, key);
  double first = ceil(from * (double)n), last = floor(to * (double)n);
  first = first < 1.0 ? 1.0 : first > (double)(n - 1) ? (double)(n - 1) : first; // the ends are held
  last = last > (double)(n - 1) ? (double)(n - 1) : last < first ? first : last;
  const size_t points = (size_t)(last - first) + 1;
  double* gap = htz_arena_alloc(a->plan.arena, points, sizeof *gap);
  if (!gap) {
    return HTZ_NO_MEMORY;
  }
  for (size_t i = 0; i < points; ++i) {
    gap[i] = htz_table_at(&s->gap, key) + gap_at(s, key, h * (double)n, (size_t)first + i, n);
  }
  const double each = s->profile == HTZ_PROFILE_FRETS ? 1.0 : h;
  a->stretches[a->n_stretches++] = (htz_grid_stretch_desc){.stiffness = each * htz_table_at(&s->stiffness, key),
                                                           .exponent = htz_table_at(&s->exponent, key),
                                                           .viscosity = htz_table_at(&s->viscosity, key),
                                                           .method = s->method,
                                                           .body_a = (uint32_t)along,
                                                           .body_b = (uint32_t)other,
                                                           .first = (uint32_t)first,
                                                           .last = (uint32_t)last,
                                                           .direction = s->string_above ? -1.0 : 1.0,
                                                           .gap = gap};
  return HTZ_OK;
}

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
    const uint32_t point = i > 0 ? take_point(a, gesture->body, x, y) : gesture->point;
    a->contacts[a->n_contacts++] = (htz_grid_contact_desc){.stiffness = htz_table_at(&m->stiffness, key),
                                                           .exponent = htz_table_at(&m->exponent, key),
                                                           .viscosity = htz_table_at(&m->viscosity, key),
                                                           .hysteresis = table_or(&m->hysteresis, key, 0.0),
                                                           .relaxation = table_or(&m->relaxation, key, 0.0),
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

/** What of the bowed string speaks: the longer side of its bridge, the place nearest to an end where it is joined to something both ways. */
static void find_speaking(const assembly* a, double speaks[2]) {
  const htz_spec_grid* grid = a->plan.spec->grid;
  speaks[0] = 0.0;
  speaks[1] = 1.0;
  for (size_t c = 0; c < grid->n_contacts; ++c) {
    const htz_spec_grid_contact* contact = &grid->contacts[c];
    const bool above = contact->above == a->island.bowed;
    if (contact->force != HTZ_GRID_COLLISION && (above || contact->below == a->island.bowed)) {
      const double at = table_or(&contact->at[above][0], a->plan.key, 1.0);
      if (at > middle) {
        speaks[1] = at < speaks[1] ? at : speaks[1];
      } else {
        speaks[0] = at > speaks[0] ? at : speaks[0];
      }
    }
  }
}

/** What a bow, and a light finger, need: what of the string speaks, a hand to hold it, and how it twists. */
static htz_status add_bow(assembly* a, const htz_grid_gesture* gesture) {
  static const double twist_pitch = 5.0; // of twisting over that of swinging, as of strings with modes
  const htz_spec* spec = a->plan.spec;
  htz_grid_island_desc* island = &a->island;
  const htz_grid* string = a->plan.grids[gesture->body];
  const double key = a->plan.key, h = htz_grid_string_spacing(string);
  const double impedance = sqrt(htz_grid_string_tension(string) * string->mass / h);
  size_t hand;
  const htz_status st = add_hand(a, &hand);
  if (st) {
    return st;
  }
  island->bowed = gesture->body;
  island->bow_point = gesture->point;
  find_speaking(a, island->speaks);
  a->bow = (htz_grid_bow_desc){.law = spec->bow.law, .body = gesture->body, .point = gesture->point};
  if (spec->bow.torsion > 0.0) {
    const double at = htz_table_at(&spec->bow.at, key), twisting = spec->bow.torsion * impedance;
    a->bow.yield = 0.5 / twisting;
    a->bow.spring = 2.0 * twisting * twist_pitch * htz_grid_string_partial(string, 1) / (at * (1.0 - at));
  }
  island->finger_point = take_point(a, gesture->body, middle, middle);
  island->finger = add_hold(a, gesture->body, hand, island->finger_point, 0.0, finger_hold * impedance);
  return HTZ_OK;
}

static htz_status add_gesture(assembly* a, htz_excite kind) {
  const htz_spec* spec = a->plan.spec;
  const htz_spec_gesture* from = &spec->grid->gestures[kind];
  const bool mallet = kind == HTZ_EXCITE_MALLET;
  const double key = a->plan.key, x = table_or(mallet ? &spec->mallet.at : &from->at, key, middle),
               y = table_or(mallet ? &spec->mallet.at_y : &from->at_y, key, middle);
  htz_grid_gesture* gesture = &a->island.gestures[a->island.n_gestures++];
  *gesture = (htz_grid_gesture){.kind = kind,
                                .body = (uint32_t)from->body,
                                .point = take_point(a, from->body, x, y),
                                .toward = toward(spec->grid, from->body),
                                .width = table_or(&from->width, key, 0.0),
                                .height = table_or(&from->height, key, 0.0),
                                .time = table_or(&from->time, key, 0.0)};
  if (mallet) {
    return add_mallet(a, gesture, x, y);
  }
  if (kind == HTZ_EXCITE_BOW) {
    return add_bow(a, gesture);
  }
  size_t hand;
  const htz_status st = kind == HTZ_EXCITE_PLUCK ? add_hand(a, &hand) : HTZ_OK;
  if (!st && kind == HTZ_EXCITE_PLUCK) {
    const double hold = hand_hold * pull_stiffness(&a->plan, from->body, x);
    gesture->contact = add_hold(a, from->body, hand, gesture->point, hold, 0.0);
  }
  return st;
}

static htz_status add_gestures(assembly* a) {
  const htz_spec_grid* grid = a->plan.spec->grid;
  a->island.bowed = a->island.finger = HTZ_GRID_NONE;
  htz_status st = HTZ_OK;
  for (size_t i = 0; i < grid->n_gestures && !st; ++i) {
    st = add_gesture(a, grid->gesture[i]);
  }
  return st;
}

static void add_roles(assembly* a) {
  const htz_spec_grid* grid = a->plan.spec->grid;
  for (size_t i = 0; i < grid->n_contacts; ++i) {
    const htz_spec_grid_contact* c = &grid->contacts[i];
    if (c->role == HTZ_ROLE_NONE) {
      continue;
    }
    const bool mass_above = grid->bodies[c->above].kind == HTZ_GRID_MASS;
    const bool mass = mass_above || grid->bodies[c->below].kind == HTZ_GRID_MASS;
    const size_t end = mass ? !mass_above : grid->bodies[c->above].kind == HTZ_GRID_STRING;
    const size_t body = end ? c->above : c->below, weight = mass_above ? c->above : c->below;
    htz_grid_moved* m = &a->island.roles[a->island.n_roles++];
    *m = (htz_grid_moved){.role = c->role,
                          .contact = (uint32_t)i,
                          .mass = mass ? (uint32_t)weight : HTZ_GRID_NONE,
                          .body = (uint32_t)body,
                          .point = end ? a->contacts[i].point_b : a->contacts[i].point_a,
                          .at = table_or(&c->at[end][0], a->plan.key, middle),
                          .at_y = table_or(&c->at[end][1], a->plan.key, middle),
                          .gap = a->contacts[i].gap,
                          .damping = a->contacts[i].damping};
    if (mass) {
      m->load = htz_grid_mass_at(&a->plan, weight);
    }
    htz_spec_grid_bridge(a->plan.spec, body, a->plan.key, &m->from, &m->to);
  }
}

/** One more pickup of the resonator that the tap hears. @return its number */
static uint32_t listen(assembly* a, const htz_spec_grid_tap* tap) {
  const double key = a->plan.key, y = table_or(&tap->at_y, key, (double)NAN);
  htz_modal* resonator = a->island.resonators[tap->of];
  const uint32_t p = a->heard[tap->of]++;
  if (isnan(y)) {
    htz_modal_listen(resonator, p, tap->quantity, htz_table_at(&tap->at, key), htz_table_at(&tap->gain, key));
  } else {
    htz_modal_listen_xy(resonator, p, tap->quantity, htz_table_at(&tap->at, key), y, htz_table_at(&tap->gain, key));
  }
  return p;
}

/** T u_x - EI u_xxx at a supported end, where u and u_xx are 0: u_-1 = -u_1. */
static void hear_end(const grid_plan* plan, size_t b, bool far, htz_grid_hear* h) {
  const htz_grid* string = plan->grids[b];
  const double step = htz_grid_string_spacing(string), bend = htz_grid_string_stiffness(plan, b) / (step * step * step);
  const uint32_t n = (uint32_t)htz_grid_string_intervals(string);
  h->what = HTZ_GRID_HEAR_END;
  h->pull[0] = htz_grid_string_tension(string) / step + 2.0 * bend;
  h->pull[1] = -bend;
  h->next[0] = far ? n - 1 : 1;
  h->next[1] = far ? n - 2 : 2;
}

/** Let a line, or resonator `resonator`, hear what the tap does. */
static void add_hear(assembly* a, const htz_spec_grid_tap* tap, uint32_t line, uint32_t resonator) {
  const double key = a->plan.key;
  htz_grid_hear* h = &a->island.hears[a->island.n_hears++];
  *h = (htz_grid_hear){.of = (uint32_t)tap->of, .gain = htz_table_at(&tap->gain, key), .line = line, .resonator = resonator};
  if (tap->source != HTZ_SOURCE_BODY) {
    h->what = tap->source == HTZ_SOURCE_CONTACT ? HTZ_GRID_HEAR_CONTACT : HTZ_GRID_HEAR_STRETCH;
    return;
  }
  const double x = table_or(&tap->at, key, middle), y = table_or(&tap->at_y, key, middle);
  h->point = take_point(a, tap->of, x, y);
  if (tap->quantity == HTZ_HEAR_FORCE) {
    hear_end(&a->plan, tap->of, x >= middle, h);
  } else {
    h->what = (htz_grid_hearing)tap->quantity;
  }
}

/** Resonators are made when the network is: what is heard of one is a pickup of its own. */
static void add_line(assembly* a, const htz_spec_grid_tap* tap, uint32_t line) {
  htz_grid_island_desc* island = &a->island;
  island->n_lines = island->n_lines > line ? island->n_lines : line + 1;
  if (tap->source == HTZ_SOURCE_RESONATOR) {
    island->outputs[island->n_outputs++] = (htz_output){(uint32_t)tap->of, listen(a, tap), line};
  } else {
    add_hear(a, tap, line, HTZ_GRID_NONE);
  }
}

static void add_hears(assembly* a) {
  const htz_spec* spec = a->plan.spec;
  htz_grid_island_desc* island = &a->island;
  for (size_t p = 0; p < spec->n_pickups; ++p) {
    add_line(a, &spec->grid->hears[p], htz_build_line_of(spec, p));
  }
  for (size_t d = 0; d < spec->board.n_drives; ++d) {
    add_line(a, &spec->grid->drives[d], htz_build_line_of(spec, spec->n_pickups));
  }
  for (size_t f = 0; f < spec->grid->n_feeds; ++f) {
    const htz_spec_grid_feed* feed = &spec->grid->feeds[f];
    if (feed->tap.source == HTZ_SOURCE_RESONATOR) {
      const uint32_t from = (uint32_t)feed->tap.of;
      island->feeds[island->n_feeds++] = (htz_feed){from, listen(a, &feed->tap), (uint32_t)feed->to};
    } else {
      add_hear(a, &feed->tap, 0, (uint32_t)feed->to);
    }
    const double y = table_or(&feed->into_y, a->plan.key, (double)NAN);
    htz_modal_place_xy(island->resonators[feed->to], 0, htz_table_at(&feed->into, a->plan.key), y);
  }
}

/** How often resonator `r` is heard, by lines and by other resonators. */
static size_t times_heard(const htz_spec* spec, size_t r) {
  size_t n = 0;
  for (size_t p = 0; p < spec->n_pickups; ++p) {
    n += spec->grid->hears[p].source == HTZ_SOURCE_RESONATOR && spec->grid->hears[p].of == r;
  }
  for (size_t d = 0; d < spec->board.n_drives; ++d) {
    n += spec->grid->drives[d].source == HTZ_SOURCE_RESONATOR && spec->grid->drives[d].of == r;
  }
  for (size_t f = 0; f < spec->grid->n_feeds; ++f) {
    n += spec->grid->feeds[f].tap.source == HTZ_SOURCE_RESONATOR && spec->grid->feeds[f].tap.of == r;
  }
  return n;
}

static htz_status build_resonators(assembly* a) {
  grid_plan* plan = &a->plan;
  const htz_spec* spec = plan->spec;
  htz_status st = HTZ_OK;
  for (size_t r = 0; r < spec->n_bodies && !st; ++r) {
    htz_modes* modes = htz_arena_alloc(plan->arena, 1, sizeof *modes);
    if (!modes) {
      return HTZ_NO_MEMORY;
    }
    st = htz_spec_modes(&spec->bodies[r], plan->key, plan->arena, modes, &plan->why);
    if (!st) {
      st = htz_modal_new(modes, 1, times_heard(spec, r), plan->rate_hz, plan->kernels, plan->arena, &a->island.resonators[r]);
    }
    if (st) {
      snprintf(plan->where, sizeof plan->where, "resonators.%s", spec->bodies[r].name);
    }
  }
  a->island.n_resonators = spec->n_bodies;
  return st;
}

static htz_status build_network(assembly* a) {
  const htz_spec_grid* grid = a->plan.spec->grid;
  grid_plan* plan = &a->plan;
  plan->which = NULL; // what fails from here on is no body's fault
  for (size_t c = 0; c < grid->n_contacts; ++c) {
    add_contact(a, &grid->contacts[c]);
  }
  htz_status st = HTZ_OK;
  for (size_t s = 0; s < grid->n_stretches && !st; ++s) {
    st = add_stretch(a, &grid->stretches[s]);
  }
  st = st ? st : add_gestures(a);
  st = st ? st : build_resonators(a);
  if (st) {
    return st;
  }
  add_roles(a);
  add_hears(a);
  const htz_grid_network_desc d = {.n_bodies = plan->n,
                                   .bodies = plan->grids,
                                   .n_contacts = a->n_contacts,
                                   .contacts = a->contacts,
                                   .n_stretches = a->n_stretches,
                                   .stretches = a->stretches,
                                   .n_bows = a->island.bowed != HTZ_GRID_NONE ? 1 : 0,
                                   .bows = &a->bow};
  st = htz_grid_network_new(&d, plan->arena, &a->island.net, &plan->why);
  return st ? st : htz_grid_check_places(a);
}

static void fill_island(assembly* a) {
  const htz_spec_grid* grid = a->plan.spec->grid;
  htz_grid_island_desc* island = &a->island;
  island->n_bodies = a->plan.n;
  for (size_t b = 0; b < a->plan.n; ++b) {
    const htz_spec_grid_body* body = b < grid->n_bodies ? &grid->bodies[b] : NULL;
    island->bodies[b] = a->plan.grids[b];
    island->follows[b] = body && body->pitch == HTZ_PITCH_KEY;
    island->damped[b] = body && body->kind != HTZ_GRID_MASS && body->kind != HTZ_GRID_BARRIER;
  }
}

htz_status htz_grid_assemble(assembly* a, const htz_spec* spec, double key, double rate_hz, const htz_kernels* kernels,
                             htz_arena* arena) {
  *a = (assembly){.plan = {.spec = spec, .key = key, .rate_hz = rate_hz, .kernels = kernels, .arena = arena}};
  const htz_status st = build_bodies(a);
  return st ? st : build_network(a);
}

htz_status htz_grid_build_island(builder* build, double key, htz_island** out) {
  assembly a;
  htz_status st = htz_grid_assemble(&a, build->spec, key, build->rate_hz, build->kernels, build->arena);
  if (!st) {
    fill_island(&a);
    st = htz_grid_island_new(&a.island, build->rate_hz, build->arena, out);
  }
  if (st) {
    htz_grid_blame(&a.plan, build);
  }
  return st;
}
