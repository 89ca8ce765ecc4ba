#include "hertzian/instrument/instrument.h"

#include "bow.h"
#include "build_grid.h"
#include "voice.h"

#include "hertzian/contact/bowed.h"
#include "hertzian/contact/solved.h"
#include "hertzian/instrument/spec_prepared.h"

#include <math.h>

/** What one construction needs to know. */
typedef struct {
  const htz_spec* spec;
  double rate_hz;
  const htz_kernels* kernels;
  htz_arena* arena;
  const char* why;
  const uint64_t* keys; // set of those wanted, or NULL: all
} builder;

_Static_assert((int)HTZ_SPEC_KINDS_MAX == (int)HTZ_MALLET_KINDS_MAX, "a file's mallets fit");
_Static_assert((int)HTZ_SPEC_ZONES_MAX == (int)HTZ_BOARD_ZONES_MAX, "a file's drive points fit");
_Static_assert((int)HTZ_SPEC_BOARD_PICKUPS_MAX == (int)HTZ_BOARD_PICKUPS_MAX, "a file's pickups of the shared body fit");
_Static_assert((int)HTZ_SPEC_ZONES_MAX <= (int)HTZ_POINTS_MAX, "drive points are points of a body");

/** Pickups of body `b` of the file: those that are heard, those that drive the shared body, those that feed others. */
static size_t count_pickups(const htz_spec* spec, size_t b) {
  size_t n = 0;
  for (size_t p = 0; p < spec->n_pickups; ++p) {
    n += spec->pickups[p].of == b;
  }
  for (size_t d = 0; d < spec->board.n_drives; ++d) {
    n += spec->board.drives[d].from == b;
  }
  for (size_t f = 0; f < spec->n_feeds; ++f) {
    n += spec->feeds[f].from == b;
  }
  return n;
}

static bool same_place(const htz_spec_pickup* a, const htz_spec_pickup* b) {
  return a->by_key == b->by_key && (a->by_key ? a->spread == b->spread : a->pan == b->pan);
}

