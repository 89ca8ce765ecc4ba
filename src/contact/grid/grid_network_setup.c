#include "grid_network_private.h"

#include <math.h>

static bool not_negative(double x) {
  return x >= 0.0 && isfinite(x);
}

static bool sign(double x) {
  return x == 1.0 || x == -1.0;
}

static const char* contact_fault(const htz_grid_network_desc* desc, const htz_grid_contact_desc* c) {
  if (c->body_a >= desc->n_bodies || c->body_b >= desc->n_bodies || c->body_a == c->body_b) {
    return "contact: two different bodies";
  }
  if (c->point_a >= desc->bodies[c->body_a]->n_points || c->point_b >= desc->bodies[c->body_b]->n_points) {
    return "contact: a point that the body has";
  }
  if (!sign(c->direction)) {
    return "direction: 1 or -1";
  }
  if (!isfinite(c->gap)) {
    return "gap: a number";
  }
  if (!not_negative(c->cubic)) {
    return "cubic: a number from 0 on";
  }
  if (!not_negative(c->damping)) {
    return "damping: a number from 0 on";
  }
  if (c->force == HTZ_GRID_SPRING) {
    const htz_grid_law linear = {.stiffness = c->stiffness, .exponent = 1.0};
    return htz_grid_law_fault(HTZ_GRID_NEWTON, &linear);
  }
  const bool collides = c->force == HTZ_GRID_COLLISION;
  const htz_grid_law law = {.stiffness = c->stiffness,
                            .exponent = c->exponent,
                            .viscosity = collides ? c->viscosity : 0.0,
                            .hysteresis = collides ? c->hysteresis : 0.0,
                            .relaxation = c->relaxation};
  return htz_grid_law_fault(c->method, &law);
}

static const char* stretch_fault(const htz_grid_network_desc* desc, size_t k) {
  const htz_grid_stretch_desc* s = &desc->stretches[k];
  if (s->body_a >= desc->n_bodies || s->body_b >= desc->n_bodies || s->body_a == s->body_b) {
    return "stretch: two different bodies";
  }
  const htz_grid* a = desc->bodies[s->body_a];
  const htz_grid* b = desc->bodies[s->body_b];
  if (s->first > s->last || s->last >= a->n) {
    return "stretch: grid points that the string has";
  }
  if (b->compliance != 0.0 && b->n != a->n) {
    return "stretch: strings of as many grid points";
  }
  if (!sign(s->direction)) {
    return "direction: 1 or -1";
  }
  for (uint32_t i = 0; i <= s->last - s->first; ++i) {
    if (!isfinite(s->gap[i])) {
      return "gap: a number";
    }
  }
  const htz_grid_law law = {.stiffness = s->stiffness, .exponent = s->exponent, .viscosity = s->viscosity};
  return htz_grid_law_fault(s->method, &law);
}

/** The rate is that of a body that has one: barriers have none. */
static double period_of(const htz_grid_network_desc* desc) {
  double period = 0.0;
  for (size_t i = 0; i < desc->n_bodies; ++i) {
    period = desc->bodies[i]->period > 0.0 ? desc->bodies[i]->period : period;
  }
  return period;
}

static const char* fault(const htz_grid_network_desc* desc) {
  if (desc->n_bodies == 0 || desc->n_bodies > HTZ_GRID_BODIES_MAX) {
    return "bodies: 1 to 24";
  }
  if (desc->n_contacts > HTZ_GRID_CONTACTS_MAX) {
    return "contacts: at most 40";
  }
  if (desc->n_stretches > HTZ_GRID_STRETCHES_MAX) {
    return "stretches: at most 4";
  }
  if (desc->n_bows > HTZ_GRID_BOWS_MAX) {
    return "bows: at most 2";
  }
  const double period = period_of(desc);
  if (period == 0.0) {
    return "bodies: one at least that can move";
  }
  for (size_t i = 0; i < desc->n_bodies; ++i) {
    if (desc->bodies[i]->period > 0.0 && desc->bodies[i]->period != period) {
      return "bodies: all of one sample rate";
    }
  }
  const char* why = NULL;
  for (size_t i = 0; !why && i < desc->n_contacts; ++i) {
    why = contact_fault(desc, &desc->contacts[i]);
  }
  for (size_t i = 0; !why && i < desc->n_stretches; ++i) {
    why = stretch_fault(desc, i);
  }
  for (size_t i = 0; !why && i < desc->n_bows; ++i) {
    const htz_grid_bow_desc* b = &desc->bows[i];
    if (b->body >= desc->n_bodies || b->point >= desc->bodies[b->body]->n_points) {
      return "bow: a body and a point that it has";
    }
    if (!not_negative(b->twist_admittance) || !not_negative(b->spring)) {
      return "torsion: a number from 0 on";
    }
    (void)htz_friction_valid(&b->law, &why);
  }
  return why;
}

