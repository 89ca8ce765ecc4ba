#ifndef HTZ_TEST_PREPARED_RIG_H
#define HTZ_TEST_PREPARED_RIG_H

#include "check.h"

#include "hertzian/contact/modal_island.h"

#include <math.h>
#include <string.h>

/*
   A unison of strings under one hammer with something fixed to them or lying on them.
*/

static const double rate_hz = 48000.0;

enum { STRINGS = 3, SECOND = 750 }; // quanta

/** Values by which the rig's player moves things. */
enum {
  NO_VALUE = 0,
  BRIDGE_GAP,
  BRIDGE_MASS,
  RATTLE_GAP,
  RATTLE_MASS,
  RATTLE_AT,
  SCREW_MASS,
  SCREW_AT,
  RUBBER_LOSS,
  RUBBER_AT,
  STAY,
  VALUES = STAY + HTZ_STAY_FIELDS
};

/** Things on the unison, in this order; a mass of 0, or a rubber of nothing, is not there. */
typedef struct {
  htz_loose_desc rattle, bridge;
  htz_screw_desc screw;
  htz_rubber_desc rubber;
} things;

static inline void put(htz_prepared_desc* d, uint32_t first_point, const htz_prepared_thing* thing) {
  static const uint16_t moved[HTZ_PREPARED_KINDS][HTZ_THING_FIELDS] = {
      [HTZ_PREPARED_RATTLE] = {RATTLE_GAP, RATTLE_MASS, RATTLE_AT},
      [HTZ_PREPARED_BRIDGE] = {BRIDGE_GAP, BRIDGE_MASS, NO_VALUE},
      [HTZ_PREPARED_SCREW] = {NO_VALUE, SCREW_MASS, SCREW_AT},
      [HTZ_PREPARED_RUBBER] = {NO_VALUE, RUBBER_LOSS, RUBBER_AT},
  };
  d->things[d->n] = *thing;
  for (size_t f = 0; f < HTZ_THING_FIELDS; ++f) {
    d->things[d->n].control[f].kind = moved[thing->kind][f];
  }
  d->things[d->n].n_bodies = STRINGS;
  d->things[d->n].point = first_point + d->n;
  ++d->n;
}

/** As the island takes them, at points from `first_point` on. */
static inline htz_prepared_desc listed(const things* t, uint32_t first_point) {
  htz_prepared_desc d = {.n = 0};
  if (t->rattle.mass > 0.0) {
    put(&d, first_point, &(htz_prepared_thing){.kind = HTZ_PREPARED_RATTLE, .as = {.loose = t->rattle}});
  }
  if (t->bridge.mass > 0.0) {
    put(&d, first_point, &(htz_prepared_thing){.kind = HTZ_PREPARED_BRIDGE, .as = {.loose = t->bridge}});
  }
  if (t->screw.mass > 0.0) {
    put(&d, first_point, &(htz_prepared_thing){.kind = HTZ_PREPARED_SCREW, .as = {.screw = t->screw}});
  }
  if (t->rubber.damping > 0.0 || t->rubber.stiffness > 0.0) {
    put(&d, first_point, &(htz_prepared_thing){.kind = HTZ_PREPARED_RUBBER, .as = {.rubber = t->rubber}});
  }
  return d;
}

typedef struct {
  htz_arena arena;
  htz_modes modes[STRINGS];
  htz_modal_island_desc desc;
  htz_island* island;
  htz_influence influence;
  double value[VALUES]; // NaN: as built
} rig;

static const htz_strike hammer = {
    .speed = 3.0, .mass = 8e-3, .stiffness = 4e9, .exponent = 2.5, .viscosity = 0.0, .at = 0.12, .at_y = NAN};

/** `count` strings about C4; with `sigma` 0 they have no losses; `apart`: of the tension, from one to the next. Their mallets stay as `stay` says, where that is not NULL. */
static inline void build_apart(rig* r, uint32_t count, double apart, double sigma, const things* prepared, const htz_stay* stay,
                               uint32_t n_mallets) {
  memset(r, 0, sizeof *r);
  assert_int_equal(htz_arena_init(&r->arena, (size_t)8 << 20), HTZ_OK);
  for (uint32_t b = 0; b < count; ++b) {
    const htz_string_desc string = {.length = 0.62,
                                    .tension = 670.0 * (1.0 + apart * b),
                                    .lin_density = 6.3e-3,
                                    .inharmonicity = 4e-4,
                                    .loss = {.loss0 = 0.0}};
    assert_int_equal(htz_modes_string(&string, 16000.0, 50, &r->arena, &r->modes[b]), HTZ_OK);
    for (size_t k = 0; k < r->modes[b].n; ++k) {
      r->modes[b].sigma[k] = sigma * (1.0 + 0.1 * (double)k);
    }
    assert_int_equal(htz_modal_new(&r->modes[b], n_mallets + HTZ_PREPARED_MAX, 1, rate_hz, htz_kernels_select(), &r->arena,
                                   &r->desc.bodies[b]),
                     HTZ_OK);
    htz_modal_listen(r->desc.bodies[b], 0, HTZ_HEAR_VELOCITY, 0.9, 1.0);
    r->desc.outputs[b] = (htz_output){b, 0, 0};
  }
  r->desc.n_bodies = r->desc.n_struck = r->desc.n_outputs = count;
  r->desc.n_lines = 1;
  r->desc.n_mallets = n_mallets;
  r->desc.stay = stay ? *stay : (htz_stay){.given = false};
  for (uint16_t f = 0; f < HTZ_STAY_FIELDS; ++f) {
    r->desc.stay.control[f].kind = (uint16_t)(STAY + f);
  }
  r->desc.prepared = listed(prepared, n_mallets);
  for (uint32_t i = 0; i < r->desc.prepared.n; ++i) {
    r->desc.prepared.things[i].n_bodies = count;
  }
  assert_int_equal(htz_modal_island_new(&r->desc, rate_hz, &r->arena, &r->island), HTZ_OK);
  for (size_t i = 0; i < VALUES; ++i) {
    r->value[i] = NAN;
  }
  r->influence = (htz_influence){.value = r->value, .finger = NAN};
  r->island->cls->influence(r->island, &r->influence);
}

static inline void build_strings(rig* r, uint32_t count, double sigma, const things* prepared, const htz_stay* stay,
                                 uint32_t n_mallets) {
  build_apart(r, count, 1e-3, sigma, prepared, stay, n_mallets);
}

/** A unison without a difference. */
static inline void build_alike(rig* r, const things* prepared) {
  build_apart(r, STRINGS, 0.0, 0.5, prepared, NULL, 1);
}

/** A unison. */
static inline void build_with(rig* r, double sigma, const things* prepared, const htz_stay* stay, uint32_t n_mallets) {
  build_strings(r, STRINGS, sigma, prepared, stay, n_mallets);
}

static inline void build(rig* r, double sigma, const things* prepared) {
  build_with(r, sigma, prepared, NULL, 1);
}

static inline void run(rig* r, size_t quanta, float* out) {
  float sink[HTZ_QUANTUM];
  for (size_t q = 0; q < quanta; ++q) {
    float* lines[HTZ_ISLAND_PICKUPS_MAX] = {out ? out + q * HTZ_QUANTUM : sink};
    memset(lines[0], 0, sizeof sink);
    r->island->cls->influence(r->island, &r->influence);
    r->island->cls->advance(r->island, HTZ_QUANTUM, lines);
  }
}

static inline double energy(const rig* r) {
  double loudness;
  return r->island->cls->energy(r->island, &loudness);
}

#endif
