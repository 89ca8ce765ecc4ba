#include "build.h"

#include "bow.h"
#include "build_grid.h"
#include "ear.h"

#include "hertzian/contact/clocked.h"
#include "hertzian/contact/solved.h"
#include "hertzian/instrument/spec_prepared.h"

#include <math.h>
#include <string.h>

// The island of one key.

void htz_build_blame(builder* build, const char* part, const char* why) {
  const size_t property = why ? strcspn(why, ":") : 0;
  build->why = why;
  snprintf(build->where, sizeof build->where, "%s%s%.*s", part, why && why[property] ? "." : "",
           why && why[property] ? (int)property : 0, why ? why : "");
}

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
  if (a->magnet[0].n || b->magnet[0].n) {
    return false; // each hears by itself how far it moves
  }
  const bool ears = (a->quantity == HTZ_HEAR_PRESSURE) == (b->quantity == HTZ_HEAR_PRESSURE); // only these are late
  return ears && a->by_key == b->by_key && (a->by_key ? a->spread == b->spread : a->pan == b->pan);
}

uint32_t htz_build_line_of(const htz_spec* spec, size_t p) {
  uint32_t line = 0;
  for (size_t i = 0; i < p; ++i) {
    if (p < spec->n_pickups && same_place(&spec->pickups[i], &spec->pickups[p])) {
      return htz_build_line_of(spec, i);
    }
    bool first = true;
    for (size_t j = 0; j < i; ++j) {
      first = first && !same_place(&spec->pickups[j], &spec->pickups[i]);
    }
    line += first;
  }
  return line;
}

static void add_output(htz_modal_island_desc* desc, uint32_t body, uint32_t pickup, uint32_t line) {
  desc->outputs[desc->n_outputs++] = (htz_output){body, pickup, line};
  desc->n_lines = desc->n_lines > line ? desc->n_lines : line + 1;
}

/** Pickup `p` of the file as pickup `n` of its body. */
static htz_status listen_at(builder* build, size_t p, const htz_modes* modes, htz_modal* modal, uint32_t n, island_plan* plan) {
  const htz_spec_pickup* pickup = &build->spec->pickups[p];
  const double key = plan->key, x = htz_table_at(&pickup->at, key), gain = htz_table_at(&pickup->gain, key);
  if (pickup->quantity == HTZ_HEAR_PRESSURE) {
    ear_wish wish = {.modes = modes,
                     .body = &build->spec->bodies[pickup->of],
                     .key = key,
                     .at = pickup->ear,
                     .moves = pickup->moves,
                     .gain = gain};
    for (size_t i = 0; i < HTZ_EARS; ++i) {
      wish.late[i] = htz_ears_late(build, htz_build_line_of(build->spec, p), key, (htz_ears)i);
    }
    htz_moving_ear* ear = &plan->ears[plan->n_ears];
    const htz_status st = htz_ears_listen(build, modal, n, &wish, ear);
    plan->n_ears += !st && ear->of;
    return st;
  }
  if (pickup->at_y.n) {
    htz_modal_listen_xy(modal, n, pickup->quantity, x, htz_table_at(&pickup->at_y, key), gain);
  } else {
    htz_modal_listen(modal, n, pickup->quantity, x, gain);
  }
  return HTZ_OK;
}

/** What is heard of body `i` of the island, which is body `b` of the file. */
static htz_status listen(builder* build, size_t b, uint32_t i, const htz_modes* modes, island_plan* plan) {
  const htz_spec* spec = build->spec;
  htz_modal_island_desc* desc = &plan->desc;
  htz_modal* modal = desc->bodies[i];
  const double key = plan->key;
  uint32_t n = 0;
  for (size_t p = 0; p < spec->n_pickups; ++p) {
    if (spec->pickups[p].of == b) {
      const htz_status st = listen_at(build, p, modes, modal, n, plan);
      if (st) {
        return st;
      }
      add_output(desc, i, n++, htz_build_line_of(spec, p));
    }
  }
  for (size_t d = 0; d < spec->board.n_drives; ++d) {
    const htz_spec_drive* drive = &spec->board.drives[d];
    if (drive->from == b) {
      htz_modal_listen(modal, n, drive->quantity, htz_table_at(&drive->at, key), htz_table_at(&drive->gain, key));
      desc->joined |= d == htz_spec_joined_drive(spec) ? UINT64_C(1) << desc->n_outputs : 0;
      add_output(desc, i, n++, htz_build_line_of(spec, spec->n_pickups));
    }
  }
  for (size_t f = 0; f < spec->n_feeds; ++f) {
    const htz_spec_feed* feed = &spec->feeds[f];
    if (feed->from == b) {
      htz_modal_listen(modal, n, feed->quantity, htz_table_at(&feed->at, key), htz_table_at(&feed->gain, key));
      const uint32_t point = htz_build_fed_point(spec, plan, feed->to, f);
      for (uint32_t copy = 0; copy < plan->count[feed->to]; ++copy) {
        desc->feeds[desc->n_feeds++] = (htz_feed){i, n, plan->first[feed->to] + copy, point};
      }
      ++n;
    }
  }
  return HTZ_OK;
}

