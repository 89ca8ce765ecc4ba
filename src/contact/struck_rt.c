#include "struck.h"

#include "fold.h"
#include "settled.h"
#include "signals.h"

#include <math.h>

static struck* struck_of(htz_island* island) {
  return (struck*)island;
}

static const struck* struck_of_const(const htz_island* island) {
  return (const struck*)island;
}

void htz_struck_begin(struck* s) {
  htz_struck_uncouple(s);
  htz_struck_land(s);
}

void htz_struck_before(struck* s, uint32_t i, uint32_t frames, uint32_t* next) {
  if (i == *next) {
    *next += htz_gestures_before(s, frames - i);
  }
  htz_gestures_sample(s);
}

void htz_struck_after(struck* s, uint32_t i, island_signals* all) {
  htz_gestures_sampled(s);
  for (uint32_t b = 0; b < htz_struck_together(&s->desc); ++b) {
    htz_signals_hear(&s->desc, b, i, all);
  }
}

/** Run what is fed on what it is fed with, and hear all. */
static void resonate_and_mix(struck* s, uint32_t frames, island_signals* all, float* const* lines) {
  const bool resonating = s->level > 0.0 || s->level_wanted > 0.0;
  for (uint32_t b = htz_struck_together(&s->desc); b < s->desc.n_bodies; ++b) {
    htz_signals_resonate(&s->desc, b, frames, resonating, all);
  }
  htz_signals_mix(&s->desc, frames, all, s->level, s->level_wanted, lines);
  s->level = s->level_wanted;
}

void htz_struck_end(struck* s, uint32_t frames, island_signals* all, float* const* lines) {
  htz_gestures_after(s, frames);
  resonate_and_mix(s, frames, all, lines);
}

/** Sample by sample: something touches or holds, or a piece of a quantum. */
static void run_samples(struck* s, uint32_t frames, float* const* lines) {
  island_signals all;
  uint32_t next = 0;
  s->sampled = true;
  htz_struck_land(s);
  for (uint32_t i = 0; i < frames; ++i) {
    htz_struck_before(s, i, frames, &next);
    htz_network_step(s->net);
    htz_struck_after(s, i, &all);
  }
  htz_struck_end(s, frames, &all, lines);
}

/** Body after body, each by itself. */
static void run_quantum(struck* s, float* const* lines) {
  island_signals all;
  htz_gestures_fly(s);
  for (uint32_t b = 0; b < htz_struck_together(&s->desc); ++b) {
    float* to[HTZ_ISLAND_PICKUPS_MAX];
    htz_signals_clear(&s->desc, b, HTZ_QUANTUM, &all, to);
    htz_modal_free_quantum(s->desc.bodies[b], to);
  }
  resonate_and_mix(s, HTZ_QUANTUM, &all, lines);
}

/** Bodies and the linear joins on them can go on as one set of modes, and do. */
static bool fold_up(struck* s) {
  if (!htz_fold_holds(s->fold)) {
    return false;
  }
  if (!s->folded && s->still >= settle_quanta && htz_network_joins_relaxed(s->net) && htz_fold_fits(s->fold)) {
    htz_fold_in(s->fold, s->net);
    s->folded = true;
  }
  return s->folded;
}

/** From now on bodies run free: of the last contact nothing is heard any more but how they move. */
static void hush(struck* s) {
  for (uint32_t b = 0; s->sampled && b < s->desc.n_bodies; ++b) {
    htz_modal_hush_ears(s->desc.bodies[b]);
  }
  s->sampled = false;
}

static void struck_advance(htz_island* island, uint32_t frames, float* const* lines) {
  struck* s = struck_of(island);
  if (frames == 0) {
    return;
  }
  const bool clear = htz_gestures_clear(s, frames);
  const bool free_run = clear && frames == HTZ_QUANTUM && s->level == s->level_wanted;
  if (free_run && s->still >= settle_quanta && htz_struck_couple(s)) {
    hush(s);
    htz_gestures_fly(s);
    htz_struck_free_quantum(s, lines);
    return;
  }
  const bool linear = s->fold && frames == HTZ_QUANTUM && s->level == s->level_wanted && htz_gestures_linear(s);
  if (linear && fold_up(s)) {
    hush(s);
    htz_gestures_fly(s);
    htz_modal_free_lines(s->fold->modes, s->fold->n_lines, s->fold->hear, lines);
    return;
  }
  const uint32_t still = s->still;
  htz_struck_uncouple(s);
  s->still = free_run || linear ? still + 1 : 0;
  // Right after a change the free-running tables are stale and may be so again soon: samples cost less than new tables.
  if (clear && frames == HTZ_QUANTUM && s->still >= settle_quanta) {
    hush(s);
    run_quantum(s, lines);
  } else {
    run_samples(s, frames, lines);
  }
}

