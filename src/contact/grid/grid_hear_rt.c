#include "grid_island.h"

#include <math.h>
#include <string.h>

// What is heard of a grid: in a line, or by resonators that it drives one way.

static double quantity(grid_island* g, size_t i) {
  const htz_grid_hear* h = &g->desc.hears[i];
  if (h->what == HTZ_GRID_HEAR_CONTACT) {
    return htz_grid_network_contact(g->desc.net, h->of)->force;
  }
  if (h->what == HTZ_GRID_HEAR_STRETCH) {
    return htz_grid_network_stretch(g->desc.net, h->of)->force;
  }
  const htz_grid* body = g->desc.bodies[h->of];
  if (h->what == HTZ_GRID_HEAR_END) {
    const double pull = htz_grid_string_tension(body) / h->step + 2.0 * h->bend; // T u_x - EI u_xxx, at the present tuning
    return pull * body->now[h->next[0]] - h->bend * body->now[h->next[1]];
  }
  const double u = htz_grid_now(body, h->point);
  if (h->what == HTZ_GRID_HEAR_DISPLACEMENT) {
    return u;
  }
  const double v = (u - htz_grid_before(body, h->point)) / g->period;
  const double was = g->velocity[i];
  g->velocity[i] = v;
  return h->what == HTZ_GRID_HEAR_VELOCITY ? v : (v - was) / g->period;
}

static double moving(grid_still* s, double keep, double x) {
  for (size_t i = 0; i < 2; ++i) {
    s->out[i] = keep * (s->out[i] + x - s->in[i]);
    s->in[i] = x;
    x = s->out[i];
  }
  return x;
}

void htz_grid_listen(grid_island* g, uint32_t frame, float* const* lines, float driven[][HTZ_QUANTUM]) {
  for (size_t i = 0; i < g->desc.n_hears; ++i) {
    const htz_grid_hear* h = &g->desc.hears[i];
    const double y = moving(&g->still[i], g->keep, h->gain * quantity(g, i));
    if (h->resonator != HTZ_GRID_NONE) {
      driven[h->resonator][frame] += (float)y;
      continue;
    }
    lines[h->line][frame] += (float)y;
    const double size = fabs(y);
    g->peak = size > g->peak ? size : g->peak;
  }
}

void htz_grid_resonate(grid_island* g, uint32_t frames, float* const* lines, float driven[][HTZ_QUANTUM]) {
  const htz_grid_island_desc* d = &g->desc;
  const float first = (float)g->level, step = (float)((g->level_wanted - g->level) / frames);
  for (uint32_t r = 0; r < d->n_resonators; ++r) {
    float heard[HTZ_ISLAND_PICKUPS_MAX][HTZ_QUANTUM];
    float* to[HTZ_ISLAND_PICKUPS_MAX];
    for (size_t p = 0; p < HTZ_ISLAND_PICKUPS_MAX; ++p) {
      to[p] = p < htz_modal_pickups(d->resonators[r]) ? heard[p] : NULL;
      memset(heard[p], 0, frames * sizeof(float));
    }
    htz_modal_drive(d->resonators[r], 0, driven[r], frames, to);
    for (size_t f = 0; f < d->n_feeds; ++f) {
      for (uint32_t i = 0; d->feeds[f].from == r && i < frames; ++i) {
        driven[d->feeds[f].to][i] += heard[d->feeds[f].pickup][i];
      }
    }
    for (size_t o = 0; o < d->n_outputs; ++o) {
      for (uint32_t i = 0; d->outputs[o].body == r && i < frames; ++i) {
        lines[d->outputs[o].line][i] += heard[d->outputs[o].pickup][i] * (first + step * (float)(i + 1));
      }
    }
  }
  g->level = g->level_wanted;
}

double htz_grid_resonating(const grid_island* g) {
  const htz_grid_island_desc* d = &g->desc;
  double sum = 0.0;
  for (size_t r = 0; r < d->n_resonators; ++r) {
    const htz_body* body = htz_modal_body(d->resonators[r]);
    const double energy = body->cls->energy(body);
    sum += isfinite(energy) ? 0.0 : energy;
    for (size_t o = 0; o < d->n_outputs; ++o) {
      const double heard =
          d->outputs[o].body == r ? g->level * htz_modal_loudness_bound(d->resonators[r], d->outputs[o].pickup) : 0.0;
      sum += heard * sqrt(energy > 0.0 ? energy : 0.0);
    }
  }
  return sum;
}

/** Of the high passes in series the second is left with what the first has still to take back: both sum up to nothing in the end. */
void htz_grid_left_over(const grid_island* g, double* lines) {
  const double lasts = g->period * g->keep / (1.0 - g->keep);
  for (uint32_t l = 0; l < g->base.n_pickups; ++l) {
    lines[l] = 0.0;
  }
  for (size_t i = 0; i < g->desc.n_hears; ++i) {
    if (g->desc.hears[i].resonator == HTZ_GRID_NONE) {
      lines[g->desc.hears[i].line] += lasts * (g->still[i].out[1] - g->still[i].in[1]);
    }
  }
  for (size_t o = 0; o < g->desc.n_outputs; ++o) {
    const htz_output* out = &g->desc.outputs[o];
    lines[out->line] += g->level * htz_modal_left_over(g->desc.resonators[out->body], out->pickup);
  }
}

void htz_grid_hear_reset(grid_island* g) {
  for (size_t r = 0; r < g->desc.n_resonators; ++r) {
    htz_body* body = htz_modal_body(g->desc.resonators[r]);
    body->cls->reset(body);
  }
  g->peak = g->quiet = 0.0;
  for (size_t i = 0; i < HTZ_GRID_ISLAND_HEARS_MAX; ++i) {
    g->velocity[i] = 0.0;
    g->still[i] = (grid_still){{0.0, 0.0}, {0.0, 0.0}};
  }
  for (size_t i = 0; i < g->desc.n_hears; ++i) {
    g->still[i].in[0] = g->desc.hears[i].gain * quantity(g, i); // what presses at rest is not heard
  }
}
