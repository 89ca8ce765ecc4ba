#include "hertzian/instrument/instrument.h"

#include <math.h>

/** What one construction needs to know. */
typedef struct {
  const htz_spec* spec;
  double rate_hz;
  const htz_kernels* kernels;
  htz_arena* arena;
  const char* why;
} builder;

/** Pickups of body `b`: those that are heard first (the first one's level tells when the key is silent), then the feeds'. */
static size_t count_pickups(const htz_spec* spec, size_t b) {
  size_t n = 0;
  for (size_t p = 0; p < spec->n_pickups; ++p) {
    n += spec->pickups[p].of == b;
  }
  for (size_t f = 0; f < spec->n_feeds; ++f) {
    n += spec->feeds[f].from == b;
  }
  return n;
}

static bool same_place(const htz_spec_pickup* a, const htz_spec_pickup* b) {
  return a->by_key == b->by_key && (a->by_key ? a->spread == b->spread : a->pan == b->pan);
}

/** Output line of pickup `p`: pickups in one place share one. */
static uint32_t line_of(const htz_spec* spec, size_t p) {
  uint32_t line = 0;
  for (size_t i = 0; i < p; ++i) {
    if (same_place(&spec->pickups[i], &spec->pickups[p])) {
      return line_of(spec, i);
    }
    bool first = true;
    for (size_t j = 0; j < i; ++j) {
      first = first && !same_place(&spec->pickups[j], &spec->pickups[i]);
    }
    line += first;
  }
  return line;
}

static void listen(const htz_spec* spec, size_t b, double key, htz_struck_desc* desc) {
  uint32_t n = 0;
  for (size_t p = 0; p < spec->n_pickups; ++p) {
    const htz_spec_pickup* pickup = &spec->pickups[p];
    if (pickup->of == b) {
      htz_modal_listen(desc->bodies[b], n, pickup->quantity, htz_table_at(&pickup->at, key), htz_table_at(&pickup->gain, key));
      desc->outputs[p] = (htz_output){(uint32_t)b, n++, line_of(spec, p)};
      desc->n_lines = desc->n_lines > desc->outputs[p].line ? desc->n_lines : desc->outputs[p].line + 1;
    }
  }
  for (size_t f = 0; f < spec->n_feeds; ++f) {
    const htz_spec_feed* feed = &spec->feeds[f];
    if (feed->from == b) {
      htz_modal_listen(desc->bodies[b], n, feed->quantity, htz_table_at(&feed->at, key), htz_table_at(&feed->gain, key));
      desc->feeds[f] = (htz_feed){(uint32_t)b, n++, (uint32_t)feed->to};
    }
  }
}

/** Where forces act: the mallets on the struck body, the feed on any other. */
static void place(const htz_spec* spec, size_t b, double key, size_t points, htz_modal* modal) {
  double x = htz_table_at(&spec->mallet.at, key);
  if (b > 0) {
    for (size_t f = 0; f < spec->n_feeds; ++f) {
      x = spec->feeds[f].to == b ? htz_table_at(&spec->feeds[f].into, key) : x;
    }
  }
  for (size_t p = 0; p < points; ++p) {
    htz_modal_place(modal, p, x);
  }
}

static htz_status build_body(builder* build, size_t b, double key, htz_struck_desc* desc, size_t* n_modes) {
  const htz_spec* spec = build->spec;
  htz_modes* modes = htz_arena_alloc(build->arena, 1, sizeof *modes);
  if (!modes) {
    return HTZ_NO_MEMORY;
  }
  const htz_status made = htz_spec_modes(&spec->bodies[b], key, build->arena, modes, &build->why);
  if (made) {
    return made;
  }
  const size_t points = b == 0 ? spec->mallet.pool : 1;
  const htz_status st =
      htz_modal_new(modes, points, count_pickups(spec, b), build->rate_hz, build->kernels, build->arena, &desc->bodies[b]);
  if (st) {
    return st;
  }
  place(spec, b, key, points, desc->bodies[b]);
  listen(spec, b, key, desc);
  *n_modes += modes->n;
  return HTZ_OK;
}

static htz_status build_island(builder* build, double key, htz_island** island, size_t* n_modes) {
  const htz_spec* spec = build->spec;
  htz_struck_desc desc = {
      .n_bodies = (uint32_t)spec->n_bodies,
      .n_struck = 1,
      .n_feeds = (uint32_t)spec->n_feeds,
      .n_outputs = (uint32_t)spec->n_pickups,
      .n_mallets = (uint32_t)spec->mallet.pool,
  };
  for (size_t b = 0; b < spec->n_bodies; ++b) {
    const htz_status st = build_body(build, b, key, &desc, n_modes);
    if (st) {
      return st;
    }
  }
  return htz_struck_new(&desc, build->rate_hz, build->arena, island);
}

