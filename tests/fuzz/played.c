#include "played.h"

#include "hertzian/engine/engine.h"
#include "hertzian/instrument/instrument.h"
#include "hertzian/instrument/spec_grid.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
  MODES_MAX = 100,   // instruments with more modes a key than this are read, but not built: it would only be slow
  POINTS_MAX = 1000, // likewise points of grids; those in a stretch count more, each is a contact
  STRETCHED = 5,
  KEYS = 3,   // built and played
  QUANTA = 3, // after each stroke
};

void fuzz_require(bool condition) {
  if (!condition) {
    abort();
  }
}

void fuzz_check_faults(const htz_diags* diags, htz_status st) {
  fuzz_require(diags->n > 0 && diags->n <= HTZ_DIAGS_MAX);
  for (size_t i = 0; i < diags->n; ++i) {
    const htz_diag* it = &diags->item[i];
    fuzz_require(it->text[0] != '\0' && memchr(it->text, '\0', HTZ_DIAG_TEXT) != NULL);
    fuzz_require(strpbrk(it->text, "\n\r\t\x1b") == NULL);
    fuzz_require(i == 0 || it->line >= it[-1].line);
    fuzz_require(st != HTZ_BAD_INPUT || it->line > 0 || diags->n == 1);
  }
}

void fuzz_check_values(const htz_spec* spec) {
  fuzz_require(spec->name && spec->about && (spec->grid ? spec->grid->n_bodies >= 1 : spec->n_bodies >= 1));
  size_t pickups = spec->n_pickups + spec->board.n_pickups;
  for (size_t b = 0; b < spec->n_linked_shared; ++b) {
    pickups += spec->linked_shared[b].n_pickups;
  }
  fuzz_require(pickups >= 1 && !spec->board.given == !spec->board.n_pickups);
  fuzz_require(spec->key_low >= 0 && spec->key_low <= spec->key_high && spec->key_high < HTZ_KEYS);
  for (int key = 0; key < HTZ_KEYS; ++key) {
    fuzz_require(htz_table_at(&spec->mallet.mass, key) > 0.0 || spec->grid);
    fuzz_require(htz_table_at(&spec->mallet.stiffness, key) > 0.0);
    fuzz_require(htz_table_at(&spec->mallet.exponent, key) >= 1.0);
    for (size_t p = 0; p < spec->n_pickups; ++p) {
      fuzz_require(isfinite(htz_table_at(&spec->pickups[p].gain, key)));
    }
    for (size_t d = 0; d < spec->board.n_drives; ++d) {
      fuzz_require(isfinite(htz_table_at(&spec->board.drives[d].gain, key)));
    }
    for (size_t b = 0; b < spec->n_bodies; ++b) {
      const size_t count = htz_spec_count(&spec->bodies[b], key);
      fuzz_require(count >= 1 && count <= HTZ_SPEC_UNISON_MAX);
    }
  }
  for (size_t f = 0; f < spec->n_feeds; ++f) {
    fuzz_require(spec->feeds[f].to < spec->n_bodies && spec->feeds[f].from != spec->feeds[f].to);
    fuzz_require(spec->feeds[f].from < spec->feeds[f].to || spec->feeds[f].to < spec->n_linked);
  }
}

uint32_t fuzz_draw(uint32_t* state) {
  *state = *state * 1664525u + 1013904223u;
  return *state >> 8;
}

uint32_t fuzz_seed(const uint8_t* data, size_t size) {
  uint32_t hash = 2166136261u;
  for (size_t i = 0; i < size; ++i) {
    hash = (hash ^ data[i]) * 16777619u;
  }
  return hash;
}

/** Small enough that a few keys are made and played in a moment. */
static bool is_small(const htz_spec* spec, double rate_hz) {
  if (spec->grid) {
    htz_spec_grid_look looks[HTZ_SPEC_GRID_BODIES_MAX];
    char where[HTZ_SPEC_WHERE];
    const char* why;
    size_t points = 0;
    if (htz_spec_grid_try(spec, spec->key_low, rate_hz, htz_kernels_select(), looks, where, &why)) {
      return true; // refused as soon as it is tried
    }
    for (size_t b = 0; b < spec->grid->n_bodies; ++b) {
      points += looks[b].points * (spec->grid->n_stretches ? STRETCHED : 1);
    }
    return points <= POINTS_MAX;
  }
  size_t modes = spec->board.given ? spec->board.body.max_modes : 0;
  for (size_t b = 0; b < spec->n_linked_shared; ++b) {
    modes += spec->linked_shared[b].body.max_modes;
  }
  for (size_t b = 0; b < spec->n_bodies; ++b) {
    modes += spec->bodies[b].max_modes * HTZ_SPEC_UNISON_MAX;
  }
  return modes <= MODES_MAX;
}

