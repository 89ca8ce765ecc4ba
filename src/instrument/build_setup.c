#include "build.h"

#include "bow.h"
#include "ear.h"
#include "hertzian/contact/clocked.h"
#include "hertzian/instrument/spec_grid.h"
#include "voice.h"

#include "hertzian/instrument/spec_link.h"
#include "hertzian/instrument/tuning.h"

#include <math.h>
#include <string.h>

_Static_assert((int)HTZ_SPEC_KINDS_MAX == (int)HTZ_MALLET_KINDS_MAX, "a file's mallets fit");
_Static_assert((int)HTZ_SPEC_ZONES_MAX == (int)HTZ_BOARD_ZONES_MAX, "a file's drive points fit");
_Static_assert((int)HTZ_SPEC_BOARD_PICKUPS_MAX == (int)HTZ_BOARD_PICKUPS_MAX, "a file's pickups of the shared body fit");
_Static_assert((int)HTZ_SPEC_ZONES_MAX <= (int)HTZ_POINTS_MAX, "drive points are points of a body");

/** What silent keys belong to. */
static const htz_object nothing = {.n_kinds = 0};

/** Where a key is across the range of the real instrument, 0..1, and no further beyond it. */
static double across(const htz_spec* object, double key) {
  const htz_spec* spec = object->whole;
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

/** Tables that cross beyond the range they were written for must not turn the touch around. */
static void hold_order(double ends[2]) {
  ends[1] = ends[1] < ends[0] ? ends[0] : ends[1];
}

/** What the key can do. */
static void fill_gestures(const htz_spec* spec, double key, htz_key* out) {
  out->first = spec->grid ? spec->grid->gesture[0] : spec->thrown ? HTZ_EXCITE_MALLET : HTZ_EXCITE_BOW;
  out->does = 1u << out->first | (spec->bowed ? 1u << HTZ_EXCITE_BOW : 0u);
  for (size_t i = 0; spec->grid && i < spec->grid->n_gestures; ++i) {
    const htz_excite kind = spec->grid->gesture[i];
    const htz_spec_gesture* from = &spec->grid->gestures[kind];
    out->does |= 1u << kind;
    out->gesture[kind] = (htz_key_gesture){.speed = {htz_table_at(&from->speed[0], key), htz_table_at(&from->speed[1], key)},
                                           .at = htz_table_at(&from->at, key),
                                           .at_y = htz_table_at(&from->at_y, key)};
    hold_order(out->gesture[kind].speed);
  }
}

static void fill_choke(const htz_spec* spec, double key, htz_key* out) {
  const unsigned k = (unsigned)key;
  for (size_t i = 0; i < spec->n_chokes; ++i) {
    if (spec->chokes[i].keys[k / 64] >> (k % 64) & 1u) {
      out->choke = htz_table_at(&spec->chokes[i].loss, key);
      out->choke_group = (uint8_t)(i + 1);
    }
  }
}

static void fill_magnet(const htz_spec_pickup* pickup, double key, htz_key_magnet* magnet) {
  if (pickup->magnet[0].n) {
    const double distance = htz_table_at(&pickup->magnet[0], key), gain = htz_table_at(&pickup->gain, key);
    magnet->reach = gain * distance;
    magnet->offset = htz_table_at(&pickup->magnet[1], key) / distance;
  }
}

static void fill_key(const builder* build, double key, htz_key* out) {
  const htz_spec* spec = build->spec;
  const htz_spec_mallet* mallet = &spec->mallet;
  out->hz = htz_key_hz(key);
  fill_gestures(spec, key, out);
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
  out->core = mallet->core.n ? htz_table_at(&mallet->core, key) : 0.0;
  out->core_exponent = htz_table_at(&mallet->core_exponent, key);
  out->depth = htz_table_at(&mallet->depth, key);
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
  fill_choke(spec->whole, key, out);
  out->strings = (unsigned)htz_spec_count(&spec->bodies[0], key);
  out->board_at = board_at(&spec->board, spec, key);
  if (spec->board.n_drives) {
    out->drives[htz_build_line_of(spec, spec->n_pickups)] = true;
  }
  hold_order(out->speed);
  for (size_t p = 0; p < spec->n_pickups; ++p) {
    const uint32_t line = htz_build_line_of(spec, p);
    out->pan[line] = pan_at(spec, &spec->pickups[p], key);
    fill_magnet(&spec->pickups[p], key, &out->magnet[line]);
    out->by_ear = out->by_ear || spec->pickups[p].quantity == HTZ_HEAR_PRESSURE;
    for (size_t i = 0; i < HTZ_EARS; ++i) {
      out->late[i][line] = (uint32_t)(htz_ears_late(build, line, key, (htz_ears)i) * build->rate_hz + 0.5);
    }
  }
}

static void add_voice(htz_key* key, uint32_t line, double voice, double climb) {
  if (voice > key->voice[line]) { // of several in one line the strongest says how it goes with the tuning
    key->climb[line] = climb;
  }
  key->voice[line] = hypot(key->voice[line], voice);
}

static htz_status give_voice(const htz_spec* spec, double key, htz_key* out) {
  htz_voice voice;
  const bool own = !spec->thrown && !spec->grid; // a bow has its own loudness
  const htz_status st = own ? HTZ_OK : htz_voice_of(spec, key, &voice);
  if (own) {
    return st;
  }
  for (size_t p = 0; p < spec->n_pickups && !st; ++p) {
    const htz_spec_pickup* pickup = &spec->pickups[p];
    const double slower = pickup->quantity == HTZ_HEAR_PRESSURE ? voice.slower : 0.0; // else it is not estimated
    add_voice(out, htz_build_line_of(spec, p), voice.pickup[p], slower + htz_voice_climb(spec, pickup->of, pickup->quantity));
  }
  for (size_t d = 0; d < spec->board.n_drives && !st; ++d) {
    const htz_spec_drive* drive = &spec->board.drives[d];
    const double climb = (drive->from == 0 ? voice.slower : 0.0) + htz_voice_climb(spec, drive->from, drive->quantity);
    add_voice(out, htz_build_line_of(spec, spec->n_pickups), voice.drive[d], climb);
  }
  out->lever = !htz_spec_apart_why(spec) ? htz_table_at(&spec->board.drives[htz_spec_joined_drive(spec)].gain, key) : 0.0;
  return st;
}

/** What became of the keys that are wanted, inside the range of the instrument and beyond it. */
typedef struct {
  size_t made[2], failed[2]; // [0] inside, [1] beyond
} census;

/**
   One key, of object build->spec; silent when it is not wanted or cannot be made: beyond the range of the file, where the scaling may give
   no such body, or at this sample rate.
*/
static htz_status construct_key(builder* build, int k, htz_bridge* bridge, htz_key* key, island_plan* plan, census* n) {
  const htz_spec* spec = build->spec;
  const bool beyond = k < spec->key_low || k > spec->key_high;
  fill_key(build, k, key);
  const bool wanted = !build->keys || (build->keys[k / 64] >> (k % 64) & 1u);
  // Strings that the left hand shares out among the keys are there whichever keys are played.
  const bool there = spec->fingered.n ? htz_bow_has_island(spec, k) : wanted && (!beyond || !spec->strict);
  if (!there) {
    return HTZ_OK;
  }
  htz_status st = htz_build_island(build, k, &key->island, plan);
  if (!st) {
    htz_moving_ear* ears = htz_arena_alloc(build->arena, plan->n_ears + 1, sizeof *ears);
    st = ears ? HTZ_OK : HTZ_NO_MEMORY;
    if (!st) {
      memcpy(ears, plan->ears, plan->n_ears * sizeof *ears);
    }
    key->n_ears = plan->n_ears;
    key->ears = ears;
  }
  if (!st && bridge && !htz_spec_apart_why(spec)) {
    st = htz_bridge_attach(bridge, (size_t)k, key->island, key->board_at, build->arena);
    htz_bridge_drive(bridge, (size_t)k, UINT32_C(1) << htz_build_line_of(spec, spec->n_pickups));
  }
  ++*(st ? &n->failed[beyond] : &n->made[beyond]);
  if (st == HTZ_UNSUPPORTED || (st == HTZ_BAD_VALUE && beyond)) {
    key->island = NULL;
    return HTZ_OK;
  }
  return st;
}

/** No key of the range that is wanted could be made, nor any beyond it that is wanted with them: that is no instrument. */
static bool is_mute(const builder* build, const census* n) {
  return n->failed[0] > 0 && n->made[0] == 0 && (!build->keys || n->made[1] == 0);
}

/** Bytes the whole instrument takes. Key by key, so that the memory of one trial serves the next. */
static htz_status measure(builder* build, const htz_spec* spec, size_t* size) {
  htz_arena shared, trial;
  build->spec = spec;
  build->arena = &shared;
  htz_arena_measure(&shared);
  htz_arena_alloc(&shared, 1, sizeof(htz_instrument));
  htz_arena_alloc(&shared, spec->n_objects, sizeof(htz_object));
  htz_arena_alloc(&shared, spec->n_bindings + 1, sizeof(htz_binding));
  htz_board board = {0};
  census n = {{0}, {0}};
  size_t modes = 0;
  htz_status st = htz_build_reader(build);
  st = st ? st : htz_build_board(build, &board, &modes);
  htz_action action = {0};
  st = st ? st : htz_build_action(build, &action, &modes);
  st = shared.failed ? HTZ_NO_MEMORY : st;
  *size = shared.used;
  // Keys that are linked have to be there together.
  const bool linked = htz_spec_keys_linked(build->spec);
  htz_key* keys = htz_arena_alloc(&shared, HTZ_KEYS, sizeof *keys);
  st = keys ? st : HTZ_NO_MEMORY;
  build->arena = &trial;
  htz_arena_measure(&trial);
  for (int k = 0; k < HTZ_KEYS && !st; ++k) {
    island_plan plan = {0};
    build->spec = htz_spec_object(spec, k);
    if (!build->spec) {
      continue;
    }
    st = construct_key(build, k, board.bridge, &keys[k], &plan, &n);
    if (!linked) {
      *size += trial.used;
      htz_arena_free(&trial);
      htz_arena_measure(&trial);
    }
  }
  if (linked && !st) {
    htz_linked group = {0};
    st = htz_build_linked(build, spec, keys, &group, &modes);
  }
  *size += trial.used;
  htz_arena_free(&trial);
  htz_arena_free(&shared); // last: the keys were tried on its bridge
  return st ? st : is_mute(build, &n) ? HTZ_UNSUPPORTED : HTZ_OK;
}

/** Gaps of contacts between its bodies have parameters. */
static bool gaps_move(const htz_spec* spec) {
  bool any = false;
  for (size_t l = 0; l < spec->n_links; ++l) {
    any = any || spec->links[l].name;
  }
  return any;
}

/** Some feed drives a body that strikes and links move: what it brings is nobody's yet. */
static bool feeds_bring_energy(const htz_spec* spec) {
  bool any = false;
  for (size_t f = 0; f < spec->n_feeds; ++f) {
    any = any || spec->feeds[f].to < spec->n_linked;
  }
  return any;
}

static void fill_params(const htz_spec* spec, double params[HTZ_PARAM_COUNT]) {
  for (size_t i = 0; i < HTZ_PARAM_COUNT; ++i) {
    const bool own = isnan(htz_instrument_params[i].initial) && !spec->param_given[i]; // of each key
    params[i] = own ? htz_instrument_params[i].initial : spec->params[i];
  }
}

static void fill_object(const htz_spec* spec, htz_object* it) {
  fill_params(spec, it->params);
  for (size_t i = HTZ_PARAM_COUNT; i < HTZ_PARAM_SLOTS; ++i) {
    it->params[i] = spec->param_given[i] ? spec->params[i] : (double)NAN; // as built
  }
  htz_bow_fill_object(spec, it);
  it->stays = spec->mallet.stay.given;
  it->influenced = it->influenced || spec->prepared || spec->grid || feeds_bring_energy(spec) || gaps_move(spec);
  it->driven = spec->mallet.driven;
  it->soft_hardness = spec->mallet.soft;
  it->n_kinds = spec->n_kinds;
  for (size_t i = 0; i < spec->n_kinds; ++i) {
    it->kinds[i] = (htz_mallet_kind){spec->kinds[i].hardness, spec->kinds[i].mass, spec->kinds[i].plucks};
  }
}

/** What the part starts from; where its objects do not start from the same, NaN. */
static void fill_objects(const htz_spec* spec, htz_instrument* it) {
  fill_params(spec, it->params);
  for (size_t o = 0; o < spec->n_objects; ++o) {
    fill_object(spec->objects[o], &it->objects[o]);
    it->stays = it->stays || it->objects[o].stays;
  }
  for (size_t i = 0; i < HTZ_PARAM_COUNT; ++i) {
    for (size_t o = 0; o < spec->n_objects && !htz_param_of_part(i); ++o) {
      it->params[i] = it->objects[o].params[i] == it->params[i] ? it->params[i] : (double)NAN;
    }
  }
}

/** Number of the object of key `k`, n_objects when there is none. */
static size_t object_of(const htz_spec* spec, int k) {
  const htz_spec* object = htz_spec_object(spec, k);
  size_t o = 0;
  while (o < spec->n_objects && spec->objects[o] != object) {
    ++o;
  }
  return o;
}

/** Beyond its range an instrument may have keys, as far as its scaling goes; what it has not is played in another octave. */
static void fill_plays(const htz_spec* spec, htz_instrument* it) {
  for (int k = 0; k < HTZ_KEYS; ++k) {
    const bool stopped = spec->fingered.n && !spec->strict; // a finger stops a string wherever
    it->plays[k] = (uint8_t)(it->keys[k].island || stopped ? k : htz_spec_octave(spec, k));
  }
}

static htz_status construct(builder* build, const htz_spec* spec, htz_arena* arena, htz_instrument** out) {
  build->arena = arena;
  build->spec = spec;
  build->in_earnest = true;
  htz_instrument* it = htz_arena_alloc(arena, 1, sizeof *it);
  htz_object* objects = htz_arena_alloc(arena, spec->n_objects, sizeof *objects);
  htz_binding* bindings = htz_arena_alloc(arena, spec->n_bindings + 1, sizeof *bindings);
  if (!it || !objects || !bindings) {
    return HTZ_NO_MEMORY;
  }
  it->spec = spec;
  it->rate_hz = build->rate_hz;
  it->n_objects = spec->n_objects;
  it->objects = objects;
  it->n_bindings = spec->n_bindings;
  it->bindings = bindings;
  for (size_t i = 0; i < spec->n_bindings; ++i) {
    bindings[i] = (htz_binding){&objects[spec->bindings[i].object], spec->bindings[i].param, spec->bindings[i].slot};
  }
  fill_objects(spec, it);
  build->reader = (htz_fractional){.table = NULL}; // of the arena that was measured
  htz_status shared = htz_build_reader(build);
  shared = shared ? shared : htz_build_board(build, &it->board, &it->n_modes);
  shared = shared ? shared : htz_build_action(build, &it->action, &it->n_modes);
  if (shared) {
    return shared;
  }
  it->n_bodies += it->board.body ? 1 : 0;
  census n = {{0}, {0}};
  const double of_board = it->board.body ? heard_of_board(&it->board) : 0.0;
  it->action.heard = of_board;
  it->n_bodies += it->action.island ? 1 : 0;
  for (int k = 0; k < HTZ_KEYS; ++k) {
    const size_t o = object_of(spec, k);
    island_plan plan = {0};
    it->keys[k].object = o < spec->n_objects ? &objects[o] : &nothing;
    if (o == spec->n_objects) {
      continue;
    }
    const htz_spec* object = build->spec = spec->objects[o];
    htz_status st = construct_key(build, k, it->board.bridge, &it->keys[k], &plan, &n);
    st = st ? st : give_voice(object, k, &it->keys[k]);
    if (st) {
      return st;
    }
    it->keys[k].heard = object->board.n_drives && object->n_pickups == 0 ? of_board : 1.0;
    if (htz_spec_has_key(object, k)) {
      it->n_bodies += plan.desc.n_bodies;
      it->n_modes += plan.n_modes;
      it->n_unfolded += it->keys[k].island && htz_modal_island_unfolded(htz_clocked_inner(it->keys[k].island));
    }
  }
  build->spec = spec;
  const htz_status tuned = htz_build_tuned(build, it->keys);
  if (tuned) {
    return tuned;
  }
  const htz_status linked = htz_build_linked(build, spec, it->keys, &it->linked, &it->n_modes);
  if (linked) {
    return linked;
  }
  it->n_bodies += it->linked.n_shared;
  for (size_t k = 0; it->board.bridge && k < HTZ_KEYS; ++k) {
    const htz_spec* object = htz_spec_object(spec, (int)k);
    unsigned first = 1, last = 1;
    if (object && object->n_bodies) {
      htz_spec_tuned_by(&object->bodies[0], (double)k, &first, &last);
    }
    it->keys[k].bridge_tuning = htz_bridge_tuning(it->board.bridge, k, first, last);
  }
  fill_plays(spec, it);
  *out = it;
  return HTZ_OK;
}

/** What has to be built so that notes of `keys` are played. */
static const uint64_t* with_octaves(const htz_spec* spec, const uint64_t* keys, uint64_t out[HTZ_KEYS / 64]) {
  for (int k = 0; keys && k < HTZ_KEYS; ++k) {
    const int plays = htz_spec_octave(spec, k);
    if (keys[k / 64] >> (k % 64) & 1u) {
      out[k / 64] |= UINT64_C(1) << (k % 64);
      out[plays / 64] |= UINT64_C(1) << (plays % 64);
    }
  }
  return keys ? out : NULL;
}

htz_status htz_instrument_build(const htz_spec* spec, double rate_hz, const htz_kernels* kernels, const uint64_t* keys,
                                htz_arena* arena, htz_instrument** out, const char** why) {
  uint64_t wanted[HTZ_KEYS / 64] = {0};
  builder build = {.rate_hz = rate_hz, .kernels = kernels, .keys = with_octaves(spec, keys, wanted)};
  for (size_t i = 0; i < HTZ_EARS; ++i) {
    build.first_heard[i] = htz_ears_first(spec, (htz_ears)i);
  }
  size_t size = 0;
  *out = NULL;
  *why = NULL;
  *arena = (htz_arena){0};
  if (!(rate_hz > 0.0) || !isfinite(rate_hz)) {
    *why = "the sample rate must be positive";
    return HTZ_BAD_VALUE;
  }
  htz_status st = measure(&build, spec, &size);
  if (!st) {
    st = htz_arena_init(arena, size);
  }
  if (!st) {
    st = construct(&build, spec, arena, out);
  }
  if (st) {
    *why = build.why ? build.why : htz_status_text(st);
    *out = NULL;
    htz_arena_free(arena);
  }
  return st;
}
