#include "struck.h"

#include <math.h>

// A hammer stays on the strings of a unison for several of the elastic contact times that the sub-step rule goes by, and each of its
// steps costs a solve of all strings. So 8 steps per elastic contact time are enough where that takes more than two steps a sample:
// against 256 steps, a fortissimo stroke on the shipped piano at 48 kHz hands over energy that is 0.03 % off up to C6, 0.15 % up to C7,
// 0.9 % at C8, and sounds the same but for -47 dB, -45 dB, -42 dB. A pianissimo one, which the rule for two steps a sample governs, is
// 0.06 %, 0.5 % and 2.6 % off (0.1 dB).
static const unsigned unison_thrift_level = 1;
static const double unison_thrift_steps = 8.0;

// Step tables made ahead, so that the first stroke finds them: T/16 is what a hard stroke on most bodies asks for.
enum { USUAL_LEVEL = 4 };

static const double surface_glide_s = 0.02; // roughness and asymmetry glide: a step of them would be a blow
static const double hand_s = 0.1;           // and so does the speed that a hand gives a ball

static bool valid(const htz_struck_desc* d) {
  if (d->n_struck == 0 || d->n_struck > HTZ_STRUCK_UNISON_MAX || d->n_bodies < d->n_struck ||
      d->n_bodies > HTZ_STRUCK_BODIES_MAX || d->n_feeds > HTZ_STRUCK_FEEDS_MAX || d->n_outputs > HTZ_STRUCK_OUTPUTS_MAX ||
      (d->stay.given && d->n_struck != 1) || (d->stay.rolls && (!(d->stay.grain > 0.0) || !(d->stay.radius > 0.0))) ||
      !(d->stay.spring_hz >= 0.0) || !(d->stay.damping >= 0.0) || d->n_lines > HTZ_ISLAND_PICKUPS_MAX || d->n_mallets == 0 ||
      d->n_mallets > HTZ_STRUCK_MALLETS_MAX) {
    return false;
  }
  for (uint32_t b = 0; b < d->n_struck; ++b) {
    if (htz_modal_body(d->bodies[b])->n_points < d->n_mallets) {
      return false;
    }
  }
  for (uint32_t i = 0; i < d->n_feeds; ++i) {
    if (d->feeds[i].from >= d->feeds[i].to || d->feeds[i].to >= d->n_bodies || d->feeds[i].to < d->n_struck) {
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
    if (b >= s->desc.n_struck) {
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
  // The coupled form is worked out for resonators of a single struck body; a unison has none, or drives them sample by sample.
  s->couples = s->desc.n_struck == 1 || s->desc.n_bodies == s->desc.n_struck;
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
  s->glide = -expm1(-s->period / surface_glide_s);
  s->hurry = -expm1(-s->period / hand_s);

  allocate_coupling(s, arena);

  enum { LOOSE = HTZ_LOOSE_MAX, FIXED = 2 }; // a screw and the ground
  htz_body* bodies[HTZ_STRUCK_UNISON_MAX + HTZ_STRUCK_MALLETS_MAX + LOOSE + FIXED];
  htz_contact_desc contacts[(HTZ_STRUCK_MALLETS_MAX + LOOSE) * HTZ_STRUCK_UNISON_MAX];
  const uint32_t n = desc->n_struck;
  for (uint32_t b = 0; b < n; ++b) {
    bodies[b] = htz_modal_body(desc->bodies[b]);
    bodies[b]->cls->prepare(bodies[b], USUAL_LEVEL);
  }
  for (uint32_t i = 0; i < desc->n_mallets; ++i) {
    const htz_mass_desc unit = {.mass = 1.0}; // every strike brings its own mass
    const htz_status st = htz_mass_new(&unit, rate_hz, arena, &s->mallets[i].body);
    if (st) {
      return st;
    }
    bodies[n + i] = s->mallets[i].body;
    for (uint32_t b = 0; b < n; ++b) {
      contacts[i * n + b] = (htz_contact_desc){.law = {.cls = &htz_law_hunt_crossley, .p = {1.0, 1.0, 0.0}},
                                               .body_a = n + i,
                                               .body_b = b,
                                               .point_b = i,
                                               .direction = 1.0};
    }
  }
  size_t n_bodies = n + desc->n_mallets, n_contacts = desc->n_mallets * (size_t)n;
  htz_status st = desc->is_prepared ? htz_prepared_new(s, rate_hz, arena, &n_bodies, bodies, &n_contacts, contacts) : HTZ_OK;
  if (!st) {
    st = htz_network_new(n_bodies, bodies, n_contacts, contacts, rate_hz, arena, &s->net);
  }
  if (st) {
    return st;
  }
  if (n > 1) {
    htz_network_set_thrift(s->net, unison_thrift_level, unison_thrift_steps);
  }
  for (uint32_t i = 0; i < desc->n_mallets; ++i) {
    htz_network_wake(s->net, n + i, false);
  }
  if (desc->is_prepared) {
    st = htz_prepared_join(s, (uint32_t)n_bodies - 1, arena);
    if (st) {
      return st;
    }
  }
  st = htz_struck_port_new(s, arena);
  if (st || arena->failed) {
    return HTZ_NO_MEMORY;
  }
  *out = &s->base;
  return HTZ_OK;
}
