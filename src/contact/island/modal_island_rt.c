#include "modal_island.h"

#include "fold.h"
#include "signals.h"

#include <math.h>

// Quanta without a change before tables of free running are derived: a bend in progress would make them stale at once.
static const uint32_t settle_quanta = 1;

static const double reaction_half_s = 0.25; // [s] more than a few periods of the slowest string
static const double ln2 = 0.69314718055994530942;

static modal_island* island_of(htz_island* island) {
  return (modal_island*)island;
}

static const modal_island* island_of_const(const htz_island* island) {
  return (const modal_island*)island;
}

void htz_modal_island_begin(modal_island* s) {
  htz_modal_island_uncouple(s);
  htz_modal_island_sync(s);
}

void htz_modal_island_before(modal_island* s, uint32_t i, uint32_t frames, uint32_t* next) {
  if (i == *next) {
    *next += htz_gestures_before(s, frames - i);
  }
  htz_gestures_sample(s);
}

/** What a reaction hears, without what it is on average. */
static float without_mean(const modal_island* s, reaction* it, double heard) {
  const double moves = heard - it->mean;
  it->mean += s->reaction_share * moves;
  return (float)moves;
}

void htz_modal_island_after(modal_island* s, uint32_t i, island_signals* all) {
  htz_gestures_sampled(s);
  for (uint32_t b = 0; b < htz_modal_island_in_network(&s->desc); ++b) {
    htz_signals_hear(&s->desc, b, i, all);
  }
  for (uint32_t r = 0; r < s->n_reactions; ++r) {
    reaction* it = &s->reactions[r];
    const double heard = it->gain * htz_network_on_ground(s->net, it->body), size = heard < 0.0 ? -heard : heard;
    float* to = &all->of[it->body][it->pickup][i];
    *to = without_mean(s, it, (double)*to + heard);
    it->lately = size > it->lately ? size : it->lately;
  }
}

/** Run what is fed on what it is fed with, and hear all. */
static void resonate_and_mix(modal_island* s, uint32_t frames, island_signals* all, float* const* lines) {
  const bool resonating = s->level > 0.0 || s->level_wanted > 0.0;
  for (uint32_t b = htz_modal_island_in_network(&s->desc); b < s->desc.n_bodies; ++b) {
    htz_signals_resonate(&s->desc, b, frames, resonating, all);
  }
  htz_signals_mix(&s->desc, frames, all, s->level, s->level_wanted, lines);
  s->level = s->level_wanted;
}

void htz_modal_island_end(modal_island* s, uint32_t frames, island_signals* all, float* const* lines) {
  htz_gestures_after(s, frames);
  resonate_and_mix(s, frames, all, lines);
}

/** Sample by sample: something touches or holds, or a piece of a quantum. */
static void run_samples(modal_island* s, uint32_t frames, float* const* lines) {
  island_signals all;
  uint32_t next = 0;
  htz_modal_island_sync(s);
  for (uint32_t i = 0; i < frames; ++i) {
    htz_modal_island_before(s, i, frames, &next);
    htz_network_step(s->net);
    htz_modal_island_after(s, i, &all);
  }
  htz_modal_island_end(s, frames, &all, lines);
}

/** Body after body, each by itself. */
static void run_quantum(modal_island* s, float* const* lines) {
  island_signals all;
  htz_gestures_fly(s);
  for (uint32_t b = 0; b < htz_modal_island_in_network(&s->desc); ++b) {
    float* to[HTZ_ISLAND_PICKUPS_MAX];
    htz_signals_clear(&s->desc, b, HTZ_QUANTUM, &all, to);
    htz_modal_free_quantum(s->desc.bodies[b], to);
    for (size_t p = 0; p < htz_modal_pickups(s->desc.bodies[b]); ++p) {
      htz_modal_fade_ear(s->desc.bodies[b], p, 1.0, HTZ_QUANTUM, to[p]);
    }
  }
  for (uint32_t r = 0; r < s->n_reactions; ++r) { // links that are clear bear nothing
    reaction* it = &s->reactions[r];
    float* to = all.of[it->body][it->pickup];
    for (uint32_t i = 0; i < HTZ_QUANTUM; ++i) {
      to[i] = without_mean(s, it, (double)to[i]);
    }
  }
  resonate_and_mix(s, HTZ_QUANTUM, &all, lines);
}