/** Where forces act: the mallets on a struck body, links and feeds on any. */
static void place(const htz_spec* spec, size_t b, const island_plan* plan, htz_modal* modal) {
  const double x = htz_table_at(&spec->mallet.at, plan->key), y = htz_table_at(&spec->mallet.at_y, plan->key);
  for (size_t p = 0; p < htz_build_own_points(spec, plan->key, b); ++p) {
    htz_modal_place_xy(modal, p, x, y);
  }
  htz_build_place_links(spec, plan, b, modal);
}

static htz_status build_body(builder* build, size_t b, const htz_modes* modes, island_plan* plan) {
  const htz_spec* spec = build->spec;
  htz_modal_island_desc* desc = &plan->desc;
  const size_t points = htz_build_points(spec, plan, b);
  const uint32_t i = desc->n_bodies;
  const htz_status st =
      htz_modal_new(modes, points, count_pickups(spec, b), build->rate_hz, build->kernels, build->arena, &desc->bodies[i]);
  if (st) {
    return st;
  }
  ++desc->n_bodies;
  if (b == 0 && !htz_spec_apart_why(spec)) {
    const htz_status joined = htz_modal_join(
        desc->bodies[i], htz_table_at(&spec->board.drives[htz_spec_joined_drive(spec)].gain, plan->key), build->arena);
    if (joined) {
      return joined;
    }
  }
  place(spec, b, plan, desc->bodies[i]);
  plan->n_modes += modes->n;
  return listen(build, b, i, modes, plan);
}

