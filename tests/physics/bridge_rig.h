#ifndef HTZ_TEST_BRIDGE_RIG_H
#define HTZ_TEST_BRIDGE_RIG_H

#include "check.h"

#include "hertzian/contact/bridge.h"
#include "hertzian/contact/modal_island.h"

#include <math.h>
#include <string.h>

static const double rate_hz = 48000.0;

enum { STRINGS_MAX = 36, KEYS_MAX = 12, MODES = 60, BYTES = 64 << 20, POINTS = 2 };

/** Strings on a bridge, each key a struck island of its own. */
typedef struct {
  htz_arena arena;
  htz_modes string[STRINGS_MAX];
  htz_modes board_modes;
  htz_modal* board;
  size_t n_keys;
  htz_island* key[KEYS_MAX];
  htz_bridge* bridge;
} rig;

/** A mass on a spring: a board of one mode. */
static inline void one_mode(rig* r, double mass, double hz) {
  const double sigma = 0.0;
  assert_int_equal(htz_modes_list(1, &hz, &sigma, &mass, 1, NULL, &r->arena, &r->board_modes), HTZ_OK);
}

static inline void start(rig* r) {
  memset(r, 0, sizeof *r);
  assert_int_equal(htz_arena_init(&r->arena, BYTES), HTZ_OK);
}

static inline void make_bridge(rig* r, size_t points) {
  assert_int_equal(htz_modal_new(&r->board_modes, points, 0, rate_hz, htz_kernels_select(), &r->arena, &r->board), HTZ_OK);
  for (size_t p = 0; p < points; ++p) {
    htz_modal_place(r->board, p, points > 1 ? (double)p / (double)(points - 1) : 0.5);
  }
  assert_int_equal(htz_bridge_new(r->board, points, &r->arena, &r->bridge), HTZ_OK);
}

/** A key of `count` strings given by `desc`, `cents` apart; `island` says what else there is. */
static inline void add_played(rig* r, const htz_string_desc* desc, size_t count, double cents, double at,
                              htz_modal_island_desc island) {
  island.n_bodies = island.n_struck = (uint32_t)count;
  island.n_mallets = 2;
  const size_t points = island.n_mallets + island.prepared.n + HTZ_BOW_POINTS * island.n_bows;
  for (size_t i = 0; i < count; ++i) {
    htz_string_desc own = *desc;
    const double detune = exp2(cents * (double)i / 1200.0);
    own.tuning_hz *= detune;
    own.tension *= detune * detune;
    htz_modes* modes = &r->string[r->n_keys * 3 + i];
    assert_int_equal(htz_modes_string(&own, 0.45 * rate_hz, MODES, &r->arena, modes), HTZ_OK);
    htz_modal* m = NULL;
    assert_int_equal(htz_modal_new(modes, points, 0, rate_hz, htz_kernels_select(), &r->arena, &m), HTZ_OK);
    assert_int_equal(htz_modal_join(m, 1.0, &r->arena), HTZ_OK);
    island.bodies[i] = m;
  }
  assert_int_equal(htz_modal_island_new(&island, rate_hz, &r->arena, &r->key[r->n_keys]), HTZ_OK);
  assert_int_equal(htz_bridge_attach(r->bridge, r->n_keys, r->key[r->n_keys], at, &r->arena), HTZ_OK);
  htz_bridge_wake(r->bridge, r->n_keys, true);
  ++r->n_keys;
}

static inline void add_key(rig* r, const htz_string_desc* desc, size_t count, double cents, double at) {
  add_played(r, desc, count, cents, at, (htz_modal_island_desc){.n_bodies = 0});
}

static inline void finish(rig* r) {
  htz_arena_free(&r->arena);
}

// The C4 string of the reference: Chaigne and Askenfelt's.
static inline htz_string_desc c4(void) {
  return (htz_string_desc){.length = 0.62, .tension = 670.0, .lin_density = 3.93e-3 / 0.62, .inharmonicity = 3.82e-5 * 0.0};
}

#endif
