#include "group.h"

#include <math.h>

void htz_group_wake(htz_group* g, size_t unit, bool awake) {
  if (g->awake[unit] == awake) {
    return;
  }
  g->awake[unit] = awake;
  if (unit < g->n_islands) {
    htz_network_sleep(g->islands[unit]->net, !awake);
  } else {
    htz_network_mark(g->net, g->first_node[unit], awake);
  }
  g->stale = true;
}

bool htz_group_awake(const htz_group* g, size_t unit) {
  return g->awake[unit];
}

static double energy_of(const htz_group* g, size_t unit) {
  double energy;
  if (unit < g->n_islands) {
    energy = htz_network_energy(g->islands[unit]->net);
  } else {
    const htz_body* body = htz_modal_body(g->shared[unit - g->n_islands]);
    energy = body->cls->energy(body);
  }
  return energy > 0.0 ? energy : 0.0;
}

/** Greatest output per root of energy. */
static double bound_of(const htz_group* g, size_t unit) {
  double sum = 0.0;
  if (unit >= g->n_islands) {
    const htz_modal* body = g->shared[unit - g->n_islands];
    for (size_t p = 0; p < htz_modal_pickups(body); ++p) {
      sum += htz_modal_loudness_bound(body, p);
    }
    return sum;
  }
  const htz_modal_island_desc* d = &g->islands[unit]->desc;
  for (uint32_t o = 0; o < d->n_outputs; ++o) {
    sum += htz_modal_loudness_bound(d->bodies[d->outputs[o].body], d->outputs[o].pickup);
  }
  return sum;
}

/** What any unit gives at most: energy goes from one to another. */
void htz_group_bound(htz_group* g) {
  double most = 0.0;
  for (size_t unit = 0; unit < g->n_islands + g->n_shared; ++unit) {
    const double bound = bound_of(g, unit);
    most = bound > most ? bound : most;
  }
  g->bound = most;
}

double htz_group_loudness(const htz_group* g, size_t unit) {
  return g->bound * sqrt(energy_of(g, unit));
}

/** Greatest force that the link can bring to bear while its one end moves with `energy` and the other stands still [N]. */
static double greatest_force(const group_link* link, const group_end* from, double energy) {
  const double u = sqrt(2.0 * energy * htz_modal_static_compliance(from->body, from->point, from->point)) - link->gap;
  if (!(u > 0.0)) {
    return 0.0;
  }
  if (link->rigid || link->law.cls->one_sided || !isfinite(u)) {
    return HUGE_VAL;
  }
  // The force of a damper beside the spring goes by the speed: v^2 <= 2 E sum phi^2/m.
  const double v = sqrt(2.0 * energy * htz_modal_inverse_mass(from->body, from->point));
  const htz_law_state start = {.eta = 0.0}, end = link->law.cls->at(&link->law, u);
  return end.force + link->law.cls->over(&link->law, &start, v, 1.0).force;
}

bool htz_group_disturbed(const htz_group* g, size_t unit, double least) {
  double root = 0.0, all = 0.0; // of the energy that it can come to
  for (size_t l = 0; l < g->n_links; ++l) {
    const group_link* link = &g->links[l];
    const size_t e = link->end[0].unit == unit ? 0 : 1;
    const group_end *to = &link->end[e], *from = &link->end[1 - e];
    if (to->unit != unit || !from->body || !g->awake[from->unit]) {
      continue;
    }
    const double energy = energy_of(g, from->unit);
    const double force = greatest_force(link, from, energy);
    root += force > 0.0 ? force * sqrt(htz_modal_resonance(to->body, to->point)) : 0.0;
    all += energy;
  }
  const double most = root * root < all ? root : sqrt(all);
  return g->bound * most >= least;
}

static void add_forced(htz_group* g, htz_modal* body, size_t pickup, float* to) {
  if (htz_modal_hears_forces(body, pickup)) {
    g->forced[g->n_forced++] = (group_forced){body, pickup, to};
  }
}

