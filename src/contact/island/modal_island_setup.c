#include "fold.h"
#include "modal_island.h"

#include <math.h>

// A hammer stays on the strings of a unison for several of the elastic contact times that the sub-step rule goes by, and each of its
// steps costs a solve of all strings. So 8 steps per elastic contact time are enough where that takes more than two steps a sample:
// against 256 steps, a fortissimo stroke on the shipped piano at 48 kHz hands over energy that is 0.03 % off up to C6, 0.15 % up to C7,
// 0.9 % at C8, and sounds the same but for -47 dB, -45 dB, -42 dB. A pianissimo one, which the rule for two steps a sample governs, is
// 0.06 %, 0.5 % and 2.6 % off (0.1 dB).
static const unsigned unison_coarse_level = 1;
static const double unison_coarse_steps = 8.0;

static const double pi = 3.14159265358979323846;

// A string that lies on one side of a bridge presses on it on average, and what is still radiates nothing.
static const double reaction_corner_hz = 8.0;

// Step tables made ahead, so that the first stroke finds them: T/16 is what a hard stroke on most bodies asks for.
enum { USUAL_LEVEL = 4 };

/** Nothing but one mallet and one body: a solver of its own knows of no more. */
static bool alone(const htz_modal_island_desc* d) {
  return d->n_struck == 1 && d->n_bowed + d->n_joined == 0 && d->n_mallets == 1 && d->n_bows == 0 &&
         !htz_modal_island_fingered(d) && !d->stay.given && d->prepared.n == 0 && d->n_link_joins + d->n_link_contacts == 0;
}