static void fill_contact(htz_grid_network* net, const htz_grid_contact_desc* d, grid_contact* c) {
  c->law = (grid_law){.force = d->force,
                      .method = d->force == HTZ_GRID_SPRING ? HTZ_GRID_NEWTON : d->method,
                      .stiffness = d->stiffness,
                      .exponent = d->force == HTZ_GRID_SPRING ? 1.0 : d->exponent,
                      .viscosity = d->viscosity,
                      .hysteresis = d->hysteresis,
                      .relaxation = d->relaxation,
                      .cubic = d->cubic,
                      .damping = d->damping,
                      .period = net->period};
  htz_grid_law_derive(&c->law);
  c->a = (grid_side){net->bodies[d->body_a], d->body_a, d->point_a};
  c->b = (grid_side){net->bodies[d->body_b], d->body_b, d->point_b};
  c->direction = d->direction;
  c->gap = d->gap;
  c->enabled = d->enabled;
}

static void fill_stretch(htz_grid_network* net, const htz_grid_stretch_desc* d, htz_arena* arena, grid_stretch* s) {
  s->law = (grid_law){.force = HTZ_GRID_COLLISION,
                      .method = d->method,
                      .stiffness = d->stiffness,
                      .exponent = d->exponent,
                      .viscosity = d->viscosity,
                      .period = net->period};
  htz_grid_law_derive(&s->law);
  s->a = net->bodies[d->body_a];
  s->b = net->bodies[d->body_b];
  s->body_a = d->body_a;
  s->body_b = d->body_b;
  s->fixed = s->b->compliance == 0.0;
  s->first = d->first;
  s->n = d->last - d->first + 1;
  s->direction = d->direction;
  s->gap = htz_arena_alloc(arena, s->n, sizeof(double));
  s->compliance = htz_arena_alloc(arena, s->n, sizeof(double));
  s->free = htz_arena_alloc(arena, s->n, sizeof(double));
  s->stacked = htz_arena_alloc(arena, s->n, sizeof(bool));
  s->memory = htz_arena_alloc(arena, s->n, sizeof(grid_memory));
  for (size_t i = 0; !arena->failed && i < s->n; ++i) {
    s->gap[i] = d->gap[i];
  }
}

/** What only the groups tell. */
static const char* grouping_fault(const htz_grid_network* net) {
  return net->count.crowded > 0 ? "contacts: more than 48 contacts and points of stretches hang together" : NULL;
}

/** Members of all groups together at most: every contact, and the points of stretches that contacts and bows can meet. */
static size_t members_most(const htz_grid_network_desc* desc) {
  enum { CUBIC = 4 }; // grid points of a string that one point reaches
  size_t points = 0;
  for (size_t i = 0; i < desc->n_stretches; ++i) {
    points += desc->stretches[i].last - desc->stretches[i].first + 1;
  }
  const size_t met = CUBIC * desc->n_stretches * (2 * desc->n_contacts + desc->n_bows);
  return desc->n_contacts + (met < points ? met : points) + 1;
}

/** Stretches that move a grid point which another of them moves, from `k` on, at grid point `at`. */
static void join_stack(const htz_grid_network* net, uint32_t k, uint32_t at, bool* taken, grid_stack* stack) {
  stack->n = 0;
  stack->stretch[stack->n++] = k;
  taken[k] = true;
  for (size_t m = 0; m < stack->n; ++m) {
    const grid_stretch* s = &net->stretches[stack->stretch[m]];
    for (uint32_t j = 0; j < net->n_stretches; ++j) {
      const grid_stretch* other = &net->stretches[j];
      const bool there = !taken[j] && at >= other->first && at < other->first + other->n;
      if (there && htz_grid_network_compliance(net, (grid_member){stack->stretch[m], at - s->first},
                                               (grid_member){j, at - other->first}) != 0.0) {
        stack->stretch[stack->n++] = j;
        taken[j] = true;
      }
    }
  }
}

static void lay_stack(htz_grid_network* net, const grid_stack* stack) {
  for (size_t m = 0; m < stack->n; ++m) {
    grid_stretch* s = &net->stretches[stack->stretch[m]];
    for (uint32_t at = stack->first; at <= stack->last; ++at) {
      s->stacked[at - s->first] = true;
    }
  }
  net->stacks[net->n_stacks++] = *stack;
}

