#include "build_grid.h"

#include <math.h>

static const double middle = 0.5;
static const double hand_hold = 40.0;  // stiffness of a hand that pulls a string, over that of the string there
static const double finger_hold = 0.5; // damping of a light finger, over the string's wave impedance: it stops what moves there
static const double out_of_reach = 1.0; // gap where there is no fret [m]
static const double frets_per_octave = 12.0;

// What excites a key adds a body and, mallet, hand or finger, a contact.
_Static_assert((int)HTZ_SPEC_GRID_BODIES_MAX < (int)HTZ_GRID_BODIES_MAX, "room for a mallet or a hand");
_Static_assert((int)HTZ_SPEC_GRID_CONTACTS_MAX < (int)HTZ_GRID_CONTACTS_MAX, "and for its contact");
_Static_assert((int)HTZ_SPEC_GRID_CONTACTS_MAX <= (int)HTZ_GRID_ISLAND_ROLES_MAX, "every contact may have a role");

static double table_or(const htz_table* table, double key, double other) {
  return table->n ? htz_table_at(table, key) : other;
}

/** Points that the bodies need: those of contacts, of what excites, and of what is heard. */
static void count_points(grid_plan* plan) {
  const htz_spec_grid* grid = plan->spec->grid;
  for (size_t c = 0; c < grid->n_contacts; ++c) {
    ++plan->points[grid->contacts[c].below];
    ++plan->points[grid->contacts[c].above];
  }
  for (size_t p = 0; p < plan->spec->n_pickups; ++p) {
    if (!grid->hears[p].of_contact && !grid->hears[p].of_stretch) {
      ++plan->points[plan->spec->pickups[p].of];
    }
  }
  plan->points[grid->excited] += 2; // mallet, hand or bow, and a finger
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

/** A spring between the excited body and a hand, switched off. @return its number */
static uint32_t add_hold(assembly* a, size_t hand, uint32_t point, double stiffness, double damping) {
  a->contacts[a->n_contacts] = (htz_grid_contact_desc){.force = HTZ_GRID_SPRING,
                                                       .stiffness = stiffness,
                                                       .exponent = 1.0,
                                                       .damping = damping,
                                                       .body_a = (uint32_t)a->plan.spec->grid->excited,
                                                       .point_a = point,
                                                       .body_b = (uint32_t)hand,
                                                       .point_b = (uint32_t)a->next[hand]++,
                                                       .direction = 1.0};
  return (uint32_t)a->n_contacts++;
}

static htz_status add_mallet(assembly* a) {
  const htz_spec_mallet* m = &a->plan.spec->mallet;
  const double key = a->plan.key;
  const htz_grid_mass_desc d = {.mass = htz_table_at(&m->mass, key)};
  const size_t b = a->plan.n;
  const htz_status st = htz_grid_mass_new(&d, a->plan.rate_hz, a->plan.arena, &a->plan.grids[b], &a->plan.why);
  if (st) {
    return st;
  }
  a->plan.n = b + 1;
  a->island.mallet = (uint32_t)b;
  a->island.contact = (uint32_t)a->n_contacts;
  a->contacts[a->n_contacts++] = (htz_grid_contact_desc){.stiffness = htz_table_at(&m->stiffness, key),
                                                         .exponent = htz_table_at(&m->exponent, key),
                                                         .viscosity = htz_table_at(&m->viscosity, key),
                                                         .body_a = (uint32_t)b,
                                                         .point_a = (uint32_t)a->next[b]++,
                                                         .body_b = a->island.body,
                                                         .point_b = a->island.point,
                                                         .direction = 1.0};
  return HTZ_OK;
}

/** A throw goes towards the first contact of the mass: up when the other lies above. */
static double toward(const htz_spec_grid* grid) {
  for (size_t c = 0; c < grid->n_contacts; ++c) {
    if (grid->contacts[c].below == grid->excited || grid->contacts[c].above == grid->excited) {
      return grid->contacts[c].below == grid->excited ? 1.0 : -1.0;
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
    const bool above = contact->above == grid->excited;
    if (contact->force != HTZ_GRID_COLLISION && (above || contact->below == grid->excited)) {
      const double at = table_or(&contact->at[above][0], a->plan.key, 1.0);
      if (at > middle) {
        speaks[1] = at < speaks[1] ? at : speaks[1];
      } else {
        speaks[0] = at > speaks[0] ? at : speaks[0];
      }
    }
  }
}

static htz_status add_excitement(assembly* a) {
  const htz_spec* spec = a->plan.spec;
  const htz_spec_grid* grid = spec->grid;
  const double key = a->plan.key, x = table_or(&spec->mallet.at, key, middle), y = table_or(&spec->mallet.at_y, key, middle);
  htz_grid_island_desc* island = &a->island;
  island->excite = grid->excite;
  island->body = (uint32_t)grid->excited;
  island->point = take_point(a, grid->excited, x, y);
  island->finger = HTZ_GRID_NONE;
  island->width = table_or(&grid->width, key, 0.0);
  island->height = table_or(&grid->height, key, 0.0);
  island->time = table_or(&grid->time, key, 0.0);
  island->toward = toward(grid);
  if (grid->excite == HTZ_EXCITE_MALLET) {
    return add_mallet(a);
  }
  size_t hand;
  const bool held = grid->excite == HTZ_EXCITE_PLUCK || grid->excite == HTZ_EXCITE_BOW;
  const htz_status st = held ? add_hand(a, &hand) : HTZ_OK;
  if (st || !held) {
    return st;
  }
  if (grid->excite == HTZ_EXCITE_PLUCK) {
    island->contact = add_hold(a, hand, island->point, hand_hold * pull_stiffness(&a->plan, grid->excited, x), 0.0);
  } else {
    const htz_grid* string = a->plan.grids[grid->excited];
    island->bow_point = island->point;
    find_speaking(a, island->speaks);
    a->bow = (htz_grid_bow_desc){spec->bows[0].law, (uint32_t)grid->excited, island->point};
    island->finger_point = take_point(a, grid->excited, middle, middle);
    const double h = htz_grid_string_spacing(string), impedance = sqrt(htz_grid_string_tension(string) * string->mass / h);
    island->finger = add_hold(a, hand, island->finger_point, 0.0, finger_hold * impedance);
  }
  return HTZ_OK;
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
                          .gap = a->contacts[i].gap};
    if (mass) {
      m->load = htz_grid_mass_at(&a->plan, weight);
    }
    htz_spec_grid_bridge(a->plan.spec, body, a->plan.key, &m->from, &m->to);
  }
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

static void add_hears(assembly* a) {
  const htz_spec* spec = a->plan.spec;
  for (size_t p = 0; p < spec->n_pickups; ++p) {
    const htz_spec_pickup* pickup = &spec->pickups[p];
    const htz_spec_grid_pickup* hears = &spec->grid->hears[p];
    htz_grid_hear* h = &a->island.hears[a->island.n_hears++];
    *h = (htz_grid_hear){.of = (uint32_t)pickup->of, .gain = htz_table_at(&pickup->gain, a->plan.key)};
    h->line = htz_build_line_of(spec, p);
    a->island.n_lines = a->island.n_lines > h->line ? a->island.n_lines : h->line + 1;
    if (hears->of_contact || hears->of_stretch) {
      h->what = hears->of_contact ? HTZ_GRID_HEAR_CONTACT : HTZ_GRID_HEAR_STRETCH;
      continue;
    }
    const double x = table_or(&pickup->at, a->plan.key, middle), y = table_or(&pickup->at_y, a->plan.key, middle);
    h->point = take_point(a, pickup->of, x, y);
    if (pickup->quantity == HTZ_HEAR_FORCE) {
      hear_end(&a->plan, pickup->of, x >= middle, h);
    } else {
      h->what = (htz_grid_hearing)pickup->quantity;
    }
  }
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
  st = st ? st : add_excitement(a);
  if (st) {
    return st;
  }
  add_roles(a);
  add_hears(a);
  const bool bowed = grid->excite == HTZ_EXCITE_BOW;
  const htz_grid_network_desc d = {.n_bodies = plan->n,
                                   .bodies = plan->grids,
                                   .n_contacts = a->n_contacts,
                                   .contacts = a->contacts,
                                   .n_stretches = a->n_stretches,
                                   .stretches = a->stretches,
                                   .n_bows = bowed ? 1 : 0,
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