/** The sound of a few quanta is sound, and the parameters are at one of their ends or where the file has them. */
static void run(const htz_spec* spec, htz_engine* engine, uint32_t part, unsigned quanta, uint32_t* state) {
  float left[HTZ_QUANTUM], right[HTZ_QUANTUM], drive[HTZ_QUANTUM];
  for (unsigned q = 0; q < quanta; ++q) {
    const htz_param_index index = (htz_param_index)(fuzz_draw(state) % HTZ_PARAM_NAMED);
    const htz_param_desc d = htz_spec_param(spec, index);
    if (htz_spec_param_used(spec, index)) {
      const htz_param_change change = {.value = fuzz_draw(state) % 2 ? d.minimum : d.maximum,
                                       .part = (uint16_t)part,
                                       .key = HTZ_KEY_ALL,
                                       .index = index,
                                       .frame = htz_engine_now(engine)};
      htz_engine_change(engine, &change);
    }
    for (size_t i = 0; i < HTZ_QUANTUM; ++i) {
      drive[i] = (float)(fuzz_draw(state) % 2001) / 1000.0f - 1.0f;
    }
    htz_engine_drive(engine, spec->mallet.driven ? drive : NULL);
    htz_engine_quantum(engine, left, right);
    for (size_t i = 0; i < HTZ_QUANTUM; ++i) {
      fuzz_require(isfinite(left[i]) && isfinite(right[i]));
    }
  }
}

static void play(const htz_spec* spec, htz_instrument* it, double rate_hz, const int keys[KEYS], uint32_t* state) {
  static const double velocities[KEYS] = {127.0, 1.0, 64.0};
  const htz_engine_desc desc = {.rate_hz = rate_hz};
  htz_engine* engine;
  uint32_t part;
  fuzz_require(htz_engine_new(&desc, &engine) == HTZ_OK && htz_engine_add_part(engine, it, &part) == HTZ_OK);
  for (size_t i = 0; i < KEYS; ++i) {
    const uint32_t key = (uint32_t)keys[i];
    htz_engine_hold(engine, part, key, true, htz_engine_now(engine));
    htz_engine_strike(engine, part, key, velocities[i], htz_engine_now(engine) + fuzz_draw(state) % HTZ_QUANTUM);
    run(spec, engine, part, QUANTA, state);
  }
  for (size_t i = 0; i < KEYS; ++i) {
    htz_engine_hold(engine, part, (uint32_t)keys[i], false, htz_engine_now(engine));
  }
  run(spec, engine, part, QUANTA, state);
  htz_engine_silence(engine, part, htz_engine_now(engine));
  run(spec, engine, part, QUANTA, state);
  htz_engine_free(engine);
}

void fuzz_play(const htz_spec* spec, uint32_t seed) {
  static const double rates[] = {8000.0, 44100.0, 48000.0, 192000.0};
  const double rate_hz = rates[fuzz_draw(&seed) % (sizeof rates / sizeof rates[0])];
  const int keys[KEYS] = {spec->key_low, spec->key_high, (int)(fuzz_draw(&seed) % HTZ_KEYS)};
  uint64_t wanted[HTZ_KEYS / 64] = {0};
  htz_arena arena;
  htz_instrument* it;
  const char* why;
  if (!is_small(spec, rate_hz)) {
    return;
  }
  for (size_t i = 0; i < KEYS; ++i) {
    wanted[keys[i] / 64] |= UINT64_C(1) << (keys[i] % 64);
  }
  const htz_status st = htz_instrument_build(spec, rate_hz, htz_kernels_select(), wanted, &arena, &it, &why);
  if (st == HTZ_OK) {
    play(spec, it, rate_hz, keys, &seed);
    htz_arena_free(&arena);
  } else {
    fuzz_require(why != NULL &&
                 (st == HTZ_UNSUPPORTED || st == HTZ_NO_MEMORY)); // a file that is good can be made, if not at this rate
  }
}