static bool valid(const htz_modal_island_desc* d) {
  const uint32_t played = htz_modal_island_played(d);
  if ((d->solver && !alone(d)) || played == 0 || played > HTZ_ISLAND_UNISON_MAX || (d->n_struck == 0 && d->n_mallets > 0) ||
      d->n_bodies < htz_modal_island_in_network(d) || d->n_bodies > HTZ_ISLAND_BODIES_MAX ||
      d->n_feeds > HTZ_ISLAND_FEEDS_MAX || d->n_outputs > HTZ_ISLAND_OUTPUTS_MAX ||
      (d->stay.rolls && (!(d->stay.grain > 0.0) || !(d->stay.radius > 0.0))) || !(d->stay.spring_hz >= 0.0) ||
      !(d->stay.damping >= 0.0) || d->n_lines > HTZ_ISLAND_PICKUPS_MAX || d->n_mallets + d->n_bows == 0 ||
      d->n_mallets > HTZ_ISLAND_MALLETS_MAX || d->n_bows > HTZ_BOWS_MAX) {
    return false;
  }
  for (uint32_t i = 0; i < d->n_bows; ++i) {
    if (d->bows[i].body > played || d->bows[i].n_bodies > played - d->bows[i].body) {
      return false;
    }
  }
  for (uint32_t b = 0; b < played; ++b) {
    if (htz_modal_body(d->bodies[b])->n_points < htz_gestures_points(d)) {
      return false;
    }
  }
  for (uint32_t i = 0; i < d->n_feeds; ++i) {
    // Feeds between bodies that move together are checked with the links.
    const bool only_fed = d->feeds[i].to >= htz_modal_island_in_network(d);
    if ((only_fed && d->feeds[i].from >= d->feeds[i].to) || d->feeds[i].to >= d->n_bodies) {
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
static void allocate_coupling(modal_island* s, htz_arena* arena) {
  const size_t n0 = htz_modal_padded(s->desc.bodies[0]);
  s->lines = htz_arena_alloc(arena, s->desc.n_bodies, sizeof *s->lines);
  s->weights = htz_arena_alloc(arena, s->desc.n_bodies, sizeof *s->weights);
  if (!s->lines || !s->weights) {
    return;
  }
  for (size_t b = 0; b < s->desc.n_bodies; ++b) {
    const size_t n = htz_modal_padded(s->desc.bodies[b]);
    if (b >= htz_modal_island_in_network(&s->desc)) {
      s->couplings[b].n = htz_modal_count(s->desc.bodies[b]);
      s->couplings[b].pi = htz_arena_alloc_cold(arena, s->couplings[b].n * 4 * n0, sizeof(double));
      const size_t ears = htz_modal_pickups(s->desc.bodies[b]);
      s->couplings[b].ears = ears ? htz_arena_alloc_cold(arena, ears * 2 * n0, sizeof(double)) : NULL;
    }
    for (uint32_t l = 0; l < s->desc.n_lines; ++l) {
      double* block = htz_arena_alloc_cold(arena, 6 * n, sizeof(double));
      if (block) {
        s->lines[b][l] = (line){.aq = block, .av = block + n};
        s->weights[b][l] = (htz_free_weights){block + 2 * n, block + 3 * n, block + 4 * n, block + 5 * n};
      }
    }
  }
  // The coupled form is worked out for resonators of a single struck body; a unison has none, or drives them sample by sample.
  s->couples = htz_modal_island_in_network(&s->desc) == 1 || s->desc.n_bodies == htz_modal_island_in_network(&s->desc);
  for (size_t b = htz_modal_island_in_network(&s->desc); b < s->desc.n_bodies; ++b) {
    s->couples = s->couples && !htz_modal_has_internal(s->desc.bodies[b]); // x' runs free only where x is linear
  }
  for (uint32_t f = 0; f < s->desc.n_feeds; ++f) {
    s->couples = s->couples && s->desc.feeds[f].from == 0;
  }
}

/** Some of its contacts are many along a body. */
static bool along_a_body(const htz_modal_island_desc* d) {
  bool any = false;
  for (uint32_t i = 0; i < d->n_link_contacts; ++i) {
    any = any || d->link_contacts[i].whole_steps;
  }
  return any;
}

static htz_status build_network(modal_island* s, const network_plan* plan, double rate_hz, htz_arena* arena) {
  htz_status st = htz_plan_fits(plan) ? HTZ_OK : HTZ_BAD_VALUE;
  if (!st) {
    st = htz_network_new(plan->n_bodies, plan->bodies, plan->n_contacts, plan->contacts, rate_hz, arena, &s->net);
  }
  if (!st) {
    st = htz_network_add_joins(s->net, plan->n_joins, plan->joins, arena);
  }
  if (!st) {
    st = htz_network_add_frictions(s->net, plan->n_frictions, plan->frictions, arena);
  }
  if (st) {
    return st;
  }
  if (along_a_body(&s->desc)) {
    st = htz_network_solve_jointly(s->net, arena);
  }
  if (st) {
    return st;
  }
  if (s->desc.n_struck > 1) {
    htz_network_set_coarse(s->net, unison_coarse_level, unison_coarse_steps);
  }
  if (s->desc.n_link_contacts > 0) { // bodies that go on meeting while they ring
    htz_network_set_coarse(s->net, 0, unison_coarse_steps);
  }
  for (size_t i = 0; i < plan->n_bodies; ++i) {
    if (!plan->awake[i]) {
      htz_network_wake(s->net, i, false);
    }
  }
  return HTZ_OK;
}

/** Where the bodies feed no others, they and what is fixed to them may run as one set of modes while their support stands still. */
static htz_status add_fold(modal_island* s, double rate_hz, htz_arena* arena) {
  const uint32_t n = htz_modal_island_in_network(&s->desc);
  const bool alone = s->n_reactions == 0 && s->desc.n_feeds == 0 && s->desc.n_bodies == n && n <= HTZ_ISLAND_UNISON_MAX;
  const htz_status st = alone ? htz_fold_new(s->net, n, &s->desc, rate_hz, arena, &s->fold) : HTZ_OK;
  s->unfolded = alone && arena->memory && !s->fold && htz_fold_wanted(s->net);
  return st;
}

/** Pickups that hear more than the bodies' own motion, into `out`, or NULL to count them only. @return how many */
static uint32_t find_reactions(const modal_island* s, reaction* out) {
  uint32_t n = 0;
  for (uint32_t b = 0; b < htz_modal_island_in_network(&s->desc); ++b) {
    for (uint32_t p = 0; p < htz_modal_pickups(s->desc.bodies[b]); ++p) {
      const double gain = htz_modal_reacts(s->desc.bodies[b], p);
      if (gain != 0.0 && out) {
        out[n] = (reaction){.body = b, .pickup = p, .gain = gain};
      }
      n += gain != 0.0;
    }
  }
  return n;
}

static htz_status gather_reactions(modal_island* s, htz_arena* arena) {
  s->n_reactions = find_reactions(s, NULL);
  s->reactions = s->n_reactions ? htz_arena_alloc(arena, s->n_reactions, sizeof *s->reactions) : NULL;
  if (s->n_reactions && !s->reactions) {
    return HTZ_NO_MEMORY;
  }
  find_reactions(s, s->reactions);
  return HTZ_OK;
}

htz_status htz_modal_island_new(const htz_modal_island_desc* desc, double rate_hz, htz_arena* arena, htz_island** out) {
  if (!valid(desc) || !(rate_hz > 0.0)) {
    return HTZ_BAD_VALUE;
  }
  modal_island* s = htz_arena_alloc(arena, 1, sizeof *s);
  if (!s) {
    return HTZ_NO_MEMORY;
  }
  s->base = (htz_island){&htz_modal_island_class, desc->n_lines};
  s->desc = *desc;
  s->period = 1.0 / rate_hz;
  s->reaction_share = -expm1(-2.0 * pi * reaction_corner_hz * s->period);
  s->level = 1.0;
  s->level_wanted = 1.0;

  htz_status st = gather_reactions(s, arena);
  if (st) {
    return st;
  }
  allocate_coupling(s, arena);

  network_plan plan = {.n_bodies = 0};
  for (uint32_t b = 0; b < htz_modal_island_in_network(desc); ++b) {
    htz_body* body = htz_modal_body(desc->bodies[b]);
    body->cls->prepare(body, USUAL_LEVEL);
    htz_plan_body(&plan, body, true);
  }
  st = htz_gestures_new(s, rate_hz, arena, &plan);
  st = st ? st : build_network(s, &plan, rate_hz, arena);
  if (st) {
    return st;
  }
  // As built, until told otherwise.
  static const htz_influence as_built = {.bow = {{.at = (double)NAN}, {.at = (double)NAN}}, .finger = (double)NAN};
  htz_gestures_influence(&s->base, &as_built);
  htz_modal_island_settle(s);
  s->work = htz_network_energy(s->net);
  st = add_fold(s, rate_hz, arena);
  st = st ? st : htz_modal_island_port_new(s, arena);
  if (st || arena->failed) {
    return HTZ_NO_MEMORY;
  }
  *out = &s->base;
  return HTZ_OK;
}