/** Bodies and the linear joins on them can go on as one set of modes, and do. */
static bool fold_up(modal_island* s) {
  if (!htz_fold_holds(s->fold)) {
    return false;
  }
  if (!s->folded && s->still >= settle_quanta && htz_network_joins_relaxed(s->net) && htz_fold_fits(s->fold)) {
    htz_fold_follow(s->fold);
    if (!htz_fold_follow_lines(s->fold)) {
      return false;
    }
    htz_fold_in(s->fold, s->net);
    s->folded = true;
  }
  return s->folded;
}

/** Ears that the last forces have not faded from yet, of bodies that run free in coordinates of their own. */
static void fade(modal_island* s, float* const* lines) {
  for (uint32_t o = 0; o < s->desc.n_outputs; ++o) {
    const htz_output* out = &s->desc.outputs[o];
    const double level = out->body < htz_modal_island_in_network(&s->desc) ? 1.0 : s->level;
    htz_modal_fade_ear(s->desc.bodies[out->body], out->pickup, level, HTZ_QUANTUM, lines[out->line]);
  }
}

/** What a reaction was lately goes on counting for a while: contacts that open may close again. */
static void forget_reactions(modal_island* s, uint32_t frames) {
  const double keep = 1.0 - frames * s->period * ln2 / reaction_half_s;
  for (uint32_t r = 0; r < s->n_reactions; ++r) {
    s->reactions[r].lately *= keep > 0.0 ? keep : 0.0;
  }
}

static void island_advance(htz_island* island, uint32_t frames, float* const* lines) {
  modal_island* s = island_of(island);
  if (frames == 0) {
    return;
  }
  forget_reactions(s, frames);
  const bool clear = htz_gestures_clear(s, frames);
  const bool free_run = clear && frames == HTZ_QUANTUM && s->level == s->level_wanted;
  if (free_run && s->n_reactions == 0 && s->still >= settle_quanta && htz_modal_island_couple(s)) {
    htz_gestures_fly(s);
    htz_modal_island_free_quantum(s, lines);
    fade(s, lines);
    return;
  }
  const bool linear = s->fold && frames == HTZ_QUANTUM && s->level == s->level_wanted && htz_gestures_linear(s);
  if (linear && fold_up(s)) {
    htz_gestures_fly(s);
    fade(s, lines);
    htz_modal_free_lines(s->fold->modes, s->fold->n_lines, s->fold->hear, lines);
    return;
  }
  const uint32_t still = s->still;
  htz_modal_island_uncouple(s);
  s->still = free_run || linear ? still + 1 : 0;
  // Right after a change the free-running tables are stale and may be so again soon: samples cost less than new tables.
  if (clear && frames == HTZ_QUANTUM && s->still >= settle_quanta) {
    run_quantum(s, lines);
  } else {
    run_samples(s, frames, lines);
  }
}

static void island_relisten(htz_island* island) {
  htz_modal_island_uncouple(island_of(island));
}

static void island_damp(htz_island* island, double sigma) {
  modal_island* s = island_of(island);
  htz_modal_island_uncouple(s);
  for (uint32_t b = 0; b < htz_modal_island_played(&s->desc); ++b) {
    htz_modal_damp(s->desc.bodies[b], sigma);
  }
}

/** Take the line that a support displaced by `w` gives the bodies on it out of what they do; put it in again by -w. */
static void straighten(modal_island* s, double w) {
  for (uint32_t b = 0; b < s->n_ends && w != 0.0; ++b) {
    htz_modal_join_shift(s->desc.bodies[b], -w);
  }
}