/** Body `b` of the file, `count` times: they share everything but their tuning. */
static htz_status build_unison(builder* build, size_t b, size_t count, island_plan* plan) {
  const htz_spec_body* body = &build->spec->bodies[b];
  htz_modes* modes = htz_arena_alloc(build->arena, 1 + count, sizeof *modes);
  if (!modes) {
    return HTZ_NO_MEMORY;
  }
  const char* why;
  htz_status st = htz_spec_modes(body, plan->key, build->arena, modes, &why);
  plan->modes[b] = modes;
  htz_spec_prepared_at(build->spec, (int)plan->key, b, plan->desc.n_bodies, (uint32_t)count,
                       (uint32_t)htz_build_played_points(build->spec, b), &plan->desc.prepared);
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
  if (st) {
    char part[HTZ_SPEC_WHERE];
    snprintf(part, sizeof part, "per_key.%s", body->name);
    htz_build_blame(build, part, why);
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

/** Bows, each on the bodies that it plays, and a finger on all strings that are played. */
static void add_bows(const htz_spec* spec, const island_plan* plan, htz_modal_island_desc* desc) {
  for (size_t b = 0; b < spec->n_struck + spec->n_bowed && spec->fingered.harmonics; ++b) {
    const double damping = htz_bow_is_string(&spec->bodies[b]) ? htz_bow_impedance(plan->modes[b]) : 0.0;
    for (uint32_t i = 0; i < plan->count[b] && plan->first[b] + i < HTZ_ISLAND_UNISON_MAX; ++i) {
      desc->finger[plan->first[b] + i] = damping;
    }
  }
  desc->n_bows = (uint32_t)spec->n_bows;
  for (size_t n = 0; n < spec->n_bows; ++n) {
    const size_t body = spec->bows[n].body;
    desc->bows[n] = htz_bow_on(spec, n, plan->key, plan->modes[body]);
    desc->bows[n].body = plan->first[body];
    desc->bows[n].n_bodies = plan->count[body];
  }
}

/** What plays on the bodies that the plan has. */
static htz_status build_player(builder* build, htz_island** island, const island_plan* plan) {
  const htz_spec* spec = build->spec;
  const char* why = NULL;
  const char* part = !spec->thrown ? "bow" : spec->mallet.solver ? "mallet.solver" : "mallet";
  htz_status st = HTZ_OK;
  htz_modal_island_desc desc = plan->desc;
  if (spec->mallet.solver) {
    const htz_strike hammer = hardest(&spec->mallet, plan->key);
    st = htz_solved_make(desc.bodies[0], plan->modes[0]->mass, spec->mallet.solver, &hammer, build->rate_hz, build->arena,
                         &desc.solver, &why);
  }
  if (!st) {
    add_bows(spec, plan, &desc);
    st = htz_modal_island_new(&desc, build->rate_hz, build->arena, island);
  }
  if (st) {
    htz_build_blame(build, part, why);
  }
  return st;
}

/** The same at the rate of the builder. */
static htz_status build_island(builder* build, double key, htz_island** island, island_plan* plan) {
  const htz_spec* spec = build->spec;
  *plan = (island_plan){.key = key};
  if (spec->grid) {
    plan->desc.n_bodies = (uint32_t)spec->grid->n_bodies;
    return htz_grid_build_island(build, key, island);
  }
  for (size_t b = 0; b < spec->n_bodies; ++b) {
    plan->count[b] = (uint32_t)htz_spec_count(&spec->bodies[b], key);
    plan->first[b] = b ? plan->first[b - 1] + plan->count[b - 1] : 0;
    plan->desc.n_struck += b < spec->n_struck ? plan->count[b] : 0;
    plan->desc.n_bowed += b >= spec->n_struck && b < spec->n_struck + spec->n_bowed ? plan->count[b] : 0;
    plan->desc.n_joined += b >= spec->n_struck + spec->n_bowed && b < spec->n_linked ? plan->count[b] : 0;
  }
  plan->desc.n_mallets = (uint32_t)spec->mallet.pool;
  plan->desc.stay = spec->mallet.stay;
  plan->desc.stay.seed = (uint64_t)key;
  for (size_t b = 0; b < spec->n_bodies; ++b) {
    const htz_status st = build_unison(build, b, plan->count[b], plan);
    if (st) {
      return st;
    }
  }
  const htz_status st = htz_build_links(build, plan);
  return st ? st : build_player(build, island, plan);
}

double htz_build_clock(const builder* build) {
  const double own = build->spec->whole->clock_hz;
  return own > 0.0 ? own : build->rate_hz;
}

htz_status htz_build_reader(builder* build) {
  const double clock = htz_build_clock(build);
  return clock != build->rate_hz ? htz_fractional_new(clock, build->rate_hz, build->arena, &build->reader) : HTZ_OK;
}

htz_status htz_build_island(builder* build, double key, htz_island** island, island_plan* plan) {
  const double host = build->rate_hz;
  htz_fractional shared = build->reader;
  htz_status st = build->reader.table ? HTZ_OK : htz_build_reader(build);
  if (!st) {
    build->rate_hz = htz_build_clock(build);
    st = build_island(build, key, island, plan);
    build->rate_hz = host;
  }
  if (!st && build->reader.table) {
    st = htz_clocked_new(*island, htz_build_clock(build), host, &build->reader, build->arena, island);
  }
  build->reader = shared;
  return st;
}

double htz_build_zone(size_t z, size_t zones) {
  return zones > 1 ? (double)z / (double)(zones - 1) : 0.5;
}

/** Pickup `p` of the shared body is an ear. */
static htz_status listen_to_board(builder* build, size_t p, const htz_modes* modes, htz_board* board) {
  const htz_spec_board* from = &build->spec->board;
  const htz_spec_board_pickup* pickup = &from->pickups[p];
  ear_wish wish = {.modes = modes,
                   .body = &from->body,
                   .key = build->spec->key_low,
                   .at = pickup->ear,
                   .moves = pickup->moves,
                   .gain = pickup->gain,
                   .zones = from->body.zones};
  for (size_t i = 0; i < HTZ_EARS; ++i) {
    const htz_ear ear = htz_spec_ear(&from->body, pickup->ear[i], wish.key);
    wish.late[i] = htz_ear_delay(&ear) - build->first_heard[i];
    board->late[i][p] = (uint32_t)(wish.late[i] * build->rate_hz + 0.5);
  }
  htz_moving_ear* ear = &board->ears[board->n_ears];
  const htz_status st = htz_ears_listen(build, board->body, p, &wish, ear);
  board->n_ears += !st && ear->of;
  return st;
}

htz_status htz_build_board(builder* build, htz_board* board, size_t* n_modes) {
  const htz_spec_board* from = &build->spec->board;
  if (!from->given) {
    return HTZ_OK;
  }
  htz_modes* modes = htz_arena_alloc(build->arena, 1, sizeof *modes);
  if (!modes) {
    return HTZ_NO_MEMORY;
  }
  const char* why;
  htz_status st = htz_spec_modes(&from->body, build->spec->key_low, build->arena, modes, &why);
  const size_t zones = from->body.zones;
  if (!st) {
    st = htz_modal_new(modes, zones, from->n_pickups, build->rate_hz, build->kernels, build->arena, &board->body);
  }
  if (st) {
    htz_build_blame(build, "shared", why);
    return st;
  }
  for (size_t z = 0; z < zones; ++z) {
    htz_modal_place(board->body, z, htz_build_zone(z, zones));
  }
  for (size_t p = 0; p < from->n_pickups; ++p) {
    const htz_spec_board_pickup* pickup = &from->pickups[p];
    if (pickup->quantity == HTZ_HEAR_PRESSURE) {
      st = st ? st : listen_to_board(build, p, modes, board);
    } else {
      htz_modal_listen_xy(board->body, p, pickup->quantity, pickup->at[0], pickup->at[1], pickup->gain);
    }
    board->pan[p] = pickup->pan;
  }
  if (htz_spec_two_way(build->spec) && !st) {
    st = htz_bridge_new(board->body, zones, build->arena, &board->bridge);
  }
  board->n_zones = (uint32_t)zones;
  board->n_pickups = (uint32_t)from->n_pickups;
  *n_modes += modes->n;
  return st;
}