static void struck_damp(htz_island* island, double sigma) {
  struck* s = struck_of(island);
  htz_struck_uncouple(s);
  for (uint32_t b = 0; b < s->desc.n_struck; ++b) {
    htz_modal_damp(s->desc.bodies[b], sigma);
  }
}

static void struck_retune(htz_island* island, double ratio, double loss) {
  struck* s = struck_of(island);
  htz_struck_uncouple(s);
  htz_struck_land(s);
  const bool touching = s->tied || htz_network_touching(s->net);
  for (uint32_t b = 0; b < s->desc.n_bodies; ++b) {
    htz_modal_retune(s->desc.bodies[b], ratio, loss, touching && b < htz_struck_together(&s->desc));
  }
  if (s->tied || htz_gestures_hold(s)) {
    htz_network_refresh(s->net);
  }
}

static void struck_resonate(htz_island* island, double level) {
  struck_of(island)->level_wanted = level > 0.0 ? level : 0.0;
}

static double struck_energy(const htz_island* island, double* loudness) {
  const struck* s = struck_of_const(island);
  if (s->folded) {
    return htz_fold_energy(s->fold, loudness);
  }
  const double given = htz_network_energy(s->net);
  double fed = 0.0;
  double sum = s->coupled ? htz_struck_free_loudness(s) : 0.0;
  const uint32_t together = htz_struck_together(&s->desc);
  for (uint32_t b = together; b < s->desc.n_bodies; ++b) {
    const htz_body* body = htz_modal_body(s->desc.bodies[b]);
    fed += body->cls->energy(body);
  }
  for (uint32_t o = 0; o < s->desc.n_outputs && !s->coupled; ++o) {
    const htz_output* out = &s->desc.outputs[o];
    const htz_body* body = htz_modal_body(s->desc.bodies[out->body]);
    const double level = out->body < together ? 1.0 : s->level;
    const double energy = out->body < together ? htz_gestures_audible(s, out->body) : body->cls->energy(body);
    sum += level * htz_modal_loudness_bound(s->desc.bodies[out->body], out->pickup) * sqrt(energy > 0.0 ? energy : 0.0);
  }
  *loudness = sum;
  return given + (isfinite(fed) ? 0.0 : fed);
}

static void struck_left_over(htz_island* island, double* lines) {
  struck* s = struck_of(island);
  htz_struck_uncouple(s);
  htz_signals_left_over(&s->desc, s->level, lines);
}

static void struck_reset(htz_island* island) {
  struck* s = struck_of(island);
  htz_gestures_reset(s);
  for (uint32_t b = 0; b < s->desc.n_bodies; ++b) {
    htz_body* body = htz_modal_body(s->desc.bodies[b]);
    body->cls->reset(body);
  }
  s->coupled = s->folded = false;
  s->fold_lost = 0.0;
  s->still = 0;
  s->reported = 0.0;
  htz_struck_rest(s);
  s->work = htz_network_energy(s->net);
}

static htz_island_counters struck_count(const htz_island* island) {
  const struck* s = struck_of_const(island);
  const htz_network_counters* c = htz_network_count(s->net);
  return (htz_island_counters){c->contact_steps + c->rubbed, c->closures + c->catches, c->unconverged + c->level_capped,
                               s->reused};
}

const htz_island_class htz_struck_class = {.name = "exact-hold",
                                           .advance = struck_advance,
                                           .strike = htz_gestures_start,
                                           .damp = struck_damp,
                                           .retune = struck_retune,
                                           .resonate = struck_resonate,
                                           .energy = struck_energy,
                                           .left_over = struck_left_over,
                                           .busy = htz_gestures_busy,
                                           .reset = struck_reset,
                                           .count = struck_count,
                                           .influence = htz_gestures_influence,
                                           .stirred = htz_gestures_stirred,
                                           .keeps = htz_gestures_keep,
                                           .brought = htz_gestures_brought,
                                           .port = &htz_struck_port};

const htz_modal* htz_struck_folded(const htz_island* island) {
  return struck_of_const(island)->folded ? struck_of_const(island)->fold->modes : NULL;
}

htz_network* htz_struck_network(htz_island* island) {
  return struck_of(island)->net;
}

htz_modal* htz_struck_body(htz_island* island, size_t index) {
  return struck_of(island)->desc.bodies[index];
}