/** `held`: what is in the network stays where it is; else it keeps its energy, the line that its ends displaced by `w` give it apart. */
static void tune_bodies(modal_island* s, double ratio, double loss, bool held, double w) {
  straighten(s, held ? 0.0 : w);
  for (uint32_t b = 0; b < s->desc.n_bodies; ++b) {
    htz_modal_retune(s->desc.bodies[b], ratio, loss, held && b < htz_modal_island_in_network(&s->desc));
  }
  straighten(s, held ? 0.0 : -w);
  if (s->tied || htz_gestures_hold(s)) {
    htz_network_refresh(s->net);
  }
}

/**
   Tuning keeps the energy. Not where something touches: that holds the bodies where they are. Nor may they come to touch by it: a surface
   that swings wider would go into what is near it.
*/
void htz_modal_island_retune(htz_island* island, double ratio, double loss, double w) {
  modal_island* s = island_of(island);
  htz_modal_island_uncouple(s);
  htz_modal_island_sync(s);
  const bool touching = s->tied || htz_network_touching(s->net);
  const htz_modal_state before = htz_modal_tuning(s->desc.bodies[0]);
  tune_bodies(s, ratio, loss, touching, w);
  if (!touching && htz_network_touching(s->net)) {
    tune_bodies(s, before.ratio, before.loss, false, w);
    tune_bodies(s, ratio, loss, true, w);
  }
}

static void island_retune(htz_island* island, double ratio, double loss) {
  htz_modal_island_retune(island, ratio, loss, 0.0);
}

static void island_resonate(htz_island* island, double level) {
  modal_island* s = island_of(island);
  s->level_wanted = level > 0.0 ? level : 0.0;
  s->level = s->resting ? s->level_wanted : s->level; // nothing sounds that it could go from evenly
}

static double island_energy(const htz_island* island, double* loudness) {
  const modal_island* s = island_of_const(island);
  if (s->turn.holds) {
    return htz_modal_island_turn_energy(s, loudness);
  }
  if (s->folded) {
    return htz_fold_energy(s->fold, loudness);
  }
  const uint32_t together = htz_modal_island_in_network(&s->desc);
  if (s->coupled) {
    double energy[2];
    *loudness = htz_modal_island_free_energy(s, energy);
    return energy[0] + htz_network_energy_beyond(s->net, together) + (isfinite(energy[1]) ? 0.0 : energy[1]);
  }
  const double given = htz_network_energy(s->net) + htz_gestures_energy(s);
  double fed = 0.0;
  double sum = 0.0;
  for (uint32_t b = together; b < s->desc.n_bodies; ++b) {
    const htz_body* body = htz_modal_body(s->desc.bodies[b]);
    fed += body->cls->energy(body);
  }
  for (uint32_t o = 0; o < s->desc.n_outputs; ++o) {
    const htz_output* out = &s->desc.outputs[o];
    const htz_body* body = htz_modal_body(s->desc.bodies[out->body]);
    const double level = out->body < together ? 1.0 : s->level;
    const double energy = out->body < together ? htz_gestures_audible(s, out->body) : body->cls->energy(body);
    sum += level * htz_modal_loudness_bound(s->desc.bodies[out->body], out->pickup) * sqrt(energy > 0.0 ? energy : 0.0);
  }
  for (uint32_t r = 0; r < s->n_reactions; ++r) {
    sum += s->reactions[r].lately;
  }
  *loudness = sum;
  return given + (isfinite(fed) ? 0.0 : fed);
}

