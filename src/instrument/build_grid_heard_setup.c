#include "build_grid.h"

#include <math.h>

// What is heard of a key, by lines and by resonators, and these.

static const double middle = 0.5;

/** One more pickup of the resonator that the tap hears. @return its number */
static uint32_t listen(assembly* a, const htz_spec_grid_tap* tap) {
  const double key = a->plan.key, y = htz_grid_table_or(&tap->at_y, key, (double)NAN);
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
  h->step = step;
  h->bend = bend;
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
  const double x = htz_grid_table_or(&tap->at, key, middle), y = htz_grid_table_or(&tap->at_y, key, middle);
  h->point = htz_grid_take_point(a, tap->of, x, y);
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

void htz_grid_add_hears(assembly* a) {
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
    const double y = htz_grid_table_or(&feed->into_y, a->plan.key, (double)NAN);
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

htz_status htz_grid_build_resonators(assembly* a) {
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