/** Place of a pickup at a key: across the range of the real instrument, and no further beyond it. */
static double pan_at(const htz_spec* spec, const htz_spec_pickup* pickup, double key) {
  if (!pickup->by_key) {
    return pickup->pan;
  }
  if (spec->key_high == spec->key_low) {
    return 0.0;
  }
  double x = 2.0 * (key - spec->key_low) / (spec->key_high - spec->key_low) - 1.0;
  x = x < -1.0 ? -1.0 : x > 1.0 ? 1.0 : x;
  return pickup->spread * x;
}

static void fill_key(const htz_spec* spec, double key, htz_key* out) {
  const htz_spec_mallet* mallet = &spec->mallet;
  out->hz = htz_key_hz(key);
  out->speed[0] = htz_table_at(&mallet->speed[0], key);
  out->speed[1] = htz_table_at(&mallet->speed[1], key);
  out->mass = htz_table_at(&mallet->mass, key);
  out->stiffness = htz_table_at(&mallet->stiffness, key);
  out->touch = htz_table_at(&mallet->touch, key);
  out->exponent = htz_table_at(&mallet->exponent, key);
  out->viscosity = htz_table_at(&mallet->viscosity, key);
  out->at = htz_table_at(&mallet->at, key);
  out->damper = spec->damper.n ? htz_table_at(&spec->damper, key) : 0.0;
  // Tables that cross beyond the range they were written for must not turn the touch around.
  if (out->speed[1] < out->speed[0]) {
    out->speed[1] = out->speed[0];
  }
  for (size_t p = 0; p < spec->n_pickups; ++p) {
    out->pan[line_of(spec, p)] = pan_at(spec, &spec->pickups[p], key);
  }
}

/** One key. `modes` grows by the modes it has. */
static htz_status construct_key(builder* build, int k, htz_key* key, size_t* modes) {
  const htz_spec* spec = build->spec;
  const bool inside = k >= spec->key_low && k <= spec->key_high;
  fill_key(spec, k, key);
  if (!inside && spec->strict) {
    return HTZ_OK;
  }
  const htz_status st = build_island(build, k, &key->island, modes);
  if (st == HTZ_BAD_VALUE && !inside) {
    key->island = NULL; // the scaling gives no such body out there: a silent key
    return HTZ_OK;
  }
  return st;
}

/** Bytes the whole instrument takes. Key by key, so that the memory of one trial serves the next. */
static htz_status measure(builder* build, size_t* size) {
  htz_arena trial;
  build->arena = &trial;
  htz_arena_measure(&trial);
  htz_arena_alloc(&trial, 1, sizeof(htz_instrument));
  htz_status st = trial.failed ? HTZ_NO_MEMORY : HTZ_OK;
  *size = trial.used;
  htz_arena_free(&trial);
  for (int k = 0; k < HTZ_KEYS && !st; ++k) {
    htz_key key = {0};
    size_t modes = 0;
    htz_arena_measure(&trial);
    st = construct_key(build, k, &key, &modes);
    *size += trial.used;
    htz_arena_free(&trial);
  }
  return st;
}

static htz_status construct(builder* build, htz_arena* arena, htz_instrument** out) {
  const htz_spec* spec = build->spec;
  build->arena = arena;
  htz_instrument* it = htz_arena_alloc(arena, 1, sizeof *it);
  if (!it) {
    return HTZ_NO_MEMORY;
  }
  it->spec = spec;
  it->rate_hz = build->rate_hz;
  for (size_t i = 0; i < HTZ_PARAM_COUNT; ++i) {
    it->params[i] = spec->param_given[i] ? spec->params[i] : htz_instrument_params[i].initial;
  }
  for (int k = 0; k < HTZ_KEYS; ++k) {
    size_t modes = 0;
    const htz_status st = construct_key(build, k, &it->keys[k], &modes);
    if (st) {
      return st;
    }
    if (k >= spec->key_low && k <= spec->key_high) {
      it->n_bodies += spec->n_bodies;
      it->n_modes += modes;
    }
  }
  *out = it;
  return HTZ_OK;
}

htz_status htz_instrument_build(const htz_spec* spec, double rate_hz, const htz_kernels* kernels, htz_arena* arena,
                                htz_instrument** out, const char** why) {
  builder build = {.spec = spec, .rate_hz = rate_hz, .kernels = kernels};
  size_t size = 0;
  *out = NULL;
  *why = NULL;
  *arena = (htz_arena){0};
  if (!(rate_hz > 0.0) || !isfinite(rate_hz)) {
    *why = "the sample rate must be positive";
    return HTZ_BAD_VALUE;
  }
  htz_status st = measure(&build, &size);
  if (!st) {
    st = htz_arena_init(arena, size);
  }
  if (!st) {
    st = construct(&build, arena, out);
  }
  if (st) {
    *why = build.why ? build.why : htz_status_text(st);
    *out = NULL;
    htz_arena_free(arena);
  }
  return st;
}