/** Every body swings by itself: nothing else pushes it, and none of its modes another. */
static bool swings_freely(const modal_island* s) {
  bool free = !s->tied && s->n_reactions == 0 && s->desc.n_bodies == htz_modal_island_in_network(&s->desc) &&
              htz_gestures_linear(s) && !htz_gestures_busy(&s->base);
  for (uint32_t b = 0; b < s->desc.n_bodies && free; ++b) {
    free = htz_modal_is_linear(s->desc.bodies[b]);
  }
  return free;
}

static double island_level(const htz_island* island) {
  const modal_island* s = island_of_const(island);
  double sum = 0.0;
  if (s->turn.holds && !s->turn.of_fold) {
    sum = htz_modal_island_turn_power(s);
  } else if (s->coupled) {
    sum = htz_modal_island_free_power(s);
  } else if (!s->turn.holds && !s->folded && swings_freely(s)) {
    for (uint32_t o = 0; o < s->desc.n_outputs; ++o) {
      const double *aq, *av;
      htz_modal_signal(s->desc.bodies[s->desc.outputs[o].body], s->desc.outputs[o].pickup, &aq, &av);
      sum += htz_modal_swing(s->desc.bodies[s->desc.outputs[o].body], aq, av);
    }
  } else {
    double loudness;
    island_energy(island, &loudness);
    return loudness;
  }
  return sqrt(sum);
}

static void island_left_over(htz_island* island, double* lines) {
  modal_island* s = island_of(island);
  htz_modal_island_uncouple(s);
  htz_signals_left_over(&s->desc, s->level, lines);
}

static void island_reset(htz_island* island) {
  modal_island* s = island_of(island);
  htz_gestures_reset(s);
  for (uint32_t b = 0; b < s->desc.n_bodies; ++b) {
    htz_body* body = htz_modal_body(s->desc.bodies[b]);
    body->cls->reset(body);
  }
  s->coupled = s->folded = s->turn.holds = false;
  s->fold_lost = 0.0;
  s->still = 0;
  for (uint32_t r = 0; r < s->n_reactions; ++r) {
    s->reactions[r].mean = s->reactions[r].lately = 0.0;
  }
  s->reported = 0.0;
  htz_modal_island_settle(s);
  s->work = htz_network_energy(s->net);
}

static htz_island_counters island_count(const htz_island* island) {
  const modal_island* s = island_of_const(island);
  const htz_network_counters* c = htz_network_count(s->net);
  htz_island_counters sum = {c->contact_steps + c->rubbed, c->closures + c->catches, c->unconverged + c->level_capped,
                             s->reused};
  htz_gestures_count(s, &sum);
  return sum;
}

const htz_island_class htz_modal_island_class = {.name = "exact-hold",
                                                 .advance = island_advance,
                                                 .strike = htz_gestures_start,
                                                 .damp = island_damp,
                                                 .retune = island_retune,
                                                 .resonate = island_resonate,
                                                 .energy = island_energy,
                                                 .level = island_level,
                                                 .relisten = island_relisten,
                                                 .left_over = island_left_over,
                                                 .busy = htz_gestures_busy,
                                                 .reset = island_reset,
                                                 .count = island_count,
                                                 .influence = htz_gestures_influence,
                                                 .disturbed = htz_gestures_disturbed,
                                                 .retains = htz_gestures_retain,
                                                 .external_work = htz_gestures_external_work,
                                                 .port = &htz_modal_island_port};

const htz_modal* htz_modal_island_folded(const htz_island* island) {
  return island_of_const(island)->folded ? island_of_const(island)->fold->modes : NULL;
}

htz_network* htz_modal_island_network(htz_island* island) {
  return island_of(island)->net;
}

htz_modal* htz_modal_island_body(htz_island* island, size_t index) {
  modal_island* s = island_of(island);
  if (s->turn.holds) {
    htz_modal_island_uncouple(s); // it is to be seen in its own coordinates
  }
  return s->desc.bodies[index];
}

bool htz_modal_island_unfolded(const htz_island* island) {
  return island->cls == &htz_modal_island_class && island_of_const(island)->unfolded;
}