/** Output line of pickup `p`: pickups in one place share one. With p = n_pickups: the line after those, to the shared body. */
static uint32_t line_of(const htz_spec* spec, size_t p) {
  uint32_t line = 0;
  for (size_t i = 0; i < p; ++i) {
    if (p < spec->n_pickups && same_place(&spec->pickups[i], &spec->pickups[p])) {
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

uint32_t htz_build_line_of(const htz_spec* spec, size_t p) {
  return line_of(spec, p);
}

/** An island while it is being built: the bodies of the file, the struck one as often as it is there. */
typedef struct {
  htz_struck_desc desc;
  const htz_modes* struck; // its modes
  double key;
  size_t n_modes;
} island_plan;

static void add_output(htz_struck_desc* desc, uint32_t body, uint32_t pickup, uint32_t line) {
  desc->outputs[desc->n_outputs++] = (htz_output){body, pickup, line};
  desc->n_lines = desc->n_lines > line ? desc->n_lines : line + 1;
}

/** What is heard of body `i` of the island, which is body `b` of the file. */
static void listen(const htz_spec* spec, size_t b, uint32_t i, island_plan* plan) {
  htz_struck_desc* desc = &plan->desc;
  htz_modal* modal = desc->bodies[i];
  const double key = plan->key;
  uint32_t n = 0;
  for (size_t p = 0; p < spec->n_pickups; ++p) {
    const htz_spec_pickup* pickup = &spec->pickups[p];
    if (pickup->of == b) {
      const double x = htz_table_at(&pickup->at, key), gain = htz_table_at(&pickup->gain, key);
      if (pickup->at_y.n) {
        htz_modal_listen_xy(modal, n, pickup->quantity, x, htz_table_at(&pickup->at_y, key), gain);
      } else {
        htz_modal_listen(modal, n, pickup->quantity, x, gain);
      }
      add_output(desc, i, n++, line_of(spec, p));
    }
  }
  for (size_t d = 0; d < spec->board.n_drives; ++d) {
    const htz_spec_drive* drive = &spec->board.drives[d];
    if (drive->from == b) {
      htz_modal_listen(modal, n, drive->quantity, htz_table_at(&drive->at, key), htz_table_at(&drive->gain, key));
      add_output(desc, i, n++, line_of(spec, spec->n_pickups));
    }
  }
  for (size_t f = 0; f < spec->n_feeds; ++f) {
    const htz_spec_feed* feed = &spec->feeds[f];
    if (feed->from == b) {
      htz_modal_listen(modal, n, feed->quantity, htz_table_at(&feed->at, key), htz_table_at(&feed->gain, key));
      desc->feeds[desc->n_feeds++] = (htz_feed){i, n++, (uint32_t)feed->to + desc->n_struck - 1};
    }
  }
}

/** Where forces act: the mallets on a struck body, the feed on any other. */
static void place(const htz_spec* spec, size_t b, double key, size_t points, htz_modal* modal) {
  double x = htz_table_at(&spec->mallet.at, key);
  const double y = b == 0 ? htz_table_at(&spec->mallet.at_y, key) : (double)NAN;
  if (b > 0) {
    for (size_t f = 0; f < spec->n_feeds; ++f) {
      x = spec->feeds[f].to == b ? htz_table_at(&spec->feeds[f].into, key) : x;
    }
  }
  for (size_t p = 0; p < points; ++p) {
    htz_modal_place_xy(modal, p, x, y);
  }
}

static htz_status build_body(builder* build, size_t b, const htz_modes* modes, island_plan* plan) {
  const htz_spec* spec = build->spec;
  htz_struck_desc* desc = &plan->desc;
  const size_t points = b > 0 ? 1 : spec->mallet.pool + (desc->is_prepared ? HTZ_PREPARED_POINTS : 0);
  const uint32_t i = desc->n_bodies;
  const htz_status st =
      htz_modal_new(modes, points, count_pickups(spec, b), build->rate_hz, build->kernels, build->arena, &desc->bodies[i]);
  if (st) {
    return st;
  }
  ++desc->n_bodies;
  if (b == 0 && htz_spec_two_way(spec)) {
    const htz_status joined =
        htz_modal_join(desc->bodies[i], htz_table_at(&spec->board.drives[0].gain, plan->key), build->arena);
    if (joined) {
      return joined;
    }
  }
  place(spec, b, plan->key, points, desc->bodies[i]);
  listen(spec, b, i, plan);
  plan->n_modes += modes->n;
  return HTZ_OK;
}

/** Body `b` of the file, `count` times: they share everything but their tuning. */
static htz_status build_unison(builder* build, size_t b, size_t count, island_plan* plan) {
  const htz_spec_body* body = &build->spec->bodies[b];
  htz_modes* modes = htz_arena_alloc(build->arena, 1 + count, sizeof *modes);
  if (!modes) {
    return HTZ_NO_MEMORY;
  }
  htz_status st = htz_spec_modes(body, plan->key, build->arena, modes, &build->why);
  plan->struck = b == 0 ? modes : plan->struck;
  const double width = body->detune.n ? htz_table_at(&body->detune, plan->key) : 0.0;
  for (size_t i = 0; i < count && !st; ++i) {
    const double cents = width * htz_spec_spread(i, count);
    const htz_modes* own = modes;
    if (cents != 0.0) {
      st = htz_spec_detuned(modes, cents, build->arena, &modes[1 + i]);
      own = &modes[1 + i];
    }
    if (!st) {
      st = build_body(build, b, own, plan);
    }
  }
  return st;
}

/** What a solver other than the house's is made for: the hammer at velocity 127. */
static htz_strike hardest(const htz_spec_mallet* mallet, double key) {
  return (htz_strike){.mass = htz_table_at(&mallet->mass, key),
                      .stiffness = htz_table_at(&mallet->stiffness, key),
                      .exponent = htz_table_at(&mallet->exponent, key),
                      .viscosity = htz_table_at(&mallet->viscosity, key)};
}

static htz_status build_bowed(builder* build, htz_island** island, const island_plan* plan) {
  htz_bowed_desc desc = {.net = plan->desc};
  htz_bow_string(build->spec, plan->key, plan->struck, &desc);
  return htz_bowed_new(&desc, build->rate_hz, build->arena, island);
}

static htz_status build_island(builder* build, double key, htz_island** island, island_plan* plan) {
  const htz_spec* spec = build->spec;
  *plan = (island_plan){.key = key};
  if (spec->grid) {
    plan->desc.n_bodies = (uint32_t)spec->grid->n_bodies;
    return htz_grid_build_island(spec, key, build->rate_hz, build->kernels, build->arena, island, &build->why);
  }
  plan->desc.n_struck = (uint32_t)htz_spec_count(&spec->bodies[0], key);
  plan->desc.n_mallets = (uint32_t)spec->mallet.pool;
  plan->desc.stay = spec->mallet.stay;
  plan->desc.stay.seed = (uint64_t)key;
  plan->desc.is_prepared = htz_spec_prepared_at(spec->prepared, (int)key, &plan->desc.prepared);
  for (size_t b = 0; b < spec->n_bodies; ++b) {
    const htz_status st = build_unison(build, b, b == 0 ? plan->desc.n_struck : 1, plan);
    if (st) {
      return st;
    }
  }
  if (spec->mallet.solver) {
    const htz_strike hammer = hardest(&spec->mallet, key);
    return htz_solved_new(&plan->desc, plan->struck->mass, spec->mallet.solver, &hammer, build->rate_hz, build->arena, island,
                          &build->why);
  }
  if (spec->bowed) {
    return build_bowed(build, island, plan);
  }
  return htz_struck_new(&plan->desc, build->rate_hz, build->arena, island);
}

/** The body all keys share. */
static htz_status build_board(builder* build, htz_board* board, size_t* n_modes) {
  const htz_spec_board* from = &build->spec->board;
  if (!from->given) {
    return HTZ_OK;
  }
  htz_modes* modes = htz_arena_alloc(build->arena, 1, sizeof *modes);
  if (!modes) {
    return HTZ_NO_MEMORY;
  }
  htz_status st = htz_spec_modes(&from->body, build->spec->key_low, build->arena, modes, &build->why);
  const size_t zones = from->body.zones;
  if (!st) {
    st = htz_modal_new(modes, zones, from->n_pickups, build->rate_hz, build->kernels, build->arena, &board->body);
  }
  if (st) {
    return st;
  }
  for (size_t z = 0; z < zones; ++z) {
    htz_modal_place(board->body, z, zones > 1 ? (double)z / (double)(zones - 1) : 0.5);
  }
  for (size_t p = 0; p < from->n_pickups; ++p) {
    const htz_spec_board_pickup* pickup = &from->pickups[p];
    htz_modal_listen_xy(board->body, p, pickup->quantity, pickup->at[0], pickup->at[1], pickup->gain);
    board->pan[p] = pickup->pan;
  }
  if (htz_spec_two_way(build->spec)) {
    st = htz_bridge_new(board->body, zones, build->arena, &board->bridge);
  }
  board->n_zones = (uint32_t)zones;
  board->n_pickups = (uint32_t)from->n_pickups;
  *n_modes += modes->n;
  return st;
}

/** Where a key is across the range of the real instrument, 0..1, and no further beyond it. */
static double across(const htz_spec* spec, double key) {
  if (spec->key_high == spec->key_low) {
    return 0.5;
  }
  const double x = (key - spec->key_low) / (spec->key_high - spec->key_low);
  return x < 0.0 ? 0.0 : x > 1.0 ? 1.0 : x;
}

static double pan_at(const htz_spec* spec, const htz_spec_pickup* pickup, double key) {
  return pickup->by_key ? pickup->spread * (2.0 * across(spec, key) - 1.0) : pickup->pan;
}

/** Where on the shared body a key's line drives it, in zones. */
static double board_at(const htz_spec_board* board, const htz_spec* spec, double key) {
  if (board->n_drives == 0) {
    return 0.0;
  }
  const htz_spec_drive* drive = &board->drives[0];
  const double x = drive->by_key ? across(spec, key) : htz_table_at(&drive->along, key);
  return x * (double)(board->body.zones - 1);
}

/** What a newton on the board can give at once, as a sample value, where it gives most. */
static double heard_of_board(const htz_board* board) {
  double most = 0.0;
  for (uint32_t z = 0; z < board->n_zones; ++z) {
    double sum = 0.0;
    for (uint32_t p = 0; p < board->n_pickups; ++p) {
      sum += htz_modal_force_bound(board->body, p, z);
    }
    most = sum > most ? sum : most;
  }
  return most;
}

static void fill_key(const htz_spec* spec, double key, htz_key* out) {
  const htz_spec_mallet* mallet = &spec->mallet;
  out->hz = htz_key_hz(key);
  htz_bow_fill_key(spec, key, out);
  out->speed[0] = htz_table_at(&mallet->speed[0], key);
  out->speed[1] = htz_table_at(&mallet->speed[1], key);
  out->mass = htz_table_at(&mallet->mass, key);
  out->stiffness = htz_table_at(&mallet->stiffness, key);
  out->touch = htz_table_at(&mallet->touch, key);
  out->exponent = htz_table_at(&mallet->exponent, key);
  out->viscosity = htz_table_at(&mallet->viscosity, key);
  out->hysteresis = htz_table_at(&mallet->hysteresis, key);
  out->relaxation = htz_table_at(&mallet->relaxation, key);
  out->at = htz_table_at(&mallet->at, key);
  out->at_y = htz_table_at(&mallet->at_y, key);
  for (size_t i = 0; i < 2 && mallet->stay.rolls; ++i) {
    out->travel[i] = htz_table_at(&mallet->travel[i], key);
  }
  for (size_t i = 0; i < 2 && mallet->lift[0].n; ++i) {
    out->lift[i] = htz_table_at(&mallet->lift[i], key);
  }
  const bool damped = spec->damper.n && key >= spec->damper_keys[0] && key <= spec->damper_keys[1];
  out->damper = damped ? htz_table_at(&spec->damper, key) : 0.0;
  out->strings = (unsigned)htz_spec_count(&spec->bodies[0], key);
  out->board_at = board_at(&spec->board, spec, key);
  if (spec->board.n_drives) {
    out->drives[line_of(spec, spec->n_pickups)] = true;
  }
  // Tables that cross beyond the range they were written for must not turn the touch around.
  if (out->speed[1] < out->speed[0]) {
    out->speed[1] = out->speed[0];
  }
  for (size_t p = 0; p < spec->n_pickups; ++p) {
    out->pan[line_of(spec, p)] = pan_at(spec, &spec->pickups[p], key);
  }
}

static void add_voice(htz_key* key, uint32_t line, double voice, double climb) {
  if (voice > key->voice[line]) { // of several in one line the strongest
    key->voice[line] = voice;
    key->climb[line] = climb;
  }
}

static htz_status give_voice(const htz_spec* spec, double key, htz_key* out) {
  htz_voice voice;
  const bool own = spec->bowed || spec->grid; // a bow has its own loudness, a grid no modes to tell it from
  const htz_status st = own ? HTZ_OK : htz_voice_of(spec, key, &voice);
  if (own) {
    return st;
  }
  for (size_t p = 0; p < spec->n_pickups && !st; ++p) {
    const htz_spec_pickup* pickup = &spec->pickups[p];
    add_voice(out, line_of(spec, p), voice.pickup[p], pickup->of == 0 ? htz_voice_climb(spec, pickup->quantity) : 0.0);
  }
  for (size_t d = 0; d < spec->board.n_drives && !st; ++d) {
    const htz_spec_drive* drive = &spec->board.drives[d];
    const double climb = drive->from == 0 ? htz_voice_climb(spec, drive->quantity) : 0.0;
    add_voice(out, line_of(spec, spec->n_pickups), voice.drive[d], climb);
  }
  out->lever = htz_spec_two_way(spec) ? htz_table_at(&spec->board.drives[0].gain, key) : 0.0;
  return st;
}

static htz_status construct_key(builder* build, int k, htz_bridge* bridge, htz_key* key, island_plan* plan) {
  const htz_spec* spec = build->spec;
  const bool inside = k >= spec->key_low && k <= spec->key_high;
  fill_key(spec, k, key);
  const bool wanted = !build->keys || (build->keys[k / 64] >> (k % 64) & 1u);
  // Strings that the left hand shares out among the keys are there whichever keys are played.
  const bool there = spec->fingered.n ? htz_bow_has_island(spec, k) : wanted && (inside || !spec->strict);
  if (!there) {
    return HTZ_OK;
  }
  htz_status st = build_island(build, k, &key->island, plan);
  if (!st && bridge) {
    st = htz_bridge_attach(bridge, (size_t)k, key->island, key->board_at, build->arena);
  }
  const bool beyond = st == HTZ_UNSUPPORTED && spec->grid; // a grid too coarse at this rate
  if ((st == HTZ_BAD_VALUE && !inside) || beyond) {
    key->island = NULL; // the scaling gives no such body out there: a silent key
    return HTZ_OK;
  }
  return st;
}

/** No key of the range that is wanted could be made, each for a reason of its own: that is no instrument. */
static bool is_mute(const builder* build, const htz_instrument* it) {
  const htz_spec* spec = build->spec;
  bool mute = spec->grid && build->why;
  for (int k = spec->key_low; k <= spec->key_high; ++k) {
    mute = mute && !it->keys[k].island;
  }
  return mute;
}

/** Bytes the whole instrument takes. Key by key, so that the memory of one trial serves the next. */
static htz_status measure(builder* build, size_t* size) {
  htz_arena shared, trial;
  build->arena = &shared;
  htz_arena_measure(&shared);
  htz_arena_alloc(&shared, 1, sizeof(htz_instrument));
  htz_board board = {0};
  size_t modes = 0;
  htz_status st = build_board(build, &board, &modes);
  st = shared.failed ? HTZ_NO_MEMORY : st;
  *size = shared.used;
  build->arena = &trial;
  for (int k = 0; k < HTZ_KEYS && !st; ++k) {
    htz_key key = {0};
    island_plan plan = {0};
    htz_arena_measure(&trial);
    st = construct_key(build, k, board.bridge, &key, &plan);
    *size += trial.used;
    htz_arena_free(&trial);
  }
  htz_arena_free(&shared); // last: the keys were tried on its bridge
  return st;
}

static void fill_mallets(const htz_spec* spec, htz_instrument* it) {
  htz_bow_fill_instrument(spec, it);
  it->stays = spec->mallet.stay.given;
  it->influenced = it->influenced || spec->prepared || spec->grid;
  it->driven = spec->mallet.driven;
  it->soft_hardness = spec->mallet.soft;
  it->n_kinds = spec->n_kinds;
  for (size_t i = 0; i < spec->n_kinds; ++i) {
    it->kinds[i] = (htz_mallet_kind){spec->kinds[i].hardness, spec->kinds[i].mass};
  }
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
    const bool own = isnan(htz_instrument_params[i].initial) && !spec->param_given[i]; // of each key
    it->params[i] = own ? htz_instrument_params[i].initial : spec->params[i];
  }
  fill_mallets(spec, it);
  const htz_status shared = build_board(build, &it->board, &it->n_modes);
  if (shared) {
    return shared;
  }
  it->n_bodies += it->board.body ? 1 : 0;
  const double heard = spec->board.n_drives && spec->n_pickups == 0 ? heard_of_board(&it->board) : 1.0;
  for (int k = 0; k < HTZ_KEYS; ++k) {
    island_plan plan = {0};
    htz_status st = construct_key(build, k, it->board.bridge, &it->keys[k], &plan);
    st = st ? st : give_voice(spec, k, &it->keys[k]);
    if (st) {
      return st;
    }
    it->keys[k].heard = heard;
    if (k >= spec->key_low && k <= spec->key_high) {
      it->n_bodies += plan.desc.n_bodies;
      it->n_modes += plan.n_modes;
    }
  }
  for (size_t k = 0; it->board.bridge && k < HTZ_KEYS; ++k) {
    it->keys[k].bridge_tuning = htz_bridge_tuning(it->board.bridge, k);
  }
  if (is_mute(build, it)) {
    return HTZ_UNSUPPORTED;
  }
  *out = it;
  return HTZ_OK;
}

htz_status htz_instrument_build(const htz_spec* spec, double rate_hz, const htz_kernels* kernels, const uint64_t* keys,
                                htz_arena* arena, htz_instrument** out, const char** why) {
  builder build = {.spec = spec, .rate_hz = rate_hz, .kernels = kernels, .keys = keys};
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
