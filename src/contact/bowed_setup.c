#include "bowed.h"

#include <math.h>

static bool valid(const htz_bowed_desc* desc) {
  const htz_struck_desc* d = &desc->net;
  const char* why;
  bool good = htz_friction_valid(&desc->law, &why) && desc->finger >= 0.0 && desc->twist >= 0.0 && desc->twist < HUGE_VAL &&
              desc->finger < HUGE_VAL && d->n_struck == 1 && d->n_bodies >= 1 && d->n_bodies <= HTZ_STRUCK_BODIES_MAX &&
              d->n_feeds <= HTZ_STRUCK_FEEDS_MAX && d->n_outputs <= HTZ_STRUCK_OUTPUTS_MAX &&
              d->n_lines <= HTZ_ISLAND_PICKUPS_MAX;
  good = good && htz_modal_body(d->bodies[0])->n_points >= HTZ_BOWED_POINTS;
  for (uint32_t i = 0; good && i < d->n_feeds; ++i) {
    good = d->feeds[i].from < d->feeds[i].to && d->feeds[i].to < d->n_bodies;
  }
  for (uint32_t i = 0; good && i < d->n_outputs; ++i) {
    good = d->outputs[i].body < d->n_bodies && d->outputs[i].line < d->n_lines;
  }
  return good;
}

htz_status htz_bowed_new(const htz_bowed_desc* desc, double rate_hz, htz_arena* arena, htz_island** out) {
  if (!valid(desc) || !(rate_hz > 0.0)) {
    return HTZ_BAD_VALUE;
  }
  bowed* b = htz_arena_alloc(arena, 1, sizeof *b);
  if (!b) {
    return HTZ_NO_MEMORY;
  }
  b->base = (htz_island){&htz_bowed_class, desc->net.n_lines};
  b->desc = *desc;
  b->period = 1.0 / rate_hz;
  b->pace = bow_pace_at(b->period);
  b->level = 1.0;
  b->level_wanted = 1.0;
  b->at = (double)NAN; // where the first bow stroke puts it
  b->finger_at = (double)NAN;
  b->now.bow_at = (double)NAN;
  b->now.finger = (double)NAN;
  *out = &b->base;
  return HTZ_OK;
}

double htz_bowed_stiffness(htz_island* island, double at, double force) {
  bowed* b = (bowed*)island;
  htz_modal* string = b->desc.net.bodies[0];
  htz_body* body = htz_modal_body(string);
  const size_t spare = 1 - b->here;
  htz_modal_place(string, spare, 1.0 - at);
  return htz_friction_stiffness(&b->desc.law, body->cls->compliance(body, 0, spare, spare) / b->period + b->desc.twist, force);
}

htz_modal* htz_bowed_string(htz_island* island) {
  return ((bowed*)island)->desc.net.bodies[0];
}

void htz_bowed_account(const htz_island* island, double* work, double* lost) {
  const bowed* b = (const bowed*)island;
  *work = b->work;
  *lost = b->lost;
}
