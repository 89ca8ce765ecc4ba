#include "struck.h"

static bool valid(const htz_struck_desc* d) {
  if (d->n_bodies == 0 || d->n_bodies > HTZ_STRUCK_BODIES_MAX || d->n_feeds > HTZ_STRUCK_FEEDS_MAX ||
      d->n_outputs > HTZ_ISLAND_PICKUPS_MAX || d->n_lines > HTZ_ISLAND_PICKUPS_MAX || d->n_mallets == 0 ||
      d->n_mallets > HTZ_STRUCK_MALLETS_MAX || htz_modal_body(d->bodies[0])->n_points < d->n_mallets) {
    return false;
  }
  for (uint32_t i = 0; i < d->n_feeds; ++i) {
    if (d->feeds[i].from >= d->feeds[i].to || d->feeds[i].to >= d->n_bodies) {
      return false;
    }
  }
  for (uint32_t i = 0; i < d->n_outputs; ++i) {
    if (d->outputs[i].body >= d->n_bodies || d->outputs[i].line >= d->n_lines) {
      return false;
    }
  }
  return true;
}

/** Room for the coupling of every resonator and for the output lines of every body. */
static void allocate_coupling(struck* s, htz_arena* arena) {
  const size_t n0 = htz_modal_padded(s->desc.bodies[0]);
  for (size_t b = 0; b < s->desc.n_bodies; ++b) {
    const size_t n = htz_modal_padded(s->desc.bodies[b]);
    if (b > 0) {
      s->couplings[b].n = htz_modal_count(s->desc.bodies[b]);
      s->couplings[b].pi = htz_arena_alloc_cold(arena, s->couplings[b].n * 4 * n0, sizeof(double));
    }
    for (uint32_t l = 0; l < s->desc.n_lines; ++l) {
      double* block = htz_arena_alloc_cold(arena, 6 * n, sizeof(double));
      if (block) {
        s->lines[b][l] = (line){.aq = block, .av = block + n};
        s->weights[b][l] = (htz_free_weights){block + 2 * n, block + 3 * n, block + 4 * n, block + 5 * n};
      }
    }
  }
  s->couples = true;
  for (uint32_t f = 0; f < s->desc.n_feeds; ++f) {
    s->couples = s->couples && s->desc.feeds[f].from == 0;
  }
}

htz_status htz_struck_new(const htz_struck_desc* desc, double rate_hz, htz_arena* arena, htz_island** out) {
  if (!valid(desc) || !(rate_hz > 0.0)) {
    return HTZ_BAD_VALUE;
  }
  struck* s = htz_arena_alloc(arena, 1, sizeof *s);
  if (!s) {
    return HTZ_NO_MEMORY;
  }
  s->base = (htz_island){&htz_struck_class, desc->n_lines};
  s->desc = *desc;
  s->period = 1.0 / rate_hz;
  s->level = 1.0;
  s->level_wanted = 1.0;

  allocate_coupling(s, arena);

  htz_body* bodies[1 + HTZ_STRUCK_MALLETS_MAX];
  htz_contact_desc contacts[HTZ_STRUCK_MALLETS_MAX];
  bodies[0] = htz_modal_body(desc->bodies[0]);
  for (uint32_t i = 0; i < desc->n_mallets; ++i) {
    const htz_mass_desc unit = {.mass = 1.0}; // every strike brings its own mass
    const htz_status st = htz_mass_new(&unit, rate_hz, arena, &s->mallets[i].body);
    if (st) {
      return st;
    }
    bodies[1 + i] = s->mallets[i].body;
    contacts[i] = (htz_contact_desc){.law = {.cls = &htz_law_hunt_crossley, .p = {1.0, 1.0, 0.0}},
                                     .body_a = 1 + i,
                                     .body_b = 0,
                                     .point_b = i,
                                     .direction = 1.0};
  }
  const htz_status st = htz_network_new(1 + desc->n_mallets, bodies, desc->n_mallets, contacts, rate_hz, arena, &s->net);
  if (st) {
    return st;
  }
  for (uint32_t i = 0; i < desc->n_mallets; ++i) {
    htz_network_wake(s->net, 1 + i, false);
  }
  if (arena->failed) {
    return HTZ_NO_MEMORY;
  }
  *out = &s->base;
  return HTZ_OK;
}