static void find_stacks(htz_grid_network* net) {
  uint32_t at = 0, end = 0;
  for (size_t k = 0; k < net->n_stretches; ++k) {
    const uint32_t past = net->stretches[k].first + (uint32_t)net->stretches[k].n;
    end = past > end ? past : end;
  }
  while (at < end) {
    // Up to the next end of a stretch all grid points are alike.
    uint32_t next = end;
    for (size_t k = 0; k < net->n_stretches; ++k) {
      const uint32_t first = net->stretches[k].first, past = first + (uint32_t)net->stretches[k].n;
      next = first > at && first < next ? first : next;
      next = past > at && past < next ? past : next;
    }
    bool taken[HTZ_GRID_STRETCHES_MAX] = {false};
    for (uint32_t k = 0; k < net->n_stretches; ++k) {
      grid_stack stack = {.first = at, .last = next - 1};
      const grid_stretch* s = &net->stretches[k];
      if (!taken[k] && at >= s->first && at < s->first + s->n) {
        join_stack(net, k, at, taken, &stack);
        if (stack.n > 1) {
          lay_stack(net, &stack);
        }
      }
    }
    at = next;
  }
}

htz_status htz_grid_network_new(const htz_grid_network_desc* desc, htz_arena* arena, htz_grid_network** out, const char** why) {
  const char* bad = fault(desc);
  if (bad) {
    *why = bad;
    return HTZ_BAD_VALUE;
  }
  htz_grid_network* net = htz_arena_alloc(arena, 1, sizeof *net);
  htz_grid** bodies = htz_arena_alloc(arena, desc->n_bodies, sizeof *bodies);
  grid_contact* contacts = htz_arena_alloc(arena, desc->n_contacts + 1, sizeof *contacts);
  grid_stretch* stretches = htz_arena_alloc(arena, desc->n_stretches + 1, sizeof *stretches);
  grid_bow* bows = htz_arena_alloc(arena, desc->n_bows + 1, sizeof *bows);
  grid_group* groups = htz_arena_alloc(arena, desc->n_contacts + desc->n_bows + 1, sizeof *groups);
  const size_t members = members_most(desc);
  grid_member* member = htz_arena_alloc(arena, members, sizeof *member);
  double* compliance =
      htz_arena_alloc(arena, members * (members < GRID_GROUP_ROOM ? members : GRID_GROUP_ROOM), sizeof(double));
  double* bow_compliance = htz_arena_alloc(arena, HTZ_GRID_BOWS_MAX * members, sizeof(double));
  if (arena->failed) {
    return HTZ_NO_MEMORY;
  }
  *net = (htz_grid_network){.period = period_of(desc),
                            .n_bodies = desc->n_bodies,
                            .n_contacts = desc->n_contacts,
                            .n_stretches = desc->n_stretches,
                            .n_bows = desc->n_bows,
                            .bodies = bodies,
                            .contacts = contacts,
                            .stretches = stretches,
                            .bows = bows,
                            .groups = groups,
                            .members = members,
                            .member = member,
                            .compliance = compliance,
                            .bow_compliance = bow_compliance};
  for (size_t i = 0; i < desc->n_bodies; ++i) {
    bodies[i] = desc->bodies[i];
  }
  for (size_t i = 0; i < desc->n_contacts; ++i) {
    fill_contact(net, &desc->contacts[i], &contacts[i]);
  }
  for (size_t i = 0; i < desc->n_stretches; ++i) {
    fill_stretch(net, &desc->stretches[i], arena, &stretches[i]);
  }
  for (size_t i = 0; i < desc->n_bows; ++i) {
    const htz_grid_bow_desc* b = &desc->bows[i];
    bows[i] =
        (grid_bow){.law = b->law,
                   .grid = bodies[b->body],
                   .body = b->body,
                   .point = b->point,
                   .twist_admittance = b->twist_admittance,
                   .spring = b->spring,
                   .turn = b->twist_admittance > 0.0 ? 1.0 / (1.0 / b->twist_admittance + 0.5 * net->period * b->spring) : 0.0};
  }
  if (arena->failed) {
    return HTZ_NO_MEMORY;
  }
  find_stacks(net);
  htz_grid_network_reset(net);
  bad = grouping_fault(net);
  if (bad) {
    *why = bad;
    return HTZ_UNSUPPORTED;
  }
  *out = net;
  return HTZ_OK;
}
