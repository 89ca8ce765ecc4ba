#include "grid_island.h"

#include <math.h>

static const double two_pi = 6.28318530717958647693;
static const double still_hz = 8.0; // what is slower is not heard: a string lifted by its bridge, a weight that lies on it

htz_status htz_grid_island_new(const htz_grid_island_desc* desc, double rate_hz, htz_arena* arena, htz_island** out) {
  grid_island* g = htz_arena_alloc(arena, 1, sizeof *g);
  *out = NULL;
  if (!g) {
    return HTZ_NO_MEMORY;
  }
  g->base = (htz_island){&htz_grid_island_class, desc->n_lines};
  g->desc = *desc;
  g->period = 1.0 / rate_hz;
  g->keep = exp(-two_pi * still_hz / rate_hz);
  for (size_t b = 0; b < HTZ_BOWS_MAX; ++b) {
    g->bow[b] = bow_motion_at_rest(g->period);
  }
  g->stay = stay_control_at(g->period);
  g->ratio = g->loss = 1.0;
  // As the file says, until the player says something else.
  static const htz_influence as_built = {.bow = {{.at = (double)NAN}, {.at = (double)NAN}}, .finger = (double)NAN};
  g->now = stay_wanted_of(&desc->stay, &as_built);
  htz_grid_control_influence(g, &as_built);
  for (size_t i = 0; i < desc->n_roles; ++i) {
    g->gap[i] = desc->roles[i].gap;
    g->place[i] = desc->roles[i].at;
    g->factor[i] = 1.0;
    g->screwed[i] = true;
  }
  g->base.cls->reset(&g->base);
  *out = &g->base;
  return HTZ_OK;
}