/** What is heard of unit `u` in the run to come. */
static void tap_unit(htz_group* g, size_t u, uint32_t frames, float** shared) {
  if (u < g->n_islands) {
    const htz_modal_island_desc* d = &g->islands[u]->desc;
    for (uint32_t b = 0; b < htz_modal_island_in_network(d); ++b) {
      g->n_taps += htz_signals_tap(d, b, frames, &g->signals[u], g->taps + g->n_taps);
      for (size_t p = 0; p < htz_modal_pickups(d->bodies[b]); ++p) {
        add_forced(g, d->bodies[b], p, g->signals[u].of[b][p]);
      }
    }
    return;
  }
  htz_modal* body = g->shared[u - g->n_islands];
  for (size_t p = 0; p < htz_modal_pickups(body); ++p) {
    g->taps[g->n_taps++] = htz_modal_tap(body, p, shared[p]);
    add_forced(g, body, p, shared[p]);
  }
}

void htz_group_refresh(htz_group* g) {
  if (g->stale) {
    htz_network_refresh(g->net);
    g->stale = false;
  }
}

static void begin_run(htz_group* g, uint32_t frames, float* (*shared)[HTZ_PICKUPS_MAX]) {
  htz_group_refresh(g);
  htz_group_bound(g);
  g->n_taps = 0;
  g->n_forced = 0;
  g->n_acting = 0;
  for (size_t u = 0; u < g->n_islands + g->n_shared; ++u) {
    if (!g->awake[u]) {
      continue;
    }
    if (u < g->n_islands) {
      htz_modal_island_begin(g->islands[u]);
      g->islands[u]->resting = false;
      g->next[u] = 0;
      if (!htz_gestures_idle(g->islands[u])) {
        g->acting[g->n_acting++] = (uint32_t)u;
      }
    }
    tap_unit(g, u, frames, u < g->n_islands ? NULL : shared[u - g->n_islands]);
  }
}

void htz_group_run(htz_group* g, uint32_t frames, float* (*lines)[HTZ_ISLAND_PICKUPS_MAX], float* (*shared)[HTZ_PICKUPS_MAX]) {
  begin_run(g, frames, shared);
  for (uint32_t i = 0; i < frames; ++i) {
    for (uint32_t a = 0; a < g->n_acting; ++a) {
      htz_modal_island_before(g->islands[g->acting[a]], i, frames, &g->next[g->acting[a]]);
    }
    htz_network_step(g->net);
    for (uint32_t a = 0; a < g->n_acting; ++a) {
      htz_gestures_sampled(g->islands[g->acting[a]]);
    }
    g->kernels->hear(g->n_taps, g->taps, i);
    for (size_t f = 0; f < g->n_forced; ++f) {
      const group_forced* it = &g->forced[f];
      it->to[i] += (float)htz_modal_hear_forces(it->body, it->pickup);
    }
  }
  for (size_t u = 0; u < g->n_islands; ++u) {
    if (g->awake[u]) {
      htz_modal_island_end(g->islands[u], frames, &g->signals[u], lines[u]);
    }
  }
}

double htz_group_energy(const htz_group* g) {
  return htz_network_energy(g->net);
}

void htz_group_settle(htz_group* g, size_t unit) {
  htz_body* body = htz_modal_body(g->shared[unit - g->n_islands]);
  body->cls->reset(body);
  htz_group_wake(g, unit, false);
}

void htz_group_reset(htz_group* g) {
  for (size_t unit = 0; unit < g->n_islands + g->n_shared; ++unit) {
    if (unit >= g->n_islands) {
      htz_group_settle(g, unit);
    }
    htz_group_wake(g, unit, false);
  }
  htz_network_reset(g->net);
  g->stale = false;
}

htz_island_counters htz_group_count(const htz_group* g) {
  const htz_network_counters* c = htz_network_count(g->net);
  return (htz_island_counters){c->contact_steps, c->closures, c->unconverged + c->level_capped, 0};
}
