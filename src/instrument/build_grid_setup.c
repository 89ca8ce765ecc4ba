#include "build_grid.h"

#include <math.h>
#include <string.h>

static const double middle = 0.5;
static const double out_of_reach = 1.0; // gap where there is no fret [m]

// What excites a key adds bodies and, mallet, hand or finger, contacts.
enum { HANDS = 2 }; // of a pluck and of a light finger
_Static_assert((int)HTZ_SPEC_GRID_BODIES_MAX + HTZ_GRID_MALLETS_MAX + HANDS <= (int)HTZ_GRID_BODIES_MAX, "room for all");
_Static_assert((int)HTZ_SPEC_GRID_CONTACTS_MAX + HTZ_GRID_MALLETS_MAX + HANDS <= (int)HTZ_GRID_CONTACTS_MAX,
               "and for their contacts");
_Static_assert((int)HTZ_SPEC_POOL_MAX <= (int)HTZ_GRID_MALLETS_MAX && (int)HTZ_SPEC_POOL_MAX <= (int)HTZ_ISLAND_MALLETS_MAX,
               "a file's mallets fit");
_Static_assert((int)HTZ_SPEC_GRID_CONTACTS_MAX + 2 * HTZ_ISLAND_PICKUPS_MAX + HTZ_SPEC_DRIVES_MAX + HTZ_GRID_MALLETS_MAX + 6 <=
                   (int)HTZ_GRID_POINTS_MAX,
               "all of them on one body");
_Static_assert((int)HTZ_ISLAND_PICKUPS_MAX + HTZ_SPEC_GRID_FEEDS_MAX + HTZ_SPEC_DRIVES_MAX <= (int)HTZ_GRID_ISLAND_HEARS_MAX,
               "all that listens");
_Static_assert((int)HTZ_SPEC_GRID_CONTACTS_MAX <= (int)HTZ_GRID_ISLAND_ROLES_MAX, "every contact may have a role");

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
    // Mallets, or a hand or the first bow and a finger.
    plan->points[grid->gestures[grid->gesture[i]].body] += grid->gesture[i] == HTZ_EXCITE_MALLET ? plan->spec->mallet.pool : 2;
  }
  for (size_t b = 1; b < plan->spec->n_bows; ++b) {
    ++plan->points[plan->spec->bows[b].body];
  }
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
    point[i] = htz_grid_take_point(a, side[i], htz_grid_table_or(&c->at[i][0], key, middle),
                                   htz_grid_table_or(&c->at[i][1], key, middle));
  }
  a->contacts[a->n_contacts++] = (htz_grid_contact_desc){.force = c->force,
                                                         .method = c->method,
                                                         .stiffness = htz_table_at(&c->stiffness, key),
                                                         .exponent = htz_table_at(&c->exponent, key),
                                                         .viscosity = htz_table_at(&c->viscosity, key),
                                                         .cubic = htz_table_at(&c->cubic, key),
                                                         .damping = htz_table_at(&c->damping, key),
                                                         .hysteresis = htz_grid_table_or(&c->hysteresis, key, 0.0),
                                                         .relaxation = htz_grid_table_or(&c->relaxation, key, 0.0),
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

/** Gap at grid point i of n + 1 [m], without that of the whole; the grid point nearest to a fret is the fret. */
static double gap_at(const htz_spec_barrier* b, double key, double length, size_t i, size_t n) {
  if (!b->frets.n) {
    return htz_spec_barrier_gap(b, key, length, (double)i / (double)n);
  }
  for (size_t f = 1; f <= htz_spec_barrier_frets(b, key); ++f) {
    if (fabs(htz_spec_fret(f) * (double)n - (double)i) <= 0.5) {
      return htz_spec_barrier_gap(b, key, length, htz_spec_fret(f));
    }
  }
  return out_of_reach;
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
    gap[i] = htz_table_at(&s->gap, key) + gap_at(&s->barrier, key, h * (double)n, (size_t)first + i, n);
  }
  const double each = s->barrier.frets.n ? 1.0 : h;
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
                          .at = htz_grid_table_or(&c->at[end][0], a->plan.key, middle),
                          .at_y = htz_grid_table_or(&c->at[end][1], a->plan.key, middle),
                          .gap = a->contacts[i].gap,
                          .damping = a->contacts[i].damping};
    if (mass) {
      m->load = htz_grid_mass_at(&a->plan, weight);
    }
    memcpy(m->control, c->control, sizeof m->control);
    m->to = 1.0;
    if (c->role == HTZ_ROLE_THREAD) {
      htz_spec_grid_bridge(a->plan.spec, body, a->plan.key, &m->from, &m->to);
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
  st = st ? st : htz_grid_add_gestures(a);
  st = st ? st : htz_grid_build_resonators(a);
  if (st) {
    return st;
  }
  add_roles(a);
  htz_grid_add_hears(a);
  const htz_grid_network_desc d = {.n_bodies = plan->n,
                                   .bodies = plan->grids,
                                   .n_contacts = a->n_contacts,
                                   .contacts = a->contacts,
                                   .n_stretches = a->n_stretches,
                                   .stretches = a->stretches,
                                   .n_bows = a->island.n_bows,
                                   .bows = a->bows};
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
