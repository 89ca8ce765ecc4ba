#include "grid_network_private.h"

#include <math.h>

static bool not_negative(double x) {
  return x >= 0.0 && isfinite(x);
}

static bool sign(double x) {
  return x == 1.0 || x == -1.0;
}

static const char* law_fault(htz_grid_method method, double stiffness, double exponent, double viscosity) {
  if (!not_negative(stiffness)) {
    return "stiffness: a number from 0 on";
  }
  if (!(exponent >= 1.0) || !isfinite(exponent)) {
    return "exponent: a number from 1 on";
  }
  if (!not_negative(viscosity)) {
    return "viscosity: a number from 0 on";
  }
  return viscosity > 0.0 && method != HTZ_GRID_NEWTON ? "viscosity: only the method newton has one" : NULL;
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
    return law_fault(HTZ_GRID_NEWTON, c->stiffness, 1.0, 0.0);
  }
  return law_fault(c->method, c->stiffness, c->exponent, c->force == HTZ_GRID_COLLISION ? c->viscosity : 0.0);
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
  if (b->give != 0.0 && b->n != a->n) {
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
  return law_fault(s->method, s->stiffness, s->exponent, s->viscosity);
}

static bool on_body(const htz_grid_network_desc* desc, const htz_grid_stretch_desc* s, uint32_t body) {
  return desc->bodies[body]->give != 0.0 && (s->body_a == body || s->body_b == body);
}

/** Two stretches at one grid point of one string would have to be solved together all along. */
static bool stretches_meet(const htz_grid_network_desc* desc) {
  for (size_t i = 0; i < desc->n_stretches; ++i) {
    for (size_t j = 0; j < i; ++j) {
      const htz_grid_stretch_desc* p = &desc->stretches[i];
      const htz_grid_stretch_desc* q = &desc->stretches[j];
      if (p->first <= q->last && q->first <= p->last && (on_body(desc, p, q->body_a) || on_body(desc, p, q->body_b))) {
        return true;
      }
    }
  }
  return false;
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
    return "bodies: 1 to 16";
  }
  if (desc->n_contacts > HTZ_GRID_CONTACTS_MAX) {
    return "contacts: at most 32";
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
  s->fixed = s->b->give == 0.0;
  s->first = d->first;
  s->n = d->last - d->first + 1;
  s->direction = d->direction;
  s->gap = htz_arena_alloc(arena, s->n, sizeof(double));
  s->compliance = htz_arena_alloc(arena, s->n, sizeof(double));
  s->free = htz_arena_alloc(arena, s->n, sizeof(double));
  s->memory = htz_arena_alloc(arena, s->n, sizeof(grid_memory));
  for (size_t i = 0; !arena->failed && i < s->n; ++i) {
    s->gap[i] = d->gap[i];
  }
}

/** What only the groups tell. */
static const char* grouping_fault(const htz_grid_network* net) {
  if (net->together > HTZ_GRID_TOGETHER_MAX) {
    return "contacts: at most 8 at one place or on one mass";
  }
  for (size_t i = 0; i < net->n_bows; ++i) {
    if (net->bows[i].lifted) {
      return "bow: two bows need grid points and contacts of their own";
    }
  }
  return NULL;
}

htz_status htz_grid_network_new(const htz_grid_network_desc* desc, htz_arena* arena, htz_grid_network** out, const char** why) {
  const char* bad = fault(desc);
  if (bad) {
    *why = bad;
    return HTZ_BAD_VALUE;
  }
  if (stretches_meet(desc)) {
    *why = "stretch: a grid point of a string can be in one only";
    return HTZ_UNSUPPORTED;
  }
  htz_grid_network* net = htz_arena_alloc(arena, 1, sizeof *net);
  htz_grid** bodies = htz_arena_alloc(arena, desc->n_bodies, sizeof *bodies);
  grid_contact* contacts = htz_arena_alloc(arena, desc->n_contacts + 1, sizeof *contacts);
  grid_stretch* stretches = htz_arena_alloc(arena, desc->n_stretches + 1, sizeof *stretches);
  grid_bow* bows = htz_arena_alloc(arena, desc->n_bows + 1, sizeof *bows);
  grid_group* groups = htz_arena_alloc(arena, desc->n_contacts + desc->n_bows + 1, sizeof *groups);
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
                            .groups = groups};
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
    bows[i] = (grid_bow){.law = b->law, .grid = bodies[b->body], .body = b->body, .point = b->point};
  }
  if (arena->failed) {
    return HTZ_NO_MEMORY;
  }
  htz_grid_network_reset(net);
  bad = grouping_fault(net);
  if (bad) {
    *why = bad;
    return HTZ_UNSUPPORTED;
  }
  *out = net;
  return HTZ_OK;
}
